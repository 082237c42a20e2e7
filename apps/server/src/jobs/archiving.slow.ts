import { readDelivery } from '@floorcast/contract/delivery-report.ts'
import { readDeviceDay } from '@floorcast/contract/device-day.ts'
import { listDeviceLog } from '@floorcast/contract/devices.ts'
import { downloadProof } from '@floorcast/contract/proof.ts'
import { reportCalls } from '@floorcast/contract/report-calls.ts'
import { HISTORY_DAYS, makeDeliveryHistory } from '@floorcast/testing/delivery-history.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { expect, it } from 'vitest'
import { rebuildStatistics } from '../features/statistics/statistics.ts'
import { archiveDays } from './archiving.ts'

const server = await wholeServer({ HOT_DAYS: '8' })
const query = async (text: string, values: unknown[] = []) =>
  (await asSuperuser(server.superuserUrl, superuser => superuser.query(text, values))).rows as Record<
    string,
    unknown
  >[]

/** Nobody waits in a test. */
const run = { signal: new AbortController().signal, rest: () => Promise.resolve() }
const NOW = new Date('2026-11-12T12:00:00Z')

async function archiveOn(day: string) {
  server.clock.now = new Date(`${day}T12:00:00Z`)
  const archived = await archiveDays(server.context, run)
  server.clock.now = NOW
  expect(archived?.failures).toBe(0)
  return archived
}

const history = await makeDeliveryHistory(server, 3)
const { shop, tracks, token } = history
const { clientId } = shop.scope
await query(`update sessions set idle_expires_at = '2035-01-01', expires_at = '2035-01-01'`)
// Samples have another name for each play; of two at one moment a rebuild may take either.
await query(`update plays set track_name = 'Tune ' || right(media_uid::text, 4) where client_id = $1`, [
  clientId,
])
await query(
  `update play_names set name = 'Tune ' || right(uid::text, 4) where kind = 'media' and client_id = $1`,
  [clientId],
)
server.clock.now = NOW

const ZONES = ['device', 'Europe/Berlin', 'Pacific/Auckland']
const filtersOf = (name: string) =>
  ({
    r1ext: { track: 'all', playpoint: 'all', playlist: 'all' },
    proof: { track: tracks[0] },
    alert2: { target: 'all', mode: 'all' },
  })[name] ?? {}

/** What the server answers about these days, each as bytes. */
async function readAll(): Promise<Map<string, string>> {
  const read = new Map<string, string>()
  const keep = async (key: string, endpoint: Parameters<typeof server.ask>[0], input: object) => {
    const answer = await server.ask(endpoint, { token, ...input })
    expect(answer.statusCode, `${key} ${answer.statusCode === 200 ? '' : answer.body.slice(0, 300)}`).toBe(
      200,
    )
    // The moment of the answer.
    read.set(key, answer.rawPayload.toString('latin1').replace(/"asOf":"[^"]*"/, ''))
  }
  for (const name of ['r1ext', 'r2', 'r3', 's1ext', 'rights', 'proof'] as const)
    for (const zone of ZONES) {
      const params = { ...HISTORY_DAYS, zone, ...filtersOf(name) }
      await keep(`${name} ${zone} preview`, reportCalls[name].preview, { params })
      for (const format of zone === 'device' ? ['csv', 'xlsx', 'pdf'] : ['csv'])
        await keep(`${name} ${zone} ${format}`, reportCalls[name].download, {
          params,
          query: { format, lang: 'en' },
        })
    }
  for (const uid of tracks) {
    for (const zone of ZONES)
      await keep(`signed ${uid} ${zone}`, downloadProof, { params: { uid, ...HISTORY_DAYS, zone } })
    await keep(`delivery ${uid}`, readDelivery, { params: { uid }, query: HISTORY_DAYS })
  }
  for (const id of history.shops.keys()) {
    const query = { from: '2026-10-22T00:00:00Z', to: '2026-10-28T00:00:00Z' }
    await keep(`log ${id}`, listDeviceLog, { params: { id, kind: 'playtrack' }, query })
  }
  for (const uid of history.shops.keys())
    for (const day of ['2026-10-23', '2026-10-26'])
      await keep(`day ${uid} ${day}`, readDeviceDay, { params: { uid }, query: { day } })
  return read
}

const countPlays = async () =>
  Number((await query('select count(*) as n from plays where client_id = $1', [clientId]))[0]?.['n'])
const rebuild = async () => (await rebuildStatistics(server.context, clientId)).wrong
/** Two answers that differ are named, not printed. */
const differences = (before: Map<string, string>, after: Map<string, string>) =>
  [...before].filter(([key, bytes]) => after.get(key) !== bytes).map(([key]) => key)

it('answers the same bytes from plays of the database, of the archive and of both', async () => {
  const all = await countPlays()
  expect(all).toBeGreaterThan(200)
  const hot = await readAll()
  expect(differences(hot, await readAll())).toEqual([])

  // The days before 25 October go.
  const some = await archiveOn('2026-11-02')
  expect(some?.plays).toBeGreaterThan(50)
  expect(await countPlays()).toBe(all - (some?.plays ?? 0))
  expect(differences(hot, await readAll())).toEqual([])
  expect(await rebuild()).toBe(0)

  const rest = await archiveOn('2026-11-10')
  expect(await countPlays()).toBe(0)
  expect((some?.plays ?? 0) + (rest?.plays ?? 0)).toBe(all)
  expect(differences(hot, await readAll())).toEqual([])
  expect(await rebuild()).toBe(0)
  expect(await archiveOn('2026-11-10')).toMatchObject({ files: 0 })
})
