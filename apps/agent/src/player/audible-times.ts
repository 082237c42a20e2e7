import type { Steady } from '@floorcast/device-client/clock.ts'

/*
 * A proof of play needs audible times. mpv reports the end of a track about 0.3 s before its last samples sound, and
 * the start of the next one at the same moment. The agent therefore measures a track's start (docs/decisions/0146),
 * computes its end from the start and the exact length, and starts the next track there. It logs a play after its sound
 * has ended, so that a kill in between is a cut.
 */

/** mpv passes the last samples to the sound card, and sends 'end-file', about this long before they sound. */
const USUAL_LEAD_MS = 330
/** An 'end-file' earlier than this before the computed end means that the file is shorter than its stated length. */
const MAX_LEAD_MS = 900
/** An 'end-file' later than this before the computed end means a stutter, a longer file or a delayed agent. */
const MIN_LEAD_MS = 150
/** An 'end-file' later than this after the computed end means that the file is longer than its stated length. */
const MAX_END_DELAY_MS = 250
/** Without a gap, the measured start lies this close to the previous end; sound cards' clocks differ. */
const GAPLESS_TOLERANCE_MS = 250
/** Without a measurement, an event may reach a busy agent this late. */
const MAX_EVENT_DELAY_MS = 500

/** A round trip up to this long is exact enough; otherwise the best of three counts. */
const GOOD_ROUND_TRIP_MS = 4
const MAX_MEASUREMENTS = 3

type GetProperty = (property: string) => Promise<unknown>

/**
 * Computes when the sound of playlist entry `id` was at the file's beginning, from mpv's current position in it. The delay
 * of mpv's events therefore does not matter. Null if mpv gives no position or already plays another entry.
 */
export async function measureFileStart(
  id: number,
  getProperty: GetProperty,
  steady: () => Steady,
): Promise<Steady | null> {
  try {
    let best: { at: Steady; roundTripMs: number } | null = null
    for (
      let tries = 0;
      tries < MAX_MEASUREMENTS && (best?.roundTripMs ?? Infinity) > GOOD_ROUND_TRIP_MS;
      tries += 1
    ) {
      const askedAt = steady()
      const position = await getProperty('audio-pts')
      const answeredAt = steady()
      if (typeof position !== 'number') return null
      const measured = { at: (askedAt + answeredAt) / 2 - position * 1000, roundTripMs: answeredAt - askedAt }
      if (best === null || measured.roundTripMs < best.roundTripMs) best = measured
    }
    const index = await getProperty('playlist-playing-pos')
    return (await getProperty(`playlist/${String(index)}/id`)) === id ? (best?.at ?? null) : null
  } catch {
    return null
  }
}

/** The start of a track that follows one without a gap; `measuredAt` is null if mpv gave no position. */
export function startOfNext(previousEndAt: Steady, measuredAt: Steady | null, eventAt: Steady): Steady {
  const isGapless =
    measuredAt === null
      ? eventAt - previousEndAt < MAX_EVENT_DELAY_MS
      : Math.abs(measuredAt - previousEndAt) < GAPLESS_TOLERANCE_MS
  return isGapless ? previousEndAt : Math.max(previousEndAt, measuredAt ?? eventAt)
}

/** The end of a track's sound as computed at mpv's 'end-file'. */
export interface ComputedEnd {
  at: Steady
  /** False if the event came so late that the start of the next track is a better measure. */
  isCertain: boolean
}

/** The end of a track's sound. `expectedAt` is its start plus its exact length, `eventAt` the arrival of mpv's 'end-file'. */
export function audibleEnd(expectedAt: Steady, eventAt: Steady): ComputedEnd {
  const leadMs = expectedAt - eventAt
  const isLengthWrong = leadMs > MAX_LEAD_MS || leadMs < -MAX_END_DELAY_MS
  return { at: isLengthWrong ? eventAt + USUAL_LEAD_MS : expectedAt, isCertain: leadMs >= MIN_LEAD_MS }
}

/**
 * The end of a track that another one follows without a gap, by that one's measured start. A busy agent takes 'end-file' late,
 * so that a file which is too short would seem whole: the next track's start tells the two apart.
 */
export function endBefore({ at, isCertain }: ComputedEnd, nextStartAt: Steady): Steady {
  return isCertain && nextStartAt > at - GAPLESS_TOLERANCE_MS ? at : nextStartAt
}
