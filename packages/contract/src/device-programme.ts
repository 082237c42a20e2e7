import { z } from 'zod'
import { Kind, Seconds } from './fields.ts'
import { ManifestBlock, ManifestFile, ManifestItem, ManifestPlaylist, Programme } from './manifest.ts'
import { Loudness } from './media.ts'

/*
 * Parses programmes on devices, and the parts that manifests of protocol 1 share with them, as a tolerant reader: see
 * device-manifest.ts.
 */

/** What a publication plays, as a device reads it. Devices with the same programme can share one object. */
export interface DeviceProgramme {
  playlist: ManifestPlaylist
  /** The playlist's items index them. */
  files: readonly ManifestFile[]
  /** Files and items that this version cannot play. With any of them the publication never counts as completely held. */
  skipped?: number
}

export interface ProgrammeReading {
  /** Null if this version cannot read it. */
  programme: DeviceProgramme | null
  /** A line for each part that this version does not know. */
  unknown: string[]
}

const list = z.array(z.unknown())

const AnyFile = ManifestFile.extend({
  loudness: Loudness.nullable().catch(null),
  /** Programmes leave it out. */
  path: z.string().optional(),
}).transform(({ path, ...file }) => ({
  ...file,
  path: path ?? `/api/v2/iplay/media/${file.mediaUid}/${file.sha256}`,
}))
/** Later servers name by `kind` items that are not played like a file. */
const AnyItem = ManifestItem.extend({ kind: z.never().optional() })
const AnyPlay = z.object({ ...ManifestBlock.shape.items.element.shape, kind: z.never().optional() })
const AnyBlock = ManifestBlock.extend({ items: list })
const [Simple, Smart] = ManifestPlaylist.options
const [, DenseSmart] = Programme.shape.playlist.options
/** Players use the content type of each file and limit each overlap. */
const loose = { kind: Kind.catch('audio'), crossfadeSeconds: z.number().min(0).catch(0) }
const AnyPlaylist = z.discriminatedUnion('form', [
  Simple.extend({ ...loose, items: list }),
  Smart.extend({ ...loose, blocks: list }),
])
const AnyProgramme = z.object({
  playlist: z.discriminatedUnion('form', [
    Simple.extend({ ...loose, items: list }),
    DenseSmart.extend({ ...loose, blocks: list }),
  ]),
  files: list,
})
const DenseBlock = DenseSmart.shape.blocks.element
const HasLength = z.object({ durationSeconds: Seconds })

/** Collects unknown parts: one line for each kind, with the names of the first ones. */
export class Unknowns {
  readonly #found = new Map<string, string[]>()
  readonly #lines = new Set<string>()

  add(what: string, name: string): void {
    this.#found.set(what, [...(this.#found.get(what) ?? []), name.slice(0, 60)])
  }

  addLine(line: string): void {
    this.#lines.add(line)
  }

  get lines(): string[] {
    const found = [...this.#found].map(([what, names]) => {
      const more = names.length > 3 ? ` and ${names.length - 3} more` : ''
      return `${what}: ${names.slice(0, 3).join(', ')}${more}`
    })
    return [...found, ...this.#lines]
  }
}

export const fieldOf = (value: unknown, field: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : undefined

/** Describes a part by its field, such as `content type 'holograms'`, or by its kind if the field is missing. */
export function describe(value: unknown, part: string, field: string): string {
  const kind = fieldOf(value, field)
  return typeof kind === 'string' ? `${part} '${kind.slice(0, 60)}'` : `${part} of another form`
}

export const nameOf = (value: unknown): string => {
  const name = fieldOf(value, 'name') ?? fieldOf(value, 'uid')
  return typeof name === 'string' ? name : 'one without a name'
}

/** The readable files, and the new index of each file of the sent list. */
export interface FileReading {
  files: ManifestFile[]
  indexOf: ReadonlyMap<number, number>
}

export function readFiles(sent: readonly unknown[], unknowns: Unknowns): FileReading {
  const files: ManifestFile[] = []
  const indexOf = new Map<number, number>()
  sent.forEach((value, index) => {
    const file = AnyFile.safeParse(value).data
    if (file) indexOf.set(index, files.push(file) - 1)
    else unknowns.add(`skipped, ${describe(value, 'content type', 'contentType')}`, nameOf(value))
  })
  return { files, indexOf }
}

/** Reads the items or plays of a list; `missed` collects the unplayable ones. */
function readItems<T extends { file: number }>(
  sent: readonly unknown[],
  Item: z.ZodType<T & { kind?: undefined }>,
  { files, unknowns, missed }: { files: FileReading; unknowns: Unknowns; missed: Set<unknown> },
): T[] {
  return sent.flatMap(value => {
    const read = Item.safeParse(value).data
    if (!read) {
      unknowns.add(`skipped, ${describe(value, 'item kind', 'kind')}`, nameOf(value))
      missed.add(value)
      return []
    }
    const { kind: _, ...item } = read
    const file = files.indexOf.get(item.file)
    if (file === undefined) missed.add(item.file)
    return file === undefined ? [] : [{ ...(item as unknown as T), file }]
  })
}

interface PlaylistReading {
  files: FileReading
  unknowns: Unknowns
  missed: Set<unknown>
}

function readBlocks(
  sent: readonly unknown[],
  expand: (block: unknown) => unknown,
  of: PlaylistReading,
): ManifestBlock[] {
  return sent.flatMap(value => {
    const block = AnyBlock.safeParse(expand(value)).data
    if (block) return [{ ...block, items: readItems(block.items, AnyPlay, of) }]
    of.unknowns.add(`skipped, ${describe(value, 'block kind', 'kind')}`, nameOf(value))
    of.missed.add(value)
    return []
  })
}

const skippedOf = ({ missed }: PlaylistReading) => (missed.size > 0 ? { skipped: missed.size } : {})

/** The publication of a manifest of protocol 1, which has its playlist itself. */
export function readFormerProgramme(
  publication: { name: string; playlist?: unknown },
  files: FileReading,
  unknowns: Unknowns,
): DeviceProgramme | null {
  const playlist = AnyPlaylist.safeParse(publication.playlist).data
  if (!playlist) {
    const what = describe(publication.playlist, 'playlist form', 'form')
    unknowns.add(`skipped, ${what}`, publication.name)
    return null
  }
  const of = { files, unknowns, missed: new Set<unknown>() }
  const read: ManifestPlaylist =
    playlist.form === 'simple'
      ? { ...playlist, items: readItems<ManifestItem>(playlist.items, AnyItem, of) }
      : { ...playlist, blocks: readBlocks(playlist.blocks, block => block, of) }
  return { playlist: read, files: files.files, ...skippedOf(of) }
}

/** The start of each play of a block that names files and gaps; null if a length is missing. */
function expandBlock(sent: unknown, lengthMsOf: (file: number) => number | undefined): unknown {
  const block = DenseBlock.pick({ files: true, gaps: true }).safeParse(sent).data
  const start = Seconds.safeParse(fieldOf(sent, 'start')).data
  if (!block || start === undefined) return null
  let end = Math.round(start * 1000)
  const items: z.infer<typeof AnyPlay>[] = []
  for (const [index, file] of block.files.entries()) {
    const lengthMs = lengthMsOf(file)
    if (lengthMs === undefined) return null
    const from = end + (block.gaps[index] ?? 0)
    end = from + lengthMs
    items.push({ file, start: from / 1000, duration: lengthMs / 1000 })
  }
  return { ...(sent as object), items }
}

/** Parses a programme of a server of any version. Never throws. */
export function parseProgramme(value: unknown): ProgrammeReading {
  const unknowns = new Unknowns()
  const sent = AnyProgramme.safeParse(value).data
  if (!sent) {
    const what = describe(fieldOf(value, 'playlist'), 'playlist form', 'form')
    return { programme: null, unknown: [`skipped, ${what}: ${nameOf(fieldOf(value, 'playlist'))}`] }
  }
  const files = readFiles(sent.files, unknowns)
  const of = { files, unknowns, missed: new Set<unknown>() }
  // A file that this version cannot play still takes its time.
  const lengths = sent.files.map(file => HasLength.safeParse(file).data?.durationSeconds)
  const lengthMsOf = (file: number) => {
    const seconds = lengths[file]
    return seconds === undefined ? undefined : Math.round(seconds * 1000)
  }
  const { playlist } = sent
  const read: ManifestPlaylist =
    playlist.form === 'simple'
      ? { ...playlist, items: readItems<ManifestItem>(playlist.items, AnyItem, of) }
      : { ...playlist, blocks: readBlocks(playlist.blocks, block => expandBlock(block, lengthMsOf), of) }
  return { programme: { playlist: read, files: files.files, ...skippedOf(of) }, unknown: unknowns.lines }
}
