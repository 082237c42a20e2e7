import { Kbd, Stack, Text } from '@mantine/core'
import { Fragment } from 'react'
import { useLanguage, useTranslate } from '../../platform/i18n.ts'
import { Modal } from '../../ui/overlay/overlays.tsx'
import styles from './shortcuts.module.css'

/** The keys of the console by place; each line has the keys that do the same, and what they do. */
const shortcuts = [
  {
    place: 'anywhere',
    lines: [
      { keys: ['Ctrl K'], does: 'palette' },
      { keys: ['/'], does: 'search' },
      { keys: ['F2'], does: 'rename' },
      { keys: ['?'], does: 'help' },
      { keys: ['Alt T'], does: 'toast' },
      { keys: ['Esc'], does: 'close' },
    ],
  },
  {
    place: 'inLists',
    lines: [
      { keys: ['↑', '↓'], does: 'rows' },
      { keys: ['Home', 'End'], does: 'ends' },
      { keys: ['Enter'], does: 'open' },
      { keys: ['Space'], does: 'choose' },
      { keys: ['Shift Space', 'Shift Click'], does: 'range' },
      { keys: ['F2'], does: 'renameRow' },
      { keys: ['P'], does: 'listen' },
    ],
  },
  {
    place: 'inEditor',
    lines: [
      { keys: ['Alt ↑', 'Alt ↓'], does: 'moveTrack' },
      { keys: ['Alt Page Up', 'Alt Page Down'], does: 'moveTen' },
      { keys: ['Alt Home', 'Alt End'], does: 'moveToEnds' },
      { keys: ['Enter'], does: 'settings' },
      { keys: ['Delete'], does: 'remove' },
    ],
  },
  {
    place: 'inLibrary',
    lines: [
      { keys: ['Enter'], does: 'addTrack' },
      { keys: ['Space'], does: 'choose' },
      { keys: ['Shift Space', 'Shift Click'], does: 'range' },
      { keys: ['P'], does: 'listen' },
    ],
  },
  {
    place: 'onRibbon',
    lines: [
      { keys: ['←', '→'], does: 'block' },
      { keys: ['Page Up', 'Page Down'], does: 'tenBlocks' },
      { keys: ['Home', 'End'], does: 'endsOfDay' },
      { keys: ['+', '−'], does: 'zoom' },
      { keys: ['0'], does: 'wholeDay' },
      { keys: ['Enter', 'Space'], does: 'playBlock' },
    ],
  },
  {
    place: 'onDeviceDay',
    lines: [
      { keys: ['←', '→'], does: 'fiveMinutes' },
      { keys: ['Shift ←', 'Shift →'], does: 'minute' },
      { keys: ['Page Up', 'Page Down'], does: 'hour' },
      { keys: ['Home', 'End'], does: 'endsOfDay' },
    ],
  },
] as const

/** The keyboard shortcuts. */
export function Shortcuts({ close }: { close: () => void }) {
  const { t } = useTranslate()
  const isMirrored = useLanguage().language.dir === 'rtl'
  // The way back is to the right where the text begins there.
  const nameKey = (key: string) =>
    isMirrored ? key.replace(/[←→]/, arrow => (arrow === '←' ? '→' : '←')) : key
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
                        {nameKey(key).replace('Click', t('palette:shortcuts.click'))}
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
