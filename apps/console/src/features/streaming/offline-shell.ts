import { shellCacheName } from '../../platform/player-data.ts'

/** The page in the cache, as the service worker reads it. */
const PAGE = '/index.html'
const FILES = ['/boot.js', '/config.json', '/favicon.svg']

const pathsLoaded = (): string[] => [
  ...new Set(
    performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name))
      .filter(({ origin, pathname }) => origin === location.origin && pathname.startsWith('/assets/'))
      .map(({ pathname }) => pathname),
  ),
]

/** The address of the console's first script in a page: another version has another one. */
const mainScriptOf = (html: string) =>
  new DOMParser()
    .parseFromString(html, 'text/html')
    .querySelector('script[type="module"]')
    ?.getAttribute('src')

async function readPage(): Promise<string | null> {
  const answer = await fetch(location.pathname, { headers: { accept: 'text/html' } }).catch(() => null)
  return answer?.ok ? answer.text() : null
}

/** Whether the server has another version of the console than this page. False if it does not answer. */
export async function hasNewVersion(): Promise<boolean> {
  const html = await readPage()
  const own = document.querySelector('script[type="module"]')?.getAttribute('src')
  return html !== null && mainScriptOf(html) !== own
}

/**
 * Stores the page and the files that it has loaded, and has them served while there is no network. The files of a former
 * version go. Without an answer, or while the server has another version, the stored page stays.
 */
export async function keepShell(): Promise<void> {
  const html = await readPage()
  const own = document.querySelector('script[type="module"]')?.getAttribute('src')
  if (html === null || mainScriptOf(html) !== own) return
  const cache = await caches.open(shellCacheName)
  const wanted = [...pathsLoaded(), ...FILES]
  const stored = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname))
  await Promise.all(
    wanted.filter(path => !stored.has(path) || FILES.includes(path)).map(path => cache.add(path)),
  )
  await cache.put(PAGE, new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } }))
  for (const path of stored) if (path !== PAGE && !wanted.includes(path)) await cache.delete(path)
  await navigator.serviceWorker.register('/sw.js')
}
