import { Kbd, Stack, Text } from '@mantine/core'
import { Fragment } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
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
      { keys: ['Shift Space'], does: 'range' },
      { keys: ['F2'], does: 'renameRow' },
      { keys: ['P'], does: 'listen' },
    ],
  },
  {
    place: 'inEditor',
    lines: [
      { keys: ['Alt ↑', 'Alt ↓'], does: 'moveTrack' },
      { keys: ['Enter'], does: 'settings' },
      { keys: ['Delete'], does: 'remove' },
    ],
  },
] as const

/** The keyboard shortcuts. */
export function Shortcuts({ close }: { close: () => void }) {
  const { t } = useTranslate()
  return (
    <Modal
      opened
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
                  <dt dir="ltr">
                    {keys.map(key => (
                      <Kbd key={key} me={4}>
                        {key}
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
