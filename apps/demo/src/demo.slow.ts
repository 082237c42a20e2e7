import { listDeployPackages } from '@floorcast/contract/deploy-packages.ts'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { makeClient as makeCaller } from '@floorcast/contract/client.ts'
import { beginAlert, endAlert, listAlerts } from '@floorcast/contract/alerts.ts'
import { readActiveDevicesChart, readDeviceMap } from '@floorcast/contract/charts.ts'
import { readQuickMetrics } from '@floorcast/contract/dashboard.ts'
import { readDelivery } from '@floorcast/contract/delivery-report.ts'
import { readDeviceDay } from '@floorcast/contract/device-day.ts'
import { listPublications } from '@floorcast/contract/publications.ts'
import { listDevices, listLastPlays } from '@floorcast/contract/devices.ts'
import { listMedia, MediaType, readMedia } from '@floorcast/contract/media.ts'
import { listProfiles } from '@floorcast/contract/device-profiles.ts'
import { listGroups } from '@floorcast/contract/groups.ts'
import { listChannels } from '@floorcast/contract/update-channels.ts'
import { listPackages } from '@floorcast/contract/update-packages.ts'
import { listUsers } from '@floorcast/contract/users.ts'
import { readCatalogue } from '@floorcast/locales/catalogue-files.ts'
import { listOwnSessions } from '@floorcast/contract/sessions.ts'
import { listPlaylists } from '@floorcast/contract/playlists.ts'
import { authenticate } from '@floorcast/contract/auth.ts'
import { makeClient } from '@floorcast/testing/factories.ts'
import { testDatabase } from '@floorcast/testing/test-database.ts'
import { afterAll, expect, test, vi } from 'vitest'

const START = fileURLToPath(new URL('../../../tools/start.ts', import.meta.url))
const { url, database } = await testDatabase()
const folder = mkdtempSync(join(tmpdir(), 'floorcast-demo-'))
const running: ChildProcess[] = []
/** A busy machine takes its time to start programs and fill a database; only a hang takes as long. */
const TIMEOUT_MS = 180_000
afterAll(() => {
  for (const child of running) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

/** A demonstration logs thousands of requests; these lines say in which order it is filled. */
const isTold = (line: string) => !line.startsWith('{') || /"daily maintenance"|\/upload"/.test(line)

/** Starts `npm start -- --demo`. */
function startDemo(dataDir: string, logLevel = 'fatal') {
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: url,
    PORT: '0',
    DATA_DIR: dataDir,
    LOG_LEVEL: logLevel,
    DEMO_LANGUAGE: 'de',
    DRAIN_SECONDS: '0',
  }
  const child = spawn(process.execPath, [START, '--demo'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  running.push(child)
  const said: string[] = []
  for (const stream of [child.stdout, child.stderr])
    createInterface({ input: stream }).on('line', line => isTold(line) && said.push(line))
  const ended = once(child, 'exit').then(([code]: unknown[]) => code)
  const find = async (words: RegExp) => {
    const found = await vi.waitUntil(() => words.exec(said.join('\n')) ?? child.exitCode !== null, {
      timeout: TIMEOUT_MS,
      interval: 50,
    })
    if (found === true) throw new Error(`ended and did not say ${String(words)}:\n${said.join('\n')}`)
    return found
  }
  return { child, ended, find, said }
}

/** Signs in with the printed account. */
async function signIn({ find }: ReturnType<typeof startDemo>) {
  const [, port = ''] = await find(/Floorcast is at http:\/\/localhost:(\d+)/)
  const origin = `http://127.0.0.1:${port}`
  const [, email = '', password = ''] = await find(/Sign in as (\S+) with the password (\S+)/)
  const { token } = await makeCaller({ base: origin, token: () => null })(authenticate, {
    body: { email, password },
  })
  return { call: makeCaller({ base: origin, token: () => token }), email, password }
}

/** The texts of the demonstration in English. */
const englishTexts = new Set(
  [...readCatalogue('packages/locales/catalogues/en')].flatMap(([key, text]) =>
    key.startsWith('demo:') ? text : [],
  ),
)

/** Names, descriptions and titles of all that a client has but its devices, without the extensions of files. */
async function readNames(call: ReturnType<typeof makeCaller>): Promise<Set<string>> {
  const params = { x: 'all' } as const
  const lists = [
    await call(listGroups, { params }),
    await call(listPlaylists, { params }),
    await call(listPublications, { params }),
    await call(listProfiles, {}),
    await call(listPackages, {}),
    await call(listChannels, {}),
  ]
  const { items: users } = await call(listUsers, {})
  const items: object[] = [
    ...lists.flatMap((list): readonly object[] => list.items),
    ...users.map(({ firstName, lastName }) => ({ name: `${firstName} ${lastName}`.trim() })),
  ]
  for (const contentType of MediaType.options) {
    const { items: files } = await call(listMedia, { params: { contentType } })
    expect(files.length).toBeGreaterThan(0)
    for (const { uid } of files) items.push(await call(readMedia, { params: { contentType, uid } }))
  }
  const texts = items.flatMap(item =>
    Object.entries(item).flatMap(([field, value]) =>
      /^(?:name|description|title)$/.test(field) && typeof value === 'string' ? value : [],
    ),
  )
  expect(texts.length).toBeGreaterThan(40)
  return new Set(texts.map(text => text.replace(/\.mp[34]$/, '')))
}

test(
  'a demonstration fills an empty database, plays, restarts, and does not touch other data',
  { timeout: 4 * TIMEOUT_MS },
  async () => {
    const first = startDemo(join(folder, 'one'), 'info')
    const { call, email, password } = await signIn(first)
    // Maintenance deletes the session of a week ago with which the demonstration is filled.
    await first.find(/"daily maintenance"/)
    expect(first.said.findLastIndex(line => line.includes('/upload"'))).toBeLessThan(
      first.said.findIndex(line => line.includes('"daily maintenance"')),
    )
    const { items } = await call(listPublications, { params: { x: 'all' } })
    expect(items.map(({ state }) => state).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'active',
      'active',
      'active',
      'delayed',
    ])
    const { items: smart } = await call(listPlaylists, { params: { x: 'all' }, query: { form: 'smart' } })
    expect(smart).toMatchObject([{ name: 'Geplanter Tag', state: 'active', planState: 'fits', isUsed: true }])
    await vi.waitFor(
      async () => {
        const { devices, silent } = await call(readQuickMetrics, {})
        expect(devices).toMatchObject({ online: 26, linkdown: 1, linklost: 1, neverup: 1, late: 1 })
        expect(devices.playing).toBeGreaterThanOrEqual(18)
        const reasons = ['closed', 'muted', 'no-publication', 'not-downloaded', 'player-broken']
        expect(silent.map(({ reason }) => reason)).toEqual(expect.arrayContaining(reasons))
      },
      { timeout: TIMEOUT_MS, interval: 500 },
    )
    // A week of history: who was connected, and what a shop played.
    const { items: down } = await call(listDevices, { query: { connectivity: 'linklost' } })
    expect(new Set(down.map(({ name }) => name))).toEqual(new Set(['Oslo Karl Johan']))
    const { items: healthy } = await call(listDevices, { query: { search: 'Lyon' } })
    // Lyon's day may be the next one already: six days before this moment by UTC can be seven there, of which the demonstration has a part.
    const past = new Date(Date.now() - 5 * 86_400_000).toISOString().slice(0, 10)
    const day = await call(readDeviceDay, { params: { uid: healthy[0]?.uid ?? '' }, query: { day: past } })
    expect(day.connectivity.map(({ state }) => state)).toEqual(['online'])
    expect([day.gaps, day.unreported, day.played.length > 0]).toEqual([[], [], true])
    const { series } = await call(readActiveDevicesChart, { query: { range: '7d' } })
    const online = series.find(({ uid }) => uid === 'online')?.points ?? []
    expect(online.filter(([, devices]) => devices === null || devices < 26)).toEqual([])
    const { items: updates } = await call(listDeployPackages, {})
    expect(updates).toMatchObject([{ package: { name: 'Player' }, channel: { name: 'Erste Filialen' } }])
    const left = [...(await readNames(call))].filter(name => englishTexts.has(name))
    expect(left).toEqual(['Player'])
    // Every shop has its place, the chain had a drill, and nobody is signed in but this test.
    expect((await call(readDeviceMap, {})).notOnMap.devices).toBe(0)
    expect((await call(listAlerts, {})).items).toMatchObject([
      { isDrill: true, deviceCount: 8, soundedCount: 8, endedAt: expect.any(String) as string },
    ])
    expect(await call(listOwnSessions, {})).toHaveLength(1)
    // What was planned was played, but for the shops that went away.
    const { items: ads } = await call(listMedia, {
      params: { contentType: 'ads' },
      query: { search: 'Herbst' },
    })
    const { publications } = await call(readDelivery, { params: { uid: ads[0]?.uid ?? '' } })
    expect(publications[0]?.made).toBeGreaterThan(0.9 * (publications[0]?.planned ?? Infinity))
    const { items: windows } = await call(listDevices, { query: { search: 'Schaufenster' } })
    await vi.waitFor(
      async () => {
        const plays = await call(listLastPlays, { params: { id: windows[0]?.uid ?? '', count: 6 } })
        expect(plays.length).toBeGreaterThan(0)
      },
      { timeout: TIMEOUT_MS, interval: 500 },
    )
    // All shops play a drill, a muted one too, but not one that is away or whose player is broken.
    const everywhere = { uid: 'all', alerttype: 'air' } as const
    await call(beginAlert, { params: everywhere, query: { drill: '1' } })
    const soundedNow = async () => (await call(listAlerts, {})).items[0]?.soundedCount
    await vi.waitFor(async () => expect(await soundedNow()).toBe(24), { timeout: TIMEOUT_MS, interval: 200 })
    await call(endAlert, { params: everywhere })
    first.child.kill('SIGTERM')
    expect(await first.ended).toBe(0)
    const again = startDemo(join(folder, 'one'))
    expect(await signIn(again)).toMatchObject({ email, password })
    again.child.kill('SIGTERM')
    expect(await again.ended).toBe(0)
    const elsewhere = startDemo(join(folder, 'two'))
    await elsewhere.find(/holds a client already/)
    expect(await elsewhere.ended).toBe(1)
  },
)

test('a database with other data is not changed', { timeout: 2 * TIMEOUT_MS }, async () => {
  const other = await makeClient(database)
  const demo = startDemo(join(folder, 'three'))
  await demo.find(/holds a client already/)
  expect(await demo.ended).toBe(1)
  expect(await other.scope.reads.selectFrom('devices').selectAll().execute()).toEqual([])
})
