import { randomUUID } from 'node:crypto'
import type { PlayCue } from '@floorcast/playback/cue-types.ts'
import type { PlayOutcome } from '@floorcast/playback/event-rules.ts'
import type { Clock, Steady } from '@floorcast/device-client/clock.ts'
import type { Play } from '@floorcast/device-player/ports.ts'
import type { PlayInProgress, PlayLog } from '@floorcast/device-client/play-log.ts'
import { ReportingClock } from '@floorcast/device-client/reporting-clock.ts'
import { sleep } from '@floorcast/device-client/wait.ts'
import type { Ending, Playback } from './playback.ts'

/** A play by mpv. */
export interface PlayInstance extends Play {
  /** The id of its event in the log. */
  eventId: string
  playback: Playback
  /** When the agent chose its cue. */
  commandedAt: Steady
  /** The reported time of its start; null before its sound starts. */
  reportedStartAt: number | null
  /** The reason for which it was ended early. */
  cutBy: string | null
  logged: Promise<PlayOutcome | null>
}

/** A play that has begun or is to begin. */
export function makePlay(
  head: Pick<PlayInstance, 'cue' | 'entry' | 'offsetSeconds' | 'playback' | 'commandedAt'>,
): PlayInstance {
  const { playback } = head
  return {
    ...head,
    eventId: randomUUID(),
    started: playback.started,
    ended: playback.ended,
    get startedAt() {
      return playback.startedAt
    },
    get ending() {
      return playback.ending
    },
    reportedStartAt: null,
    cutBy: null,
    logged: Promise.resolve(null),
  }
}

/** How often a play's drift is looked at. */
const PROGRESS_INTERVAL_MS = 5000
/** A kill or a power cut loses at most this many of these intervals of a play's known duration, half a minute. */
const INTERVALS_PER_SAVE = 6

export interface PlayRecorderParts {
  clock: Clock
  log: PlayLog
  /** A play was logged. */
  onLogged: (cue: PlayCue, outcome: PlayOutcome) => void
}

/** Logs each play: its progress, so that a power cut leaves it, and its end, when its sound has ended. */
export class PlayRecorder {
  readonly #parts: PlayRecorderParts
  /** The time of reports. */
  readonly reportingClock: ReportingClock

  constructor(parts: PlayRecorderParts) {
    this.#parts = parts
    this.reportingClock = new ReportingClock(parts.clock)
  }

  /** Saves a play's progress every half minute and logs the play when it has ended. Calls `onProgress` when it starts and every five seconds. */
  async recordWhenEnded(
    instance: PlayInstance,
    onProgress: () => Promise<void>,
  ): Promise<PlayOutcome | null> {
    const { clock, log } = this.#parts
    let timer: NodeJS.Timeout | undefined
    let intervals = 0
    const recordProgress = (startedAt: number) => {
      instance.reportedStartAt ??= this.reportingClock.toReported(startedAt)
      if (intervals % INTERVALS_PER_SAVE === 0)
        log.recordProgress(this.#toDated(instance, startedAt), this.reportingClock.toReported(clock.steady()))
      intervals += 1
      void onProgress()
    }
    void instance.playback.started.then(async startedAt => {
      await sleep(startedAt - clock.steady())
      if (instance.playback.ending && instance.playback.ending.at <= clock.steady()) return
      recordProgress(startedAt)
      timer = setInterval(() => recordProgress(startedAt), PROGRESS_INTERVAL_MS)
    })
    const ending = await instance.playback.ended
    await sleep(ending.at - clock.steady())
    clearInterval(timer)
    if (instance.playback.startedAt === null && ending.kind !== 'failed') return null
    const outcome = this.#log(instance, ending)
    this.#parts.onLogged(instance.cue, outcome)
    return outcome
  }

  /** The play with its reported dates. A correction of the clock since makes its earlier dates right. */
  #toDated(instance: PlayInstance, startedAt: Steady): PlayInProgress {
    const { cue, commandedAt } = instance
    const { reportingClock } = this
    const reportedStartAt = instance.reportedStartAt ?? reportingClock.toReported(startedAt)
    return {
      ...instance,
      cue: { ...cue, startsAt: cue.startsAt + reportingClock.correctionOf(commandedAt) },
      startedAt: reportedStartAt + reportingClock.correctionOf(startedAt),
    }
  }

  #log(instance: PlayInstance, ending: Ending): PlayOutcome {
    const startedAt = instance.playback.startedAt ?? ending.at
    const died = ending.kind === 'died' ? 'player-died' : null
    const { reportingClock } = this
    return this.#parts.log.recordEnd(this.#toDated(instance, startedAt), {
      endedAt: reportingClock.toReported(ending.at) + reportingClock.correctionOf(ending.at),
      // The position in the file counts: a corrected speed makes a play shorter or longer than its file.
      secondsHeard: (ending.at - (instance.playback.measuredStartAt ?? startedAt)) / 1000,
      failure: ending.kind === 'failed' ? ending.reason : null,
      cutBy: instance.cutBy ?? died ?? (ending.kind === 'stopped' ? 'stopped' : null),
    })
  }
}
