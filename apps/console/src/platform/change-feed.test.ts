import { afterEach, expect, test, vi } from 'vitest'
import { listenToChangeFeed } from './change-feed.ts'

afterEach(() => {
  vi.useRealTimers()
})

test('a stream that ends is opened again after a second, or after the time that a server tells that stops', async () => {
  vi.useFakeTimers()
  const streams = ['{}\n{"retryAfterMs":400}\n', '{}\n']
  let opened = 0
  vi.stubGlobal('fetch', (address: string | URL) => {
    if (!String(address).includes('/live')) return Promise.resolve(new Response(null, { status: 404 }))
    const body = streams[opened] ?? new ReadableStream()
    opened += 1
    return Promise.resolve(new Response(body, { headers: { 'content-type': 'application/x-ndjson' } }))
  })
  const stop = new AbortController()
  const listener = {
    readingSince: performance.now(),
    onChange: vi.fn<() => void>(),
    onMissed: vi.fn<() => void>(),
  }
  void listenToChangeFeed(stop.signal, listener)
  for (const [ms, count] of [
    [0, 1],
    [399, 1],
    [1, 2],
    [999, 2],
    [1, 3],
  ] as const) {
    await vi.advanceTimersByTimeAsync(ms)
    expect(opened).toBe(count)
  }
  stop.abort()
})
