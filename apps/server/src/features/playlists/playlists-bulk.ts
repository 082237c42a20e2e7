import type { BulkPlan, EditAction } from '@floorcast/contract/bulk-calls.ts'
import type { Outcome } from '@floorcast/contract/outcomes.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { forEachItem } from '../../platform/lib/bulk.ts'
import { countPlaylistAction, type PlaylistSelection } from './playlists-queries.ts'
import { deletePlaylist, resolvePlaylists, turnPlaylist } from './playlists.ts'

interface BulkCall {
  items: PlaylistSelection
  action: EditAction
}

export const previewManyPlaylists = (ctx: RequestContext, call: BulkCall): Promise<BulkPlan> =>
  countPlaylistAction(ctx.scope.reads, { ...call, now: ctx.now })

/** Activates, pauses or deletes many playlists. A failure stops no other one. */
export async function changeManyPlaylists(
  ctx: RequestContext,
  { items, action }: BulkCall,
): Promise<Outcome> {
  const state = action === 'activate' ? 'active' : 'paused'
  return forEachItem(await resolvePlaylists(ctx, items), ctx, uid =>
    action === 'delete' ? deletePlaylist(ctx, uid) : turnPlaylist(ctx, uid, state),
  )
}
