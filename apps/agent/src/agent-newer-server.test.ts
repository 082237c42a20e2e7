import {
  makeItem,
  makeManifest,
  makePlaylist,
  makePublication,
  uidOf,
} from '@floorcast/testing/manifest-arbitrary.ts'
import { useDeviceStage } from '@floorcast/testing/device-fixture.ts'
import { expect, test } from 'vitest'

const stage = useDeviceStage()

/** Of each unknown thing the line that the device logged, without its own version. */
const unknown = () =>
  stage.server.events.flatMap(event =>
    event.kind === 'debug' && event.code === 'protocol-unknown'
      ? event.message.replace(/^Version \S+ does not know: /, '')
      : [],
  )
const alertSteps = () =>
  stage.server.events.flatMap(event => (event.kind === 'alert' ? `${event.alertKind} ${event.step}` : []))

test('A server of the future: the agent plays what it knows, sounds the siren, and reports once what it skips', async () => {
  const [song, hologram] = [stage.addSong(1, 1), stage.addSong(2, 1)]
  const activatedAt = new Date().toISOString()
  const playlist = makePlaylist([makeItem(0), makeItem(1)])
  const live = { type: 'stream', form: 'live', url: 'https://radio.example' }
  const future = (generation: number, alerts: object[]) => ({
    ...makeManifest({ generation }),
    protocol: 2,
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
  stage.server.changeAnswer = ({ alerts, ...answer }) => ({
    ...answer,
    load: 0.9,
    alerts: [...alerts, 'soon'],
  })
  const run = stage.agent.start(stage.server.url)
  await stage.until(() => expect(stage.server.channels).toBe(1))
  stage.server.publish(future(1, []))
  await stage.until(() => expect(stage.ofResult('complete').length).toBeGreaterThan(2))
  expect(new Set(stage.played().map(play => play.trackName))).toEqual(new Set(['Song 1']))
  await stage.until(() => {
    const held = stage.server.heartbeats.at(-1)?.held
    expect(held).toEqual([{ publicationUid: uidOf(600), revision: 1, missing: 1 }])
  })

  for (const text of ['{"type":"weather","id":"x"}', '{"type":"weather"}', 'no JSON'])
    stage.server.tellText(text)
  const flood = { uid: uidOf(7), kind: 'flood', beganAt: activatedAt, isDrill: false, file: 0, depth: 3 }
  stage.server.publish(future(2, [flood]))
  await stage.until(() => expect(alertSteps()).toEqual(['flood started']))
  expect(await stage.agent.printCue()).toMatch(/^\{"alert":"flood","name":"siren"/)
  stage.server.publish(future(3, []))
  const before = stage.played().length
  await stage.until(() => expect(stage.played().length).toBeGreaterThan(before + 1))
  expect(alertSteps()).toEqual(['flood started', 'flood ended'])

  expect(await run.kill('SIGTERM')).toBe(0)
  expect(unknown()).toEqual([
    'this version reads protocol 1, the server speaks: 2',
    "skipped, content type 'holograms': Song 2",
    "skipped, playlist form 'live': Everywhere",
    "skipped, message 'weather'",
    'skipped, a message without a type',
    `sounds as the siren, alert kind 'flood': ${uidOf(7)}`,
  ])
  expect(stage.ofResult('failed')).toEqual([])
})
