import { useWords } from '../../platform/i18n.ts'
import { Button, FileButton, Group, Text } from '@mantine/core'
import { Dropzone } from '@mantine/dropzone'
import { IconUpload } from '@tabler/icons-react'
import styles from './upload.module.css'

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
  const { t } = useWords()
  return (
    <>
      <FileButton accept={accept} multiple onChange={onFiles}>
        {props => (
          <Button {...props} leftSection={<IconUpload size={16} aria-hidden />}>
            {label}
          </Button>
        )}
      </FileButton>
      <Dropzone.FullScreen active onDrop={onFiles} inputProps={{ 'aria-label': t('upload.drop') }}>
        <Group justify="center" className={styles.drop}>
          <IconUpload size={40} stroke={1.25} aria-hidden />
          <Text size="lg" fw={600}>
            {dropText}
          </Text>
        </Group>
      </Dropzone.FullScreen>
    </>
  )
}
