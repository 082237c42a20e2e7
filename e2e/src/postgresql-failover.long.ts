import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beginAlert, endAlert } from '@floorcast/contract/alerts.ts'
import { reportCalls } from '@floorcast/contract/report-calls.ts'
import type { Fleet } from '@floorcast/fleet/fleet.ts'
import { atTheEnd } from '@floorcast/testing/at-the-end.ts'
import { freePort } from '@floorcast/testing/free-port.ts'
import { type PostgresPair, startPostgresPair } from '@floorcast/testing/postgres-pair.ts'
import { type ServerProgram, startServerProgram } from '@floorcast/testing/server-program.ts'
import { beforeAll, expect, test, vi } from 'vitest'
import { type Chain, openChain, readStored, untilPlayed } from './balanced-servers.ts'

/** FAILOVER_ROUNDS=20 kills the primary as often. */
const ROUNDS = Number(process.env['FAILOVER_ROUNDS'] ?? 3)
const DEVICES = 30
const WAIT = { timeout: 120_000, interval: 20 }

const folder = mkdtempSync(join(tmpdir(), 'floorcast-pair-'))
chmodSync(folder, 0o711)
atTheEnd(async () => rmSync(folder, { recursive: true, force: true }))

let pair: PostgresPair
let server: ServerProgram
let chain: Chain
let fleet: Fleet

async function startServer(): Promise<{ program: ServerProgram; origin: string }> {
  const port = await freePort()
  const origin = `http://127.0.0.1:${port}`
  const program = startServerProgram({
    // With the key of the installation.
    DATA_DIR: join(folder, 'server'),
    DATABASE_URL: pair.url,
    DATABASE_READ_URL: pair.standbyUrl,
    PORT: String(port),
    PUBLIC_URL: origin,
  })
  return { program, origin }
}

beforeAll(async () => {
  pair = await startPostgresPair(folder)
  const { program, origin } = await startServer()
  server = program
  await server.until(/^Floorcast is at/)
  chain = await openChain({ origin, deviceOrigin: origin, folder }, pair)
  fleet = await chain.startFleet(DEVICES)
})

/** The seconds until PostgreSQL has another primary, and until it stores what devices report. */
async function measureOutage(
  from: Awaited<ReturnType<PostgresPair['untilInSync']>>,
  begin: () => Promise<void>,
) {
  const begun = performance.now()
  const seconds = () => ((performance.now() - begun) / 1000).toFixed(1)
  await begin()
  await pair.untilTakenOver(from)
  const takenOver = seconds()
  const { accepted } = fleet.metrics.events
  await vi.waitFor(() => expect(fleet.metrics.events.accepted).toBeGreaterThan(accepted + DEVICES), WAIT)
  return `another primary after ${takenOver} s, plays stored again after ${seconds()} s`
}

async function expectAlertHeard(): Promise<void> {
  const { call } = chain.client
  const params = { uid: 'all', alerttype: 'air' } as const
  const heard = fleet.metrics.alerts.count
  await call(beginAlert, { params, query: {} })
  await vi.waitFor(() => expect(fleet.metrics.alerts.count).toBe(heard + DEVICES), WAIT)
  await call(endAlert, { params, query: {} })
}

/** Without a standby a report has the rows of the moment in which the primary reads them, and not those of a second ago. */
async function expectReportOfPrimary(): Promise<void> {
  const calledAt = new Date().toISOString()
  const day = calledAt.slice(0, 10)
  const { asOf } = await chain.client.call(reportCalls.r2.preview, {
    params: { from: day, to: day, zone: 'UTC' },
  })
  expect(asOf >= calledAt).toBe(true)
}

const readsStandby = () =>
  server.said.filter(line => line.includes('"msg":"reports read the standby"')).length

test(`the primary is killed ${ROUNDS} times under load: what was acknowledged is there once, and all goes on by itself`, async () => {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const primary = await pair.untilInSync()
    await vi.waitFor(() => expect(readsStandby()).toBeGreaterThanOrEqual(round), WAIT)
    await untilPlayed(fleet, 2 * DEVICES)
    const outage = await measureOutage(primary, () => pair.kill(primary))
    process.stdout.write(`Round ${round}: ${primary} was killed; ${outage}\n`)
    await expectAlertHeard()
    await expectReportOfPrimary()
    pair.start(primary)
  }
})

test('a server that starts while there is no primary waits for it', async () => {
  const primary = await pair.untilInSync()
  await pair.kill(primary)
  const { program } = await startServer()
  await program.until(/does not answer yet; the start waits up to a minute/)
  await program.until(/^Floorcast is at/)
  pair.start(primary)
  program.child.kill('SIGTERM')
  expect(await program.ended).toBe(0)
})

test('primary and standby change over while devices play, as before work on a machine', async () => {
  const primary = await pair.untilInSync()
  const stranger = await fetch(`${pair.apiOf(primary)}/switchover`, { method: 'POST', body: '{}' })
  expect(stranger.status).toBe(401)
  const outage = await measureOutage(primary, () => pair.switchOver(primary))
  process.stdout.write(`${primary} was switched over; ${outage}\n`)
  await expectAlertHeard()
  await pair.untilInSync()
})

test('no play of any device is missing or stored twice, and its sums agree', async () => {
  await fleet.stop()
  const { plays, events } = fleet.metrics
  expect(events).toMatchObject({ refused: 0, lost: 0 })
  expect(events.accepted + events.duplicates).toBeGreaterThanOrEqual(plays)
  process.stdout.write(`${plays} plays; ${events.duplicates} were sent again after a lost answer\n`)
  expect(await readStored(pair)).toEqual({ plays, events: plays, summed: plays, gaps: 0 })
  expect(server.said.filter(line => line.includes('"status":500'))).toEqual([])
})
