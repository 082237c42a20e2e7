import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { changePublicationState } from '@floorcast/contract/publications.ts'
import { readDevice } from '@floorcast/contract/devices.ts'
import { AgentFixture } from '@floorcast/testing/agent-process.ts'
import { freePort } from '@floorcast/testing/free-port.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { afterAll, expect, test } from 'vitest'
import { publishToDevice, registerOwner, type SignedInClient, signInOwner } from './client-fixture.ts'
import { readWholeLog, waitForPlays } from './play-comparison.ts'
import { type Program, startAgent, startServer, waitUntil } from './processes.ts'

const folder = mkdtempSync(join(tmpdir(), 'floorcast-move-'))
const running: Program[] = []
afterAll(async () => {
  for (const program of running) await program.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('a server that was copied to another machine goes on with its devices, and loses and doubles no play', async () => {
  const [port, otherPort] = [await freePort(), await freePort()]
  const otherServer = `http://127.0.0.1:${otherPort}`
  const [data, otherData, agentData] = ['first', 'other', 'agent'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const first = await startServer(port, data, { OTHER_STREAM_URL: otherServer })
  running.push(first)
  const songs = await writeSongs(folder, { count: 2, seconds: 3 })
  const { deviceUid, licenseKey, publicationUid } = await publishToDevice(
    await registerOwner(first.url),
    songs,
  )
  const agent = startAgent(first.url, licenseKey, agentData)
  running.push(agent)
  const known = () => new AgentFixture(agentData).readState('server-addresses')
  await waitUntil('the player knows the other address', async () =>
    JSON.stringify(known()).includes(otherServer),
  )
  const countOn = async (client: SignedInClient) =>
    (await readWholeLog(client, deviceUid, 'playtrack')).length
  const firstClient = await signInOwner(first.url)
  await waitUntil('plays on the first server', async () => (await countOn(firstClient)) >= 2)

  await first.stop()
  execFileSync('cp', ['-a', data, otherData])
  const other = await startServer(otherPort, otherData)
  running.push(other)
  const client = await signInOwner(other.url)
  const before = await countOn(client)
  await waitUntil('plays on the other server', async () => (await countOn(client)) >= before + 4)
  const card = await client.call(readDevice, { params: { id: deviceUid } })
  expect(card.gaps).toEqual([])
  await client.call(changePublicationState, { params: { id: publicationUid }, query: { from: 'active' } })
  const compared = await waitForPlays(client, { uid: deviceUid, agentData }, 5)
  expect(compared).toMatchObject({ lost: [], duplicated: [], unknown: [], gaps: [] })
  expect(compared.stored).toBeGreaterThanOrEqual(before + 4)
})
