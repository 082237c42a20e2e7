import type { MoveDirection, PlaylistItem } from '@floorcast/contract/playlists.ts'
import { useCallback, type KeyboardEvent, type RefObject } from 'react'
import { useWords } from '../../platform/i18n.ts'
import { ItemRow } from './item-row.tsx'
import { useDropGap, type DragControl } from './playlist-drag.ts'
import { directionOfKey } from './playlist-moves.ts'
import type { ItemTimes } from './playlist-times.ts'
import { useRoving } from './use-roving.ts'

interface ItemGridProps {
  list: RefObject<HTMLDivElement | null>
  playlist: string
  items: readonly PlaylistItem[]
  times: readonly ItemTimes[]
  mayEdit: boolean
  chosenUid: string | null
  choose: (uid: string) => void
  move: (direction: MoveDirection) => void
  remove: () => void
  put: (itemUid: string, to: number | null) => void
  drag: DragControl
}

/** Enter on a row is a click on its settings. */
function openSettings(event: KeyboardEvent<HTMLElement>): void {
  if (!(event.target instanceof HTMLElement)) return
  event.preventDefault()
  event.target.querySelector<HTMLElement>('[data-settings]')?.click()
}

/** The rows of a playlist: walked by arrows, moved by Alt and a key or by dragging, set by Enter, out by Delete. */
export function ItemGrid({ list, items, times, mayEdit, put, choose, drag, ...props }: ItemGridProps) {
  const { t } = useWords()
  const { sideOf, over, leave, release } = useDropGap(drag)
  const { setAt, tabIndexOf, onKeyDown } = useRoving()
  const onFocus = useCallback(
    (uid: string, index: number) => {
      setAt(index)
      choose(uid)
    },
    [setAt, choose],
  )
  const onRemove = useCallback((uid: string) => put(uid, null), [put])
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    const isRow = event.target instanceof HTMLElement && event.target.dataset['row'] !== undefined
    const direction = directionOfKey(event)
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
      onDragLeave={leave}
      onDrop={release}
    >
      {items.map((item, index) => (
        <ItemRow
          key={item.uid}
          playlist={props.playlist}
          item={item}
          index={index}
          startSeconds={times[index]?.startSeconds ?? null}
          playSeconds={times[index]?.playSeconds ?? item.durationSeconds}
          mayEdit={mayEdit}
          isChosen={props.chosenUid === item.uid}
          gap={sideOf(item.position)}
          tabIndex={tabIndexOf(index)}
          onFocus={onFocus}
          onRemove={onRemove}
          onDragOver={over}
          drag={drag.start}
        />
      ))}
    </div>
  )
}
