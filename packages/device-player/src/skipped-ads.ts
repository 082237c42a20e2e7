import type { Cue, PlayCue } from '@floorcast/playback/cue-types.ts'
import type { Ms } from '@floorcast/playback/instant.ts'
import { isAd } from '@floorcast/playback/media.ts'
import type { PlayLog } from '@floorcast/device-client/play-log.ts'

/** Why a player comes to a cue, if not from the one before it. The log's page has words for each. */
export type Arrival = 'alert' | 'agent-stopped' | 'clock'

interface SkippedAdsParts {
  log: Pick<PlayLog, 'recordSkipped' | 'reportedUntil'>
  cueAt: (at: Ms) => Cue
  /** The time of reports. */
  reportedNow: () => Ms
}

/** A longer gap is that of a clock that was wrong, or of a machine that was off. */
const MAX_GAP_MS: Readonly<Record<Arrival, Ms>> = {
  alert: Infinity,
  clock: 3_600_000,
  'agent-stopped': 120_000,
}
const MAX_SPAN_MS = 86_400_000
const MAX_CUES = 10_000

/** Logs the ads that a player passes over, as not played. */
export class SkippedAds {
  readonly #parts: SkippedAdsParts
  /** The schedule was played, or what was skipped of it is logged, until then. */
  #coveredUntil: Ms | null = null
  /** The player has played nothing of the schedule from then on, and asks for the next cue. */
  #gapFrom: Ms = -Infinity

  constructor(parts: SkippedAdsParts) {
    this.#parts = parts
  }

  /** The player asks for the cue at an instant. What ended before, and was not played, is skipped. */
  onAsked(at: Ms, arrival: Arrival): void {
    const { cueAt, log } = this.#parts
    const from = this.#coveredUntil ?? log.reportedUntil
    this.#coveredUntil = at
    this.#gapFrom = at - from <= MAX_GAP_MS[arrival] ? Math.max(from, at - MAX_SPAN_MS) : at
    let cueFrom = this.#gapFrom
    for (let count = 0; cueFrom < at && count < MAX_CUES; count += 1) {
      const cue = cueAt(cueFrom)
      if (cue.kind === 'play' && cue.until <= at) this.#logSkipped(cue, arrival)
      cueFrom = cue.until
    }
  }

  /** The player has played what was to play until then. */
  onPlayed(until: Ms): void {
    this.#coveredUntil = until
  }

  /** The player came too late to a track. */
  onMissed(cue: PlayCue, arrival: Arrival): void {
    this.#logSkipped(cue, arrival === 'clock' ? 'schedule' : arrival)
  }

  /** Logs an ad that is not played. Of one that began before, the log has what was heard of it. */
  #logSkipped(cue: PlayCue, why: string): void {
    const { log, reportedNow } = this.#parts
    if (isAd(cue.file) && cue.startsAt >= this.#gapFrom) log.recordSkipped(cue, reportedNow(), why)
  }
}
