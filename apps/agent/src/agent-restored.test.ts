import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { type DeviceFixture, deviceTest } from '@floorcast/testing/device-fixture.ts'
import { expect } from 'vitest'

deviceTest.concurrent(
  'Sends again, once, what its server has lost since its database was restored, also when it was off meanwhile',
  async ({ device }) => {
    device.publish([device.addSong(1, 1)])
    const { server } = device
    const ids = () => server.events.map(({ id }) => id)
    const epochs: string[] = []
    const played = () => server.events.filter(({ kind }) => kind === 'playtrack').length
    const tell = () => {
      const since = new Date(Date.now() - 5000).toISOString()
      const restored = { epoch: randomUUID(), since, withinSeconds: 0 }
      epochs.push(restored.epoch)
      server.changeAnswer = answer => ({ ...answer, restored })
    }
    const run = device.agent.start(server.url)
    await device.until(() => expect(played()).toBeGreaterThan(7))
    const lost = server.lose(2).map(({ id }) => id)
    expect(lost.length).toBeGreaterThan(5)
    tell()
    await device.until(() => expect(ids()).toEqual(expect.arrayContaining(lost)))
    expect(new Set(ids()).size).toBe(ids().length)
    // It says so, and since when it holds every event: since its first.
    const answered = () => server.heartbeats.at(-1)?.redelivered
    await device.until(() => expect(answered()?.epoch).toBe(epochs.at(-1)))
    expect(answered()?.heldSince).toBe(server.events[0]?.at)

    // The same epoch again: nothing is sent that the server has.
    const more = played() + 3
    await device.until(() => expect(played()).toBeGreaterThan(more))
    const duplicates = server.duplicates.length
    await device.until(() => expect(played()).toBeGreaterThan(more + 3))
    expect(server.duplicates).toHaveLength(duplicates)

    await run.kill('SIGTERM')
    const lostWhileOff = server.lose(2).map(({ id }) => id)
    tell()
    device.agent.start(server.url)
    await device.until(() => expect(answered()?.epoch).toBe(epochs.at(-1)))
    expect(ids()).toEqual(expect.arrayContaining(lostWhileOff))
    expect(new Set(ids()).size).toBe(ids().length)
  },
)

/** Starts the agent again on the data of a former build, which lacks these values, after its server has lost events. */
async function update(device: DeviceFixture, missing: readonly string[]): Promise<void> {
  device.publish([device.addSong(1, 1)])
  const { server } = device
  const restored = { epoch: randomUUID(), since: new Date().toISOString(), withinSeconds: 0 }
  server.changeAnswer = answer => ({ ...answer, restored })
  const answered = () => server.heartbeats.at(-1)?.redelivered
  const run = device.agent.start(server.url)
  await device.until(() => expect(answered()?.epoch).toBe(restored.epoch))
  await device.until(() => expect(server.events.length).toBeGreaterThan(5))
  await run.kill('SIGTERM')
  const database = new DatabaseSync(join(device.agent.dataDir, 'agent.db'))
  for (const name of missing)
    expect(database.prepare('delete from state where name = ?').run(name).changes).toBe(1)
  database.close()
  const lost = server.lose(2).map(({ id }) => id)
  server.heartbeats.length = 0
  device.agent.start(server.url)
  await device.until(() => expect(answered()?.epoch).toBe(restored.epoch))
  expect(server.events.map(({ id }) => id)).toEqual(expect.arrayContaining(lost))
}

deviceTest.concurrent(
  'Answers once it is updated from a build that does not know the question',
  async ({ device }) => update(device, ['restored-epoch', 'restored-place']),
)

deviceTest.concurrent(
  'Answers once it is updated from a build that sent again and did not answer',
  async ({ device }) => update(device, ['restored-place']),
)
