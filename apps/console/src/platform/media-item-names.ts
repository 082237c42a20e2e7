/** The texts under `routes` that name one item of a media type; that of the type itself names many. */
export const mediaItemNames = {
  videos: 'video',
  videosAds: 'videoAd',
  ads: 'ad',
  melodies: 'melody',
} as const
