import { expect, test } from 'vitest'
import { DeviceSession } from './session.ts'

const opening = { wasBound: true, onOpened: () => undefined, open: () => Promise.reject(new Error('no')) }
const { signal } = new AbortController()

/** A session with the server at `server`, and what it asks. */
function openSession(server: string, filesBy?: 'address') {
  const asked: { url: string; headers: Record<string, string> }[] = []
  const session = new DeviceSession({
    server,
    opening,
    ...(filesBy && { filesBy }),
    fetch: async (input, init) => {
      const url = String(input)
      const headers = init?.headers as Record<string, string>
      asked.push({ url, headers })
      if (!url.startsWith(server)) return new Response('from the store')
      const wish = headers['floorcast-files']
      if (wish === undefined) return new Response('from the server')
      const location = 'https://store.example/file?signed'
      return new Response(null, { status: wish === 'redirect' ? 302 : 204, headers: { location } })
    },
  })
  const fetchText = async () => (await session.fetchFile('/file', { signal })).text()
  return { session, asked, fetchText }
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
