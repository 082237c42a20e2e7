import { randomUUID } from 'node:crypto'
import { readDevice } from '@floorcast/contract/devices.ts'
import { type HeartbeatAnswer, sendEvents, sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { atTheEnd } from '@floorcast/testing/at-the-end.ts'
import { makeDevice, type TestClient } from '@floorcast/testing/factories.ts'
import { makeHeartbeat, makePlay, openChannel, openPlayer } from '@floorcast/testing/test-device.ts'
import { followFeed } from '@floorcast/testing/test-feed.ts'
import { newShop, readyPublication } from '@floorcast/testing/test-shop.ts'
import { startAnother, testServer } from '@floorcast/testing/test-server.ts'
import { Pool } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { registerDeviceHost } from '../../device-host.ts'
import { openBus } from '../../platform/bus/bus.ts'
import { NoticeCollector, notifyBy, type ReportedChange } from '../../platform/database/collected-notices.ts'
import { openDatabase } from '../../platform/database/database.ts'
import { notify } from '../../platform/database/notify.ts'
import { registerChangeFeed } from '../change-feed/change-feed-routes.ts'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerPublications } from '../publications/publications-routes.ts'

const server = await testServer({
  hasOwnDatabase: true,
  features: [
    registerChangeFeed,
    registerDevices,
    registerDeviceHost,
    registerGroups,
    registerPlaylists,
    registerPublications,
  ],
})

/** Another server on the database, with its own connections, that listens. */
async function openOther() {
  const database = openDatabase({ url: server.url, lost: () => undefined })
  const bus = await openBus({ url: server.url, lost: error => server.losses.push(error) })
  atTheEnd(async () => {
    await bus.close()
    await database.close()
  })
  const app = await startAnother({ ...server, context: { ...server.context, database, bus } })
  return { app, origin: await app.listen({ host: '127.0.0.1', port: 0 }) }
}
const other = await openOther()
const origin = await server.http.app.listen({ host: '127.0.0.1', port: 0 })

/** A server that is killed each time between the commit of a report and its notice. `untold` has what it did not say. */
async function openKilled() {
  const untold: ReportedChange[] = []
  const { database } = server
  const notices = {
    add: (changes: Iterable<ReportedChange>) => void untold.push(...changes),
    flush: () => Promise.resolve(),
  }
  const context = {
    ...server.context,
    database: { ...database, ingest: { ...database.ingest, notices } },
  }
  const app = await startAnother({ ...server, context })
  return { untold, app, origin: await app.listen({ host: '127.0.0.1', port: 0 }) }
}

/** Waits until all notices of before are heard: the bus keeps the order of commits. */
async function hearAll({ scope }: Pick<TestClient, 'scope'>) {
  const mark = randomUUID()
  const { promise, resolve } = Promise.withResolvers<void>()
  const stop = server.context.bus.listen('live', {
    heard: words => void (words.includes(mark) && resolve()),
    missed: () => undefined,
  })
  await server.database.ingest.notices.flush()
  await scope.write(writes => notify(writes, 'live', [scope.clientId, 'all', mark]))
  await promise
  stop()
}

/** A shop with a player whose publication is on. */
async function openShop() {
  const shop = await newShop(server)
  const { group, uid: publication } = await readyPublication(shop)
  await shop.turn(publication)
  const { uid, licenseKey } = await makeDevice(shop.scope, { groupUid: group })
  const player = await openPlayer(server, licenseKey)
  await hearAll(shop)
  return { ...shop, publication, uid, player }
}

const sendHeartbeatTo = { method: 'POST', url: sendHeartbeat.path } as const
const heldOf = (publicationUid: string, missing: number) => [{ publicationUid, revision: 1, missing }]

/** Reads changes until all of these were named. */
async function readUntil(next: () => Promise<unknown>, wanted: readonly object[]) {
  const missing = new Set(wanted.map(line => JSON.stringify(line)))
  while (missing.size > 0) {
    const line = await next()
    expect(line, `the stream ended before ${[...missing].join()}`).toBeDefined()
    missing.delete(JSON.stringify(line))
  }
}

test('consoles of another server learn what a device reports: its state, its plays, its files and the end of its channel', async () => {
  const { token, uid, player, publication } = await openShop()
  const { next } = await followFeed({ ...other, token, losses: server.losses })
  const device = { thing: 'device', uid }
  const files = { thing: 'publication', uid: publication }
  await server.call(sendHeartbeat, { ...player, body: makeHeartbeat({ held: heldOf(publication, 2) }) })
  await readUntil(next, [device, files])
  await server.call(sendEvents, { ...player, body: [makePlay(1)] })
  await readUntil(next, [{ thing: 'play', uid }])
  const channel = await openChannel(origin, uid, player.token)
  channel.say({ type: 'held', held: heldOf(publication, 0) })
  await readUntil(next, [files])
  channel.say({ type: 'heartbeat', heartbeat: makeHeartbeat({ volume: 30 }) })
  await readUntil(next, [device])
  await channel.close()
  await readUntil(next, [device])
})

test('no report is stored with a notice in its transaction', async () => {
  const killed = await openKilled()
  const { uid, player, publication, scope } = await openShop()
  const heard = vi.fn<(words: string[]) => void>()
  const stop = server.context.bus.listen('live', { heard, missed: () => undefined })
  onTestFinished(stop)
  const headers = { authorization: `Bearer ${player.token}` }
  const beat = async (more: Parameters<typeof makeHeartbeat>[0]) =>
    expect(
      await killed.app.inject({ ...sendHeartbeatTo, headers, payload: makeHeartbeat(more) }),
    ).toMatchObject({ statusCode: 200 })
  await beat({ held: heldOf(publication, 2) })
  const url = sendEvents.path.replace('{playpointid}', uid)
  const stored = await killed.app.inject({ method: 'POST', url, headers, payload: [makePlay(1)] })
  expect(stored.json()).toMatchObject({ data: { accepted: 1 } })
  const channel = await openChannel(killed.origin, uid, player.token)
  channel.say({ type: 'held', held: heldOf(publication, 1) })
  channel.say({ type: 'heartbeat', heartbeat: makeHeartbeat({ volume: 20 }) })
  await vi.waitFor(() => expect(channel.heard.map(({ type }) => type)).toContain('heartbeat-answer'), 10_000)
  await channel.close()
  const told = (entity: string, of: string) =>
    killed.untold.filter(each => each.entity === entity && each.uid === of)
  await vi.waitFor(() => expect(told('device', uid).length).toBe(3), 10_000)
  expect(told('play', uid).length).toBe(1)
  await vi.waitFor(() => expect(told('publication', publication).length).toBe(2), 10_000)
  await hearAll({ scope })
  expect(heard.mock.calls.filter(([words]) => words.includes(uid) || words.includes(publication))).toEqual([])
})

test('what a killed server did not tell is told again within five minutes, and consoles read the newest state', async () => {
  const killed = await openKilled()
  const { token, uid, player } = await openShop()
  // The streams' own intervals alone.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const { next } = await followFeed({ ...other, token, losses: server.losses })
  const headers = { authorization: `Bearer ${player.token}` }
  const payload = makeHeartbeat({ programVersion: '2.700.0' })
  const answer = await killed.app.inject({ ...sendHeartbeatTo, headers, payload })
  expect(answer.json<{ data: HeartbeatAnswer }>().data.serverTime).toBe(server.clock.now.toISOString())
  expect(killed.untold).toEqual([{ clientId: expect.any(String) as string, entity: 'device', uid }])
  vi.advanceTimersByTime(300_000)
  await readUntil(next, [{ thing: 'device' }, { thing: 'play' }, { thing: 'publication' }])
  expect(await server.call(readDevice, { token, params: { id: uid } })).toMatchObject({
    programVersion: '2.700.0',
  })
})

test('changes of a moment are sent once each, and again when PostgreSQL did not take them', async () => {
  const { scope } = await openShop()
  const pool = new Pool({ connectionString: server.url, max: 1 })
  atTheEnd(() => pool.end())
  let failures = 1
  const send: ReturnType<typeof notifyBy> = payloads =>
    failures-- > 0 ? Promise.reject(new Error('too many notifications')) : notifyBy(pool)(payloads)
  const onFailure = vi.fn<(error: unknown) => void>()
  const notices = new NoticeCollector(send, { onFailure })
  const heard: string[] = []
  const stop = server.context.bus.listen('live', {
    heard: words => void (words[0] === scope.clientId && heard.push(words.slice(1).join(' '))),
    missed: () => undefined,
  })
  onTestFinished(stop)
  const [one, two] = [randomUUID(), randomUUID()]
  const of = (uid: string) => ({ clientId: scope.clientId, entity: 'device' as const, uid })
  notices.add([of(one), of(two)])
  notices.add([of(one)])
  await notices.flush()
  expect(onFailure).toHaveBeenCalledTimes(1)
  notices.add([of(two)])
  await vi.waitFor(
    () => expect(heard.toSorted()).toEqual([`device ${one}`, `device ${two}`].toSorted()),
    10_000,
  )
  await notices.close()
  notices.add([of(one)])
  await hearAll({ scope })
  expect(heard.filter(words => words.startsWith('device'))).toHaveLength(2)
})
