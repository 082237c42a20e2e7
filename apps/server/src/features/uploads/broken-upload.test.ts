import { once } from 'node:events'
import { Agent, request, type ClientRequest, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import { listMedia } from '@floorcast/contract/media.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { mp3Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { makeUploadRequest, uploader } from '@floorcast/testing/media-upload-form.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { beforeAll, expect, test } from 'vitest'
import { registerLibrary } from '../../library.ts'

const server = await testServer({ features: [registerLibrary] })
const { upload, storedFiles } = uploader(server)
const large = new Uint8Array(20_000_000)
let origin = ''
beforeAll(async () => {
  origin = await server.http.app.listen({ host: '127.0.0.1', port: 0 })
})

async function begin(token: string, parts: { name: string; bytes: Uint8Array }, agent?: Agent) {
  const { method, url, headers, payload } = await makeUploadRequest('melodies', parts)
  const options = { method, ...(agent ? { agent } : {}) }
  const sending = request(`${origin}${url}`, {
    ...options,
    headers: { ...headers, authorization: `Bearer ${token}`, 'content-length': payload.length },
  })
  return { sending, payload }
}

async function answerOf(sending: ClientRequest) {
  const [response] = (await once(sending, 'response')) as [IncomingMessage]
  return (await json(response)) as { data: { code: number } }
}

test('an upload over a real connection that breaks off leaves nothing on disk and gives its storage back', async () => {
  const { token, email } = await server.newClient()
  const session = await server.database.auth.userByEmail(email)
  const { reads } = server.database.forClient(session?.clientId ?? '')
  const reservations = () => reads.selectFrom('storageReservations').select('sizeBytes').execute()
  const { sending, payload } = await begin(token, { name: 'Broken.mp3', bytes: large })
  sending.on('error', () => {})
  sending.write(payload.subarray(0, 2_000_000))
  await eventually(() => expect(storedFiles()).toHaveLength(1))
  expect(await reservations()).toEqual([{ sizeBytes: payload.length }])
  sending.destroy()
  await eventually(() => expect(storedFiles()).toEqual([]))
  await eventually(async () => expect(await reservations()).toEqual([]))
  expect((await server.call(listMedia, { token, params: { contentType: 'melodies' } })).total).toBe(0)
})

test('an upload over a real connection that is refused before its bytes came is answered, and its connection serves on', async () => {
  const { token } = await server.newClient()
  await upload(token, 'melodies', { path: mp3Fixtures.mono.path, name: 'Taken.mp3' })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const sockets = new Set<unknown>()
  for (let attempt = 0; attempt < 3; attempt++) {
    const { sending, payload } = await begin(token, { name: 'Taken.mp3', bytes: large }, agent)
    sending.on('socket', socket => sockets.add(socket))
    const answered = answerOf(sending)
    sending.end(payload)
    expect((await answered).data).toEqual({ code: 902, names: ['Taken.mp3'] })
    await once(sending, 'close')
  }
  expect(sockets.size).toBe(1)
  agent.destroy()
})
