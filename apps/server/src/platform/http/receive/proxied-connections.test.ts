import { once } from 'node:events'
import { BIG_BYTES, HALF, known, startBareServer, WHOLE } from '@floorcast/testing/bare-server.ts'
import { expect, test, vi } from 'vitest'

/** A request that a trusted proxy forwards for this address. */
const forwarded = (text: string, address: string) =>
  text.replace('Host: shop', `Host: shop\r\nX-Forwarded-For: ${address}`)

test('a trusted proxy that names no caller has no bound for its address', async () => {
  const limits = { maxUnknownOfAddress: 2 }
  const { app, open } = await startBareServer({ limits, trustProxy: '127.0.0.1' })
  for (let count = 0; count < 8; count += 1) await open(HALF)
  await vi.waitFor(() => expect(app.connections.size).toBe(8))
})

test.each(['127.0.0.1', 1])(
  'callers behind a trusted proxy (%s) are bounded by their own addresses',
  async trustProxy => {
    const limits = { maxUnknownOfAddress: 4, maxReceivingOfAddress: 3 }
    const { app, open, send } = await startBareServer({ limits, trustProxy })
    const attack = []
    for (let count = 0; count < 10; count += 1) attack.push(await open(forwarded(HALF, '203.0.113.9')))
    const [other] = [await open(forwarded(HALF, '203.0.113.10'))]
    await vi.waitFor(() => expect(app.connections.size).toBe(4))
    expect(other?.heard.isClosed).toBe(false)
    expect(attack.filter(({ heard }) => !heard.isClosed)).toHaveLength(3)
    expect(await send(forwarded(WHOLE, '203.0.113.9'))).toContain('HTTP/1.1 200')
  },
)

test('a connection of a proxy counts for a caller only while its request is in work', async () => {
  const limits = { maxUnknownOfAddress: 2, maxOfCaller: 2 }
  const { app, open } = await startBareServer({ limits, trustProxy: '127.0.0.1' })
  const kept = []
  for (let count = 0; count < 6; count += 1) {
    const opened = await open(forwarded(known('shop'), '203.0.113.9'))
    await vi.waitFor(() => expect(opened.heard.text).toContain('HTTP/1.1 200'))
    opened.socket.write(forwarded(known('shop'), '203.0.113.9'))
    await vi.waitFor(() => expect(opened.heard.text.split('HTTP/1.1 200')).toHaveLength(3))
    kept.push(opened)
  }
  expect(app.connections.size).toBe(6)
})

test('when the house is full, the oldest connection of a proxy that waits goes, not the newcomer', async () => {
  const { app, open, send, warnings } = await startBareServer({
    limits: { maxOpen: 6 },
    trustProxy: '127.0.0.1',
  })
  const first = await open(HALF)
  for (let count = 0; count < 12; count += 1) await open(HALF)
  await vi.waitFor(() => expect(app.connections.size).toBe(6))
  expect(first.heard.isClosed).toBe(true)
  for (let count = 0; count < 5; count += 1) expect(await send(WHOLE)).toContain('HTTP/1.1 200')
  expect(warnings()).toEqual([expect.stringContaining('MAX_CONNECTIONS')])
})

test('a reader that takes too little of its answer is disconnected, and one that takes enough is not', async () => {
  const limits = { readPace: { graceMs: 400, bytesPerSecond: 1_000_000 } }
  const { app, open, warnings } = await startBareServer({ limits })
  const [slow, steady] = [await open('GET /big HTTP/1.1\r\nHost: shop\r\n\r\n'), await open()]
  slow.socket.pause()
  // It takes seconds for an answer that is one chunk, and is still faster than it has to be.
  steady.socket.on('data', () => {
    steady.socket.pause()
    setTimeout(() => steady.socket.resume(), 5)
  })
  steady.socket.write('GET /big HTTP/1.1\r\nHost: shop\r\nConnection: close\r\n\r\n')
  await once(steady.socket, 'close')
  expect(steady.heard.text.length).toBeGreaterThan(BIG_BYTES)
  await vi.waitFor(() => expect(app.connections.size).toBe(0), 10_000)
  expect(warnings()).toEqual(['a reader was too slow and was disconnected'])
})
