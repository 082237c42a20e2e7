import type { PlayedSpan, ScheduledSpan, DeviceDay } from '@floorcast/contract/device-day.ts'
import type { Connectivity } from '@floorcast/contract/devices.ts'
import type { RibbonFrame } from '../../ui/ribbon/ribbon-canvas.ts'
import { rulerMarks } from '../../ui/ribbon/ribbon-view.ts'
import { connectionsOf } from './day-connections.ts'

/** The seconds of music and ads in each column of a drawn day. */
interface DayColumns {
  sounding: Float64Array
  ads: Float64Array
}

interface DrawnSpan {
  /** Milliseconds since 1970. */
  from: number
  until: number
  /** Columns of equal width. */
  columns: number
}

/** Sums spans by column: a column is longer than a minute, and spans that end within it count by their part of it. */
export function columnsOf(
  spans: readonly (ScheduledSpan | PlayedSpan)[],
  { from, until, columns }: DrawnSpan,
): DayColumns {
  const [sounding, ads] = [new Float64Array(columns), new Float64Array(columns)]
  const length = (until - from) / columns
  for (const span of spans) {
    if (span.kind === 'silent') continue
    const end = Math.min(until, Date.parse(span.until))
    for (let at = Math.max(from, Date.parse(span.from)); at < end;) {
      const column = Math.min(columns - 1, Math.floor((at - from) / length))
      const next = column === columns - 1 ? end : Math.min(end, from + (column + 1) * length)
      const seconds = Math.max(0, next - at) / 1000
      sounding[column] = (sounding[column] ?? 0) + seconds
      ads[column] = (ads[column] ?? 0) + seconds * span.adShare
      // Rounding may put an edge into the column before it.
      at = Math.max(next, at + 1)
    }
  }
  return { sounding, ads }
}

/** Rows of the ribbon in CSS pixels, below the ruler. */
const lanes = {
  scheduled: { top: 28, height: 24 },
  played: { top: 56, height: 36 },
  connectivity: { top: 96, height: 8 },
} as const satisfies Record<string, Lane>
interface Lane {
  top: number
  height: number
}

const connectivityColors: Record<Connectivity, string> = {
  online: '--day-online',
  linkdown: '--day-down',
  linklost: '--day-down',
  neverup: '--day-none',
}

interface DrawnDay {
  day: DeviceDay
  isMirrored: boolean
  /** The time of day at an instant, in the device's zone. */
  clock: (at: number) => string
  /** The instant that the keys have come to; null: the focus is elsewhere. */
  cursor: number | null
}

/** Draws the day as scheduled and as played with the shares of ads, gaps in red, and the connection; now and the cursor are lines. */
export function drawDay(context: CanvasRenderingContext2D, frame: RibbonFrame, drawn: DrawnDay): void {
  const { day } = drawn
  const { width, height, element } = frame
  const style = getComputedStyle(element)
  const color = (name: string) => style.getPropertyValue(name).trim()
  const [from, until] = [Date.parse(day.from), Date.parse(day.until)]
  const scale = width / (until - from)
  const xOf = (at: number) => (drawn.isMirrored ? width - (at - from) * scale : (at - from) * scale)
  const fill = (span: { from: string; until: string }, { top, height: high }: Lane, name: string) => {
    const [a, b] = [xOf(Date.parse(span.from)), xOf(Date.parse(span.until))]
    context.fillStyle = color(name)
    context.fillRect(Math.min(a, b), top, Math.max(1, Math.abs(b - a)), high)
  }
  context.clearRect(0, 0, width, height)
  drawRuler(context, frame, { ...drawn, xOf, color })
  for (const lane of Object.values(lanes)) fill(day, lane, '--day-ground')
  const colors = { music: color('--day-music'), ads: color('--day-ads') }
  for (const lane of ['scheduled', 'played'] as const)
    drawSound(context, columnsOf(day[lane], { from, until, columns: Math.round(width) }), {
      ...lanes[lane],
      colors,
      isMirrored: drawn.isMirrored,
    })
  for (const gap of day.gaps)
    fill(gap, lanes.played, gap.because === 'not-reported' ? '--day-waiting' : '--day-gap')
  for (const span of day.connectivity) fill(span, lanes.connectivity, connectivityColors[span.state])
  for (const { state, ...span } of connectionsOf(day))
    if (state === 'unreported') fill(span, lanes.connectivity, '--day-waiting')
  const now = Date.parse(day.asOf)
  context.fillStyle = color('--day-text')
  if (now >= from && now <= until) context.fillRect(Math.round(xOf(now)) - 1, 24, 2, height - 24)
  if (drawn.cursor !== null) drawCursor(context, xOf(drawn.cursor), height)
}

/** A line with a head, which tells it from the present. */
function drawCursor(context: CanvasRenderingContext2D, x: number, height: number): void {
  const middle = Math.round(x)
  context.fillRect(middle - 1, 22, 2, height - 22)
  context.beginPath()
  context.moveTo(middle - 6, 18)
  context.lineTo(middle + 6, 18)
  context.lineTo(middle, 27)
  context.fill()
}

/** The least height of ads in CSS pixels: they are visible, however few they are. */
const minAdHeight = 2

interface SoundLane extends Lane {
  colors: { music: string; ads: string }
  isMirrored: boolean
}

/** Draws music at the full height of each column that plays, and from its foot the share of ads. */
function drawSound(
  context: CanvasRenderingContext2D,
  { sounding, ads }: ReturnType<typeof columnsOf>,
  { top, height, colors, isMirrored }: SoundLane,
): void {
  for (const [column, seconds] of sounding.entries()) {
    if (seconds === 0) continue
    const x = isMirrored ? sounding.length - 1 - column : column
    context.fillStyle = colors.music
    context.fillRect(x, top, 1, height)
    const share = (ads[column] ?? 0) / seconds
    if (share === 0) continue
    const high = Math.max(minAdHeight, share * height)
    context.fillStyle = colors.ads
    context.fillRect(x, top + height - high, 1, high)
  }
}

interface Ruler extends DrawnDay {
  xOf: (at: number) => number
  color: (name: string) => string
}

function drawRuler(
  context: CanvasRenderingContext2D,
  { width, view }: RibbonFrame,
  { day, clock, xOf, color }: Ruler,
): void {
  context.font = "11px 'Inter Variable', 'Noto Sans Arabic', system-ui, sans-serif"
  context.textBaseline = 'middle'
  context.textAlign = 'center'
  context.fillStyle = color('--day-label')
  const from = Date.parse(day.from)
  for (const mark of rulerMarks(view, { startsAtSeconds: 0, width, room: 56 })) {
    const text = clock(from + mark * 1000)
    const half = context.measureText(text).width / 2
    context.fillText(text, Math.max(half, Math.min(width - half, xOf(from + mark * 1000))), 12)
  }
}
