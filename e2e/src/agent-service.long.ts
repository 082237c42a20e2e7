import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { listLastPlays, readDevice } from '@floorcast/contract/devices.ts'
import { freePort } from '@floorcast/testing/free-port.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type PublishedDevice,
  publishToDevice,
  registerOwner,
  type SignedInClient,
} from './client-fixture.ts'
import { type RunningServer, startServer, waitUntil } from './processes.ts'
import { makeMachine } from './service-machine.ts'

/*
 * The install script and its service under a real systemd, which runs in a container made from this machine. Needs root and the
 * Debian package systemd-container.
 */

const SERVICE = 'floorcast-agent'

/** Null where it cannot be made, and the tests are skipped. */
let made: ReturnType<typeof makeMachine> = null
let folder: string
let server: RunningServer
let client: SignedInClient
let device: PublishedDevice

beforeAll(async () => {
  made = makeMachine(1024 ** 3)
  if (!made) return
  folder = mkdtempSync(join(tmpdir(), 'floorcast-service-'))
  server = await startServer(await freePort(), join(folder, 'server'))
  client = await registerOwner(server.url)
  const songs = [0, 1, 2].map(note => {
    const path = join(folder, `Song ${note}.mp3`)
    writeFileSync(path, makeSong({ notes: [note], seconds: 3 + note }))
    return { path }
  })
  device = await publishToDevice(client, songs)
  await made.start()
}, 120_000)
afterAll(async () => {
  if (!made) return
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** Resolves when the server has a play that began from now on. */
async function waitForPlay(): Promise<void> {
  const now = Date.now()
  const isOfNow = ({ eventTime }: { eventTime: string }) => Date.parse(eventTime) > now
  const listPlays = () => client.call(listLastPlays, { params: { id: device.deviceUid, count: 6 } })
  await waitUntil('a play', async () => (await listPlays()).some(isOfNow))
}

const show = (property: string) =>
  made?.run(`systemctl show ${SERVICE} --value --property ${property}`).trim() ?? ''
const restarts = () => Number(show('NRestarts'))

const waitForRestarts = (count: number) =>
  waitUntil('systemd has started the service again', async () => restarts() === count)

test('the line of the card installs a service that plays, in a sandbox, and again after a power cut', async ({
  skip,
}) => {
  const machine = made ?? skip()
  const { installLine } = await client.call(readDevice, { params: { id: device.deviceUid } })
  machine.run(`${installLine ?? ''} --audio null`)
  await waitForPlay()
  expect(show('User')).toBe('floorcast')
  // It fails above an exposure of 2.5, of ten at most.
  machine.run(`systemd-analyze security --threshold=25 ${SERVICE}`)
  await machine.cutPower()
  await machine.start()
  await waitForPlay()
  const { gaps } = await client.call(readDevice, { params: { id: device.deviceUid } })
  expect(gaps).toEqual([])
})

/** By default systemd gives up a service that is started more often within ten seconds. */
const STARTS_LIMIT = 5

test('a supervisor is started again however often it is killed', async ({ skip }) => {
  const machine = made ?? skip()
  const before = restarts()
  for (let kills = 1; kills <= STARTS_LIMIT + 1; kills += 1) {
    machine.run(`systemctl kill --signal KILL --kill-who main ${SERVICE}`)
    await waitForRestarts(before + kills)
  }
  await waitForPlay()
})

test('the supervisor tells systemd that it answers, and is started again when it hangs', async ({ skip }) => {
  const machine = made ?? skip()
  expect(show('WatchdogUSec')).toBe('3min')
  const seconds = 6
  const settings = `/etc/systemd/system/${SERVICE}.service.d`
  mkdirSync(machine.pathOf(settings))
  writeFileSync(machine.pathOf(`${settings}/soon.conf`), `[Service]\nWatchdogSec=${seconds}\n`)
  machine.run(`systemctl daemon-reload && systemctl restart ${SERVICE}`)
  await pause(3 * seconds * 1000)
  expect(restarts()).toBe(0)
  machine.run(`kill -STOP ${show('MainPID')}`)
  await waitForRestarts(1)
  await waitForPlay()
  expect(machine.run(`journalctl --unit ${SERVICE}`)).toContain("Failed with result 'watchdog'")
})
