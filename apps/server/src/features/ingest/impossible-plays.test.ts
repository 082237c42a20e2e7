import { randomUUID } from 'node:crypto'
import { sendEvents } from '@floorcast/contract/device-protocol.ts'
import { makeClient, makeDevice } from '@floorcast/testing/factories.ts'
import { makePlay, openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { expect, test } from 'vitest'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({ features: [registerDeviceHost] })

async function openDevice() {
  const { scope } = await makeClient(server.database)
  const { uid, licenseKey } = await makeDevice(scope)
  const player = await openPlayer(server, licenseKey)
  const count = async (table: 'plays' | 'deviceLogs') =>
    (await scope.reads.selectFrom(table).where('deviceUid', '=', uid).select('eventUid').execute()).length
  const send = (body: object[]) => server.call(sendEvents, { ...player, body })
  return { uid, player, scope, count, send }
}

const at = (seconds: number) => new Date(server.clock.now.getTime() + seconds * 1000).toISOString()
const spot = { startedAt: at(-20), endedAt: at(0), secondsPlayed: 20, durationSeconds: 20 }

test.each([
  ['a number of seconds that no clock counts', { secondsPlayed: 1e308 }, 'secondsPlayed'],
  ['a medium of an age', { secondsPlayed: 1e308, durationSeconds: 1e308 }, 'durationSeconds'],
  ['an end before the start', { endedAt: at(-21) }, 'endedAt'],
  ['longer than the medium', { secondsPlayed: 90 }, 'secondsPlayed'],
  ['an end long after the medium', { startedAt: at(-3600) }, 'endedAt'],
])('a play with %s is refused with a reason, alone, and is no gap', async (_, more, field) => {
  const { send, count } = await openDevice()
  const impossible = makePlay(2, { ...spot, ...more })
  const answer = await send([makePlay(1, spot), impossible, makePlay(3, spot)])
  expect(answer).toMatchObject({ code: 303, accepted: 2, refused: [{ id: impossible.id }] })
  expect(answer.refused[0]?.why).toMatch(new RegExp(`^${field}: `))
  expect(await count('plays')).toBe(2)
  expect(await send([impossible])).toMatchObject({ accepted: 0, refused: [{ id: impossible.id }] })
})

test('a play that a player can have made is stored: a second late, cut at once, with a slow clock', async () => {
  const { send, count } = await openDevice()
  const plays = [
    makePlay(1, { ...spot, secondsPlayed: 21, endedAt: at(1) }),
    makePlay(2, { ...spot, endedAt: spot.startedAt, secondsPlayed: 0, result: 'cut' }),
    makePlay(3, { ...spot, startedAt: at(3600), endedAt: at(3620) }),
  ]
  expect(await send(plays)).toMatchObject({ code: 200, accepted: 3 })
  expect(await count('plays')).toBe(3)
})

test('a play of next week is stored with a flag: the clock of its player is wrong, and the play is not', async () => {
  const { send, scope, uid } = await openDevice()
  const week = 7 * 86_400
  const play = makePlay(1, { ...spot, at: at(week), startedAt: at(week), endedAt: at(week + 20) })
  expect(await send([play])).toMatchObject({ code: 200, accepted: 1 })
  const rows = await scope.reads
    .selectFrom('plays')
    .where('deviceUid', '=', uid)
    .select(['day', 'isClockDoubted', 'startedAt'])
    .execute()
  expect(rows).toEqual([{ day: at(0).slice(0, 10), isClockDoubted: true, startedAt: at(week) }])
})

test('an event is stored once whatever its number: in one list, in a later one, and at the same time', async () => {
  const { send, count, uid, scope } = await openDevice()
  const play = makePlay(1, spot)
  const renumbered = (sequence: number) => ({ ...play, sequence })
  expect(await send([play, renumbered(2)])).toMatchObject({ code: 200, accepted: 1, duplicates: 1 })
  expect(await send([renumbered(3)])).toMatchObject({ accepted: 0, duplicates: 1 })
  expect(await send([{ ...play, bootId: randomUUID() }])).toMatchObject({ accepted: 0, duplicates: 1 })
  const debug = (sequence: number) => ({
    kind: 'debug',
    id: '01933d4e-0000-7000-8000-00000000000A',
    bootId: play.bootId,
    sequence,
    at: at(0),
    level: 'info',
    code: 'a',
    message: 'b',
  })
  const answers = await Promise.all([send([debug(4)]), send([debug(5)]), send([debug(6)])])
  expect(answers.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(1)
  expect([await count('plays'), await count('deviceLogs')]).toEqual([1, 1])
  const { received } = await scope.reads
    .selectFrom('deviceBoots')
    .where('deviceUid', '=', uid)
    .where('bootUid', '=', play.bootId)
    .select('received')
    .executeTakeFirstOrThrow()
  expect(received).toBe('{[1,7)}')
})

test('an event of one device is none of another', async () => {
  const [one, other] = [await openDevice(), await openDevice()]
  const play = makePlay(1, spot)
  expect([await one.send([play]), await other.send([play])]).toMatchObject([{ accepted: 1 }, { accepted: 1 }])
})
