import { setTimeout as pause } from 'node:timers/promises'
import { HALF, HEAD, head, known, startBareServer, WHOLE } from '@floorcast/testing/bare-server.ts'
import { expect, onTestFinished, test, vi } from 'vitest'

test('a sender that says no more is let go: without a head, with half a head, with half a body', async () => {
  const { send } = await startBareServer({ idleTimeoutMs: 300 })
  expect(await send('')).toBe('')
  await send(HEAD)
  expect(await send(HALF)).not.toContain('200 OK')
})

/** The request's id is in the head and the body of an answer. */
const REQUEST = /x-request-id: ([0-9a-f-]{36})\r\n[^]*"id":"\1"/

test.each([
  ['no HTTP at all', 'hello\r\n\r\n', '400 Bad Request', 'malformed'],
  ['two lengths', `${HEAD}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`, '400 Bad Request', 'malformed'],
  ['a length that is no number', `${HEAD}Content-Length: 1e3\r\n\r\n{}`, '400 Bad Request', 'malformed'],
  ['endless headers', `${HEAD}X: ${'x'.repeat(40_000)}\r\n\r\n`, '431', 'head-too-large'],
])('what is no request is answered as a problem: %s', async (_, text, ...[status, code]) => {
  const { send } = await startBareServer()
  const answer = await send(text)
  expect(answer).toContain(`HTTP/1.1 ${status}`)
  expect(answer).toContain('content-type: application/problem+json')
  expect(answer).toContain(`"code":"${code}"`)
  expect(answer).toMatch(REQUEST)
})

test('senders that drip their body are told that they are too slow, and are logged once', async () => {
  const { open, warnings } = await startBareServer({ limits: { bodyMs: 400 } })
  const slow = await Promise.all(Array.from({ length: 20 }, () => open(HALF)))
  const drip = setInterval(() => {
    for (const { socket } of slow) socket.write(' ')
  }, 50)
  onTestFinished(() => clearInterval(drip))
  await vi.waitFor(() => expect(slow.every(({ heard }) => heard.isClosed)).toBe(true), 10_000)
  for (const { heard } of slow) expect(heard.text).toMatch(/HTTP\/1\.1 408/)
  for (const { heard } of slow) expect(heard.text).toMatch(REQUEST)
  expect(warnings()).toEqual(['a sender was too slow and was disconnected'])
})

test('a stream may take long while it makes progress, and is ended when it makes none', async () => {
  const { open } = await startBareServer({ limits: { bodyMs: 300, progressMs: 1500, progressBytes: 10 } })
  const text = head('/stream', 'Content-Length: 400').replace(
    'application/json',
    'application/offset+octet-stream',
  )
  const [moving, stalled] = [await open(`${text}\r\n`), await open(`${text}\r\n12345`)]
  for (let sent = 0; sent < 20; sent += 1) {
    moving.socket.write('x'.repeat(20))
    await pause(150)
  }
  await vi.waitFor(() => expect(moving.heard.text).toContain('{"bytes":400}'), 10_000)
  await vi.waitFor(() => expect(stalled.heard.isClosed).toBe(true), 10_000)
})

test('a call of everybody takes 16 KiB, and refuses more before it comes', async () => {
  const { send, app } = await startBareServer()
  for (const how of ['Content-Length: 1048576', 'Content-Length: 16385'])
    expect(await send(`${head('/taken', how)}\r\n{`)).toContain('HTTP/1.1 413')
  const chunk = `4000\r\n${' '.repeat(0x4000)}\r\n`
  expect(await send(`${head('/taken', 'Transfer-Encoding: chunked')}\r\n${chunk}${chunk}`)).toContain(
    'HTTP/1.1 413',
  )
  const payload = `"${'x'.repeat(16_382)}"`
  const headers = { 'content-type': 'application/json' }
  expect((await app.inject({ method: 'POST', url: '/taken', headers, payload })).statusCode).toBe(200)
  // Nobody's call, too.
  expect(await send(`${head('/nowhere', 'Content-Length: 1048576')}\r\n{`)).toContain('HTTP/1.1 413')
})

test('a stranger that is refused sends no more', async () => {
  const { send } = await startBareServer({ limits: { lingerMs: 60_000 } })
  const answer = await send(`${head('/refused', 'Content-Length: 1048576')}\r\n{`)
  expect(answer).toContain('HTTP/1.1 401')
  expect(answer).toContain('connection: close')
})

test('a known caller that is refused while it still sends its body has time to read the answer', async () => {
  const { open } = await startBareServer()
  const { socket, heard } = await open()
  socket.pause()
  socket.write(`${head('/known-busy', 'X-Caller: one', 'Content-Length: 16000000')}\r\n`)
  // It sends on for half a second before it reads.
  for (let times = 0; times < 10; times += 1) {
    socket.write(Buffer.alloc(100_000, ' '))
    await pause(50)
  }
  expect(socket.destroyed).toBe(false)
  socket.resume()
  await vi.waitFor(() => expect(heard.isClosed).toBe(true), 10_000)
  expect(heard.text).toContain('HTTP/1.1 429')
  expect(heard.text).toContain('retry-after: 5')
})

test('what comes of a refused body is freed at once', async () => {
  const { open } = await startBareServer()
  const MEBIBYTE = 1024 * 1024
  const refused = `${head('/known-refused', 'X-Caller: one', `Content-Length: ${MEBIBYTE}`)}\r\n`
  const bytes = Buffer.alloc(MEBIBYTE, ' ')
  const { socket, heard } = await open()
  const before = process.memoryUsage().arrayBuffers
  for (let count = 1; count <= 32; count += 1) {
    socket.write(refused)
    socket.write(bytes)
    await vi.waitFor(() => expect(heard.text.split('HTTP/1.1 403')).toHaveLength(count + 1))
  }
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(4 * MEBIBYTE)
})

test('half requests of one address push out each other, and whole ones of it are answered', async () => {
  const { app, open, send, warnings } = await startBareServer({ limits: { maxUnknownOfAddress: 5 } })
  const half = []
  for (let count = 0; count < 12; count += 1) half.push(await open(count % 2 === 0 ? HALF : HEAD))
  await vi.waitFor(() => expect(app.connections.size).toBe(5))
  for (let count = 0; count < 10; count += 1) expect(await send(WHOLE)).toContain('HTTP/1.1 200')
  expect(half[0]?.heard.isClosed).toBe(true)
  expect(warnings()).toEqual([expect.stringContaining('name it in TRUST_PROXY')])
})

test('few of an address may be in the middle of a body', async () => {
  const { app, open, send } = await startBareServer({ limits: { maxReceivingOfAddress: 3 } })
  for (let count = 0; count < 12; count += 1) await open(HALF)
  await vi.waitFor(() => expect(app.connections.size).toBe(3))
  expect(await send(WHOLE)).toContain('HTTP/1.1 200')
})

test('known callers count for themselves: a chain may stand behind one address', async () => {
  const limits = { maxUnknownOfAddress: 4, maxOfCaller: 3 }
  const { app, open, send, warnings } = await startBareServer({ limits })
  const shops = []
  for (let shop = 0; shop < 10; shop += 1) {
    const opened = await open(known(`shop ${shop}`))
    await vi.waitFor(() => expect(opened.heard.text).toContain('HTTP/1.1 200'))
    shops.push(opened)
  }
  for (let count = 0; count < 10; count += 1) await open(HALF)
  expect(await send(WHOLE)).toContain('HTTP/1.1 200')
  expect(shops.filter(({ heard }) => heard.isClosed)).toEqual([])
  // One caller has a bound, too.
  for (let count = 0; count < 6; count += 1) {
    const opened = await open(known('shop 0'))
    await vi.waitFor(() => expect(opened.heard.text).toContain('HTTP/1.1 200'))
  }
  await vi.waitFor(() => expect(app.connections.size).toBe(9 + 3 + 3))
  expect(warnings()).toContain('too many connections of one user or device; the oldest are closed')
})

test('connections are bounded in all, and those of known callers stay', async () => {
  const { app, open, send } = await startBareServer({ limits: { maxOpen: 6 } })
  const shop = await open(known('shop'))
  await vi.waitFor(() => expect(shop.heard.text).toContain('HTTP/1.1 200'))
  for (let count = 0; count < 20; count += 1) await open(HALF)
  await vi.waitFor(() => expect(app.connections.size).toBe(6))
  expect(await send(WHOLE)).toContain('HTTP/1.1 200')
  expect(shop.heard.isClosed).toBe(false)
})

test('large bodies have a budget in memory, and one that is too many is told when to come back', async () => {
  const { open } = await startBareServer({ bodyBudgetBytes: 200_000 })
  const text = `${head('/large', 'Content-Length: 150002')}\r\n"`
  // An announced length reserves nothing.
  const [first, second] = [await open(text), await open(text)]
  first.socket.write('x'.repeat(140_000))
  second.socket.write('x'.repeat(140_000))
  await vi.waitFor(() =>
    expect([first, second].map(({ heard }) => heard.text.slice(0, 12)).toSorted()).toEqual([
      '',
      'HTTP/1.1 503',
    ]),
  )
  const [refused, left] = first.heard.text === '' ? [second, first] : [first, second]
  expect(refused.heard.text).toContain('retry-after: 5')
  left.socket.write(`${'x'.repeat(10_000)}"`)
  await vi.waitFor(() => expect(left.heard.text).toContain('HTTP/1.1 200'))
})

test('a known caller sends at most eight large bodies at once', async () => {
  const { open, send } = await startBareServer()
  const text = `${head('/known-large', 'X-Caller: ann', 'Content-Length: 50000')}\r\n"`
  const sending: Awaited<ReturnType<typeof open>>[] = []
  for (let count = 0; count < 8; count += 1) sending.push(await open(text))
  await pause(100)
  const refused = await send(text)
  expect(refused).toContain('HTTP/1.1 429')
  expect(refused).toContain('connection: close')
  expect(
    await send(`${head('/known-large', 'X-Caller: bob', 'Content-Length: 2', 'Connection: close')}\r\n{}`),
  ).toContain('200 OK')
  // One that is complete and one that breaks off leave room.
  sending[0]?.socket.write(`${'x'.repeat(49_998)}"`)
  await vi.waitFor(() => expect(sending[0]?.heard.text).toContain('200 OK'))
  sending[1]?.socket.destroy()
  await pause(100)
  const next = [await open(text), await open(text)]
  await pause(100)
  expect(next.map(({ heard }) => heard.text)).toEqual(['', ''])
})

test('a sender that breaks off in its body is no fault of the database', async () => {
  const { app, open, lines } = await startBareServer()
  const { socket } = await open(HALF)
  await vi.waitFor(() => expect(app.connections.size).toBe(1))
  await pause(50)
  socket.destroy()
  await vi.waitFor(() => expect(app.connections.size).toBe(0))
  await pause(50)
  expect(JSON.stringify(lines)).not.toContain('database')
  expect(lines.filter(({ level }) => Number(level) >= 40)).toEqual([])
})
