import { defaultSettings } from '@floorcast/contract/manifest.ts'
import { useDeviceStage } from '@floorcast/testing/device-fixture.ts'
import { makeItem, makePlaylist, makePublication, uidOf } from '@floorcast/testing/manifest-arbitrary.ts'
import { expect, test } from 'vitest'

const stage = useDeviceStage()
const settings = { ...defaultSettings, heartbeatSeconds: 10 }
const beganAt = '2026-11-22T08:00:00.000Z'
const alert = { uid: uidOf(7), kind: 'air' as const, beganAt }

const steps = () => stage.server.events.flatMap(event => (event.kind === 'alert' ? event.step : []))
const songs = () => {
  const [song, horn] = [stage.addSong(1, 1), stage.addSong(2, 1)]
  const activatedAt = new Date().toISOString()
  return {
    files: [song, horn],
    publications: [makePublication(makePlaylist([makeItem(0)]), { activatedAt })],
  }
}

test('Without a channel an alert is heard in a heartbeat’s answer, with its own sound, while no manifest comes', async () => {
  const { files, publications } = songs()
  stage.server.hasChannel = false
  stage.publishAll(files, publications, { alertSounds: { air: 1 }, settings })
  const before = stage.agent.start(stage.server.url)
  // The sounds of alerts come before what is published.
  await stage.heard()
  await before.kill('SIGTERM')
  // From its first heartbeat on it has the manifest's interval.
  const first = stage.agent.start(stage.server.url)
  await stage.until(() => expect(stage.server.heartbeats.at(-1)?.nowPlaying?.name).toBe('Song 1'))
  stage.server.hold = path => (path.includes('/manifest/') ? new Promise(() => undefined) : Promise.resolve())
  stage.server.changeAnswer = answer => ({ ...answer, alerts: [alert] })
  await stage.until(() => expect(steps()).toEqual(['received', 'started']))
  expect(await stage.agent.printCue()).toMatch(/^\{"alert":"air","name":"Song 2"/)

  await first.kill('SIGKILL')
  const second = stage.agent.start(stage.server.url)
  await stage.until(() => expect(steps()).toEqual(['received', 'started', 'started']))
  stage.server.changeAnswer = answer => answer
  await stage.until(() => expect(steps()).toEqual(['received', 'started', 'started', 'ended']))
  const played = stage.played().length
  await stage.until(() => expect(stage.played().length).toBeGreaterThan(played + 1))
  expect(await second.kill('SIGTERM')).toBe(0)
})

test('Without a manifest an alert of an answer is the siren; a manifest without it ends it, and a later one begins it', async () => {
  stage.server.hasChannel = false
  stage.server.changeAnswer = answer => ({ ...answer, alerts: [alert] })
  const before = stage.agent.start(stage.server.url)
  await stage.until(() => expect(steps()).toEqual(['received', 'started']))
  const { files, publications } = songs()
  stage.publishAll(files, publications, { settings })
  await stage.until(() => expect(steps()).toEqual(['received', 'started', 'ended']))
  await stage.heard()
  await before.kill('SIGTERM')
  stage.server.changeAnswer = answer => answer

  const run = stage.agent.start(stage.server.url)
  await stage.until(() => expect(stage.server.heartbeats.at(-1)?.nowPlaying?.name).toBe('Song 1'))
  const open = { ...alert, uid: uidOf(8), isDrill: false, file: 1 }
  stage.publishAll(files, publications, { alerts: [open], settings })
  stage.server.changeAnswer = answer => ({ ...answer, alerts: [{ ...alert, uid: open.uid }] })
  await stage.until(() => expect(steps().slice(3)).toEqual(['received', 'started']))
  // The list of alerts alone says that it ended: the ETag is the held one's.
  const { etag: manifestEtag } = stage.server
  stage.publishAll(files, publications, { settings })
  stage.server.changeAnswer = answer => ({ ...answer, manifestEtag, alerts: [] })
  await stage.until(() => expect(steps().slice(3)).toEqual(['received', 'started', 'ended']))
  expect(await run.kill('SIGTERM')).toBe(0)
})
