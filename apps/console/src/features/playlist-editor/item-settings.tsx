import type { PlaylistItem } from '@floorcast/contract/playlists.ts'
import { Popover, VisuallyHidden } from '@mantine/core'
import { IconClock, IconRepeat } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { ItemForm } from './item-settings-form.tsx'
import styles from './playlist-editor.module.css'
import { countPlays } from './playlist-times.ts'

interface ItemSettingsProps {
  playlist: string
  item: PlaylistItem
  mayEdit: boolean
}

/** How often and when an item plays; a click opens the form. */
export function ItemSettings({ playlist, item, mayEdit }: ItemSettingsProps) {
  const { t } = useTranslate()
  const [isOpen, setIsOpen] = useState(false)
  const target = useRef<HTMLButtonElement>(null)
  if (!mayEdit) return <ItemPlays item={item} />
  const close = () => {
    setIsOpen(false)
    target.current?.focus()
  }
  const button = (
    <button
      ref={target}
      type="button"
      data-settings
      aria-haspopup="dialog"
      aria-expanded={isOpen}
      className={styles.chip}
      onClick={() => (isOpen ? close() : setIsOpen(true))}
    >
      <ItemPlays item={item} />
      <VisuallyHidden>{t('playlists:settingsOf', { name: item.name })}</VisuallyHidden>
    </button>
  )
  return (
    <>
      {button}
      {isOpen && (
        <Popover opened withRoles={false} onDismiss={close} position="bottom-end" trapFocus withinPortal>
          <Popover.Target refProp="ref">
            <span className={styles.anchor} />
          </Popover.Target>
          <Popover.Dropdown
            role="dialog"
            aria-label={t('playlists:settingsOf', { name: item.name })}
            onKeyDown={event => event.stopPropagation()}
          >
            <ItemForm playlist={playlist} item={item} onClose={close} />
          </Popover.Dropdown>
        </Popover>
      )}
    </>
  )
}

function ItemPlays({ item }: { item: PlaylistItem }) {
  const { t } = useTranslate()
  const format = useFormat()
  const count = countPlays(item)
  const plays = t('playlists:plays', { count })
  const isDefault = count === 1 && item.startTime === null && item.replaySeconds === null
  return (
    <span className={styles.plays} data-default={isDefault || undefined}>
      {item.startTime !== null && (
        <>
          <IconClock size={16} aria-hidden />
          {t('playlists:at', { time: item.startTime })}
        </>
      )}
      <IconRepeat size={16} aria-hidden />
      {item.replaySeconds === null
        ? plays
        : t('playlists:forTime', { time: format.duration(item.replaySeconds), plays })}
    </span>
  )
}
