import type { Connectivity } from '@floorcast/contract/devices.ts'
import type { DeviceDay } from '@floorcast/contract/device-day.ts'

/**
 * Why a device was not connected: `off`, it was off or without its player; `played-on`, it played without a connection;
 * `not-reported`, it has not reported since.
 */
type ConnectionReason = 'off' | 'played-on' | 'not-reported'

/** An interval of a day with one state of the connection; `unreported`: online, but three heartbeats or more were missed. */
export type DayConnection = Span & {
  state: Connectivity | 'unreported'
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

type Interval = Pick<DayConnection, 'from' | 'until' | 'state'>

/** An interval without the times that have no report: after an hour of them the device is no longer online. */
function withUnreported(interval: Interval, unreported: readonly Span[]): Interval[] {
  if (interval.state !== 'online') return [interval]
  const parts: Interval[] = []
  let { from } = interval
  for (const quiet of unreported) {
    if (sharedSeconds(quiet, interval) === 0) continue
    const until = quiet.until < interval.until ? quiet.until : interval.until
    if (quiet.from > from) parts.push({ state: 'online', from, until: quiet.from })
    parts.push({ state: 'unreported', from: quiet.from > from ? quiet.from : from, until })
    from = until
  }
  if (from < interval.until) parts.push({ ...interval, from })
  return parts
}

/** The connection of a day, the newest interval first. */
export function connectionsOf({ connectivity, unreported, played, gaps, asOf }: DeviceDay): DayConnection[] {
  const isOff = ({ because }: DeviceDay['gaps'][number]) => because === 'off' || because === 'unreported'
  const whyOf = (interval: Interval, isNow: boolean): ConnectionReason | null => {
    if (interval.state === 'online' || interval.state === 'neverup') return null
    if (isNow) return 'not-reported'
    if (played.some(span => sharedSeconds(span, interval) > 0)) return 'played-on'
    return gaps.some(gap => isOff(gap) && sharedSeconds(gap, interval) > 0) ? 'off' : null
  }
  const intervals = connectivity.flatMap(interval => withUnreported(interval, unreported))
  return intervals.toReversed().map(interval => {
    const isNow = Date.parse(interval.until) >= Date.parse(asOf)
    const seconds = (Date.parse(interval.until) - Date.parse(interval.from)) / 1000
    return { ...interval, seconds, isNow, why: whyOf(interval, isNow) }
  })
}
