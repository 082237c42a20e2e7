import { once } from 'node:events'
import { connect } from 'node:net'
import { PassThrough, Writable } from 'node:stream'
import { byDevice, endpoint, openToAll, PRIORITIES, type Priority } from '@floorcast/contract/endpoint.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import type { ClientScope } from '../database/client-scope.ts'
import { makeLog } from '../log/log.ts'
import { Admission } from './admit/admission.ts'
import { makeHttpServer } from './http-server.ts'
import { Http } from './http.ts'

const answer = z.object({})
const manifest = endpoint({ path: '/manifest', summary: 'm', access: byDevice, answer })
const media = endpoint({ path: '/media', summary: 'f', access: byDevice, answerForm: 'bytes', answer })
const heartbeat = endpoint({
  path: '/heartbeat',
  summary: 'h',
  access: byDevice,
  priority: 'heartbeat',
  body: z.object({}),
  answer,
})
const look = endpoint({ path: '/look', summary: 'c', access: openToAll, answer })
const follow = endpoint({
  path: '/follow',
  summary: 's',
  access: byDevice,
  priority: 'console',
  answerForm: 'lines',
  answer,
})
const alarm = endpoint({ path: '/alarm', summary: 'a', access: openToAll, priority: 'alert', answer })

const closings: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closings.splice(0)) await close()
})

/** A server with four places and four waiting callers of each priority. Manifests and media wait until `finish`. */
async function makeServer() {
  const log: string[] = []
  const destination = new Writable({
    write: (chunk: Buffer, _, done) => {
      log.push(chunk.toString())
      done()
    },
  })
  const address = 'http://localhost'
  const origins = { publicUrl: address, streamUrl: address, logsUrl: address }
  const app = await makeHttpServer({ log: makeLog('info', destination), trustProxy: false, origins })
  const level = { places: 4, minPlaces: 1, maxWaiting: 4, maxWaitMs: 60_000 }
  const levels = Object.fromEntries(PRIORITIES.map(priority => [priority, level])) as Record<
    Priority,
    typeof level
  >
  const admission = new Admission({ steady: () => performance.now(), random: () => 0 }, levels)
  const nobody = async () => null
  const callers = {
    openScope: () => ({}) as ClientScope,
    authenticator: {
      userByToken: nobody,
      userByTicket: nobody,
      deviceByToken: async (token: string) => ({
        clientId: token,
        deviceUid: token,
        kind: 'audio' as const,
        name: '',
        groupUid: null,
        reporterUid: null,
      }),
    },
  }
  const http = new Http({ app, admission, now: () => new Date(), ...callers, alerts: callers })
  const finished = Promise.withResolvers<object>()
  http.streamToDevices(manifest, async call => call.reply.send(await finished.promise))
  http.streamToDevices(media, async call => call.reply.send(await finished.promise))
  const endless = new PassThrough()
  http.streamToDevices(follow, async call => call.reply.send(endless.pipe(new PassThrough())))
  http.forDevices(heartbeat, async () => ({}))
  http.forAll(look, async () => ({}))
  http.forAll(alarm, async () => ({}))
  closings.push(() => {
    finished.resolve({})
    endless.end()
    return app.close()
  })
  const get = (url: string, client = 'one') =>
    app.inject({ url, headers: { authorization: `Bearer ${client}` } })
  return { app, admission, log, get, finish: () => finished.resolve({}) }
}

test('with manifests and media saturated, a heartbeat, a console call and an alert get through', async () => {
  const { app, admission, get, finish } = await makeServer()
  const low = Array.from({ length: 6 }, () => [get('/manifest'), get('/media')]).flat()
  await vi.waitFor(() => expect(admission.states().media.waiting).toBe(4))
  const headers = { authorization: 'Bearer one' }
  const beat = await app.inject({ method: 'POST', url: '/heartbeat', headers, payload: {} })
  const answers = [beat, await get('/look'), await get('/alarm')]
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200])
  finish()
  expect((await Promise.all(low)).map(({ statusCode }) => statusCode)).toEqual(Array(12).fill(200))
})

test('what is over the bound is refused with 503 and Retry-After, without an error in the log', async () => {
  const { admission, log, get } = await makeServer()
  const low = Array.from({ length: 6 }, () => get('/manifest'))
  await vi.waitFor(() => expect(admission.states().manifest.waiting).toBe(4))
  const refused = await get('/manifest')
  expect(refused.statusCode).toBe(503)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1)
  expect(refused.json()).toMatchObject({ code: 'busy' })
  expect(log.filter(line => line.includes('"level":50'))).toEqual([])
  expect(low).toHaveLength(6)
})

test('an answer that lasts for hours keeps no place, but a file keeps its own to the last byte', async () => {
  const { admission, get, finish } = await makeServer()
  for (let count = 0; count < 6; count += 1) void get('/follow', `client-${count}`)
  await vi.waitFor(() => expect(admission.states().console).toMatchObject({ admitted: 6, inWork: 0 }))
  expect((await get('/look')).statusCode).toBe(200)
  const file = get('/media')
  await vi.waitFor(() => expect(admission.states().media.inWork).toBe(1))
  finish()
  await file
  await vi.waitFor(() => expect(admission.states().media.inWork).toBe(0))
})

test('the clients take turns', async () => {
  const { admission, get } = await makeServer()
  for (let n = 0; n < 6; n += 1) void get('/manifest', 'a')
  await vi.waitFor(() => expect(admission.states().manifest.waiting).toBe(4))
  void get('/manifest', 'b')
  await vi.waitFor(() => expect(admission.states().manifest.inWork).toBe(3))
})

test('a caller that hangs up leaves the queue', async () => {
  const { app, admission, get } = await makeServer()
  await app.listen({ port: 0, host: '127.0.0.1' })
  const address = app.server.address()
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0
  const low = [get('/manifest'), get('/manifest')]
  await vi.waitFor(() => expect(admission.states().manifest.inWork).toBe(2))
  const socket = connect(port, '127.0.0.1')
  await once(socket, 'connect')
  socket.write('GET /manifest HTTP/1.1\r\nhost: x\r\nauthorization: Bearer one\r\n\r\n')
  await vi.waitFor(() => expect(admission.states().manifest.waiting).toBe(1))
  socket.destroy()
  await vi.waitFor(() => expect(admission.states().manifest.waiting).toBe(0))
  expect(low).toHaveLength(2)
})
