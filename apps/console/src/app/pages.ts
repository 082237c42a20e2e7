import type { SessionUser } from '@floorcast/contract/auth.ts'
import { consolePages, type PageName } from '@floorcast/contract/console-routes.ts'
import {
  IconAd2,
  IconAdjustments,
  IconBroadcast,
  IconBug,
  IconDeviceSpeaker,
  IconFileCertificate,
  IconFileSearch,
  IconFileText,
  IconFiles,
  IconHeartbeat,
  IconHistory,
  IconLayoutDashboard,
  IconListDetails,
  IconMovie,
  IconMusic,
  IconPackage,
  IconPackageExport,
  IconPlayerPlay,
  IconPlaylist,
  IconReceipt2,
  IconRefreshDot,
  IconReportAnalytics,
  IconRoute,
  IconSpeakerphone,
  IconStack2,
  IconTableImport,
  IconTags,
  IconTextDirectionRtl,
  IconUrgent,
  IconUser,
  IconUsersGroup,
  IconWand,
  type Icon,
} from '@tabler/icons-react'
import { lists } from '../platform/lists.ts'
import type { PageComponent } from '../platform/page-address.ts'
import type { WordsPart } from '../platform/words-parts.ts'
import type { ListDefaults } from '../ui/data-table/list-address.ts'

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

interface PageEntry {
  section: SectionName
  /** A part of the texts beside that of its section. */
  words?: WordsPart
  /** The roles that may see it; everyone signed in when absent. */
  roles?: readonly [Role, ...Role[]]
  /** The list that a detail page belongs to: a crumb that leads back. */
  parent?: PageName
  /** Users with view-only access cannot use it, so no menu links to it. */
  isForChanges?: true
  /** The same in the sidebar and the palette. */
  icon: Icon
  /** Its component, loaded when the page is first opened. */
  load: () => Promise<PageComponent>
  /**
   * The address of the call that the page waits for; `:uid` is that of the page. `boot.js` sends it before the page's files have
   * come, and `call` takes its answer.
   */
  firstCall?: string
  /** The list that `firstCall` asks for: its first page. */
  list?: ListDefaults
}

/** A page behind the sign-in guard. */
export interface Page extends PageEntry {
  name: PageName
  path: string
}

type EntryOf = Omit<PageEntry, 'section' | 'roles'>

/** A page for managers and admins. */
const forStaff = (section: SectionName, page: EntryOf): PageEntry => ({
  ...page,
  section,
  roles: ['manager', 'admin'],
})

/** A page for admins. */
const forAdmins = (section: SectionName, page: EntryOf): PageEntry => ({ ...page, section, roles: ['admin'] })

/**
 * All pages behind the sign-in guard, in the order of the sidebar, which shows those of its sections that are of no item and have
 * no parent. The contract's `console-routes.ts` has the address of each, and `routes.json` its name.
 */
const entries: Readonly<Record<PageName, PageEntry>> = {
  overview: forStaff('home', {
    icon: IconLayoutDashboard,
    load: async () => (await import('../features/dashboard/overview-page.tsx')).OverviewPage,
    firstCall: '/metricks/quick/cached',
  }),
  streaming: {
    section: 'home',
    icon: IconPlayerPlay,
    load: async () => (await import('../features/streaming/streaming-page.tsx')).StreamingPage,
  },
  profile: {
    section: 'account',
    icon: IconUser,
    load: async () => (await import('../features/account/account-page.tsx')).AccountPage,
  },
  devices: forStaff('equipment', {
    icon: IconDeviceSpeaker,
    load: async () => (await import('../features/devices/devices-page.tsx')).DevicesPage,
    firstCall: '/api/v2/device/qlist',
    list: lists.devices,
  }),
  device: forStaff('equipment', {
    parent: 'devices',
    icon: IconDeviceSpeaker,
    load: async () => (await import('../features/devices/device-page.tsx')).DevicePage,
    firstCall: '/device/qcard/:uid',
  }),
  devicesImport: forStaff('equipment', {
    parent: 'devices',
    isForChanges: true,
    icon: IconTableImport,
    load: async () => (await import('../features/device-import/device-import-page.tsx')).DeviceImportPage,
  }),
  groups: forStaff('equipment', {
    icon: IconStack2,
    load: async () => (await import('../features/groups/groups-page.tsx')).GroupsPage,
    firstCall: '/group/qlist/all',
    list: lists.groups,
  }),
  group: forStaff('equipment', {
    parent: 'groups',
    icon: IconStack2,
    load: async () => (await import('../features/groups/group-page.tsx')).GroupPage,
    firstCall: '/group/qcard/:uid',
  }),
  videos: forStaff('media', {
    icon: IconMovie,
    load: async () => (await import('../features/media/media-list-page.tsx')).VideosPage,
    firstCall: '/videos/qlist',
    list: lists.videos,
  }),
  video: forStaff('media', {
    parent: 'videos',
    icon: IconMovie,
    load: async () => (await import('../features/media/media-page.tsx')).VideoPage,
    firstCall: '/videos/qcard/:uid',
  }),
  videosAds: forStaff('media', {
    icon: IconAd2,
    load: async () => (await import('../features/media/media-list-page.tsx')).VideosAdsPage,
    firstCall: '/videosAds/qlist',
    list: lists.videosAds,
  }),
  videoAd: forStaff('media', {
    parent: 'videosAds',
    icon: IconAd2,
    load: async () => (await import('../features/media/media-page.tsx')).VideoAdPage,
    firstCall: '/videosAds/qcard/:uid',
  }),
  melodies: forStaff('media', {
    icon: IconMusic,
    load: async () => (await import('../features/media/media-list-page.tsx')).MelodiesPage,
    firstCall: '/melodies/qlist',
    list: lists.melodies,
  }),
  melody: forStaff('media', {
    parent: 'melodies',
    icon: IconMusic,
    load: async () => (await import('../features/media/media-page.tsx')).MelodyPage,
    firstCall: '/melodies/qcard/:uid',
  }),
  ads: forStaff('media', {
    icon: IconSpeakerphone,
    load: async () => (await import('../features/media/media-list-page.tsx')).AdsPage,
    firstCall: '/ads/qlist',
    list: lists.ads,
  }),
  ad: forStaff('media', {
    parent: 'ads',
    icon: IconSpeakerphone,
    load: async () => (await import('../features/media/media-page.tsx')).AdPage,
    firstCall: '/ads/qcard/:uid',
  }),
  playlists: forStaff('media', {
    icon: IconPlaylist,
    load: async () => (await import('../features/playlists/playlists-page.tsx')).PlaylistsPage,
    firstCall: '/playlist/qlist/all',
    list: lists.playlists,
  }),
  playlist: forStaff('media', {
    parent: 'playlists',
    icon: IconPlaylist,
    load: async () => (await import('./pages/playlist-page.tsx')).PlaylistPage,
    firstCall: '/playlist/qcard/:uid/withtracks',
  }),
  wizard: forStaff('media', {
    words: 'wizard',
    isForChanges: true,
    icon: IconWand,
    load: async () => (await import('./pages/wizard-page.tsx')).WizardPage,
  }),
  publications: forStaff('deployments', {
    icon: IconBroadcast,
    load: async () => (await import('../features/publications/publications-page.tsx')).PublicationsPage,
    firstCall: '/deploy/qlist/all',
    list: lists.publications,
  }),
  publication: forStaff('deployments', {
    parent: 'publications',
    icon: IconBroadcast,
    load: async () => (await import('../features/publications/publication-page.tsx')).PublicationPage,
    firstCall: '/deploy/qcard/:uid',
  }),
  reports: forStaff('reports', {
    icon: IconReportAnalytics,
    load: async () => (await import('../features/reports/reports-page.tsx')).ReportsPage,
  }),
  alerts: forStaff('alerts', {
    icon: IconUrgent,
    load: async () => (await import('../features/alerts/alerts-page.tsx')).AlertsPage,
  }),
  alert: forStaff('alerts', {
    parent: 'alerts',
    icon: IconUrgent,
    load: async () => (await import('../features/alerts/alert-page.tsx')).AlertPage,
  }),
  pricing: forStaff('account', {
    icon: IconReceipt2,
    load: async () => (await import('../features/pricing/pricing-page.tsx')).PricingPage,
  }),
  rtl: {
    section: 'account',
    icon: IconTextDirectionRtl,
    load: async () => (await import('./pages/rtl-page.tsx')).RtlPage,
  },
  tags: forAdmins('administration', {
    icon: IconTags,
    load: async () => (await import('../features/tags/tags-page.tsx')).TagsPage,
  }),
  configurationProfiles: forAdmins('administration', {
    icon: IconAdjustments,
    load: async () => (await import('../features/device-profiles/profiles-page.tsx')).ProfilesPage,
  }),
  configurationProfile: forAdmins('administration', {
    parent: 'configurationProfiles',
    icon: IconAdjustments,
    load: async () => (await import('../features/device-profiles/profile-page.tsx')).ProfilePage,
  }),
  users: forAdmins('administration', {
    icon: IconUsersGroup,
    load: async () => (await import('../features/users/users-page.tsx')).UsersPage,
  }),
  proofKeys: forAdmins('administration', {
    icon: IconFileCertificate,
    load: async () => (await import('../features/proof-keys/proof-keys-page.tsx')).ProofKeysPage,
  }),
  logs: forAdmins('logging', {
    icon: IconFileText,
    load: async () => (await import('../features/logs/logs-page.tsx')).LogsPage,
  }),
  audit: forAdmins('logging', {
    icon: IconFileSearch,
    load: async () => (await import('../features/audit/audit-page.tsx')).AuditPage,
  }),
  playTrack: forAdmins('logging', {
    parent: 'logs',
    icon: IconHistory,
    load: async () => (await import('../features/logs/log-page.tsx')).PlayTrackPage,
  }),
  heartBeat: forAdmins('logging', {
    parent: 'logs',
    icon: IconHeartbeat,
    load: async () => (await import('../features/logs/log-page.tsx')).HeartBeatPage,
  }),
  debugLog: forAdmins('logging', {
    parent: 'logs',
    icon: IconBug,
    load: async () => (await import('../features/logs/log-page.tsx')).DebugPage,
  }),
  playListLog: forAdmins('logging', {
    parent: 'logs',
    icon: IconListDetails,
    load: async () => (await import('../features/logs/log-page.tsx')).PlayListPage,
  }),
  updatesLog: forAdmins('logging', {
    parent: 'logs',
    icon: IconRefreshDot,
    load: async () => (await import('../features/logs/log-page.tsx')).UpdatesLogPage,
  }),
  packages: forAdmins('updates', {
    icon: IconPackage,
    load: async () => (await import('../features/updates/packages-page.tsx')).PackagesPage,
  }),
  package: forAdmins('updates', {
    parent: 'packages',
    icon: IconPackage,
    load: async () => (await import('../features/updates/package-page.tsx')).PackagePage,
  }),
  packagePublication: forAdmins('updates', {
    icon: IconPackageExport,
    load: async () => (await import('../features/updates/deploys-page.tsx')).DeploysPage,
  }),
  updateFiles: forAdmins('updates', {
    icon: IconFiles,
    load: async () => (await import('../features/updates/files-page.tsx')).UpdateFilesPage,
  }),
  channels: forAdmins('updates', {
    icon: IconRoute,
    load: async () => (await import('../features/updates/channels-page.tsx')).ChannelsPage,
  }),
  mediaBin: forAdmins('recycle', {
    icon: IconMusic,
    load: async () => (await import('../features/recycle-bin/bin-page.tsx')).MediaBinPage,
  }),
  playlistsBin: forAdmins('recycle', {
    icon: IconPlaylist,
    load: async () => (await import('../features/recycle-bin/bin-page.tsx')).PlaylistsBinPage,
  }),
  publicationsBin: forAdmins('recycle', {
    icon: IconBroadcast,
    load: async () => (await import('../features/recycle-bin/bin-page.tsx')).PublicationsBinPage,
  }),
  devicesBin: forAdmins('recycle', {
    icon: IconDeviceSpeaker,
    load: async () => (await import('../features/recycle-bin/bin-page.tsx')).DevicesBinPage,
  }),
  groupsBin: forAdmins('recycle', {
    icon: IconStack2,
    load: async () => (await import('../features/recycle-bin/bin-page.tsx')).GroupsBinPage,
  }),
}

/** The page of a name. */
export const pageOf = (name: PageName): Page => ({ name, path: consolePages[name], ...entries[name] })

export const pages: readonly Page[] = (Object.keys(entries) as PageName[]).map(pageOf)
