import { randomUUID } from 'node:crypto'
import { sendEvents } from '@floorcast/contract/device-protocol.ts'
import { addTag, editTag } from '@floorcast/contract/tag-calls.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { knowFiles, makePlay, openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { expect, test } from 'vitest'
import { registerTags } from '../tags/tags-routes.ts'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({ features: [registerTags, registerDeviceHost] })
server.clock.now = new Date('2026-11-03T00:00:00Z')
const { scope, token } = await server.newClient()
const bootId = randomUUID()
let sequence = 0

async function openDevice() {
  const { uid, licenseKey } = await makeDevice(scope, { name: 'Till radio' })
  return { uid, player: await openPlayer(server, licenseKey) }
}

test('devices that are added at the same time have numbers of their own', async () => {
  const { scope: other } = await server.newClient()
  const added = await Promise.all(Array.from({ length: 12 }, () => makeDevice(other)))
  const rows = await other.reads.selectFrom('playDevices').selectAll().orderBy('number').execute()
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 12 }, (_, number) => number))
  expect(rows.map(({ deviceUid }) => deviceUid).toSorted()).toEqual(added.map(({ uid }) => uid).toSorted())
})

test('a play keeps the day of the zone that its device had when the play came', async () => {
  const device = await openDevice()
  const params = { contentType: 'device', uid: device.uid } as const
  await server.call(addTag, { token, params, body: { key: 'timeZone', value: 'Europe/Berlin' } })
  const play = () => {
    const at = new Date(Date.parse('2026-11-01T23:30:00.000Z') + (sequence += 1) * 20_000).toISOString()
    return makePlay(sequence, { bootId, at, startedAt: at, endedAt: at, scheduledAt: at })
  }
  await server.call(sendEvents, { ...device.player, body: [play()] })
  const body = { key: 'timeZone', value: 'America/Lima' }
  await server.call(editTag, { token, params, body })
  await server.call(sendEvents, { ...device.player, body: [play(), play()] })
  const read = (table: 'playDays' | 'plays') =>
    scope.reads
      .selectFrom(table)
      .where('deviceUid', '=', device.uid)
      .select('localDay')
      .orderBy('localDay')
      .execute()
  expect(await read('plays')).toEqual(
    ['2026-11-01', '2026-11-01', '2026-11-02'].map(localDay => ({ localDay })),
  )
  expect(await read('playDays')).toEqual(['2026-11-01', '2026-11-02'].map(localDay => ({ localDay })))
})

test('the newest name of a track, a device and a playlist is kept beside the sums', async () => {
  const { uid, player } = await openDevice()
  const mediaUid = randomUUID()
  const playlistUid = randomUUID()
  const at = (minute: number) => `2026-11-02T08:0${minute}:00.000Z`
  const names = ['Old name', 'New name', 'Oldest name']
  for (const [index, minute] of [2, 3, 1].entries()) {
    const times = { at: at(minute), startedAt: at(minute), endedAt: at(minute), scheduledAt: at(minute) }
    const trackName = names[index] ?? ''
    const body = [makePlay((sequence += 1), { ...times, bootId, mediaUid, playlistUid, trackName })]
    await knowFiles(server, uid, body)
    await server.call(sendEvents, { ...player, body })
  }
  const rows = await scope.reads
    .selectFrom('playNames')
    .where('uid', 'in', [mediaUid, playlistUid, uid])
    .select(['kind', 'name'])
    .orderBy('kind')
    .execute()
  expect(rows).toEqual([
    { kind: 'device', name: 'Till radio' },
    { kind: 'media', name: 'New name' },
    { kind: 'playlist', name: 'Songs' },
  ])
})
