import { Instant } from '@floorcast/contract/fields.ts'

/** The period of a list of events in the page's address; an absent end does not limit. */
export interface Period {
  from?: string
  to?: string
}

/** Reads the period from the address; an invalid moment does not limit. */
export function readPeriod(filters: Readonly<Record<string, string>>): Period {
  const from = Instant.safeParse(filters['from']).data
  const to = Instant.safeParse(filters['to']).data
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}

export const presets = ['hour', 'today', 'yesterday', 'week'] as const
export type PeriodPreset = (typeof presets)[number]

/** A preset period in the browser's time zone: the last hour, a whole day, or today and the six days before. */
export function presetPeriod(preset: PeriodPreset, now: Date): Period {
  if (preset === 'hour') return { from: new Date(now.getTime() - 3_600_000).toISOString() }
  const midnight = (daysAgo: number) =>
    new Date(now.getFullYear(), now.getMonth(), now.getDate() - daysAgo).toISOString()
  if (preset === 'yesterday') return { from: midnight(1), to: midnight(0) }
  return { from: midnight(preset === 'today' ? 0 : 6) }
}
