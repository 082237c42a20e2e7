import { Button, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import styles from './upload.module.css'

const holdsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false

/**
 * Follows files that are dragged over the window.
 * @param onFiles called with the dropped files; the browser leaves folders out as files without bytes
 * @returns whether files are over the window
 */
function useFileDrag(onFiles: (files: File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false)
  const depth = useRef(0)
  useEffect(() => {
    const show = (change: number) => {
      depth.current = Math.max(0, depth.current + change)
      setIsOver(depth.current > 0)
    }
    const listeners = {
      dragenter: (event: DragEvent) => holdsFiles(event) && show(1),
      dragleave: (event: DragEvent) => holdsFiles(event) && show(-1),
      // The browser would open the file instead of dropping it.
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

interface DropFilesProps {
  /** For the file dialog only: the server checks the bytes. */
  accept: string
  label: string
  /** Shown while files are dragged. */
  dropText: string
  onFiles: (files: File[]) => void
  /** The dialog offers one file; several may be dropped nevertheless. */
  isSingle?: boolean
  /** The page has another main action. */
  isMinor?: boolean
}

/** The field of the newest dialog. A browser may discard a field without references while its dialog is open. */
let openField: HTMLInputElement | null = null

/**
 * Opens the file dialog. The field is not part of the page, because a list that arrives meanwhile may replace the
 * button, and its field would lose the choice.
 */
function openDialog({
  accept,
  isSingle,
  onFiles,
}: Pick<DropFilesProps, 'accept' | 'isSingle' | 'onFiles'>): void {
  const field = document.createElement('input')
  Object.assign(field, { type: 'file', accept, multiple: isSingle !== true })
  openField = field
  field.addEventListener('change', () => onFiles([...(field.files ?? [])]))
  openField.click()
}

/** A button that opens the file dialog; the whole window accepts dropped files. */
export function DropFiles({
  accept,
  label,
  dropText,
  onFiles,
  isSingle = false,
  isMinor = false,
}: DropFilesProps) {
  const isOver = useFileDrag(onFiles)
  return (
    <>
      <Button
        variant={isMinor ? 'default' : 'filled'}
        onClick={() => openDialog({ accept, isSingle, onFiles })}
        leftSection={<IconUpload size={16} aria-hidden />}
      >
        {label}
      </Button>
      {isOver && (
        <div className={styles.drop}>
          <IconUpload size={40} stroke={1.25} aria-hidden />
          <Text size="lg" fw={600}>
            {dropText}
          </Text>
        </div>
      )}
    </>
  )
}
