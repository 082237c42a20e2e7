import type { DeviceLogKind } from '@floorcast/contract/devices.ts'
import type { MediaType } from '@floorcast/contract/media.ts'

/** The words of the log pages in docs/specification.md#2-screens-and-routes. */
const logWords: Record<DeviceLogKind, string> = {
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
  profile: '/pages/profile',
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
  deviceLog: (kind: DeviceLogKind, deviceUid: string) => `/security/${logWords[kind]}/${deviceUid}`,
} as const
