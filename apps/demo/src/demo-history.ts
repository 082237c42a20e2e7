import { randomUUID } from 'node:crypto'
import type { AlertKind } from '@floorcast/contract/alert-kind.ts'
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
import type { DeviceEvent, PlayEvent } from '@floorcast/contract/events.ts'
import { PROTOCOL } from '@floorcast/contract/manifest.ts'
import { release } from '@floorcast/contract/release.ts'
import { simulatedHardwareId } from '@floorcast/contract/simulated-hardware-id.ts'
import { filesOf } from '@floorcast/playback/cue.ts'
import { iterateCues } from '@floorcast/playback/iterate-cues.ts'
import type { PastServer } from './past-server.ts'

interface PastShop {
  licenseKey: string
  groupUid: string
  /** It has not reported since, in milliseconds since 1970; null: it reports still. */
  awaySince: number | null
}

const HOUR_MS = 3_600_000
export const HISTORY_MS = 7 * 24 * HOUR_MS
/** Less than the hour after which a device counts as offline. */
const BEAT_EVERY_MS = 50 * 60_000
const SAMPLE_EVERY_MS = 10 * 60_000
const EVENTS_A_CALL = 500

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
      // The simulated device goes on as this player.
      boxId: simulatedHardwareId(licenseKey),
      model: 'Fleet simulator',
      version: release.version,
    }
    const session = await makeClient({ base: origin, token: () => null })(openDeviceSession, { body })
    return new PastDevice(shop, origin, session)
  }

  async beat(at: number, more: Partial<Heartbeat> = {}): Promise<void> {
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
      nowPlaying: null,
      silence: null,
      manifestEtag: null,
      held: [],
      quarantined: [],
      alertCheck: { checkedAt: new Date(at).toISOString(), faults: [] },
      ...more,
    }
    await this.#call(sendHeartbeat, { body })
  }

  /** Sends what it did with an alert. */
  async sendAlert(
    alertUid: string,
    alertKind: AlertKind,
    [beganAt, endedAt]: [number, number],
  ): Promise<void> {
    const steps = [
      ['received', beganAt + 120],
      ['started', beganAt + 180],
      ['ended', endedAt + 150],
    ] as const
    const body: DeviceEvent[] = steps.map(([step, at]) => ({
      kind: 'alert',
      id: randomUUID(),
      bootId: this.#bootId,
      sequence: (this.#sequence += 1),
      at: new Date(at).toISOString(),
      alertUid,
      alertKind,
      step,
    }))
    await this.#call(sendEvents, { params: this.#params, body })
  }

  /** Sends the plays of a period as its schedule has them. One that lasts beyond it is left to the player that goes on. */
  async sendPlays(manifest: DeviceManifest, from: number, until: number): Promise<void> {
    let events: PlayEvent[] = []
    const send = async () => {
      await this.#call(sendEvents, { params: this.#params, body: events })
      events = []
    }
    for (const cue of iterateCues(manifest, { from, until }, filesOf(manifest))) {
      if (cue.kind !== 'play' || cue.startsAt < from) continue
      const { file, publication, cutBy } = cue
      const secondsPlayed = cutBy ? (cue.until - cue.startsAt) / 1000 : file.durationSeconds
      const endsAt = cue.startsAt + secondsPlayed * 1000
      if (endsAt > until) continue
      const startedAt = new Date(cue.startsAt).toISOString()
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
        secondsPlayed,
        durationSeconds: file.durationSeconds,
        result: cutBy ? 'cut' : 'complete',
        why: cutBy,
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

/** A drill of the past. */
export interface PastDrill {
  kind: AlertKind
  groupUid: string
  beganAt: number
  endedAt: number
  begin: () => Promise<string>
  end: () => Promise<void>
}

/** A week of heartbeats and plays of each shop until it went away, or until now, and a drill. */
export async function writeHistory(
  past: PastServer,
  shops: readonly PastShop[],
  { now, drill }: { now: number; drill: PastDrill },
): Promise<void> {
  // Charts read the samples of full ten minutes.
  const begin = Math.ceil((now - HISTORY_MS) / SAMPLE_EVERY_MS) * SAMPLE_EVERY_MS
  past.setTime(begin)
  const devices = await Promise.all(shops.map(shop => PastDevice.open(past.origin, shop)))
  const endOf = ({ shop: { awaySince } }: PastDevice) => awaySince ?? now
  for (let at = begin; at < now; at += SAMPLE_EVERY_MS) {
    past.setTime(at)
    if ((at - begin) % BEAT_EVERY_MS === 0)
      await Promise.all(
        devices
          .filter(device => at < endOf(device))
          .map(device => device.beat(at, { intervalSeconds: BEAT_EVERY_MS / 1000 })),
      )
    await past.sample()
  }
  await playDrill(past, devices, drill)
  for (const device of devices) await writePlays(past, device, { from: begin, end: endOf(device) })
}

async function playDrill(past: PastServer, devices: readonly PastDevice[], drill: PastDrill): Promise<void> {
  const { kind, groupUid, beganAt, endedAt } = drill
  past.setTime(beganAt)
  const uid = await drill.begin()
  past.setTime(endedAt)
  for (const device of devices.filter(({ shop }) => shop.groupUid === groupUid))
    await device.sendAlert(uid, kind, [beganAt, endedAt])
  await drill.end()
}

/** Sends the plays of a shop, and its last heartbeat: what it plays, and that it holds its files. */
async function writePlays(
  past: PastServer,
  device: PastDevice,
  { from, end }: { from: number; end: number },
): Promise<void> {
  past.setTime(end)
  const manifest = await device.readManifest()
  if (!manifest) return
  await device.sendPlays(manifest, from, end)
  const [last] = [...iterateCues(manifest, { from: end, until: end + 1 }, filesOf(manifest))]
  const held = manifest.publications.map(({ uid, revision }) => ({
    publicationUid: uid,
    revision,
    missing: 0,
  }))
  if (last?.kind !== 'play') return device.beat(end, { held })
  const { name, mediaUid, contentType, durationSeconds } = last.file
  const startedAt = new Date(last.startsAt).toISOString()
  const nowPlaying = { name, mediaUid, contentType, startedAt, offsetSeconds: 0, durationSeconds }
  return device.beat(end, { held, nowPlaying })
}
