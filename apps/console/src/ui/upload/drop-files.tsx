import { Button, Text } from '@mantine/core'
import { IconUpload } from '@tabler/icons-react'
import styles from './upload.module.css'
import { useFileDrag } from './use-file-drag.ts'

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
