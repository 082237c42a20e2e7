import { kindOfMedia, type MediaType } from '@floorcast/contract/media.ts'
import { useTranslate } from '../../platform/i18n.ts'
import { useMarkStale } from '../../platform/use-change.ts'
import { DropFiles } from '../../ui/upload/drop-files.tsx'
import { queueUploads } from '../../ui/upload/upload-store.ts'

/** The files that the dialog offers; the server checks the bytes (docs/specification.md#5-validation-rules). */
export const acceptedFiles = (contentType: MediaType) =>
  kindOfMedia(contentType) === 'video' ? 'video/mp4,.mp4' : 'audio/mpeg,.mp3'

/** The upload button of a list; the whole window accepts dropped files. */
export function MediaDrop({ contentType }: { contentType: MediaType }) {
  const { t } = useTranslate()
  const markStale = useMarkStale('media')
  const take = (files: File[]) => queueUploads(files, { contentType }, () => void markStale())
  return (
    <DropFiles
      accept={acceptedFiles(contentType)}
      label={t(`media:upload.${contentType}`)}
      dropText={t(`media:drop.${contentType}`)}
      onFiles={take}
    />
  )
}
