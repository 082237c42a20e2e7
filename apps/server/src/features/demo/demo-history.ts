import { randomUUID } from 'node:crypto'
import { type Client, makeClient } from '@floorcast/contract/client.ts'
import {
  namedProgrammes,
  parseDeviceManifest,
  type DeviceManifest,
} from '@floorcast/contract/device-manifest.ts'
import { parseProgramme } from '@floorcast/contract/device-programme.ts'
import {
  type Heartbeat,
  openDeviceSession,
  readManifest,
  sendEvents,
  sendHeartbeat,
} from '@floorcast/contract/device-protocol.ts'
import type { PlayEvent } from '@floorcast/contract/events.ts'
import { PROTOCOL } from '@floorcast/contract/manifest.ts'
import { release } from '@floorcast/contract/release.ts'
import { filesOf } from '@floorcast/playback/cue.ts'
import { iterateCues } from '@floorcast/playback/iterate-cues.ts'

/** A server on the demonstration's database whose clock is set by hand. */
export interface PastServer {
  origin: string
  /** @param at milliseconds since 1970 */
  setTime: (at: number) => void
  /** Stores how many devices are connected at this time, for charts. */
  sample: () => Promise<void>
  close: () => Promise<void>
}

interface PastShop {
  licenseKey: string
  /** It has not reported since, in milliseconds since 1970; null: it reports still. */
  awaySince: number | null
}

const HOUR_MS = 3_600_000
export const HISTORY_MS = 7 * 24 * HOUR_MS
/** Less than the hour after which a device counts as offline. */
const BEAT_EVERY_MS = 50 * 60_000
const SAMPLE_EVERY_MS = 10 * 60_000
/** The log of plays is the larger part: of most shops it is as short as this. */
const PLAYS_MS = 6 * HOUR_MS
/** So many shops have it for the whole history. */
const SHOPS_WITH_ALL_PLAYS = 1
const EVENTS_A_CALL = 500

/** When a shop begins to play, and the end of its history. @param place among the shops that have ever played */
export function historyOf(
  place: number,
  awaySince: number | null,
  now: number,
): { from: number; end: number } {
  const [begin, end] = [now - HISTORY_MS, awaySince ?? now]
  return { from: place < SHOPS_WITH_ALL_PLAYS ? begin : Math.max(begin, end - PLAYS_MS), end }
}

/** A player that reports to the past server, with the calls of any device. */
class PastDevice {
  readonly shop: PastShop
  readonly #call: Client
  readonly #origin: string
  readonly #token: string
  readonly #params: { playpointid: string }
  readonly #bootId = randomUUID()
  #sequence = 0

  private constructor(shop: PastShop, origin: string, session: { token: string; playpointid: string }) {
    this.shop = shop
    this.#origin = origin
    this.#token = session.token
    this.#params = { playpointid: session.playpointid }
    this.#call = makeClient({ base: origin, token: () => session.token })
  }

  static async open(origin: string, shop: PastShop): Promise<PastDevice> {
    const { licenseKey } = shop
    const body = {
      licenseKey,
      boxId: randomUUID(),
      model: 'Fleet simulator',
      version: release.version,
    }
    const session = await makeClient({ base: origin, token: () => null })(openDeviceSession, { body })
    return new PastDevice(shop, origin, session)
  }

  async beat(at: number, nowPlaying: Heartbeat['nowPlaying'] = null): Promise<void> {
    const body: Heartbeat = {
      sentAt: new Date(at).toISOString(),
      bootId: this.#bootId,
      programVersion: `fleet ${release.version}`,
      temperatureCelsius: 40 + 4 * Math.sin(at / (4 * HOUR_MS)),
      memorySizeBytes: 32 * 1024 ** 3,
      freeMemoryBytes: 20 * 1024 ** 3,
      ipAddress: null,
      macAddress: null,
      volume: 70,
      nowPlaying,
      silence: null,
      manifestEtag: null,
      held: [],
      quarantined: [],
      alertCheck: null,
    }
    await this.#call(sendHeartbeat, { body })
  }

  /** Sends the plays of a period as its schedule has them. One that lasts beyond it is left to the player that goes on. */
  async sendPlays(manifest: DeviceManifest, from: number, until: number): Promise<void> {
    let events: PlayEvent[] = []
    const send = async () => {
      await this.#call(sendEvents, { params: this.#params, body: events })
      events = []
    }
    for (const cue of iterateCues(manifest, { from, until }, filesOf(manifest))) {
      if (cue.kind !== 'play' || cue.startsAt < from || cue.cutBy !== null) continue
      const { file, publication } = cue
      const startedAt = new Date(cue.startsAt).toISOString()
      const endsAt = cue.startsAt + file.durationSeconds * 1000
      if (endsAt > until) break
      const endedAt = new Date(endsAt).toISOString()
      events.push({
        kind: 'playtrack',
        id: randomUUID(),
        bootId: this.#bootId,
        sequence: (this.#sequence += 1),
        at: endedAt,
        publicationUid: publication.uid,
        playlistUid: publication.playlist.uid,
        playlistName: publication.playlist.name,
        itemUid: cue.itemUid,
        mediaUid: file.mediaUid,
        sha256: file.sha256,
        trackName: file.name,
        contentType: file.contentType,
        scheduledAt: startedAt,
        startedAt,
        endedAt,
        secondsPlayed: file.durationSeconds,
        durationSeconds: file.durationSeconds,
        result: 'complete',
        why: null,
      })
      if (events.length === EVENTS_A_CALL) await send()
    }
    if (events.length > 0) await send()
  }

  async readManifest(): Promise<DeviceManifest | null> {
    const query = { protocol: PROTOCOL }
    const content = await this.#call(readManifest, { params: this.#params, query })
    const programmes = new Map<string, unknown>()
    for (const sha256 of namedProgrammes(content)) {
      const answer = await fetch(`${this.#origin}/api/v2/iplay/programme/${sha256}`, {
        headers: { authorization: `Bearer ${this.#token}` },
      })
      programmes.set(sha256, await answer.json())
    }
    const reading = parseDeviceManifest(content, sha256 => {
      const programme = programmes.get(sha256)
      return programme === undefined ? null : parseProgramme(programme)
    })
    return reading?.manifest ?? null
  }
}

/** A week of heartbeats of each shop until it went away, and the plays of its last hours. */
export async function writeHistory(past: PastServer, shops: readonly PastShop[], now: number): Promise<void> {
  // Charts read the samples of full ten minutes.
  const begin = Math.ceil((now - HISTORY_MS) / SAMPLE_EVERY_MS) * SAMPLE_EVERY_MS
  past.setTime(begin)
  const devices = await Promise.all(shops.map(shop => PastDevice.open(past.origin, shop)))
  const endOf = ({ shop: { awaySince } }: PastDevice) => awaySince ?? now
  for (let at = begin; at < now; at += SAMPLE_EVERY_MS) {
    past.setTime(at)
    if ((at - begin) % BEAT_EVERY_MS === 0)
      await Promise.all(devices.filter(device => at < endOf(device)).map(device => device.beat(at)))
    await past.sample()
  }
  for (const [place, device] of devices.entries())
    await writePlays(past, device, historyOf(place, device.shop.awaySince, now))
}

async function writePlays(
  past: PastServer,
  device: PastDevice,
  { from, end }: { from: number; end: number },
): Promise<void> {
  past.setTime(end)
  const manifest = await device.readManifest()
  if (!manifest) return
  await device.sendPlays(manifest, from, end)
  if (device.shop.awaySince === null) return
  const [last] = [...iterateCues(manifest, { from: end, until: end + 1 }, filesOf(manifest))]
  const { name, mediaUid, contentType, durationSeconds } = last?.kind === 'play' ? last.file : {}
  const startedAt = new Date(last?.kind === 'play' ? last.startsAt : end).toISOString()
  const isPlaying = name !== undefined && mediaUid !== undefined && contentType !== undefined
  await device.beat(
    end,
    isPlaying
      ? { name, mediaUid, contentType, startedAt, offsetSeconds: 0, durationSeconds: durationSeconds ?? null }
      : null,
  )
}
