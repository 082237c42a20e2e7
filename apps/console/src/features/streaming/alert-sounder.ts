import { firstOf } from '@floorcast/device-client/wait.ts'
import type { AlertSound } from '@floorcast/device-player/ports.ts'
import type { ManifestFile } from '@floorcast/contract/manifest.ts'
import { Deck } from './deck.ts'
import type { PlayerMedia } from './media-cache.ts'
import type { Sound } from './sound.ts'

/** An alert's own file plays within this time, else the siren does. */
const FILE_TIMEOUT_MS = 200

/** Plays an alert: its own file, or the siren. */
export class AlertSounder {
  readonly #sound: Sound
  readonly #media: PlayerMedia
  readonly #deck: Deck
  readonly #onFault: (file: ManifestFile, reason: string) => void

  constructor(sound: Sound, media: PlayerMedia, onFault: (file: ManifestFile, reason: string) => void) {
    this.#sound = sound
    this.#media = media
    this.#deck = new Deck(sound, sound.alerts)
    this.#onFault = onFault
  }

  /** Plays until it is interrupted, or to the end of its file. */
  async play(file: ManifestFile | null, alert: AlertSound): Promise<void> {
    const { volume, interrupted, onSound } = alert
    this.#sound.setAlertVolume(volume)
    void alert.silenceMusic()
    if (!file || !this.#media.held.has(file.sha256)) return this.#soundSiren(interrupted, onSound)
    const isHeard = this.#start(file)
    const first = await firstOf<unknown>([isHeard, interrupted], FILE_TIMEOUT_MS)
    if (first === 'time') {
      this.#sound.startSiren()
      onSound()
      await firstOf<unknown>([isHeard, interrupted], null)
    }
    this.#sound.stopSiren()
    if (first === undefined) return this.stop()
    if (!(await isHeard)) {
      this.#onFault(file, this.#deck.fault)
      return this.#soundSiren(interrupted, onSound)
    }
    onSound()
    await firstOf<unknown>([this.#deck.ended, interrupted], null)
  }

  stop(): void {
    this.#sound.stopSiren()
    this.#deck.stop()
    this.#deck.unload()
  }

  async #start(file: ManifestFile): Promise<boolean> {
    const bytes = await this.#media.read(file)
    if (!bytes || !(await this.#deck.load({ bytes, gainDb: 0 }))) return false
    this.#deck.setLevel(1)
    return (await this.#deck.play()) !== null
  }

  async #soundSiren(interrupted: Promise<void>, onSound: () => void): Promise<void> {
    this.#sound.startSiren()
    onSound()
    await interrupted
    this.#sound.stopSiren()
  }
}
