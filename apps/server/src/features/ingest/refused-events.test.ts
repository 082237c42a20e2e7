import { buildPath } from '@floorcast/contract/client.ts'
import { sendEvents } from '@floorcast/contract/device-protocol.ts'
import { atTheEnd } from '@floorcast/testing/at-the-end.ts'
import { makeClient, makeDevice } from '@floorcast/testing/factories.ts'
import { makePlay, openPlayer } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { buildApp } from '../../app.ts'
import { registerDeviceHost } from '../../device-host.ts'
import { makeLog } from '../../platform/log/log.ts'
import { Metrics } from '../../platform/metrics/metrics.ts'

const server = await testServer({ features: [registerDeviceHost] })

/** The same server with a log that is read, and what sends events of a new device. */
async function openLoggedDevice() {
  const lines: Record<string, unknown>[] = []
  const log = makeLog('info', {
    write: text => void lines.push(JSON.parse(text) as (typeof lines)[number]),
  })
  const { app } = await buildApp({ ...server.context, log, metrics: new Metrics() }, server.served)
  atTheEnd(() => app.close())
  const openDevice = async () => {
    const { scope } = await makeClient(server.database)
    const { uid, licenseKey } = await makeDevice(scope, { name: 'Till radio' })
    const { token, params } = await openPlayer(server, licenseKey)
    const send = async (events: unknown[]) => {
      const answer = await app.inject({
        method: 'POST',
        url: buildPath(sendEvents.path, params),
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        payload: JSON.stringify(events),
      })
      return answer.json<{ data: { code: number; refused: { why: string }[] } }>().data
    }
    return { uid, clientId: scope.clientId, send }
  }
  const refusals = () =>
    lines
      .filter(({ msg }) => String(msg).startsWith('events of a device were refused'))
      .map(({ level, deviceUid, clientId, kind, reason, refused }) => ({
        level,
        deviceUid,
        clientId,
        kind,
        reason,
        refused,
      }))
  return { lines, openDevice, refusals }
}

test('the log says why events of a device are refused, once, and has nothing that the device has sent', async () => {
  const { lines, openDevice, refusals } = await openLoggedDevice()
  const { uid, clientId, send } = await openDevice()
  const secret = 'Secret song'
  const answer = await send([
    makePlay(1, { trackName: secret }),
    { ...makePlay(2, { trackName: secret }), result: secret },
    { kind: secret, [secret]: secret },
  ])
  expect(answer).toMatchObject({ code: 303, refused: [{}, {}] })
  await send([{ kind: secret }])
  expect(refusals()).toEqual([
    { level: 40, deviceUid: uid, clientId, kind: 'playtrack', reason: 'result: invalid_value', refused: 2 },
  ])
  expect(JSON.stringify(lines)).not.toContain(secret)
})

test.each([
  ['no kind that is known', [{ kind: 'song' }], { kind: null, reason: 'kind: invalid_union' }],
  ['no event at all', ['text'], { kind: null, reason: 'event: invalid_type' }],
  [
    'a play that nobody can have played',
    [makePlay(1, { secondsPlayed: 100_000 })],
    { kind: 'playtrack', reason: 'secondsPlayed: longer than the medium' },
  ],
])('the log says of %s what is wrong', async (_, events, said) => {
  const { openDevice, refusals } = await openLoggedDevice()
  const { send } = await openDevice()
  await send(events)
  expect(refusals()).toMatchObject([said])
})

test('the log says that a device sends more events than it may, a minute after the line of others', async () => {
  const { openDevice, refusals } = await openLoggedDevice()
  const { uid, send } = await openDevice()
  const list = Array.from({ length: 500 }, () => null)
  for (let calls = 0; calls < 100; calls += 1) await send(list)
  await send(list)
  expect(refusals()).toMatchObject([{ deviceUid: uid, reason: 'event: invalid_type', refused: 500 }])
  const now = performance.now.bind(performance)
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now() + 60_000)
  onTestFinished(() => clock.mockRestore())
  await send(list)
  expect(refusals().slice(1)).toMatchObject([
    { deviceUid: uid, kind: null, reason: 'too many events', refused: 500 },
  ])
})
