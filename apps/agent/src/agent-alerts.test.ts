import { defaultSettings } from '@floorcast/contract/manifest.ts'
import { useDeviceFixture } from '@floorcast/testing/device-fixture.ts'
import { makeItem, makePlaylist, makePublication, uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { expect, test } from 'vitest'

const device = useDeviceFixture()
const settings = { ...defaultSettings, heartbeatSeconds: 10 }
const beganAt = '2026-11-22T08:00:00.000Z'
const alert = { uid: uidOf(7), kind: 'air' as const, beganAt }

const steps = () => device.server.events.flatMap(event => (event.kind === 'alert' ? event.step : []))
const songs = () => {
  const [song, horn] = [device.addSong(1, 1), device.addSong(2, 1)]
  const activatedAt = new Date().toISOString()
  return {
    files: [song, horn],
    publications: [makePublication(makePlaylist([makeItem(0)]), { activatedAt })],
  }
}

test('Without a channel an alert is heard in a heartbeat’s answer, with its own sound, while no manifest comes', async () => {
  const { files, publications } = songs()
  device.server.acceptsChannels = false
  device.publishAll(files, publications, { alertSounds: { air: 1 }, settings })
  const before = device.agent.start(device.server.url)
  // The sounds of alerts come before what is published.
  await device.untilPlaying()
  await before.kill('SIGTERM')
  // From its first heartbeat on it has the manifest's interval.
  const first = device.agent.start(device.server.url)
  await device.until(() => expect(device.server.heartbeats.at(-1)?.nowPlaying?.name).toBe('Song 1'))
  device.server.delayAnswer = path =>
    path.includes('/manifest/') ? new Promise(() => undefined) : Promise.resolve()
  device.server.changeAnswer = answer => ({ ...answer, alerts: [alert] })
  await device.until(() => expect(steps()).toEqual(['received', 'started']))
  expect(await device.agent.printCue()).toMatch(/^\{"alert":"air","name":"Song 2"/)

  await first.kill('SIGKILL')
  const second = device.agent.start(device.server.url)
  await device.until(() => expect(steps()).toEqual(['received', 'started', 'started']))
  device.server.changeAnswer = answer => answer
  await device.until(() => expect(steps()).toEqual(['received', 'started', 'started', 'ended']))
  const played = device.played().length
  await device.until(() => expect(device.played().length).toBeGreaterThan(played + 1))
  expect(await second.kill('SIGTERM')).toBe(0)
})

test('Without a manifest an alert of an answer is the siren; a manifest without it ends it, and a later one begins it', async () => {
  device.server.acceptsChannels = false
  device.server.changeAnswer = answer => ({ ...answer, alerts: [alert] })
  const before = device.agent.start(device.server.url)
  await device.until(() => expect(steps()).toEqual(['received', 'started']))
  const { files, publications } = songs()
  device.publishAll(files, publications, { settings })
  await device.until(() => expect(steps()).toEqual(['received', 'started', 'ended']))
  await device.untilPlaying()
  await before.kill('SIGTERM')
  device.server.changeAnswer = answer => answer

  const run = device.agent.start(device.server.url)
  await device.until(() => expect(device.server.heartbeats.at(-1)?.nowPlaying?.name).toBe('Song 1'))
  const open = { ...alert, uid: uidOf(8), isDrill: false, file: 1 }
  device.publishAll(files, publications, { alerts: [open], settings })
  device.server.changeAnswer = answer => ({ ...answer, alerts: [{ ...alert, uid: open.uid }] })
  await device.until(() => expect(steps().slice(3)).toEqual(['received', 'started']))
  // The list of alerts alone says that it ended: the ETag is the held one's.
  const { etag: manifestEtag } = device.server
  device.publishAll(files, publications, { settings })
  device.server.changeAnswer = answer => ({ ...answer, manifestEtag, alerts: [] })
  await device.until(() => expect(steps().slice(3)).toEqual(['received', 'started', 'ended']))
  expect(await run.kill('SIGTERM')).toBe(0)
})
