/** The addresses of the pages behind the sign-in by their names; `:uid` stands for any one segment. */
export const consolePages = {
  overview: '/home/overview',
  reports: '/home/reports',
  streaming: '/home/streaming/:uid',
  profile: '/pages/profile',
  pricing: '/pages/pricing',
  rtl: '/pages/rtl',
  videos: '/media/videos',
  video: '/media/videosOne/:uid',
  videosAds: '/media/videosAds',
  videoAd: '/media/videosAdsOne/:uid',
  ads: '/media/ads',
  ad: '/media/adsOne/:uid',
  melodies: '/media/melodies',
  melody: '/media/melodiesOne/:uid',
  playlists: '/media/playlists',
  playlist: '/media/playlistsOne/:uid',
  wizard: '/media/wizard',
  devices: '/equipments/devices',
  device: '/equipments/devicesOne/:uid',
  devicesImport: '/equipments/devicesImport',
  groups: '/equipments/groups',
  group: '/equipments/groupsOne/:uid',
  alerts: '/alerts',
  alert: '/alerts/:uid',
  publications: '/deployments/publications',
  publication: '/deployments/publicationsOne/:uid',
  users: '/security/users',
  proofKeys: '/security/proofKeys',
  audit: '/security/audit',
  logs: '/security/logs',
  tags: '/security/tags',
  configurationProfiles: '/security/profile',
  configurationProfile: '/security/profileOne/:uid',
  playTrack: '/security/playTrack/:uid',
  heartBeat: '/security/heartBeat/:uid',
  debugLog: '/security/debug/:uid',
  playListLog: '/security/playList/:uid',
  updatesLog: '/security/updatesLog/:uid',
  packages: '/updates/package',
  package: '/updates/packageOne/:uid',
  packagePublication: '/updates/packagePub',
  updateFiles: '/updates/files',
  channels: '/updates/channels',
  mediaBin: '/trash/mediaTrash',
  devicesBin: '/trash/devicesTrash',
  groupsBin: '/trash/groupsTrash',
  publicationsBin: '/trash/publicationsTrash',
  playlistsBin: '/trash/playlistsTrash',
} as const

/** The name of a page: a key of `routes.json`, for the top bar, the crumbs, the palette and the window's title. */
export type PageName = keyof typeof consolePages

/** Pages that anyone may open. */
export const openPages = {
  login: '/login',
  lock: '/lock',
  /** Anyone verifies a signed proof of play there. */
  verify: '/verify',
  /** The terms of use, unless the installation has its own address for them. */
  terms: '/terms',
  /** Operators of the installation, who are no users. */
  operator: '/operator',
  operatorLogin: '/operator/login',
} as const

/** Addresses that lead to a page. */
export const consoleRedirects: Readonly<Record<string, string>> = {
  '/': openPages.login,
  '/home': consolePages.overview,
  '/pages': consolePages.profile,
  '/media': consolePages.ads,
  '/equipments': consolePages.devices,
  '/deployments': consolePages.publications,
  '/security': consolePages.audit,
  '/updates': consolePages.packages,
  '/trash': consolePages.mediaBin,
}

/**
 * The routes of the console that lead to a page (docs/specification.md#2-screens-and-routes). The server answers them with HTTP
 * 200, and a browser at any other address with the same page and HTTP 404.
 */
export const consoleRoutes: readonly string[] = [
  ...Object.keys(consoleRedirects),
  ...Object.values(openPages),
  ...Object.values(consolePages),
]
