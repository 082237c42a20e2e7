import { expect, test, vi } from 'vitest'
import { DeviceSession } from './session.ts'

const opening = { wasBound: true, onOpened: () => undefined, open: () => Promise.reject(new Error('no')) }
const { signal } = new AbortController()

const NEVER = 0

/** A session with the server at `server`, and what it asks. */
function openSession(server: string, filesBy?: 'address') {
  const storeStatus = { now: 200 }
  const asked: { url: string; headers: Record<string, string> }[] = []
  const session = new DeviceSession({
    server,
    opening,
    ...(filesBy && { filesBy }),
    fetch: async (input, init) => {
      const url = String(input)
      const headers = init?.headers as Record<string, string>
      asked.push({ url, headers })
      if (!url.startsWith(server) && storeStatus.now === NEVER)
        return new Promise((_, reject) =>
          init?.signal?.addEventListener('abort', () => reject(new Error('aborted'))),
        )
      if (!url.startsWith(server)) return new Response('from the store', { status: storeStatus.now })
      const wish = headers['floorcast-files']
      if (wish === undefined) return new Response('from the server')
      const location = 'https://store.example/file?signed'
      return new Response(null, { status: wish === 'redirect' ? 302 : 204, headers: { location } })
    },
  })
  const fetchText = async () => (await session.fetchFile('/file', { signal })).text()
  return { session, asked, storeStatus, fetchText }
}

test.each([
  'http://store.example',
  'https://store.example/',
  'store.example',
  'ftp://store.example',
  '',
  undefined,
])('a server with TLS sends files itself to a device, where it names %s as its store', async named => {
  const { session, asked, fetchText } = openSession('https://floor.example')
  session.noteFileStore(named)
  expect(await fetchText()).toBe('from the server')
  expect(asked.map(({ headers }) => headers['floorcast-files'])).toEqual([undefined])
})

test('a device goes to the store without its token, and to none of a former server', async () => {
  const { session, asked, fetchText } = openSession('https://floor.example')
  session.noteFileStore('https://store.example')
  expect(await fetchText()).toBe('from the store')
  expect(asked.map(({ url, headers }) => [url, 'authorization' in headers])).toEqual([
    ['https://floor.example/file', true],
    ['https://store.example/file?signed', false],
  ])
  session.moveTo('https://floor.example/other')
  expect(await fetchText()).toBe('from the server')
})

test('a page asks for the address of a file, since a browser hides where a redirect leads', async () => {
  const { session, asked, fetchText } = openSession('https://floor.example', 'address')
  session.noteFileStore('https://store.example')
  expect(await fetchText()).toBe('from the store')
  expect(asked[0]?.headers['floorcast-files']).toBe('address')
})

test('a device that the store fails again and again tries it at fewer and fewer of its namings, and at each one after a file', async () => {
  const { session, storeStatus, fetchText } = openSession('https://floor.example')
  const namings = async (count: number) => {
    const from: string[] = []
    for (let nr = 0; nr < count; nr += 1) {
      session.noteFileStore('https://store.example')
      const answer = await session.fetchFile('/file', { signal })
      from.push((await answer.clone().text()).replace('from the ', ''))
      if (from.at(-1) === 'store') session.noteFile(answer, null)
    }
    return from
  }
  storeStatus.now = 403
  const before = await namings(8)
  expect(before).toEqual(Array.from({ length: 8 }, () => 'server'))
  // Tried at the first naming, the second one, the fourth and the eighth; so the seven after it are passed over.
  storeStatus.now = 200
  expect(await namings(9)).toEqual([...Array.from({ length: 7 }, () => 'server'), 'store', 'store'])
  storeStatus.now = 500
  expect(await fetchText()).toBe('from the server')
  storeStatus.now = 200
  expect(await namings(1)).toEqual(['store'])
})

test('a device that has given up a store which never answers goes to the server', async () => {
  const { session, asked, storeStatus } = openSession('https://floor.example')
  session.noteFileStore('https://store.example')
  storeStatus.now = NEVER
  const stalled = new AbortController()
  const fetching = session.fetchFile('/file', { signal: stalled.signal })
  await vi.waitUntil(() => asked.length === 2)
  stalled.abort(new Error('stalled'))
  await expect(fetching).rejects.toThrow('stalled')
  expect(await (await session.fetchFile('/file', { signal })).text()).toBe('from the server')
})
