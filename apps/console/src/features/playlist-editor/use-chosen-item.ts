import type { MoveDirection, PlaylistItem } from '@floorcast/contract/playlists.ts'
import { useLayoutEffect, useRef, useState, type RefObject } from 'react'
import { useWords } from '../../platform/i18n.ts'
import { moveTarget } from './playlist-moves.ts'

/** The track that the toolbar and the keys move; it keeps the focus wherever it goes. */
export function useChosenItem(
  list: RefObject<HTMLElement | null>,
  { items, itemsNow }: { items: readonly PlaylistItem[]; itemsNow: () => readonly PlaylistItem[] },
  put: (uid: string, to: number | null) => void,
) {
  const { t } = useWords()
  const [chosenUid, choose] = useState<string | null>(null)
  const [announcement, announce] = useState('')
  const refocus = useRef(false)
  const chosen = items.find(({ uid }) => uid === chosenUid) ?? null
  useLayoutEffect(() => {
    if (!refocus.current) return
    refocus.current = false
    list.current?.querySelector<HTMLElement>('[data-row][aria-selected=true]')?.focus()
  }, [list, items])
  const hasFocus = () => list.current?.contains(document.activeElement) ?? false
  const move = (direction: MoveDirection) => {
    const now = itemsNow()
    const from = now.findIndex(({ uid }) => uid === chosenUid) + 1
    if (!chosen || from === 0) return
    const to = moveTarget(from, direction, now.length)
    if (to === from) return
    refocus.current = hasFocus()
    announce(t('playlists:moved', { name: chosen.name, position: to, total: now.length }))
    put(chosen.uid, to)
  }
  const remove = () => {
    if (!chosen) return
    const next = items[chosen.position] ?? items[chosen.position - 2]
    refocus.current = hasFocus()
    announce(t('playlists:removed', { name: chosen.name }))
    choose(next?.uid ?? null)
    put(chosen.uid, null)
  }
  return { chosen, choose, announcement, move, remove }
}
