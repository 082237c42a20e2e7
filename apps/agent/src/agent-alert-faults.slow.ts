import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from '@floorcast/testing/eventually.ts'
import { isGone, mpvsOf } from '@floorcast/testing/agent-process.ts'
import { type DeviceFixture, deviceTest } from '@floorcast/testing/device-fixture.ts'
import { makeExclusiveMpv } from '@floorcast/testing/exclusive-mpv.ts'
import { makeItem, makePlaylist, makePublication, uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { expect } from 'vitest'

const alert = {
  uid: uidOf(7),
  kind: 'air' as const,
  beganAt: '2026-11-22T08:00:00.000Z',
  isDrill: false,
  file: 1,
}

const stepsOf = (device: DeviceFixture) =>
  device.server.events.flatMap(event => (event.kind === 'alert' ? event.step : []))
const faultsOf = (device: DeviceFixture) =>
  device.server.events.flatMap(event =>
    event.kind === 'debug' && event.code === 'alert-sound-failed' ? event.message : [],
  )

const isAudioOnly = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--video=no')

/** Starts an agent that plays a song and holds the sound of alerts. */
async function startWithSound(device: DeviceFixture) {
  const [song, horn] = [device.addSong(1, 60), device.addSong(2, 60)]
  const publications = [
    makePublication(makePlaylist([makeItem(0)]), { activatedAt: new Date().toISOString() }),
  ]
  const publish = (alerts: (typeof alert)[]) =>
    device.publishAll([song, horn], publications, { alertSounds: { air: 1 }, alerts })
  publish([])
  const run = device.agent.start(device.server.url, { args: ['--heartbeat', '1'] })
  await device.untilPlaying()
  const path = join(device.agent.dataDir, 'media', horn.sha256)
  await device.until(() => expect(statSync(path).size).toBe(horn.sizeBytes))
  return { run, horn, path, publish }
}

const faults: Record<string, (path: string) => void> = {
  'is damaged': path => writeFileSync(path, 'no sound at all '.repeat(200)),
  'is empty': path => writeFileSync(path, ''),
}

/** An mpv that hangs does not outlive the agent: it would keep the audio output from the next one. */
const expectGone = (pids: readonly number[]) =>
  eventually(async () => expect(await Promise.all(pids.map(isGone))).not.toContain(false))

for (const [how, damage] of Object.entries(faults))
  deviceTest.concurrent(
    `An alert whose sound ${how} sounds by the siren, and by its own sound when that was fetched again`,
    async ({ device }) => {
      const { run, horn, path, publish } = await startWithSound(device)
      damage(path)
      publish([alert])
      await device.until(() => expect(stepsOf(device)).toContain('started'))
      // On a busy machine an mpv may be slow, which is another fault.
      const ofSound = () => faultsOf(device).filter(message => message.startsWith(horn.name))
      await device.until(() => expect(ofSound()).toHaveLength(1))
      await device.until(() => expect(statSync(path).size).toBe(horn.sizeBytes))
      const heartbeats = device.server.heartbeats.length
      await device.until(() => expect(device.server.heartbeats.length).toBeGreaterThan(heartbeats + 3))
      expect(ofSound()).toHaveLength(1)
      publish([])
      await device.until(() => expect(stepsOf(device)).toEqual(['received', 'started', 'ended']))
      expect(await run.kill('SIGTERM')).toBe(0)
    },
  )

deviceTest.concurrent(
  'Sounds of alerts are checked without being heard; a damaged one is fetched again',
  async ({ device }) => {
    const { run, horn, path, publish } = await startWithSound(device)
    const faults = () => device.server.heartbeats.at(-1)?.alertCheck?.faults
    await device.until(() => expect(faults()).toEqual([]))
    expect(await run.kill('SIGTERM')).toBe(0)
    // The same size, which the start does not notice.
    writeFileSync(path, Buffer.alloc(horn.sizeBytes, 'no sound '))
    const again = device.agent.start(device.server.url, { args: ['--heartbeat', '1'] })
    await device.until(() => expect(faults()).toEqual([{ name: horn.name, why: 'damaged' }]))
    await device.until(() => expect(faults()).toEqual([]))
    publish([alert])
    await device.until(() => expect(stepsOf(device)).toContain('started'))
    expect(faultsOf(device)).toEqual([])
    expect(await again.kill('SIGTERM')).toBe(0)
  },
)

deviceTest.concurrent(
  'An alert whose sound was deleted sounds by it all the same, and the file is restored',
  async ({ device }) => {
    const { run, horn, path, publish } = await startWithSound(device)
    const fetched = device.server.ranges.length
    rmSync(path)
    publish([alert])
    await device.until(() => expect(stepsOf(device)).toContain('started'))
    await device.until(() => expect(statSync(path).size).toBe(horn.sizeBytes))
    publish([])
    await device.until(() => expect(stepsOf(device)).toEqual(['received', 'started', 'ended']))
    expect(await run.kill('SIGTERM')).toBe(0)
    expect(device.server.ranges.length).toBe(fetched)
  },
)

deviceTest.concurrent('An alert whose sound never opens sounds by the siren', async ({ device }) => {
  const { run, path, publish } = await startWithSound(device)
  rmSync(path)
  execFileSync('mkfifo', [path])
  publish([alert])
  await device.until(() => expect(stepsOf(device)).toContain('started'))
  await device.until(() => expect(faultsOf(device).join()).toContain('does not answer'))
  publish([])
  await device.until(() => expect(stepsOf(device)).toEqual(['received', 'started', 'ended']))
  expect(await run.kill('SIGTERM')).toBe(0)
})

deviceTest.concurrent('An alert sounds although every mpv hangs, and says so', async ({ device }) => {
  const { run, publish } = await startWithSound(device)
  const hanging = await mpvsOf(run.pid)
  for (const pid of hanging) process.kill(pid, 'SIGSTOP')
  publish([alert])
  await device.until(() => expect(stepsOf(device)).toEqual(['received', 'started']))
  await device.until(() => expect(faultsOf(device).join()).toContain('does not answer'))
  publish([])
  await device.until(() => expect(stepsOf(device)).toEqual(['received', 'started', 'ended']))
  await device.until(() =>
    expect(device.ofResult('joined').length + device.played().length).toBeGreaterThan(0),
  )
  expect(await run.kill('SIGTERM')).toBe(0)
  await expectGone(hanging)
})

deviceTest.concurrent(
  'An alert begins while the music’s player hangs, and the music goes on after it',
  async ({ device }) => {
    const { run, publish } = await startWithSound(device)
    const musicPids = (await mpvsOf(run.pid)).filter(pid => !isAudioOnly(pid))
    publish([alert])
    await device.until(() => expect(stepsOf(device)).toContain('started'))
    // The player of music is to begin after the alert, and waits for its mpv.
    for (const pid of musicPids) process.kill(pid, 'SIGSTOP')
    publish([])
    await device.until(() => expect(stepsOf(device)).toEqual(['received', 'started', 'ended']))
    publish([{ ...alert, uid: uidOf(8) }])
    await device.until(() =>
      expect(stepsOf(device)).toEqual(['received', 'started', 'ended', 'received', 'started']),
    )
    const [, , ended = 0, , started = 0] = device.server.events.flatMap(event =>
      event.kind === 'alert' ? Date.parse(event.at) : [],
    )
    // mpv may take 15 s to answer.
    expect(started - ended).toBeLessThan(3000)
    publish([])
    await device.until(() =>
      expect(stepsOf(device)).toEqual(['received', 'started', 'ended', 'received', 'started', 'ended']),
    )
    const heartbeats = device.server.heartbeats.length
    await device.until(() =>
      expect(device.server.heartbeats.slice(heartbeats).at(-1)?.nowPlaying?.name).toBe('Song 1'),
    )
    expect(await run.kill('SIGTERM')).toBe(0)
  },
)

for (const sound of ['its own sound', 'the siren'])
  deviceTest.concurrent(
    `An alert that stops to sound by ${sound} goes on by the siren`,
    async ({ device }) => {
      const { run, publish } = await startWithSound(device)
      publish([sound === 'the siren' ? { ...alert, file: 9 } : alert])
      await device.until(() => expect(stepsOf(device)).toContain('started'))
      const hanging = await mpvsOf(run.pid)
      for (const pid of hanging) process.kill(pid, 'SIGSTOP')
      // On a busy machine the siren plays before the alert's own sound is heard, and is what stops.
      await device.until(() => expect(faultsOf(device).join()).toMatch(/was no longer heard|does not answer/))
      const sounding = async () => (await mpvsOf(run.pid)).filter(pid => !hanging.includes(pid))
      await device.until(async () => expect((await sounding()).length).toBeGreaterThan(0))
      publish([])
      await device.until(() => expect(stepsOf(device)).toEqual(['received', 'started', 'ended']))
      await device.until(() => expect(device.nowPlaying()).toBe('Song 1'))
      expect(await run.kill('SIGTERM')).toBe(0)
      await expectGone(hanging)
    },
  )

deviceTest.concurrent(
  'Where the audio output takes one program at a time, music plays, and an alert sounds after it',
  async ({ device }) => {
    const song = device.addSong(1, 60)
    const publications = [
      makePublication(makePlaylist([makeItem(0)]), { activatedAt: new Date().toISOString() }),
    ]
    device.publishAll([song], publications)
    const bin = makeExclusiveMpv(device.agent.dataDir)
    const run = device.agent.start(device.server.url, { args: ['--heartbeat', '1'], bin })
    await device.untilPlaying()
    device.publishAll([song], publications, { alerts: [{ ...alert, file: null }] })
    await device.until(() => expect(stepsOf(device)).toEqual(['received', 'started']))
    device.publishAll([song], publications)
    await device.until(() => expect(stepsOf(device)).toEqual(['received', 'started', 'ended']))
    await device.until(() => expect(device.nowPlaying()).toBe('Song 1'))
    expect(await run.kill('SIGTERM')).toBe(0)
  },
)
