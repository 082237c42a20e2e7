const media = { filters: ['used', 'isrc'], sort: 'uploadedAt', dir: 'desc' } as const

/**
 * The lists of daily work, as they are without anything in the address. The page of a list shows it so, and the build makes of it
 * the call that `boot.js` sends for the list's first page.
 */
export const lists = {
  devices: {
    views: 'devices',
    filters: ['connectivity', 'silent', 'group', 'playlist', 'files', 'version', 'kind', 'place'],
    sort: 'name',
  },
  groups: { views: 'groups', filters: ['kind', 'state'], sort: 'name' },
  videos: { ...media, views: 'videos' },
  videosAds: { ...media, views: 'videosAds' },
  melodies: { ...media, views: 'melodies' },
  ads: { ...media, views: 'ads' },
  playlists: { views: 'playlists', filters: ['state', 'kind', 'form'], sort: 'changedAt', dir: 'desc' },
  publications: { views: 'publications', filters: ['state', 'kind'], sort: 'name' },
} as const
