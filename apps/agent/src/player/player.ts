import type { NowPlaying } from '@floorcast/contract/devices.ts'
import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import { selectManifest } from '@floorcast/playback/select-manifest.ts'
import { cueAt } from '@floorcast/playback/cue.ts'
import { alertCue, withAlerts } from '@floorcast/playback/cue-alert.ts'
import type { AlertCue, Cue, PlayCue, SilentCue } from '@floorcast/playback/cue-types.ts'
import {
  entryOf,
  JOIN_FADE_MS,
  REJOIN_AFTER_MS,
  SLIP_TOLERANCE_MS,
} from '@floorcast/playback/iterate-cues.ts'
import type { Clock } from '../clock/clock.ts'
import type { EventStore } from '../store/event-store.ts'
import type { HeardAlerts } from '../store/alert-notices.ts'
import type { ManifestBook } from '../store/manifest-store.ts'
import type { MediaStore } from '../store/media-store.ts'
import { AlertSound } from './alert-player.ts'
import { Chain } from './playback-sequencer.ts'
import type { MpvOptions } from './mpv-process.ts'
import { PlayLog } from '../report/play-log.ts'
import { type Turn, Turntable } from './crossfade-player.ts'
import { ChangeNotifier, firstOf, sleep } from '@floorcast/device-client/wait.ts'

export interface PlayerParts {
  clock: Clock
  book: ManifestBook
  alerts: HeardAlerts
  media: MediaStore
  events: EventStore
  log: PlayLog
  options: MpvOptions
}

const AFTER_ERROR = 1000

/** A silence that asks again before its reason can have changed by time alone. */
const nothingKnown = (at: number): SilentCue => ({
  kind: 'silent',
  because: 'no-publication',
  until: at + 60_000,
})

/**
 * Plays from the disk what the cue says, walking from each cue's end to the next. Needs no server; it hears of new
 * manifests, files and a moved clock through the book, the media store and the clock.
 */
export class Player {
  readonly #parts: PlayerParts
  readonly #changed = new ChangeNotifier()
  readonly #table: Turntable
  readonly #alert: AlertSound
  readonly #chain: Chain
  readonly #listeners: (() => void)[] = []
  #manifest: DeviceManifest | null = null
  #volume: number | null = null
  #nowPlaying: NowPlaying | null = null
  #isStopping = false
  /** Changes up to this one were looked at. */
  #seen = 0

  constructor(parts: PlayerParts) {
    this.#parts = parts
    const { clock, media, log, options } = parts
    this.#table = new Turntable({ clock, log, options, pathOf: media.pathOf })
    const heldPath = (sha256: string) => (media.held.has(sha256) ? media.pathOf(sha256) : null)
    this.#alert = new AlertSound(options, clock, heldPath)
    this.#chain = new Chain({
      clock,
      media,
      log,
      table: this.#table,
      changed: this.#changed,
      ask: at => this.#ask(at),
      isStopping: () => this.#isStopping,
      onTurn: turn => this.#announce(turn),
    })
    for (const source of [parts.book, parts.alerts, media]) source.onChange(() => this.#changed.notify())
    clock.onMove(() => this.#changed.notify())
  }

  /** What is heard just now. */
  nowPlaying(): NowPlaying | null {
    return this.#nowPlaying
  }
  volume(): number {
    return this.#volume ?? 0
  }
  /** The mpv that plays, for those who watch it. */
  get pid(): number | undefined {
    return this.#table.pid
  }
  onChange(listener: () => void): void {
    this.#listeners.push(listener)
  }

  /** Plays until `stop`. */
  async run(): Promise<void> {
    const { clock, log } = this.#parts
    log.recoverInterrupted()
    void this.#table.ready()
    let at = clock.now()
    while (!this.#isStopping) {
      if (Math.abs(clock.now() - at) > REJOIN_AFTER_MS) at = clock.now()
      this.#seen = this.#changed.count
      at = await this.#perform(this.#ask(at)).catch(error => this.#recover(error))
    }
    this.#announce(null)
    this.#table.close()
    this.#alert.close()
  }

  /** Silence, with what is on logged as cut; `run` then returns. */
  stop(): void {
    this.#isStopping = true
    this.#changed.notify()
  }
  /** For an mpv that keeps `run` from returning: what is on is cut all the same. */
  kill(): void {
    this.#table.kill()
    this.#alert.kill()
  }

  /** Whatever went wrong, the shop is to hear something again. */
  async #recover(error: unknown): Promise<number> {
    const { clock, log } = this.#parts
    log.debug(
      'error',
      'player-error',
      error instanceof Error ? (error.stack ?? error.message) : String(error),
    )
    await sleep(AFTER_ERROR)
    return clock.now()
  }

  /** The cue at an instant, from the manifest that is to be played from then. */
  #ask(at: number): Cue {
    const { book, media } = this.#parts
    const alerts = this.#parts.alerts.open()
    const newest = book.newest()?.manifest
    if (!newest) return alertCue(withAlerts({ alerts: [], files: [] }, alerts), at) ?? nothingKnown(at)
    const playing = book.playing()?.manifest ?? null
    this.#manifest = selectManifest({ playing, newest, seenAt: book.seenAt, held: media.held }, at)
    if (this.#manifest === newest) book.settle()
    this.#table.loudnessTarget = this.#manifest.settings.loudnessTargetLufs
    void this.#setVolume(this.#manifest.device.volume)
    return cueAt(withAlerts(this.#manifest, alerts), at, media.held)
  }

  async #setVolume(volume: number): Promise<void> {
    if (volume === this.#volume) return
    this.#volume = volume
    await this.#table.setVolume(volume)
  }

  /** Returns the instant at which to ask for the next cue. */
  #perform(cue: Cue): Promise<number> {
    if (cue.kind === 'alert') return this.#sound(cue)
    if (cue.kind === 'silent') return this.#rest(cue)
    return this.#play(cue)
  }

  async #rest(cue: SilentCue): Promise<number> {
    const { clock, log } = this.#parts
    this.#announce(null)
    if (this.#manifest) log.silent(cue, this.#table.proof.tell(clock.steady()))
    await this.#table.silence()
    return this.#pause(cue.until)
  }

  /** Waits for an instant, or for a change that may come before it. */
  async #pause(until: number): Promise<number> {
    const { clock } = this.#parts
    const woken = await firstOf([this.#changed.after(this.#seen)], until - clock.now())
    return woken === 'time' && clock.now() >= until - 50 ? until : clock.now()
  }

  async #play(cue: PlayCue): Promise<number> {
    const { clock } = this.#parts
    await this.#table.ready()
    const now = clock.now()
    if (now < cue.startsAt - SLIP_TOLERANCE_MS) return this.#pause(cue.startsAt)
    const entry = entryOf(cue, now)
    if (entry === 'wait') {
      this.#announce(null)
      await this.#table.silence()
      return this.#pause(cue.until)
    }
    const turn = await this.#table.begin(cue, entry, entry === 'join' ? (now - cue.startsAt) / 1000 : 0)
    if (entry === 'join') void this.#table.fadeIn(JOIN_FADE_MS)
    return this.#chain.run(turn, this.#seen)
  }

  /** An alert sounds at once and again and again, until a manifest without it comes. */
  async #sound(cue: AlertCue): Promise<number> {
    const { clock, events } = this.#parts
    const { uid, kind } = cue.alert
    const tell = (step: 'started' | 'ended') => {
      const at = new Date(clock.now()).toISOString()
      events.append({ kind: 'alert', alertUid: uid, alertKind: kind, step, at })
    }
    this.#announce(null)
    await this.#table.makeWay(() => this.#table.silence())
    tell('started')
    for (let now: Cue = cue; now.kind === 'alert' && now.alert.uid === uid && !this.#isStopping;) {
      const news = this.#changed.after(this.#seen)
      await this.#alert.sound(now, this.#manifest?.settings.alertVolume ?? 100, news)
      this.#seen = this.#changed.count
      now = this.#ask(clock.now())
    }
    await this.#alert.silence()
    tell('ended')
    return clock.now()
  }

  #announce(turn: Turn | null): void {
    const startedAt = turn?.playing.startedAt ?? null
    const file = turn?.cue.file
    const former = this.#nowPlaying
    this.#nowPlaying =
      file && startedAt !== null
        ? {
            name: file.name,
            mediaUid: file.mediaUid,
            contentType: file.contentType,
            startedAt: new Date(this.#table.proof.tell(startedAt)).toISOString(),
            durationSeconds: file.durationSeconds,
          }
        : null
    const isSame =
      former?.startedAt === this.#nowPlaying?.startedAt && former?.mediaUid === this.#nowPlaying?.mediaUid
    if (!isSame) for (const listener of this.#listeners) listener()
  }
}
