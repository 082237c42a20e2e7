import { cpSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addTrack } from '@floorcast/contract/playlists.ts'
import { AgentFixture } from '@floorcast/testing/agent-process.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { uploader } from '@floorcast/testing/media-upload-form.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { newShop } from '@floorcast/testing/test-shop.ts'
import { expect, onTestFinished, test } from 'vitest'

const server = await wholeServer()
const origin = await server.http.app.listen({ port: 0, host: '127.0.0.1' })
const { upload } = uploader(server)
// The agents follow the server's time, which goes on here.
Object.defineProperty(server.clock, 'now', { get: () => new Date() })
/** Nothing listens there. */
const NOWHERE = 'http://127.0.0.1:1'

/** A device whose group plays one short song. */
async function makePlayingDevice() {
  const shop = await newShop(server)
  const group = await shop.group()
  await shop.turnGroup(group)
  const playlist = await shop.emptyPlaylist()
  const bytes = makeSong({ notes: [1, 3, 5], seconds: 1.25 })
  const { uid: track = '' } = await upload(shop.token, 'melodies', { bytes, name: 'song.mp3' })
  await server.call(addTrack, { token: shop.token, params: { track, playlist } })
  await shop.turnPlaylist(playlist)
  const publication = (await shop.publish(group, playlist)).uid ?? ''
  expect(await shop.turn(publication)).toMatchObject({ code: 0 })
  const device = await makeDevice(shop.scope, { groupUid: group })
  const storedPlays = async () => {
    const rows = await shop.scope.reads
      .selectFrom('plays')
      .where('deviceUid', '=', device.uid)
      .select(['eventUid', 'bootUid', 'startedAt', 'endedAt'])
      .execute()
    return rows.map(row => ({
      ...row,
      startedAt: Date.parse(row.startedAt),
      endedAt: Date.parse(row.endedAt),
    }))
  }
  return { key: device.licenseKey, storedPlays }
}

/** A copy of an agent's data folder. */
function copyOf({ dataDir }: AgentFixture): AgentFixture {
  const copy = mkdtempSync(join(tmpdir(), 'floorcast-copy-'))
  cpSync(dataDir, copy, { recursive: true })
  return new AgentFixture(copy)
}

/** Waits until an agent has begun `count` further plays. */
async function hearPlays(agent: AgentFixture, count: number): Promise<void> {
  const starts = new Set(agent.playingSince())
  const target = starts.size + count
  await eventually(() => {
    for (const since of agent.playingSince()) starts.add(since)
    expect(starts.size).toBeGreaterThanOrEqual(target)
  })
}

test('Two agents on copies of one disk: the newer one reports, the other plays on, and no play counts twice', async () => {
  const { key, storedPlays } = await makePlayingDevice()
  const agent = await AgentFixture.make()
  onTestFinished(() => agent.clear())
  const first = agent.start(origin, { key })
  await eventually(async () => expect((await storedPlays()).length).toBeGreaterThan(0))
  await first.kill('SIGTERM')

  // Plays that the server does not have yet, and one that a power cut ends: they are on both disks.
  const offline = agent.start(NOWHERE, { key })
  const before = agent.countPlays()
  await eventually(() => expect(agent.countPlays()).toBeGreaterThan(before + 1))
  await hearPlays(agent, 1)
  await offline.kill('SIGKILL')
  const copy = copyOf(agent)
  onTestFinished(() => copy.clear())
  const copiedAt = Date.now()

  const older = agent.start(origin, { key })
  await eventually(async () => {
    const since = (await storedPlays()).filter(({ startedAt }) => startedAt > copiedAt)
    expect(since.length).toBeGreaterThan(0)
  })
  copy.start(origin, { key })
  await eventually(() => expect(older.output.join('')).toContain('Another player reports for this device'))
  const replacedAt = Date.now()
  const olderBoot = (await agent.readEvents()).at(-1)?.bootId
  await hearPlays(agent, 3)
  const ofOthers = async () => (await storedPlays()).filter(({ bootUid }) => bootUid !== olderBoot)
  await eventually(async () =>
    expect((await ofOthers()).filter(({ startedAt }) => startedAt > replacedAt).length).toBeGreaterThan(2),
  )

  const plays = await storedPlays()
  expect(new Set(plays.map(({ eventUid }) => eventUid)).size).toBe(plays.length)
  expect(plays.filter(({ bootUid, endedAt }) => bootUid === olderBoot && endedAt > replacedAt)).toEqual([])
  const copied = plays.filter(({ startedAt }) => startedAt < copiedAt)
  expect(new Set(copied.map(({ startedAt }) => startedAt)).size).toBe(copied.length)
})
