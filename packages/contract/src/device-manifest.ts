import { z } from 'zod'
import { AlertKind } from './alert-kind.ts'
import {
  describe,
  type DeviceProgramme,
  fieldOf,
  type FileReading,
  nameOf,
  type ProgrammeReading,
  readFiles,
  readFormerProgramme,
  Unknowns,
} from './device-programme.ts'
import { Kind, Sha256, TimeOfDay, Uid } from './fields.ts'
import {
  defaultSettings,
  DeviceSettings,
  FormerPublication,
  type Manifest,
  type ManifestAlert,
  ManifestUpdate,
  PROTOCOL,
  ZoneOffsets,
} from './manifest.ts'
import { DEFAULT_VOLUME } from './tags.ts'

/*
 * Parses manifests and programmes on devices, as a tolerant reader. A device runs for years and newer servers must never
 * silence it. It ignores unknown fields. It parses each part separately: an alert of an unknown kind plays the siren, and
 * an unreadable item, block, publication or update is skipped and reported. It also reads the manifests of protocol 1, which
 * an older server sends and which a device may hold from before its own update.
 */

/** An alert as a device reads it: of any kind. */
export type DeviceAlert = Omit<ManifestAlert, 'kind'> & { kind: string }

/** A publication with its programme. */
export type DevicePublication = FormerPublication & DeviceProgramme

/** A manifest with its programmes. */
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
    zoneOffsets: ZoneOffsets.optional().catch(undefined),
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
const AnyPublication = FormerPublication.extend({
  playlist: z.unknown().optional(),
  programme: Sha256.optional(),
})
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

function readPublication(
  value: unknown,
  read: { files: FileReading; unknowns: Unknowns; programmeOf: ProgrammeOf },
): DevicePublication[] {
  const { files, unknowns, programmeOf } = read
  const sent = AnyPublication.safeParse(value).data
  if (!sent) {
    unknowns.add('skipped, a publication of another form', nameOf(value))
    return []
  }
  const { playlist: _, programme: sha256, ...head } = sent
  if (sha256 === undefined) {
    const programme = readFormerProgramme(sent, files, unknowns)
    return programme ? [{ ...head, ...programme }] : []
  }
  const reading = programmeOf(sha256)
  for (const line of reading?.unknown ?? []) unknowns.addLine(line)
  if (!reading) unknowns.add('skipped, a publication without its programme', head.name)
  return reading?.programme ? [{ ...head, ...reading.programme }] : []
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

/** The hashes of the programmes that a manifest names. */
export function namedProgrammes(value: unknown): string[] {
  const publications = list.safeParse(fieldOf(value, 'publications')).data ?? []
  const named = publications.flatMap(each => Sha256.safeParse(fieldOf(each, 'programme')).data ?? [])
  return [...new Set(named)]
}

/** The programme of a hash; null if the device does not hold it. */
export type ProgrammeOf = (sha256: string) => ProgrammeReading | null

/**
 * Parses the manifest of a server of any version. Never throws; null for other content, such as the sign-in page of a Wi-Fi
 * network.
 */
export function parseDeviceManifest(value: unknown, programmeOf: ProgrammeOf): ManifestReading | null {
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
    publications: frame.publications.flatMap(sent => readPublication(sent, { files, unknowns, programmeOf })),
    files: files.files,
    ...(update ? { update } : {}),
  }
  return { manifest, unknown: unknowns.lines }
}
