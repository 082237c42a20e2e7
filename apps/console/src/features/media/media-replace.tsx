import type { MediaCard } from '@floorcast/contract/media.ts'
import { Button, FileButton } from '@mantine/core'
import { IconFileUpload } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { sentenceGap } from '../../platform/sentences.ts'
import { useMarkStale } from '../../platform/use-change.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { queueUploads } from '../../ui/upload/upload-store.ts'
import { acceptedFiles } from './media-drop.tsx'

/** Replaces the file of an item: its version grows, and playlists that contain it follow. */
export function MediaReplace({ media }: { media: MediaCard }) {
  const { t } = useTranslate()
  const markStale = useMarkStale('media')
  const [file, setFile] = useState<File | null>(null)
  const { contentType, uid } = media
  const replace = async () => {
    if (file) queueUploads([file], { contentType, uid }, () => void markStale())
  }
  return (
    <>
      <FileButton accept={acceptedFiles(contentType)} onChange={setFile}>
        {props => (
          <Button {...props} variant="default" leftSection={<IconFileUpload size={16} aria-hidden />}>
            {t('media:replace')}
          </Button>
        )}
      </FileButton>
      <ConfirmDialog
        isOpen={file !== null}
        title={t('media:replaceTitle', { name: media.name })}
        confirmLabel={t('media:replace')}
        onConfirm={replace}
        onClose={() => setFile(null)}
      >
        {t('media:replaceText', { file: file?.name ?? '' })}
        {sentenceGap()}
        {media.usedInPlaylists > 0 && t('media:replaceFollow', { count: media.usedInPlaylists })}
      </ConfirmDialog>
    </>
  )
}
