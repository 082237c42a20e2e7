import type { IngestWrites } from '../../platform/database/ingest.ts'
import type { EventBatch } from './event-deduplicator.ts'
import type { NamesOfPlays, NewPlay } from './play-names.ts'
import { checkPlay, type StoredPlay } from './play-plausibility.ts'
import { findCountedPlays, type FormerEnds, type PlayedUntil, type PlayRange } from './play-queries.ts'
import { coreOf, minuteOf, type PlayCore, PlayTimeline } from './play-timeline.ts'

/** A play compared with what its client has. */
export interface CheckedPlay extends NewPlay {
  stored: StoredPlay
  /** The time of its device that it takes, if it counts. Null: it does not count. */
  core: PlayCore | null
}

/** Compares the plays of some calls with what their clients have. */
export async function checkPlays(
  writes: IngestWrites,
  batches: readonly EventBatch[],
  { names, now }: { names: NamesOfPlays; now: Date },
): Promise<CheckedPlay[]> {
  const plays = batches.flatMap(batch =>
    batch.valid.flatMap((valid): NewPlay[] =>
      valid.event.kind === 'playtrack' ? [{ batch, valid, event: valid.event }] : [],
    ),
  )
  const known = plays.length > 0 ? await names.find(writes, plays, now) : []
  return plays.flatMap((play, at) => {
    if (!known[at]) return []
    const stored = checkPlay(play.event, known[at])
    const mayCount = stored.leftOut === null && stored.result !== 'failed' && !play.valid.isClockDoubted
    const core = mayCount ? coreOf(play.event, stored.durationSeconds) : null
    return [{ batch: play.batch, valid: play.valid, event: play.event, stored, core }]
  })
}

const deviceOf = ({ batch }: NewPlay) => batch.device.deviceUid

/** Until when plays last, by device. */
export function endsOf(plays: readonly CheckedPlay[]): PlayedUntil[] {
  const ends = new Map<string, { clientId: string; until: number }>()
  for (const { batch, core } of plays) {
    if (core === null) continue
    const { deviceUid, clientId } = batch.device
    const until = Math.max(core.until, ends.get(deviceUid)?.until ?? 0)
    ends.set(deviceUid, { clientId, until })
  }
  return [...ends].map(([deviceUid, { clientId, until }]) => ({
    deviceUid,
    clientId,
    playedUntil: new Date(until).toISOString(),
  }))
}

/**
 * Leaves those of some new plays out that overlap counted ones of their device, or each other. The timelines are locked until the
 * transaction ends. A player that reports in order begins each play after all stored ones, which is known without reading them.
 */
export async function leaveOverlapsOut(
  writes: IngestWrites,
  plays: readonly CheckedPlay[],
  formerEnds: FormerEnds,
): Promise<void> {
  const candidates = plays.filter((play): play is Candidate => play.core !== null)
  const byDevice = Map.groupBy(candidates, deviceOf)
  const ranges = [...byDevice].flatMap(([deviceUid, some]) => {
    const end = formerEnds.get(deviceUid) ?? null
    return rangesOf(some, end === null ? Infinity : Date.parse(end))
  })
  const counted = ranges.length > 0 ? await findCountedPlays(writes, ranges) : []
  const cores = Map.groupBy(counted, ({ deviceUid }) => deviceUid)
  for (const [deviceUid, some] of byDevice) {
    const timeline = new PlayTimeline((cores.get(deviceUid) ?? []).map(play => coreOf(play)))
    for (const { stored, core } of inOrder(some)) stored.leftOut = timeline.add(core)
  }
}

type Candidate = CheckedPlay & { core: PlayCore }

/** One call after another, and the plays of each by their start. */
function inOrder(candidates: readonly Candidate[]): Candidate[] {
  return [...Map.groupBy(candidates, ({ batch }) => batch).values()].flatMap(call =>
    call.toSorted((a, b) => a.core.from - b.core.from || a.event.sequence - b.event.sequence),
  )
}

const HOUR_MS = 3_600_000

/** The parts of a device's time that candidates lie in, if stored plays may be there. Parts beside each other are one. */
function rangesOf(candidates: readonly Candidate[], formerUntil: number): PlayRange[] {
  const ranges: PlayRange[] = []
  const near = candidates.filter(({ core }) => core.from < formerUntil || core.isShort)
  for (const { batch, core } of near.toSorted((a, b) => a.core.from - b.core.from)) {
    const { deviceUid, clientId } = batch.device
    const until = new Date(Math.max(core.until, minuteOf(core.from) + 60_000))
    const last = ranges.at(-1)
    if (last && core.from <= last.until.getTime() + HOUR_MS)
      last.until = new Date(Math.max(last.until.getTime(), until.getTime()))
    else ranges.push({ deviceUid, clientId, from: new Date(minuteOf(core.from)), until })
  }
  return ranges
}
