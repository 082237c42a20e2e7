import { reportCalls } from '@floorcast/contract/report-calls.ts'
import { type ReportDefinition, reports, type ReportName, reportNames } from '@floorcast/contract/reports.ts'
import { readCatalogue } from '@floorcast/locales/catalogue-files.ts'
import en from '@floorcast/locales/catalogues/en/reports.json' with { type: 'json' }
import { locales, type LocaleCode } from '@floorcast/contract/locales.ts'
import { pdfOperators, pdfText } from '@floorcast/testing/pdf.ts'
import { makeReportShop, REPORT_PERIOD, type ReportShop } from '@floorcast/testing/report-shop.ts'
import { testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { parseXlsx } from '@floorcast/testing/xlsx.ts'
import { beforeAll, describe, expect, it } from 'vitest'
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
const { download } = reportCalls.r1ext

it('an xlsx file has the same plays, with dates as dates and formula signs as texts', async () => {
  const params = { ...all, ...period, zone: 'device' }
  const answer = await server.ask(download, { token: shop.token, params })
  expect(answer.headers['content-disposition']).toContain('floorcast-r1ext-2026-10-25-2026-11-01.xlsx')
  const [headings, ...rows] = parseXlsx(answer.rawPayload)[0]?.rows ?? []
  const at = (name: string) => headings?.findIndex(([value]) => value === name) ?? -1
  const expected = shop.playsIn('device')
  expect(rows.length).toBe(expected.length)
  expect(new Set(rows.map(row => row[at('Track')]?.[0]))).toEqual(
    new Set(shop.tracks.map(({ name }) => name)),
  )
  expect(new Set(rows.flatMap(row => row.map(([, type]) => type)))).toEqual(new Set(['s', 'd', 'n']))
  const wallTimes = expected.map(play =>
    new Intl.DateTimeFormat('sv', {
      timeZone: shop.zoneOf.get(play.deviceUid) ?? 'UTC',
      dateStyle: 'short',
      timeStyle: 'medium',
    }).format(play.startedAt),
  )
  expect(rows.map(row => row[at('Start')]?.[0] ?? '').toSorted()).toEqual(wallTimes.toSorted())
  const seconds = rows.reduce((sum, row) => sum + Number(row[at('Played, seconds')]?.[0]), 0)
  expect(seconds).toBeCloseTo(
    expected.reduce((sum, play) => sum + play.secondsPlayed, 0),
    3,
  )
})

it('an xlsx file has headings and a note where there is nothing', async () => {
  const params = { from: '2026-09-01', to: '2026-09-01', zone: 'UTC' }
  const answer = await server.ask(reportCalls.r3.download, { token: shop.token, params })
  const [headings, ...rows] = parseXlsx(answer.rawPayload)[0]?.rows ?? []
  expect(headings?.[0]?.[0]).toBe('Device')
  expect(rows[0]?.[0]?.[0]).toBe('There is nothing to report in this period.')
})

describe.each(locales)('a file in $name', ({ code }) => {
  const texts = readCatalogue(`packages/locales/catalogues/${code}`)
  const heads = reports.r1ext.columns.map(({ key }) => texts.get(`reports:columns.${key}`))
  const params = { ...all, ...period, zone: 'UTC' }
  const ask = (format: 'csv' | 'xlsx') =>
    server.ask(reportCalls.r1ext.download, { token: shop.token, params, query: { format, lang: code } })

  it('has its heads and its values as csv', async () => {
    const separator = ['ar', 'cn', 'en'].includes(code) ? ',' : ';'
    const [first, ...rows] = (await ask('csv')).body.replace(/^\ufeff/, '').split(/\r?\n/)
    expect(first?.replaceAll('"', '')).toBe(heads.join(separator))
    const complete = texts.get('reports:values.result.complete') ?? '?'
    expect(rows.filter(row => row.includes(complete)).length).toBeGreaterThan(0)
  })

  it('has its heads as xlsx, from the side where its language begins', async () => {
    const [sheet] = parseXlsx((await ask('xlsx')).rawPayload)
    expect(sheet?.isRightToLeft).toBe(code === 'ar')
    const [headings, ...rows] = sheet?.rows ?? []
    expect(headings?.map(([text]) => text)).toEqual(heads)
    expect(rows.length).toBeGreaterThan(1)
  })
})

interface Asked {
  lang?: LocaleCode
  from?: string
  to?: string
  playpoint?: string
}

/** The text of a report of everything. */
async function askPdf(name: ReportName, { lang, ...asked }: Asked = {}) {
  const { filters }: ReportDefinition = reports[name]
  const params = {
    ...Object.fromEntries(
      filters.map(({ key, isRequired }) => [key, isRequired ? (shop.tracks[0]?.uid ?? '') : 'all']),
    ),
    ...period,
    zone: 'device',
    ...asked,
  }
  const query = { format: 'pdf', ...(lang && { lang }) } as const
  const { headers, rawPayload } = await server.ask(reportCalls[name].download, {
    token: shop.token,
    params,
    query,
  })
  expect(headers['content-type']).toBe('application/pdf')
  expect(headers['content-disposition']).toContain('.pdf')
  return { text: pdfText(rawPayload), bytes: rawPayload.length, drawn: pdfOperators(rawPayload) }
}

it.each(reportNames)('a pdf file of %s has its title, its heads and the time of its making', async name => {
  const { text } = await askPdf(name)
  const words = [en.names[name], ...headingsOf(name)].join(' ').split(' ')
  for (const word of [...words, period.from, 'Page 1 of']) expect(text).toContain(word)
  const isSummed = (reports[name] as ReportDefinition).columns.some(column => column.isSummed)
  expect(text.includes('Totals')).toBe(isSummed && !text.includes('There is nothing to report'))
})

const headingsOf = (name: ReportName) =>
  reports[name].columns.map(({ key }) => (en.columns as Record<string, string>)[key] ?? '')

it('a pdf file has all plays, names of every script, harmless formula signs, and the sum', async () => {
  const { text } = await askPdf('r1ext')
  const expected = shop.playsIn('device')
  for (const { name } of shop.tracks) expect(text).toContain(name)
  const lines = text.split('\n')
  expect(lines.filter(line => /Shop \d .* \d\d:\d\d:\d\d /.test(line))).toHaveLength(expected.length)
  const sum = expected.reduce((total, play) => total + play.secondsPlayed, 0)
  const written = new Intl.NumberFormat('en', { minimumFractionDigits: 1 }).format(Math.round(sum * 10) / 10)
  expect(lines.find(line => line.includes('Totals'))).toContain(written)
})

it.each(locales)('a pdf file is in $name with its title, heads, sums and page numbers', async ({ code }) => {
  const texts = readCatalogue(`packages/locales/catalogues/${code}`)
  const { text } = await askPdf('r3', { lang: code })
  const shown = text.replaceAll(/\s+/g, ' ')
  const wanted = ['names.r3', 'columns.device', 'columns.day', 'columns.plays', 'totals', 'madeAt']
  const words = wanted.flatMap(key => texts.get(`reports:${key}`)?.split(/\s+/) ?? [key])
  // Poppler reads the ligature of lam and alef as its letters in the wrong order.
  for (const word of words.filter(each => !/ل[اأإآ]/.test(each))) expect(shown).toContain(word)
})

it('a pdf file draws its heads and sums bold, in Chinese by the outlines of its letters', async () => {
  const [english, chinese] = [await askPdf('r3', { lang: 'en' }), await askPdf('r3', { lang: 'cn' })]
  // Text rendering mode 2: fill, then stroke.
  const outlined = (drawn: string) => drawn.match(/^2 Tr$/gm)?.length ?? 0
  expect(outlined(english.drawn)).toBe(0)
  expect(outlined(chinese.drawn)).toBeGreaterThan(reports.r3.columns.length)
})

it('a pdf file is mirrored in Arabic', async () => {
  const { text } = await askPdf('r2', { lang: 'ar' })
  expect(text).toContain('مرات التشغيل حسب المقطع')
  const line = text.split('\n').find(found => found.includes('上海之夜')) ?? ''
  expect(line.indexOf('上海之夜')).toBeGreaterThan(line.indexOf('2026-'))
  expect(line.indexOf('2026-')).toBeGreaterThan(-1)
})

it('a pdf file names its filter, says that there is nothing, and stays small', async () => {
  const [playpoint] = shop.zoneOf.keys()
  const { text, bytes } = await askPdf('r1ext', {
    from: '2026-09-01',
    to: '2026-09-01',
    playpoint: playpoint ?? '',
  })
  expect(text).toMatch(/Device\n.* Shop 0/)
  expect(text).toContain('There is nothing to report in this period.')
  expect(bytes).toBeLessThan(40_000)
})
