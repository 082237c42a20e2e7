import type { MediaCard } from '@floorcast/contract/media.ts'
import { Button, Group } from '@mantine/core'
import { IconPhotoScan } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslate } from '../../platform/i18n.ts'
import { useMediaAddress } from '../../platform/tickets.ts'
import { Panel } from '../../ui/panel.tsx'
import { CannotPlay } from './cannot-play.tsx'
import { PreviewButton } from './media-preview.tsx'
import styles from './media.module.css'
import { useMediaFile } from '../../platform/use-media-file.ts'
import { usePreviewUpload } from './use-preview-upload.ts'

/** Plays a video with its poster; any frame may become the poster. */
export function VideoPlayer({ media }: { media: MediaCard }) {
  const { t } = useTranslate()
  const video = useRef<HTMLVideoElement>(null)
  const [isBroken, setIsBroken] = useState(false)
  const { address, renew } = useMediaFile(media.uid)
  const poster = useMediaAddress(media.hasPreview ? media.uid : undefined, 'preview')
  const preview = usePreviewUpload(media)
  const fail = () => {
    if (video.current && !renew(video.current)) setIsBroken(true)
  }
  const takeFrame = async () => {
    const frame = video.current && (await drawFrame(video.current))
    if (frame) preview.send(frame)
  }
  return (
    <Panel>
      <video
        ref={video}
        className={styles.video}
        style={shapeOf(media)}
        src={address}
        // A frame of another origin's video can be drawn only so.
        crossOrigin="anonymous"
        poster={poster}
        controls
        preload="metadata"
        aria-label={t('media:videoOf', { name: media.name })}
        onError={fail}
        onPlaying={() => setIsBroken(false)}
      />
      {isBroken && <CannotPlay />}
      {media.permissions.mayEdit && (
        <Group gap="xs" mt="sm">
          <Button
            variant="default"
            leftSection={<IconPhotoScan size={16} aria-hidden />}
            disabled={!address}
            onClick={() => void takeFrame()}
          >
            {t('media:useFrame')}
          </Button>
          <PreviewButton media={media} size="sm" />
        </Group>
      )}
    </Panel>
  )
}

/** The aspect ratio before the first byte arrives, so that the layout does not shift. */
const shapeOf = ({ width, height }: MediaCard) =>
  width && height ? { aspectRatio: `${width} / ${height}` } : {}

/** The current frame as a JPEG of at most 1280 pixels across; null while there is none. */
async function drawFrame(video: HTMLVideoElement): Promise<File | null> {
  if (video.videoWidth === 0) return null
  const scale = Math.min(1, 1280 / video.videoWidth)
  const canvas = document.createElement('canvas')
  canvas.width = Math.round(video.videoWidth * scale)
  canvas.height = Math.round(video.videoHeight * scale)
  canvas.getContext('2d')?.drawImage(video, 0, 0, canvas.width, canvas.height)
  const blob = await new Promise<Blob | null>(resolve => canvas.toBlob(resolve, 'image/jpeg', 0.85))
  return blob && new File([blob], 'frame.jpg', { type: 'image/jpeg' })
}
