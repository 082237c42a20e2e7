import type { ComponentType } from 'react'
import { loadWords } from '../platform/i18n.ts'
import { paths } from '../platform/paths.ts'
import type { Role } from './guards.ts'

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
  | 'playTrack'
  | 'heartBeat'
  | 'debugLog'
  | 'playListLog'
  | 'updatesLog'
  | 'reports'

/** Each has a part of the texts. */
export type SectionName = 'home' | 'media' | 'equipment' | 'deployments' | 'reports' | 'account' | 'logging'

/** A page behind the sign-in guard. */
export interface Page {
  /** The path in docs/specification.md#2-screens-and-routes. */
  path: string
  name: PageName
  section: SectionName
  /** The list that a detail page belongs to: a crumb that leads back. */
  parent?: { path: string; name: PageName }
  /** The roles that may see it; everyone signed in when absent. */
  roles?: readonly [Role, ...Role[]]
  /** Users with view-only access cannot use it, so no menu links to it. */
  isForChanges?: true
  load: () => Promise<ComponentType>
}

/** Loads a page, and the texts of its section. */
export async function loadPage({ load, section }: Page): Promise<ComponentType> {
  const [Component] = await Promise.all([load(), loadWords(section)])
  return Component
}

const notStreamer = ['manager', 'admin'] as const

/** Addresses that only redirect (docs/specification.md#2-screens-and-routes). */
export const redirects: Readonly<Record<string, string>> = {
  '/': paths.login,
  '/home': paths.overview,
  '/pages': paths.account,
  '/media': paths.media('ads'),
  '/equipments': paths.devices,
  '/deployments': paths.publications,
}

/**
 * All pages behind the sign-in guard. A new page is a line here, a line in the contract's `console-routes.ts`, its
 * texts in `routes.json`, and, if it is a list, an entry in `sections.ts`.
 */
export const pages: readonly Page[] = [
  {
    path: paths.overview,
    name: 'overview',
    section: 'home',
    roles: notStreamer,
    load: async () => (await import('../features/dashboard/overview-page.tsx')).OverviewPage,
  },
  {
    path: paths.streaming(':uid'),
    name: 'streaming',
    section: 'home',
    load: async () => (await import('../features/streaming/streaming-page.tsx')).StreamingPage,
  },
  {
    path: paths.account,
    name: 'profile',
    section: 'account',
    load: async () => (await import('../features/account/account-page.tsx')).AccountPage,
  },
  {
    path: paths.devices,
    name: 'devices',
    section: 'equipment',
    roles: notStreamer,
    load: async () => (await import('../features/devices/devices-page.tsx')).DevicesPage,
  },
  {
    path: paths.device(':uid'),
    name: 'device',
    section: 'equipment',
    parent: { path: paths.devices, name: 'devices' },
    roles: notStreamer,
    load: async () => (await import('../features/devices/device-page.tsx')).DevicePage,
  },
  {
    path: paths.devicesImport,
    name: 'devicesImport',
    section: 'equipment',
    parent: { path: paths.devices, name: 'devices' },
    roles: notStreamer,
    isForChanges: true,
    load: async () => (await import('../features/device-import/device-import-page.tsx')).DeviceImportPage,
  },
  {
    path: paths.groups,
    name: 'groups',
    section: 'equipment',
    roles: notStreamer,
    load: async () => (await import('../features/groups/groups-page.tsx')).GroupsPage,
  },
  {
    path: paths.group(':uid'),
    name: 'group',
    section: 'equipment',
    parent: { path: paths.groups, name: 'groups' },
    roles: notStreamer,
    load: async () => (await import('../features/groups/group-page.tsx')).GroupPage,
  },
  {
    path: paths.media('videos'),
    name: 'videos',
    section: 'media',
    roles: notStreamer,
    load: async () => (await import('../features/media/media-list-page.tsx')).VideosPage,
  },
  {
    path: paths.mediaItem('videos', ':uid'),
    name: 'video',
    section: 'media',
    parent: { path: paths.media('videos'), name: 'videos' },
    roles: notStreamer,
    load: async () => (await import('../features/media/media-page.tsx')).VideoPage,
  },
  {
    path: paths.media('videosAds'),
    name: 'videosAds',
    section: 'media',
    roles: notStreamer,
    load: async () => (await import('../features/media/media-list-page.tsx')).VideosAdsPage,
  },
  {
    path: paths.mediaItem('videosAds', ':uid'),
    name: 'videoAd',
    section: 'media',
    parent: { path: paths.media('videosAds'), name: 'videosAds' },
    roles: notStreamer,
    load: async () => (await import('../features/media/media-page.tsx')).VideoAdPage,
  },
  {
    path: paths.media('ads'),
    name: 'ads',
    section: 'media',
    roles: notStreamer,
    load: async () => (await import('../features/media/media-list-page.tsx')).AdsPage,
  },
  {
    path: paths.mediaItem('ads', ':uid'),
    name: 'ad',
    section: 'media',
    parent: { path: paths.media('ads'), name: 'ads' },
    roles: notStreamer,
    load: async () => (await import('../features/media/media-page.tsx')).AdPage,
  },
  {
    path: paths.media('melodies'),
    name: 'melodies',
    section: 'media',
    roles: notStreamer,
    load: async () => (await import('../features/media/media-list-page.tsx')).MelodiesPage,
  },
  {
    path: paths.mediaItem('melodies', ':uid'),
    name: 'melody',
    section: 'media',
    parent: { path: paths.media('melodies'), name: 'melodies' },
    roles: notStreamer,
    load: async () => (await import('../features/media/media-page.tsx')).MelodyPage,
  },
  {
    path: paths.playlists,
    name: 'playlists',
    section: 'media',
    roles: notStreamer,
    load: async () => (await import('../features/playlists/playlists-page.tsx')).PlaylistsPage,
  },
  {
    path: paths.playlist(':uid'),
    name: 'playlist',
    section: 'media',
    parent: { path: paths.playlists, name: 'playlists' },
    roles: notStreamer,
    load: async () => (await import('./pages/playlist-page.tsx')).PlaylistPage,
  },
  {
    path: paths.wizard,
    name: 'wizard',
    section: 'media',
    roles: notStreamer,
    isForChanges: true,
    load: async () => (await import('./pages/wizard-page.tsx')).WizardPage,
  },
  {
    path: paths.publications,
    name: 'publications',
    section: 'deployments',
    roles: notStreamer,
    load: async () => (await import('../features/publications/publications-page.tsx')).PublicationsPage,
  },
  {
    path: paths.publication(':uid'),
    name: 'publication',
    section: 'deployments',
    parent: { path: paths.publications, name: 'publications' },
    roles: notStreamer,
    load: async () => (await import('../features/publications/publication-page.tsx')).PublicationPage,
  },
  {
    path: paths.reports,
    name: 'reports',
    section: 'reports',
    roles: notStreamer,
    load: async () => (await import('../features/reports/reports-page.tsx')).ReportsPage,
  },
  {
    path: paths.deviceLog('playtrack', ':uid'),
    name: 'playTrack',
    section: 'logging',
    parent: { path: paths.devices, name: 'devices' },
    roles: ['admin'],
    load: async () => (await import('../features/logs/log-page.tsx')).PlayTrackPage,
  },
  {
    path: paths.deviceLog('heartbeat', ':uid'),
    name: 'heartBeat',
    section: 'logging',
    parent: { path: paths.devices, name: 'devices' },
    roles: ['admin'],
    load: async () => (await import('../features/logs/log-page.tsx')).HeartBeatPage,
  },
  {
    path: paths.deviceLog('debug', ':uid'),
    name: 'debugLog',
    section: 'logging',
    parent: { path: paths.devices, name: 'devices' },
    roles: ['admin'],
    load: async () => (await import('../features/logs/log-page.tsx')).DebugPage,
  },
  {
    path: paths.deviceLog('playlist', ':uid'),
    name: 'playListLog',
    section: 'logging',
    parent: { path: paths.devices, name: 'devices' },
    roles: ['admin'],
    load: async () => (await import('../features/logs/log-page.tsx')).PlayListPage,
  },
  {
    path: paths.deviceLog('update', ':uid'),
    name: 'updatesLog',
    section: 'logging',
    parent: { path: paths.devices, name: 'devices' },
    roles: ['admin'],
    load: async () => (await import('../features/logs/log-page.tsx')).UpdatesLogPage,
  },
]
