import { buildPath } from '@floorcast/contract/client.ts'
import { reportCalls } from '@floorcast/contract/report-calls.ts'
import { pdfText } from '@floorcast/testing/pdf.ts'
import { makeReportShop, REPORT_PERIOD, type ReportShop } from '@floorcast/testing/report-shop.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import type { TestServer } from '@floorcast/testing/test-server.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { beforeAll, expect, it } from 'vitest'

/** More rows than the buffers between the database and a reader hold. */
const COPIES = 300

let server: TestServer
let shop: ReportShop
let origin: string
beforeAll(async () => {
  server = await wholeServer()
  shop = await makeReportShop(server)
  await asSuperuser(server.superuserUrl, superuser =>
    superuser.query(
      `insert into plays (day, device_uid, boot_uid, sequence, client_id, event_uid, received_at, device_name, media_uid, sha256,
         track_name, content_type, scheduled_at, started_at, ended_at, seconds_played, duration_seconds, result, local_day, is_clock_doubted)
       select day, device_uid, gen_random_uuid(), n, client_id, gen_random_uuid(), received_at, device_name, media_uid, sha256,
         track_name, content_type, scheduled_at, started_at, ended_at, seconds_played, duration_seconds, result, local_day, is_clock_doubted
       from plays, generate_series(1, $2) n where client_id = $1`,
      [shop.scope.clientId, COPIES],
    ),
  )
  origin = await server.http.app.listen({ port: 0, host: '127.0.0.1' })
})

const runningStatements = () =>
  asSuperuser(server.superuserUrl, async superuser => {
    const { rows } = await superuser.query<{ running: number }>(
      `select count(*)::int as running from pg_stat_activity
       where datname = current_database() and application_name = 'floorcast_exports'`,
    )
    return rows[0]?.running
  })

it.each(['csv', 'xlsx', 'pdf'])(
  'a %s download that is broken off ends its statement and frees its slot',
  async format => {
    const params = { track: 'all', playpoint: 'all', playlist: 'all', ...REPORT_PERIOD, zone: 'UTC' }
    const url = origin + buildPath(reportCalls.r1ext.download.path, params, { format })
    const headers = { authorization: `Bearer ${shop.token}` }
    const gone = new AbortController()
    const answer = await fetch(url, { headers, signal: gone.signal })
    expect(answer.status).toBe(200)
    const reader = answer.body?.getReader()
    await reader?.read()
    expect(await runningStatements()).toBe(1)
    gone.abort()
    await expect.poll(runningStatements, { timeout: 15_000 }).toBe(0)
    const small = { ...params, from: '2026-09-01', to: '2026-09-01' }
    const next = await server.ask(reportCalls.r1ext.download, { token: shop.token, params: small })
    expect(next.statusCode).toBe(200)
  },
)

it('a pdf has the first 5,000 rows, says so, and sums all', async () => {
  const params = { track: 'all', playpoint: 'all', playlist: 'all', ...REPORT_PERIOD, zone: 'UTC' }
  const query = { format: 'pdf' } as const
  const { rawPayload } = await server.ask(reportCalls.r1ext.download, { token: shop.token, params, query })
  const plays = shop.playsIn('UTC')
  const format = (value: number) => new Intl.NumberFormat('en', { maximumFractionDigits: 1 }).format(value)
  const text = pdfText(rawPayload)
  const found = (pattern: RegExp) => pattern.exec(text)?.[1]
  expect(found(/The table has the first 5,000 of ([\d,]+) rows\./)).toBe(format(plays.length * (COPIES + 1)))
  expect(text.match(/^ +Shop \d .* \d\d:\d\d:\d\d /gm)).toHaveLength(5000)
  const seconds = plays.reduce((sum, play) => sum + play.secondsPlayed, 0) * (COPIES + 1)
  expect(found(/Totals +([\d,.]+)/)).toBe(format(seconds))
})
