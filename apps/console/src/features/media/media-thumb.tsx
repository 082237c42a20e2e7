import type { MediaRow, MediaType } from '@floorcast/contract/media.ts'
import { useIntersection } from '@mantine/hooks'
import { IconAd2, IconMovie, IconMusic, IconSpeakerphone, type Icon } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { mediaThumbnail } from '../../platform/media-thumbnail.ts'
import styles from './media.module.css'

/** The shape of each kind, where there is no picture. */
export const mediaShapes: Record<MediaType, Icon> = {
  videos: IconMovie,
  videosAds: IconAd2,
  ads: IconSpeakerphone,
  melodies: IconMusic,
}

/** Pictures are fetched when their rows are this near to the visible part. */
const nearby = { rootMargin: '120px' }

type Pictured = Pick<MediaRow, 'uid' | 'name' | 'contentType' | 'hasPreview'>

/** The picture of a media item in its row, or the shape of its kind, in the same room. It decorates the name beside it. */
export function MediaThumb({ media: { uid, name, contentType, hasPreview } }: { media: Pictured }) {
  const { ref, entry } = useIntersection<HTMLSpanElement>(nearby)
  const [wasNear, setWasNear] = useState(false)
  if (entry?.isIntersecting && !wasNear) setWasNear(true)
  const { data: picture } = useQuery({ ...mediaThumbnail(uid), enabled: hasPreview && wasNear })
  const Glyph = mediaShapes[contentType]
  return (
    <span ref={ref} className={styles.thumb} aria-hidden>
      {hasPreview && picture ? (
        <img src={picture} alt={name} width={36} height={36} />
      ) : (
        <Glyph size={20} stroke={1.5} />
      )}
    </span>
  )
}
