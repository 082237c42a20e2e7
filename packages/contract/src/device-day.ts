import { z } from 'zod'
import { Connectivity, SilentReason } from './devices.ts'
import { endpoint, readers } from './endpoint.ts'
import { Bytes, Day, Instant, Uid } from './fields.ts'
import { RestoredPlays } from './redelivery.ts'

/** Lists of a day have one entry a minute at most. */
const MAX_MINUTES = 1500

/** Days of a four-digit year in every zone. */
const FIRST_DAY = '2000-01-01'
const LAST_DAY = '2199-12-31'

const Span = z.object({ from: Instant, until: Instant })

/** The share of ads in what plays in each minute, 0 to 1. */
const AdShare = z.number().min(0).max(1)

/** What the device was to play: by the minute, in which 5 seconds of ads count as ads. */
export const ScheduledSpan = Span.extend({
  /** `ads` from 5 seconds of ads in a minute on. */
  kind: z.enum(['music', 'ads', 'silent']),
  /** The share of ads in what plays, 0 to 1. */
  adShare: AdShare,
  /** The reason of a `silent` span. */
  because: SilentReason.nullable(),
})
export type ScheduledSpan = z.infer<typeof ScheduledSpan>

/** What it played, by its log, and the track that plays now. */
export const PlayedSpan = Span.extend({
  /** `ads` from 5 seconds of ads in a minute on. */
  kind: z.enum(['music', 'ads']),
  /** The share of ads in what plays, 0 to 1. */
  adShare: AdShare,
})
export type PlayedSpan = z.infer<typeof PlayedSpan>

/**
 * Why nothing was played where something was scheduled: the reason of its log; `unreported`: it made no
 * reports then, as when it is off or without its player, and has reported since; `off`: the same of days whose reports are no longer
 * kept; `not-reported`: it has not reported since, and may have played.
 */
export const GapReason = z.enum([...SilentReason.options, 'unreported', 'off', 'not-reported'])
export type GapReason = z.infer<typeof GapReason>

export const DayGap = Span.extend({
  /** Why nothing was played. */
  because: GapReason,
})
export type DayGap = z.infer<typeof DayGap>

/** A quarter of an hour of heartbeats, of the clock. */
export const HealthPoint = z.object({
  at: Instant,
  /** How many came; at one a minute 15. */
  heartbeats: z.int(),
  /** The highest. */
  temperatureCelsius: z.number().nullable(),
  /** The least. */
  freeMemoryBytes: Bytes.nullable(),
})
export type HealthPoint = z.infer<typeof HealthPoint>

export const DeviceDay = z.object({
  asOf: Instant,
  day: Day,
  /** The device's own: its days, and the wall times of its schedule. */
  timeZone: z.string(),
  from: Instant,
  until: Instant,
  /** By the publications of now; without the time before the first of them was turned on. */
  scheduled: z.array(ScheduledSpan).max(MAX_MINUTES),
  /** By its log. */
  played: z.array(PlayedSpan).max(MAX_MINUTES),
  /** Where something was scheduled and hardly anything was played. */
  gaps: z.array(DayGap).max(MAX_MINUTES),
  /** Without gaps, until now. */
  connectivity: z.array(Span.extend({ state: Connectivity })).max(MAX_MINUTES),
  /** Without a report, from three missed heartbeats on; `connectivity` changes after an hour of it. */
  unreported: z.array(Span).max(MAX_MINUTES),
  /** The health in the 24 hours until the day's end, or until now; quarters without heartbeats are left out. */
  health: z.array(HealthPoint).max(100),
  /** What `played` may lack since a restore of the server; null: nothing. */
  restored: RestoredPlays.nullable(),
})
export type DeviceDay = z.infer<typeof DeviceDay>

export const readDeviceDay = endpoint({
  path: '/api/v2/device/{uid}/day',
  summary:
    "A device's day as scheduled and as played, with what was not played and why, its connectivity and its health. Without `day` it is the device's today.",
  access: readers,
  params: z.object({ uid: Uid }),
  query: z.object({
    /** A day of the device's own zone; absent: its today. */
    day: Day.refine(day => day >= FIRST_DAY && day <= LAST_DAY, 'wrong').optional(),
  }),
  answer: DeviceDay,
})
