import { createHash } from 'node:crypto'
import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import {
  type FormerPublication,
  type Manifest,
  type ManifestFile,
  type ManifestItem,
  type ManifestPlaylist,
  PROTOCOL,
} from '@floorcast/contract/manifest.ts'
import { writeProgramme } from '@floorcast/contract/programme.ts'
import fc from 'fast-check'

export const uidOf = (number: number) => `00000000-0000-7000-8000-${String(number).padStart(12, '0')}`
const hashOf = (number: number) => number.toString(16).padStart(64, '0')

/** Zones with every habit: none, whole and half hours, changes at midnight, in Ramadan, a name that does not exist. */
export const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'Australia/Lord_Howe',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Asia/Kathmandu',
  'Asia/Dubai',
  'Pacific/Chatham',
  'Not/AZone',
]

export function makeFile(number: number, part: Partial<ManifestFile> = {}): ManifestFile {
  const [mediaUid, sha256] = [uidOf(number), hashOf(number)]
  return {
    mediaUid,
    sha256,
    name: `Song ${number}`,
    contentType: 'melodies',
    sizeBytes: 1000,
    durationSeconds: 60,
    loudness: null,
    path: `/api/v2/iplay/media/${mediaUid}/${sha256}`,
    ...part,
  }
}

export const makeItem = (file: number, part: Partial<ManifestItem> = {}): ManifestItem => ({
  uid: uidOf(1000 + file),
  file,
  plays: 1,
  startTime: null,
  ...part,
})

export function makePlaylist(
  items: ManifestItem[],
  part: Partial<Extract<ManifestPlaylist, { form: 'simple' }>> = {},
): ManifestPlaylist {
  const head = { uid: uidOf(500), name: 'Morning', kind: 'audio', crossfadeSeconds: 0 } as const
  return { form: 'simple', ...head, startDate: null, endDate: null, items, ...part }
}

export const makePublication = (
  playlist: ManifestPlaylist,
  part: Partial<FormerPublication> = {},
): FormerPublication => ({
  uid: uidOf(600),
  name: 'Everywhere',
  revision: 1,
  activatedAt: '2026-03-01T08:00:00Z',
  startsAt: null,
  playlist,
  ...part,
})

type ManifestPart = Partial<Omit<DeviceManifest, 'device' | 'publications'>> & {
  device?: Partial<Manifest['device']>
  publications?: FormerPublication[]
}

/** A manifest as a device reads it. The publications' items index its `files`. */
export function makeManifest(part: ManifestPart): DeviceManifest {
  const { device, publications = [], files = [], ...rest } = part
  return {
    protocol: PROTOCOL,
    generation: 1,
    device: {
      uid: uidOf(1),
      name: 'Till 3',
      kind: 'audio',
      timeZone: 'UTC',
      volume: 70,
      openingTime: null,
      closingTime: null,
      ...device,
    },
    tags: {},
    settings: {
      defaultVolume: 70,
      loudnessTargetLufs: -16,
      heartbeatSeconds: 60,
      debugLog: false,
      alertVolume: 100,
    },
    alerts: [],
    publications: publications.map(publication => ({ files, ...publication })),
    files,
    ...rest,
  }
}

/** A manifest and its programmes as a server sends them, the programmes by their hash. */
export function splitManifest({ publications, ...manifest }: DeviceManifest) {
  const programmes = new Map<string, string>()
  const heads = publications.map(({ uid, name, revision, activatedAt, startsAt, playlist, files: own }) => {
    const text = JSON.stringify(writeProgramme({ playlist, files: own }))
    const programme = createHash('sha256').update(text).digest('hex')
    programmes.set(programme, text)
    return { uid, name, revision, activatedAt, startsAt, programme }
  })
  return { manifest: { ...manifest, publications: heads }, programmes }
}

const time = fc
  .integer({ min: 0, max: 24 * 60 - 1 })
  .map(
    minute => `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`,
  )
const hours = fc.oneof(time, fc.constantFrom('00:00', '02:00', '02:30', '03:00', '23:59'))
const day = fc.integer({ min: 1, max: 28 }).chain(date => {
  const text = String(date).padStart(2, '0')
  return fc.constantFrom(`2026-03-${text}`, `2026-10-${text}`, `2026-04-${text}`)
})
const second = fc.integer({ min: 0, max: 59_999 }).map(ms => (ms / 1000).toFixed(3).padStart(6, '0'))
const instant = fc.tuple(day, time, second).map(([date, clock, rest]) => `${date}T${clock}:${rest}Z`)
const seconds = fc.oneof(
  fc.double({ min: 5, max: 400, noNaN: true }),
  fc.constantFrom(0, 0.0004, 30, 180, 187.351_837),
)

const FILES = 6
const file = fc.integer({ min: 0, max: FILES })
const files = fc
  .array(
    fc.record({ durationSeconds: seconds, contentType: fc.constantFrom('melodies', 'melodies', 'ads') }),
    {
      minLength: FILES,
      maxLength: FILES,
    },
  )
  .map(list => list.map((part, index) => makeFile(index, part as Partial<ManifestFile>)))

const item = fc.record({
  uid: fc.integer({ min: 1, max: 99 }).map(uidOf),
  file,
  plays: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 4 })),
  startTime: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: hours }),
})

const maybeDay = fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: day })
const limits = { startDate: maybeDay, endDate: maybeDay }
const crossfadeSeconds = fc.constantFrom(0, 0, 2, 10)
const simple = fc
  .record({ items: fc.array(item, { minLength: 1, maxLength: 8 }), crossfadeSeconds, ...limits })
  .map(({ items, ...part }) => makePlaylist(items, part))

const smart = fc
  .record({
    startDay: hours,
    endDay: hours,
    ...limits,
    gaps: fc.array(fc.integer({ min: -5, max: 900 }), { minLength: 20, maxLength: 200 }),
  })
  .map(({ gaps, ...part }): ManifestPlaylist => {
    let start = 0
    const items = gaps.map((gap, index) => {
      start += Math.max(1, gap + 60)
      return { file: index % FILES, start, duration: 60 }
    })
    const blocks = [{ kind: 'melody' as const, start: 0, duration: start, items }]
    const head = { uid: uidOf(501), name: 'Day', kind: 'audio' as const, crossfadeSeconds: 0 }
    return { form: 'smart', ...head, ...part, blocks }
  })

const startsAt = fc.oneof(
  { weight: 3, arbitrary: fc.constant(null) },
  { weight: 1, arbitrary: instant.map(at => ({ at })) },
  { weight: 1, arbitrary: instant.map(at => ({ wall: at.slice(0, 19) })) },
)
const publication = fc
  .record({ playlist: fc.oneof(simple, simple, smart), activatedAt: instant, startsAt })
  .map(({ playlist, ...part }) => makePublication(playlist, part))

const device = fc.record({
  timeZone: fc.constantFrom(...zones),
  openingTime: fc.option(hours, { freq: 2 }),
  closingTime: fc.option(hours, { freq: 2 }),
})

const alerts = fc.oneof(
  { weight: 12, arbitrary: fc.constant<DeviceManifest['alerts']>([]) },
  {
    weight: 1,
    arbitrary: fc.array(
      fc.record({
        uid: fc.integer({ min: 1, max: 9 }).map(uidOf),
        kind: fc.constantFrom('air' as const, 'chemical' as const),
        beganAt: instant,
        isDrill: fc.boolean(),
        file: fc.option(file),
      }),
      { maxLength: 2 },
    ),
  },
)

/** Any manifest a server could make, and some that it should not. */
export const anyManifest: fc.Arbitrary<DeviceManifest> = fc
  .record({ device, files, alerts, publications: fc.array(publication, { minLength: 1, maxLength: 3 }) })
  .map(part => makeManifest(part))

const clockChanges = [
  '2026-03-29T01:00:00Z',
  '2026-10-25T01:00:00Z',
  '2026-03-08T07:00:00Z',
  '2026-11-01T06:00:00Z',
  '2026-04-04T15:00:00Z',
  '2026-04-05T03:00:00Z',
  '2026-04-23T22:00:00Z',
  '2026-02-15T02:00:00Z',
].map(text => Date.parse(text))

/** Any instant of 2026, often within a day before or after some zone's clock change. */
export const anyInstant: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: Date.parse('2026-01-01T00:00Z'), max: Date.parse('2026-12-31T00:00Z') }),
  fc
    .tuple(fc.constantFrom(...clockChanges), fc.integer({ min: -86_400_000, max: 86_400_000 }))
    .map(([change, shift]) => change + shift),
)

/** Any set of held files. */
export const anyHeld: fc.Arbitrary<ReadonlySet<string>> = fc.oneof(
  fc.constant(new Set(Array.from({ length: FILES }, (_, index) => hashOf(index)))),
  fc.subarray(Array.from({ length: FILES }, (_, index) => hashOf(index))).map(list => new Set(list)),
)

/** A round-the-clock shop where a simple playlist with start times and crossfade plays, in any zone. */
export const anyPlaying: fc.Arbitrary<DeviceManifest> = fc
  .record({
    timeZone: fc.constantFrom(...zones),
    files,
    items: fc.array(item, { minLength: 2, maxLength: 8 }),
    crossfadeSeconds: fc.integer({ min: 0, max: 10 }),
  })
  .map(({ timeZone, files: list, items, crossfadeSeconds: crossfade }) =>
    makeManifest({
      device: { timeZone },
      files: list,
      publications: [
        makePublication(makePlaylist(items, { crossfadeSeconds: crossfade }), {
          activatedAt: '2025-12-30T09:00:00Z',
        }),
      ],
    }),
  )
