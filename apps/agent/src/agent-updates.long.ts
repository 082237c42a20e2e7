import { appendFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { release } from '@floorcast/contract/release.ts'
import { makeBundle, NEWER, UpdateOffers } from '@floorcast/testing/agent-updates.ts'
import { DeviceFixture, deviceTest } from '@floorcast/testing/device-fixture.ts'
import { mountDisk } from '@floorcast/testing/small-disk.ts'
import { expect, onTestFinished, test } from 'vitest'

/** Without the build. */
const versionOf = (device: DeviceFixture) =>
  device.server.heartbeats.at(-1)?.programVersion.replace(/\+[0-9a-f]{8}$/, '')

async function startSupervised(device: DeviceFixture, args: string[] = []) {
  const updates = new UpdateOffers(device)
  const all = ['--supervise', '--heartbeat', '0.5', '--update-key', updates.publicKey, ...args]
  const start = () => device.agent.start(device.server.url, { args: all })
  const run = start()
  await device.untilPlaying()
  return { updates, run, start }
}

/** Counts starts on the disk, so that a version can be good for its first ones. */
const COUNT = `
  const { appendFileSync, readFileSync } = await import('node:fs')
  const { join } = await import('node:path')
  const counter = join(process.argv[process.argv.indexOf('--data') + 1], 'starts')
  appendFileSync(counter, '.')
`
const bad = {
  hangs: {
    start: 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)',
    why: 'It showed no life within 5 seconds',
  },
  'reaches no server': {
    start: "globalThis.fetch = () => Promise.reject(new Error('no network'))",
    why: 'It reached no server within 5 seconds',
  },
  'crashes again and again after it was healthy': {
    start:
      'const send = process.send; process.send = (sign, ...more) => { send.call(process, sign, ...more); if (sign?.floorcast === "healthy") setTimeout(() => process.exit(9), 500) }',
    why: 'It ended with code 9, 3 times',
  },
  'restarts itself without end': {
    start: 'process.exit(75)',
    why: 'It was not healthy after 3 starts',
  },
}

for (const [how, { start, why }] of Object.entries(bad))
  deviceTest(`A version that ${how} gives way to the former one`, async ({ device }) => {
    const { updates, run } = await startSupervised(device, ['--health-seconds', '5'])
    updates.offer(updates.make(makeBundle({ start })))
    await device.until(() => expect(updates.steps.at(-1)).toBe('returned'))
    expect(updates.messages).toEqual([`${why}. Version ${release.version} runs again`])
    await device.hearPlays(1)
    expect(versionOf(device)).toBe(release.version)
    expect(await run.kill('SIGTERM')).toBe(0)
  })

deviceTest('A start that a power cut ends is counted, and the former version starts', async ({ device }) => {
  const { updates, run, start } = await startSupervised(device)
  // The cut ends the supervisor, too.
  const cut = `${COUNT}; if (readFileSync(counter, 'utf8').length <= 9) { process.kill(process.ppid, 'SIGKILL'); process.kill(process.pid, 'SIGKILL') }`
  updates.offer(updates.make(makeBundle({ start: cut })))
  await run.ended
  for (let starts = 1; starts < 3; starts += 1) await start().ended
  const last = start()
  await device.until(() => expect(updates.steps.at(-1)).toBe('returned'))
  expect(updates.messages).toEqual([
    `It was not healthy after 3 starts. Version ${release.version} runs again`,
  ])
  expect(await last.kill('SIGTERM')).toBe(0)
})

deviceTest('An installation that a kill of all processes ends is tried again later', async ({ device }) => {
  const { updates, run, start } = await startSupervised(device, ['--install-command', 'kill -9 $PPID;'])
  updates.offer(updates.make(makeBundle()))
  // The supervisor starts the agent again.
  await device.until(() => expect(updates.steps.at(-1)).toBe('failed'))
  expect(updates.messages.at(-1)).toContain('The installation was interrupted')
  await device.hearPlays(1)
  expect(versionOf(device)).toBe(release.version)
  expect(await run.kill('SIGTERM')).toBe(0)
  const again = start()
  const heartbeats = device.server.heartbeats.length
  await device.until(() => expect(device.server.heartbeats.length).toBeGreaterThan(heartbeats + 3))
  expect(updates.steps.at(-1)).toBe('failed')
  expect(await again.kill('SIGTERM')).toBe(0)
})

deviceTest('Outside the hours of downloads an update waits, and it obeys the rate', async ({ device }) => {
  const { updates, run } = await startSupervised(device)
  const hourOf = (at: number) => new Date(at).toISOString().slice(11, 16)
  const [soon, later] = [Date.now() + 3 * 3_600_000, Date.now() + 4 * 3_600_000].map(hourOf)
  const update = updates.make(makeBundle())
  updates.offer(update, { downloadFrom: soon, downloadTo: later })
  await device.until(() => expect(updates.steps).toEqual(['offered']))
  await device.hearPlays(2)
  expect(updates.steps).toEqual(['offered'])
  const beganAt = performance.now()
  updates.offer(update, { downloadKilobitsPerSecond: 1000 })
  await device.until(() => expect(updates.steps).toContain('downloaded'))
  // 600 kB are some 5 seconds.
  expect(performance.now() - beganAt).toBeGreaterThan(3500)
  await device.until(() => expect(versionOf(device)).toBe(NEWER))
  expect(await run.kill('SIGTERM')).toBe(0)
})

deviceTest('An installed version starts again, and is not installed twice', async ({ device }) => {
  const { updates, run, start } = await startSupervised(device)
  updates.offer(updates.make(makeBundle()))
  await device.until(() => expect(updates.steps.at(-1)).toBe('healthy'))
  const steps = updates.steps.length
  expect(await run.kill('SIGTERM')).toBe(0)
  const sessions = device.server.sessionCalls.length
  const again = start()
  await device.until(() => expect(device.server.sessionCalls.length).toBeGreaterThan(sessions))
  expect(device.server.sessionCalls.at(-1)).toMatchObject({ version: NEWER })
  await device.hearPlays(1)
  expect(await again.kill('SIGTERM')).toBe(0)
  expect(updates.steps).toHaveLength(steps)
})

deviceTest(
  'An install command that fails or hangs is reported, and the music goes on',
  async ({ device }) => {
    const { updates, run } = await startSupervised(device, ['--install-command', 'echo no room >&2; false'])
    const failure = () => updates.messages.at(-1)
    updates.offer(updates.make(Buffer.from('first')))
    await device.until(() =>
      expect(failure()).toBe('The install command failed: it ended with code 1: no room'),
    )
    expect(await run.kill('SIGTERM')).toBe(0)
    const args = ['--heartbeat', '0.5', '--update-key', updates.publicKey]
    const hanging = ['--install-command', 'sleep 600;', '--install-seconds', '1']
    updates.offer(updates.make(Buffer.from('second')))
    const next = device.agent.start(device.server.url, { args: [...args, ...hanging] })
    await device.until(() =>
      expect(failure()).toBe('The install command failed: it took more than 1 seconds'),
    )
    await device.hearPlays(1)
    expect(await next.kill('SIGTERM')).toBe(0)
  },
)

deviceTest('An installed version whose file is damaged gives way to the former one', async ({ device }) => {
  const { updates, run, start } = await startSupervised(device)
  updates.offer(updates.make(makeBundle()))
  await device.until(() => expect(updates.steps.at(-1)).toBe('healthy'))
  expect(await run.kill('SIGTERM')).toBe(0)
  const programs = join(device.agent.dataDir, 'updates', 'programs')
  for (const name of readdirSync(programs)) appendFileSync(join(programs, name, 'floorcast-agent.mjs'), '//')
  const again = start()
  await device.until(() => expect(updates.steps.at(-1)).toBe('returned'))
  expect(updates.messages).toEqual([`Its file is damaged. Version ${release.version} runs again`])
  expect(await again.kill('SIGTERM')).toBe(0)
})

test('On a full disk an update fails, and the music goes on', async ({ skip }) => {
  const disk = mountDisk(120 * 1024 * 1024) ?? skip()
  const device = await DeviceFixture.make(join(disk.folder, 'data'))
  onTestFinished(() => device.tearDown())
  const { updates, run } = await startSupervised(device)
  disk.fill('other', 1024 * 1024)
  updates.offer(updates.make(makeBundle()))
  await device.until(() => expect(updates.steps.at(-1)).toBe('failed'))
  expect(updates.messages.at(-1)).toContain('free space')
  await device.hearPlays(1)
  disk.free('other')
  updates.offer(updates.make(makeBundle({ version: '2.998.0' }), { version: '2.998.0' }))
  await device.until(() => expect(versionOf(device)).toBe('2.998.0'))
  expect(await run.kill('SIGTERM')).toBe(0)
})
