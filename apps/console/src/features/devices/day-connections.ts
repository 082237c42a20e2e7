import type { DeviceDay } from '@floorcast/contract/device-day.ts'

/**
 * Why a device was not connected: `off`, it was off or without its player; `played-on`, it played without a connection;
 * `not-reported`, it has not reported since.
 */
type ConnectionReason = 'off' | 'played-on' | 'not-reported'

/** An interval of a day with one state of the connection. */
export type DayConnection = DeviceDay['connectivity'][number] & {
  seconds: number
  /** It lasts at the moment of the answer. */
  isNow: boolean
  /** Null while it is connected, and where nothing tells. */
  why: ConnectionReason | null
}

interface Span {
  from: string
  until: string
}

/** Seconds that two spans have in common. */
const sharedSeconds = (one: Span, other: Span): number =>
  Math.max(
    0,
    Math.min(Date.parse(one.until), Date.parse(other.until)) -
      Math.max(Date.parse(one.from), Date.parse(other.from)),
  ) / 1000

/** The connection of a day, the newest interval first. */
export function connectionsOf({ connectivity, played, gaps, asOf }: DeviceDay): DayConnection[] {
  const whyOf = (interval: DeviceDay['connectivity'][number], isNow: boolean): ConnectionReason | null => {
    if (interval.state === 'online' || interval.state === 'neverup') return null
    if (isNow) return 'not-reported'
    if (played.some(span => sharedSeconds(span, interval) > 0)) return 'played-on'
    return gaps.some(gap => gap.because === 'off' && sharedSeconds(gap, interval) > 0) ? 'off' : null
  }
  return connectivity.toReversed().map(interval => {
    const isNow = Date.parse(interval.until) >= Date.parse(asOf)
    const seconds = (Date.parse(interval.until) - Date.parse(interval.from)) / 1000
    return { ...interval, seconds, isNow, why: whyOf(interval, isNow) }
  })
}
