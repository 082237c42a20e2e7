import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AgentFixture } from '@floorcast/testing/agent-process.ts'
import { freePort } from '@floorcast/testing/free-port.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { afterAll, expect, it } from 'vitest'
import { publishToDevice, registerOwner, signInOwner } from './client-fixture.ts'
import { comparePlays, readWholeLog } from './play-comparison.ts'
import {
  type Program,
  runProgram,
  type RunningServer,
  startAgent,
  startServer,
  waitUntil,
} from './processes.ts'

const folder = await mkdtemp(join(tmpdir(), 'floorcast-drill-'))
const [data, agentData, target] = [join(folder, 'server'), join(folder, 'agent'), join(folder, 'backups')]
let server: RunningServer | undefined
let agent: Program | undefined
afterAll(async () => {
  await agent?.stop()
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
})

async function command(program: 'backup' | 'restore', ...args: string[]): Promise<void> {
  const run = runProgram(`apps/server/src/${program}.ts`, args, { env: { DATA_DIR: data, DATABASE_URL: '' } })
  if ((await run.ended) !== 0) throw new Error(run.output.join(''))
}

it(
  'no play is lost when the machine burns and the server comes back from its backup',
  { timeout: 300_000 },
  async () => {
    const port = await freePort()
    server = await startServer(port, data)
    const client = await registerOwner(server.url)
    const device = await publishToDevice(client, await writeSongs(folder, { count: 2, seconds: 1 }))
    agent = startAgent(server.url, device.licenseKey, agentData)
    const log = new AgentFixture(agentData)
    const play = (count: number) => {
      const before = log.countPlays()
      return waitUntil(`it has played ${count} more`, async () => log.countPlays() >= before + count)
    }
    const stored = async () => (await readWholeLog(client, device.deviceUid, 'playtrack')).length
    await waitUntil('the server has plays', async () => (await stored()) >= 4)
    await command('backup', target)
    // These are stored by the server, and lost with it.
    await play(13)
    await waitUntil(
      'the server has them',
      async () => (await comparePlays(client, device.deviceUid, agentData)).lost.length === 0,
    )

    await server.kill()
    await rm(data, { recursive: true })
    await command('restore', target, '--without-key')
    server = await startServer(port, data)
    const again = await signInOwner(server.url)
    await play(1)
    await waitUntil('what was lost has come back', async () => {
      const seen = await comparePlays(again, device.deviceUid, agentData)
      return seen.lost.length === 0 && seen.logged > 17
    })
    await agent.stop()
    const seen = await comparePlays(again, device.deviceUid, agentData)
    expect(seen).toMatchObject({ logged: seen.stored, lost: [], duplicated: [], unknown: [], gaps: [] })
  },
)
