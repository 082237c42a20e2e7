import { randomUUID } from 'node:crypto'
import { beginAlert, endAlert } from '@floorcast/contract/alerts.ts'
import { authenticate, readSession } from '@floorcast/contract/auth.ts'
import { sendEvents } from '@floorcast/contract/device-protocol.ts'
import { addDevice, deleteDevice, listDevices } from '@floorcast/contract/devices.ts'
import { endpoints } from '@floorcast/contract/endpoints.ts'
import { addGroup } from '@floorcast/contract/groups.ts'
import { addSavedView } from '@floorcast/contract/saved-views.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { fillDisk } from '@floorcast/testing/full-disk.ts'
import { makePlay, openPlayer } from '@floorcast/testing/test-device.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { expect, test } from 'vitest'
import { ALERT_LIMIT, CHANGE_LIMIT } from './platform/http/admit/rate-limits.ts'

const audio = { params: { contentType: 'audio' } }

test('on a full disk each call that adds rows is refused; reads, sign-in, reports, alerts and deletions work', async () => {
  const server = await wholeServer()
  const { token, email, scope } = await server.newClient()
  const { uid, licenseKey } = await makeDevice(scope)
  const player = await openPlayer(server, licenseKey)
  fillDisk(server)

  const refused = await Promise.all(
    endpoints
      .filter(({ endpoint }) => !endpoint.worksOnFullDisk)
      .map(async ({ noun, name, endpoint }) => {
        const names = [...endpoint.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => String(name))
        const params: object = Object.fromEntries(names.map(name => [name, randomUUID()]))
        const answer = await server.ask(endpoint, { token, params })
        return [`${noun}.${name}`, answer.statusCode, answer.json<{ code: string }>().code]
      }),
  )
  expect(refused.filter(([, status, code]) => status !== 503 || code !== 'disk-full')).toEqual([])
  expect(refused.map(([name]) => name)).toEqual(
    expect.arrayContaining([
      'session.register',
      'groups.addGroup',
      'playlists.clonePlaylist',
      'media.uploadMedia',
    ]),
  )

  const alert = { token, params: { uid, alerttype: 'air' } }
  await server.call(authenticate, { body: { email, password: 'a long password' } })
  await server.call(readSession, { token })
  await server.call(listDevices, { token, ...audio })
  expect(await server.call(beginAlert, alert)).toMatchObject({ code: 200 })
  expect(await server.call(endAlert, alert)).toMatchObject({ code: 200 })
  expect(await server.call(deleteDevice, { token, body: { uid } })).toMatchObject({ code: 200 })
  const body = [makePlay(1, { bootId: randomUUID() })]
  const sent = await server.ask(sendEvents, { ...player, body })
  expect([200, 401]).toContain(sent.statusCode)
})

test('a client makes a thousand changes at once, then ten a second; others, reads and alerts go on', async () => {
  const server = await wholeServer()
  const { token, scope } = await server.newClient()
  const other = await server.newClient()
  const { uid } = await makeDevice(scope)
  // Refused for their fields: they count as any other.
  const statuses = async (calls: number) => {
    const found: number[] = []
    let begun = 0
    const work = async () => {
      while (begun < calls) {
        begun += 1
        found.push((await server.ask(addGroup, { token, ...audio, body: {} })).statusCode)
      }
    }
    await Promise.all(Array.from({ length: 50 }, work))
    return found
  }
  const limitOf = async (caller: { token: string }) =>
    (await server.ask(listDevices, { ...caller, ...audio })).headers
  expect(await limitOf({ token })).toMatchObject({
    'ratelimit-policy': '"changes";q=1000;w=100',
    ratelimit: '"changes";r=1000;t=0',
  })
  expect(new Set(await statuses(CHANGE_LIMIT.max))).toEqual(new Set([422]))
  expect(await limitOf({ token })).toMatchObject({ ratelimit: '"changes";r=0;t=100' })
  expect(await limitOf(other)).toMatchObject({ ratelimit: '"changes";r=1000;t=0' })

  const answer = await server.ask(addDevice, { token, ...audio, body: { name: 'One more' } })
  expect([answer.statusCode, answer.headers['retry-after'], answer.json<{ code: string }>().code]).toEqual([
    429,
    '1',
    'too-many-changes',
  ])
  expect((await server.ask(addSavedView, { token, body: {} })).statusCode).toBe(429)
  await server.call(listDevices, { token, ...audio })
  await server.call(addDevice, { token: other.token, ...audio, body: { name: 'Of another' } })
  const alert = await server.ask(beginAlert, { token, params: { uid, alerttype: 'air' } })
  expect(alert.json()).toMatchObject({ data: { code: 200 } })
  expect(alert.headers['ratelimit']).toBe('"alerts";r=19999;t=1')

  server.clock.now = new Date(server.clock.now.getTime() + 2000)
  const later = await statuses(2 * CHANGE_LIMIT.perSecond + 1)
  expect(later.filter(status => status === 422)).toHaveLength(2 * CHANGE_LIMIT.perSecond)
  expect(ALERT_LIMIT.max).toBeGreaterThan(CHANGE_LIMIT.max)
})
