import type { MediaType } from '@floorcast/contract/media.ts'
import { IconAd2, IconMovie, IconMusic, IconSpeakerphone, type Icon } from '@tabler/icons-react'
import { useTranslate } from '../../platform/i18n.ts'
import { mediaItemNames } from '../../platform/media-item-names.ts'
import styles from './playlist-editor.module.css'

const icons: Record<MediaType, Icon> = {
  videos: IconMovie,
  videosAds: IconAd2,
  ads: IconSpeakerphone,
  melodies: IconMusic,
}

/** The cell of a row that names its track, with an icon of the track's content type. */
export function TrackCell({
  track: { contentType, name },
}: {
  track: { contentType: MediaType; name: string }
}) {
  const { t } = useTranslate()
  const TypeIcon = icons[contentType]
  return (
    <span role="gridcell" className={styles.track}>
      <TypeIcon
        size={20}
        stroke={1.5}
        className={styles.trackIcon}
        role="img"
        aria-label={t(`routes:${mediaItemNames[contentType]}`)}
      />
      <span className={styles.trackName} title={name}>
        <bdi>{name}</bdi>
      </span>
    </span>
  )
}
