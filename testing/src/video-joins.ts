import type { ShownFrame, VideoColor } from './coded-video.ts'
import { RECORDED_FRAMES_A_SECOND } from './virtual-screen.ts'

/** How one video followed another on a recorded screen. Lengths are in frames of the videos. */
export interface VideoJoin {
  from: VideoColor
  to: VideoColor
  /** How much longer than a frame the last picture of the first video, or the first one of the next, stood. */
  held: number
  /** Pictures at the end of the first video, and at the beginning of the next, that were not shown. */
  missed: number
  /** How much later than by its frames' rate the next video began; negative: earlier. */
  late: number
  /** Recorded pictures without a video in between. */
  others: number
}

/** One video's pictures in a recording, each with the times at which it was first and last seen. */
interface Showing {
  color: VideoColor
  frames: Map<number, { first: number; last: number }>
  /** Recorded pictures without a video before it. */
  othersBefore: number
}

function listShowings(recording: readonly ShownFrame[]): Showing[] {
  const showings: Showing[] = []
  let others = 0
  let lastNumber = -1
  recording.forEach((frame, at) => {
    if (typeof frame === 'string') return void (others += 1)
    const current = showings.at(-1)
    const isNext = current?.color !== frame.color || frame.number < lastNumber
    const showing: Showing = isNext
      ? { color: frame.color, frames: new Map(), othersBefore: others }
      : current
    if (isNext) showings.push(showing)
    others = 0
    lastNumber = frame.number
    const first = showing.frames.get(frame.number)?.first ?? at
    showing.frames.set(frame.number, { first, last: at })
  })
  return showings
}

export const medianOf = (values: number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

/** The joins between videos of `length` frames, `rate` a second, in a recording. Those at its ends are left out. */
export function measureJoins(
  recording: readonly ShownFrame[],
  { length, rate }: { length: number; rate: number },
): VideoJoin[] {
  const recorded = RECORDED_FRAMES_A_SECOND / rate
  const beginOf = ({ frames }: Showing) =>
    medianOf([...frames].map(([number, { first }]) => first - number * recorded))
  const heldOf = ({ frames }: Showing, number: number) => {
    const times = frames.get(number)
    return times ? (times.last - times.first + 1) / recorded - 1 : 0
  }
  const showings = listShowings(recording)
  return showings.slice(1).map((next, index) => {
    const from = showings[index] as Showing
    const [last, first] = [Math.max(...from.frames.keys()), Math.min(...next.frames.keys())]
    return {
      from: from.color,
      to: next.color,
      held: Math.max(heldOf(from, last), heldOf(next, first)),
      missed: length - 1 - last + first,
      late: (beginOf(next) - beginOf(from)) / recorded - length,
      others: next.othersBefore,
    }
  })
}

/** A join of which more pictures were not shown, or one stood longer, is named. */
const UNUSUAL_FRAMES = 2

/** The median and the worst of joins in words, and those that are unlike the others. */
export function describeJoins(joins: readonly VideoJoin[]): string {
  const keys = ['held', 'missed', 'late'] as const
  const medians = keys.map(key => medianOf(joins.map(join => join[key])))
  const summaries = keys.map((key, n) => {
    const worst = Math.max(...joins.map(join => join[key]))
    return `${key} ${(medians[n] ?? 0).toFixed(1)} (worst ${worst.toFixed(1)})`
  })
  const unusual = joins.flatMap((join, number) => {
    const isUnusual = keys.some((key, n) => Math.abs(join[key] - (medians[n] ?? 0)) > UNUSUAL_FRAMES)
    const said = keys.map(key => `${key} ${join[key].toFixed(1)}`)
    return isUnusual ? [`; join ${number + 1}, ${join.from} to ${join.to}: ${said.join(', ')}`] : []
  })
  return `${joins.length} joins, frames ${summaries.join(', ')}${unusual.join('')}`
}
