import { Kbd, Stack, Text } from '@mantine/core'
import { Fragment } from 'react'
import { useLanguage, useTranslate } from '../../platform/i18n.ts'
import { nameKey } from '../../ui/key-names.ts'
import { Modal } from '../../ui/overlay/overlays.tsx'
import styles from './shortcuts.module.css'

/** The keys of the console by place; each line has the keys that do the same, those pressed together by a space, and what they do. */
const shortcuts = [
  {
    place: 'anywhere',
    lines: [
      { keys: ['ctrl K'], does: 'palette' },
      { keys: ['/'], does: 'search' },
      { keys: ['F2'], does: 'rename' },
      { keys: ['?'], does: 'help' },
      { keys: ['alt T'], does: 'toast' },
      { keys: ['esc'], does: 'close' },
    ],
  },
  {
    place: 'inLists',
    lines: [
      { keys: ['↑', '↓'], does: 'rows' },
      { keys: ['home', 'end'], does: 'ends' },
      { keys: ['enter'], does: 'open' },
      { keys: ['space'], does: 'choose' },
      { keys: ['shift space', 'shift click'], does: 'range' },
      { keys: ['F2'], does: 'renameRow' },
      { keys: ['P'], does: 'listen' },
    ],
  },
  {
    place: 'inEditor',
    lines: [
      { keys: ['alt ↑', 'alt ↓'], does: 'moveTrack' },
      { keys: ['alt pageUp', 'alt pageDown'], does: 'moveTen' },
      { keys: ['alt home', 'alt end'], does: 'moveToEnds' },
      { keys: ['enter'], does: 'settings' },
      { keys: ['delete'], does: 'remove' },
    ],
  },
  {
    place: 'inLibrary',
    lines: [
      { keys: ['enter'], does: 'addTrack' },
      { keys: ['space'], does: 'choose' },
      { keys: ['shift space', 'shift click'], does: 'range' },
      { keys: ['P'], does: 'listen' },
    ],
  },
  {
    place: 'onRibbon',
    lines: [
      { keys: ['←', '→'], does: 'block' },
      { keys: ['pageUp', 'pageDown'], does: 'tenBlocks' },
      { keys: ['home', 'end'], does: 'endsOfDay' },
      { keys: ['+', '−'], does: 'zoom' },
      { keys: ['0'], does: 'wholeDay' },
      { keys: ['enter', 'space'], does: 'playBlock' },
    ],
  },
  {
    place: 'onDeviceDay',
    lines: [
      { keys: ['←', '→'], does: 'fiveMinutes' },
      { keys: ['shift ←', 'shift →'], does: 'minute' },
      { keys: ['pageUp', 'pageDown'], does: 'hour' },
      { keys: ['home', 'end'], does: 'endsOfDay' },
    ],
  },
] as const

/** The keyboard shortcuts. */
export function Shortcuts({ close }: { close: () => void }) {
  const { t } = useTranslate()
  const isMirrored = useLanguage().language.dir === 'rtl'
  const nameStep = (step: string) => {
    if (step === 'click') return t('palette:shortcuts.click')
    // The way back is to the right where the text begins there.
    if (isMirrored && /[←→]/.test(step)) return step === '←' ? '→' : '←'
    return nameKey(t, step)
  }
  return (
    <Modal
      opened
      size={520}
      onClose={close}
      title={t('palette:shortcuts.title')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <Stack gap="md">
        {shortcuts.map(({ place, lines }) => (
          <section key={place}>
            <Text component="h3" size="sm" fw={600} mb="xs">
              {t(`palette:shortcuts.${place}`)}
            </Text>
            <dl className={styles.lines}>
              {lines.map(({ keys, does }) => (
                <Fragment key={does}>
                  <dt>
                    {keys.map(key => (
                      <Kbd key={key} dir="ltr">
                        {key.split(' ').map(nameStep).join(' ')}
                      </Kbd>
                    ))}
                  </dt>
                  <dd>{t(`palette:shortcuts.${does}`)}</dd>
                </Fragment>
              ))}
            </dl>
          </section>
        ))}
      </Stack>
    </Modal>
  )
}
