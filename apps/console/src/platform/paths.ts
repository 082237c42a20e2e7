import type { DeviceLogKind } from '@floorcast/contract/devices.ts'
import type { SessionUser } from '@floorcast/contract/auth.ts'
import type { MediaType } from '@floorcast/contract/media.ts'

/** The words of the log pages in docs/specification.md#2-screens-and-routes. */
const logPaths: Record<DeviceLogKind, string> = {
  playtrack: 'playTrack',
  heartbeat: 'heartBeat',
  debug: 'debug',
  playlist: 'playList',
  update: 'updatesLog',
}

/** Every address of the console that another page links to: the routes of docs/specification.md#2-screens-and-routes to the letter. */
export const paths = {
  login: '/login',
  lock: '/lock',
  overview: '/home/overview',
  streaming: (deviceUid: string) => `/home/streaming/${deviceUid}`,
  account: '/pages/profile',
  devices: '/equipments/devices',
  device: (uid: string) => `/equipments/devicesOne/${uid}`,
  groups: '/equipments/groups',
  group: (uid: string) => `/equipments/groupsOne/${uid}`,
  /** As `{contentType}` stands in the call: docs/specification.md#7-calls. */
  media: (kind: MediaType) => `/media/${kind}`,
  mediaItem: (kind: MediaType, uid: string) => `/media/${kind}One/${uid}`,
  playlists: '/media/playlists',
  playlist: (uid: string) => `/media/playlistsOne/${uid}`,
  wizard: '/media/wizard',
  /** Plans a smart playlist again. */
  planAgain: (uid: string) => `/media/wizard?from=${uid}`,
  /** Makes the edited version of a smart playlist that is on the air. */
  editSmart: (uid: string) => `/media/wizard?edit=${uid}`,
  /** Offers to put an edited version in the place of what is on the air. */
  offerReplace: (uid: string) => `/media/playlists?replace=${uid}`,
  publications: '/deployments/publications',
  /** The form of a new publication, with its playlist. */
  publish: (playlistUid: string) => `/deployments/publications?playlist=${playlistUid}`,
  publication: (uid: string) => `/deployments/publicationsOne/${uid}`,
  deviceLog: (kind: DeviceLogKind, deviceUid: string) => `/security/${logPaths[kind]}/${deviceUid}`,
} as const

/** Where a user begins: a streamer only ever sees the stream of its device (docs/specification.md#6-roles-and-permissions). */
export function homeOf(user: SessionUser): string {
  if (user.role !== 'streamer') return paths.overview
  return user.linkedDeviceUid ? paths.streaming(user.linkedDeviceUid) : paths.account
}

/** Only a path of this console is gone back to, never another site's address. */
export function readReturnPath(address: URLSearchParams): string | null {
  const from = address.get('from')
  return from?.startsWith('/') && !from.startsWith('//') && !from.startsWith('/\\') ? from : null
}

const INVITE = /^#invite=([\w-]+)$/

/** The one-time token of the link that opened the page, from behind the #, which no server and no log sees. */
export const readInvite = (): string | null => INVITE.exec(window.location.hash)?.[1] ?? null
