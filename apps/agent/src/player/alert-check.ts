import { setPriority } from 'node:os'
import type { AlertCheck, AlertFault } from '@floorcast/contract/devices.ts'
import type { ManifestFile } from '@floorcast/contract/manifest.ts'
import { firstOf } from '@floorcast/device-client/wait.ts'
import type { Clock } from '@floorcast/device-client/clock.ts'
import type { PlayLog } from '@floorcast/device-client/play-log.ts'
import type { StoredManifest } from '@floorcast/device-client/manifest-store.ts'
import type { MediaStore } from '../store/media-store.ts'
import { type MpvEvent, MpvProcess } from './mpv-process.ts'

interface AlertCheckParts {
  clock: Pick<Clock, 'now' | 'steady'>
  manifests: { newest: () => Pick<StoredManifest, 'manifest'> | null }
  media: MediaStore
  log: Pick<PlayLog, 'debug'>
  /** Whether the siren would be heard at once. */
  checkSiren: () => Promise<boolean>
  /** mpv's program. */
  command?: string
}

/** How often it looks whether a check is due. */
const INTERVAL_MS = 5000
const DAY_MS = 86_400_000
/** Sounds that are still being downloaded count as missing from then on. */
const DOWNLOAD_MS = 60_000
/** An hour of sound takes some seconds. */
const DECODE_TIMEOUT_MS = 120_000
/** A lower priority than that of the music. */
const LOW_PRIORITY = 10
/** Sound may be a little shorter than its file says. */
const SHORTEST = 0.9
const MAX_FAULTS = 20
const MAX_NAME_LENGTH = 200

/** The decoded sound of a file: its length, and its highest level in dB below full scale; -Infinity is silence. */
interface DecodedSound {
  seconds: number
  peakDb: number
}

/**
 * Decodes a sound to its end, as fast as it can and without being heard, in a separate mpv. Resolves to null if mpv finds no sound or
 * does not end within two minutes.
 */
export async function decodeSound(path: string, command?: string): Promise<DecodedSound | null> {
  const { promise: isOver, resolve: end } = Promise.withResolvers<boolean>()
  const onEvent = (event: MpvEvent) => {
    if (event['name'] === 'eof-reached' && event['data'] === true) end(true)
    if (event.event === 'end-file') end(false)
  }
  const mpv = new MpvProcess(
    { audioOutput: 'null', audioOnly: true, decodesOnly: true, ...(command && { command }) },
    onEvent,
  )
  try {
    if (mpv.pid !== undefined) setPriority(mpv.pid, LOW_PRIORITY)
    await mpv.send(['observe_property', 1, 'eof-reached'])
    await mpv.send(['loadfile', path])
    const isDecoded = await firstOf([isOver, mpv.ended.then(() => false)], DECODE_TIMEOUT_MS)
    if (isDecoded !== true) return null
    const levels = (await mpv.send(['get_property', 'af-metadata/levels'])) as Record<string, string> | null
    const seconds = Number(await mpv.send(['get_property', 'time-pos']))
    const peakDb = Number(levels?.['lavfi.astats.Overall.Peak_level']?.replace('inf', 'Infinity'))
    return Number.isNaN(seconds) || Number.isNaN(peakDb) ? null : { seconds, peakDb }
  } catch {
    return null
  } finally {
    mpv.kill()
  }
}

/**
 * Checks that alerts would play, without being heard: soon after the start, when other sounds have come, and once a day. A file that
 * cannot be decoded is fetched again.
 */
export class AlertChecker {
  readonly #parts: AlertCheckParts
  readonly #startedAt: number
  #last: AlertCheck | null = null
  #lastAt = -Infinity
  /** The sounds of the last check, and which of them were there. */
  #checked: string | null = null
  #isChecking = false

  constructor(parts: AlertCheckParts) {
    this.#parts = parts
    this.#startedAt = parts.clock.steady()
  }

  /** The last check since the start. */
  get last(): AlertCheck | null {
    return this.#last
  }

  /** @returns a function that ends the checks */
  start(): () => void {
    const timer = setInterval(() => void this.checkIfDue(), INTERVAL_MS)
    return () => clearInterval(timer)
  }

  /** Checks when there are other sounds than at the last check, or a day after it. */
  async checkIfDue(): Promise<void> {
    const { clock, manifests, media, log } = this.#parts
    const sounds = this.#sounds()
    const missing = sounds.filter(({ sha256 }) => !media.held.has(sha256))
    const key = [sounds, missing].map(files => files.map(({ sha256 }) => sha256).join(' ')).join()
    const now = clock.steady()
    const isSettled = missing.length === 0 || now - this.#startedAt > DOWNLOAD_MS
    const isDue = key !== this.#checked || now - this.#lastAt >= DAY_MS
    if (this.#isChecking || !manifests.newest() || !isSettled || !isDue) return
    ;[this.#checked, this.#lastAt, this.#isChecking] = [key, now, true]
    try {
      const faults = await this.#findFaults(sounds)
      this.#last = { checkedAt: new Date(clock.now()).toISOString(), faults }
    } catch (error) {
      log.debug('error', 'alert-check-failed', String(error))
    }
    this.#isChecking = false
  }

  /** The files of alerts, each once. */
  #sounds(): ManifestFile[] {
    const manifest = this.#parts.manifests.newest()?.manifest
    if (!manifest) return []
    const { alerts, alertSounds = {}, files } = manifest
    const named = [...Object.values(alertSounds), ...alerts.map(({ file }) => file)]
    return [...new Set(named)].flatMap(index => (index === null ? [] : (files[index] ?? [])))
  }

  async #findFaults(sounds: readonly ManifestFile[]): Promise<AlertFault[]> {
    const faults: AlertFault[] = (await this.#parts.checkSiren()) ? [] : [{ name: null, why: 'no-answer' }]
    for (const sound of sounds.slice(0, MAX_FAULTS - 1)) {
      const why = await this.#faultOf(sound)
      if (why) faults.push({ name: sound.name.slice(0, MAX_NAME_LENGTH), why })
    }
    return faults
  }

  async #faultOf(sound: ManifestFile): Promise<AlertFault['why'] | null> {
    const { media, log, clock, command } = this.#parts
    if (!media.held.has(sound.sha256)) return 'missing'
    const decoded = await decodeSound(media.pathOf(sound.sha256), command)
    const isWhole = decoded !== null && decoded.seconds >= SHORTEST * sound.durationSeconds
    if (isWhole) return decoded.peakDb === -Infinity ? 'silent' : null
    // A file that is as it was sent, and yet cannot be decoded, would be no better after another download.
    if (await media.isDamaged(sound)) {
      const why = decoded === null ? 'no sound can be decoded' : `only ${decoded.seconds} s can be decoded`
      media.dropDamaged(sound.sha256, clock.now())
      // However soon it is there again, it is checked.
      this.#checked = null
      log.debug('error', 'alert-sound-damaged', `${sound.name} would not sound: ${why}; it is fetched again`)
    }
    return 'damaged'
  }
}
