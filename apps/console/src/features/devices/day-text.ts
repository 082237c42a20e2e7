import type {
  DayGap,
  DeviceDay,
  GapReason,
  PlayedSpan,
  ScheduledSpan,
} from '@floorcast/contract/device-day.ts'
import type { Format } from '../../platform/format.ts'
import type { Translate } from '../../platform/i18n.ts'

/** Days and times of one zone. */
interface ZoneClock {
  /** HH:MM. */
  timeAt: (at: number) => string
  /** YYYY-MM-DD. */
  dayAt: (at: number) => string
}

const clocks = new Map<string, ZoneClock>()

/** The server shows an unknown zone as UTC. */
function formatIn(timeZone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-CA', { timeZone, hourCycle: 'h23', ...options })
  } catch {
    return new Intl.DateTimeFormat('en-CA', { timeZone: 'UTC', hourCycle: 'h23', ...options })
  }
}

export function zoneClock(timeZone: string): ZoneClock {
  const known = clocks.get(timeZone)
  if (known) return known
  const time = formatIn(timeZone, { hour: '2-digit', minute: '2-digit' })
  const day = formatIn(timeZone, { year: 'numeric', month: '2-digit', day: '2-digit' })
  const clock = { timeAt: (at: number) => time.format(at), dayAt: (at: number) => day.format(at) }
  clocks.set(timeZone, clock)
  return clock
}

const DAY_MS = 86_400_000

/** The day that is `days` later. @param day YYYY-MM-DD */
export const dayAfter = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

const maxGaps = 5

/** The newest gaps, or all, newest first, and how many more there are. */
export const gapsTold = (gaps: readonly DayGap[], isWhole: boolean) => ({
  shown: gaps.toReversed().slice(0, isWhole ? undefined : maxGaps),
  more: isWhole ? 0 : Math.max(0, gaps.length - maxGaps),
})

/** Why nothing was played. */
export const describeReason = (t: Translate, because: GapReason): string =>
  because === 'off' || because === 'unreported' || because === 'not-reported'
    ? t(`devices:day.reasons.${because}`)
    : t(`activity:silentReasons.${because}`)

const spanAt = <Each extends { from: string; until: string }>(spans: readonly Each[], at: number) =>
  spans.find(({ from, until }) => Date.parse(from) <= at && at < Date.parse(until))

/** Describes the schedule and the play at an instant: '14:05: scheduled music, played nothing (the shop is closed)'. */
export function describeMoment(
  t: Translate,
  { day, at, clock, format }: { day: DeviceDay; at: number; clock: ZoneClock; format: Format },
): string {
  const scheduled = spanAt(day.scheduled, at)
  const gap = spanAt(day.gaps, at)
  const because = scheduled?.because ?? null
  const named = (span: ScheduledSpan | PlayedSpan | undefined) => {
    if (!span || span.kind === 'silent') return t('devices:day.sounds.nothing')
    if (span.kind === 'music' || span.adShare === 1) return t(`devices:day.sounds.${span.kind}`)
    return t('devices:day.sounds.some', { share: format.percent(span.adShare) })
  }
  const reason = gap?.because ?? because
  const text = t('devices:day.moment', {
    time: clock.timeAt(at),
    scheduled: named(scheduled),
    played: named(spanAt(day.played, at)),
  })
  if (reason === null) return text
  return t('withNote', { text, note: describeReason(t, reason) })
}
