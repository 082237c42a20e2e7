import type { listAlertDevices } from '@floorcast/contract/alert-devices.ts'
import type { listAlerts } from '@floorcast/contract/alerts.ts'
import type { readAudit } from '@floorcast/contract/audit.ts'
import type { LiveLine } from '@floorcast/contract/change-feed.ts'
import type { readDelivery } from '@floorcast/contract/delivery-report.ts'
import type { listProfiles } from '@floorcast/contract/device-profiles.ts'
import type { ValuedDeviceFilter } from '@floorcast/contract/device-filters.ts'
import type { DeviceLogKind, listDeviceLog, listDevices } from '@floorcast/contract/devices.ts'
import type { BodyOf, ParamsOf, QueryOf } from '@floorcast/contract/endpoint.ts'
import type { KindFilter } from '@floorcast/contract/fields.ts'
import type { EditState, listGroups } from '@floorcast/contract/groups.ts'
import type { listMedia, listMediaPlaylists, MediaType, readMedia } from '@floorcast/contract/media.ts'
import type { listClients, listOperatorAudit } from '@floorcast/contract/operator.ts'
import type { listPlaylists } from '@floorcast/contract/playlists.ts'
import type { listPublicationDevices, listPublications } from '@floorcast/contract/publications.ts'
import type { previewPublish } from '@floorcast/contract/publish.ts'
import type { BinKind, listBin } from '@floorcast/contract/recycle-bin.ts'
import type { ReportParams } from '@floorcast/contract/report-calls.ts'
import type { ReportName } from '@floorcast/contract/reports.ts'
import type { ViewedList } from '@floorcast/contract/saved-views.ts'
import type { TagLevel } from '@floorcast/contract/tag-calls.ts'
import type { listUsers } from '@floorcast/contract/users.ts'
import type { listUpdateDevices } from '@floorcast/contract/updates.ts'
import type { QueryClient } from '@tanstack/react-query'

/** The first part of a query key: a family of queries that becomes stale together. */
type Family =
  | 'account'
  | 'alerts'
  | 'audit'
  | 'charts'
  | 'dashboard'
  | 'device-bin'
  | 'device-day'
  | 'device-screenshot'
  | 'devices'
  | 'group-bin'
  | 'groups'
  | 'installation'
  | 'operator'
  | 'library'
  | 'media'
  | 'media-address'
  | 'media-bin'
  | 'playlist-bin'
  | 'playlist-source'
  | 'playlists'
  | 'plays'
  | 'profile-types'
  | 'profiles'
  | 'proof-keys'
  | 'publication-bin'
  | 'publications'
  | 'report'
  | 'search'
  | 'smart-day'
  | 'users'
  | 'tags'
  | 'update-devices'
  | 'updates'
  | 'views'

/** The nouns that the console copies. */
export type CopiedNoun = 'group' | 'playlist' | 'profile' | 'publication'

const key = (family: Family, ...rest: unknown[]): readonly unknown[] => [family, ...rest]

type MediaAddress = ParamsOf<typeof readMedia>

/** The keys of all queries of the console. */
export const queryKeys = {
  account: () => key('account'),
  ownProfile: () => key('account', 'profile'),
  sessions: () => key('account', 'sessions'),
  /** What operators of the installation read, who are no users. */
  operator: {
    self: () => key('operator', 'self'),
    overview: () => key('operator', 'overview'),
    clients: (query: QueryOf<typeof listClients>) => key('operator', 'clients', query),
    requests: () => key('operator', 'requests'),
    audit: (query: QueryOf<typeof listOperatorAudit>) => key('operator', 'audit', query),
  },
  /** The operator's notice, and whether changes are refused. */
  installation: () => key('installation'),
  secondFactor: () => key('account', 'second-factor'),
  alerts: {
    open: () => key('alerts', 'open'),
    list: (query: QueryOf<typeof listAlerts>) => key('alerts', 'list', query),
    card: (uid: string) => key('alerts', 'card', uid),
    devices: (uid: string, query: QueryOf<typeof listAlertDevices>) => key('alerts', 'devices', uid, query),
    reach: (uid: string) => key('alerts', 'reach', uid),
  },
  dashboard: {
    metrics: () => key('dashboard', 'metrics'),
    limits: () => key('dashboard', 'limits'),
  },
  charts: (name: string, ...rest: (number | string)[]) => key('charts', name, ...rest),
  devices: {
    list: (query: QueryOf<typeof listDevices>) => key('devices', 'list', query),
    card: (uid: string) => key('devices', 'card', uid),
    /** The first device of the list. */
    first: () => key('devices', 'first'),
    /** Values of a filter of the list. No report of a device makes them stale. */
    filterValues: (filter: ValuedDeviceFilter, search: string, chosen: readonly string[]) =>
      key('search', 'device-filter', filter, search, chosen),
    /** Devices to choose from. */
    found: (search: string) => key('devices', 'found', search),
    /** Devices in no group. */
    free: (kind: KindFilter, search: string) => key('devices', 'free', kind, search),
    /** The name of the device whose log is shown. */
    logName: (uid: string) => key('devices', 'log-name', uid),
    log: (uid: string, kind: DeviceLogKind, query: QueryOf<typeof listDeviceLog>) =>
      key(kind === 'playtrack' ? 'plays' : 'devices', 'log', uid, kind, query),
    /** The activity of a device, for a user who listens in on it. */
    listening: (uid: string) => key('devices', 'listening', uid),
    commands: (uid: string) => key('devices', 'commands', uid),
    lastPlays: (uid: string) => key('plays', 'last', uid),
  },
  /** A day changes by the minute: the page asks again, and no change makes it stale. */
  deviceDay: (uid: string, day: string | undefined) => key('device-day', uid, day),
  deviceScreenshot: (uid: string, madeAt: string) => key('device-screenshot', uid, madeAt),
  groups: {
    list: (kind: KindFilter, query: QueryOf<typeof listGroups>) => key('groups', 'list', kind, query),
    card: (uid: string) => key('groups', 'card', uid),
    /** All groups, by name. */
    options: () => key('groups', 'options'),
    /** Groups to choose from. */
    found: (kind: KindFilter, search: string) => key('groups', 'found', kind, search),
  },
  media: {
    list: (type: MediaType, query: QueryOf<typeof listMedia>) => key('media', 'list', type, query),
    card: (media: MediaAddress) => key('media', 'card', media),
    /** The sample media in the library. */
    samples: () => key('media', 'samples'),
    delivery: (uid: string, period: QueryOf<typeof readDelivery>) => key('media', 'delivery', uid, period),
    playlists: (media: MediaAddress, query: QueryOf<typeof listMediaPlaylists>) =>
      key('media', 'playlists', media, query),
    groups: (media: MediaAddress, query: QueryOf<typeof listMediaPlaylists>) =>
      key('media', 'groups', media, query),
    /** Media to choose for a playlist, in one endless list. */
    library: (type: MediaType, search: string) => key('library', 'infinite', type, search),
    /** Media to choose for a smart playlist, by page. */
    libraryPage: (type: MediaType, search: string, page: number) =>
      key('library', 'page', type, search, page),
    /** Its preview image, small. */
    thumbnail: (uid: string) => key('media-address', 'thumbnail', uid),
    /** The address with a ticket of a file or preview image. */
    address: (path: string) => key('media-address', path),
  },
  playlists: {
    list: (kind: KindFilter, query: QueryOf<typeof listPlaylists>) => key('playlists', 'list', kind, query),
    card: (uid: string) => key('playlists', 'card', uid),
    withTracks: (uid: string) => key('playlists', 'with-tracks', uid),
    count: () => key('playlists', 'count'),
    /** Playlists to choose from. */
    found: (kind: KindFilter, search: string, state?: EditState) =>
      key('playlists', 'found', kind, search, state),
    /** The plan of a smart playlist; a new plan raises the version. */
    smartDay: (uid: string, version: number) => key('smart-day', uid, version),
    /** The draft that the wizard plans again. */
    source: (uid: string) => key('playlist-source', uid),
  },
  publications: {
    list: (kind: KindFilter, query: QueryOf<typeof listPublications>) =>
      key('publications', 'list', kind, query),
    card: (uid: string) => key('publications', 'card', uid),
    devices: (uid: string, query: QueryOf<typeof listPublicationDevices>) =>
      key('publications', 'devices', uid, query),
    /** The plan of publishing a draft. */
    plan: (draft: BodyOf<typeof previewPublish> | null) => key('publications', 'plan', draft),
    ofPlaylist: (playlistUid: string) => key('publications', 'of-playlist', playlistUid),
  },
  reports: {
    /** No change makes it stale: a new play would repeat a query over 45 days. */
    preview: (report: ReportName, params: ReportParams) => key('report', report, params),
    /** Items to choose for a filter. */
    options: (picks: string, search: string) => key('search', 'report-filter', picks, search),
    /** The name of the item of a filter. */
    itemName: (picks: string, item: object) => key('search', 'report-item', picks, item),
  },
  users: {
    list: (query: QueryOf<typeof listUsers>) => key('users', 'list', query),
    sessions: (uid: string) => key('users', 'sessions', uid),
  },
  bin: {
    list: (x: BinKind, query: QueryOf<typeof listBin>) => key(binFamilyOf(x), 'list', query),
    /** The items that depend on an item of the bin. */
    dependents: (x: BinKind, uid: string) => key(binFamilyOf(x), 'dependents', uid),
  },
  updates: {
    list: (of: 'packages' | 'channels' | 'deploys' | 'files', query: object) =>
      key('updates', 'list', of, query),
    package: (uid: string) => key('updates', 'package', uid),
    publicKey: () => key('updates', 'key'),
    /** Packages, channels or files to choose. */
    found: (of: 'packages' | 'channels' | 'files', search: string) => key('updates', 'found', of, search),
    devices: (query: QueryOf<typeof listUpdateDevices>) => key('update-devices', query),
  },
  /** The saved views of a list. */
  savedViews: (list: ViewedList) => key('views', list),
  tags: {
    list: (level: TagLevel, uid: string) => key('tags', 'list', level, uid),
    /** Those that apply to a device. */
    effective: (deviceUid: string) => key('tags', 'effective', deviceUid),
    /** The name of the group or device whose tags are shown. */
    owner: (level: TagLevel, uid: string) => key('tags', 'owner', level, uid),
  },
  profiles: {
    list: (query: QueryOf<typeof listProfiles>) => key('profiles', 'list', query),
    card: (uid: string) => key('profiles', 'card', uid),
    /** Melodies and ads to choose as the sound of an alert. */
    sounds: (search: string) => key('library', 'sounds', search),
    /** The sound that a setting names. */
    sound: (uid: string) => key('media', 'sound', uid),
    /** The types with their settings: a constant of the server. */
    types: () => key('profile-types'),
  },
  proofKeys: () => key('proof-keys'),
  /** The subscription plans. */
  plans: () => key('account', 'plans'),
  audit: {
    list: (about: string, query: QueryOf<typeof readAudit>) => key('audit', 'list', about, query),
    /** The users of a filter. No change of an item makes them stale. */
    users: (search: string, chosen: readonly string[]) => key('search', 'audit-users', search, chosen),
  },
  /** The preview of an action on a selection. */
  bulk: (entity: ChangedEntity, action: unknown, items: unknown) =>
    key(familyOf[entity], 'bulk', action, items),
  search: (text: string) => key('search', text),
  /** The names of items that a copy could have. */
  copies: (of: CopiedNoun, name: string) => key('search', 'copies', of, name),
}

/** The entity of a kind of items in the recycle bin. */
export const entityOfBin = {
  media: 'media',
  devices: 'device',
  groups: 'group',
  publications: 'publication',
  playlists: 'playlist',
} as const satisfies Record<BinKind, ChangedEntity>

const binFamilyOf = (x: BinKind): Family => `${entityOfBin[x]}-bin`

/** The family of a list by its entity. */
const familyOf: Record<ChangedEntity, Family> = {
  installation: 'installation',
  account: 'account',
  alert: 'alerts',
  user: 'users',
  view: 'views',
  tag: 'tags',
  profile: 'profiles',
  'proof-key': 'proof-keys',
  device: 'devices',
  group: 'groups',
  media: 'media',
  playlist: 'playlists',
  publication: 'publications',
  play: 'plays',
  update: 'updates',
}

/** An entity whose changes make queries stale: those of the change feed, and others that only their users see. */
export type ChangedEntity =
  | NonNullable<LiveLine['thing']>
  | 'account'
  | 'view'
  | 'tag'
  | 'profile'
  | 'proof-key'
  | 'update'

/**
 * The queries that a change of an entity makes stale, whether the user of this console has made it or the change feed
 * names it: those whose answers contain data of the entity.
 */
const staleAfter: Record<ChangedEntity, readonly Family[]> = {
  installation: ['installation'],
  account: ['account', 'audit'],
  alert: ['alerts', 'audit'],
  user: ['users', 'account', 'audit'],
  view: ['views'],
  tag: ['tags', 'devices', 'dashboard', 'audit'],
  profile: ['profiles', 'devices', 'audit'],
  'proof-key': ['proof-keys', 'audit'],
  device: ['devices', 'groups', 'dashboard', 'tags', 'audit', 'device-bin', 'update-devices'],
  group: [
    'groups',
    'devices',
    'publications',
    'playlists',
    'media',
    'tags',
    'profiles',
    'audit',
    'group-bin',
    'updates',
  ],
  media: ['media', 'library', 'playlists', 'smart-day', 'dashboard', 'audit', 'media-bin'],
  playlist: ['playlists', 'media', 'publications', 'audit', 'playlist-bin'],
  publication: [
    'publications',
    'groups',
    'playlists',
    'devices',
    'media',
    'dashboard',
    'audit',
    'publication-bin',
  ],
  play: ['plays', 'dashboard'],
  update: ['updates', 'update-devices'],
}

/** Families that sum up the whole fleet: while devices report, their figures are fetched again less often than lists. */
const summaries: ReadonlySet<Family> = new Set<Family>(['dashboard'])

/** The queries that a part of the change feed keeps current: those that sum up the fleet, or all others. */
export type ChangeLane = 'lists' | 'summaries'

/**
 * Marks the queries that changes make stale; those on the screen are fetched again.
 * @param except uids that were deleted: queries of these alone are not fetched again
 * @returns a promise that resolves when they have been fetched
 */
export function markStale(
  queries: QueryClient,
  changed: Iterable<ChangedEntity>,
  { except = [], lane }: { except?: readonly string[]; lane?: ChangeLane } = {},
): Promise<void> {
  const isOfLane = (family: Family) => lane === undefined || summaries.has(family) === (lane === 'summaries')
  const stale = new Set<unknown>([...changed].flatMap(entity => staleAfter[entity]).filter(isOfLane))
  return queries.invalidateQueries({
    predicate: ({ queryKey, queryHash }) =>
      stale.has(queryKey[0]) && !except.some(uid => queryHash.includes(uid)),
  })
}

/** The first two parts of the keys of the main reads, `*` for any second one. Logs, searches, secrets and tickets do not count as such. */
const mainReads: ReadonlySet<string> = new Set<`${Family}/${string}`>([
  'dashboard/*',
  'charts/*',
  'views/*',
  'device-day/*',
  'devices/list',
  'devices/card',
  'devices/first',
  'plays/last',
  'groups/list',
  'groups/card',
  'groups/options',
  'media/list',
  'media/card',
  'media/playlists',
  'media/groups',
  'playlists/list',
  'playlists/card',
  'playlists/with-tracks',
  'playlists/count',
  'publications/list',
  'publications/card',
  'publications/devices',
  'publications/of-playlist',
  'alerts/open',
  'alerts/list',
  'alerts/card',
  'alerts/devices',
  'tags/list',
  'tags/effective',
  'tags/owner',
  'profiles/list',
  'profiles/card',
  'profile-types/*',
  'users/list',
  'account/plans',
  'media-bin/list',
  'device-bin/list',
  'group-bin/list',
  'playlist-bin/list',
  'publication-bin/list',
  'updates/list',
  'updates/package',
  'update-devices/*',
])

/** Whether the query of a key is one of those whose last answer this browser keeps. */
export function isMainRead([family, kind]: readonly unknown[]): boolean {
  return mainReads.has(`${family}/*`) || mainReads.has(`${family}/${kind}`)
}
