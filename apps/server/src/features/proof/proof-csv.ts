import { PROOF_COLUMNS } from '@floorcast/contract/proof-file.ts'
import { csvLine } from '../../platform/lib/csv.ts'
import type { DeviceFacts } from './device-facts.ts'
import type { ProvenPlay } from './proof-queries.ts'

/** A line of the canonical csv: commas, quotes only where they are needed, a line feed. Its bytes are the same in each language. */
const line = (cells: readonly string[]) => csvLine(cells).replace(/\r\n$/, '\n')

export const PROOF_HEADING = line(PROOF_COLUMNS)

const SECOND_MS = 1000
const HOUR_MS = 3_600_000
/** Impressions have four decimals. They are added as whole numbers, so that the total is the exact sum of the rows. */
const SCALE = 10_000

/** The totals of the rows so far. A play with an implausible clock is a row and counts no further: nobody knows its day. */
export class ProofCounts {
  rows = 0
  adPlays = 0
  completePlays = 0
  failedPlays = 0
  adPlaysWithAudience = 0
  #milliseconds = 0
  #scaledImpressions = 0
  readonly #devices = new Set<string>()

  /** Counts a play. @returns its line of the csv */
  add(play: ProvenPlay, { storeNumber, audience, storeZone }: DeviceFacts): string {
    const milliseconds = Math.round(play.secondsPlayed * SECOND_MS)
    const isFailed = play.result === 'failed'
    const isAdPlay = !isFailed && !play.isClockDoubted
    const anHour = audience?.[play.hour] ?? null
    const scaled = anHour === null || !isAdPlay ? null : Math.round((anHour * milliseconds * SCALE) / HOUR_MS)
    this.rows += 1
    this.#devices.add(play.deviceUid)
    this.#milliseconds += milliseconds
    if (isAdPlay) this.adPlays += 1
    if (isFailed) this.failedPlays += 1
    if (isAdPlay && play.result === 'complete') this.completePlays += 1
    if (scaled !== null) {
      this.adPlaysWithAudience += 1
      this.#scaledImpressions += scaled
    }
    return line([
      play.eventUid,
      play.startedAt,
      play.scheduledAt,
      play.day,
      String(play.hour),
      play.deviceUid,
      play.deviceName,
      storeNumber,
      play.groupName ?? '',
      storeZone ?? '',
      play.publicationUid ?? '',
      play.playlistName ?? '',
      play.result,
      play.why ?? '',
      (milliseconds / SECOND_MS).toFixed(3),
      play.isClockDoubted ? 'yes' : 'no',
      anHour === null ? '' : String(anHour),
      scaled === null ? '' : (scaled / SCALE).toFixed(4),
    ])
  }

  /** The counts of the manifest. */
  toJSON() {
    const { rows, adPlays, completePlays, failedPlays, adPlaysWithAudience } = this
    return {
      rows,
      devices: this.#devices.size,
      adPlays,
      completePlays,
      failedPlays,
      secondsPlayed: this.#milliseconds / SECOND_MS,
      adPlaysWithAudience,
      grossImpressions: adPlaysWithAudience === 0 ? null : this.#scaledImpressions / SCALE,
    }
  }
}
