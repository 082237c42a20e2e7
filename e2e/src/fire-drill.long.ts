import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beginAlert, endAlert, listAlerts } from '@floorcast/contract/alerts.ts'
import { authenticate } from '@floorcast/contract/auth.ts'
import { buildPath, CallError } from '@floorcast/contract/client.ts'
import { addDevice, listDevices, readDevice } from '@floorcast/contract/devices.ts'
import { addToGroup } from '@floorcast/contract/groups.ts'
import { listMedia, readMediaFile } from '@floorcast/contract/media.ts'
import { downloadProof, readProofKeys, renewProofKey } from '@floorcast/contract/proof.ts'
import { reportCalls } from '@floorcast/contract/report-calls.ts'
import { beginEnrollment, completeSignIn, confirmEnrollment } from '@floorcast/contract/second-factor.ts'
import { readUpdateKey, setUpdateKey } from '@floorcast/contract/updates.ts'
import { AgentFixture } from '@floorcast/testing/agent-process.ts'
import { freePort } from '@floorcast/testing/free-port.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { verifyBytes } from '@floorcast/testing/proof-files.ts'
import { codeAt, STEP_MS } from '@floorcast/testing/test-second-factor.ts'
import { makeUpdateKeys } from '@floorcast/testing/update-keys.ts'
import { afterAll, expect, it } from 'vitest'
import { z } from 'zod'
import {
  inviteManager,
  owner,
  publishToDevice,
  registerOwner,
  type SignedInClient,
} from './client-fixture.ts'
import { comparePlays, readWholeLog } from './play-comparison.ts'
import {
  type Program,
  runProgram,
  type RunningServer,
  startAgent,
  startServer,
  waitUntil,
} from './processes.ts'

const DEVICES = 200
const AGENTS = 3
const TRACK_SECONDS = 10
/** Plays of each device that only the lost server had. */
const LOST_PLAYS = 2
const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

const folder = await mkdtemp(join(tmpdir(), 'floorcast-fire-'))
const target = join(folder, 'backups')
const running: { stop: () => Promise<unknown> }[] = []
afterAll(async () => {
  for (const program of running.toReversed()) await program.stop()
  await rm(folder, { recursive: true, force: true })
})

/** The address that shops know, in front of the machine that is there. */
class Frontend {
  readonly #sockets = new Set<Socket>()
  #server: Server | null = null
  port = 0

  async listen(port: number): Promise<void> {
    this.#server = createServer(socket => {
      const machine = connect(this.port, '127.0.0.1')
      for (const [own, other] of [
        [socket, machine],
        [machine, socket],
      ] as const) {
        this.#sockets.add(own)
        own.on('error', () => other.destroy())
        own.on('close', () => {
          other.destroy()
          this.#sockets.delete(own)
        })
        own.pipe(other)
      }
    })
    await new Promise<void>(resolve => this.#server?.listen(port, '127.0.0.1', resolve))
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise(resolve => this.#server?.close(resolve))
  }
}

/** The time of day by UTC from which a backup is due in at least a minute. */
const soonAt = () => new Date(Date.now() + 2 * MINUTE_MS).toISOString().slice(11, 16)

async function run(script: string, args: string[], env: Record<string, string>): Promise<void> {
  const program = runProgram(script, args, { env: { DATABASE_URL: '', ...env } })
  if ((await program.ended) !== 0) throw new Error(program.output.join(''))
}

/** The fleet with its devices in a group. @returns its plays when it has ended */
function startFleet(client: SignedInClient, groupUid: string, count: number) {
  const options = {
    devices: count,
    server: client.url,
    email: owner.email,
    password: owner.password,
    group: groupUid,
    keys: join(folder, 'fleet-keys.json'),
  }
  const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)])
  const program = runProgram('apps/fleet/src/main.ts', [...args, '--keeps-sent'])
  running.push(program)
  const Summary = z.object({ plays: z.int(), events: z.object({ refused: z.int() }) })
  return {
    stop: async () => {
      await program.stop()
      const line = program.output
        .join('')
        .split('\n')
        .findLast(text => text.startsWith('{"devices"'))
      return Summary.parse(JSON.parse(line ?? '{}'))
    },
  }
}

/** The uids of all devices, page after page. */
async function listAll({ call }: SignedInClient) {
  const uids: string[] = []
  for (let page = 1; uids.length < DEVICES; page += 1) {
    const { items } = await call(listDevices, { query: { page, size: 100 } })
    if (items.length === 0) break
    uids.push(...items.map(({ uid }) => uid))
  }
  return uids
}

/** Today and yesterday: the drill may run over midnight. */
function lastDays() {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10)
  return { from: day(Date.now() - DAY_MS), to: day(Date.now()), zone: 'UTC' }
}

const readPlays = (client: SignedInClient) => client.call(reportCalls.r2.preview, { params: lastDays() })

async function countPlays(client: SignedInClient): Promise<number> {
  const { rows, columns } = await readPlays(client)
  const plays = columns.findIndex(({ key }) => key === 'plays')
  return rows.reduce((sum, row) => sum + Number(row[plays]), 0)
}

/** The notes about a restore of the report of plays. */
async function restoreNotes(client: SignedInClient) {
  const { notes } = await readPlays(client)
  return notes.flatMap(({ code }) => (code.startsWith('restored') ? [code] : []))
}

async function readProof(client: SignedInClient, uid: string) {
  const answer = await fetch(client.url + buildPath(downloadProof.path, { uid, ...lastDays() }), {
    headers: { authorization: `Bearer ${client.token}` },
  })
  if (!answer.ok) throw new Error(await answer.text())
  return new Uint8Array(await answer.arrayBuffer())
}

const bytesOf = async (client: SignedInClient, uid: string) => {
  const path = buildPath(readMediaFile.path, { uid })
  const answer = await fetch(client.url + path, { headers: { authorization: `Bearer ${client.token}` } })
  return Buffer.from(await answer.arrayBuffer())
}

/** A user with an authenticator app. */
async function enroll(client: SignedInClient): Promise<{ email: string; secret: string }> {
  const user = await inviteManager(client)
  const { secret = '' } = await user.call(beginEnrollment, { body: { password: owner.password } })
  await user.call(confirmEnrollment, { body: { code: codeAt(secret, new Date()) } })
  return { email: user.email, secret }
}

/** Signs in by password and app: the secret can be read. */
async function signInBySecret(client: SignedInClient, { email, secret }: { email: string; secret: string }) {
  const error: unknown = await client
    .call(authenticate, { body: { email, password: owner.password } })
    .catch((thrown: unknown) => thrown)
  const ticket = error instanceof CallError ? error.problem?.secondStep?.ticket : undefined
  // The step of the confirmation is over.
  const code = codeAt(secret, new Date(Date.now() + STEP_MS))
  return client.call(completeSignIn, { body: { ticket: ticket ?? '', code } })
}

/** What an installation has that no device delivers again. */
async function readInstallation(client: SignedInClient, ad: string) {
  const { call } = client
  const { items: alerts } = await call(listAlerts, { query: {} })
  const { items: melodies } = await call(listMedia, { params: { contentType: 'melodies' }, query: {} })
  return {
    alerts,
    melodies: melodies.map(({ uid, name }) => ({ uid, name })),
    updateKey: await call(readUpdateKey, {}),
    adBytes: (await bytesOf(client, ad)).toString('base64'),
    devices: (await listAll(client)).toSorted(),
  }
}

it(
  `a machine with ${DEVICES} devices burns, and comes back elsewhere from its daily backup with every play`,
  { timeout: 20 * MINUTE_MS },
  async () => {
    const front = new Frontend()
    const [address, first, second] = [await freePort(), await freePort(), await freePort()]
    const url = `http://127.0.0.1:${address}`
    front.port = first
    await front.listen(address)
    running.push(front)
    const start = async (port: number, data: string): Promise<RunningServer> => {
      const server = await startServer(port, data, {
        PUBLIC_URL: url,
        BACKUP_TARGET: target,
        BACKUP_AT: soonAt(),
        BACKUP_KEEP: '2',
      })
      running.push(server)
      return server
    }
    const dataDir = join(folder, 'burns')
    const server = await start(first, dataDir)
    const made = () => server.output.join('').split('backup made').length - 1
    await waitUntil('the first backup, of an empty installation', async () => made() === 1)

    const client = await registerOwner(url)
    const until = new Date(Date.now() + 30 * DAY_MS).toISOString().slice(0, 10)
    await run('apps/server/src/admin.ts', ['subscription', owner.email, 'professional', until], {
      DATA_DIR: dataDir,
    })
    const [song, spot] = await writeSongs(folder, { count: 2, seconds: TRACK_SECONDS })
    const line = await publishToDevice(client, song ? [song] : [], spot ? [spot] : [])
    const card = await client.call(readDevice, { params: { id: line.deviceUid } })
    const groupUid = card.group?.uid ?? ''
    const { items: ads } = await client.call(listMedia, { params: { contentType: 'ads' }, query: {} })
    const ad = ads[0]?.uid ?? ''
    const { publicKey } = makeUpdateKeys()
    await client.call(setUpdateKey, { body: { publicKey } })
    await client.call(renewProofKey, {})
    const person = await enroll(client)
    // It is over before the backup: while it sounds, nothing else plays.
    await client.call(beginAlert, { params: { uid: groupUid, alerttype: 'air' }, query: { drill: '1' } })
    await client.call(endAlert, { params: { uid: groupUid, alerttype: 'air' } })

    const keys = [line.licenseKey]
    const agentUids = [line.deviceUid]
    for (let count = 1; count < AGENTS; count += 1) {
      const added = await client.call(addDevice, {
        params: { contentType: 'audio' },
        body: { name: `Till ${count + 1}` },
      })
      const device = added.uid ?? ''
      await client.call(addToGroup, { params: { device, group: groupUid } })
      agentUids.push(device)
      keys.push((await client.call(readDevice, { params: { id: device } })).licenseKey ?? '')
    }
    const agents = keys.map((key, nr): { data: string; program: Program } => {
      const data = join(folder, `agent-${nr}`)
      const program = startAgent(url, key, data)
      running.push(program)
      return { data, program }
    })
    const fleet = startFleet(client, groupUid, DEVICES - AGENTS)
    await waitUntil('each device has played', async () => (await countPlays(client)) >= DEVICES, 300)
    const proofBefore = await readProof(client, ad)

    await waitUntil('the backup of the day', async () => made() === 2, 300)
    const atBackup = await countPlays(client)
    const wanted = atBackup + LOST_PLAYS * DEVICES
    await waitUntil('the server has plays since', async () => (await countPlays(client)) >= wanted, 300)
    const had = await readInstallation(client, ad)
    expect(had.devices).toHaveLength(DEVICES)

    // What is left are the backups, and the key that was kept apart.
    const key = join(folder, 'kept.key')
    await copyFile(join(dataDir, 'secret.key'), key)
    await server.kill()
    const burnt = await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').catch(() => '')
    await waitUntil('its PostgreSQL has ended', async () => !isRunning(Number(burnt.split('\n')[0])))
    await rm(dataDir, { recursive: true })
    const elsewhere = join(folder, 'elsewhere')
    await run('apps/server/src/restore.ts', [target, '--key', key], { DATA_DIR: elsewhere })
    front.port = second
    await start(second, elsewhere)

    // The session of before goes on, as those of the devices do.
    expect(await readInstallation(client, ad)).toEqual(had)
    expect(await readFile(spot?.path ?? '')).toEqual(Buffer.from(had.adBytes, 'base64'))
    expect((await signInBySecret(client, person)).token).not.toBe('')
    const uid = (await verifyBytes(proofBefore)).manifest?.client.uid ?? ''
    const { keys: proofKeys } = await client.call(readProofKeys, { params: { client: uid } })
    expect((await verifyBytes(proofBefore, proofKeys[0]?.publicKey)).faults).toEqual([])
    expect(await restoreNotes(client)).toEqual(['restoredAwaited'])
    await waitUntil(
      'every device has delivered again',
      async () => (await restoreNotes(client)).length === 0,
      300,
    )
    expect(await countPlays(client)).toBeGreaterThanOrEqual(wanted)

    // An alert reaches them over their channels.
    await client.call(beginAlert, { params: { uid: groupUid, alerttype: 'air' }, query: { drill: '1' } })
    const heard = async () => {
      const { items } = await client.call(listAlerts, { query: {} })
      return items[0]?.soundedCount ?? 0
    }
    await waitUntil('each device sounds the alert', async () => (await heard()) === DEVICES)
    await client.call(endAlert, { params: { uid: groupUid, alerttype: 'air' } })

    for (const { program } of agents) await program.stop()
    const { plays, events } = await fleet.stop()
    expect(events.refused).toBe(0)
    const uids = await listAll(client)
    let stored = 0
    for (const device of uids) {
      const ids = (await readWholeLog(client, device, 'playtrack')).map(entry => entry.uid)
      expect(new Set(ids).size).toBe(ids.length)
      if (!agentUids.includes(device)) stored += ids.length
    }
    expect(stored).toBe(plays)
    for (const [nr, { data }] of agents.entries()) {
      const compared = await comparePlays(client, agentUids[nr] ?? '', data)
      expect(compared).toMatchObject({ lost: [], duplicated: [], unknown: [], gaps: [] })
      expect(compared.logged).toBe(new AgentFixture(data).countPlays())
    }
    const proofAfter = await verifyBytes(await readProof(client, ad), proofKeys[0]?.publicKey)
    expect(proofAfter.faults).toEqual([])
    expect(proofAfter.manifest).not.toHaveProperty('restored')
    expect(proofAfter.manifest?.counts.devices).toBe(DEVICES)
  },
)

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
