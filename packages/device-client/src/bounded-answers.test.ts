import { eventually } from '@floorcast/testing/eventually.ts'
import { FakeServer, startClient } from '@floorcast/testing/device-client-fixture.ts'
import { expect, test } from 'vitest'
import { boundAnswer, MAX_ANSWER_BYTES, MAX_DOCUMENT_BYTES } from './bounded-answers.ts'
import { isServerPath } from './session.ts'

const MEGABYTE = 1024 * 1024

/** An answer whose body never ends. `taken` is how much of it was read; `isCancelled` whether the reader broke off. */
function endlessAnswer() {
  const chunk = new Uint8Array(MEGABYTE)
  const state = { taken: 0, isCancelled: false }
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      state.taken += chunk.byteLength
      controller.enqueue(chunk)
    },
    cancel() {
      state.isCancelled = true
    },
  })
  return { state, response: new Response(body, { headers: { etag: '"2"' } }) }
}

test.each([
  ['/device/session', MAX_ANSWER_BYTES],
  ['/manifest/', MAX_DOCUMENT_BYTES],
])('an answer of %s without an end is broken off at its limit, and asked again', async (path, limit) => {
  const server = new FakeServer()
  const { state, response } = endlessAnswer()
  server.faults.set(path, [response])
  const { etag } = startClient(server)
  await eventually(() => expect(etag()).toBe('"1"'))
  expect(state.isCancelled).toBe(true)
  // The stream reads a few chunks ahead.
  expect(state.taken).toBeLessThanOrEqual(limit + 4 * MEGABYTE)
})

test('an answer that announces too much is broken off before it is read', async () => {
  const { state, response } = endlessAnswer()
  response.headers.set('content-length', '1001')
  await expect(boundAnswer(response, 1000)).rejects.toThrow('more than 1000 bytes')
  expect(state.isCancelled).toBe(true)
})

test('an answer within its limit is read as it is', async () => {
  const answer = await boundAnswer(new Response('{"data":1}', { status: 202, headers: { etag: '"3"' } }), 10)
  expect([answer.status, answer.headers.get('etag'), await answer.text()]).toEqual([202, '"3"', '{"data":1}'])
})

test('the token goes to the server alone: no path leads elsewhere, and no redirect is followed', async () => {
  const server = new FakeServer()
  const asked: [url: string, redirect: string | undefined][] = []
  const { session, etag } = startClient({
    connect: server.connect,
    fetch: async (input, init) => {
      asked.push([input instanceof Request ? input.url : String(input), init?.redirect])
      return server.fetch(input, init)
    },
  })
  await eventually(() => expect(etag()).toBe('"1"'))
  const signal = AbortSignal.timeout(1000)
  for (const path of ['.evil.example/song', '@evil.example/song', '1/song', 'https://evil.example/', '']) {
    expect(isServerPath(path)).toBe(false)
    await expect(session.fetch(path, { signal })).rejects.toThrow(TypeError)
  }
  await session.fetch('//evil.example/song', { signal })
  expect(new Set(asked.map(([url]) => new URL(url).host))).toEqual(new Set(['server.example']))
  expect(new Set(asked.map(([, redirect]) => redirect))).toEqual(new Set(['manual']))
})
