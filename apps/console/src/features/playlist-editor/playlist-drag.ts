import { useCallback, useState, type DragEvent } from 'react'

/** A dragged item of the playlist, or media item of the library. */
export interface DraggedTrack {
  kind: 'item' | 'media'
  uid: string
  /** In the playlist, from 1; 0 for media of the library. */
  position: number
}

/** The present drag; it uses the native drag and drop of the browser. */
export interface DragControl {
  dragged: DraggedTrack | null
  start: (dragged: DraggedTrack | null) => void
  /** @param to the target position, from 1 */
  drop: (to: number) => void
}

/** Makes a row draggable. Firefox needs data in the transfer. */
export function dragProps(track: DraggedTrack, start: (dragged: DraggedTrack | null) => void) {
  return {
    draggable: true,
    onDragStart: (event: DragEvent) => {
      event.dataTransfer.setData('text/plain', track.uid)
      event.dataTransfer.effectAllowed = track.kind === 'item' ? 'move' : 'copy'
      start(track)
    },
    onDragEnd: () => start(null),
  }
}

/** The position of a row dropped before or after `position`. A row of the playlist first leaves its own place. */
export function dropTarget(dragged: DraggedTrack, position: number, isAfter: boolean): number {
  const gap = isAfter ? position + 1 : position
  return dragged.kind === 'item' && dragged.position < gap ? gap - 1 : gap
}

/** Rows as drop targets: the gap under the pointer, and the drop. */
export function useDropGap({ dragged, drop }: DragControl) {
  const [gap, setGap] = useState<{ position: number; isAfter: boolean } | null>(null)
  const onDragOver = useCallback(
    (position: number, event: DragEvent) => {
      if (!dragged) return
      event.preventDefault()
      const { top, height } = event.currentTarget.getBoundingClientRect()
      const isAfter = event.clientY > top + height / 2
      setGap(now => (now?.position === position && now.isAfter === isAfter ? now : { position, isAfter }))
    },
    [dragged],
  )
  const onDragLeave = (event: DragEvent) => {
    const to = event.relatedTarget
    if (!(to instanceof Node && event.currentTarget.contains(to))) setGap(null)
  }
  const onDrop = (event: DragEvent) => {
    event.preventDefault()
    if (dragged && gap) drop(dropTarget(dragged, gap.position, gap.isAfter))
    setGap(null)
  }
  const sideOf = (position: number) => {
    if (!dragged || gap?.position !== position) return undefined
    return gap.isAfter ? ('after' as const) : ('before' as const)
  }
  return { sideOf, onDragOver, onDragLeave, onDrop }
}
