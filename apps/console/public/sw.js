// The service worker of the console. It serves pages and their files while the server is away. Pages store them
// (src/platform/app-shell.ts), and only they: there is one cache for each build, and the last build that the server had
// is the only one with a page in it. It stores nothing, and never answers a call of the API.
const SHELL = 'floorcast-shell '
const PAGE = '/index.html'
// A stalled line must not keep a shop silent, nor a person waiting.
const MAX_WAIT_MS = 3000
// After a wait without an answer, the next files of the same page are not waited for.
const AWAY_MS = 10_000
// The build writes here the addresses of the pages: other navigations, such as downloads and the manual, go to the server.
const routes = []
const pages = new RegExp(`^(?:${routes.map(route => route.replaceAll(':uid', '[^/]+')).join('|')})/?$`, 'i')
let awayUntil = 0

async function fromShell(key) {
  const names = (await caches.keys()).filter(name => name.startsWith(SHELL)).toReversed()
  for (const cacheName of names) {
    // Unlike `open`, this does not make the cache again after the user has signed out.
    const stored = await caches.match(key, { cacheName, ignoreVary: true })
    if (stored) return stored
  }
  return undefined
}

// A captive portal answers everything with its own page, or with a redirect to it.
async function isOwn(answer, key) {
  const type = answer.headers.get('content-type') ?? ''
  if (key !== PAGE) return !type.startsWith('text/html')
  return answer.type !== 'opaqueredirect' && (await answer.clone().text()).includes('src="/boot.js"')
}

async function fromNetworkFirst(request, key) {
  const stored = Date.now() < awayUntil ? await fromShell(key) : undefined
  if (stored) return stored
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(MAX_WAIT_MS) })
    if (answer.status < 500 && (await isOwn(answer, key))) return answer
    return (await fromShell(key)) ?? answer
  } catch (error) {
    if (error.name === 'TimeoutError') awayUntil = Date.now() + AWAY_MS
    return (await fromShell(key)) ?? fetch(request)
  }
}

self.addEventListener('install', event => event.waitUntil(self.skipWaiting()))
self.addEventListener('activate', event => event.waitUntil(self.clients.claim()))
self.addEventListener('fetch', event => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate') {
    if (pages.test(pathname)) event.respondWith(fromNetworkFirst(request, PAGE))
    return
  }
  // Their names change with their bytes.
  if (pathname.startsWith('/assets/'))
    event.respondWith(fromShell(pathname).then(stored => stored ?? fetch(request)))
  // A request past all caches asks whether the server is there.
  else if (['/boot.js', '/config.json', '/favicon.svg'].includes(pathname) && request.cache !== 'no-store')
    event.respondWith(fromNetworkFirst(request, pathname))
})
