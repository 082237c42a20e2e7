import { z } from 'zod'
import { Kind, TimeOfDay, Uid } from './fields.ts'
import {
  AlertKind,
  defaultSettings,
  DeviceSettings,
  type Manifest,
  type ManifestAlert,
  ManifestBlock,
  ManifestFile,
  ManifestItem,
  ManifestPlaylist,
  ManifestPublication,
  ManifestUpdate,
  PROTOCOL,
} from './manifest.ts'
import { Loudness } from './media.ts'
import { DEFAULT_VOLUME } from './tags.ts'

/*
 * Parses manifests on devices, as a tolerant reader. A device runs for years and newer servers must never silence it. It
 * ignores unknown fields. It parses each part separately: an alert of an unknown kind sounds as the siren, and an unreadable
 * item, block, publication or update is skipped and reported.
 */

/** An alert as a device reads it: of any kind. */
export type DeviceAlert = Omit<ManifestAlert, 'kind'> & { kind: string }

/** A publication as a device reads it. */
export type DevicePublication = ManifestPublication & {
  /** Files and items that this version cannot play. With any of them the publication never counts as completely held. */
  skipped?: number
}

/** A manifest as a device reads it; every `Manifest` is one. */
export type DeviceManifest = Omit<Manifest, 'protocol' | 'alerts' | 'alertSounds' | 'publications'> & {
  protocol: number
  alerts: DeviceAlert[]
  alertSounds?: { [kind: string]: number } | undefined
  publications: DevicePublication[]
}

export interface ManifestReading {
  manifest: DeviceManifest
  /** A line for each part that this version does not know, for the device's debug log; empty for a server of the same version. */
  unknown: string[]
}

const Index = z.int().nonnegative()
const list = z.array(z.unknown())

const Frame = z.object({
  protocol: z.int().catch(PROTOCOL),
  generation: Index.catch(0),
  device: z.object({
    uid: Uid,
    name: z.string().catch(''),
    kind: Kind.catch('audio'),
    timeZone: z.string().catch('UTC'),
    volume: z.int().min(0).max(100).catch(DEFAULT_VOLUME),
    openingTime: TimeOfDay.nullable().catch(null),
    closingTime: TimeOfDay.nullable().catch(null),
  }),
  tags: z.record(z.string(), z.string()).catch({}),
  settings: z.record(z.string(), z.unknown()).catch({}),
  alerts: list,
  alertSounds: z.record(z.string(), z.unknown()).catch({}),
  publications: list,
  files: list,
  update: z.unknown().optional(),
})

const AnyAlert = z.object({
  uid: Uid,
  kind: z.string(),
  beganAt: z.string().catch(''),
  isDrill: z.boolean().catch(false),
  file: Index.nullable().catch(null),
})
const AnyFile = ManifestFile.extend({ loudness: Loudness.nullable().catch(null) })
/** Later servers name by `kind` items that are not played like a file. */
const AnyItem = ManifestItem.extend({ kind: z.never().optional() })
const AnyPlay = z.object({ ...ManifestBlock.shape.items.element.shape, kind: z.never().optional() })
const AnyBlock = ManifestBlock.extend({ items: list })
const AnyPublication = ManifestPublication.extend({ playlist: z.unknown().optional() })
const [Simple, Smart] = ManifestPlaylist.options
/** Players use the content type of each file and limit each overlap. */
const loose = { kind: Kind.catch('audio'), crossfadeSeconds: z.number().min(0).catch(0) }
const AnyPlaylist = z.discriminatedUnion('form', [
  Simple.extend({ ...loose, items: list }),
  Smart.extend({ ...loose, blocks: list }),
])

/** Collects unknown parts: one line for each kind, with the names of the first ones. */
class Unknowns {
  readonly #found = new Map<string, string[]>()

  add(what: string, name: string): void {
    this.#found.set(what, [...(this.#found.get(what) ?? []), name.slice(0, 60)])
  }

  get lines(): string[] {
    return [...this.#found].map(([what, names]) => {
      const more = names.length > 3 ? ` and ${names.length - 3} more` : ''
      return `${what}: ${names.slice(0, 3).join(', ')}${more}`
    })
  }
}

const fieldOf = (value: unknown, field: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[field] : undefined

/** Describes a part by its field, such as `content type 'holograms'`, or by its kind if the field is missing. */
function describe(value: unknown, part: string, field: string): string {
  const kind = fieldOf(value, field)
  return typeof kind === 'string' ? `${part} '${kind.slice(0, 60)}'` : `${part} of another form`
}

const nameOf = (value: unknown): string => {
  const name = fieldOf(value, 'name') ?? fieldOf(value, 'uid')
  return typeof name === 'string' ? name : 'one without a name'
}

/** The readable files, and the new index of each file of the sent list. */
interface FileReading {
  files: ManifestFile[]
  indexOf: ReadonlyMap<number, number>
}

function readFiles(sent: readonly unknown[], unknowns: Unknowns): FileReading {
  const files: ManifestFile[] = []
  const indexOf = new Map<number, number>()
  sent.forEach((value, index) => {
    const file = AnyFile.safeParse(value).data
    if (file) indexOf.set(index, files.push(file) - 1)
    else unknowns.add(`skipped, ${describe(value, 'content type', 'contentType')}`, nameOf(value))
  })
  return { files, indexOf }
}

function readAlerts(sent: readonly unknown[], files: FileReading, unknowns: Unknowns): DeviceAlert[] {
  return sent.flatMap(value => {
    const alert = AnyAlert.safeParse(value).data
    if (!alert) {
      unknowns.add('skipped, an alert of another form', nameOf(value))
      return []
    }
    if (AlertKind.safeParse(alert.kind).success)
      return [{ ...alert, file: files.indexOf.get(alert.file ?? -1) ?? null }]
    unknowns.add(`sounds as the siren, ${describe(alert, 'alert kind', 'kind')}`, alert.uid)
    return [{ ...alert, file: null }]
  })
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

function readPublication(value: unknown, files: FileReading, unknowns: Unknowns): DevicePublication[] {
  const publication = AnyPublication.safeParse(value).data
  const playlist = AnyPlaylist.safeParse(publication?.playlist).data
  if (!publication || !playlist) {
    const what = describe(fieldOf(value, 'playlist'), 'playlist form', 'form')
    unknowns.add(`skipped, ${publication ? what : 'a publication of another form'}`, nameOf(value))
    return []
  }
  const missed = new Set<unknown>()
  const of = { files, unknowns, missed }
  const read: ManifestPlaylist =
    playlist.form === 'simple'
      ? { ...playlist, items: readItems<ManifestItem>(playlist.items, AnyItem, of) }
      : {
          ...playlist,
          blocks: playlist.blocks.flatMap(sent => {
            const block = AnyBlock.safeParse(sent).data
            if (block) return [{ ...block, items: readItems(block.items, AnyPlay, of) }]
            unknowns.add(`skipped, ${describe(sent, 'block kind', 'kind')}`, publication.name)
            missed.add(sent)
            return []
          }),
        }
  return [{ ...publication, playlist: read, ...(missed.size > 0 ? { skipped: missed.size } : {}) }]
}

/** Parses each setting separately: an unreadable one gets its default. */
function readSettings(sent: Record<string, unknown>): DeviceSettings {
  const read: Record<string, unknown> = { ...defaultSettings }
  for (const [name, schema] of Object.entries(DeviceSettings.shape)) {
    const { data } = schema.safeParse(sent[name])
    if (data !== undefined) read[name] = data
  }
  return DeviceSettings.parse(read)
}

function readAlertSounds(sent: Record<string, unknown>, { indexOf }: FileReading): Record<string, number> {
  const sounds: Record<string, number> = {}
  for (const kind of AlertKind.options) {
    const file = indexOf.get(Index.safeParse(sent[kind]).data ?? -1)
    if (file !== undefined) sounds[kind] = file
  }
  return sounds
}

/**
 * Parses the manifest of a server of any version. Never throws; null for other content, such as the sign-in page of a Wi-Fi
 * network.
 */
export function parseDeviceManifest(value: unknown): ManifestReading | null {
  const frame = Frame.safeParse(value).data
  if (!frame) return null
  const unknowns = new Unknowns()
  if (frame.protocol > PROTOCOL)
    unknowns.add(`this version reads protocol ${PROTOCOL}, the server speaks`, String(frame.protocol))
  const files = readFiles(frame.files, unknowns)
  const update = ManifestUpdate.safeParse(frame.update).data
  if (frame.update !== undefined && !update)
    unknowns.add('skipped, an update of another form', nameOf(frame.update))
  const sounds = readAlertSounds(frame.alertSounds, files)
  const { protocol, generation, device, tags } = frame
  const manifest: DeviceManifest = {
    protocol,
    generation,
    device,
    tags,
    settings: readSettings(frame.settings),
    alerts: readAlerts(frame.alerts, files, unknowns),
    ...(Object.keys(sounds).length > 0 ? { alertSounds: sounds } : {}),
    publications: frame.publications.flatMap(sent => readPublication(sent, files, unknowns)),
    files: files.files,
    ...(update ? { update } : {}),
  }
  return { manifest, unknown: unknowns.lines }
}
