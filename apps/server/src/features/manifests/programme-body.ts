import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DevicePublication } from '@floorcast/contract/device-manifest.ts'
import type { DeviceProgramme } from '@floorcast/contract/device-programme.ts'
import type { BlockKind, Kind } from '@floorcast/contract/fields.ts'
import type {
  FormerPublication,
  ManifestBlock,
  ManifestFile,
  ManifestItem,
} from '@floorcast/contract/manifest.ts'
import type { MediaType } from '@floorcast/contract/media.ts'
import { writeProgramme } from '@floorcast/contract/programme.ts'

/** One version of a media item's file. */
export interface SourceFile {
  mediaUid: string
  mediaName: string
  contentType: MediaType
  sha256: string
  sizeBytes: number
  durationSeconds: number
  integratedLufs: number | null
  truePeakDbtp: number | null
}

/** One item of a published playlist with the file that it plays. */
export interface SourceItem extends SourceFile {
  uid: string
  position: number
  repeatCount: number | null
  replaySeconds: number | null
  startTime: string | null
}

/** A block of a smart playlist's day, with the item's position and the start of each play, in seconds from the window's start. */
export interface SourceBlock {
  kind: BlockKind
  startSeconds: number
  durationSeconds: number
  tracks: readonly number[]
  starts: readonly number[]
}

/** A publication that is active or delayed, with its playlist. */
export interface SourcePublication {
  uid: string
  name: string
  revision: number
  activatedAt: string
  startsAt: string | null
  startsAtWall: string | null
  playlist: {
    uid: string
    name: string
    kind: Kind
    crossfadeSeconds: number
    startDate: string | null
    endDate: string | null
  }
  /** The items; of a smart playlist those that its day plays. */
  items: readonly SourceItem[]
  /** A smart playlist's day; null for a simple one. */
  day: { startDay: string; endDay: string; blocks: readonly SourceBlock[] } | null
}

/** Describing so many items takes a few milliseconds. */
const ITEMS_A_TURN = 2000

/** A list of files, each once. */
export class FileList {
  readonly all: ManifestFile[] = []
  readonly #indexes = new Map<string, number>()

  indexOf(file: ManifestFile): number {
    return this.#indexOf(file, () => file)
  }

  /** Describes a file once, however many items play it. */
  indexOfSource(source: SourceFile): number {
    return this.#indexOf(source, () => fileOf(source))
  }

  #indexOf({ mediaUid, sha256 }: { mediaUid: string; sha256: string }, describe: () => ManifestFile): number {
    const key = mediaUid + sha256
    const known = this.#indexes.get(key)
    if (known !== undefined) return known
    this.#indexes.set(key, this.all.length)
    return this.all.push(describe()) - 1
  }
}

/** A file as documents for devices name it. */
function fileOf(file: SourceFile): ManifestFile {
  const { mediaUid, sha256, integratedLufs, truePeakDbtp } = file
  return {
    mediaUid,
    sha256,
    name: file.mediaName,
    contentType: file.contentType,
    sizeBytes: file.sizeBytes,
    durationSeconds: roundToMs(file.durationSeconds),
    loudness:
      integratedLufs === null || truePeakDbtp === null
        ? null
        : { integratedLufs: roundToHundredth(integratedLufs), truePeakDbtp: roundToHundredth(truePeakDbtp) },
    path: `/api/v2/iplay/media/${mediaUid}/${sha256}`,
  }
}

/** A publication without what it plays. */
export function headOf(publication: SourcePublication): Omit<FormerPublication, 'playlist'> {
  const { uid, name, revision, activatedAt, startsAt, startsAtWall } = publication
  return {
    uid,
    name,
    revision,
    activatedAt,
    startsAt: startsAt !== null ? { at: startsAt } : startsAtWall !== null ? { wall: startsAtWall } : null,
  }
}

const headOfPlaylist = ({ playlist }: SourcePublication) => {
  const { uid, name, kind, crossfadeSeconds, startDate, endDate } = playlist
  return { uid, name, kind, crossfadeSeconds, startDate, endDate }
}

const itemsOf = (items: readonly SourceItem[], files: FileList) =>
  items.map((item): ManifestItem => ({
    uid: item.uid,
    file: files.indexOfSource(item),
    plays: playsOf(item),
    startTime: item.startTime,
  }))

/** What a publication's playlist plays. */
export function programmeOf(publication: SourcePublication): DeviceProgramme {
  const { items, day } = publication
  const files = new FileList()
  const head = headOfPlaylist(publication)
  const playlist = day
    ? { form: 'smart' as const, ...head, ...dayOf(day, items, files) }
    : { form: 'simple' as const, ...head, items: itemsOf(items, files) }
  return { playlist, files: files.all }
}

/** A publication as devices read it. */
export const publicationOf = (publication: SourcePublication): DevicePublication => ({
  ...headOf(publication),
  ...programmeOf(publication),
})

/**
 * The programme of a publication as it is sent, and its hash. A playlist may have 100,000 items: the server answers other calls
 * between parts of it.
 */
export async function writeDocument(
  publication: SourcePublication,
): Promise<{ sha256: string; text: string }> {
  const { items, day } = publication
  const isLong = day === null && items.length > ITEMS_A_TURN
  const text = isLong
    ? await writeLongList(publication)
    : JSON.stringify(writeProgramme(programmeOf(publication)))
  return { text, sha256: createHash('sha256').update(text).digest('hex') }
}

/** The same text as that of the whole programme at once. */
async function writeLongList(publication: SourcePublication): Promise<string> {
  const files = new FileList()
  const playlist = { form: 'simple' as const, ...headOfPlaylist(publication), items: [] }
  const items = await writeList(publication.items, some => itemsOf(some, files))
  const listed = await writeList(files.all, some => writeProgramme({ playlist, files: some }).files)
  const head = JSON.stringify(writeProgramme({ playlist, files: [] })).slice(0, -'[]},"files":[]}'.length)
  return `${head}${items}},"files":${listed}}`
}

async function writeList<T>(
  list: readonly T[],
  describe: (some: readonly T[]) => readonly unknown[],
): Promise<string> {
  const texts: string[] = []
  for (let from = 0; from < list.length; from += ITEMS_A_TURN) {
    texts.push(JSON.stringify(describe(list.slice(from, from + ITEMS_A_TURN))).slice(1, -1))
    await nextTurn()
  }
  return `[${texts.join(',')}]`
}

/** Players count in whole milliseconds. Fifteen digits for each length would add a tenth to the document. */
const roundToMs = (seconds: number) => Math.round(seconds * 1000) / 1000
const roundToHundredth = (decibels: number) => Math.round(decibels * 100) / 100

function dayOf(
  { startDay, endDay, blocks }: NonNullable<SourcePublication['day']>,
  items: readonly SourceItem[],
  files: FileList,
) {
  const byPosition = new Map(
    items.map(item => {
      const duration = roundToMs(item.durationSeconds)
      return [item.position, { file: files.indexOfSource(item), duration }]
    }),
  )
  return {
    startDay,
    endDay,
    blocks: blocks.map(({ kind, startSeconds, durationSeconds, tracks, starts }): ManifestBlock => ({
      kind,
      start: roundToMs(startSeconds),
      duration: roundToMs(durationSeconds),
      items: starts.flatMap((start, index) => {
        const item = byPosition.get(tracks[index] ?? 0)
        return item ? [{ file: item.file, start: roundToMs(start), duration: item.duration }] : []
      }),
    })),
  }
}

/** The repeat count, or the whole plays that fit in the replay duration, at least one. */
export function playsOf(item: Pick<SourceItem, 'repeatCount' | 'replaySeconds' | 'durationSeconds'>): number {
  if (item.replaySeconds === null) return Math.max(1, item.repeatCount ?? 1)
  // A millisecond of tolerance for binary fractions: three plays of 20.1 s fit in 60.3 s.
  return Math.max(1, Math.floor((item.replaySeconds + 0.001) / item.durationSeconds))
}
