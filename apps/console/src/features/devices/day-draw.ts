import type { DeviceDay } from '@floorcast/contract/device-day.ts'
import type { Connectivity } from '@floorcast/contract/devices.ts'
import type { RibbonFrame } from '../../ui/ribbon/ribbon-canvas.ts'
import { rulerMarks } from '../../ui/ribbon/ribbon-view.ts'

/** Rows of the ribbon in CSS pixels, below the ruler. */
const lanes = {
  scheduled: { top: 28, height: 24 },
  played: { top: 56, height: 36 },
  connectivity: { top: 96, height: 8 },
} as const
type Lane = (typeof lanes)[keyof typeof lanes]

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
}

/** Draws the day as scheduled, as played with gaps in red, and the connection; now is a line. */
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
  for (const span of day.scheduled)
    if (span.kind !== 'silent') fill(span, lanes.scheduled, `--day-${span.kind}`)
  for (const span of day.played) fill(span, lanes.played, `--day-${span.kind}`)
  for (const gap of day.gaps)
    fill(gap, lanes.played, gap.because === 'not-reported' ? '--day-waiting' : '--day-gap')
  for (const span of day.connectivity) fill(span, lanes.connectivity, connectivityColors[span.state])
  const now = Date.parse(day.asOf)
  if (now < from || now > until) return
  context.fillStyle = color('--day-text')
  context.fillRect(Math.round(xOf(now)) - 1, 24, 2, height - 24)
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
