import type { Actor } from '../../platform/session/actor.ts'
import { mayChange } from '../../platform/session/rights.ts'

/** What this user may do with a playlist: only a paused one can be edited, only one that no publication names deleted. */
export function playlistPermissions(by: Actor, playlist: { state: 'active' | 'paused'; isUsed: boolean }) {
  const may = mayChange(by.session, by.now)
  return { mayEdit: may && playlist.state === 'paused', mayDelete: may && !playlist.isUsed }
}
