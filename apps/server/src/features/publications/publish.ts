import type { PublishDraft } from '@floorcast/contract/publish.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import type { Writes } from '../../platform/database/client-scope.ts'
import { orNotFound } from '../../platform/lib/errors.ts'
import { activateGroup, createGroupOf, lockGroupForPublication } from '../groups/groups.ts'
import { activatePlaylist, lockPlaylistForPublication } from '../playlists/playlists.ts'
import { pickedStartOf } from './publication-eligibility.ts'
import { lockAll, schedule, turnOff, turnOn } from './publication-states.ts'
import { lockGroupPublications, reconcileGroup } from './publication-writes-queries.ts'
import { createPublication } from './publications.ts'
import { planPublish, type PublishSteps } from './publish-plan.ts'

/** Locks what the plan reads, in the order of every change of a publication: group, its publications, playlist. */
async function lockDraft(writes: Writes, { groupUid, playlistUid }: PublishDraft, now: Date): Promise<void> {
  if (groupUid !== undefined) {
    orNotFound(await lockGroupForPublication(writes, groupUid))
    await reconcileGroup(writes, groupUid, now)
    await lockGroupPublications(writes, groupUid, now)
  }
  orNotFound(await lockPlaylistForPublication(writes, playlistUid))
}

/** The active group of a draft. It may be new. */
async function readyGroup(
  writes: Writes,
  ctx: RequestContext,
  { draft, plan }: { draft: PublishDraft; plan: PublishSteps },
): Promise<string> {
  const { newGroup, groupUid } = draft
  const uid = newGroup
    ? await createGroupOf(writes, ctx, { ...newGroup, kind: plan.playlist.kind })
    : (groupUid ?? '')
  await activateGroup(writes, ctx, uid)
  return uid
}

async function findOrCreate(
  writes: Writes,
  ctx: RequestContext,
  { draft, plan, groupUid }: { draft: PublishDraft; plan: PublishSteps; groupUid: string },
): Promise<string> {
  if (plan.publication) return plan.publication.uid
  const { uid: playlistUid, name: playlistName } = plan.playlist
  const kind = orNotFound(await lockGroupForPublication(writes, groupUid)).kind
  const name = draft.name ?? playlistName
  return createPublication(writes, ctx, { name, description: '', kind, groupUid, playlistUid })
}

/**
 * Publishes a playlist to a group, now or later, and activates both: all in one transaction, by the rules of a publication that
 * is turned on. @returns the publication
 * @throws OutcomeError groupTaken, notConsistent or notDone; ProblemError 404, or 400 for a start in the past
 */
export async function publish(ctx: RequestContext, draft: PublishDraft): Promise<string> {
  return ctx.scope.write(async writes => {
    await lockDraft(writes, draft, ctx.now)
    const plan = await planPublish(writes, draft, ctx.now)
    const [refusal] = plan.refusals
    if (refusal) throw refusal
    const groupUid = await readyGroup(writes, ctx, { draft, plan })
    await activatePlaylist(writes, ctx, plan.playlist.uid)
    for (const { uid } of plan.turnsOff) await turnOff(writes, ctx, await lockAll(writes, uid, ctx.now))
    const uid = await findOrCreate(writes, ctx, { draft, plan, groupUid })
    const locked = await lockAll(writes, uid, ctx.now)
    if (draft.startsAt === undefined) await turnOn(writes, ctx, locked)
    else await schedule(writes, ctx, { locked, start: pickedStartOf(draft.startsAt) })
    return uid
  })
}
