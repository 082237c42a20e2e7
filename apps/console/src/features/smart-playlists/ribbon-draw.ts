import type { SmartDay } from '@floorcast/planner/smart-day.ts'
import { rulerMarks, type RibbonView } from '../../ui/ribbon/ribbon-view.ts'
import { barLength, barsOf, type RibbonBar } from './ribbon-bars.ts'
import { blockAt, countBlocks, wallSeconds } from './smart-blocks.ts'
import { formatWallMinute, formatWallTime } from './wall-time.ts'
import { canvasFont } from '../../ui/theme/canvas-font.ts'

export interface RibbonDrawing {
  view: RibbonView
  /** CSS pixels. */
  width: number
  height: number
  isMirrored: boolean
  chosen: number
  hovered: number
  colors: RibbonColors
  /** A share as text. */
  percent: (share: number) => string
}

export interface RibbonColors {
  melody: string
  ad: string
  text: string
  line: string
  chosen: string
  /** Track names on an ad. */
  onAd: string
  /** The line between two plays. */
  ground: string
}

const rulerHeight = 24
/** Below this width in pixels, single plays are not drawn. */
const minPlayWidth = 4
const minNameWidth = 56
const namePadding = 6
const font = (size: number) => `${size}px ${canvasFont}`

/** Reads the colors from CSS variables of the element: they depend on mode and accent. */
export function readColors(element: HTMLElement): RibbonColors {
  const style = getComputedStyle(element)
  const of = (name: string) => style.getPropertyValue(name).trim()
  return {
    melody: of('--ribbon-melody'),
    ad: of('--ribbon-ad'),
    text: of('--ribbon-text'),
    line: of('--ribbon-line'),
    chosen: of('--ribbon-chosen'),
    onAd: of('--ribbon-on-ad'),
    ground: of('--ribbon-ground'),
  }
}

/**
 * Draws the visible part of the day: ads at full height, background lower, plays and names where they fit; of blocks too narrow
 * for that, bars with the shares of ads. Returns the length of the bars in seconds, null for blocks.
 */
export function drawRibbon(
  context: CanvasRenderingContext2D,
  day: SmartDay,
  drawing: RibbonDrawing,
): number | null {
  context.clearRect(0, 0, drawing.width, drawing.height)
  drawRuler(context, day, drawing)
  const length = barLength(day, perSecond(drawing))
  if (length === null) drawBlocks(context, day, drawing)
  else drawBars(context, { day, drawing, length })
  return length
}

function drawBlocks(context: CanvasRenderingContext2D, day: SmartDay, drawing: RibbonDrawing): void {
  const { view } = drawing
  const last = countBlocks(day)
  for (let block = Math.max(0, blockAt(day, view.from)); block < last; block += 1) {
    if ((day.blockStarts[block] ?? 0) >= view.to) break
    drawBlock(context, { day, block, drawing })
  }
}

const perSecond = ({ width, view }: RibbonDrawing) => width / (view.to - view.from)

/** The left edge and width of a span of time; mirrored in right-to-left pages. */
function place(drawing: RibbonDrawing, start: number, seconds: number): [x: number, width: number] {
  const scale = perSecond(drawing)
  const wide = seconds * scale
  const x = (start - drawing.view.from) * scale
  return [drawing.isMirrored ? drawing.width - x - wide : x, wide]
}

function drawRuler(context: CanvasRenderingContext2D, day: SmartDay, drawing: RibbonDrawing): void {
  const { width, height, colors, view } = drawing
  context.font = font(11)
  context.textBaseline = 'middle'
  context.textAlign = 'center'
  const marks = rulerMarks(view, { startsAtSeconds: day.startsAtSeconds, width, room: 64 })
  // One format for all marks.
  const format = marks.every(mark => wallSeconds(day, mark) % 60 === 0) ? formatWallMinute : formatWallTime
  for (const mark of marks) {
    const [x] = place(drawing, mark, 0)
    context.fillStyle = colors.line
    context.fillRect(Math.round(x), rulerHeight - 4, 1, height)
    const text = format(wallSeconds(day, mark))
    const half = context.measureText(text).width / 2
    context.fillStyle = colors.text
    context.fillText(text, Math.max(half, Math.min(width - half, x)), rulerHeight / 2 - 2)
  }
}

/** In pixels: the least height with room for a percentage. */
const minLabelHeight = 18
const minLabelWidth = 32

interface DrawnBars {
  day: SmartDay
  drawing: RibbonDrawing
  length: number
}

/** Bars of ads above background, with the share of ads, and a line at the chosen block. */
function drawBars(context: CanvasRenderingContext2D, { day, drawing, length }: DrawnBars): void {
  const { height, colors, chosen, hovered } = drawing
  const pointed = day.blockStarts[hovered] ?? -1
  for (const bar of barsOf(day, drawing.view, length))
    drawBar(context, { bar, drawing, isPointed: bar.start <= pointed && pointed < bar.end })
  const [x] = place(drawing, day.blockStarts[chosen] ?? 0, 0)
  context.fillStyle = colors.chosen
  context.fillRect(Math.round(x) - 1, rulerHeight, 2, height - rulerHeight)
}

interface DrawnBar {
  bar: RibbonBar
  drawing: RibbonDrawing
  isPointed: boolean
}

function drawBar(context: CanvasRenderingContext2D, { bar, drawing, isPointed }: DrawnBar): void {
  const { height, colors, percent } = drawing
  const [left, all] = place(drawing, bar.start, bar.end - bar.start)
  const [x, wide] = [left + 1, Math.max(1, all - 2)]
  const body = height - rulerHeight
  const [ads, melodies] = [bar.adShare * body, bar.melodyShare * body]
  const top = height - ads - melodies
  context.fillStyle = colors.ad
  context.fillRect(x, top, wide, ads)
  context.fillStyle = colors.melody
  context.fillRect(x, top + ads, wide, melodies)
  if (isPointed) {
    context.strokeStyle = colors.chosen
    context.lineWidth = 1
    context.strokeRect(x + 0.5, top + 0.5, Math.max(1, wide - 1), Math.max(1, ads + melodies - 1))
  }
  const isInAds = ads >= minLabelHeight
  if (wide < minLabelWidth || ads === 0 || (!isInAds && melodies < minLabelHeight)) return
  context.font = font(11)
  context.textBaseline = 'middle'
  context.textAlign = 'center'
  context.fillStyle = isInAds ? colors.onAd : colors.text
  context.fillText(percent(bar.adShare), x + wide / 2, top + (isInAds ? ads / 2 : ads + minLabelHeight / 2))
}

interface DrawnBlock {
  day: SmartDay
  block: number
  drawing: RibbonDrawing
}

function drawBlock(context: CanvasRenderingContext2D, { day, block, drawing }: DrawnBlock): void {
  const { colors, height } = drawing
  const isAd = day.blockIsAd[block] === 1
  const [x, wide] = place(drawing, day.blockStarts[block] ?? 0, day.blockDurations[block] ?? 0)
  const body = height - rulerHeight
  const top = isAd ? rulerHeight : rulerHeight + body * 0.4
  const gap = wide > 3 ? 1 : 0
  context.fillStyle = isAd ? colors.ad : colors.melody
  context.fillRect(x, top, Math.max(0.5, wide - gap), height - top)
  drawPlays(context, { day, block, drawing }, top)
  if (block !== drawing.chosen && block !== drawing.hovered) return
  context.strokeStyle = colors.chosen
  context.lineWidth = block === drawing.chosen ? 2 : 1
  context.strokeRect(x + 1, top + 1, Math.max(1, wide - gap - 2), height - top - 2)
}

/** Draws the plays of a block if they are wide enough, with names where they fit. */
function drawPlays(
  context: CanvasRenderingContext2D,
  { day, block, drawing }: DrawnBlock,
  top: number,
): void {
  const [first, end] = [day.blockFirst[block] ?? 0, day.blockFirst[block + 1] ?? 0]
  const seconds = day.blockDurations[block] ?? 0
  if ((seconds * perSecond(drawing)) / Math.max(1, end - first) < minPlayWidth) return
  const { colors, height } = drawing
  context.font = font(12)
  context.textBaseline = 'middle'
  for (let play = first; play < end; play += 1) {
    const track = day.tracks[day.playTracks[play] ?? 0]
    const start = day.playStarts[play] ?? 0
    if (!track || start > drawing.view.to || start + track.duration < drawing.view.from) continue
    const [x, wide] = place(drawing, start, track.duration)
    context.fillStyle = colors.ground
    if (play > first) context.fillRect(drawing.isMirrored ? x + wide : x, top, 1, height - top)
    if (wide < minNameWidth) continue
    const [from, to] = [Math.max(0, x) + namePadding, Math.min(drawing.width, x + wide) - namePadding]
    context.fillStyle = day.blockIsAd[block] === 1 ? colors.onAd : colors.text
    context.textAlign = drawing.isMirrored ? 'right' : 'left'
    context.fillText(
      fitName(context, track.name, to - from),
      drawing.isMirrored ? to : from,
      (top + height) / 2,
    )
  }
}

/** The name cut to a width. Isolates keep its own text direction. */
function fitName(context: CanvasRenderingContext2D, name: string, room: number): string {
  const shown = (letters: readonly string[], end = '') => `\u2068${letters.join('')}${end}\u2069`
  const fits = (text: string) => context.measureText(text).width <= room
  const letters = [...name]
  if (fits(shown(letters))) return shown(letters)
  let [min, max] = [0, letters.length - 1]
  while (min < max) {
    const middle = Math.ceil((min + max) / 2)
    if (fits(shown(letters.slice(0, middle), '…'))) min = middle
    else max = middle - 1
  }
  return min === 0 ? '' : shown(letters.slice(0, min), '…')
}
