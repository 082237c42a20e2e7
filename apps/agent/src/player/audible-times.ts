import type { Steady } from '../clock/clock.ts'

/*
 * A proof of play needs audible times. mpv reports the end of a track about 0.3 s before its last samples are heard, and
 * the start of the next one at the same moment. So a track's start is measured (docs/decisions/0146), its end is the
 * start plus its exact length, and the next track starts there. A play is logged after its sound has ended, so that a
 * kill in between is a cut.
 */

/** mpv hands the last samples to the sound card about this long before they are heard, and says 'end-file' then. */
const USUAL_LEAD = 330
/** Told earlier than this before its end, a file is shorter than it was said to be. */
const MOST_LEAD = 900
/** Told later than this before its end, the sound stuttered, the file is longer than it was said to be, or the agent was held up. */
const LEAST_LEAD = 150
/** Told later than this after its end, a file that nothing follows is longer than it was said to be. */
const LATEST_WORD = 250
/** A track that follows is heard this close to the former's end when there was no gap: sound cards' clocks run apart. */
const JOINED_WITHIN = 250
/** Without a measurement, news may reach a busy agent this late. */
const LATEST_NEWS = 500

/** Round trips up to this long are exact enough; of longer ones the best of three counts. */
const GOOD_ROUND_TRIP = 4
const TRIES = 3

type Ask = (property: string) => Promise<unknown>

/**
 * When the sound of entry `id` was, or would have been, at its file's beginning, by where mpv is in it now; so it does not
 * matter how late the agent hears that it plays. Null when mpv does not say, or plays another by now.
 */
export async function measureBeginning(id: number, ask: Ask, steady: () => Steady): Promise<Steady | null> {
  try {
    let best: { at: Steady; trip: number } | null = null
    for (let tries = 0; tries < TRIES && (best?.trip ?? Infinity) > GOOD_ROUND_TRIP; tries += 1) {
      const asked = steady()
      const position = await ask('audio-pts')
      const answered = steady()
      if (typeof position !== 'number') return null
      const measured = { at: (asked + answered) / 2 - position * 1000, trip: answered - asked }
      if (best === null || measured.trip < best.trip) best = measured
    }
    const place = await ask('playlist-playing-pos')
    return (await ask(`playlist/${String(place)}/id`)) === id ? (best?.at ?? null) : null
  } catch {
    return null
  }
}

/** When the sound begins of a track that follows one which ends at `boundary`; `measured` is null when mpv did not say. */
export function joinedAt(boundary: Steady, measured: Steady | null, toldAt: Steady): Steady {
  const isJoined =
    measured === null ? toldAt - boundary < LATEST_NEWS : Math.abs(measured - boundary) < JOINED_WITHIN
  return isJoined ? boundary : Math.max(boundary, measured ?? toldAt)
}

/**
 * When a track's sound ends that is due at `expected`, its beginning and its exact length, and of which mpv told the end at
 * `toldAt`. `isCertain` is false when that was so late that the beginning of the next one says it better.
 */
export function audibleEnd(expected: Steady, toldAt: Steady): { at: Steady; isCertain: boolean } {
  const lead = expected - toldAt
  const isTolds = lead > MOST_LEAD || lead < -LATEST_WORD
  return { at: isTolds ? toldAt + USUAL_LEAD : expected, isCertain: lead >= LEAST_LEAD }
}
