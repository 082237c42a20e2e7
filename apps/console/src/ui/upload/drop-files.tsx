import { Button, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import styles from './upload.module.css'

const holdsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false

/**
 * Files dragged over the window: whether some are, and what is dropped, wherever it is dropped.
 * @param onFiles what was dropped; folders are left out by the browser as files without bytes
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

interface DropFilesProps {
  /** For the file dialog only: the server judges by the bytes. */
  accept: string
  label: string
  /** What may be dropped here. */
  dropText: string
  onFiles: (files: File[]) => void
}

/** The field of the newest dialog: a browser may forget one that nothing refers to while its dialog is open. */
let kept: HTMLInputElement | null = null

/**
 * Opens the file dialog. The field lives on its own: the list's answer may take the button away while somebody chooses, as
 * it does of an empty list, and a button's field would take the choice with it.
 */
function openDialog({ accept, onFiles }: Pick<DropFilesProps, 'accept' | 'onFiles'>): void {
  const field = document.createElement('input')
  Object.assign(field, { type: 'file', accept, multiple: true })
  kept = field
  field.addEventListener('change', () => onFiles([...(field.files ?? [])]))
  kept.click()
}

/** A button that opens the file dialog, and the whole window as a place to drop files. */
export function DropFiles({ accept, label, dropText, onFiles }: DropFilesProps) {
  const isOver = useFileDrag(onFiles)
  return (
    <>
      <Button
        onClick={() => openDialog({ accept, onFiles })}
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
