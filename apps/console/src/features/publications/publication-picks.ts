import type { selectGroups } from '@floorcast/contract/publications.ts'
import type { AnswerOf } from '@floorcast/contract/endpoint.ts'
import type { Kind } from '@floorcast/contract/fields.ts'

/** A group or playlist to choose. */
export type Pick = AnswerOf<typeof selectGroups>[number]

/** An audio group plays audio playlists only; a video group plays both. All while no group is chosen. */
export function fittingPlaylists(playlists: readonly Pick[], groupKind: Kind | undefined): readonly Pick[] {
  return groupKind === 'audio' ? playlists.filter(({ kind }) => kind === 'audio') : playlists
}

/** A video playlist is for video groups only. All while no playlist is chosen. */
export function fittingGroups(groups: readonly Pick[], playlistKind: Kind | undefined): readonly Pick[] {
  return playlistKind === 'video' ? groups.filter(({ kind }) => kind === 'video') : groups
}
