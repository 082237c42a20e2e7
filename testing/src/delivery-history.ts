import { removeFromGroup } from '@floorcast/contract/groups.ts'
import { authenticate } from '@floorcast/contract/auth.ts'
import { sendEvents, sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { PlayResult } from '@floorcast/contract/events.ts'
import { addTrack } from '@floorcast/contract/playlists.ts'
import { addTag, editTag } from '@floorcast/contract/tag-calls.ts'
import { cueAt, filesOf } from '@floorcast/playback/cue.ts'
import fc from 'fast-check'
import { randomUUID } from 'node:crypto'
import { makeDevice, makeMedia } from './factories.ts'
import { makeHeartbeat, makePlay, openPlayer, readMarks } from './test-device.ts'
import { readPlayerManifest } from './test-manifests.ts'
import type { TestServer } from './test-server.ts'
import { newShop, type Shop } from './test-shop.ts'

const SECOND = 1000
const iso = (ms: number) => new Date(ms).toISOString()
const START = Date.parse('2026-10-23T06:00:00Z')
/** Two days after the clocks of Europe went back, and before those of Newfoundland do. */
export const HISTORY_NOW = Date.parse('2026-10-27T12:00:00Z')
export const HISTORY_DAYS = { from: '2026-10-22', to: '2026-10-27' }
const fates = [
  'complete',
  'complete',
  'complete',
  'late',
  'doubled',
  'cut',
  'joined',
  'failed',
  'unscheduled',
  'none',
] as const
type Fate = (typeof fates)[number]

/** A play as it was sent and stored. Plays with a wrong clock and plays that are left out do not count. */
export interface SentPlay {
  deviceUid: string
  mediaUid: string
  scheduledAt: number
  startedAt: number
  result: 'complete' | 'cut' | 'joined' | 'failed'
  /** The zone of the device when the play was stored. */
  zone: string
  secondsPlayed: number
}

/** The event that a device sends of a scheduled play. */
function playOf(fate: Fate, startsAt: number) {
  const startedAt = startsAt + (fate === 'late' ? 600 : 0) * SECOND
  const scheduledAt = startsAt + (fate === 'unscheduled' ? 7 : 0) * SECOND
  const result = fate === 'cut' || fate === 'joined' || fate === 'failed' ? fate : 'complete'
  return { scheduledAt: iso(scheduledAt), startedAt: iso(startedAt), result } as const
}

const ZONES = ['UTC', 'Europe/Berlin', 'Pacific/Auckland', 'America/St_Johns', 'Asia/Tokyo', 'UTC']
/** One shop moves after two days. */
const MOVE = { from: 'Asia/Tokyo', to: 'America/Lima', at: START + 48 * 3600 * SECOND }
/** People an hour in the second shop; the others have no audience. */
const AUDIENCE = 7

interface SentEvent extends SentPlay {
  id: string
}

interface History {
  server: TestServer
  shop: Shop
  group: string
  tracks: string[]
  names: { publicationUid: string; playlistUid: string }
  /** The fates of the next plays. */
  pending: Fate[]
  sent: SentEvent[]
}

/** The lengths of two ads. */
const LENGTHS = [1733, 2999] as const

/** Two long ads in one publication. */
async function publishAds(server: TestServer, shop: Shop) {
  const group = await shop.group()
  const playlistUid = await shop.emptyPlaylist()
  const tracks: string[] = []
  for (const durationSeconds of LENGTHS) {
    const { uid } = await makeMedia(shop.scope, { durationSeconds, contentType: 'ads' })
    tracks.push(uid)
    await server.call(addTrack, { token: shop.token, params: { track: uid, playlist: playlistUid } })
  }
  await shop.turnGroup(group)
  await shop.turnPlaylist(playlistUid)
  const { uid: publicationUid = '' } = await shop.publish(group, playlistUid)
  await shop.turn(publicationUid)
  return { group, tracks, names: { publicationUid, playlistUid } }
}

/** A shop with its tags. */
async function addShop({ server, shop, group }: History, at: number) {
  const zone = ZONES[at] ?? 'UTC'
  const device = await makeDevice(shop.scope, { name: `Shop ${at}`, groupUid: group })
  const tags = new Map([['timeZone', zone]])
  if (at === 1) tags.set('audience', String(AUDIENCE))
  if (zone === 'America/St_Johns') tags.set('openingTime', '20:00').set('closingTime', '02:00')
  for (const [key, value] of tags)
    await server.call(addTag, {
      token: shop.token,
      params: { contentType: 'device', uid: device.uid },
      body: { key, value },
    })
  return { uid: device.uid, zone, player: await openPlayer(server, device.licenseKey) }
}

/** Changes the zone of a shop while its user is signed in. */
async function moveShop({ server, shop }: History, uid: string) {
  server.clock.now = new Date(START)
  const params = { contentType: 'device', uid } as const
  await server.call(editTag, { token: shop.token, params, body: { key: 'timeZone', value: MOVE.to } })
  server.clock.now = new Date(HISTORY_NOW)
}

/** The plays of a shop; one is sent with a clock two days ahead. */
async function playShop(history: History, shop: Awaited<ReturnType<typeof addShop>>) {
  const { server, tracks, names, pending, sent } = history
  const { uid, player } = shop
  let { zone } = shop
  const bootId = randomUUID()
  const plays: object[] = []
  const add = (mediaUid: string, durationSeconds: number, play: ReturnType<typeof playOf>) => {
    const endedAt = iso(Date.parse(play.startedAt) + durationSeconds * SECOND)
    const secondsPlayed = play.result === 'complete' ? durationSeconds : 5
    const what = { ...names, mediaUid, durationSeconds, secondsPlayed, contentType: 'ads' as const }
    const id = randomUUID()
    const when = { ...play, id, bootId, at: endedAt, endedAt }
    plays.push(makePlay(plays.length + 1, { ...what, ...when }))
    const moments = { scheduledAt: Date.parse(play.scheduledAt), startedAt: Date.parse(play.startedAt) }
    return { id, deviceUid: uid, mediaUid, ...moments, result: play.result, secondsPlayed, zone }
  }
  const send = async () => {
    for (let n = 0; n < plays.length; n += 100)
      await server.call(sendEvents, { ...player, body: plays.slice(n, n + 100) })
  }
  let { manifest } = await readPlayerManifest(server, player)
  add(tracks[0] ?? '', LENGTHS[0], playOf('complete', START + 48 * 3600 * SECOND))
  await send()
  server.clock.now = new Date(HISTORY_NOW)
  // The day before the publication's present program has plays of a former one.
  for (let n = 0; n < 12; n++)
    sent.push(add(tracks[n % 2] ?? '', LENGTHS[n % 2] ?? 0, playOf('complete', START - (n + 1) * 7_200_000)))
  // It began two days after its schedule: delivered nowhere.
  const strange = { ...playOf('complete', START + 49 * 3600 * SECOND), scheduledAt: iso(START + 1) }
  sent.push(add(tracks[0] ?? '', LENGTHS[0], strange))
  for (let at = START; at < HISTORY_NOW - 7_200_000;) {
    if (zone === MOVE.from && at >= MOVE.at) {
      await send()
      zone = MOVE.to
      await moveShop(history, uid)
      manifest = (await readPlayerManifest(server, player)).manifest
    }
    const cue = cueAt(manifest, at, filesOf(manifest))
    const fate = pending.pop() ?? 'none'
    if (cue.kind === 'play' && fate !== 'none')
      sent.push(add(cue.file.mediaUid, (cue.until - cue.startsAt) / SECOND, playOf(fate, cue.startsAt)))
    if (cue.kind === 'play' && fate === 'doubled') plays.push(...plays.slice(-1))
    at = cue.until
  }
  await send()
  await server.call(sendHeartbeat, { token: player.token, body: makeHeartbeat() })
}

/**
 * A publication of two long ads on the air for four days, in shops of five zones, over a change of clocks: its plays are late,
 * doubled, cut, failed, over midnight or missing; some have an implausible clock. One shop moves to another zone, one leaves the
 * group.
 */
export async function makeDeliveryHistory(server: TestServer, seed: number) {
  server.clock.now = new Date(START)
  const shop = await newShop(server)
  const pending = fc.sample(fc.constantFrom(...fates), { seed, numRuns: 2000 })
  const history: History = { server, shop, ...(await publishAds(server, shop)), pending, sent: [] }
  const shops = new Map<string, { name: string; audience: number | null }>()
  let left = ''
  for (const at of ZONES.keys()) {
    server.clock.now = new Date(START)
    const added = await addShop(history, at)
    shops.set(added.uid, { name: `Shop ${at}`, audience: at === 1 ? AUDIENCE : null })
    left = added.uid
    await playShop(history, added)
  }
  server.clock.now = new Date(START)
  // A zone that the console knew and PostgreSQL does not: UTC, as in manifests.
  await shop.scope.write(writes =>
    writes.updateTable('tags').set({ value: 'Asia/Nowhere' }).where('deviceUid', '=', left).execute(),
  )
  await server.call(removeFromGroup, { token: shop.token, params: { device: left, group: history.group } })
  server.clock.now = new Date(HISTORY_NOW)
  const { token } = await server.call(authenticate, {
    body: { email: shop.email, password: 'a long password' },
  })
  const marks = await readMarks(shop.scope)
  const sent = history.sent.flatMap(({ id, ...play }) => {
    const { result, leftOut = null } = marks.get(id) ?? {}
    return result === undefined || leftOut !== null ? [] : [{ ...play, result: PlayResult.parse(result) }]
  })
  return { shop, tracks: history.tracks, sent, shops, token }
}
