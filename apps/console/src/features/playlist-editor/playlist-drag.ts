import { useCallback, useState, type DragEvent } from 'react'

/** What is being dragged: an item of the list, or media of the library. */
export interface Dragged {
  kind: 'item' | 'media'
  uid: string
  /** From 1; 0 for media that is not in the list yet. */
  position: number
}

/** The drag under way in the editor, native to the browser. */
export interface DragControl {
  dragged: Dragged | null
  start: (dragged: Dragged | null) => void
  /** @param to the position that it is to have, from 1 */
  drop: (to: number) => void
}

/** What makes a row something to be dragged. Firefox drags only what carries data. */
export function dragProps(what: Dragged, start: (dragged: Dragged | null) => void) {
  return {
    draggable: true,
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.setData('text/plain', what.uid)
      event.dataTransfer.effectAllowed = what.kind === 'item' ? 'move' : 'copy'
      start(what)
    },
    onDragEnd: () => start(null),
  }
}

/** Where a row that is dropped on the gap before or after `position` ends up, once it is taken from its own place. */
export function dropTarget(dragged: Dragged, position: number, isAfter: boolean): number {
  const gap = isAfter ? position + 1 : position
  return dragged.kind === 'item' && dragged.position < gap ? gap - 1 : gap
}

/** Rows as places to drop: which gap the pointer is over, and the drop itself. */
export function useDropGap({ dragged, drop }: DragControl) {
  const [gap, setGap] = useState<{ position: number; isAfter: boolean } | null>(null)
  const over = useCallback(
    (position: number, event: DragEvent) => {
      if (!dragged) return
      event.preventDefault()
      const { top, height } = event.currentTarget.getBoundingClientRect()
      const isAfter = event.clientY > top + height / 2
      setGap(now => (now?.position === position && now.isAfter === isAfter ? now : { position, isAfter }))
    },
    [dragged],
  )
  const leave = (event: DragEvent) => {
    const to = event.relatedTarget
    if (!(to instanceof Node && event.currentTarget.contains(to))) setGap(null)
  }
  const release = (event: DragEvent) => {
    event.preventDefault()
    if (dragged && gap) drop(dropTarget(dragged, gap.position, gap.isAfter))
    setGap(null)
  }
  const sideOf = (position: number) => {
    if (!dragged || gap?.position !== position) return undefined
    return gap.isAfter ? ('after' as const) : ('before' as const)
  }
  return { sideOf, over, leave, release }
}
