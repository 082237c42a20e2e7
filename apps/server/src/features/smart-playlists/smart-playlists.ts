import { isAd } from '@floorcast/contract/media.ts'
import {
  type ChangedMedia,
  type PlannedBlock,
  type PlannedTrack,
  type SmartBlock,
  SmartDraft,
} from '@floorcast/contract/smart-playlists.ts'
import { windowSeconds } from '@floorcast/planner/plan-window.ts'
import type { Reads, Writes } from '../../platform/database/client-scope.ts'
import { orNotFound, notFound } from '../../platform/lib/errors.ts'
import { LongArray, LongObject } from '../../platform/lib/json-pieces.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { planDraft } from './plan-workers.ts'
import { addSmartPlaylist } from './smart-import.ts'
import * as queries from './smart-playlists-queries.ts'

/** Plays of a block that an answer has; further ones need another call. */
const PLAYS_SHOWN = 100

const Settings = SmartDraft.pick({
  playlistType: true,
  melTime: true,
  adsTime: true,
  melMode: true,
  adsMode: true,
  minAdGap: true,
  seed: true,
  colour: true,
  uploadingProgress: true,
  deviceFilter: true,
  playlistFilter: true,
})

/** The card's additional fields of a smart playlist; null for a simple one. */
export async function readSmartFacts(reads: Reads, uid: string) {
  const head = await queries.findSmartHead(reads, uid)
  if (!head) return null
  const { windowStart: startDay, windowEnd: endDay, ...counts } = head
  const changedMedia = await queries.findChangedMedia(reads, uid)
  return { startDay, endDay, windowSeconds: windowSeconds({ startDay, endDay }), ...counts, changedMedia }
}

export interface BlocksAsked {
  page: number
  size: number
  block?: number | undefined
}

/** A page of a smart playlist's blocks, or one block with a page of its plays. @throws ProblemError 404 for no such block */
export async function readBlocks(
  reads: Reads,
  uid: string,
  { asked: { page, size, block }, blockCount }: { asked: BlocksAsked; blockCount: number },
): Promise<{ items: PlannedBlock[]; total: number; page: number; size: number }> {
  const first = (page - 1) * size + 1
  const last = page * size
  if (block === undefined) {
    const sought = { blocks: [first, last], plays: [1, PLAYS_SHOWN] } satisfies Parameters<
      typeof queries.findBlocks
    >[2]
    return { items: await queries.findBlocks(reads, uid, sought), total: blockCount, page, size }
  }
  const items = await queries.findBlocks(reads, uid, { blocks: [block, block], plays: [first, last] })
  if (items.length === 0) throw notFound()
  return { items, total: 1, page, size }
}

type Source = Omit<SmartDraft, 'finishList'>

function sourceOf(uid: string, row: queries.DraftRow, tracks: readonly queries.DraftTrack[]): Source {
  const window = { startDay: row.windowStart, endDay: row.windowEnd }
  const living = tracks.filter(({ isInBin }) => !isInBin)
  const listOf = (wanted: boolean) =>
    living
      .filter(({ contentType }) => isAd(contentType) === wanted)
      .map(({ uid: track, durationSeconds: duration, weight }) => ({ uid: track, duration, weight }))
  return {
    ...Settings.parse(row.draft),
    ...window,
    workTime: windowSeconds(window),
    smartPlUid: uid,
    smartPlName: row.name,
    smartPlDescr: row.description,
    crossfade: row.crossfadeSeconds,
    melList: listOf(false),
    adsList: listOf(true),
    version: row.version,
  }
}

function* finishListOf(
  blocks: readonly queries.StoredBlock[],
  tracks: readonly queries.DraftTrack[],
): Generator<SmartBlock> {
  const byPosition = new Map(tracks.map(track => [track.position, track]))
  for (const { kind, startSeconds, durationSeconds, ...plays } of blocks)
    yield {
      kind,
      start: startSeconds,
      duration: durationSeconds,
      items: plays.tracks.map((position, index) => {
        const { uid, plannedSeconds } = orNotFound(byPosition.get(position))
        return { uid, start: plays.starts[index] ?? 0, duration: plannedSeconds }
      }),
    }
}

function* plannedTracksOf(tracks: readonly queries.DraftTrack[]): Generator<PlannedTrack> {
  for (const { uid, name, contentType, weight, plannedSeconds } of tracks)
    yield { uid, name, contentType, weight, plannedSeconds }
}

/**
 * A smart playlist's draft, as the fields of an answer: its lists with the present media, its blocks as planned, which are
 * made when they are written. @throws ProblemError 404
 */
export async function readSmartSource(reads: Reads, uid: string) {
  const row = orNotFound(await queries.findDraft(reads, uid))
  const tracks = await queries.listDraftTracks(reads, uid)
  const blocks = await queries.listStoredBlocks(reads, uid)
  const changedMedia: ChangedMedia[] = await queries.findChangedMedia(reads, uid)
  const { melList, adsList, ...settings } = sourceOf(uid, row, tracks)
  const draft = new LongObject([
    ...Object.entries(settings),
    ['melList', new LongArray(melList)],
    ['adsList', new LongArray(adsList)],
    ['finishList', new LongArray(finishListOf(blocks, tracks))],
  ])
  return { draft, tracks: new LongArray(plannedTracksOf(tracks)), changedMedia }
}

/** A seed for a copy, which differs from the original's. */
const seedOfCopy = (seed: number, at: Date) => (at.getTime() % 1_000_000_000) + Math.abs(seed) + 1

/**
 * Copies a playlist under another name. Its day is planned again with another seed and the present media. @returns its uid
 * @throws OutcomeError notDone with the faults if the media allow no plan any more
 */
export async function cloneSmartPlaylist(
  writes: Writes,
  ctx: RequestContext,
  { uid, name, editOfUid }: { uid: string; name: string; editOfUid: string | null },
): Promise<string> {
  const row = orNotFound(await queries.findDraft(writes, uid))
  const source = sourceOf(uid, row, await queries.listDraftTracks(writes, uid))
  const fresh = { ...source, smartPlUid: null, smartPlName: name, seed: seedOfCopy(source.seed, ctx.now) }
  const caller = { clientId: ctx.scope.clientId, signal: ctx.signal }
  const prepared = await planDraft({ ...fresh, finishList: [] }, caller)
  return addSmartPlaylist(writes, ctx, { prepared, action: 'clone', datesOf: uid, editOfUid })
}
