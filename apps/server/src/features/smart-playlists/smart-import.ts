import type { AuditAction } from '@floorcast/contract/audit.ts'
import type { Writes } from '../../platform/database/client-scope.ts'
import { orNotFound, OutcomeError, ProblemError, stale } from '../../platform/lib/errors.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import type { FileStore } from '../../platform/storage/file-store.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { type Changes, changesBetween, changesOfEdit, recordChange } from '../audit/audit.ts'
import { dropFormerVersions } from '../media/media.ts'
import { invalidateManifests } from '../manifests/manifests.ts'
import { collectGarbageAfter } from '../uploads/uploads.ts'
import { type DraftMedia, findMediaFaults, kindOfSmart, namedFaults } from './plan-validation.ts'
import type { PreparedImport } from './plan-workers.ts'
import type { PreparedPlan } from './prepared-plan.ts'
import * as queries from './smart-plan-writes-queries.ts'

const always = { startDate: null, endDate: null }
/** Between two statements of a long import the server has time for other calls. */
const ROWS_A_STATEMENT = 2000

/** Locks the draft's media. Faults are reported in this order: the draft, its media, its plan. @throws OutcomeError notDone */
async function holdMediaOf(
  writes: Writes,
  { draft, planFaults }: PreparedPlan,
): Promise<ReadonlyMap<string, DraftMedia>> {
  const uids = [...new Set([...draft.melList, ...draft.adsList].map(({ uid }) => uid))]
  const known = new Map<string, DraftMedia>()
  for (let at = 0; at < uids.length; at += ROWS_A_STATEMENT)
    for (const media of await queries.holdDraftMedia(writes, uids.slice(at, at + ROWS_A_STATEMENT)))
      known.set(media.uid, media)
  const faults = findMediaFaults(draft, known)
  const mediaFaults = faults.length > 0 ? { reason: 'media-not-as-planned' as const, faults } : null
  const against = planFaults?.reason === 'plan-refused' ? planFaults : (mediaFaults ?? planFaults)
  if (against) throw new OutcomeError('notDone', namedFaults(against, known))
  return known
}

function rowOf({ draft, plannedPlays, plannedSeconds }: PreparedPlan): queries.SmartRow {
  const { playlistType, melTime, adsTime, melMode, adsMode, minAdGap, seed } = draft
  const { colour, uploadingProgress, deviceFilter, playlistFilter } = draft
  const settings = { playlistType, melTime, adsTime, melMode, adsMode, minAdGap, seed }
  return {
    name: draft.smartPlName,
    description: draft.smartPlDescr,
    crossfadeSeconds: draft.crossfade,
    draft: { ...settings, colour, uploadingProgress, deviceFilter, playlistFilter },
    windowStart: draft.startDay,
    windowEnd: draft.endDay,
    plannedPlays,
    plannedSeconds,
  }
}

interface PlanToInsert {
  prepared: PreparedPlan
  known: ReadonlyMap<string, DraftMedia>
  signal: AbortSignal | undefined
}

async function insertPlan(
  writes: Writes,
  playlist: { uid: string; clientId: string },
  { prepared, known, signal }: PlanToInsert,
): Promise<void> {
  const { draft, playsOfTracks, blockRows } = prepared
  const list = [...draft.melList, ...draft.adsList]
  for (let at = 0; at < list.length; at += ROWS_A_STATEMENT) {
    signal?.throwIfAborted()
    const tracks = list.slice(at, at + ROWS_A_STATEMENT).map(({ uid, duration, weight = 1 }, index) => {
      const { fileVersion } = orNotFound(known.get(uid))
      const plannedPlays = playsOfTracks[at + index] ?? 0
      return { mediaUid: uid, position: at + index + 1, fileVersion, weight, duration, plannedPlays }
    })
    await queries.insertTracks(writes, playlist, tracks)
  }
  for (const rows of blockRows) {
    signal?.throwIfAborted()
    await queries.insertBlocks(writes, playlist, rows)
  }
}

interface Replan {
  uid: string
  prepared: PreparedImport
}

/** Locks the playlist that a draft plans again. @throws OutcomeError notDone; ProblemError 404, 409, 422 */
async function lockForPlan(writes: Writes, { uid, prepared: { draft, editOf } }: Replan) {
  const playlist = orNotFound(await queries.lockPlaylist(writes, uid))
  // Only a new playlist can replace another one.
  if (editOf !== null)
    throw new ProblemError('wrong-fields', { errors: [{ path: 'editOf', message: 'wrong' }] })
  if (draft.version !== undefined && draft.version !== playlist.version) throw stale()
  if (playlist.form !== 'smart') throw new OutcomeError('notDone', { reason: 'only-smart-playlists' })
  if (playlist.state === 'active') throw new OutcomeError('notDone', { reason: 'active-cannot-be-edited' })
  if (playlist.kind !== kindOfSmart(draft.playlistType))
    throw new OutcomeError('notDone', { reason: 'kind-does-not-fit' })
  return playlist
}

/** The fields of a plan for the audit. */
function factsOf({ plannedPlays, windowStart, windowEnd, draft }: queries.StoredPlan) {
  const { melTime, adsTime, melMode, adsMode, minAdGap, seed } = draft ?? {}
  const window = `${windowStart} - ${windowEnd}`
  return { plays: plannedPlays, window, melTime, adsTime, melMode, adsMode, minAdGap, seed }
}

interface NewSmartPlaylist {
  prepared: PreparedPlan
  action: AuditAction
  /** The playlist whose dates it gets; null for none. */
  datesOf: string | null
  /** The playlist that it will replace. */
  editOfUid: string | null
}

/**
 * Stores a draft with its plan as a new playlist, paused.
 * @throws OutcomeError notDone with the faults by place; ProblemError 404
 */
export async function addSmartPlaylist(
  writes: Writes,
  ctx: RequestContext,
  { prepared, action, datesOf, editOfUid }: NewSmartPlaylist,
): Promise<string> {
  const dates = datesOf === null ? always : orNotFound(await queries.findDates(writes, datesOf))
  const known = await holdMediaOf(writes, prepared)
  const row = rowOf(prepared)
  const uid = uuidV7()
  const { clientId } = ctx.scope
  const kind = kindOfSmart(prepared.draft.playlistType)
  await queries.insertSmartPlaylist(writes, { ...row, ...dates, uid, clientId, kind, editOfUid }, ctx.now)
  await insertPlan(writes, { uid, clientId }, { prepared, known, signal: ctx.signal })
  const changes: Changes = { plan: [null, factsOf(row)] }
  if (editOfUid !== null) changes['editOf'] = [null, editOfUid]
  await recordChange(writes, ctx, { action, entity: 'playlist', uid, name: row.name, changes })
  return uid
}

/** @returns the hashes of files that only the former plan needed */
async function planAgain(writes: Writes, ctx: RequestContext, change: Replan): Promise<string[]> {
  const { uid, prepared } = change
  const before = await lockForPlan(writes, change)
  const known = await holdMediaOf(writes, prepared)
  const formerMedia = await queries.deletePlan(writes, uid)
  const after = await queries.updateSmartPlaylist(writes, uid, { ...rowOf(prepared), at: ctx.now })
  await insertPlan(writes, after, { prepared, known, signal: ctx.signal })
  const hashes = await dropFormerVersions(writes, formerMedia)
  await invalidateManifests(writes, { playlists: [uid] })
  const named = { name: true, description: true, crossfadeSeconds: true }
  const changes = {
    ...changesOfEdit({ before, after }, named),
    ...changesBetween({ plan: factsOf(before) }, { plan: factsOf(after) }),
  }
  await recordChange(writes, ctx, { action: 'plan', entity: 'playlist', uid, name: after.name, changes })
  return hashes
}

/**
 * Adds a paused smart playlist from a draft, or plans one again, in one transaction. @returns its uid and seed
 * @throws OutcomeError notDone with the faults by place; ProblemError 404, 409, 422
 */
export async function importSmartPlaylist(
  ctx: RequestContext,
  files: FileStore,
  prepared: PreparedImport,
): Promise<{ uid: string; seed: number }> {
  const { editOf } = prepared
  const { smartPlUid: uid, seed } = prepared.draft
  if (uid === null) {
    const made = { prepared, action: 'import' as const, datesOf: editOf, editOfUid: editOf }
    return { uid: await ctx.scope.write(writes => addSmartPlaylist(writes, ctx, made)), seed }
  }
  return collectGarbageAfter(ctx.scope, files, async writes => ({
    done: { uid, seed },
    hashes: await planAgain(writes, ctx, { uid, prepared }),
  }))
}
