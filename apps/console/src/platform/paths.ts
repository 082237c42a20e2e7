import type { DeviceLogKind } from '@floorcast/contract/devices.ts'
import type { SessionUser } from '@floorcast/contract/auth.ts'
import { consolePages, openPages, type PageName } from '@floorcast/contract/console-routes.ts'
import type { MediaType } from '@floorcast/contract/media.ts'
import type { BinKind } from '@floorcast/contract/recycle-bin.ts'
import type { ReportFilter, ReportName } from '@floorcast/contract/reports.ts'

type PathOf<Route extends string> = Route extends `${string}:uid` ? (uid: string) => string : Route
type PagePaths = { [Name in PageName]: PathOf<(typeof consolePages)[Name]> }

const UID = ':uid'

/** The address of each page by its name; of a page of an item, by the item's uid. */
const pagePaths = Object.fromEntries(
  Object.entries(consolePages).map(([name, route]) => [
    name,
    route.endsWith(UID) ? (uid: string) => route.slice(0, -UID.length) + uid : route,
  ]),
) as PagePaths

const logPages = {
  playtrack: 'playTrack',
  heartbeat: 'heartBeat',
  debug: 'debugLog',
  playlist: 'playListLog',
  update: 'updatesLog',
} as const satisfies Record<DeviceLogKind, PageName>

/** The addresses that pages link to: the routes of docs/specification.md#2-screens-and-routes. */
export const paths = {
  ...openPages,
  ...pagePaths,
  /** A report with its filters, and with its period or the user's last one. A track is named with its content type. */
  report: (
    report: ReportName,
    view: Partial<Record<ReportFilter['key'] | 'contentType' | 'from' | 'to' | 'zone', string>> = {},
  ): string => `${pagePaths.reports}?${new URLSearchParams({ report, ...view })}`,
  /** The pages of media by `{contentType}` of the calls: docs/specification.md#7-calls. */
  media: (kind: MediaType) => pagePaths[kind],
  mediaItem: (kind: MediaType, uid: string) => `${pagePaths[kind]}One/${uid}`,
  /** Plans a smart playlist again. */
  planAgain: (uid: string) => `${pagePaths.wizard}?from=${uid}`,
  /** Makes the edited version of a smart playlist that is on the air. */
  editSmart: (uid: string) => `${pagePaths.wizard}?edit=${uid}`,
  /** Offers to replace the playlist on the air by its edited version. */
  offerReplace: (uid: string) => `${pagePaths.playlists}?replace=${uid}`,
  /** The change history of an item or user. */
  auditOf: (uid: string) => `${pagePaths.audit}?item=${uid}`,
  /** The tags of a group or device. */
  tagsOf: (level: 'group' | 'device', uid: string) => `${pagePaths.tags}?${level}=${uid}`,
  deviceLog: (kind: DeviceLogKind, deviceUid: string) => pagePaths[logPages[kind]](deviceUid),
  bin: (x: BinKind) => pagePaths[`${x}Bin`],
}

/**
 * The start page of a user: a streamer sees only the stream of its device
 * (docs/specification.md#6-roles-and-permissions).
 */
export function homeOf(user: SessionUser): string {
  if (user.role !== 'streamer') return paths.overview
  return user.linkedDeviceUid ? paths.streaming(user.linkedDeviceUid) : paths.profile
}

/** The path to return to after sign-in; null for an address of another site. */
export function readReturnPath(address: URLSearchParams): string | null {
  const from = address.get('from')
  return from?.startsWith('/') && !from.startsWith('//') && !from.startsWith('/\\') ? from : null
}

const INVITE = /^#invite=([\w-]+)$/
const CONFIRMATION = /^#confirm=([\w-]+)$/

/** The one-time token in the fragment of the address, which no server and no log sees. */
export const readInvite = ({ hash }: { hash: string }): string | null => INVITE.exec(hash)?.[1] ?? null

/** The same of the link that a registration mailed. */
export const readConfirmation = ({ hash }: { hash: string }): string | null =>
  CONFIRMATION.exec(hash)?.[1] ?? null
