import type { Priority } from '@floorcast/contract/endpoint.ts'
import { connectByWs } from '@floorcast/device-client/ws-socket.ts'
import { startClient } from '@floorcast/testing/device-client-fixture.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { makeClient, makeDevice } from '@floorcast/testing/factories.ts'
import { makePlay } from '@floorcast/testing/test-device.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { expect, test, vi } from 'vitest'
import { ProblemError } from '../../platform/lib/errors.ts'
import { registerDeviceHost } from '../../device-host.ts'

const server = await testServer({ features: [registerDeviceHost] })
const origin = await server.http.app.listen({ port: 0, host: '127.0.0.1' })

test('a device that a busy server refuses comes back when told, and everything arrives', async () => {
  const { scope } = await makeClient(server.database)
  const { uid, licenseKey } = await makeDevice(scope)
  // The session and the channel are one priority: each is refused once.
  const refusals: Partial<Record<Priority, boolean[]>> = {
    connect: [true, false, true],
    manifest: [true],
    plays: [true],
  }
  const { admission } = server.http
  const run = admission.run.bind(admission)
  const refused: Priority[] = []
  vi.spyOn(admission, 'run').mockImplementation((priority, caller, work) => {
    if (!refusals[priority]?.shift()) return run(priority, caller, work)
    refused.push(priority)
    return Promise.reject(new ProblemError('busy', { retryAfterSeconds: 1 }))
  })
  let isOpen = false
  const tested = { origin, licenseKey, fetch, connect: connectByWs }
  const { events, etag } = startClient(tested, { onOpen: () => (isOpen = true) })
  const play = makePlay(1)
  events.append(play.id, play)
  await eventually(() => expect([isOpen, events.unsent]).toEqual([true, []]))
  await eventually(() => expect(etag()).toBeDefined())
  expect(refused.toSorted()).toEqual(['connect', 'connect', 'manifest', 'plays'])
  const plays = await scope.reads.selectFrom('plays').select(['deviceUid', 'eventUid']).execute()
  expect(plays).toEqual([{ deviceUid: uid, eventUid: play.id }])
})
