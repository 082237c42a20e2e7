import { Button, FileButton, Text } from '@mantine/core'
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

/** A button that opens the file dialog, and the whole window as a place to drop files. */
export function DropFiles({ accept, label, dropText, onFiles }: DropFilesProps) {
  const isOver = useFileDrag(onFiles)
  return (
    <>
      <FileButton accept={accept} multiple onChange={onFiles}>
        {props => (
          <Button {...props} leftSection={<IconUpload size={16} aria-hidden />}>
            {label}
          </Button>
        )}
      </FileButton>
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
