import { GRAY, INK, type PdfCanvas } from './pdf-canvas.ts'

/** Bars above the table of a pdf. */
export interface PdfPlot {
  /** Days, or other texts of a few signs. */
  labels: readonly string[]
  /** One to three of one unit, each with a value for each label. */
  series: readonly { name: string; values: readonly number[] }[]
}

/** With legend and labels. */
export const PLOT_HEIGHT = 132
const BARS_HEIGHT = 84
const LEGEND_HEIGHT = 22
const LABEL = { size: 7.5 }
const COLORS = { 1: ['#1c7ed6'], 2: ['#a5d8ff', '#1971c2'], 3: ['#a5d8ff', '#1971c2', '#f08c00'] } as const
type Count = keyof typeof COLORS

/** A round number, of which a half is round too, that is not below a value. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1)))
  const factors = power === 1 ? [2, 4, 6, 8] : [1, 1.2, 1.6, 2, 3, 4, 5, 6, 8]
  return (factors.find(factor => factor * power >= value) ?? 10) * power
}

/** Draws the bars between `y` and `y + PLOT_HEIGHT`. */
export function drawPlot(canvas: PdfCanvas, plot: PdfPlot, { y, tag }: { y: number; tag: string }): void {
  const { content, text } = canvas
  const colors: readonly string[] = COLORS[Math.min(Math.max(plot.series.length, 1), 3) as Count]
  const highest = roundUp(Math.max(0, ...plot.series.flatMap(({ values }) => values)))
  const format = new Intl.NumberFormat(tag, { notation: highest >= 100_000 ? 'compact' : 'standard' })
  const ticks = [0, highest / 2, highest].map(value => ({ value, label: format.format(value) }))
  const axisWidth = Math.max(...ticks.map(({ label }) => text.width(label, LABEL))) + 6
  const area = { start: content.start + axisWidth, width: content.width - axisWidth }
  const zero = y + LEGEND_HEIGHT + BARS_HEIGHT
  drawLegend(canvas, plot, { y: y + 8, colors })
  for (const { value, label } of ticks) {
    const at = zero - (value / highest) * BARS_HEIGHT
    canvas.line(area, at, value === 0 ? { color: GRAY } : {})
    canvas.label(label, {
      start: content.start,
      width: axisWidth - 6,
      y: at + 2.5,
      color: GRAY,
      align: 'end',
      ...LABEL,
    })
  }
  const step = area.width / plot.labels.length
  const bar = Math.min(24, (step * 0.7) / plot.series.length)
  for (const [n, { values }] of plot.series.entries())
    for (const [at, value] of values.entries()) {
      const height = (value / highest) * BARS_HEIGHT
      const start = area.start + step * (at + 0.5) + bar * (n - plot.series.length / 2)
      if (value > 0) canvas.fill({ start, width: bar, y: zero - height, height }, colors[n] ?? INK)
    }
  const widest = Math.max(...plot.labels.map(label => text.width(label, LABEL))) + 6
  const every = Math.ceil(widest / step)
  for (const [at, label] of plot.labels.entries())
    if (at % every === 0) {
      const middle = area.start + step * (at + 0.5)
      canvas.label(label, {
        start: middle - widest / 2,
        width: widest,
        y: zero + 11,
        color: GRAY,
        align: 'center',
        ...LABEL,
      })
    }
}

interface Legend {
  y: number
  colors: readonly string[]
}

function drawLegend(canvas: PdfCanvas, { series }: PdfPlot, { y, colors }: Legend): void {
  let { start } = canvas.content
  for (const [at, { name }] of series.entries()) {
    const width = canvas.text.width(name, LABEL)
    canvas.fill({ start, width: 7, y: y - 6, height: 7 }, colors[at] ?? INK)
    canvas.label(name, { start: start + 11, width, y, ...LABEL })
    start += width + 26
  }
}
