import { buildPath } from '@floorcast/contract/client.ts'
import type { Endpoint } from '@floorcast/contract/endpoint.ts'
import type { Problem } from '@floorcast/contract/problem.ts'
import { reportCalls } from '@floorcast/contract/report-calls.ts'
import { reports } from '@floorcast/contract/reports.ts'
import { runPython } from '@floorcast/testing/python.ts'
import type { StoredPlay } from '@floorcast/testing/report-plays.ts'
import {
  localDay,
  makeReportShop,
  REPORT_PERIOD,
  type ReportShop,
  SHOP_ZONES,
} from '@floorcast/testing/report-shop.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { text } from 'node:stream/consumers'
import { beforeAll, describe, expect, it } from 'vitest'
import { hotPlays } from '../archive/archive.ts'
import { makers } from './report-makers.ts'
import { copyRows } from './report-parts.ts'
import { csvRows } from './report-rows-queries.ts'
import { ReportTexts } from './report-texts.ts'
import { registerReports } from './reports-routes.ts'
import { registerTags } from '../tags/tags-routes.ts'

let server: TestServer
let shop: ReportShop
beforeAll(async () => {
  server = await testServer({ hasOwnDatabase: true, features: [registerReports, registerTags] })
  shop = await makeReportShop(server)
})

const all = { track: 'all', playpoint: 'all', playlist: 'all' }
const period = REPORT_PERIOD
const { download, preview } = reportCalls.r1ext

/** The rows of a csv file, read by Python's parser. */
function parseCsv(bytes: Buffer): Record<string, string>[] {
  const program =
    'import csv,json,sys,io; print(json.dumps(list(csv.DictReader(io.TextIOWrapper(sys.stdin.buffer,"utf-8-sig",newline="")))))'
  return runPython<Record<string, string>[]>(program, bytes)
}

const download1 = (params: object) => downloadCsv(download, params)

async function downloadCsv(endpoint: Endpoint, params: object) {
  const answer = await server.ask(endpoint, { token: shop.token, params, query: { format: 'csv' } })
  expect(answer.statusCode, answer.body.slice(0, 300)).toBe(200)
  return parseCsv(answer.rawPayload)
}

it.each(['device', 'UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata'])(
  'r1ext has the plays of the days of %s, also over clock changes',
  async zone => {
    const rows = await download1({ ...all, ...period, zone })
    const expected = shop.playsIn(zone)
    expect(rows.length).toBe(expected.length)
    const found = rows.map(row => `${new Date(row['Start'] ?? '').toISOString()} ${row['Device']}`)
    expect(found).toEqual(
      expected.map(play => `${play.startedAt.toISOString()} ${play.deviceName}`).toSorted(),
    )
    const seconds = rows.reduce((sum, row) => sum + Number(row['Played, seconds']), 0)
    expect(seconds).toBeCloseTo(
      expected.reduce((sum, play) => sum + play.secondsPlayed, 0),
      3,
    )
  },
)

it('r1ext is of one state of the database, also what is stored while it is read', async () => {
  const { scope, playsIn } = await makeReportShop(server)
  const request = { name: 'r1ext', ...period, zone: 'UTC', filters: {}, now: new Date() } as const
  const query = await makers.r1ext(hotPlays(scope.reads), request)
  const session = await server.database.exports.forClient(scope.clientId).open({ timeZone: 'UTC' })
  const { columns } = reports.r1ext
  const texts = new ReportTexts('en')
  const { rows } = await copyRows(
    session,
    { query, columns },
    {
      form: 'comma',
      toStatement: (part, cells) => csvRows(part, cells, { zone: 'UTC', texts, separator: 'comma' }),
      totals: null,
    },
  )
  await asSuperuser(server.superuserUrl, async superuser => {
    await superuser.query(
      `insert into plays select (jsonb_populate_record(p, jsonb_build_object('boot_uid', gen_random_uuid()))).* from plays p
         where client_id = $1`,
      [scope.clientId],
    )
  })
  const lines = (await text(rows)).trimEnd().split('\n')
  session.close()
  expect(lines).toHaveLength(playsIn('UTC').length)
})

it('r1ext filters by track and device, and is 404 for those of another client', async () => {
  const [track] = shop.tracks
  const device = [...shop.zoneOf.keys()][1] ?? ''
  const params = { ...period, zone: 'UTC', track: track?.uid, playpoint: device, playlist: 'all' }
  const expected = shop
    .playsIn('UTC')
    .filter(play => play.mediaUid === track?.uid && play.deviceUid === device)
  expect(await download1(params)).toHaveLength(expected.length)
  const { token } = await server.newClient()
  expect((await server.ask(download, { token, params })).statusCode).toBe(404)
})

it('r1ext escapes cells that a spreadsheet would run, and keeps every script', async () => {
  const rows = await download1({ ...all, ...period, zone: 'UTC' })
  expect(new Set(rows.map(row => row['Track']))).toEqual(
    new Set(["'=1+1", "'@sum", 'Песня', 'أغنية الصباح', '上海之夜', "'-minus"]),
  )
  expect(rows.find(row => row['Device'] === 'Shop 0')?.['Store number']).toBe("'+0049")
  expect(rows[0]?.['Playlist']).toBe('Morning "mix", loud')
})

it('r1ext has headings and values in the language asked for', async () => {
  const answer = await server.ask(download, {
    token: shop.token,
    params: { ...all, ...period, zone: 'UTC' },
    query: { format: 'csv', lang: 'ar' },
  })
  expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8')
  expect(answer.headers['content-disposition']).toContain('floorcast-r1ext-2026-10-25-2026-11-01.csv')
  expect(answer.body.split('\n')[0]).toContain('رقم المتجر')
  expect(answer.body).toContain('قُطع قبل نهايته')
})

it('r1ext is read by spreadsheets of either separator: with semicolons decimals have commas', async () => {
  const ask = async (query: object) => {
    const params = { ...all, ...period, zone: 'UTC' }
    const { body } = await server.ask(download, { token: shop.token, params, query })
    return body.replace(/^\ufeff/, '').split('\n')
  }
  const commas = await ask({ format: 'csv', lang: 'de', separator: 'comma' })
  const semicolons = await ask({ format: 'csv', lang: 'de' })
  const decimals = (lines: string[], pattern: RegExp) => lines.filter(line => pattern.test(line)).length
  expect(commas[0]?.replaceAll('"', '')).toBe(semicolons[0]?.replaceAll(';', ','))
  expect(decimals(commas, /,\d+\.\d+,/)).toBeGreaterThan(0)
  expect(decimals(semicolons, /;\d+,\d+;/)).toBe(decimals(commas, /,\d+\.\d+,/))
  const [heading] = await ask({ format: 'csv', separator: 'semicolon' })
  expect(heading).toContain(';Played, seconds;')
})

it('r1ext has headings alone where there is nothing; the preview has a note', async () => {
  expect(await download1({ ...all, from: '2026-09-01', to: '2026-09-01', zone: 'UTC' })).toEqual([])
  const params = { ...all, from: '2026-09-01', to: '2026-09-01', zone: 'UTC' }
  const empty = await server.call(preview, { token: shop.token, params })
  expect(empty).toMatchObject({ rows: [], hasMore: false, notes: [{ code: 'empty' }] })
})

it('r1ext previews the first 50 rows with their columns', async () => {
  const params = { ...all, ...period, zone: 'Europe/Berlin' }
  const answer = await server.call(preview, { token: shop.token, params })
  expect(answer.columns.map(({ key }) => key)).toContain('storeNumber')
  expect(answer.rows).toHaveLength(50)
  expect(answer.hasMore).toBe(true)
  const start = answer.columns.findIndex(({ key }) => key === 'startedAt')
  expect(answer.rows[0]?.[start]).toMatch(/^2026-10-25T0\d:\d\d:\d\d\+0[12]:00$/)
})

it.each([
  ['of no day', { from: '2026-10-02', to: '2026-10-01' }, 'to'],
  ['of 46 days', { from: '2026-09-01', to: '2026-10-16' }, 'to'],
  ['that ends long before it begins', { from: '2026-09-01', to: '2025-09-01' }, 'to'],
  ['in no zone', { zone: 'Europe/Atlantis' }, 'zone'],
  ['in IST, which Node alone knows', { zone: 'IST' }, 'zone'],
])('r1ext refuses a period %s', async (_, wrong, path) => {
  const params = { ...all, from: '2026-09-01', to: '2026-09-02', zone: 'UTC', ...wrong }
  for (const endpoint of [download, preview]) {
    const answer = await server.ask(endpoint, { token: shop.token, params })
    expect(answer.statusCode).toBe(422)
    expect(answer.json<Problem>().errors?.[0]?.path).toBe(path)
  }
})

it('r1ext takes 45 days', async () => {
  const params = { ...all, from: '2026-09-20', to: '2026-11-03', zone: 'UTC' }
  const expected = shop.playsIn('UTC', { from: '2026-09-20', to: '2026-11-03' })
  expect(await download1(params)).toHaveLength(expected.length)
})

const sumBy = <Key>(list: readonly StoredPlay[], keyOf: (play: StoredPlay) => Key) => Map.groupBy(list, keyOf)

describe.each(['device', 'Europe/Berlin', 'America/New_York'])('by the days of %s', zone => {
  const heard = () => shop.playsIn(zone).filter(play => play.result !== 'failed')

  it('r2 counts the plays of each track', async () => {
    const rows = await downloadCsv(reportCalls.r2.download, { ...period, zone })
    const expected = sumBy(heard(), play => play.trackName)
    expect(rows.length).toBe(expected.size)
    for (const row of rows) {
      const own = expected.get((row['Track'] ?? '').replace(/^'/, '')) ?? []
      const starts = own.map(play => play.startedAt.getTime()).toSorted((a, b) => a - b)
      expect(row).toMatchObject({
        Plays: String(own.length),
        'Complete plays': String(own.filter(play => play.result === 'complete').length),
        Devices: String(new Set(own.map(play => play.deviceUid)).size),
      })
      expect(Number(row['Seconds'])).toBeCloseTo(
        own.reduce((sum, play) => sum + play.secondsPlayed, 0),
        3,
      )
      expect([Date.parse(row['First play'] ?? ''), Date.parse(row['Last play'] ?? '')]).toEqual([
        starts[0],
        starts.at(-1),
      ])
    }
  })

  it('r3 counts the plays of each device and day', async () => {
    const rows = await downloadCsv(reportCalls.r3.download, { ...period, zone })
    const dayOf = (play: StoredPlay) => (zone === 'device' ? play.localDay : localDay(play.startedAt, zone))
    const expected = sumBy(heard(), play => `${dayOf(play)} ${play.deviceName}`)
    expect(new Set(rows.map(row => `${row['Day']} ${row['Device']}`))).toEqual(new Set(expected.keys()))
    for (const row of rows) {
      const own = expected.get(`${row['Day']} ${row['Device']}`) ?? []
      const secondsOf = (...types: string[]) =>
        own
          .filter(play => types.includes(play.contentType))
          .reduce((sum, play) => sum + play.secondsPlayed, 0)
      const total = secondsOf('ads', 'melodies', 'videos', 'videosAds')
      const ads = own.filter(play => play.contentType === 'ads' || play.contentType === 'videosAds').length
      expect(row['Plays']).toBe(String(own.length))
      expect(Number(row['Ads, seconds'])).toBeCloseTo(secondsOf('ads'), 3)
      expect(Number(row['Video ads, seconds'])).toBeCloseTo(secondsOf('videosAds'), 3)
      expect(Number(row['Ads per hour'])).toBeCloseTo((ads * 3600) / total, 1)
    }
  })
})

it('every report answers a preview and a file', async () => {
  const params = { ...all, mode: 'all', uid: 'all', ...period, zone: 'device' }
  const { token } = shop
  for (const [name, calls] of Object.entries(reportCalls)) {
    params.track = name === 'proof' ? (shop.tracks[0]?.uid ?? '') : 'all'
    const { columns } = await server.call(calls.preview, { token, params })
    expect([name, columns.length > 0]).toEqual([name, true])
    const answer = await server.ask(calls.download, { token, params, query: { format: 'csv' } })
    expect([name, answer.statusCode]).toEqual([name, 200])
  }
})

it('what a report says about itself that another zone counts single plays, and from when on they are kept', async () => {
  const ask = (zone: string) =>
    server.call(reportCalls.r3.preview, { token: shop.token, params: { ...period, zone } })
  expect((await ask('device')).notes).toEqual([])
  const codes = (await ask('UTC')).notes.map(({ code }) => code)
  expect(codes).toContain('rawRows')
})

it('what a report says about itself answers r2 at its bare path with the last seven days', async () => {
  const answer = await server.ask(reportCalls.r2.recent ?? download, {
    token: shop.token,
    query: { format: 'csv' },
  })
  expect(answer.headers['content-disposition']).toMatch(/floorcast-r2-\d{4}-\d\d-\d\d-/)
})

it('playpoints/tags has a column for each effective tag', async () => {
  const today = server.clock.now.toISOString().slice(0, 10)
  const rows = await downloadCsv(reportCalls.tags.download, { from: today, to: today, zone: 'device' })
  expect(rows.map(row => [row['Device'], row['timeZone']])).toEqual(
    SHOP_ZONES.map((zone, at) => [`Shop ${at}`, zone ?? '']),
  )
  const before = await downloadCsv(reportCalls.tags.download, { ...period, zone: 'device' })
  expect(before).toEqual([])
})

it('reports under load gives a client one at a time; the others wait, and come back later', async () => {
  const params = { ...all, ...period, zone: 'UTC' }
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      server.ask(download, { token: shop.token, params, query: { format: 'csv' } }),
    ),
  )
  const codes = answers.map(({ statusCode }) => statusCode)
  expect(codes.filter(code => code === 200).length).toBeGreaterThanOrEqual(4)
  expect(codes.filter(code => code === 429).length).toBe(codes.filter(code => code !== 200).length)
  const refused = answers.find(({ statusCode }) => statusCode === 429)
  expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
  expect((await server.ask(download, { token: shop.token, params })).statusCode).toBe(200)
})

it('reports under load answers HEAD without a query', async () => {
  const url = buildPath(download.path, { ...all, ...period, zone: 'UTC' })
  const headers = { authorization: `Bearer ${shop.token}` }
  const answer = await server.http.app.inject({ method: 'HEAD', url, headers })
  expect([answer.statusCode, answer.body]).toEqual([200, ''])
})
