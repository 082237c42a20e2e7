import { parseDeviceManifest as parse } from '@floorcast/contract/device-manifest.ts'
import { parseProgramme } from '@floorcast/contract/device-programme.ts'
import { parseDeviceMessage, sendDeviceHeartbeat } from '@floorcast/contract/device-messages.ts'
import { ChannelMessage, HeartbeatAnswer } from '@floorcast/contract/device-protocol.ts'
import { defaultSettings, FormerManifest, FORMER_PROTOCOL } from '@floorcast/contract/manifest.ts'
import {
  anyInstant,
  anyManifest,
  makeFile,
  makeItem,
  makeManifest,
  makePlaylist,
  makePublication,
  splitManifest,
  uidOf,
} from '@floorcast/testing/manifest-arbitrary.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { cueAt, filesOf } from './cue.ts'
import { heldReport } from './sync-plan.ts'

const at = Date.parse('2026-11-22T12:00:00Z')
const files = [makeFile(0, { name: 'A' }), makeFile(1, { name: 'Hologram' }), makeFile(2, { name: 'C' })]
const hologram = { ...files[1], contentType: 'holograms', depth: 3 }
/** A manifest of protocol 1 has its playlists itself. */
const parseDeviceManifest = (sent: unknown) => parse(sent, () => null)
const now = makeManifest({
  files,
  publications: [makePublication(makePlaylist([makeItem(0), makeItem(1), makeItem(2)]))],
})

/** A current manifest with additions of a later server. */
const later = (part: object) => parseDeviceManifest({ ...now, ...part })
const namesOf = (part: object) => {
  const read = later(part)
  const playlist = read?.manifest.publications[0]?.playlist
  if (!read || !playlist) return null
  const items = playlist.form === 'simple' ? playlist.items : playlist.blocks.flatMap(block => block.items)
  return items.map(item => read.manifest.files[item.file]?.name)
}

it('a current manifest is read unchanged, without unknown parts', () => {
  fc.assert(
    fc.property(anyManifest, sent => {
      const valid = FormerManifest.safeParse({ ...sent, protocol: FORMER_PROTOCOL }).data
      fc.pre(valid !== undefined && sent.files.length > 0)
      const inside = {
        ...valid,
        publications: [],
        alerts: valid.alerts.map(alert => ({ ...alert, file: 0 })),
      }
      expect(parseDeviceManifest(inside)).toEqual({ manifest: inside, unknown: [] })
    }),
  )
  expect(parseDeviceManifest(now)).toEqual({ manifest: now, unknown: [] })
  const alertSounds = { air: 2 }
  expect(later({ alertSounds })).toEqual({ manifest: { ...now, alertSounds }, unknown: [] })
})

it('a current manifest plays the same when its programmes come apart from it', () => {
  fc.assert(
    fc.property(anyManifest, anyInstant, (whole, instant) => {
      const sent = splitManifest(whole)
      const read = parse(sent.manifest, sha256 =>
        parseProgramme(JSON.parse(sent.programmes.get(sha256) ?? '')),
      )
      if (!read) throw new Error('not read')
      const held = filesOf(whole)
      expect(filesOf(read.manifest)).toEqual(held)
      const [before, after] = [whole, read.manifest].map(manifest => {
        const cue = cueAt(manifest, instant, held)
        if (cue.kind === 'alert') return { ...cue, alert: cue.alert.uid }
        return cue.kind === 'play' ? { ...cue, publication: cue.publication.uid } : cue
      })
      expect(after).toEqual(before)
    }),
  )
})

it('a manifest from the future is read without its unknown fields, whatever its protocol', () => {
  const [publication] = now.publications
  const extended = {
    protocol: 9,
    mood: 'calm',
    device: { ...now.device, shelf: 4 },
    settings: { ...now.settings, dimming: 3 },
    publications: [{ ...publication, weight: 2, playlist: { ...publication?.playlist, shuffle: true } }],
    files: files.map(file => ({ ...file, captions: 'en' })),
  }
  expect(later(extended)).toEqual({
    manifest: { ...now, protocol: 9 },
    unknown: ['this version reads protocol 2, the server speaks: 9'],
  })
})

it('a manifest from the future plays the siren for an alert of an unknown kind, despite its file', () => {
  const alert = { uid: uidOf(7), kind: 'flood', beganAt: '2026-11-22T11:59:00Z', isDrill: false, file: 0 }
  const read = later({ alerts: [{ ...alert, depth: 2 }], alertSounds: { flood: 0, air: 2 } })
  expect(read?.unknown).toEqual([`sounds as the siren, alert kind 'flood': ${uidOf(7)}`])
  if (!read) return
  expect(read.manifest.alertSounds).toEqual({ air: 2 })
  const cue = cueAt(read.manifest, at, filesOf(read.manifest))
  expect(cue).toMatchObject({ kind: 'alert', file: null, alert: { uid: uidOf(7), kind: 'flood' } })
})

it('a manifest from the future with an unknown content type plays the rest, reports the skipped file and counts as incomplete', () => {
  const part = { files: [files[0], hologram, files[2]] }
  expect(namesOf(part)).toEqual(['A', 'C'])
  const read = later(part)
  expect(read?.unknown).toEqual(["skipped, content type 'holograms': Hologram"])
  if (!read) return
  const held = filesOf(read.manifest)
  expect(heldReport(read.manifest, held)).toMatchObject([{ missing: 1 }])
  expect(cueAt(read.manifest, at, held)).toMatchObject({ kind: 'play' })
})

it('a manifest from the future with an item of an unknown kind plays the rest', () => {
  const playlist = makePlaylist([makeItem(0), makeItem(2)])
  const items = [makeItem(0), { uid: uidOf(3), kind: 'stream', url: 'https://radio.example' }, makeItem(2)]
  const publications = [{ ...makePublication(playlist), playlist: { ...playlist, items } }]
  expect(namesOf({ publications })).toEqual(['A', 'C'])
  expect(later({ publications })?.unknown).toEqual([`skipped, item kind 'stream': ${uidOf(3)}`])
  const conditional = [{ ...makeItem(0), kind: 'on-request' }, makeItem(2)]
  const asked = [{ ...makePublication(playlist), playlist: { ...playlist, items: conditional } }]
  expect(namesOf({ publications: asked })).toEqual(['C'])
})

it('a manifest from the future with a block of an unknown kind, or a play of one, keeps the rest of the day', () => {
  const block = (kind: string, items: object[]) => ({ kind, start: 0, duration: 60, items })
  const play = (file: number) => ({ file, start: file * 60, duration: 60 })
  const head = { uid: uidOf(501), name: 'Day', kind: 'led-wall', crossfadeSeconds: -1 }
  const dates = { startDate: null, endDate: null, startDay: '00:00', endDay: '23:59' }
  const blocks = [block('melody', [play(0), { ...play(1), kind: 'live' }]), block('news', [play(2)])]
  const playlist = { form: 'smart', ...head, ...dates, blocks }
  const publications = [{ ...now.publications[0], playlist }]
  expect(namesOf({ publications })).toEqual(['A'])
  const read = later({ publications })
  expect(read?.unknown).toHaveLength(2)
  expect(read?.manifest.publications).toMatchObject([
    { skipped: 2, playlist: { kind: 'audio', crossfadeSeconds: 0 } },
  ])
})

it('a manifest from the future with a publication or an update of another form keeps the others', () => {
  const odd = [
    { ...now.publications[0], uid: uidOf(701), playlist: { form: 'live', url: 'https://radio.example' } },
    { ...now.publications[0], uid: uidOf(702), startsAt: { event: 'doors-open' } },
    'a text',
  ]
  const read = later({ publications: [...odd, ...now.publications], update: { torrent: 'x' } })
  expect(read?.manifest).toEqual(now)
  expect(read?.unknown).toEqual([
    'skipped, an update of another form: one without a name',
    "skipped, playlist form 'live': Everywhere",
    'skipped, a publication of another form: Everywhere, one without a name',
  ])
})

it('a manifest from the future with a setting of another form takes its default, and the others as sent', () => {
  const settings = { ...now.settings, defaultVolume: 'loud', loudnessTargetLufs: null, heartbeatSeconds: 1 }
  expect(later({ settings })?.manifest.settings).toEqual({
    ...now.settings,
    loudnessTargetLufs: null,
    heartbeatSeconds: defaultSettings.heartbeatSeconds,
    defaultVolume: defaultSettings.defaultVolume,
  })
})

/** A manifest with another value, or none, at one position. */
const spoilt = fc.tuple(anyManifest, fc.nat(), fc.jsonValue()).map(([manifest, place, value]) => {
  let count = 0
  return JSON.parse(JSON.stringify(manifest), (_, inner: unknown) =>
    ++count === place % 400 ? value : inner,
  ) as unknown
})

it('a manifest with a random fault is read without an error, and the result plays', () => {
  fc.assert(
    fc.property(fc.oneof(spoilt, fc.jsonValue()), anyInstant, (sent, instant) => {
      const read = parseDeviceManifest(sent)
      if (!read) return
      expect(cueAt(read.manifest, instant, filesOf(read.manifest)).until).toBeGreaterThan(instant)
    }),
  )
  fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), text => void parseDeviceMessage(text)))
})

it('a manifest with a random fault is rejected without a device and its lists, so that the held one stays', () => {
  for (const sent of [
    null,
    'Welcome to our Wi-Fi',
    [],
    {},
    { ...now, files: undefined },
    { ...now, device: {} },
  ])
    expect(parseDeviceManifest(sent)).toBeNull()
})

const id = uidOf(1)
const serverTime = '2026-11-22T12:00:00.000Z'
const readMessage = (message: object) => parseDeviceMessage(JSON.stringify(message))

it('messages from the future of a known type are read without unknown fields', () => {
  const more = { beganAt: serverTime, isDrill: false, sound: null, receiptsWithinSeconds: 0.5 }
  const alert = { type: 'alert', alertUid: uidOf(2), kind: 'flood', step: 'escalate', ...more }
  expect(readMessage({ ...alert, level: 3 })).toEqual({ message: alert })
  const command = { type: 'command', id, command: 'dance', value: { steps: 3 } }
  expect(readMessage(command)).toEqual({ message: { ...command, value: undefined } })
})

it('messages from the future of an unknown type are reported', () => {
  expect(readMessage({ type: 'weather', id })).toEqual({ unknown: "skipped, message 'weather'" })
  expect(parseDeviceMessage('no JSON')).toEqual({ unknown: 'skipped, a message without a type' })
})

it('messages from the future of current types are read unchanged', () => {
  const answer = {
    serverTime,
    manifestEtag: '"1"',
    manifestWithinSeconds: 3,
    alerts: [{ uid: id, kind: 'air', beganAt: serverTime, isDrill: true }],
  }
  const more = { beganAt: serverTime, isDrill: false, sound: null, receiptsWithinSeconds: 0.5 }
  for (const sent of [
    { type: 'manifest', withinSeconds: 2.5 },
    { type: 'manifest', withinSeconds: 0, id, etag: '' },
    { type: 'alert', alertUid: uidOf(2), kind: 'air', step: 'begin', ...more },
    { type: 'command', id, command: 'volume', value: 30 },
    { type: 'replaced' },
  ])
    expect(readMessage(ChannelMessage.parse(sent))).toEqual({ message: sent })
  const [alert] = answer.alerts
  expect(sendDeviceHeartbeat.answer.parse(HeartbeatAnswer.parse(answer))).toEqual({
    ...answer,
    alerts: [{ ...alert, sound: null }],
  })
})

it('messages from the future answer a heartbeat with alerts of any kind and with unknown fields', () => {
  const flood = { uid: id, kind: 'flood', beganAt: serverTime }
  const sent = {
    serverTime,
    manifestEtag: '"1"',
    alerts: [{ ...flood, level: 2 }, { soon: true }],
    load: 0.7,
  }
  expect(sendDeviceHeartbeat.answer.parse(sent)).toEqual({
    serverTime,
    manifestEtag: '"1"',
    alerts: [{ ...flood, isDrill: false, sound: null }],
  })
  expect(sendDeviceHeartbeat.answer.parse({ serverTime, manifestEtag: '"1"' }).alerts).toEqual([])
})
