import type { PlaylistItem } from '@floorcast/contract/playlists.ts'
import { VisuallyHidden } from '@mantine/core'
import { IconClock, IconRepeat } from '@tabler/icons-react'
import { useId, useRef, useState } from 'react'
import { useFormat } from '../../platform/format.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { onDemand } from '../../ui/overlay/on-demand.tsx'
import { AnchoredPopover } from '../../ui/overlay/overlays.tsx'
import styles from './playlist-editor.module.css'
import { countPlays } from './playlist-times.ts'

const ItemForm = onDemand(async () => (await import('./item-settings-form.tsx')).ItemForm)

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
  const place = useRef<HTMLSpanElement>(null)
  const id = useId()
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
        <>
          <span ref={place} className={styles.anchor} />
          <AnchoredPopover
            anchor={{ id, button: place, isOpen, setIsOpen }}
            withRoles={false}
            onDismiss={close}
            position="bottom-end"
            trapFocus
            withinPortal
            dropdown={{
              role: 'dialog',
              'aria-label': t('playlists:settingsOf', { name: item.name }),
              onKeyDown: event => event.stopPropagation(),
            }}
          >
            <ItemForm playlist={playlist} item={item} onClose={close} />
          </AnchoredPopover>
        </>
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
        : t('playlists:forTime', { time: format.span(item.replaySeconds), plays })}
    </span>
  )
}
