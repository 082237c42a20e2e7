import type { MoveDirection } from '@floorcast/contract/playlist-parts.ts'
import type { PlaylistItem } from '@floorcast/contract/playlists.ts'
import { useCallback, type KeyboardEvent, type RefObject } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { ItemRow } from './item-row.tsx'
import { useDropGap, type DragControl } from './playlist-drag.ts'
import { isListenKey, listenToRow } from '../../ui/listen-key.ts'
import styles from './playlist-editor.module.css'
import { directionOfKey } from './playlist-moves.ts'
import type { ItemTimes } from './playlist-times.ts'
import { useRovingTabIndex } from './use-roving-tab-index.ts'

interface ItemGridProps {
  list: RefObject<HTMLDivElement | null>
  playlist: string
  items: readonly PlaylistItem[]
  times: readonly ItemTimes[]
  mayEdit: boolean
  selectedUid: string | null
  select: (uid: string) => void
  move: (direction: MoveDirection) => void
  remove: () => void
  removeItem: (item: PlaylistItem) => void
  drag: DragControl
}

/** Clicks the settings button of the focused row. */
function openSettings(event: KeyboardEvent<HTMLElement>): void {
  if (!(event.target instanceof HTMLElement)) return
  event.preventDefault()
  event.target.querySelector<HTMLElement>('[data-settings]')?.click()
}

/** The heads of the columns; on narrow screens a row is a card, and they are not shown. */
function ItemHeads({ mayEdit }: { mayEdit: boolean }) {
  const { t } = useTranslate()
  return (
    <div role="row" className={styles.heads} data-editable={mayEdit || undefined}>
      <span role="columnheader" className={styles.position}>
        {t('playlists:heads.number')}
      </span>
      <span role="columnheader" className={styles.start}>
        {t('playlists:heads.start')}
      </span>
      <span role="columnheader" className={styles.trackHead}>
        {t('playlists:heads.track')}
      </span>
      <span role="columnheader" className={styles.playsHead}>
        {t('playlists:heads.plays')}
      </span>
      <span role="columnheader" className={styles.figure}>
        {t('playlists:length')}
      </span>
    </div>
  )
}

/** Rows of a playlist. Keys: arrows move the focus, Alt and a key moves the item, Enter opens its settings, P plays it, Delete removes it. */
export function ItemGrid({ list, items, times, mayEdit, removeItem, select, drag, ...props }: ItemGridProps) {
  const { t } = useTranslate()
  const { sideOf, onDragOver, onDragLeave, onDrop } = useDropGap(drag)
  const { setCurrent, tabIndexOf, onKeyDown } = useRovingTabIndex()
  const onFocus = useCallback(
    (uid: string, index: number) => {
      setCurrent(index)
      select(uid)
    },
    [setCurrent, select],
  )
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    const isRow = event.target instanceof HTMLElement && event.target.dataset['row'] !== undefined
    const direction = directionOfKey(event)
    if (isRow && isListenKey(event)) return listenToRow(event)
    if (!mayEdit || !isRow) return onKeyDown(event)
    if (direction) {
      event.preventDefault()
      props.move(direction)
    } else if (event.key === 'Delete') props.remove()
    else if (event.key === 'Enter') openSettings(event)
    else onKeyDown(event)
  }
  return (
    <div
      ref={list}
      role="grid"
      tabIndex={-1}
      aria-label={t('playlists:tracks')}
      onKeyDown={onKey}
      onDragLeave={onDragLeave}
      onDrop={onDrop}
    >
      <ItemHeads mayEdit={mayEdit} />
      {items.map((item, index) => (
        <ItemRow
          key={item.uid}
          playlist={props.playlist}
          item={item}
          index={index}
          startSeconds={times[index]?.startSeconds ?? null}
          playSeconds={times[index]?.playSeconds ?? item.durationSeconds}
          mayEdit={mayEdit}
          isSelected={props.selectedUid === item.uid}
          gap={sideOf(item.position)}
          tabIndex={tabIndexOf(index)}
          onFocus={onFocus}
          onRemove={removeItem}
          onDragOver={onDragOver}
          onDrag={drag.start}
        />
      ))}
    </div>
  )
}
