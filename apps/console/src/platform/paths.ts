import type { DeviceLogKind } from '@floorcast/contract/devices.ts'
import type { SessionUser } from '@floorcast/contract/auth.ts'
import type { MediaType } from '@floorcast/contract/media.ts'
import type { BinKind } from '@floorcast/contract/recycle-bin.ts'
import type { ReportFilter, ReportName } from '@floorcast/contract/reports.ts'

/** The path segments of the log pages in docs/specification.md#2-screens-and-routes. */
const logPaths: Record<DeviceLogKind, string> = {
  playtrack: 'playTrack',
  heartbeat: 'heartBeat',
  debug: 'debug',
  playlist: 'playList',
  update: 'updatesLog',
}

/** The addresses that pages link to: the routes of docs/specification.md#2-screens-and-routes. */
export const paths = {
  login: '/login',
  lock: '/lock',
  /** Anyone verifies a signed proof of play there. */
  verify: '/verify',
  /** The terms of use, unless the installation has its own address for them. */
  terms: '/terms',
  overview: '/home/overview',
  reports: '/home/reports',
  /** A report with its filters, and with its period or the user's last one. A track is named with its content type. */
  report: (
    report: ReportName,
    view: Partial<Record<ReportFilter['key'] | 'contentType' | 'from' | 'to' | 'zone', string>> = {},
  ): string => `/home/reports?${new URLSearchParams({ report, ...view })}`,
  alerts: '/alerts',
  alert: (uid: string) => `/alerts/${uid}`,
  streaming: (deviceUid: string) => `/home/streaming/${deviceUid}`,
  account: '/pages/profile',
  devices: '/equipments/devices',
  device: (uid: string) => `/equipments/devicesOne/${uid}`,
  devicesImport: '/equipments/devicesImport',
  groups: '/equipments/groups',
  group: (uid: string) => `/equipments/groupsOne/${uid}`,
  /** By `{contentType}` of the calls: docs/specification.md#7-calls. */
  media: (kind: MediaType) => `/media/${kind}`,
  mediaItem: (kind: MediaType, uid: string) => `/media/${kind}One/${uid}`,
  playlists: '/media/playlists',
  playlist: (uid: string) => `/media/playlistsOne/${uid}`,
  wizard: '/media/wizard',
  /** Plans a smart playlist again. */
  planAgain: (uid: string) => `/media/wizard?from=${uid}`,
  /** Makes the edited version of a smart playlist that is on the air. */
  editSmart: (uid: string) => `/media/wizard?edit=${uid}`,
  /** Offers to replace the playlist on the air by its edited version. */
  offerReplace: (uid: string) => `/media/playlists?replace=${uid}`,
  publications: '/deployments/publications',
  publication: (uid: string) => `/deployments/publicationsOne/${uid}`,
  users: '/security/users',
  /** The keys of signed proofs of play. */
  proofKeys: '/security/proofKeys',
  /** The change history. */
  audit: '/security/audit',
  /** The change history of an item or user. */
  auditOf: (uid: string) => `/security/audit?item=${uid}`,
  logs: '/security/logs',
  tags: '/security/tags',
  /** The tags of a group or device. */
  tagsOf: (level: 'group' | 'device', uid: string) => `/security/tags?${level}=${uid}`,
  configurationProfiles: '/security/profile',
  configurationProfile: (uid: string) => `/security/profileOne/${uid}`,
  pricing: '/pages/pricing',
  /** Every component from right to left. */
  rtl: '/pages/rtl',
  deviceLog: (kind: DeviceLogKind, deviceUid: string) => `/security/${logPaths[kind]}/${deviceUid}`,
  updatePackages: '/updates/package',
  updatePackage: (uid: string) => `/updates/packageOne/${uid}`,
  /** Which package is on which channel. */
  packagePublication: '/updates/packagePub',
  updateFiles: '/updates/files',
  updateChannels: '/updates/channels',
  bin: (x: BinKind) => `/trash/${x}Trash`,
} as const

/**
 * The start page of a user: a streamer sees only the stream of its device
 * (docs/specification.md#6-roles-and-permissions).
 */
export function homeOf(user: SessionUser): string {
  if (user.role !== 'streamer') return paths.overview
  return user.linkedDeviceUid ? paths.streaming(user.linkedDeviceUid) : paths.account
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
