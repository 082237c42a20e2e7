import { type AgentRun, isGone, mpvsOf } from '@floorcast/testing/agent-process.ts'
import { type DeviceFixture, deviceTest } from '@floorcast/testing/device-fixture.ts'
import { expect } from 'vitest'

/** Starts an agent and waits until it plays a long song. */
async function startPlaying(device: DeviceFixture): Promise<AgentRun> {
  device.publish([device.addSong(1, 120)])
  const run = device.agent.start(device.server.url)
  await device.untilPlaying()
  return run
}

/** Ends an agent and expects that the server has its whole log, with the cut song as the last play. */
async function expectFlushed(device: DeviceFixture, run: AgentRun): Promise<void> {
  expect(await run.kill('SIGTERM')).toBe(0)
  const logged = await device.agent.readEvents()
  // A slow machine may say after it that mpv does not answer.
  const plays = logged.filter(({ kind }) => kind === 'playtrack')
  expect(plays.at(-1)).toMatchObject({ result: 'cut', why: 'agent-stopped' })
  expect(device.server.events).toEqual(logged)
}

deviceTest.concurrent('A slow server receives the final events', async ({ device }) => {
  const run = await startPlaying(device)
  device.server.delayAnswer = () => new Promise(resolve => setTimeout(resolve, 3000))
  await expectFlushed(device, run)
})

deviceTest.concurrent(
  'Final events whose answer is lost are sent again and stored once',
  async ({ device }) => {
    const run = await startPlaying(device)
    await device.until(() => expect(device.server.events.at(-1)).toMatchObject({ status: 'began' }))
    device.server.lostAnswers = 1
    await expectFlushed(device, run)
    expect(device.server.duplicates).toHaveLength(1)
  },
)

deviceTest.concurrent('An expired token does not prevent the final events', async ({ device }) => {
  const run = await startPlaying(device)
  device.server.token = ''
  await expectFlushed(device, run)
  expect(device.server.sessions).toBe(2)
})

deviceTest.concurrent(
  'Without a session, and between two attempts to open one, the final flush opens it',
  async ({ device }) => {
    const run = await startPlaying(device)
    device.server.knowsKey = false
    device.publish([device.addSong(2, 120)])
    await device.until(() => expect(run.output.join('')).toContain('No session'))
    device.server.knowsKey = true
    await expectFlushed(device, run)
    expect(device.server.sessions).toBe(2)
  },
)

deviceTest.concurrent('An mpv that hangs does not prevent the final events', async ({ device }) => {
  const run = await startPlaying(device)
  const mpvs = await mpvsOf(run.pid)
  expect(mpvs.length).toBeGreaterThan(0)
  for (const pid of mpvs) process.kill(pid, 'SIGSTOP')
  await expectFlushed(device, run)
  // One that outlived the agent would keep the audio output from the next one.
  await device.until(async () => expect(await Promise.all(mpvs.map(isGone))).not.toContain(false))
})

deviceTest.concurrent(
  'After another player has taken over the session, the final flush opens none',
  async ({ device }) => {
    const run = await startPlaying(device)
    device.server.token = ''
    device.server.send({ type: 'replaced' })
    await device.until(() => expect(device.server.channels).toBe(0))
    expect(await run.kill('SIGTERM')).toBe(0)
    expect(device.server.sessions).toBe(1)
  },
)
