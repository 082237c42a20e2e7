import { readSession } from '@floorcast/contract/auth.ts'
import { buildPath } from '@floorcast/contract/client.ts'
import { sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { resetHeartbeat } from '@floorcast/contract/devices.ts'
import { reportCalls } from '@floorcast/contract/report-calls.ts'
import { addTag } from '@floorcast/contract/tag-calls.ts'
import { makeDevice, makeGroup } from '@floorcast/testing/factories.ts'
import { makeHeartbeat, openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerReports } from './reports-routes.ts'
import { registerTags } from '../tags/tags-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({
  hasOwnDatabase: true,
  features: [registerDevices, registerReports, registerTags, registerDeviceHost],
})
const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** Clocks change in Berlin on 25 October. */
const START = Date.parse('2026-10-21T00:00:00Z')
const NOW = Date.parse('2026-10-28T07:00:00Z')
const DAYS = { from: '2026-10-23', to: '2026-10-28' }
const ZONES = ['Europe/Berlin', 'Asia/Kolkata', 'America/St_Johns', 'UTC'] as const

interface Contact {
  at: number
  kind: 'heartbeat' | 'reset'
}
interface Shop {
  uid: string
  name: string
  zone: string
  contacts: Contact[]
}

/** Gaps below an hour, between an hour and a day, and over a day. */
const gap = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 60 }) },
  { weight: 2, arbitrary: fc.integer({ min: 61, max: 1440 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1441, max: 2900 }) },
)
const contact = fc.record({
  minutes: gap,
  kind: fc.constantFrom('heartbeat', 'heartbeat', 'heartbeat', 'heartbeat', 'reset'),
})

/** Moves the clock. The session stays in use meanwhile: it ends after twelve idle hours. */
async function moveClock(token: string, until: number): Promise<void> {
  for (let at = server.clock.now.getTime(); at < until; at += 11 * HOUR) {
    server.clock.now = new Date(at)
    await server.call(readSession, { token })
  }
  server.clock.now = new Date(until)
}

async function makeShop(client: Awaited<ReturnType<typeof server.newClient>>, n: number, groupUid: string) {
  const [zone, name] = [ZONES[n % ZONES.length] ?? 'UTC', `Shop ${n}`]
  server.clock.now = new Date(START)
  const created = { name, at: new Date(START), ...(n === 0 ? { groupUid } : {}) }
  const { uid, licenseKey } = await makeDevice(client.scope, created)
  const tag = { params: { contentType: 'device', uid }, body: { key: 'timeZone', value: zone } }
  await server.call(addTag, { token: client.token, ...tag })
  return { shop: { uid, name, zone, contacts: [] } as Shop, player: await openPlayer(server, licenseKey) }
}

/** What a device's connectivity is by its contacts alone. */
function stateAt({ contacts }: Shop, at: number): string {
  const last = contacts.findLast(each => each.at <= at)
  if (!last || last.kind === 'reset') return 'Never connected'
  const age = at - last.at
  if (age < HOUR) return 'Online'
  return age < 24 * HOUR ? 'Offline over an hour' : 'Offline over a day'
}

interface Interval {
  device: string
  state: string
  from: number
  to: number
  seconds: number
}

async function read(token: string, name: 'statetx' | 's2ext', params: object) {
  const query = { format: 'csv' }
  const answer = await server.ask(reportCalls[name].download, {
    token,
    params: { ...DAYS, ...params },
    query,
  })
  expect(answer.statusCode).toBe(200)
  const [, ...lines] = answer.body.trimEnd().split('\n')
  return lines.map(line => line.split(','))
}

const readIntervals = async (token: string, params: object): Promise<Interval[]> =>
  (await read(token, 'statetx', params)).map(([device = '', , , state = '', from = '', to = '', length]) => ({
    device,
    state,
    from: Date.parse(from),
    to: Date.parse(to),
    seconds: Number(length),
  }))

const dayIn = (zone: string, at: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(at)

/** The first instant of a zone's day, by looking for it. */
function startOf(day: string, zone: string): number {
  for (let at = Date.parse(day) - 14 * HOUR; ; at += 15 * MINUTE) if (dayIn(zone, at) >= day) return at
}

function checkIntervals(shop: Shop, intervals: readonly Interval[], zone: string): void {
  const [start, end] = [startOf(DAYS.from, zone), Math.min(startOf('2026-10-29', zone), NOW)]
  const mine = intervals.filter(({ device }) => device === shop.name)
  expect(mine[0]?.from).toBe(start)
  expect(mine.at(-1)?.to).toBe(end)
  for (const [n, { from, to, state, seconds }] of mine.entries()) {
    if (n > 0) expect(from).toBe(mine[n - 1]?.to)
    if (n > 0) expect(state).not.toBe(mine[n - 1]?.state)
    expect(seconds * 1000).toBe(to - from)
    for (const at of [from, (from + to) / 2, to - 1000]) expect(stateAt(shop, at)).toBe(state)
  }
}

function checkMinutes(row: readonly string[], intervals: readonly Interval[]): void {
  const [device, , , online, linkdown, linklost, neverup, availability] = row
  const minutesIn = (state: string) =>
    intervals
      .filter(each => each.device === device && each.state === state)
      .reduce((sum, { seconds }) => sum + seconds / 60, 0)
  const states = ['Online', 'Offline over an hour', 'Offline over a day', 'Never connected']
  for (const [n, minutes] of [online, linkdown, linklost, neverup].entries())
    expect(Number(minutes)).toBeCloseTo(minutesIn(states[n] ?? ''), 2)
  const up = states.slice(0, 3).reduce((sum, state) => sum + minutesIn(state), 0)
  if (up === 0) expect(availability).toBe('')
  else expect(Number(availability)).toBeCloseTo((100 * minutesIn('Online')) / up, 1)
}

test('intervals tile the period as the contacts of a device say, and minutes are their sums', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(contact, { maxLength: 20 }), { minLength: 4, maxLength: 4 }),
      async random => {
        server.clock.now = new Date(START)
        const client = await server.newClient()
        const { token } = client
        const group = await makeGroup(client.scope)
        const shops: Shop[] = []
        for (const [n, contacts] of random.entries()) {
          const { shop, player } = await makeShop(client, n, group)
          shops.push(shop)
          let at = START + 17_000
          for (const { minutes, kind } of contacts) {
            at += minutes * MINUTE
            if (at >= NOW) break
            await moveClock(token, at)
            if (kind === 'heartbeat') await server.call(sendHeartbeat, { ...player, body: makeHeartbeat() })
            else await server.call(resetHeartbeat, { token, params: { id: shop.uid } })
            shop.contacts.push({ at, kind })
          }
        }
        await moveClock(token, NOW)
        for (const zone of ['device', 'Europe/Berlin', 'Pacific/Auckland']) {
          const intervals = await readIntervals(token, { mode: 'all', uid: 'all', zone })
          for (const shop of shops) checkIntervals(shop, intervals, zone === 'device' ? shop.zone : zone)
          const rows = await read(token, 's2ext', { zone })
          expect(rows).toHaveLength(shops.length)
          for (const row of rows) checkMinutes(row, intervals)
        }
        const all = await readIntervals(token, { mode: 'all', uid: 'all', zone: 'UTC' })
        const [inGroup, alone] = shops
        const ofGroup = await readIntervals(token, { mode: 'group', uid: group, zone: 'UTC' })
        expect(ofGroup).toEqual(all.filter(({ device }) => device === inGroup?.name))
        const ofDevice = await readIntervals(token, { mode: 'device', uid: alone?.uid, zone: 'UTC' })
        expect(ofDevice).toEqual(all.filter(({ device }) => device === alone?.name))
      },
    ),
    { numRuns: 2, endOnFailure: true },
  )
})

test('a device that was added within the period counts from then on', async () => {
  server.clock.now = new Date(NOW - 2 * HOUR)
  const { token, scope } = await server.newClient()
  await makeDevice(scope, { name: 'New today', at: new Date(NOW - HOUR) })
  server.clock.now = new Date(NOW)
  const [interval] = await readIntervals(token, { mode: 'all', uid: 'all', zone: 'UTC' })
  expect(interval).toMatchObject({ state: 'Never connected', from: NOW - HOUR, to: NOW, seconds: 3600 })
  const [row] = await read(token, 's2ext', { zone: 'UTC' })
  expect([Number(row?.[6]), row?.[7]]).toEqual([60, ''])
})

test.each(['GET', 'HEAD'] as const)('%s of a report about a device of another client: 404', async method => {
  const [mine, theirs] = [await server.newClient(), await server.newClient()]
  const { uid } = await makeDevice(theirs.scope)
  const params = { ...DAYS, mode: 'device', uid, zone: 'UTC' }
  const answer = await server.http.app.inject({
    method,
    url: buildPath(reportCalls.statetx.download.path, params),
    headers: { authorization: `Bearer ${mine.token}` },
  })
  expect(answer.statusCode).toBe(404)
})
