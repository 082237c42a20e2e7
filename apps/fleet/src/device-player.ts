import { randomUUID } from 'node:crypto'
import type { NowPlaying } from '@floorcast/contract/devices.ts'
import type { DeviceManifest, DevicePublication } from '@floorcast/contract/device-manifest.ts'
import type { Silence } from '@floorcast/contract/device-protocol.ts'
import { type AlertNotices, makeAlertNotices } from '@floorcast/device-client/alert-notices.ts'
import { PlayLog } from '@floorcast/device-client/play-log.ts'
import { ChangeNotifier } from '@floorcast/device-client/wait.ts'
import { Player } from '@floorcast/device-player/player.ts'
import type { AlertOutput, NextPlay, Play, TrackOutput } from '@floorcast/device-player/ports.ts'
import type { PlayCue } from '@floorcast/playback/cue-types.ts'
import type { EventDraft, PlayOutcome } from '@floorcast/playback/event-rules.ts'
import { isAd } from '@floorcast/playback/media.ts'
import { type DeviceClock, EventClock } from './fleet-clock.ts'

/** A device keeps its state in its objects alone, except for its log of plays. */
const NO_STATE = {
  read: () => null,
  write: () => true,
  remove: () => undefined,
  names: () => [],
  atomically: (work: () => void) => work(),
}

export interface DevicePlayerParts {
  clock: DeviceClock
  bootId: string
  append: (event: EventDraft) => void
  /** The hashes of the held files. */
  held: Set<string>
  /** The current track has changed. */
  onChange: () => void
}

/** A play that ends when its time is over. */
interface TimedPlay extends Play {
  ending: { kind: 'end' | 'stopped' } | null
  readonly startedAt: number
  readonly endsAt: number
  cutBy: string | null
  end: (kind: 'end' | 'stopped') => void
}

/** Plays tracks without sound: each takes its time. */
class TimedOutput implements TrackOutput<TimedPlay> {
  readonly #clock: EventClock
  readonly #log: PlayLog
  readonly reportingClock = { toReported: (at: number) => at }
  readonly #playing = new Set<TimedPlay>()

  constructor(clock: EventClock, log: PlayLog) {
    this.#clock = clock
    this.#log = log
  }

  ready(): null {
    return null
  }
  async start(cue: PlayCue, entry: TimedPlay['entry']): Promise<TimedPlay> {
    return this.#begin(cue, entry, this.#clock.now())
  }

  async prepareNext(
    { cue: { overlapMs, until }, endsAt }: TimedPlay,
    cue: PlayCue,
  ): Promise<NextPlay<TimedPlay>> {
    const dueAt = overlapMs > 0 ? until : endsAt
    return {
      cue,
      dueAt: () => dueAt,
      begin: async () => this.#begin(cue, 'start', Math.min(dueAt, this.#clock.now())),
      drop: async () => true,
    }
  }

  noteCut(play: TimedPlay, reason: string | null): void {
    for (const each of [play, ...this.#playing]) each.cutBy = reason
  }
  async cut(play: TimedPlay, reason: string): Promise<void> {
    this.noteCut(play, reason)
    await this.stop()
  }
  async endStuck(play: TimedPlay): Promise<void> {
    play.end('stopped')
  }
  async settle(play: TimedPlay): Promise<boolean> {
    return play.ending?.kind === 'end'
  }
  async stop(): Promise<void> {
    for (const play of this.#playing) play.end('stopped')
  }
  stopForAlert(): Promise<void> {
    return this.stop()
  }
  close(): void {}

  #begin(cue: PlayCue, entry: TimedPlay['entry'], startedAt: number): TimedPlay {
    // An ad is heard whole, however late it begins.
    const offsetSeconds = isAd(cue.file) ? 0 : Math.max(0, startedAt - cue.startsAt) / 1000
    const endsAt = startedAt + (cue.file.durationSeconds - offsetSeconds) * 1000
    const ended = Promise.withResolvers<PlayOutcome>()
    const play: TimedPlay = {
      cue,
      entry,
      offsetSeconds,
      startedAt,
      endsAt,
      started: Promise.resolve(),
      ended: ended.promise,
      logged: ended.promise,
      ending: null,
      cutBy: null,
      end: kind => {
        if (!this.#playing.delete(play)) return
        cancel()
        play.ending = { kind }
        ended.resolve(this.#record(play))
      },
    }
    const cancel = this.#clock.callAt(endsAt, () => play.end('end'))
    this.#playing.add(play)
    return play
  }

  #record(play: TimedPlay): PlayOutcome {
    const endedAt = Math.max(play.startedAt, Math.min(play.endsAt, this.#clock.now()))
    const secondsHeard = (endedAt - play.startedAt) / 1000
    return this.#log.recordEnd(
      { ...play, eventId: randomUUID() },
      { endedAt, secondsHeard, failure: null, cutBy: play.cutBy },
    )
  }
}

/** An alert plays until it is to end. It has a volume that no tag mutes. */
const alertOutput: AlertOutput = {
  async play(_, { interrupted, silenceMusic, onSound }) {
    await silenceMusic()
    onSound()
    await interrupted
  },
  stop: () => Promise.resolve(),
  close: () => undefined,
}

const revisionKey = ({ uid, revision }: DevicePublication) => `${uid} ${revision}`

/** The player of a simulated device: that of the agent, without sound. */
export class DevicePlayer {
  readonly #parts: DevicePlayerParts
  readonly #clock: EventClock
  readonly #changes: ChangeNotifier
  readonly #player: Player<TimedPlay>
  readonly alerts: AlertNotices
  #playing: DeviceManifest | null = null
  #newest: DeviceManifest | null = null
  /** The first receipt of each publication's revision, in milliseconds since 1970. */
  #firstSeenAt = new Map<string, number>()
  #onManifest: () => void = () => undefined

  constructor(parts: DevicePlayerParts) {
    this.#parts = parts
    const { bootId, append, held } = parts
    const clock = new EventClock(parts.clock)
    this.#clock = clock
    this.#changes = new ChangeNotifier(clock.firstOf)
    this.alerts = makeAlertNotices(NO_STATE, {
      newest: () => this.#newest && { manifest: this.#newest },
      onChange: listener => (this.#onManifest = listener),
    })
    // Before the player asks for the cue of now.
    this.alerts.onChange(() => clock.noteEvent())
    const events = {
      bootId,
      append,
      isStored: () => true,
      recordLost: () => undefined,
      shiftDates: () => undefined,
    }
    const log = new PlayLog(events, NO_STATE, () => clock.now())
    this.#player = new Player({
      clock,
      events,
      log,
      alertOutput,
      changes: this.#changes,
      alerts: this.alerts,
      output: new TimedOutput(clock, log),
      media: { held, onChange: () => undefined },
      manifests: {
        newest: () => this.#newest && { manifest: this.#newest },
        playing: () => this.#playing && { manifest: this.#playing },
        promoteNewest: () => (this.#playing = this.#newest),
        seenAt: publication => this.#firstSeenAt.get(revisionKey(publication)) ?? clock.now(),
        onChange: () => undefined,
      },
    })
    this.#player.nowPlaying.onChange(parts.onChange)
  }

  get manifest(): DeviceManifest | null {
    return this.#newest
  }
  get held(): Set<string> {
    return this.#parts.held
  }
  get nowPlaying(): NowPlaying | null {
    return this.#player.nowPlaying.current
  }
  get silence(): Silence | null {
    return this.#player.nowPlaying.silence
  }

  /** Uses a manifest from the next boundary on, or now during silence. */
  setManifest(manifest: DeviceManifest): void {
    this.#newest = manifest
    const now = this.#parts.clock.now()
    this.#firstSeenAt = new Map(
      manifest.publications.map(each => [revisionKey(each), this.#firstSeenAt.get(revisionKey(each)) ?? now]),
    )
    this.#onManifest()
    this.#noteChange()
  }

  /** Adds a held file. While a track plays, the last file of a manifest alone is worth the choice of another next track. */
  addFile(sha256: string, isLast: boolean): void {
    this.held.add(sha256)
    if (isLast || !this.nowPlaying) this.#noteChange()
  }

  stop(): void {
    this.#clock.noteEvent()
    this.#player.stop()
  }

  /** Plays cue after cue until `stop`. */
  run(): Promise<void> {
    this.#clock.noteEvent()
    return this.#player.run()
  }

  #noteChange(): void {
    this.#clock.noteEvent()
    this.#changes.notify()
  }
}
