import { defaultSettings } from '@floorcast/contract/manifest.ts'
import { type DeviceFixture, deviceTest } from '@floorcast/testing/device-fixture.ts'
import { makeItem, makePlaylist, makePublication, uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { expect } from 'vitest'

const settings = { ...defaultSettings, heartbeatSeconds: 10 }
const start = (device: DeviceFixture) => device.agent.start(device.server.url, { args: ['--heartbeat', '1'] })
const beganAt = '2026-11-22T08:00:00.000Z'
const alert = { uid: uidOf(7), kind: 'air' as const, beganAt }

const stepsOf = (device: DeviceFixture) =>
  device.server.events.flatMap(event => (event.kind === 'alert' ? event.step : []))
const addSongs = (device: DeviceFixture) => {
  const [song, horn] = [device.addSong(1, 1), device.addSong(2, 1)]
  const activatedAt = new Date().toISOString()
  return {
    files: [song, horn],
    publications: [makePublication(makePlaylist([makeItem(0)]), { activatedAt })],
  }
}

deviceTest.concurrent(
  'Without a channel, an alert in a heartbeat’s answer plays with its own sound before a manifest arrives',
  async ({ device }) => {
    const { files, publications } = addSongs(device)
    device.server.acceptsChannels = false
    device.publishAll(files, publications, { alertSounds: { air: 1 } })
    // The alerts' sounds are downloaded before the publication's files.
    const first = start(device)
    await device.until(() => expect(device.server.heartbeats.at(-1)?.nowPlaying?.name).toBe('Song 1'))
    device.server.delayAnswer = path =>
      path.includes('/manifest/') ? new Promise(() => undefined) : Promise.resolve()
    device.server.changeAnswer = answer => ({ ...answer, alerts: [alert] })
    await device.until(() => expect(stepsOf(device)).toEqual(['received', 'started']))
    expect(await device.agent.printCue()).toMatch(/^\{"alert":"air","name":"Song 2"/)

    await first.kill('SIGKILL')
    const second = start(device)
    await device.until(() => expect(stepsOf(device)).toEqual(['received', 'started', 'started']))
    device.server.changeAnswer = answer => answer
    await device.until(() => expect(stepsOf(device)).toEqual(['received', 'started', 'started', 'ended']))
    const played = device.played().length
    await device.until(() => expect(device.played().length).toBeGreaterThan(played + 1))
    expect(await second.kill('SIGTERM')).toBe(0)
  },
)

deviceTest.concurrent(
  'Without a manifest, an alert in an answer plays the siren; a manifest without it ends it, and so does a later answer',
  async ({ device }) => {
    device.server.acceptsChannels = false
    device.server.changeAnswer = answer => ({ ...answer, alerts: [alert] })
    const run = start(device)
    await device.until(() => expect(stepsOf(device)).toEqual(['received', 'started']))
    const { files, publications } = addSongs(device)
    device.publishAll(files, publications, { settings })
    await device.until(() => expect(stepsOf(device)).toEqual(['received', 'started', 'ended']))
    await device.untilPlaying()
    device.server.changeAnswer = answer => answer
    await device.until(() => expect(device.server.heartbeats.at(-1)?.nowPlaying?.name).toBe('Song 1'))
    const open = { ...alert, uid: uidOf(8), isDrill: false, file: 1 }
    device.publishAll(files, publications, { alerts: [open] })
    device.server.changeAnswer = answer => ({ ...answer, alerts: [{ ...alert, uid: open.uid }] })
    await device.until(() => expect(stepsOf(device).slice(3)).toEqual(['received', 'started']))
    // Only the list of alerts shows its end: the ETag is that of the held manifest.
    const { etag: manifestEtag } = device.server
    device.publishAll(files, publications, { settings })
    device.server.changeAnswer = answer => ({ ...answer, manifestEtag, alerts: [] })
    await device.until(() => expect(stepsOf(device).slice(3)).toEqual(['received', 'started', 'ended']))
    expect(await run.kill('SIGTERM')).toBe(0)
  },
)

deviceTest.concurrent(
  'On the channel, an alert begins with the sound that it names and ends before any manifest says so, with receipts',
  async ({ device }) => {
    const { files, publications } = addSongs(device)
    device.publishAll(files, publications, { alertSounds: { air: 0 } })
    const first = start(device)
    await device.untilPlaying()
    device.server.delayAnswer = path =>
      path.includes('/manifest/') ? new Promise(() => undefined) : Promise.resolve()
    const head = {
      type: 'alert',
      alertUid: alert.uid,
      kind: 'air',
      beganAt,
      isDrill: false,
      receiptsWithinSeconds: 0,
    } as const
    device.server.send({ ...head, step: 'begin', sound: files[1]?.sha256 ?? null })
    await device.until(() => expect(stepsOf(device)).toEqual(['received', 'started']))
    expect(await device.agent.printCue()).toMatch(/^\{"alert":"air","name":"Song 2"/)
    await first.kill('SIGKILL')
    const second = start(device)
    await device.until(() => expect(stepsOf(device)).toEqual(['received', 'started', 'started']))
    await device.until(() => expect(device.server.channels).toBe(1))
    device.server.send({ ...head, step: 'end', sound: null })
    await device.until(() => expect(stepsOf(device)).toEqual(['received', 'started', 'started', 'ended']))
    expect(device.server.receipts.map(({ step }) => step)).toEqual(stepsOf(device))
    // It has ended for good: a late answer, a late message and a restart do not begin it again.
    device.server.send({ ...head, step: 'begin', sound: null })
    device.server.changeAnswer = answer => ({ ...answer, alerts: [alert] })
    const heartbeats = device.server.heartbeats.length
    await device.until(() => expect(device.server.heartbeats.length).toBeGreaterThan(heartbeats + 2))
    expect(stepsOf(device)).toHaveLength(4)
    expect(await second.kill('SIGTERM')).toBe(0)
  },
)

deviceTest.concurrent(
  'An alert from the channel ends although its end was missed and the manifest is unchanged',
  async ({ device }) => {
    const { files, publications } = addSongs(device)
    device.publishAll(files, publications, { settings })
    const run = device.agent.start(device.server.url)
    await device.untilPlaying()
    await device.until(() => expect(device.server.channels).toBe(1))
    const head = { type: 'alert', alertUid: alert.uid, kind: 'air', beganAt, isDrill: false } as const
    // No heartbeat's answer names the alert, so each makes the agent ask for the manifest: it may end the alert once it plays.
    const sounding = Promise.withResolvers<void>()
    device.server.delayAnswer = path => (path.includes('/manifest/') ? sounding.promise : Promise.resolve())
    device.server.send({ ...head, step: 'begin', sound: null, receiptsWithinSeconds: 0 })
    await device.until(() => expect(stepsOf(device)).toEqual(['received', 'started']))
    // The manifest is the same as before.
    sounding.resolve()
    await device.until(() => expect(stepsOf(device)).toEqual(['received', 'started', 'ended']))
    expect(await run.kill('SIGTERM')).toBe(0)
  },
)

deviceTest.concurrent('The manifest sets the interval between heartbeats', async ({ device }) => {
  const { files, publications } = addSongs(device)
  device.server.acceptsChannels = false
  device.publishAll(files, publications, { settings })
  const first = device.agent.start(device.server.url)
  await device.untilPlaying()
  await first.kill('SIGTERM')
  const before = device.server.heartbeats.length
  device.agent.start(device.server.url)
  await device.until(() => expect(device.server.heartbeats).toHaveLength(before + 2))
  const [one = 0, next = 0] = device.server.heartbeats.slice(-2).map(({ sentAt }) => Date.parse(sentAt))
  expect(next - one).toBeGreaterThan(8900)
  expect(next - one).toBeLessThan(20_000)
})
