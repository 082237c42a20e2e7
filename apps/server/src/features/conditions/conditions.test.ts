import { beginAlert, endAlert } from '@floorcast/contract/alerts.ts'
import { type ClientEvent, listClientEvents, readClientEvent } from '@floorcast/contract/client-events.ts'
import { sendEvents, sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { deleteDevice, type SilentReason } from '@floorcast/contract/devices.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { makeHeartbeat, makePlay, openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { newShop, readyPublication } from '@floorcast/testing/test-shop.ts'
import { beforeEach, expect, it } from 'vitest'
import { registerDeviceHost } from '../../device-host.ts'
import { registerAlerts } from '../alerts/alerts-routes.ts'
import { registerClientEvents } from '../client-events/client-events-routes.ts'
import { registerDevices } from '../devices/devices-routes.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerPublications } from '../publications/publications-routes.ts'
import { lookAtConditions } from './conditions.ts'

const server = await testServer({
  // A look is at all clients.
  hasOwnDatabase: true,
  features: [
    registerAlerts,
    registerClientEvents,
    registerDevices,
    registerGroups,
    registerPlaylists,
    registerPublications,
    registerDeviceHost,
  ],
})

/** Lets minutes pass, with a look in each. */
async function pass(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute += 1) {
    server.clock.now = new Date(server.clock.now.getTime() + 60_000)
    await lookAtConditions(server.context)
  }
}

/** Lets time pass in which no server runs. */
const stand = (minutes: number) => {
  server.clock.now = new Date(server.clock.now.getTime() + minutes * 60_000)
}

/** What happened, without where and when. */
function factsOf(event: ClientEvent): object {
  const { position: _position, at: _at, ...facts } = event
  return facts
}

const eventsOf = (token: string, query: { after?: number; kind?: string; size?: number } = {}) =>
  server.call(listClientEvents, { token, query })

/** A client whose players report. */
async function newFleet(names: readonly string[], { isGrouped = true } = {}) {
  const shop = await newShop(server)
  await server.database.jobs.setSubscription(shop.email, 'professional', new Date('2099-01-01'), new Date())
  const publication = await readyPublication(shop)
  const players = new Map<string, Awaited<ReturnType<typeof openPlayer>>>()
  for (const name of names) {
    const { licenseKey } = await makeDevice(shop.scope, {
      name,
      ...(isGrouped && { groupUid: publication.group }),
    })
    players.set(name, await openPlayer(server, licenseKey))
  }
  const playerOf = (name: string) => {
    const player = players.get(name)
    if (!player) throw new Error(`no ${name}`)
    return player
  }
  /** Reports, with the end of a track that runs for `seconds`. */
  const report = async (name: string, more: Parameters<typeof makeHeartbeat>[0] = {}) => {
    const sentAt = server.clock.now.toISOString()
    const nowPlaying = {
      mediaUid: makePlay(1).mediaUid,
      name: 'Blue hour',
      contentType: 'melodies' as const,
      startedAt: sentAt,
      offsetSeconds: 0,
      durationSeconds: 600,
    }
    const body = makeHeartbeat({ sentAt, nowPlaying, ...more })
    await server.call(sendHeartbeat, { ...playerOf(name), body })
  }
  const silent = (name: string, because: SilentReason) =>
    report(name, { nowPlaying: null, silence: { because, since: server.clock.now.toISOString() } })
  const uidOf = (name: string) => playerOf(name).deviceUid
  const { next } = await eventsOf(shop.token)
  let after = next
  /** The events since the last call: kind and facts, without positions and times. */
  const news = async () => {
    const page = await eventsOf(shop.token, { after })
    after = page.next
    return page.items.map(factsOf)
  }
  return { ...shop, publication, report, silent, uidOf, playerOf, news }
}

beforeEach(async () => {
  // Looks without a pause.
  await pass(6)
})

const ofDevices = (...uids: string[]) => ({ deviceCount: uids.length, deviceUids: uids.toSorted() })

it('a device that stops to report is late, then down, and back, each once', async () => {
  const fleet = await newFleet(['North', 'South'])
  const uid = fleet.uidOf('North')
  await fleet.report('North')
  await pass(3)
  expect(await fleet.news()).toEqual([])
  await pass(3)
  expect(await fleet.news()).toEqual([{ kind: 'device.late', ...ofDevices(uid) }])
  await pass(60)
  expect(await fleet.news()).toEqual([{ kind: 'device.down', ...ofDevices(uid) }])
  await pass(10)
  await fleet.report('North')
  await pass(1)
  expect(await fleet.news()).toEqual([{ kind: 'device.back', from: 'down', ...ofDevices(uid) }])
})

it('devices that go down together are one event; those that never reported, and those in the bin, are in none', async () => {
  const fleet = await newFleet(['A', 'B', 'C', 'Never'], { isGrouped: false })
  for (const name of ['A', 'B', 'C']) await fleet.report(name)
  await server.call(deleteDevice, { token: fleet.token, body: { uid: fleet.uidOf('C') } })
  await pass(6)
  expect(await fleet.news()).toEqual([
    { kind: 'device.late', ...ofDevices(fleet.uidOf('A'), fleet.uidOf('B')) },
  ])
  await server.call(deleteDevice, { token: fleet.token, body: { uid: fleet.uidOf('B') } })
  await pass(1)
  expect(await fleet.news()).toEqual([])
})

it('a shop that is silent for five minutes without a good reason is told, and when it plays again', async () => {
  const fleet = await newFleet(['Mute', 'Closed', 'Short'])
  for (let minute = 0; minute < 4; minute += 1) {
    await fleet.silent('Mute', 'not-downloaded')
    await fleet.silent('Closed', 'closed')
    await fleet.silent('Short', 'no-publication')
    await pass(1)
  }
  await fleet.report('Short')
  await fleet.silent('Mute', 'player-broken')
  await fleet.silent('Closed', 'closed')
  await pass(2)
  expect(await fleet.news()).toEqual([
    { kind: 'device.silent', reason: 'player-broken', ...ofDevices(fleet.uidOf('Mute')) },
  ])
  await fleet.report('Mute')
  await pass(1)
  expect(await fleet.news()).toEqual([
    { kind: 'device.back', from: 'silent', ...ofDevices(fleet.uidOf('Mute')) },
  ])
})

it('after a pause of the server devices have time to come back, and count as late only then', async () => {
  const fleet = await newFleet(['North', 'South'])
  await fleet.report('North')
  await fleet.report('South')
  await pass(1)
  stand(30)
  await pass(2)
  await fleet.report('North')
  await pass(2)
  expect(await fleet.news()).toEqual([])
  await fleet.report('North')
  await pass(2)
  expect(await fleet.news()).toEqual([{ kind: 'device.late', ...ofDevices(fleet.uidOf('South')) }])
})

it('a publication is ready once all devices that ever reported hold it, and ends', async () => {
  const fleet = await newFleet(['North', 'South', 'Never'])
  const { uid } = fleet.publication
  await fleet.turn(uid)
  const { revision } = await fleet.scope.reads
    .selectFrom('publications')
    .select('revision')
    .where('uid', '=', uid)
    .executeTakeFirstOrThrow()
  const hold = (name: string, missing: number) =>
    fleet.report(name, { held: [{ publicationUid: uid, revision, missing }] })
  await hold('North', 0)
  await hold('South', 2)
  await pass(1)
  expect(await fleet.news()).toEqual([])
  for (let minute = 0; minute < 61; minute += 1) {
    await hold('North', 0)
    await hold('South', 2)
    await pass(1)
  }
  const publication = { uid, name: 'On the air' }
  expect(await fleet.news()).toEqual([{ kind: 'publication.missing-files', publication, devices: 1 }])
  await hold('South', 0)
  await pass(1)
  expect(await fleet.news()).toEqual([{ kind: 'publication.ready', publication, devices: 2 }])
  await fleet.turn(uid)
  await hold('North', 0)
  await hold('South', 0)
  await pass(1)
  expect(await fleet.news()).toEqual([{ kind: 'publication.ended', publication }])
})

it('an alert begins, is told once where devices did not sound it, and ends', async () => {
  const fleet = await newFleet(['North'])
  const params = { uid: 'all', alerttype: 'air' } as const
  const { uid: alertUid } = await server.call(beginAlert, { token: fleet.token, params })
  const facts = { alertUid, alertKind: 'air', isDrill: false, target: { kind: 'all', uid: null, name: null } }
  expect(await fleet.news()).toEqual([{ kind: 'alert.begun', ...facts }])
  await pass(4)
  expect(await fleet.news()).toEqual([{ kind: 'alert.not-sounded', ...facts, failed: 0, notReached: 1 }])
  await server.call(endAlert, { token: fleet.token, params })
  await pass(1)
  expect(await fleet.news()).toEqual([{ kind: 'alert.ended', ...facts }])
})

it('an update that failed is told once for each version', async () => {
  const fleet = await newFleet(['North'])
  const send = (sequence: number, version: string) => {
    const { id, bootId, at } = makePlay(sequence, { at: server.clock.now.toISOString() })
    const update = {
      kind: 'update',
      id,
      bootId,
      at,
      sequence,
      packageUid: null,
      version,
      step: 'failed',
      message: 'no',
    }
    return server.call(sendEvents, { ...fleet.playerOf('North'), body: [update] as never })
  }
  await fleet.report('North')
  await send(1, '2.0.1')
  await pass(2)
  const failed = { kind: 'update.failed', ...ofDevices(fleet.uidOf('North')) }
  expect(await fleet.news()).toEqual([failed])
  await send(2, '2.0.2')
  await pass(1)
  expect(await fleet.news()).toEqual([failed])
})

it('a plan that ends soon is told once', async () => {
  const fleet = await newFleet([])
  const ends = new Date(server.clock.now.getTime() + 6 * 86_400_000)
  await server.database.jobs.setSubscription(fleet.email, 'professional', ends, new Date())
  await pass(121)
  expect(await fleet.news()).toEqual([{ kind: 'subscription.ending', expiresAt: ends.toISOString() }])
})

it('a client whose look fails keeps no other client from its events, and is looked at again', async () => {
  const [broken, whole] = [await newFleet(['North']), await newFleet(['South'])]
  await broken.report('North')
  await whole.report('South')
  const { clientId } = broken.scope
  await asSuperuser(server.superuserUrl, superuser =>
    superuser.query(`
      create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
      create trigger refuse before insert on conditions for each row when (new.client_id = '${clientId}') execute function refuse()`),
  )
  await pass(6)
  expect([await broken.news(), (await whole.news()).length]).toEqual([[], 1])
  await asSuperuser(server.superuserUrl, superuser => superuser.query('drop trigger refuse on conditions'))
  await pass(1)
  expect(await broken.news()).toMatchObject([{ kind: 'device.late' }])
})

// The last one: each further look is at its devices too.
it('ten thousand devices that go down at once are one event, which names all of them where it is read alone', async () => {
  const fleet = await newFleet(['North'])
  await fleet.report('North')
  await pass(1)
  await asSuperuser(server.superuserUrl, async superuser => {
    await superuser.query(
      `insert into devices (uid, client_id, kind, name, license_key, created_at, changed_at)
       select gen_random_uuid(), client_id, kind, 'Shop ' || n, license_key || n, created_at, changed_at
       from devices, generate_series(1, 9999) n where uid = $1`,
      [fleet.uidOf('North')],
    )
    await superuser.query(
      `insert into device_states (device_uid, client_id, last_contact_at, overdue_at, now_playing, playing_until, volume)
       select d.uid, s.client_id, s.last_contact_at, s.overdue_at, s.now_playing, s.playing_until, s.volume
       from device_states s join devices d on d.client_id = s.client_id and d.uid <> s.device_uid where s.device_uid = $1`,
      [fleet.uidOf('North')],
    )
  })
  await pass(6)
  const { items } = await eventsOf(fleet.token, { kind: 'device.late,device.down' })
  expect(items).toMatchObject([{ kind: 'device.late', deviceCount: 10_000 }])
  const [{ position }] = items as [ClientEvent]
  expect((items[0] as { deviceUids: string[] }).deviceUids).toHaveLength(100)
  const whole = await server.call(readClientEvent, { token: fleet.token, params: { position } })
  expect((whole as { deviceUids: string[] }).deviceUids).toHaveLength(10_000)
  const { token } = await server.newClient()
  expect((await server.ask(readClientEvent, { token, params: { position } })).statusCode).toBe(404)
})
