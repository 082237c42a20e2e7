import type { LocaleCode } from '@floorcast/contract/locales.ts'
import { readBuild, type Build } from './build.ts'
import { findShellCaches, shellCachePrefix } from './browser-data.ts'
import { ownMain } from './new-version.ts'

/** The page in a cache, as the service worker reads it. */
const PAGE = '/index.html'
const FILES = ['/boot.js', '/config.json', '/favicon.svg']
/** The server has other things to do, and browsers open few connections. */
const MAX_AT_ONCE = 4

const ownCache = () => shellCachePrefix + ownMain()

/** The files under /assets/ that this page has used. Its own list: the browser's ends at 250 entries. */
const used = new Set<string>()
let onUsed = (_address: string): void => undefined
let isFollowing = false

function followUsed(): void {
  if (isFollowing) return
  isFollowing = true
  const observer = new PerformanceObserver(list => {
    for (const { name } of list.getEntries()) {
      const { origin, pathname } = new URL(name)
      if (origin !== location.origin || !pathname.startsWith('/assets/') || used.has(pathname)) continue
      used.add(pathname)
      onUsed(pathname)
    }
  })
  observer.observe({ type: 'resource', buffered: true })
  // As long as this lock is held, the page of this build is open.
  void navigator.locks.request(ownCache(), { mode: 'shared' }, () => new Promise(() => undefined))
}

/** Stores a file, but not the HTML that a captive portal answers. */
async function storeFile(cache: Cache, address: string, signal: AbortSignal): Promise<void> {
  const answer = await fetch(address, { signal })
  const isHtml = answer.headers.get('content-type')?.startsWith('text/html') === true
  if (!answer.ok || isHtml) throw new Error(`No file came from ${address}`)
  await cache.put(address, answer)
}

/** Stores files that are not stored yet; one that does not come is left to the next time. */
async function store(cache: Cache, addresses: Iterable<string>, signal: AbortSignal): Promise<void> {
  const stored = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname))
  const waiting = [...new Set(addresses)].filter(address => !stored.has(address))
  const storeNext = async (): Promise<void> => {
    const address = waiting.shift()
    if (address === undefined || signal.aborted) return
    await storeFile(cache, address, signal).catch(() => undefined)
    return storeNext()
  }
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, storeNext))
}

/** Stores the page, and what is not named by its bytes. From now on no other build is shown while the server is away. */
async function storePage(cache: Cache, signal: AbortSignal): Promise<void> {
  const [page] = await Promise.all([
    fetch('/login', { headers: { accept: 'text/html' }, signal }),
    ...FILES.map(address => storeFile(cache, address, signal)),
  ])
  if (!page.ok || !(await page.clone().text()).includes(`"${ownMain()}"`)) return
  await cache.put(PAGE, page)
  for (const name of await findShellCaches())
    if (name !== ownCache()) await (await caches.open(name)).delete(PAGE)
}

/** Removes the files of the builds of which no page is open. */
async function removeFormer(): Promise<void> {
  const { held = [] } = await navigator.locks.query()
  const open = new Set(held.map(({ name }) => name))
  for (const name of await findShellCaches())
    if (name !== ownCache() && !open.has(name)) await caches.delete(name)
}

const savesData = () =>
  'connection' in navigator &&
  typeof navigator.connection === 'object' &&
  navigator.connection !== null &&
  'saveData' in navigator.connection &&
  navigator.connection.saveData === true

async function keep(build: Build, { language, signal }: Keeping): Promise<void> {
  followUsed()
  const cache = await caches.open(ownCache())
  const isCurrent = build.main === ownMain()
  await store(cache, isCurrent ? [...build.shell, ...used] : used, signal)
  onUsed = address => void (signal.aborted || storeFile(cache, address, signal).catch(() => undefined))
  if (!isCurrent || signal.aborted) return
  await storePage(cache, signal)
  await removeFormer()
  if (signal.aborted) return
  await navigator.serviceWorker.register('/sw.js')
  if (!savesData()) await store(cache, [...build.pages, ...(build.words[language] ?? [])], signal)
}

interface Keeping {
  /** Its texts are stored. */
  language: LocaleCode
  /** Aborts when the user signs out: nothing more is stored. */
  signal: AbortSignal
}

/**
 * Stores the console, and has it served while the server is away: what /login and the frame need, what this page has used
 * and uses later, and then all other pages. A page of a former build stores what it uses and nothing else. Does nothing
 * without HTTPS, where browsers have no service worker, and in development.
 */
export async function keepShell(keeping: Keeping): Promise<void> {
  if (!('serviceWorker' in navigator) || !('caches' in globalThis)) return
  const build = await readBuild()
  if (!build || keeping.signal.aborted) return
  // Without an answer or without space, what is stored stays.
  await keep(build, keeping).catch(() => undefined)
}
