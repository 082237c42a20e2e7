import {
  makeItem,
  makeManifest,
  makePlaylist,
  makePublication,
  uidOf,
} from '@floorcast/testing/manifest-arbitrary.ts'
import { type DeviceFixture, deviceTest } from '@floorcast/testing/device-fixture.ts'
import { expect } from 'vitest'

/** The device's log lines about unknown parts, without its version. */
const unknownOf = (device: DeviceFixture) =>
  device.server.events.flatMap(event =>
    event.kind === 'debug' && event.code === 'protocol-unknown'
      ? event.message.replace(/^Version \S+ does not know: /, '')
      : [],
  )
const alertStepsOf = (device: DeviceFixture) =>
  device.server.events.flatMap(event => (event.kind === 'alert' ? `${event.alertKind} ${event.step}` : []))

deviceTest.concurrent(
  'With a newer server, it plays what it knows, plays the siren, and reports each unknown part once',
  async ({ device }) => {
    const [song, hologram] = [device.addSong(1, 1), device.addSong(2, 1)]
    const activatedAt = new Date().toISOString()
    const playlist = makePlaylist([makeItem(0), makeItem(1)])
    const live = { type: 'stream', form: 'live', url: 'https://radio.example' }
    const future = (generation: number, alerts: object[]) => ({
      ...makeManifest({ generation }),
      protocol: 3,
      mood: 'calm',
      alerts,
      files: [
        { ...song, captions: 'en' },
        { ...hologram, contentType: 'holograms' },
      ],
      publications: [
        { ...makePublication(playlist, { activatedAt }), weight: 3 },
        { ...makePublication(playlist, { uid: uidOf(601), activatedAt }), playlist: live },
      ],
    })
    device.server.changeAnswer = ({ alerts, ...answer }) => ({
      ...answer,
      load: 0.9,
      alerts: [...alerts, 'soon'],
    })
    const run = device.agent.start(device.server.url)
    await device.until(() => expect(device.server.channels).toBe(1))
    device.server.publish(future(1, []))
    await device.until(() => expect(device.ofResult('complete').length).toBeGreaterThan(2))
    expect(new Set(device.played().map(play => play.trackName))).toEqual(new Set(['Song 1']))
    await device.until(() => {
      const held = device.server.heartbeats.at(-1)?.held
      expect(held).toEqual([{ publicationUid: uidOf(600), revision: 1, missing: 1 }])
    })

    for (const text of ['{"type":"weather","id":"x"}', '{"type":"weather"}', 'no JSON'])
      device.server.sendText(text)
    const flood = { uid: uidOf(7), kind: 'flood', beganAt: activatedAt, isDrill: false, file: 0, depth: 3 }
    device.server.publish(future(2, [flood]))
    await device.until(() => expect(alertStepsOf(device)).toEqual(['flood received', 'flood started']))
    expect(await device.agent.printCue()).toMatch(/^\{"alert":"flood","name":"siren"/)
    device.server.publish(future(3, []))
    const before = device.played().length
    await device.until(() => expect(device.played().length).toBeGreaterThan(before + 1))
    expect(alertStepsOf(device)).toEqual(['flood received', 'flood started', 'flood ended'])

    expect(await run.kill('SIGTERM')).toBe(0)
    expect(unknownOf(device)).toEqual([
      'this version reads protocol 2, the server speaks: 3',
      "skipped, content type 'holograms': Song 2",
      "skipped, playlist form 'live': Everywhere",
      "skipped, message 'weather'",
      'skipped, a message without a type',
      `sounds as the siren, alert kind 'flood': ${uidOf(7)}`,
    ])
    expect(device.ofResult('failed')).toEqual([])
  },
)
