import type { LiveLine } from '@floorcast/contract/change-feed.ts'
import type { readDelivery } from '@floorcast/contract/delivery-report.ts'
import type { ValuedDeviceFilter } from '@floorcast/contract/device-filters.ts'
import type { DeviceLogKind, listDeviceLog, listDevices } from '@floorcast/contract/devices.ts'
import type { BodyOf, ParamsOf, QueryOf } from '@floorcast/contract/endpoint.ts'
import type { KindFilter } from '@floorcast/contract/fields.ts'
import type { EditState, listGroups } from '@floorcast/contract/groups.ts'
import type { listMedia, listMediaPlaylists, MediaType, readMedia } from '@floorcast/contract/media.ts'
import type { listPlaylists } from '@floorcast/contract/playlists.ts'
import type { listPublicationDevices, listPublications } from '@floorcast/contract/publications.ts'
import type { previewPublish } from '@floorcast/contract/publish.ts'
import type { ReportParams } from '@floorcast/contract/report-calls.ts'
import type { ReportName } from '@floorcast/contract/reports.ts'
import type { ViewedList } from '@floorcast/contract/saved-views.ts'
import type { QueryClient } from '@tanstack/react-query'

/** The first part of a query key: a family of queries that becomes stale together. */
type Family =
  | 'account'
  | 'charts'
  | 'dashboard'
  | 'device-day'
  | 'device-screenshot'
  | 'devices'
  | 'groups'
  | 'library'
  | 'media'
  | 'media-address'
  | 'playlist-source'
  | 'playlists'
  | 'plays'
  | 'publications'
  | 'report'
  | 'search'
  | 'smart-day'
  | 'views'

const key = (family: Family, ...rest: unknown[]): readonly unknown[] => [family, ...rest]

type MediaAddress = ParamsOf<typeof readMedia>

/** The keys of all queries of the console. */
export const queryKeys = {
  account: () => key('account'),
  sessions: () => key('account', 'sessions'),
  secondFactor: () => key('account', 'second-factor'),
  dashboard: {
    metrics: () => key('dashboard', 'metrics'),
    limits: () => key('dashboard', 'limits'),
  },
  charts: (name: string, ...rest: (number | string)[]) => key('charts', name, ...rest),
  devices: {
    list: (query: QueryOf<typeof listDevices>) => key('devices', 'list', query),
    card: (uid: string) => key('devices', 'card', uid),
    /** Values of a filter of the list. No report of a device makes them stale. */
    filterValues: (filter: ValuedDeviceFilter, search: string, chosen: readonly string[]) =>
      key('search', 'device-filter', filter, search, chosen),
    /** Devices in no group. */
    free: (kind: KindFilter, search: string) => key('devices', 'free', kind, search),
    /** The name of the device whose log is shown. */
    logName: (uid: string) => key('devices', 'log-name', uid),
    log: (uid: string, kind: DeviceLogKind, query: QueryOf<typeof listDeviceLog>) =>
      key(kind === 'playtrack' ? 'plays' : 'devices', 'log', uid, kind, query),
    /** What a device does, for a user who listens in on it. */
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
    /** What publishing a draft would do. */
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
  /** The saved views of a list. */
  savedViews: (list: ViewedList) => key('views', list),
  /** What an action on a selection would do. */
  bulk: (entity: ChangedEntity, action: unknown, items: unknown) =>
    key(familyOf[entity], 'bulk', action, items),
  search: (text: string) => key('search', text),
}

/** The family of a list by its entity. */
const familyOf: Record<ChangedEntity, Family> = {
  account: 'account',
  view: 'views',
  device: 'devices',
  group: 'groups',
  media: 'media',
  playlist: 'playlists',
  publication: 'publications',
  play: 'plays',
}

/** An entity whose changes make queries stale: those of the change feed, the user's own account, and saved views. */
export type ChangedEntity = NonNullable<LiveLine['thing']> | 'account' | 'view'

/**
 * The queries that a change of an entity makes stale, whether the user of this console has made it or the change feed
 * names it: those whose answers contain data of the entity.
 */
const staleAfter: Record<ChangedEntity, readonly Family[]> = {
  account: ['account'],
  view: ['views'],
  device: ['devices', 'groups', 'dashboard'],
  group: ['groups', 'devices', 'publications', 'playlists', 'media'],
  media: ['media', 'library', 'playlists', 'smart-day', 'dashboard'],
  playlist: ['playlists', 'media', 'publications'],
  publication: ['publications', 'groups', 'playlists', 'devices', 'media', 'dashboard'],
  play: ['plays', 'dashboard'],
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
