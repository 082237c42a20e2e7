import type { SessionUser } from '@floorcast/contract/auth.ts'
import { paths } from '../platform/paths.ts'

/** The name of a page: a key of `routes.json`, for the top bar, the crumbs, the palette and the window's title. */
export type PageName =
  | 'overview'
  | 'streaming'
  | 'profile'
  | 'devices'
  | 'device'
  | 'devicesImport'
  | 'groups'
  | 'group'
  | 'videos'
  | 'video'
  | 'videosAds'
  | 'videoAd'
  | 'ads'
  | 'ad'
  | 'melodies'
  | 'melody'
  | 'playlists'
  | 'playlist'
  | 'wizard'
  | 'publications'
  | 'publication'
  | 'audit'
  | 'logs'
  | 'tags'
  | 'configurationProfiles'
  | 'configurationProfile'
  | 'pricing'
  | 'rtl'
  | 'playTrack'
  | 'heartBeat'
  | 'debugLog'
  | 'playListLog'
  | 'updatesLog'
  | 'reports'
  | 'alerts'
  | 'alert'
  | 'users'
  | 'proofKeys'
  | 'packages'
  | 'package'
  | 'packagePublication'
  | 'updateFiles'
  | 'channels'
  | 'mediaBin'
  | 'devicesBin'
  | 'groupsBin'
  | 'publicationsBin'
  | 'playlistsBin'

/** Each has a part of the texts. */
export type SectionName =
  | 'home'
  | 'media'
  | 'equipment'
  | 'deployments'
  | 'reports'
  | 'alerts'
  | 'account'
  | 'administration'
  | 'logging'
  | 'updates'
  | 'recycle'

export type Role = SessionUser['role']

/** A page behind the sign-in guard. */
export interface Page {
  /** The path in docs/specification.md#2-screens-and-routes. */
  path: string
  name: PageName
  section: SectionName
  /** The list that a detail page belongs to: a crumb that leads back. */
  parent?: { path: string; name: PageName }
  /**
   * The address of the call that the page waits for; `:uid` is that of the page. `boot.js` sends it before the page's files have
   * come, and `call` takes its answer. One with a query is that of the page without one.
   */
  firstCall?: string
  /** The roles that may see it; everyone signed in when absent. */
  roles?: readonly [Role, ...Role[]]
  /** Users with view-only access cannot use it, so no menu links to it. */
  isForChanges?: true
}

type PageOf = Omit<Page, 'section' | 'roles'>

/** A page for managers and admins. */
const forStaff = (section: SectionName, page: PageOf): Page => ({
  ...page,
  section,
  roles: ['manager', 'admin'],
})

/** A page for admins. */
const forAdmins = (section: SectionName, page: PageOf): Page => ({ ...page, section, roles: ['admin'] })

/** Addresses that only redirect (docs/specification.md#2-screens-and-routes). */
export const redirects: Readonly<Record<string, string>> = {
  '/': paths.login,
  '/home': paths.overview,
  '/pages': paths.account,
  '/media': paths.media('ads'),
  '/equipments': paths.devices,
  '/deployments': paths.publications,
  '/security': paths.audit,
  '/updates': paths.updatePackages,
  '/trash': paths.bin('media'),
}

/**
 * All pages behind the sign-in guard. A new page is a line here and in `page-loaders.ts`, a line in the contract's
 * `console-routes.ts`, its texts in `routes.json`, and, if it is a list, an entry in `sections.ts`.
 */
export const pages: readonly Page[] = [
  forStaff('home', { name: 'overview', path: paths.overview, firstCall: '/metricks/quick/cached' }),
  { path: paths.streaming(':uid'), name: 'streaming', section: 'home' },
  { path: paths.account, name: 'profile', section: 'account' },
  forStaff('equipment', {
    name: 'devices',
    path: paths.devices,
    firstCall: '/api/v2/device/qlist?page=1&size=10&dir=asc&sort=name',
  }),
  forStaff('equipment', {
    name: 'device',
    path: paths.device(':uid'),
    parent: { path: paths.devices, name: 'devices' },
    firstCall: '/device/qcard/:uid',
  }),
  forStaff('equipment', {
    name: 'devicesImport',
    path: paths.devicesImport,
    parent: { path: paths.devices, name: 'devices' },
    isForChanges: true,
  }),
  forStaff('equipment', {
    name: 'groups',
    path: paths.groups,
    firstCall: '/group/qlist/all?page=1&size=10&dir=asc&sort=name',
  }),
  forStaff('equipment', {
    name: 'group',
    path: paths.group(':uid'),
    parent: { path: paths.groups, name: 'groups' },
    firstCall: '/group/qcard/:uid',
  }),
  forStaff('media', {
    name: 'videos',
    path: paths.media('videos'),
    firstCall: '/videos/qlist?page=1&size=10&sort=uploadedAt&dir=desc',
  }),
  forStaff('media', {
    name: 'video',
    path: paths.mediaItem('videos', ':uid'),
    parent: { path: paths.media('videos'), name: 'videos' },
    firstCall: '/videos/qcard/:uid',
  }),
  forStaff('media', {
    name: 'videosAds',
    path: paths.media('videosAds'),
    firstCall: '/videosAds/qlist?page=1&size=10&sort=uploadedAt&dir=desc',
  }),
  forStaff('media', {
    name: 'videoAd',
    path: paths.mediaItem('videosAds', ':uid'),
    parent: { path: paths.media('videosAds'), name: 'videosAds' },
    firstCall: '/videosAds/qcard/:uid',
  }),
  forStaff('media', {
    name: 'ads',
    path: paths.media('ads'),
    firstCall: '/ads/qlist?page=1&size=10&sort=uploadedAt&dir=desc',
  }),
  forStaff('media', {
    name: 'ad',
    path: paths.mediaItem('ads', ':uid'),
    parent: { path: paths.media('ads'), name: 'ads' },
    firstCall: '/ads/qcard/:uid',
  }),
  forStaff('media', {
    name: 'melodies',
    path: paths.media('melodies'),
    firstCall: '/melodies/qlist?page=1&size=10&sort=uploadedAt&dir=desc',
  }),
  forStaff('media', {
    name: 'melody',
    path: paths.mediaItem('melodies', ':uid'),
    parent: { path: paths.media('melodies'), name: 'melodies' },
    firstCall: '/melodies/qcard/:uid',
  }),
  forStaff('media', {
    name: 'playlists',
    path: paths.playlists,
    firstCall: '/playlist/qlist/all?page=1&size=10&sort=changedAt&dir=desc',
  }),
  forStaff('media', {
    name: 'playlist',
    path: paths.playlist(':uid'),
    parent: { path: paths.playlists, name: 'playlists' },
    firstCall: '/playlist/qcard/:uid/withtracks',
  }),
  forStaff('media', { name: 'wizard', path: paths.wizard, isForChanges: true }),
  forStaff('deployments', {
    name: 'publications',
    path: paths.publications,
    firstCall: '/deploy/qlist/all?page=1&size=10&sort=name&dir=asc',
  }),
  forStaff('deployments', {
    name: 'publication',
    path: paths.publication(':uid'),
    parent: { path: paths.publications, name: 'publications' },
    firstCall: '/deploy/qcard/:uid',
  }),
  forStaff('reports', { name: 'reports', path: paths.reports }),
  forStaff('alerts', { name: 'alerts', path: paths.alerts }),
  forStaff('alerts', {
    name: 'alert',
    path: paths.alert(':uid'),
    parent: { path: paths.alerts, name: 'alerts' },
  }),
  forStaff('account', { name: 'pricing', path: paths.pricing }),
  { path: paths.rtl, name: 'rtl', section: 'account' },
  forAdmins('administration', { name: 'tags', path: paths.tags }),
  forAdmins('administration', { name: 'configurationProfiles', path: paths.configurationProfiles }),
  forAdmins('administration', {
    name: 'configurationProfile',
    path: paths.configurationProfile(':uid'),
    parent: { path: paths.configurationProfiles, name: 'configurationProfiles' },
  }),
  forAdmins('administration', { name: 'users', path: paths.users }),
  forAdmins('administration', { name: 'proofKeys', path: paths.proofKeys }),
  forAdmins('logging', { name: 'logs', path: paths.logs }),
  forAdmins('logging', { name: 'audit', path: paths.audit }),
  forAdmins('logging', {
    name: 'playTrack',
    path: paths.deviceLog('playtrack', ':uid'),
    parent: { path: paths.logs, name: 'logs' },
  }),
  forAdmins('logging', {
    name: 'heartBeat',
    path: paths.deviceLog('heartbeat', ':uid'),
    parent: { path: paths.logs, name: 'logs' },
  }),
  forAdmins('logging', {
    name: 'debugLog',
    path: paths.deviceLog('debug', ':uid'),
    parent: { path: paths.logs, name: 'logs' },
  }),
  forAdmins('logging', {
    name: 'playListLog',
    path: paths.deviceLog('playlist', ':uid'),
    parent: { path: paths.logs, name: 'logs' },
  }),
  forAdmins('logging', {
    name: 'updatesLog',
    path: paths.deviceLog('update', ':uid'),
    parent: { path: paths.logs, name: 'logs' },
  }),
  forAdmins('updates', { name: 'packages', path: paths.updatePackages }),
  forAdmins('updates', {
    name: 'package',
    path: paths.updatePackage(':uid'),
    parent: { path: paths.updatePackages, name: 'packages' },
  }),
  forAdmins('updates', { name: 'packagePublication', path: paths.packagePublication }),
  forAdmins('updates', { name: 'updateFiles', path: paths.updateFiles }),
  forAdmins('updates', { name: 'channels', path: paths.updateChannels }),
  forAdmins('recycle', { name: 'mediaBin', path: paths.bin('media') }),
  forAdmins('recycle', { name: 'devicesBin', path: paths.bin('devices') }),
  forAdmins('recycle', { name: 'groupsBin', path: paths.bin('groups') }),
  forAdmins('recycle', { name: 'publicationsBin', path: paths.bin('publications') }),
  forAdmins('recycle', { name: 'playlistsBin', path: paths.bin('playlists') }),
]
