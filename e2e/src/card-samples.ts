import type { PlayEvent } from '@floorcast/contract/events.ts'
import type { Locator } from 'playwright-core'
import { HEARTBEAT_SECONDS, type RealShop, SONG_SECONDS } from './demonstration.ts'
import { waitUntil } from './processes.ts'

/** The texts of a card at a moment. */
interface CardSample {
  at: number
  /** Null: it named no track. */
  name: string | null
}

/** The texts of a card's panel, ten times a second, until the player has logged `plays` more plays. */
export async function watchCard(panel: Locator, { log }: RealShop, plays: number): Promise<CardSample[]> {
  const samples: CardSample[] = []
  const enough = log.countPlays() + plays
  await panel.getByRole('progressbar').waitFor()
  await waitUntil(`${plays} plays are in the log`, async () => {
    const name = /song-\d/.exec(await panel.innerText())?.[0] ?? null
    samples.push({ at: Date.now(), name })
    return log.countPlays() >= enough
  })
  return samples
}

/**
 * Decision 0233: a card names a track until its end, and for one heartbeat more. That is a heartbeat at its latest, the console's next
 * question, and what a busy machine takes for both.
 */
const SLACK_MS = (1.1 * HEARTBEAT_SECONDS + 1 + 1 + 3) * 1000
/** The log has the start of the sound, and the heartbeat is sent then. */
const EARLY_MS = 500

type LoggedPlay = Pick<PlayEvent, 'trackName' | 'startedAt' | 'endedAt'>

/** The samples that name a track which the player, by its log, did not play then. The last track plays still and is not in the log. */
export function findUnlogged(samples: readonly CardSample[], plays: readonly LoggedPlay[]): CardSample[] {
  const spans = plays.map(({ trackName, startedAt, endedAt }) => ({
    name: trackName as string | null,
    from: Date.parse(startedAt) - EARLY_MS,
    until: Date.parse(endedAt) + SLACK_MS,
  }))
  const end = Math.max(...plays.map(({ endedAt }) => Date.parse(endedAt)))
  const current = { from: end - EARLY_MS, until: end + SONG_SECONDS * 1000 + SLACK_MS }
  return samples.filter(
    ({ at, name }) =>
      !spans.some(span => span.name === name && at >= span.from && at <= span.until) &&
      !(name !== null && at >= current.from && at <= current.until),
  )
}
