import type { StatisticsUse } from '@floorcast/contract/dashboard.ts'
import type { Reads } from '../../platform/database/client-scope.ts'
import { addDays, type DeletionReason, forecastStatistics, NOTICE_DAYS } from './statistics-forecast.ts'
import { listDayBytes, findRetention, listSumDays, type Retention } from './statistics-retention-queries.ts'

/**
 * Since when the dashboard has told each deletion. A notice does not count after a week without a look: the server was off, or its
 * clock has jumped, and nobody could see it.
 */
export function noticesOf(retention: Retention, today: string): Record<DeletionReason, string | null> {
  const { checkedOn, announcedOn, ageAnnouncedOn, sumsAnnouncedOn } = retention
  const isSteady = checkedOn !== null && checkedOn <= today && checkedOn >= addDays(today, -NOTICE_DAYS)
  const told = (since: string | null) => (isSteady && since !== null && since <= today ? since : null)
  return { plan: told(announcedOn), age: told(ageAnnouncedOn), sums: told(sumsAnnouncedOn) }
}

/** A client's statistics beside the limit of its plan in bytes, when they are full, and what is deleted next. */
export async function readStatisticsUse(reads: Reads, limit: number, now: Date): Promise<StatisticsUse> {
  const retention = await findRetention(reads)
  const today = now.toISOString().slice(0, 10)
  return forecastStatistics({
    days: await listDayBytes(reads),
    limit,
    today,
    announcedOn: noticesOf(retention, today),
    sums: { days: await listSumDays(reads), playsKeptFrom: retention.keptFrom },
  })
}
