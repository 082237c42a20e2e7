import { daysBetween, MAX_REPORT_DAYS } from '@floorcast/contract/reports.ts'

const dayMs = 86_400_000

/** Two days, both inclusive: YYYY-MM-DD, without a zone. */
export interface Period {
  from: string
  to: string
}

export const periodPresets = ['yesterday', 'week', 'lastMonth'] as const
export type PeriodPreset = (typeof periodPresets)[number]

const toDay = (utcMs: number) => new Date(utcMs).toISOString().slice(0, 10)

/** @param days negative: before it */
const addDays = (day: string, days: number): string => toDay(Date.parse(day) + days * dayMs)

/** The day that an instant belongs to in an IANA zone. */
export function dayIn(zone: string, nowMs: number): string {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  }).formatToParts(nowMs)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find(each => each.type === type)?.value ?? ''
  return `${part('year').padStart(4, '0')}-${part('month')}-${part('day')}`
}

/** The days of a preset: the day before, today and the six days before, or the whole month before. */
export function presetPeriod(preset: PeriodPreset, today: string): Period {
  if (preset === 'yesterday') return { from: addDays(today, -1), to: addDays(today, -1) }
  if (preset === 'week') return { from: addDays(today, -6), to: today }
  const to = addDays(`${today.slice(0, 8)}01`, -1)
  return { from: `${to.slice(0, 8)}01`, to }
}

/** The preset that has these days today. */
export const findPreset = (period: Period, today: string): PeriodPreset | undefined =>
  periodPresets.find(preset => {
    const { from, to } = presetPeriod(preset, today)
    return from === period.from && to === period.to
  })

/** Why a report takes no such period; null if it does. */
export function checkPeriod(period: Period): 'empty' | 'end-before-start' | 'too-many-days' | null {
  const days = daysBetween(period.from, period.to)
  if (Number.isNaN(days)) return 'empty'
  if (days < 1) return 'end-before-start'
  return days > MAX_REPORT_DAYS ? 'too-many-days' : null
}
