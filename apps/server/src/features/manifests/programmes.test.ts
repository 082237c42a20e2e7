import { randomBytes } from 'node:crypto'
import { gunzipSync } from 'node:zlib'
import { readManifest, readProgramme } from '@floorcast/contract/device-protocol.ts'
import { FormerManifest, PROTOCOL } from '@floorcast/contract/manifest.ts'
import { addTrack } from '@floorcast/contract/playlists.ts'
import { makeClient, makeDevice, makeGroup, makeMedia, TEST_NOW } from '@floorcast/testing/factories.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { openPlayer } from '@floorcast/testing/test-device.ts'
import { readPlayerManifest } from '@floorcast/testing/test-manifests.ts'
import { testServer, startAnother } from '@floorcast/testing/test-server.ts'
import { newShop, readyPublication, type Shop } from '@floorcast/testing/test-shop.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { z } from 'zod'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import { saveProgramme } from './manifest-queries.ts'
import { Programmes } from './programmes.ts'
import { registerGroups } from '../groups/groups-routes.ts'
import { registerPlaylists } from '../playlists/playlists-routes.ts'
import { registerPublications } from '../publications/publications-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({
  hasOwnDatabase: true,
  features: [registerGroups, registerPlaylists, registerPublications, registerDeviceHost],
})
const UNKNOWN = 'f'.repeat(64)

/** A publication of one song on the air, and a player in its group. */
async function goOnAir(shop: Shop) {
  const { uid, group, playlist } = await readyPublication(shop)
  const media = await makeMedia(shop.scope)
  await shop.turnPlaylist(playlist)
  await server.call(addTrack, { token: shop.token, params: { track: media.uid, playlist } })
  await shop.turnPlaylist(playlist)
  await shop.turn(uid)
  return { publication: uid, group, playlist, player: await join(shop, group) }
}

async function join(shop: Shop, groupUid: string) {
  const { licenseKey } = await makeDevice(shop.scope, { groupUid })
  return openPlayer(server, licenseKey)
}
type Player = Awaited<ReturnType<typeof join>>

const namesOf = async (player: Player) => {
  const { sent } = await readPlayerManifest(server, player)
  return sent.publications.map(({ programme }) => programme)
}
const ask = ({ token }: Player, sha256: string, headers: Record<string, string> = {}) =>
  server.http.app.inject({
    url: `/api/v2/iplay/programme/${sha256}`,
    headers: { authorization: `Bearer ${token}`, ...headers },
  })

test('a programme is one document for all devices, compressed and immutable', async () => {
  const shop = await newShop(server)
  const { player, group } = await goOnAir(shop)
  const other = await join(shop, group)
  const [sha256 = ''] = await namesOf(player)
  expect(await namesOf(other)).toEqual([sha256])
  const packed = await ask(player, sha256, { 'accept-encoding': 'gzip, deflate' })
  expect(packed.headers).toMatchObject({
    'content-encoding': 'gzip',
    etag: `"${sha256}"`,
    'cache-control': 'private, max-age=31536000, immutable',
  })
  const plain = await ask(other, sha256)
  expect(plain.headers['content-encoding']).toBeUndefined()
  expect(gunzipSync(packed.rawPayload).toString()).toBe(plain.body)
  expect((await ask(player, sha256, { 'if-none-match': `"${sha256}"` })).statusCode).toBe(304)
  const { rows } = await asSuperuser(server.superuserUrl, superuser =>
    superuser.query('select count(*)::int as programmes from programmes where client_id = $1', [
      shop.scope.clientId,
    ]),
  )
  expect(rows).toEqual([{ programmes: 1 }])
})

test('a device gets no programme but those that its manifest names', async () => {
  const shop = await newShop(server)
  const { player, publication } = await goOnAir(shop)
  const stranger = await goOnAir(await newShop(server))
  const neighbor = await goOnAir(shop)
  const [own = ''] = await namesOf(player)
  const [foreign = ''] = await namesOf(stranger.player)
  const [near = ''] = await namesOf(neighbor.player)
  expect(new Set([own, foreign, near]).size).toBe(3)
  for (const sha256 of [foreign, near, UNKNOWN]) expect((await ask(player, sha256)).statusCode).toBe(404)
  expect((await ask(player, 'nonsense')).statusCode).toBe(422)
  expect((await server.ask(readProgramme, { token: '', params: { sha256: own } })).statusCode).toBe(401)
  expect((await ask(player, own)).statusCode).toBe(200)
  await shop.turn(publication)
  expect(await namesOf(player)).toEqual([])
  expect((await ask(player, own)).statusCode).toBe(404)
})

test('a group that waits for a transaction gets no former programme', async () => {
  const shop = await newShop(server)
  const { player, publication } = await goOnAir(shop)
  const [own = ''] = await namesOf(player)
  await asSuperuser(server.superuserUrl, async superuser => {
    await superuser.query('begin')
    await superuser.query('select pg_current_xact_id()')
    await shop.turn(publication)
    expect(await namesOf(player)).toEqual([])
    expect((await ask(player, own)).statusCode).toBe(404)
    await superuser.query('rollback')
  })
})

test('the devices of a group that waits for a transaction share its part', async () => {
  const shop = await newShop(server)
  const { publication, group } = await goOnAir(shop)
  const players = await Promise.all(Array.from({ length: 20 }, () => join(shop, group)))
  await shop.turn(publication)
  const kept = vi.spyOn(Programmes.prototype, 'keep')
  onTestFinished(() => kept.mockRestore())
  await asSuperuser(server.superuserUrl, async superuser => {
    await superuser.query('begin')
    await superuser.query('select pg_current_xact_id()')
    await shop.turn(publication)
    kept.mockClear()
    const names = await Promise.all(players.map(namesOf))
    expect(new Set(names.flat()).size).toBe(1)
    expect(kept.mock.calls.length).toBeLessThan(10)
    await superuser.query('rollback')
  })
})

test('a stored programme that is gone is made again', async () => {
  const shop = await newShop(server)
  const { player, publication } = await goOnAir(shop)
  const [sha256 = ''] = await namesOf(player)
  const text = (await ask(player, sha256)).body
  const second = await startAnother(server)
  await asSuperuser(server.superuserUrl, superuser => superuser.query('delete from programmes'))
  const again = await second.inject({
    url: `/api/v2/iplay/programme/${sha256}`,
    headers: { authorization: `Bearer ${player.token}` },
  })
  expect([again.statusCode, again.body]).toEqual([200, text])
  const third = await startAnother(server)
  await asSuperuser(server.superuserUrl, superuser => superuser.query('delete from programmes'))
  const former = await third.inject({
    url: `/api/v2/iplay/manifest/${player.deviceUid}`,
    headers: { authorization: `Bearer ${player.token}` },
  })
  expect(former.json()).toMatchObject({ data: { protocol: 1, publications: [{ uid: publication }] } })
})

/** A day of 4,057 plays of 200 media in a new client's group with one device. */
async function makeLongDay() {
  const { scope } = await makeClient(server.database)
  const { clientId } = scope
  const groupUid = await makeGroup(scope, { state: 'active' })
  const { licenseKey } = await makeDevice(scope, { groupUid })
  const media: { uid: string }[] = []
  for (let n = 0; n < 200; n += 1)
    media.push(await makeMedia(scope, { name: `A song of the day, number ${n}` }))
  const playlistUid = uuidV7()
  const head = { clientId, kind: 'audio' as const, createdAt: TEST_NOW, changedAt: TEST_NOW }
  const starts = Array.from({ length: 4057 }, (_, n) => n * 21.293 + (n % 7) / 3000)
  const blocks = Array.from({ length: 48 }, (_, n) => ({
    clientId,
    playlistUid,
    position: n + 1,
    kind: n % 2 === 0 ? ('melody' as const) : ('ad' as const),
    startSeconds: n * 1800,
    durationSeconds: 1800,
    tracks: starts.slice(n * 85, n * 85 + 85).map((_, index) => (((n * 85 + index) * 37) % 200) + 1),
    starts: starts.slice(n * 85, n * 85 + 85),
  }))
  await scope.write(async writes => {
    const plan = { form: 'smart' as const, draft: '{}', plannedPlays: 4057, plannedSeconds: 86_400 }
    const window = { ...plan, windowStart: '00:00', windowEnd: '23:59' }
    await writes
      .insertInto('playlists')
      .values({ uid: playlistUid, name: 'Day', ...head, ...window })
      .execute()
    const items = media.map(({ uid }, index) => ({
      uid: uuidV7(),
      clientId,
      playlistUid,
      mediaUid: uid,
      position: index + 1,
      plannedPlays: 20,
      repeatCount: 1,
    }))
    await writes.insertInto('playlistItems').values(items).execute()
    await writes.insertInto('playlistBlocks').values(blocks).execute()
    const publication = { uid: uuidV7(), name: 'On air', groupUid, playlistUid, activatedAt: TEST_NOW }
    await writes
      .insertInto('publications')
      .values({ ...publication, state: 'active', ...head })
      .execute()
  })
  return { player: await openPlayer(server, licenseKey) }
}

test('a day of 4,057 plays takes less than 25 kB, and the manifest less than 4 kB', async () => {
  const { player } = await makeLongDay()
  const { body, manifest } = await readPlayerManifest(server, player)
  const [publication] = manifest.publications
  const plays =
    publication?.playlist.form === 'smart' ? publication.playlist.blocks.flatMap(({ items }) => items) : []
  expect(plays).toHaveLength(4057)
  expect(plays[4056]?.start).toBeCloseTo(4056 * 21.293 + (4056 % 7) / 3000, 3)
  expect(body.length).toBeLessThan(4000)
  const [sha256 = ''] = await namesOf(player)
  const packed = await ask(player, sha256, { 'accept-encoding': 'gzip' })
  expect(packed.rawPayload.length).toBeLessThan(25_000)
  const former = await server.ask(readManifest, player)
  const { data } = z.object({ data: FormerManifest }).parse(former.json())
  expect(data.publications[0]?.playlist).toMatchObject({ form: 'smart' })
  expect(data.files).toHaveLength(200)
  expect(data.protocol).toBeLessThan(PROTOCOL)
})

test('of more bytes than a client may have the oldest programmes go, and none of another client', async () => {
  const [{ scope, clientId }, other] = [await makeClient(server.database), await makeClient(server.database)]
  const maxBytes = 250
  const save = async (owner: typeof other, nr: number, minute: number) => {
    const values = { sha256: String(nr).repeat(64), body: randomBytes(90) }
    const madeAt = new Date(TEST_NOW.getTime() + minute * 60_000)
    await owner.scope.write(writes =>
      saveProgramme(writes, { ...values, clientId: owner.clientId, madeAt }, maxBytes),
    )
  }
  await save(other, 1, 0)
  for (const [minute, nr] of [1, 2, 1, 3].entries()) await save({ ...other, scope, clientId }, nr, minute)
  const kept = ({ reads }: typeof scope) =>
    reads.selectFrom('programmes').select('sha256').orderBy('sha256').execute()
  expect((await kept(scope)).map(({ sha256 }) => sha256[0])).toEqual(['1', '3'])
  expect(await kept(other.scope)).toHaveLength(1)
})
