import type { Kind, BlockKind } from '@floorcast/contract/fields.ts'
import { createHash } from 'node:crypto'
import {
  type AlertKind,
  defaultSettings,
  DeviceSettings,
  type Manifest,
  type ManifestAlert,
  type ManifestBlock,
  type ManifestFile,
  type ManifestItem,
  type ManifestPlaylist,
  type ManifestPublication,
  type ManifestUpdate,
  PROTOCOL,
} from '@floorcast/contract/manifest.ts'
import type { MediaType } from '@floorcast/contract/media.ts'
import {
  DEFAULT_VOLUME,
  effectiveTags,
  type TagPolicy,
  type Tags,
  volumeOf,
} from '@floorcast/contract/tags.ts'
import { soundsOf } from './alert-sounds.ts'

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

/** The database rows that a device's manifest is made of. */
export interface ManifestSource {
  device: { uid: string; name: string; kind: Kind }
  tagPolicy: TagPolicy
  tags: { device: Tags; group: Tags; client: Tags }
  /** Settings of the profiles that apply, as last activated, oldest first. */
  profiles: readonly unknown[]
  /** The files of the media that those profiles name, by media uid. */
  sounds: ReadonlyMap<string, SourceFile>
  alerts: readonly { uid: string; kind: AlertKind; beganAt: string; isDrill: boolean }[]
  publications: readonly SourcePublication[]
  update: ManifestUpdate | null
}

const ProfileSettings = DeviceSettings.partial()

/** A manifest as it is stored and sent. */
export interface ManifestDocument {
  generation: number
  /** Quoted, as in the ETag header. */
  etag: string
  body: string
}

/** The predecessor of a device's first manifest. */
export const NO_MANIFEST: ManifestDocument = { generation: 0, etag: '', body: '' }

/** Makes the document of a source: the former one if no byte would differ, else the next generation. */
export function makeDocument(source: ManifestSource, former: ManifestDocument): ManifestDocument {
  if (former.body !== '' && writeBody(source, former.generation) === former.body) return former
  const generation = former.generation + 1
  const body = writeBody(source, generation)
  return { generation, etag: `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`, body }
}

/** The body of the answer: `{"data": manifest}` with fields in a fixed order. */
const writeBody = (source: ManifestSource, generation: number) =>
  JSON.stringify({ data: manifestOf(source, generation) })

/** The device's part of its manifest. */
export function deviceOf(
  { device, tagPolicy, tags: own }: ManifestSource,
  defaultVolume = DEFAULT_VOLUME,
): Manifest['device'] {
  const tags = effectiveTags(tagPolicy, own)
  return {
    uid: device.uid,
    name: device.name,
    kind: device.kind,
    timeZone: zoneOf(tags),
    volume: volumeOf(tags) ?? defaultVolume,
    openingTime: timeOf(tags['openingTime']),
    closingTime: timeOf(tags['closingTime']),
  }
}

/** Makes a device's manifest. */
export function manifestOf(source: ManifestSource, generation: number): Manifest {
  const tags = effectiveTags(source.tagPolicy, source.tags)
  const settings = mergeSettings(source.profiles)
  const files = new FileList()
  const publications = source.publications.map(publication => publicationOf(publication, files))
  const sounds = listSounds(source, files)
  return {
    protocol: PROTOCOL,
    generation,
    device: deviceOf(source, settings.defaultVolume),
    tags,
    settings,
    alerts: source.alerts.map(({ uid, kind, beganAt, isDrill }): ManifestAlert => ({
      uid,
      kind,
      beganAt,
      isDrill,
      file: sounds.get(kind) ?? null,
    })),
    // Both are omitted if they are empty, so that manifests of former versions keep their bytes.
    ...(sounds.size > 0 ? { alertSounds: Object.fromEntries(sounds) } : {}),
    publications,
    files: files.all,
    ...(source.update ? { update: source.update } : {}),
  }
}

/** The sounds of all kinds of alerts, so that a device holds them before an alert. */
function listSounds({ profiles, sounds }: ManifestSource, files: FileList): Map<AlertKind, number> {
  const indexes = new Map<AlertKind, number>()
  for (const { kind, mediaUid } of soundsOf(profiles)) {
    const file = sounds.get(mediaUid)
    if (file) indexes.set(kind, files.indexOf(file))
  }
  return indexes
}

/** The files of all publications and of alerts, each once. */
class FileList {
  readonly all: ManifestFile[] = []
  readonly #indexes = new Map<string, number>()

  indexOf(file: SourceFile): number {
    const path = `/api/v2/iplay/media/${file.mediaUid}/${file.sha256}`
    const known = this.#indexes.get(path)
    if (known !== undefined) return known
    this.#indexes.set(path, this.all.length)
    return this.all.push(fileOf(file, path)) - 1
  }
}

function fileOf(file: SourceFile, path: string): ManifestFile {
  const { integratedLufs, truePeakDbtp } = file
  return {
    mediaUid: file.mediaUid,
    sha256: file.sha256,
    name: file.mediaName,
    contentType: file.contentType,
    sizeBytes: file.sizeBytes,
    durationSeconds: file.durationSeconds,
    loudness: integratedLufs === null || truePeakDbtp === null ? null : { integratedLufs, truePeakDbtp },
    path,
  }
}

function publicationOf(publication: SourcePublication, files: FileList): ManifestPublication {
  const { uid, name, revision, activatedAt, startsAt, startsAtWall } = publication
  return {
    uid,
    name,
    revision,
    activatedAt,
    startsAt: startsAt !== null ? { at: startsAt } : startsAtWall !== null ? { wall: startsAtWall } : null,
    playlist: playlistOf(publication, files),
  }
}

function playlistOf({ playlist, items, day }: SourcePublication, files: FileList): ManifestPlaylist {
  const { uid, name, kind, crossfadeSeconds, startDate, endDate } = playlist
  const head = { uid, name, kind, crossfadeSeconds, startDate, endDate }
  if (day) return { form: 'smart', ...head, ...dayOf(day, items, files) }
  return {
    form: 'simple',
    ...head,
    items: items.map((item): ManifestItem => ({
      uid: item.uid,
      file: files.indexOf(item),
      plays: playsOf(item),
      startTime: item.startTime,
    })),
  }
}

/** Players count in whole milliseconds. Fifteen digits for each start would double the size of the document. */
const roundToMs = (seconds: number) => Math.round(seconds * 1000) / 1000

function dayOf(
  { startDay, endDay, blocks }: NonNullable<SourcePublication['day']>,
  items: readonly SourceItem[],
  files: FileList,
) {
  const byPosition = new Map(items.map(item => [item.position, item]))
  const playOf = (start: number, position: number | undefined) => {
    const item = byPosition.get(position ?? 0)
    if (!item) return []
    return [{ file: files.indexOf(item), start: roundToMs(start), duration: roundToMs(item.durationSeconds) }]
  }
  return {
    startDay,
    endDay,
    blocks: blocks.map(({ kind, startSeconds, durationSeconds, tracks, starts }): ManifestBlock => ({
      kind,
      start: roundToMs(startSeconds),
      duration: roundToMs(durationSeconds),
      items: starts.flatMap((start, index) => playOf(start, tracks[index])),
    })),
  }
}

/** The repeat count, or the whole plays that fit in the replay duration, at least one. */
export function playsOf(item: Pick<SourceItem, 'repeatCount' | 'replaySeconds' | 'durationSeconds'>): number {
  if (item.replaySeconds === null) return Math.max(1, item.repeatCount ?? 1)
  // A millisecond of tolerance for binary fractions: three plays of 20.1 s fit in 60.3 s.
  return Math.max(1, Math.floor((item.replaySeconds + 0.001) / item.durationSeconds))
}

function mergeSettings(profiles: readonly unknown[]): DeviceSettings {
  const settings = { ...defaultSettings }
  for (const profile of profiles) {
    const known = ProfileSettings.safeParse(profile).data ?? {}
    for (const [key, value] of Object.entries(known))
      if (value !== undefined) Object.assign(settings, { [key]: value })
  }
  return settings
}

function timeOf(text: string | undefined): string | null {
  return text !== undefined && /^([01]\d|2[0-3]):[0-5]\d$/.test(text) ? text : null
}

/** The tag's zone if there is such a zone, else UTC. */
function zoneOf(tags: Tags): string {
  const zone = tags['timeZone']
  if (zone === undefined) return 'UTC'
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return zone
  } catch {
    return 'UTC'
  }
}
