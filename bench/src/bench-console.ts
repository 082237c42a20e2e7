import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSession } from '@floorcast/contract/auth.ts'
import { makeClient } from '@floorcast/contract/client.ts'
import { startEmbeddedPostgres } from '@floorcast/embedded-postgres/embedded-postgres.ts'
import { openDatabase } from '@floorcast/server/platform/database/database.ts'
import { migrateDatabase } from '@floorcast/server/platform/database/migrations.ts'
import { openBrowser } from '@floorcast/testing/browser.ts'
import { Pool } from 'pg'
import type { Bench, Figure } from './bench-types.ts'
import { measureClicks } from './console-clicks.ts'
import { INTERPRETER_ONLY, measureMemory } from './console-memory.ts'
import { CLICKED_ROUTES, type Items, readItems, type Route, ROUTES } from './console-routes.ts'
import { ConsoleVisitor, type Page, type Visit } from './console-visits.ts'
import { fillClients } from './lists-fill.ts'
import { openClient } from './open-client.ts'
import { percentile } from './percentile.ts'
import { startServer } from './server-process.ts'

const SIZE = { devices: 100_000, groups: 2000, media: 20_000, playlists: 2000 }
const VISITS = 3
/** Loaded when they are shown, beyond the bytes of their page (docs/decisions/0205-draw-charts-and-the-map-with-echarts.md). */
const CHARTS = /\/(?:chart-canvas|echarts|installCanvasRenderer|world-map)[^/]*\.js$/

async function fill(addresses: { url: string; superuserUrl: string }) {
  const database = openDatabase({ url: addresses.url, lost: () => undefined })
  const superuser = new Pool({ connectionString: addresses.superuserUrl, max: 1 })
  superuser.on('error', () => undefined)
  try {
    const { clientId, token } = await openClient(database)
    await fillClients(superuser, [{ clientId, size: SIZE }])
    return { token, items: await readItems(superuser, clientId) }
  } finally {
    await Promise.all([database.close(), superuser.end()])
  }
}

const sumOf = (values: Iterable<number>) => [...values].reduce((sum, value) => sum + value, 0)
const middleOf = (values: readonly number[]) =>
  percentile(
    values.toSorted((a, b) => a - b),
    0.5,
  )

/** The bytes of scripts that /login has not fetched, apart from charts, and their number. */
function beyondLogin(login: Visit, { scripts }: Visit) {
  const added = [...scripts].filter(([path]) => !login.scripts.has(path) && !CHARTS.test(path))
  return { kilobytes: sumOf(added.map(([, bytes]) => bytes)) / 1000, files: added.length }
}

/** The pointer comes to the page: parts are fetched before they are clicked. */
const touch = async (page: Page) => {
  await page.mouse.move(700, 400)
  await page.mouse.move(720, 420)
}

interface VisitedRoute {
  name: string
  path: string
  content: string
}

/** Visits all routes three times, one round after the other: what disturbs the machine for a while falls on no single route. */
async function visitThrice(
  visitor: ConsoleVisitor,
  routes: readonly VisitedRoute[],
): Promise<Map<string, Visit>> {
  const visits = new Map<string, Visit[]>()
  for (let round = 0; round < VISITS; round++)
    for (const { name, path, content } of routes)
      visits.set(name, [...(visits.get(name) ?? []), await visitor.visit(path, content)])
  return new Map(
    [...visits].map(([name, [first, ...others]]) => {
      if (!first) throw new Error('Nothing was visited')
      const all = [first, ...others]
      const paintMs = middleOf(all.map(visit => visit.paintMs))
      return [name, { ...first, paintMs, shift: Math.max(...all.map(visit => visit.shift)) }]
    }),
  )
}

async function measureVisits(visitor: ConsoleVisitor, items: Items): Promise<Record<string, number>> {
  const visits = await visitThrice(visitor, [
    { name: 'login', path: '/login', content: 'form' },
    ...ROUTES.map(({ name, path, content }) => ({ name, path: path(items), content })),
  ])
  const login = visits.get('login')
  if (!login) throw new Error('/login was not visited')
  const values: Record<string, number> = {
    loginScript: sumOf(login.scripts.values()) / 1000,
    loginFiles: login.scripts.size,
    loginPaint: login.paintMs,
    loginShift: login.shift,
  }
  for (const [name, visit] of visits) {
    if (visit === login) continue
    const { kilobytes, files } = beyondLogin(login, visit)
    Object.assign(values, {
      [`${name}Script`]: kilobytes,
      [`${name}Files`]: files,
      [`${name}Paint`]: visit.paintMs,
      [`${name}Shift`]: visit.shift,
    })
    console.error(
      `${name}: ${kilobytes.toFixed(1)} kB in ${files} files, ${visit.paintMs.toFixed(0)} ms, ${visit.shift.toFixed(4)}`,
    )
  }
  const touched = await visitor.visit('/home/overview', 'a[href^="/equipments/devices?"]', touch)
  const used = beyondLogin(login, touched)
  return { ...values, touchedScript: used.kilobytes - (values['overviewScript'] ?? Number.NaN) }
}

async function measure(origin: string, token: string, items: Items): Promise<Record<string, number>> {
  const user = await makeClient({ base: origin, token: () => token })(readSession, {})
  const stored = { 'floorcast.user': JSON.stringify(user), 'floorcast.token': token }
  return {
    ...(await withBrowser([], async browser => {
      const visitor = new ConsoleVisitor(browser, origin, stored)
      return { ...(await measureVisits(visitor, items)), ...(await measureClicks(visitor)) }
    })),
    ...(await withBrowser(INTERPRETER_ONLY, browser =>
      measureMemory(new ConsoleVisitor(browser, origin, stored)),
    )),
  }
}

type Browser = Awaited<ReturnType<typeof openBrowser>>

async function withBrowser<T>(flags: readonly string[], work: (browser: Browser) => Promise<T>): Promise<T> {
  const browser = await openBrowser(flags)
  try {
    return await work(browser)
  } finally {
    await browser.close()
  }
}

async function run(): Promise<Record<string, number>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'floorcast-bench-'))
  const postgres = await startEmbeddedPostgres({ dataDir })
  try {
    await migrateDatabase(postgres.url)
    const superuserUrl = Object.assign(new URL(postgres.superuserUrl), { pathname: '/floorcast' }).href
    console.error('Filling: a minute or two')
    const { token, items } = await fill({ url: postgres.url, superuserUrl })
    const server = await startServer(join(dataDir, 'server'), postgres.url)
    try {
      return await measure(server.url, token, items)
    } finally {
      await server.stop()
    }
  } finally {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const visitFigures = (name: string, maxScript: number, what: string): Record<string, Figure> => ({
  [`${name}Script`]: { what: `${name}: ${what}`, unit: 'kB', atMost: maxScript },
  [`${name}Files`]: { what: `${name}: its files`, unit: '' },
  [`${name}Paint`]: { what: `${name}: largest paint, empty cache`, unit: 'ms', atMost: 1000 },
  [`${name}Shift`]: { what: `${name}: layout shift`, unit: '', atMost: 0.02 },
})

const clickFigures = (name: string): Record<string, Figure> => ({
  [`${name}Answer`]: { what: `${name}: slowest click to the next paint`, unit: 'ms', atMost: 100 },
  [`${name}Content`]: { what: `${name}: click to content`, unit: 'ms' },
})

const ofRoutes = (routes: readonly Route[], figuresOf: (name: string) => Record<string, Figure>) =>
  Object.fromEntries(routes.flatMap(({ name }) => Object.entries(figuresOf(name))))

const bench: Bench = {
  name: 'console',
  what: 'The console in Chromium with 100,000 devices: script by route (brotli), paints, clicks and memory',
  figures: {
    ...visitFigures('login', 150, 'script'),
    ...ofRoutes(ROUTES, name => visitFigures(name, 120, 'script beyond /login')),
    touchedScript: { what: 'overview: script that comes with the first movement of the pointer', unit: 'kB' },
    ...ofRoutes(CLICKED_ROUTES, clickFigures),
    heapAfter7Rounds: { what: 'heap after 7 rounds of the menu', unit: 'MB' },
    heapAfter25Rounds: { what: 'heap after 25 rounds of the menu', unit: 'MB' },
    heapSlope: { what: 'growth of the heap, without compiled code', unit: 'kB a navigation', atMost: 5 },
    nodeSlope: { what: 'growth of the number of nodes', unit: 'a navigation', atMost: 2 },
  },
  run,
}
export default bench
