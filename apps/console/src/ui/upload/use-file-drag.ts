import { useEffect, useRef, useState } from 'react'

const holdsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false

/**
 * Files dragged over the window: whether some are, and what is dropped, wherever it is dropped.
 * @param onFiles what was dropped; folders are left out by the browser as files without bytes
 */
export function useFileDrag(onFiles: (files: File[]) => void): boolean {
  const [isOver, setOver] = useState(false)
  const depth = useRef(0)
  useEffect(() => {
    const show = (change: number) => {
      depth.current = Math.max(0, depth.current + change)
      setOver(depth.current > 0)
    }
    const listeners = {
      dragenter: (event: DragEvent) => holdsFiles(event) && show(1),
      dragleave: (event: DragEvent) => holdsFiles(event) && show(-1),
      // Without this the browser opens the file instead of dropping it.
      dragover: (event: DragEvent) => holdsFiles(event) && event.preventDefault(),
      drop: (event: DragEvent) => {
        if (!holdsFiles(event)) return
        event.preventDefault()
        show(-depth.current)
        onFiles([...(event.dataTransfer?.files ?? [])])
      },
    }
    const entries = Object.entries(listeners)
    for (const [name, listener] of entries) addEventListener(name, listener as EventListener)
    return () => {
      for (const [name, listener] of entries) removeEventListener(name, listener as EventListener)
    }
  }, [onFiles])
  return isOver
}
