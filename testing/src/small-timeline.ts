/*
 * Finds what plays at an instant, written from docs/device-protocol.md alone, as a stranger would: it shares no code with the agent. It
 * works as of the manifest's JSON.
 */

export interface SmallFile {
  mediaUid: string
  sha256: string
  name: string
  contentType: string
  sizeBytes: number
  durationSeconds: number
}
interface SmallItem {
  uid: string
  file: number
  plays: number
  startTime: string | null
}
interface SmallPlaylist {
  form: string
  uid: string
  name: string
  startDate: string | null
  endDate: string | null
  items?: SmallItem[]
  startDay?: string
  blocks?: { start: number; files: number[]; gaps: number[] }[]
}
export interface SmallPublication {
  uid: string
  revision: number
  activatedAt: string
  startsAt: { at?: string; wall?: string } | null
  programme: string
}
export interface SmallManifest {
  generation: number
  device: {
    volume: number
    openingTime: string | null
    closingTime: string | null
    zoneOffsets: { offsets: { from: string; minutes: number }[] }
  }
  settings: { heartbeatSeconds: number }
  alerts: { uid: string; kind: string }[]
  publications: SmallPublication[]
  files: (SmallFile & { path: string })[]
  update?: { packageUid: string; name: string; version: string; channelName: string }
}
export interface SmallProgramme {
  playlist: SmallPlaylist
  files: SmallFile[]
}

export interface SmallPlay {
  publication: SmallPublication
  playlist: SmallPlaylist
  itemUid: string | null
  file: SmallFile
  startsAt: number
}
export type SmallCue = SmallPlay | { silent: string }

/** The faults that a player may have. */
export interface TimelineFaults {
  startsNow?: boolean
  playsOnce?: boolean
  ignoresZone?: boolean
  ignoresGaps?: boolean
  ignoresHours?: boolean
  opensAtActivation?: boolean
  ignoresStartTime?: boolean
  ignoresDates?: boolean
}

const DAY_MS = 86_400_000
const msOf = (time: string) => (Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5))) * 60_000
const floorDay = (wall: number) => Math.floor(wall / DAY_MS) * DAY_MS

/** The timeline of a player that began to play at `joinedAt`. */
export class SmallTimeline {
  readonly #faults: TimelineFaults
  readonly #joinedAt = new Map<string, number>()

  constructor(faults: TimelineFaults) {
    this.#faults = faults
  }

  at(manifest: SmallManifest, programmes: ReadonlyMap<string, SmallProgramme>, now: number): SmallCue {
    const wall = this.#wallOf(manifest, now)
    const opened = this.#openedAt(manifest, wall)
    if (opened === 'closed') return { silent: 'closed' }
    const started = manifest.publications
      .map(publication => ({ publication, from: this.#startOf(manifest, publication) }))
      .filter(({ from }) => from <= now)
      .toSorted((a, b) => b.from - a.from)[0]
    const programme = programmes.get(started?.publication.programme ?? '')
    if (!started || !programme) return { silent: 'no-publication' }
    const { publication, from } = started
    const { startDate, endDate } = programme.playlist
    const day = new Date(wall).toISOString().slice(0, 10)
    const isOver = (startDate !== null && day < startDate) || (endDate !== null && day > endDate)
    if (isOver && !this.#faults.ignoresDates) return { silent: 'outside-dates' }
    if (programme.playlist.form === 'smart') return this.#smart(publication, programme, { now, wall })
    const offset = wall - now
    const opening = opened === null || this.#faults.opensAtActivation ? -Infinity : opened - offset
    const joined = this.#joinedAt.get(publication.uid) ?? now
    this.#joinedAt.set(publication.uid, joined)
    const origin = this.#faults.startsNow ? joined : Math.max(from, opening)
    return this.#simple(publication, programme, { now, origin, offset })
  }

  #wallOf({ device }: SmallManifest, at: number): number {
    if (this.#faults.ignoresZone) return at
    const rule = device.zoneOffsets.offsets.findLast(({ from }) => Date.parse(from) <= at)
    return at + (rule?.minutes ?? 0) * 60_000
  }

  /** The wall time of the last opening; null where it is always open. */
  #openedAt({ device }: SmallManifest, wall: number): number | 'closed' | null {
    const { openingTime, closingTime } = device
    if (openingTime === null || closingTime === null || this.#faults.ignoresHours) return null
    const opening = floorDay(wall) + msOf(openingTime)
    return wall >= opening && wall < floorDay(wall) + msOf(closingTime) ? opening : 'closed'
  }

  #startOf(manifest: SmallManifest, { activatedAt, startsAt }: SmallPublication): number {
    if (startsAt?.wall === undefined) return Date.parse(startsAt?.at ?? activatedAt)
    const wall = Date.parse(`${startsAt.wall}Z`)
    return wall - (this.#wallOf(manifest, wall) - wall)
  }

  #simple(
    publication: SmallPublication,
    { playlist, files }: SmallProgramme,
    { now, origin, offset }: { now: number; origin: number; offset: number },
  ): SmallCue {
    const items = playlist.items ?? []
    const isTimed = (item: SmallItem) => item.startTime !== null && !this.#faults.ignoresStartTime
    const loop = items
      .filter(item => !isTimed(item))
      .flatMap(item => Array<SmallItem>(this.#faults.playsOnce ? 1 : item.plays).fill(item))
    const timed = items
      .filter(isTimed)
      .map(item => ({ item, due: floorDay(origin + offset) - offset + msOf(item.startTime ?? '') }))
      .filter(({ due }) => due >= origin)
    const lengthOf = (item: SmallItem) => (files[item.file]?.durationSeconds ?? 0) * 1000
    for (let at = origin, n = 0; ;) {
      const index = timed.findIndex(({ due }) => due <= at)
      const item = index >= 0 ? timed.splice(index, 1)[0]?.item : loop[n++ % loop.length]
      const file = files[item?.file ?? -1]
      if (!item || !file) return { silent: 'empty' }
      if (at + lengthOf(item) > now) return { publication, playlist, itemUid: item.uid, file, startsAt: at }
      at += lengthOf(item)
    }
  }

  #smart(
    publication: SmallPublication,
    { playlist, files }: SmallProgramme,
    { now, wall }: { now: number; wall: number },
  ): SmallCue {
    const window = floorDay(wall) + msOf(playlist.startDay ?? '00:00')
    for (const block of playlist.blocks ?? []) {
      let at = window + Math.round(block.start * 1000)
      for (const [index, number] of block.files.entries()) {
        const file = files[number]
        if (!file) continue
        at += this.#faults.ignoresGaps ? 0 : (block.gaps[index] ?? 0)
        const end = at + file.durationSeconds * 1000
        if (at <= wall && wall < end)
          return { publication, playlist, itemUid: null, file, startsAt: at - wall + now }
        at = end
      }
    }
    return { silent: 'empty' }
  }
}
