// The service worker of the player page. It serves the page and its files while there is no network. The page itself stores
// them, and only it: a console that was upgraded is never served from here while the server answers.
const SHELL = 'floorcast-player-shell'
const PAGE = '/index.html'
// A stalled line must not keep a shop silent.
const MAX_WAIT_MS = 5000

// Unlike `open`, this does not make the cache again after the user has signed out.
const fromShell = key => caches.match(key, { cacheName: SHELL })

async function fromNetworkFirst(request, key) {
  try {
    const answer = await fetch(request, { signal: AbortSignal.timeout(MAX_WAIT_MS) })
    if (answer.ok || answer.status < 500) return answer
    return (await fromShell(key)) ?? answer
  } catch {
    return (await fromShell(key)) ?? Response.error()
  }
}

self.addEventListener('install', event => event.waitUntil(self.skipWaiting()))
self.addEventListener('activate', event => event.waitUntil(self.clients.claim()))
self.addEventListener('fetch', event => {
  const { request } = event
  const { origin, pathname } = new URL(request.url)
  if (request.method !== 'GET' || origin !== self.location.origin) return
  if (request.mode === 'navigate') {
    if (pathname.startsWith('/home/streaming/')) event.respondWith(fromNetworkFirst(request, PAGE))
    return
  }
  // Their names change with their bytes.
  if (pathname.startsWith('/assets/'))
    event.respondWith(fromShell(pathname).then(stored => stored ?? fetch(request)))
  else if (['/boot.js', '/config.json', '/favicon.svg'].includes(pathname))
    event.respondWith(fromNetworkFirst(request, pathname))
})
