import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readSession } from '@floorcast/contract/auth.ts'
import { readDeviceDay } from '@floorcast/contract/device-day.ts'
import { listDeviceLog } from '@floorcast/contract/devices.ts'
import { collectComplaints, sharedBrowser } from '@floorcast/testing/browser.ts'
import { freePort } from '@floorcast/testing/free-port.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import type { BrowserContext } from 'playwright-core'
import { afterAll, expect, it } from 'vitest'
import {
  inviteStreamer,
  publishToDevice,
  registerOwner,
  type SignedInClient,
  signInOwner,
} from './client-fixture.ts'
import { findAxeViolations } from './page-checks.ts'
import { runProgram, type RunningServer, startServer, waitUntil } from './processes.ts'
import { StreamingPage } from './streaming-page.ts'

const folder = await mkdtemp(join(tmpdir(), 'floorcast-restored-'))
const [data, target] = [join(folder, 'server'), join(folder, 'backups')]
const contexts: BrowserContext[] = []
let server: RunningServer | undefined
afterAll(async () => {
  for (const context of contexts) await context.close()
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function command(program: 'backup' | 'restore', ...args: string[]): Promise<void> {
  const run = runProgram(`apps/server/src/${program}.ts`, args, { env: { DATA_DIR: data, DATABASE_URL: '' } })
  if ((await run.ended) !== 0) throw new Error(run.output.join(''))
}

/** The machine burns, and another one gets the backup. */
async function burn(port: number): Promise<void> {
  await server?.kill()
  await rm(data, { recursive: true })
  await command('restore', target, '--without-key')
  server = await startServer(port, data)
}

/** A browser in which a user is signed in. */
async function openBrowser(url: string, { call, token }: SignedInClient) {
  const context = await (
    await sharedBrowser()
  ).newContext({
    locale: 'en-GB',
    reducedMotion: 'reduce',
    viewport: { width: 1440, height: 900 },
  })
  contexts.push(context)
  const page = await context.newPage()
  page.setDefaultTimeout(40_000)
  await page.goto(`${url}/config.json`)
  await page.evaluate(
    ([user, secret]) => {
      localStorage.setItem('floorcast.user', user)
      localStorage.setItem('floorcast.token', secret)
    },
    [JSON.stringify(await call(readSession, {})), token] as const,
  )
  return { context, page }
}

it(
  'a page that plays delivers again what a restore has lost, and its day is whole; one that has lost it says so',
  { timeout: 600_000 },
  async () => {
    const port = await freePort()
    server = await startServer(port, data)
    const { url } = server
    const client = await registerOwner(url)
    const { deviceUid } = await publishToDevice(client, await writeSongs(folder, { count: 3, seconds: 2 }))
    const streamer = await inviteStreamer(client, deviceUid)
    const player = await openBrowser(url, streamer)
    await player.page.goto(`${url}/home/streaming/${deviceUid}`)
    await new StreamingPage(player.page).waitForSound()

    const readPlays = async (as: SignedInClient) => {
      const log = { id: deviceUid, kind: 'playtrack' } as const
      const { items } = await as.call(listDeviceLog, { params: log, query: { size: 100 } })
      return items.map(({ plannedTime }) => plannedTime)
    }
    const readMark = async (as: SignedInClient) =>
      (await as.call(readDeviceDay, { params: { uid: deviceUid }, query: {} })).restored
    await waitUntil('the server has plays', async () => (await readPlays(client)).length >= 2)
    await command('backup', target)
    const known = (await readPlays(client)).length
    await waitUntil('it has more of them', async () => (await readPlays(client)).length >= known + 4)
    const before = await readPlays(client)

    await player.context.setOffline(true)
    await burn(port)
    const again = await signInOwner(url)
    expect((await readPlays(again)).length).toBeLessThan(before.length)
    expect(await readMark(again)).toMatchObject({ awaited: { devices: 1 } })
    const viewer = await openBrowser(url, again)
    const complaints = collectComplaints(viewer.page)
    await viewer.page.goto(`${url}/equipments/devicesOne/${deviceUid}`)
    await viewer.page.getByRole('button', { name: 'After a restore: plays may follow' }).click()
    await viewer.page.getByText(/Devices that have not delivered them again yet: 1/).waitFor()
    expect(await findAxeViolations(viewer.page)).toEqual([])

    await player.context.setOffline(false)
    await waitUntil('the day is whole', async () => (await readMark(again)) === null)
    const after = await readPlays(again)
    expect(after).toEqual(expect.arrayContaining(before))
    expect(new Set(after).size).toBe(after.length)
    expect(complaints).toEqual([])

    // Once more, but the browser has lost its data meanwhile.
    await player.page.goto(`${url}/config.json`)
    await player.page.evaluate(
      () =>
        new Promise((resolve, reject) => {
          const removal = indexedDB.deleteDatabase('floorcast-player')
          removal.onsuccess = resolve
          removal.onerror = reject
        }),
    )
    await burn(port)
    const last = await signInOwner(url)
    expect(await readMark(last)).toMatchObject({ awaited: { devices: 1 } })
    await player.page.goto(`${url}/home/streaming/${deviceUid}`)
    await waitUntil('it says that it holds nothing', async () => (await readMark(last))?.lost?.devices === 1)
    expect(await readMark(last)).not.toHaveProperty('awaited')
  },
)
