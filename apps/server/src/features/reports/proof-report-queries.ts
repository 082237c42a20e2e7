import { type GapReason, gapReasons } from '@floorcast/contract/delivery-report.ts'
import { sql } from 'kysely'
import type { PlayReads } from '../archive/archive.ts'
import {
  countDeliveryDays,
  type DeliveryDays,
  findPublications,
  localPeriod,
} from '../delivery-report/delivery-report.ts'
import { AdPlaysByDay } from '../proof/proof.ts'
import { listRestoredDays, type RestoredDays } from '../redeliveries/redeliveries.ts'
import { notesOfRawPlays, restoredNotes } from './plays-report-queries.ts'
import type { MakeReport, ReportInParts, ReportPart } from './report.ts'

interface ProofRow {
  publication: string | null
  group: string | null
  deviceUid: string
  device: string
  storeNumber: string
  place: string
  storeZone: string | null
  day: string | null
  promised: number | null
  planned: number | null
  delivered: number
  gaps: ReadonlyMap<GapReason, number>
  extra: number | null
  former: number
  adPlays: number
  impressions: number | null
  restored: 'awaited' | 'lost' | null
}

/** An ad that more publications play than these is in the report without the promise of the others. */
const MAX_PUBLICATIONS = 5000

/** One row for each publication, device and day: the count behind the ad's page, beside the plays of the signed proof. */
export const proof: MakeReport = async (reads, request) => {
  const { from, to, zone, now, filters } = request
  const mediaUid = filters.track ?? ''
  const period = localPeriod({ from, to, zone }, now)
  const adPlays = await AdPlaysByDay.open(reads, { mediaUid, zone })
  const publications = await findPublications(reads, mediaUid, { period, now, max: MAX_PUBLICATIONS })
  const by = { day: true, device: true, media: false }
  const days = () => countDeliveryDays(reads, { publications, mediaUid, period, by })
  const { media, hasAudience } = adPlays
  const restored = await listRestoredDays(reads, { from, to, zone }, now)
  const about = { ad: media?.name ?? '–', client: media?.clientName ?? '–' }
  return {
    readsPlays: true,
    order: sql`"day", "publication", "device", "deviceUid"`,
    parts: () => partsOf(reads, { adPlays, days, restored, from, to }),
    notes: [
      { code: 'proofOf', values: about },
      { code: 'proofCounted' },
      { code: 'proofPlays' },
      { code: hasAudience ? 'proofImpressions' : 'proofNoAudience' },
      ...(await notesOfRawPlays(reads, request, 'playsGone')),
      ...restoredNotes(restored),
    ],
  } satisfies ReportInParts
}

interface Counting {
  adPlays: AdPlaysByDay
  days: () => AsyncIterable<DeliveryDays>
  restored: readonly RestoredDays[]
  from: string
  to: string
}

async function* partsOf(
  reads: PlayReads,
  { adPlays, days, restored, ...period }: Counting,
): AsyncGenerator<ReportPart> {
  const sum = new ProofTotals()
  const counted: string[] = []
  const markRestored = restoredMarker(restored)
  for await (const some of days()) {
    const { uid } = some.publication
    if (counted.at(-1) !== uid) counted.push(uid)
    const asked = { from: some.firstDay, to: some.lastDay }
    const rows = markRestored(
      mergeRows(adPlays, some, await adPlays.count(reads, { publication: uid }, asked)),
    )
    sum.add(rows)
    if (rows.length > 0) yield { rows: statementOf(rows), isTotals: false }
  }
  const others = await adPlays.count(reads, { noneOf: counted }, period)
  const rows = markRestored(mergeRows(adPlays, null, others))
  sum.add(rows)
  if (rows.length > 0) yield { rows: statementOf(rows), isTotals: false }
  if (sum.rows > 0) yield { rows: statementOf([sum.toRow()]), isTotals: true }
}

/** Marks the rows of days that may lack plays since a restore. */
function restoredMarker(days: readonly RestoredDays[]): (rows: readonly ProofRow[]) => ProofRow[] {
  const ofDevice = Map.groupBy(days, ({ deviceUid }) => deviceUid)
  return rows =>
    rows.map(row => {
      const { day } = row
      const some = day === null ? [] : (ofDevice.get(row.deviceUid) ?? [])
      const of = some.filter(({ from, to }) => day !== null && from <= day && day <= to)
      const restored = of.some(({ isLost }) => isLost) ? 'lost' : of.length > 0 ? 'awaited' : null
      return { ...row, restored }
    })
}

type AdPlays = Awaited<ReturnType<AdPlaysByDay['count']>>

const NOTHING = {
  promised: null,
  planned: null,
  delivered: 0,
  gaps: new Map<GapReason, number>(),
  extra: null,
  former: 0,
  adPlays: 0,
  impressions: null,
  restored: null,
}

/** Counts of the schedule and of the plays of the same days. Null: of no publication that is left. */
function mergeRows(adPlays: AdPlaysByDay, some: DeliveryDays | null, played: AdPlays): ProofRow[] {
  const rows = new Map<string, ProofRow>()
  const at = (day: string, deviceUid: string, deviceName: string) => {
    const key = `${day} ${deviceUid}`
    const known = rows.get(key)
    if (known) return known
    const {
      name = deviceName,
      storeNumber = '',
      place = '',
      storeZone = null,
    } = adPlays.shops.get(deviceUid) ?? {}
    const row: ProofRow = {
      publication: some?.publication.name ?? null,
      group: some?.publication.groupName ?? null,
      deviceUid,
      device: name,
      storeNumber,
      place,
      storeZone,
      day,
      ...NOTHING,
    }
    rows.set(key, row)
    return row
  }
  for (const { day, deviceUid, schedule, delivered, former } of some?.rows ?? []) {
    const { promised = null, scheduled: planned = null, unscheduled: extra = null } = schedule ?? {}
    if (deviceUid === null) continue
    const gaps = schedule?.gaps ?? new Map<GapReason, number>()
    Object.assign(at(day, deviceUid, deviceUid), { promised, planned, delivered, gaps, extra, former })
  }
  for (const { day, deviceUid, deviceName, adPlays: plays, impressions } of played)
    Object.assign(at(day, deviceUid, deviceName), { adPlays: plays, impressions })
  return [...rows.values()].filter(row => (row.promised ?? 0) + row.delivered + row.former + row.adPlays > 0)
}

const addKnown = (a: number | null, b: number | null) => (a === null ? b : a + (b ?? 0))

/** The sums of the rows. */
class ProofTotals {
  rows = 0
  readonly #gaps = new Map<GapReason, number>()
  #sums: Omit<typeof NOTHING, 'gaps' | 'promised' | 'planned' | 'extra' | 'impressions'> &
    Pick<ProofRow, 'promised' | 'planned' | 'extra' | 'impressions'> = NOTHING

  add(rows: readonly ProofRow[]): void {
    this.rows += rows.length
    for (const row of rows) {
      const sums = this.#sums
      this.#sums = {
        promised: addKnown(sums.promised, row.promised),
        planned: addKnown(sums.planned, row.planned),
        extra: addKnown(sums.extra, row.extra),
        delivered: sums.delivered + row.delivered,
        former: sums.former + row.former,
        adPlays: sums.adPlays + row.adPlays,
        impressions: addKnown(sums.impressions, row.impressions),
        restored: null,
      }
      for (const [reason, plays] of row.gaps) this.#gaps.set(reason, (this.#gaps.get(reason) ?? 0) + plays)
    }
  }

  toRow(): ProofRow {
    const none = { publication: null, group: null, deviceUid: '', device: '', day: null }
    const nowhere = { storeNumber: '', place: '', storeZone: null }
    return { ...none, ...nowhere, ...this.#sums, gaps: this.#gaps }
  }
}

const shortOf = ({ promised, gaps }: ProofRow) =>
  promised === null ? null : [...gaps.values()].reduce((sum, plays) => sum + plays, 0)

const breakdownOf = ({ gaps }: ProofRow) =>
  gapReasons
    .filter(reason => gaps.has(reason))
    .map(reason => `${reason}=${gaps.get(reason)}`)
    .join(' ')

function statementOf(rows: readonly ProofRow[]) {
  const texts = (read: (row: ProofRow) => string | null) => sql`${rows.map(read)}::text[]`
  const counts = (read: (row: ProofRow) => number | null) => sql`${rows.map(read)}::bigint[]`
  return sql`
    select r.publication as "publication", r.group_name as "group", r.device_uid as "deviceUid", r.device as "device",
      r.store_number as "storeNumber", r.place as "place", r.store_zone as "storeZone", r.day as "day",
      r.promised as "promisedPlays", r.planned as "plannedPlays", r.delivered as "deliveredPlays", r.short as "shortPlays",
      r.reasons as "shortReasons", r.extra as "extraPlays", r.former as "formerPlays", r.ad_plays as "adPlays",
      r.impressions as "impressions", r.restored as "restored"
    from unnest(${texts(row => row.publication)}, ${texts(row => row.group)}, ${texts(row => row.deviceUid)},
      ${texts(row => row.device)}, ${texts(row => row.storeNumber)}, ${texts(row => row.place)},
      ${texts(row => row.storeZone)}, ${texts(row => row.day)}, ${counts(row => row.promised)},
      ${counts(row => row.planned)}, ${counts(row => row.delivered)}, ${counts(shortOf)}, ${texts(breakdownOf)},
      ${counts(row => row.extra)}, ${counts(row => row.former)}, ${counts(row => row.adPlays)},
      ${sql`${rows.map(row => row.impressions)}::float8[]`}, ${texts(row => row.restored)}) as r(publication, group_name, device_uid, device, store_number,
      place, store_zone, day, promised, planned, delivered, short, reasons, extra, former, ad_plays, impressions, restored)`
}
