import { readQuickMetrics } from '@floorcast/contract/dashboard.ts'
import { readDelivery } from '@floorcast/contract/delivery-report.ts'
import { ProofManifest } from '@floorcast/contract/proof-file.ts'
import { downloadProof } from '@floorcast/contract/proof.ts'
import { reportCalls } from '@floorcast/contract/report-calls.ts'
import { HISTORY_DAYS, HISTORY_NOW, makeDeliveryHistory } from '@floorcast/testing/delivery-history.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { runPython } from '@floorcast/testing/python.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hotPlays } from '../archive/archive.ts'
import { countDeliveries, findAllPublications, localPeriod, type DeliveryCount } from './delivery-report.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerPublications } from '../publications/publications-routes.ts'
import { registerDeliveryReport } from './delivery-report-routes.ts'
import { registerReports } from '../reports/reports-routes.ts'
import { registerProof } from '../proof/proof-routes.ts'
import { registerTags } from '../tags/tags-routes.ts'
import { registerDashboard } from '../dashboard/dashboard-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

const DAY_MS = 86_400_000

const server = await testServer({
  hasOwnDatabase: true,
  features: [
    registerGroups,
    registerPlaylists,
    registerPublications,
    registerDeliveryReport,
    registerReports,
    registerProof,
    registerTags,
    registerDashboard,
    registerDeviceHost,
  ],
})
interface Sums {
  promised: number
  scheduled: number
  delivered: number
  unscheduled: number
  gaps: number
}

const gapsOf = ({ schedule }: DeliveryCount) =>
  [...(schedule?.gaps.values() ?? [])].reduce((a, b) => a + b, 0)

/** The sums of counts by what `keyOf` says of each. */
function sumBy(counts: readonly DeliveryCount[], keyOf: (count: DeliveryCount) => unknown) {
  const sums = new Map<string, Sums>()
  for (const count of counts) {
    const key = String(keyOf(count))
    const sum = sums.get(key) ?? { promised: 0, scheduled: 0, delivered: 0, unscheduled: 0, gaps: 0 }
    sum.promised += count.schedule?.promised ?? 0
    sum.scheduled += count.schedule?.scheduled ?? 0
    sum.unscheduled += count.schedule?.unscheduled ?? 0
    sum.gaps += gapsOf(count)
    sum.delivered += count.delivered
    sums.set(key, sum)
  }
  for (const [key, { promised, delivered }] of sums) if (promised + delivered === 0) sums.delete(key)
  return Object.fromEntries(sums)
}

const withoutGaps = (sums: Record<string, Sums>) =>
  Object.fromEntries(
    Object.entries(sums).map(([key, { promised, scheduled, delivered }]) => [
      key,
      { promised, scheduled, delivered },
    ]),
  )

const dayIn = (zone: string, at: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(at)

/** Plays by day as the report of publications has them: planned, made, of a former program. */
async function readDays(token: string, zone: string) {
  const params = { ...HISTORY_DAYS, zone }
  const { rows } = await server.call(reportCalls.s1ext.preview, { token, params })
  return rows.map(([, , , day, planned, made, percent, former]) => {
    // Two digits; a half may be rounded either way.
    if (planned)
      expect(Math.abs(Number(percent) - (100 * Number(made)) / Number(planned))).toBeLessThan(0.006)
    else expect(percent).toBeNull()
    return [day, planned, made, former]
  })
}

function daysOf(counts: readonly DeliveryCount[]) {
  const days = Map.groupBy(counts, ({ day }) => day)
  return [...days].map(([day, parts]) => {
    const known = parts.find(({ schedule }) => schedule)
    const unknown = parts.find(({ schedule }) => !schedule)?.delivered ?? 0
    if (!known) return [day, null, unknown, 0]
    return [day, known.schedule?.scheduled, known.delivered, unknown]
  })
}

type History = Awaited<ReturnType<typeof makeDeliveryHistory>>
type Asked = Record<'mediaUid' | 'zone', string>

/** The rows of a csv without quotes, by their headings. */
function parseCsv(text: string) {
  const [head = '', ...lines] = text.replace('\uFEFF', '').trimEnd().split('\n')
  const names = head.split(',')
  return lines.map(line => Object.fromEntries(line.split(',').map((cell, at) => [names[at] ?? '', cell])))
}

const FIGURES = {
  promised: 'Booked plays',
  scheduled: 'Scheduled plays',
  delivered: 'Aired plays',
  short: 'Not aired',
  unscheduled: 'Unscheduled',
  former: 'Plays of a former program',
  adPlays: 'Ad plays',
}

/** The report of the proof by day and device. */
async function readProof(
  { token }: History,
  { mediaUid, zone }: Asked,
): Promise<Record<string, Record<string, number | null>>> {
  const params = { track: mediaUid, ...HISTORY_DAYS, zone }
  const answer = await server.ask(reportCalls.proof.download, { token, params, query: { format: 'csv' } })
  return Object.fromEntries(
    parseCsv(answer.body).map(row => {
      const figures = Object.entries(FIGURES).map(([key, heading]) => [key, Number(row[heading])])
      const impressions = row['Gross impressions'] === '' ? null : Number(row['Gross impressions'])
      return [`${row['Day']} ${row['Device']}`, { ...Object.fromEntries(figures), impressions }]
    }),
  )
}

/** The same of the counts, and of the sent plays. */
function proofOf(history: History, counts: readonly DeliveryCount[], { mediaUid, zone }: Asked) {
  const { sent, shops } = history
  const empty = { promised: 0, scheduled: 0, delivered: 0, short: 0, unscheduled: 0, former: 0, adPlays: 0 }
  const rows: Record<string, typeof empty & { impressions: number | null }> = {}
  const at = (day: string | null, deviceUid: string | null) =>
    (rows[`${day} ${shops.get(deviceUid ?? '')?.name}`] ??= { ...empty, impressions: null })
  for (const count of counts) {
    const row = at(count.day, count.deviceUid)
    const { promised = 0, scheduled = 0, unscheduled = 0 } = count.schedule ?? {}
    if (count.schedule) row.former = row.delivered
    Object.assign(row, { promised, scheduled, unscheduled, short: gapsOf(count), delivered: count.delivered })
  }
  for (const { deviceUid, mediaUid: track, startedAt, result, secondsPlayed, zone: ownZone } of sent) {
    const day = dayIn(zone === 'device' ? ownZone : zone, startedAt)
    if (track !== mediaUid || result === 'failed' || day < HISTORY_DAYS.from || day > HISTORY_DAYS.to)
      continue
    const row = at(day, deviceUid)
    row.adPlays += 1
    const { audience = null } = shops.get(deviceUid) ?? {}
    if (audience !== null)
      row.impressions = (row.impressions ?? 0) + Math.round((audience * secondsPlayed * 10_000) / 3600)
  }
  // PostgreSQL rounds a half to the even neighbor.
  for (const row of Object.values(rows))
    if (row.impressions !== null) {
      const hundredths = (row.impressions / 10_000) * 100
      const rounded = Math.round(hundredths)
      row.impressions = (hundredths % 1 === 0.5 && rounded % 2 === 1 ? rounded - 1 : rounded) / 100
    }
  return Object.fromEntries(
    Object.entries(rows).filter(([, row]) => row.promised + row.delivered + row.former + row.adPlays > 0),
  )
}

/** The totals of the report: of its csv's rows, of its preview's reasons, and of the last row that an xlsx file has. */
async function readProofTotals(history: History, asked: Asked) {
  const { token } = history
  const rows = Object.values(await readProof(history, asked))
  const sum = (key: string) => rows.reduce((all, row) => all + Number(row[key] ?? 0), 0)
  const params = { track: asked.mediaUid, ...HISTORY_DAYS, zone: asked.zone }
  const preview = await server.call(reportCalls.proof.preview, { token, params })
  const cell = (row: readonly unknown[], key: string) =>
    row[preview.columns.findIndex(column => column.key === key)]
  const isExplained = preview.rows.every(row => {
    const reasons = String(cell(row, 'shortReasons') ?? '').match(/\d+/g) ?? []
    return reasons.reduce((all, plays) => all + Number(plays), 0) === (cell(row, 'shortPlays') ?? 0)
  })
  const file = await server.ask(reportCalls.proof.download, { token, params, query: { format: 'xlsx' } })
  const program = `
import io, json, sys, openpyxl
sheet = openpyxl.load_workbook(io.BytesIO(sys.stdin.buffer.read())).active
print(json.dumps([[c.value for c in row] for row in sheet.iter_rows() if row[0].value == 'Totals']))`
  const [totals = []] = runPython<unknown[][]>(program, file.rawPayload)
  const inSheet = ['promisedPlays', 'plannedPlays', 'deliveredPlays', 'shortPlays', 'adPlays'].map(key =>
    cell(totals, key),
  )
  const inRows = ['promised', 'scheduled', 'delivered', 'short', 'adPlays'].map(sum)
  const { track: uid, ...days } = params
  const zip = await server.ask(downloadProof, { token, params: { uid, ...days } })
  const [, signed = ''] = /(\{\n  "format".*?\n\})\n/s.exec(zip.rawPayload.toString()) ?? []
  const { counts } = ProofManifest.parse(JSON.parse(signed))
  expect(counts.adPlays).toBe(inSheet[4])
  expect(counts.grossImpressions).toBeCloseTo(Number(cell(totals, 'impressions')), 1)
  return { notes: preview.notes.map(({ code }) => code), isExplained, inSheet, inRows }
}

type Ask = (
  mediaUid: string | null,
  zone: string,
  by: { day: boolean; device: boolean },
) => Promise<DeliveryCount[]>

/** The dashboard names the ads that fell short yesterday, with the plays that the proof of that day misses. */
async function expectShortAds({ tracks, token }: History, ask: Ask) {
  const yesterday = new Date(HISTORY_NOW - DAY_MS).toISOString().slice(0, 10)
  const expected: Record<string, number> = {}
  for (const uid of tracks) {
    const counts = await ask(uid, 'device', { day: true, device: false })
    const { scheduled = 0, delivered = 0 } = sumBy(counts, ({ day }) => day)[yesterday] ?? {}
    if (delivered < 0.95 * scheduled) expected[uid] = scheduled - delivered
  }
  expect(Object.keys(expected).length).toBeGreaterThan(0)
  await eventually(async () => {
    server.clock.now = new Date(server.clock.now.getTime() + 4000)
    const { attention } = await server.call(readQuickMetrics, { token })
    const lines = attention.filter(({ about }) => about === 'shortAd')
    expect(Object.fromEntries(lines.map(line => [line.leadsTo?.item?.uid, line.count]))).toEqual(expected)
    expect(lines.map(line => line.leadsTo?.filter['contentType'])).toEqual(lines.map(() => 'ads'))
  })
  server.clock.now = new Date(HISTORY_NOW)
}

test('days, shops, tracks and the ad’s page are sums of one count, and delivered plays a plain count', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer(), async seed => {
      const history = await makeDeliveryHistory(server, seed)
      const { shop, tracks, sent, token } = history
      const reads = hotPlays(shop.scope.reads)
      const publications = await findAllPublications(reads, server.clock.now)
      const ask = async (mediaUid: string | null, zone: string, grain: { day: boolean; device: boolean }) => {
        const by = { ...grain, media: false }
        const period = localPeriod({ ...HISTORY_DAYS, zone }, server.clock.now)
        const counts: DeliveryCount[] = []
        for await (const count of countDeliveries(reads, { publications, mediaUid, period, by }))
          counts.push(count)
        return counts
      }
      for (const zone of ['UTC', 'Pacific/Auckland', 'device']) {
        const whole: DeliveryCount[] = []
        for (const mediaUid of tracks) {
          const both = await ask(mediaUid, zone, { day: true, device: true })
          whole.push(...both)
          const byDay = await ask(mediaUid, zone, { day: true, device: false })
          expect(sumBy(byDay, ({ day }) => day)).toEqual(sumBy(both, ({ day }) => day))
          const byDevice = await ask(mediaUid, zone, { day: false, device: true })
          expect(sumBy(byDevice, ({ deviceUid }) => deviceUid)).toEqual(
            sumBy(both, ({ deviceUid }) => deviceUid),
          )
          const days = byDay.map(({ day }) => day ?? '')
          expect(days).toEqual(days.toSorted())
          const plain: Record<string, number> = {}
          for (const { deviceUid, mediaUid: track, scheduledAt, startedAt, result, zone: ownZone } of sent) {
            if (result !== 'complete') continue
            const daysLate =
              (Date.parse(dayIn('UTC', startedAt)) - Date.parse(dayIn('UTC', scheduledAt))) / DAY_MS
            if (Math.abs(daysLate) > 1) continue
            const day = dayIn(zone === 'device' ? ownZone : zone, scheduledAt)
            const isCounted =
              track === mediaUid &&
              day >= HISTORY_DAYS.from &&
              day <= HISTORY_DAYS.to &&
              scheduledAt < HISTORY_NOW
            if (isCounted) plain[`${day} ${deviceUid}`] = (plain[`${day} ${deviceUid}`] ?? 0) + 1
          }
          const sums = sumBy(both, ({ day, deviceUid }) => `${day} ${deviceUid}`)
          const delivered = Object.entries(sums).filter(([, sum]) => sum.delivered > 0)
          expect(Object.fromEntries(delivered.map(([key, sum]) => [key, sum.delivered]))).toEqual(plain)
          expect(await readProof(history, { mediaUid, zone })).toEqual(
            proofOf(history, both, { mediaUid, zone }),
          )
          for (const count of both)
            if (count.schedule) {
              expect(count.schedule.unscheduled).toBeGreaterThanOrEqual(0)
              expect(count.delivered).toBe(
                count.schedule.promised - gapsOf(count) + count.schedule.unscheduled,
              )
            }
        }
        const all = await ask(null, zone, { day: true, device: false })
        expect(await readDays(token, zone)).toEqual(daysOf(all))
        expect(withoutGaps(sumBy(all, ({ day }) => day))).toEqual(withoutGaps(sumBy(whole, ({ day }) => day)))
      }
      const totals = await readProofTotals(history, { mediaUid: tracks[0] ?? '', zone: 'device' })
      expect(totals).toEqual({
        notes: ['proofOf', 'proofCounted', 'proofPlays', 'proofImpressions'],
        isExplained: true,
        inRows: totals.inSheet,
        inSheet: totals.inRows,
      })
      await expectShortAds(history, ask)
      for (const mediaUid of tracks) {
        const { publications: page } = await server.call(readDelivery, {
          token,
          params: { uid: mediaUid },
          query: HISTORY_DAYS,
        })
        const counts = await ask(mediaUid, 'UTC', { day: true, device: true })
        const known = sumBy(
          counts.filter(({ schedule }) => schedule !== null),
          () => 'all',
        )['all']
        expect(known?.scheduled).toBeGreaterThan(100)
        expect(page[0]).toMatchObject({
          promised: known?.promised,
          planned: known?.scheduled,
          made: known?.delivered,
          extra: known?.unscheduled,
        })
        const gaps = page[0]?.gaps.reduce((sum, { plays }) => sum + plays, 0)
        expect(gaps).toBe(known?.gaps)
      }
    }),
    { numRuns: 1, endOnFailure: true },
  )
})
