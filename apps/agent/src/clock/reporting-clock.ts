import { REJOIN_AFTER_MS } from '@floorcast/playback/iterate-cues.ts'
import type { Clock, Steady } from './clock.ts'

/** Told time gains or loses at most this share of what passes, as NTP slews a clock: 49 ms are made up in 98 s. */
const SLEW = 0.0005
/** Instants are told within moments of being heard; older stretches are asked for no more. */
const MOST_STRETCHES = 8

/** From a steady moment on, told time leans from one anchor (instant minus steady) towards another. */
interface Stretch {
  from: Steady
  anchor: number
  goal: number
}

const anchorIn = ({ from, anchor, goal }: Stretch, steady: Steady): number => {
  const most = Math.max(0, steady - from) * SLEW
  return anchor + Math.max(-most, Math.min(most, goal - anchor))
}

/**
 * The time in which plays are reported. While sound continues it runs with the steady clock, so the end of a track is the
 * start of the next one, whatever corrects the agent's clock between them; the offset is made up slowly. After silence it
 * is the agent's clock again, but not before the last reported end, which is stored and so holds over a restart. With the
 * agent's clock alone, a correction of 49 ms between two tracks would look like an overlap or a gap. One anchor for all
 * sound would drift by seconds a week in a shop that never closes.
 */
export class ProofClock {
  readonly #clock: Clock
  readonly #stretches: Stretch[]

  constructor(clock: Clock) {
    this.#clock = clock
    this.#stretches = [{ from: clock.steady(), anchor: clock.anchor, goal: clock.anchor }]
    clock.onMove(() => {
      const now = clock.steady()
      this.#add({ from: now, anchor: this.#anchorAt(now), goal: clock.anchor })
    })
  }

  /** The instant (milliseconds since 1970) at which something is said to have been heard at `steady`; the same whenever asked. */
  tell(steady: Steady): number {
    return Math.round(steady + this.#anchorAt(steady))
  }

  /**
   * Sound is about to begin after silence: it is told by the clock as it is now, yet not before `toldUntil`, where the sound
   * before was told to end. A clock that was set back by over 30 s is followed all the same: what it told was wrong.
   */
  resume(toldUntil: number): void {
    const { anchor: goal } = this.#clock
    const from = this.#clock.steady()
    const ahead = toldUntil - (from + goal)
    this.#add({ from, anchor: ahead > 0 && ahead <= REJOIN_AFTER_MS ? goal + ahead : goal, goal })
  }

  #anchorAt(steady: Steady): number {
    const stretch = this.#stretches.findLast(({ from }) => from <= steady) ?? this.#stretches[0]
    return stretch ? anchorIn(stretch, steady) : this.#clock.anchor
  }

  #add(stretch: Stretch): void {
    this.#stretches.push(stretch)
    if (this.#stretches.length > MOST_STRETCHES) this.#stretches.shift()
  }
}
