import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { setUpdateKey } from '@floorcast/contract/updates.ts'
import { AgentFixture } from '@floorcast/testing/agent-process.ts'
import { atTheEnd } from '@floorcast/testing/at-the-end.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { freePort } from '@floorcast/testing/free-port.ts'
import { startServerProgram } from '@floorcast/testing/server-program.ts'
import { asSuperuser, cloneDatabase, type DatabaseUrls } from '@floorcast/testing/test-database.ts'
import { expect, test, vi } from 'vitest'
import { ownRoot } from '../../tools/source-files.ts'
import { errorsOf, longestPause, openChain, untilPlayed } from './balanced-servers.ts'

/*
 * What docs/operate/move.md says, by its own commands: players go from one server to another one on the same database while they play, first
 * because it is killed, then back because the other one stops.
 */

const run = promisify(execFile)
const DEVICES = 200
const page = readFileSync(join(ownRoot, 'docs/operate/move.md'), 'utf8')

/** A command of the page, with the words of the test. The fleet plays on meanwhile. @returns what it prints */
async function runBlock(
  words: string,
  changes: Record<string, string>,
  environment: Record<string, string> = {},
): Promise<string> {
  const blocks = [...page.matchAll(/```sh\n([^]*?)```/g)].map(([, text = '']) => text)
  const block = blocks.find(text => text.includes(words))
  if (block === undefined) throw new Error(`docs/operate/move.md has no command with ${words}`)
  const command = Object.entries(changes).reduce((text, [word, other]) => {
    if (!text.includes(word)) throw new Error(`${text} has no ${word}`)
    return text.replaceAll(word, other)
  }, block)
  const env = { PATH: process.env['PATH'], ...environment }
  return (await run('sh', ['-c', command], { cwd: ownRoot, env })).stdout
}

/** Devices start to look within ten seconds, and a server lets in so many at once. */
const MOVE = { timeout: 180_000, interval: 200 }

/** Where the devices report, and what they say of signed addresses. */
const readReports = ({ superuserUrl }: DatabaseUrls) =>
  asSuperuser(superuserUrl, async superuser => {
    const { rows } = await superuser.query<{
      address: string
      counter: string
      refused: string
      devices: number
    }>(`
      select server ->> 'address' as address, server ->> 'counter' as counter, server ->> 'refused' as refused,
        count(*)::int as devices
      from device_states where server is not null group by 1, 2, 3`)
    return rows
  })

/** Plays by their devices, and what would show that one was lost or stored twice. */
const countPlays = ({ superuserUrl }: DatabaseUrls) =>
  asSuperuser(superuserUrl, async superuser => {
    const { rows } = await superuser.query<{ devices: number; plays: number; twice: number; gaps: number }>(`
      select count(distinct device_uid)::int as devices, count(*)::int as plays,
        (count(*) - count(distinct (device_uid, boot_uid, started_at)))::int as twice,
        (select count(*)::int from device_boots b,
          unnest(int8multirange(int8range(1, upper(b.received))) - b.received) as gap) as gaps
      from plays`)
    return rows[0]
  })

test('200 devices and an agent move to another server when theirs is killed, stay there, and go back when that one stops: no play is lost or doubled, and none is silent', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-moved-'))
  atTheEnd(async () => rmSync(folder, { recursive: true, force: true }))
  const urls = await cloneDatabase()
  const [port, otherPort] = [await freePort(), await freePort()]
  const [origin, otherOrigin] = [`http://localhost:${port}`, `http://127.0.0.1:${otherPort}`]
  const settings = { DATABASE_URL: urls.url, DATA_DIR: join(folder, 'data') }
  const start = async (PUBLIC_URL: string, PORT: number) => {
    const program = startServerProgram({ ...settings, PUBLIC_URL, PORT: String(PORT) })
    await program.until(/^Floorcast is at/)
    return program
  }
  const first = await start(origin, port)
  const other = await start(otherOrigin, otherPort)

  const chain = await openChain({ origin, deviceOrigin: origin, folder }, urls)
  const { client } = chain
  const keyFile = join(folder, 'update-key.pem')
  const args = ['tools/sign-update.ts', '--make-key', '--key', keyFile]
  const { stdout } = await run(process.execPath, args, { cwd: ownRoot })
  const publicKey = /Public key: +(\S+)/.exec(stdout)?.[1] ?? ''
  await client.call(setUpdateKey, { body: { publicKey } })
  const agent = await AgentFixture.make()
  atTheEnd(() => agent.clear())
  const player = agent.start(origin, {
    key: await chain.addDevice(),
    args: ['--update-key', publicKey, '--heartbeat', '5'],
  })
  const fleet = await chain.startFleet(DEVICES, { updateKey: publicKey })

  const listed = async () => {
    const [headings = [], ...rows] = (await runBlock('addresses', {}, settings))
      .split('\n')
      .filter(line => line.includes('\t'))
      .map(line => line.split('\t'))
    const row = rows.find(cells => cells[headings.indexOf('devices')] !== '0') ?? []
    return Object.fromEntries(headings.map((heading, index) => [heading, row[index] ?? '']))
  }
  const { uid: clientUid = '' } = await listed()
  const publish = async (address: string, counter: number) => {
    const changes = {
      'https://new.floorcast.example': address,
      '01933d4e-0000-7000-8000-000000000002': `${clientUid} --key ${keyFile} --counter ${counter}`,
    }
    const LINE = (await runBlock('sign-update', changes)).trim().split('\n').at(-1) ?? ''
    await runBlock('publish-address', { LINE }, settings)
  }
  /** Waits until all keep the address with this counter, and report to one server. */
  const untilAll = (address: string, counter: number) =>
    vi.waitFor(async () => {
      const report = { address, counter: String(counter), refused: null, devices: playing }
      expect(await readReports(urls)).toEqual([report])
    }, MOVE)
  const playing = DEVICES + 1

  const isSession = (line: string) => line.includes('"path":"/api/v2/device/session"')
  expect(first.said.filter(isSession).length).toBeGreaterThanOrEqual(playing)

  await publish(otherOrigin, 1)
  await untilAll(origin, 1)
  first.child.kill('SIGKILL')
  await first.ended
  await untilAll(otherOrigin, 1)
  await untilPlayed(fleet, 3 * DEVICES)
  expect(await listed()).toMatchObject({
    'signed address': otherOrigin,
    'keep it': String(playing),
    'are there': String(playing),
    refuse: '0',
  })

  // The first server is there again, and draws nobody back.
  const again = await start(origin, port)
  await untilPlayed(fleet, 3 * DEVICES)
  await untilAll(otherOrigin, 1)
  expect(again.said.filter(isSession)).toEqual([])

  await publish(origin, 2)
  await untilAll(otherOrigin, 2)
  other.child.kill('SIGTERM')
  expect(await other.ended).toBe(0)
  await untilAll(origin, 2)
  await eventually(() => expect(fleet.metrics.connected).toBe(DEVICES))
  await untilPlayed(fleet, DEVICES)

  await fleet.stop()
  await player.kill('SIGTERM')
  const agentPlays = (await agent.readPlays()).length
  expect(agentPlays).toBeGreaterThan(10)
  expect(await countPlays(urls)).toEqual({
    devices: playing,
    plays: fleet.metrics.plays + agentPlays,
    twice: 0,
    gaps: 0,
  })
  expect(fleet.metrics.events).toMatchObject({ refused: 0, lost: 0 })
  expect(await longestPause(urls)).toBeLessThan(0.5)
  expect([again, other].flatMap(errorsOf)).toEqual([])
})
