import { createHash } from 'node:crypto'
import type { AlertKind } from '@floorcast/contract/alert-kind.ts'
import type { DeviceProgramme } from '@floorcast/contract/device-programme.ts'
import {
  defaultSettings,
  DeviceSettings,
  FORMER_PROTOCOL,
  type FormerManifest,
  type Manifest,
  type ManifestAlert,
  type ManifestFile,
  type ManifestPlaylist,
  type ManifestPublication,
  type ManifestUpdate,
  PROTOCOL,
  type ZoneOffsets,
} from '@floorcast/contract/manifest.ts'
import {
  DEFAULT_VOLUME,
  effectiveTags,
  type TagPolicy,
  type Tags,
  volumeOf,
} from '@floorcast/contract/tags.ts'
import type { Kind } from '@floorcast/contract/fields.ts'
import { listOffsets } from '@floorcast/playback/zone.ts'
import { LRUCache } from 'lru-cache'
import { soundsOf } from './alert-sounds.ts'
import { FileList, type SourceFile } from './programme-body.ts'

/** What a device's manifest says of its group. */
export interface GroupContent {
  tags: Tags
  settings: DeviceSettings
  /** The sounds of alerts by kind, as indexes into `files`. */
  sounds: ReadonlyMap<AlertKind, number>
  files: readonly ManifestFile[]
  publications: readonly ManifestPublication[]
  update: ManifestUpdate | null
}

export interface OpenAlertContent {
  uid: string
  kind: AlertKind
  beganAt: string
  isDrill: boolean
}

/** What a manifest is made of. */
export interface ManifestContent {
  device: { uid: string; name: string; kind: Kind; tagPolicy: TagPolicy | null; tags: Tags }
  client: { tagPolicy: TagPolicy; tags: Tags }
  group: GroupContent
  alerts: readonly OpenAlertContent[]
}

const ProfileSettings = DeviceSettings.partial()

/** A manifest's number, hash and bytes. */
export interface ManifestDocument {
  generation: number
  etag: string
  body: string
}

/** Makes the document: with the former number if no byte would differ, else with the next one. */
export function makeDocument(
  content: ManifestContent,
  former: { generation: number; etag: string },
): ManifestDocument {
  if (former.etag !== '') {
    const same = writeBody(content, former.generation)
    if (same.etag === former.etag) return same
  }
  return writeBody(content, former.generation + 1)
}

function writeBody(content: ManifestContent, generation: number): ManifestDocument {
  const body = JSON.stringify({ data: manifestOf(content, generation) })
  return { generation, body, etag: createHash('sha256').update(body).digest('hex').slice(0, 32) }
}

/** The device's part of its manifest. */
export function deviceOf(
  { device, client }: Pick<ManifestContent, 'device' | 'client'>,
  group: Pick<GroupContent, 'tags' | 'settings'>,
): Manifest['device'] {
  const tags = tagsOf({ device, client }, group)
  const timeZone = zoneOf(tags)
  return {
    uid: device.uid,
    name: device.name,
    kind: device.kind,
    timeZone,
    zoneOffsets: offsetsByZone.memo(timeZone),
    volume: volumeOf(tags) ?? group.settings.defaultVolume,
    openingTime: timeOf(tags['openingTime']),
    closingTime: timeOf(tags['closingTime']),
  }
}

const tagsOf = (
  { device, client }: Pick<ManifestContent, 'device' | 'client'>,
  group: Pick<GroupContent, 'tags'>,
) =>
  effectiveTags(device.tagPolicy ?? client.tagPolicy, {
    device: device.tags,
    group: group.tags,
    client: client.tags,
  })

/** Makes a device's manifest, with fields in a fixed order. */
export function manifestOf({ device, client, group, alerts }: ManifestContent, generation: number): Manifest {
  return {
    protocol: PROTOCOL,
    generation,
    device: deviceOf({ device, client }, group),
    tags: tagsOf({ device, client }, group),
    settings: group.settings,
    alerts: alerts.map(({ uid, kind, beganAt, isDrill }): ManifestAlert => ({
      uid,
      kind,
      beganAt,
      isDrill,
      file: group.sounds.get(kind) ?? null,
    })),
    ...(group.sounds.size > 0 ? { alertSounds: Object.fromEntries(group.sounds) } : {}),
    ...(group.update ? { update: group.update } : {}),
    publications: [...group.publications],
    files: [...group.files],
  }
}

/** The manifest of protocol 1: the same with its programmes in it, which are given by their hash. */
export function formerManifestOf(
  { publications, files: sounds, ...manifest }: Manifest,
  programmes: ReadonlyMap<string, DeviceProgramme>,
): FormerManifest {
  const files = new FileList()
  for (const file of sounds) files.indexOf(file)
  return {
    ...manifest,
    protocol: FORMER_PROTOCOL,
    publications: publications.flatMap(
      ({ uid, name, revision, activatedAt, startsAt, programme: sha256 }) => {
        const programme = programmes.get(sha256)
        const head = { uid, name, revision, activatedAt, startsAt }
        return programme ? [{ ...head, playlist: reindex(programme, files) }] : []
      },
    ),
    files: files.all,
  }
}

function reindex({ playlist, files: own }: DeviceProgramme, files: FileList): ManifestPlaylist {
  const places = own.map(file => files.indexOf(file))
  const placed = <T extends { file: number }>(item: T): T => ({ ...item, file: places[item.file] ?? 0 })
  return playlist.form === 'simple'
    ? { ...playlist, items: playlist.items.map(placed) }
    : {
        ...playlist,
        blocks: playlist.blocks.map(block => ({ ...block, items: block.items.map(placed) })),
      }
}

/** The sounds of all kinds of alerts, so that a device holds them before an alert. */
export function listSounds(
  profiles: readonly unknown[],
  sources: ReadonlyMap<string, SourceFile>,
): Pick<GroupContent, 'sounds' | 'files'> {
  const files = new FileList()
  const sounds = new Map<AlertKind, number>()
  for (const { kind, mediaUid } of soundsOf(profiles)) {
    const file = sources.get(mediaUid)
    if (file) sounds.set(kind, files.indexOfSource(file))
  }
  return { sounds, files: files.all }
}

export function mergeSettings(profiles: readonly unknown[]): DeviceSettings {
  const settings = { ...defaultSettings }
  for (const profile of profiles) {
    const known = ProfileSettings.safeParse(profile).data ?? {}
    for (const [key, value] of Object.entries(known))
      if (value !== undefined) Object.assign(settings, { [key]: value })
  }
  return settings
}

/** The content of a device without a group. */
export const NO_GROUP: GroupContent = {
  tags: {},
  settings: { ...defaultSettings, defaultVolume: DEFAULT_VOLUME },
  sounds: new Map(),
  files: [],
  publications: [],
  update: null,
}

function timeOf(text: string | undefined): string | null {
  return text !== undefined && /^([01]\d|2[0-3]):[0-5]\d$/.test(text) ? text : null
}

/** The number of remembered zones, known and unknown ones. */
const MAX_ZONES = 1000
/** The years that manifests have the offsets of: without the clock, so that the same state has the same bytes. */
const RULES_YEAR = Number.parseInt(process.versions['tz'] ?? '2026', 10)
const RANGE = { from: Date.UTC(RULES_YEAR - 1, 0), until: Date.UTC(RULES_YEAR + 3, 0) }
const iso = (at: number) => new Date(at).toISOString()
const offsetsByZone = new LRUCache<string, ZoneOffsets>({
  max: MAX_ZONES,
  memoMethod: zone => ({
    from: iso(RANGE.from),
    until: iso(RANGE.until),
    offsets: listOffsets(zone, RANGE).map(({ from, offset }) => ({
      from: iso(from),
      minutes: offset / 60_000,
    })),
  }),
})

/** A formatter takes 30 µs to make, and every manifest asks. */
const knownZones = new LRUCache<string, boolean>({ max: MAX_ZONES, memoMethod: isZone })

/** The tag's zone if there is such a zone, else UTC. */
function zoneOf(tags: Tags): string {
  const zone = tags['timeZone']
  return zone !== undefined && knownZones.memo(zone) ? zone : 'UTC'
}

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}
