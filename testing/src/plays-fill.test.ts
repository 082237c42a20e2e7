import { sendEvents } from '@floorcast/contract/device-protocol.ts'
import { PlayEvent } from '@floorcast/contract/events.ts'
import { addPlaylist, addTrack } from '@floorcast/contract/playlists.ts'
import { addTag } from '@floorcast/contract/tag-calls.ts'
import { Pool } from 'pg'
import { expect, test } from 'vitest'
import { atTheEnd } from './at-the-end.ts'
import { makeDevice, makeGroup, makeMedia, TEST_NOW } from './factories.ts'
import { fillPlays } from './plays-fill.ts'
import { knowFiles, openPlayer } from './test-device.ts'
import { wholeServer } from './whole-server.ts'
import { newShop, readyPublication } from './test-shop.ts'

const server = await wholeServer()
server.clock.now = TEST_NOW
const superuser = new Pool({ connectionString: server.superuserUrl, max: 1 })
// The end of a pool does not wait for PostgreSQL, which may end the connection first.
superuser.on('error', () => undefined)
atTheEnd(() => superuser.end())

const NAMES = ['Till radio', 'Entrance', 'Bakery']
const TABLES = [
  'plays',
  'playDays',
  'playMediaDays',
  'playHours',
  'playGroupHours',
  'deliveredQuarters',
  'playNames',
  'historyCounts',
  'deviceBoots',
  'deviceStates',
] as const
/** Columns that differ between two runs: the owner, and the time of arrival. */
const OF_ONE_RUN = new Set([
  'clientId',
  'groupUid',
  'reporterUid',
  'receivedAt',
  'lastContactAt',
  'firstSeenAt',
  'lastSeenAt',
  'namedAt',
])

/** A client with a group of devices in a zone whose days are not those of UTC. */
async function newShops() {
  const shop = await newShop(server)
  const { scope, token } = shop
  const { uid: publicationUid } = await readyPublication(shop)
  const groupUid = await makeGroup(scope, { name: 'North shops' })
  const devices = []
  for (const name of NAMES) devices.push(await makeDevice(scope, { name, groupUid }))
  const params = { contentType: 'client', uid: 'own' } as const
  await server.call(addTag, { token, params, body: { key: 'timeZone', value: 'Pacific/Auckland' } })
  return { scope, token, groupUid, publicationUid, devices }
}
type Shops = Awaited<ReturnType<typeof newShops>>

async function read({ scope, devices, publicationUid }: Shops) {
  const nameOf = new Map(devices.map(({ uid }, nr) => [uid, NAMES[nr]])).set(publicationUid, 'On the air')
  const flat = (row: object) =>
    Object.entries(row)
      .filter(([key]) => !OF_ONE_RUN.has(key))
      .map(([key, value]) => `${key}: ${nameOf.get(String(value)) ?? JSON.stringify(value)}`)
      .toSorted()
      .join(', ')
  const contents: Record<string, string[]> = {}
  for (const table of TABLES) {
    const rows: object[] = await scope.reads.selectFrom(table).selectAll().execute()
    contents[table] = rows.map(flat).toSorted()
  }
  return contents
}

test('filled plays are what ingestion stores of the same events', async () => {
  const [filled, sent] = [await newShops(), await newShops()]
  const { scope, token, groupUid, publicationUid } = filled
  const { uid: playlistUid = '' } = await server.call(addPlaylist, {
    token,
    params: { contentType: 'audio' },
    body: { name: 'Songs' },
  })
  for (const [name, durationSeconds] of [
    ['One', 200],
    ['Two', 31.25],
    ['Three', 1 / 3],
  ] as const) {
    const { uid: track } = await makeMedia(scope, { name, durationSeconds })
    await server.call(addTrack, { token, params: { track, playlist: playlistUid } })
  }
  const fill = { clientId: scope.clientId, groupUid, publicationUid, playlistUid, playsADay: 120 }
  const days: string[] = []
  const plays = await fillPlays(superuser, { ...fill, from: '2026-11-18', to: '2026-11-20' }, day =>
    days.push(day),
  )
  expect([plays, days]).toEqual([3 * 3 * 120, ['2026-11-18', '2026-11-19', '2026-11-20']])

  const rows = await scope.reads.selectFrom('plays').selectAll().orderBy('sequence').execute()
  const files = rows.map(row => ({ ...row, contentType: 'melodies' as const }))
  for (const [nr, { licenseKey }] of sent.devices.entries()) {
    const player = await openPlayer(server, licenseKey)
    await knowFiles(server, player.deviceUid, files)
    const own = rows.filter(({ deviceUid }) => deviceUid === filled.devices[nr]?.uid)
    const body = own.map(row =>
      PlayEvent.parse({
        ...row,
        publicationUid: sent.publicationUid,
        kind: 'playtrack',
        id: row.eventUid,
        bootId: row.bootUid,
        at: row.endedAt,
      }),
    )
    expect(await server.call(sendEvents, { ...player, body })).toMatchObject({
      accepted: 3 * 120,
      refused: [],
    })
  }
  expect(await read(sent)).toEqual(await read(filled))
})
