import { mpvsOf, type AgentRun } from '@floorcast/testing/agent-process.ts'
import { useDeviceFixture } from '@floorcast/testing/device-fixture.ts'
import { expect, test } from 'vitest'

const device = useDeviceFixture()

/** An agent in the middle of a long song. */
async function startPlaying(): Promise<AgentRun> {
  device.publish([device.addSong(1, 120)])
  const run = device.agent.start(device.server.url)
  await device.untilPlaying()
  return run
}

/** Ended by SIGTERM, it has told the server all that is in its log, the cut song at the end. */
async function expectLastWords(run: AgentRun): Promise<void> {
  expect(await run.kill('SIGTERM')).toBe(0)
  const logged = await device.agent.readEvents()
  expect(logged.at(-1)).toMatchObject({ kind: 'playtrack', result: 'cut', why: 'agent-stopped' })
  expect(device.server.events).toEqual(logged)
}

test('A server that takes its time hears the last words', async () => {
  const run = await startPlaying()
  device.server.delayAnswer = () => new Promise(resolve => setTimeout(resolve, 3000))
  await expectLastWords(run)
})

test('Last words whose answer is lost are said again, and stored once', async () => {
  const run = await startPlaying()
  await device.until(() => expect(device.server.events.at(-1)).toMatchObject({ status: 'began' }))
  device.server.lostAnswers = 1
  await expectLastWords(run)
  expect(device.server.duplicates).toHaveLength(1)
})

test('A token that has ended keeps no last words back', async () => {
  const run = await startPlaying()
  device.server.token = ''
  await expectLastWords(run)
  expect(device.server.sessions).toBe(2)
})

test('Without a session, between two tries to open one, the last words open it', async () => {
  const run = await startPlaying()
  device.server.knowsKey = false
  device.publish([device.addSong(2, 120)])
  await device.until(() => expect(run.output.join('')).toContain('No session'))
  device.server.knowsKey = true
  await expectLastWords(run)
  expect(device.server.sessions).toBe(2)
})

test('An mpv that hangs keeps no last words back', async () => {
  const run = await startPlaying()
  const mpvs = await mpvsOf(run.pid)
  expect(mpvs.length).toBeGreaterThan(0)
  for (const pid of mpvs) process.kill(pid, 'SIGSTOP')
  await expectLastWords(run)
})

test('Replaced by another player it opens no session for its last words', async () => {
  const run = await startPlaying()
  device.server.token = ''
  device.server.send({ type: 'replaced' })
  await device.until(() => expect(device.server.channels).toBe(0))
  expect(await run.kill('SIGTERM')).toBe(0)
  expect(device.server.sessions).toBe(1)
})
