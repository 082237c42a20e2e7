import type { MediaRow, MediaType } from '@floorcast/contract/media.ts'
import { IconAd2, IconMovie, IconMusic, IconSpeakerphone, type Icon } from '@tabler/icons-react'
import styles from './media.module.css'

const shapes: Record<MediaType, Icon> = {
  videos: IconMovie,
  videosAds: IconAd2,
  ads: IconSpeakerphone,
  melodies: IconMusic,
}

/** A media item's name with the shape of its kind. */
export function MediaName({ media }: { media: Pick<MediaRow, 'name' | 'contentType'> }) {
  const Glyph = shapes[media.contentType]
  return (
    <span className={styles.named}>
      <Glyph size={20} stroke={1.5} aria-hidden className={styles.glyph} />
      <bdi className={styles.nameText}>{media.name}</bdi>
    </span>
  )
}
