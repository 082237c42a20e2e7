import { isAd, type MediaCard } from '@floorcast/contract/media.ts'
import { Button, FileButton } from '@mantine/core'
import { IconMusic, IconPhotoUp, IconSpeakerphone } from '@tabler/icons-react'
import { useTranslate } from '../../platform/i18n.ts'
import { useMediaAddress } from '../../platform/tickets.ts'
import styles from './media.module.css'
import { usePreviewUpload } from './use-preview-upload.ts'

/** The preview image of a sound, or a placeholder, with a button to change it. */
export function MediaPreview({ media }: { media: MediaCard }) {
  const { t } = useTranslate()
  const Shape = isAd(media.contentType) ? IconSpeakerphone : IconMusic
  const picture = useMediaAddress(media.hasPreview ? media.uid : undefined, 'preview')
  return (
    <div className={styles.preview}>
      {picture ? (
        <img src={picture} alt={t('media:previewOf', { name: media.name })} />
      ) : (
        <Shape size={40} stroke={1.25} aria-hidden />
      )}
      {media.permissions.mayEdit && <PreviewButton media={media} />}
    </div>
  )
}

/** Chooses a single image file (docs/specification.md#5-validation-rules) and sends it. */
export function PreviewButton({ media, size = 'xs' }: { media: MediaCard; size?: 'xs' | 'sm' }) {
  const { t } = useTranslate()
  const { send, isSending } = usePreviewUpload(media)
  return (
    <FileButton accept="image/png,image/jpeg,image/webp" onChange={file => file && send(file)}>
      {props => (
        <Button
          {...props}
          variant="default"
          size={size}
          loading={isSending}
          leftSection={<IconPhotoUp size={16} aria-hidden />}
        >
          {media.hasPreview ? t('media:changePreview') : t('media:addPreview')}
        </Button>
      )}
    </FileButton>
  )
}
