import type { LeftOut, PlayEvent } from '@floorcast/contract/events.ts'
import type { DeviceIdentity } from '../../platform/auth/session.ts'
import type { IngestWrites } from '../../platform/database/ingest.ts'
import { checkPlay, type KnownFile, type StoredPlay } from './play-plausibility.ts'
import { coreOf, minuteOf, type PlayCore, PlayTimeline } from './play-timeline.ts'
import {
  extendTimelines,
  findCountedPlays,
  findFiles,
  type FoundFile,
  type NamedFile,
  type PlayRange,
} from './play-queries.ts'

/** A new play with its device. */
export interface NewPlay {
  device: Pick<DeviceIdentity, 'clientId' | 'deviceUid'>
  /** The call that brought it: plays of one call are sorted. */
  call: object
  event: PlayEvent
  isClockDoubted: boolean
}

const MAX_KNOWN_FILES = 50_000
/** A length that is measured again is known everywhere after this. */
const KNOWN_FOR_MS = 10 * 60_000

/** The files that plays have named lately. What a client never had is looked up each time: it may be uploaded now. */
export class KnownFiles {
  readonly #files = new Map<string, KnownFile>()
  #since = 0

  async find(
    writes: IngestWrites,
    plays: readonly NewPlay[],
    now: Date,
  ): Promise<(play: NewPlay) => KnownFile | LeftOut> {
    if (now.getTime() - this.#since > KNOWN_FOR_MS || this.#files.size > MAX_KNOWN_FILES) {
      this.#files.clear()
      this.#since = now.getTime()
    }
    const unknown = new Map<string, NamedFile>()
    for (const play of plays) {
      const key = keyOf(fileOf(play))
      if (!this.#files.has(key)) unknown.set(key, fileOf(play))
    }
    const reasons = new Map<string, LeftOut>()
    const found = unknown.size > 0 ? await findFiles(writes, [...unknown.values()]) : []
    for (const file of found) {
      const { contentType, durationSeconds } = file
      if (contentType === null || durationSeconds === null) reasons.set(keyOf(file), reasonOf(file))
      else this.#files.set(keyOf(file), { contentType, durationSeconds })
    }
    return play => {
      const key = keyOf(fileOf(play))
      return this.#files.get(key) ?? reasons.get(key) ?? 'unknown-media'
    }
  }
}

const fileOf = ({ device, event }: NewPlay): NamedFile => ({
  clientId: device.clientId,
  mediaUid: event.mediaUid.toLowerCase(),
  sha256: event.sha256,
})
const keyOf = ({ clientId, mediaUid, sha256 }: NamedFile) => `${clientId} ${mediaUid} ${sha256}`
const reasonOf = ({ isKnownMedia }: FoundFile): LeftOut => (isKnownMedia ? 'unknown-file' : 'unknown-media')

interface Candidate {
  play: NewPlay
  stored: StoredPlay
  core: PlayCore
}

/**
 * Decides which of some new plays count, and as what: by their file, and by the other plays of their device, whose timeline is locked
 * until the transaction ends. The order of the plays is kept.
 */
export async function markPlays(
  writes: IngestWrites,
  plays: readonly NewPlay[],
  { files, now }: { files: KnownFiles; now: Date },
): Promise<StoredPlay[]> {
  const fileOfPlay = await files.find(writes, plays, now)
  const marked = plays.map(play => checkPlay(play.event, fileOfPlay(play)))
  const candidates = plays.flatMap((play, at): Candidate[] => {
    const stored = marked[at]
    if (!stored || stored.leftOut !== null || stored.result === 'failed' || play.isClockDoubted) return []
    return [{ play, stored, core: coreOf({ ...play.event, durationSeconds: stored.durationSeconds }) }]
  })
  const byDevice = Map.groupBy(candidates, ({ play }) => play.device.deviceUid)
  const timelines = await openTimelines(writes, byDevice)
  for (const [deviceUid, some] of byDevice)
    for (const { stored, core } of inOrder(some)) stored.leftOut = timelines.get(deviceUid)?.add(core) ?? null
  return marked
}

/** One call after another, and the plays of each by their start. */
function inOrder(candidates: readonly Candidate[]): Candidate[] {
  return [...Map.groupBy(candidates, ({ play }) => play.call).values()].flatMap(call =>
    call.toSorted((a, b) => a.core.from - b.core.from || a.play.event.sequence - b.play.event.sequence),
  )
}

/**
 * The counted plays that candidates may overlap. A player that reports in order begins each play after all stored ones, which is known
 * without reading them.
 */
async function openTimelines(
  writes: IngestWrites,
  byDevice: ReadonlyMap<string, readonly Candidate[]>,
): Promise<Map<string, PlayTimeline>> {
  if (byDevice.size === 0) return new Map()
  const ends = [...byDevice].map(([deviceUid, some]) => ({
    deviceUid,
    clientId: some[0]?.play.device.clientId ?? '',
    playedUntil: new Date(Math.max(...some.map(({ core }) => core.until))).toISOString(),
  }))
  const former = await extendTimelines(writes, ends)
  const ranges = former.flatMap(({ deviceUid, formerUntil }) =>
    rangesOf(byDevice.get(deviceUid) ?? [], formerUntil === null ? Infinity : Date.parse(formerUntil)),
  )
  const stored = ranges.length > 0 ? await findCountedPlays(writes, ranges) : []
  const cores = Map.groupBy(stored, ({ deviceUid }) => deviceUid)
  return new Map(
    [...byDevice.keys()].map(uid => [
      uid,
      new PlayTimeline((cores.get(uid) ?? []).map(play => coreOf(play))),
    ]),
  )
}

const HOUR_MS = 3_600_000

/** The parts of a device's time that candidates lie in, if stored plays may be there. Parts beside each other are one. */
function rangesOf(candidates: readonly Candidate[], formerUntil: number): PlayRange[] {
  const ranges: PlayRange[] = []
  const near = candidates.filter(({ core }) => core.from < formerUntil || core.isShort)
  for (const { play, core } of near.toSorted((a, b) => a.core.from - b.core.from)) {
    const { deviceUid, clientId } = play.device
    const until = new Date(Math.max(core.until, minuteOf(core.from) + 60_000))
    const last = ranges.at(-1)
    if (last && core.from <= last.until.getTime() + HOUR_MS)
      last.until = new Date(Math.max(last.until.getTime(), until.getTime()))
    else ranges.push({ deviceUid, clientId, from: new Date(minuteOf(core.from)), until })
  }
  return ranges
}
