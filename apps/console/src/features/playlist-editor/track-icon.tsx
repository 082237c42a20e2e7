import type { MediaType } from '@floorcast/contract/media.ts'
import { IconAd2, IconMovie, IconMusic, IconSpeakerphone, type Icon } from '@tabler/icons-react'
import { useWords } from '../../platform/i18n.ts'
import styles from './playlist-editor.module.css'

const shapes: Record<MediaType, Icon> = {
  videos: IconMovie,
  videosAds: IconAd2,
  ads: IconSpeakerphone,
  melodies: IconMusic,
}

/** The shape of a track's kind, with its word for whoever does not see it. */
export function TrackIcon({ contentType }: { contentType: MediaType }) {
  const { t } = useWords()
  const Glyph = shapes[contentType]
  return (
    <Glyph
      size={20}
      stroke={1.5}
      className={styles.trackIcon}
      role="img"
      aria-label={t(`playlists:trackKinds.${contentType}`)}
    />
  )
}
