import type { SmartDay } from '@floorcast/planner/smart-day.ts'
import { rulerMarks, type RibbonView } from './ribbon-view.ts'
import { blockAt, countBlocks, wallSeconds } from './smart-blocks.ts'
import { sayWallMinute, sayWallTime } from './wall-time.ts'

export interface RibbonLook {
  view: RibbonView
  /** CSS pixels. */
  width: number
  height: number
  isMirrored: boolean
  chosen: number
  hovered: number
  colors: RibbonColors
}

export interface RibbonColors {
  melody: string
  ad: string
  text: string
  line: string
  chosen: string
  /** Names on an ad. */
  onAd: string
  /** What is between two plays. */
  ground: string
}

const rulerHeight = 24
/** Below this width (pixels) single plays are not told apart. */
const playRoom = 4
const nameRoom = 56
const namePad = 6
const font = (size: number) => `${size}px 'Inter Variable', 'Noto Sans Arabic', system-ui, sans-serif`

/** Reads the ribbon's colours from the element's own variables, so that they follow mode and accent. */
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

/** Draws what the view shows of the day: ads as high as the ribbon, background lower, plays and names where there is room. */
export function drawRibbon(paint: CanvasRenderingContext2D, day: SmartDay, look: RibbonLook): void {
  const { width, height, view } = look
  paint.clearRect(0, 0, width, height)
  drawRuler(paint, day, look)
  const last = countBlocks(day)
  for (let block = Math.max(0, blockAt(day, view.from)); block < last; block += 1) {
    if ((day.blockStarts[block] ?? 0) >= view.to) break
    drawBlock(paint, { day, block, look })
  }
}

const perSecond = ({ width, view }: RibbonLook) => width / (view.to - view.from)

/** The left edge and width of a span of time, mirrored in languages that run from right to left. */
function place(look: RibbonLook, start: number, seconds: number): [x: number, width: number] {
  const scale = perSecond(look)
  const wide = seconds * scale
  const x = (start - look.view.from) * scale
  return [look.isMirrored ? look.width - x - wide : x, wide]
}

function drawRuler(paint: CanvasRenderingContext2D, day: SmartDay, look: RibbonLook): void {
  const { width, height, colors, view } = look
  paint.font = font(11)
  paint.textBaseline = 'middle'
  paint.textAlign = 'center'
  const marks = rulerMarks(view, { startsAtSeconds: day.startsAtSeconds, width, room: 64 })
  // One form for all of them.
  const say = marks.every(mark => wallSeconds(day, mark) % 60 === 0) ? sayWallMinute : sayWallTime
  for (const mark of marks) {
    const [x] = place(look, mark, 0)
    paint.fillStyle = colors.line
    paint.fillRect(Math.round(x), rulerHeight - 4, 1, height)
    const words = say(wallSeconds(day, mark))
    const half = paint.measureText(words).width / 2
    paint.fillStyle = colors.text
    paint.fillText(words, Math.max(half, Math.min(width - half, x)), rulerHeight / 2 - 2)
  }
}

interface Drawn {
  day: SmartDay
  block: number
  look: RibbonLook
}

function drawBlock(paint: CanvasRenderingContext2D, { day, block, look }: Drawn): void {
  const { colors, height } = look
  const isAd = day.blockIsAd[block] === 1
  const [x, wide] = place(look, day.blockStarts[block] ?? 0, day.blockDurations[block] ?? 0)
  const body = height - rulerHeight
  const top = isAd ? rulerHeight : rulerHeight + body * 0.4
  const gap = wide > 3 ? 1 : 0
  paint.fillStyle = isAd ? colors.ad : colors.melody
  paint.fillRect(x, top, Math.max(0.5, wide - gap), height - top)
  drawPlays(paint, { day, block, look }, top)
  if (block !== look.chosen && block !== look.hovered) return
  paint.strokeStyle = colors.chosen
  paint.lineWidth = block === look.chosen ? 2 : 1
  paint.strokeRect(x + 1, top + 1, Math.max(1, wide - gap - 2), height - top - 2)
}

/** The plays of a block, where one is wide enough to be seen; its name, where that fits. */
function drawPlays(paint: CanvasRenderingContext2D, { day, block, look }: Drawn, top: number): void {
  const [first, end] = [day.blockFirst[block] ?? 0, day.blockFirst[block + 1] ?? 0]
  const seconds = day.blockDurations[block] ?? 0
  if ((seconds * perSecond(look)) / Math.max(1, end - first) < playRoom) return
  const { colors, height } = look
  paint.font = font(12)
  paint.textBaseline = 'middle'
  for (let play = first; play < end; play += 1) {
    const track = day.tracks[day.playTracks[play] ?? 0]
    const start = day.playStarts[play] ?? 0
    if (!track || start > look.view.to || start + track.duration < look.view.from) continue
    const [x, wide] = place(look, start, track.duration)
    paint.fillStyle = colors.ground
    if (play > first) paint.fillRect(look.isMirrored ? x + wide : x, top, 1, height - top)
    if (wide < nameRoom) continue
    const [from, to] = [Math.max(0, x) + namePad, Math.min(look.width, x + wide) - namePad]
    paint.fillStyle = day.blockIsAd[block] === 1 ? colors.onAd : colors.text
    paint.textAlign = look.isMirrored ? 'right' : 'left'
    paint.fillText(fitName(paint, track.name, to - from), look.isMirrored ? to : from, (top + height) / 2)
  }
}

/** A name as long as there is room for, in its own direction whatever the page's is. */
function fitName(paint: CanvasRenderingContext2D, name: string, room: number): string {
  const shown = (letters: readonly string[], end = '') => `\u2068${letters.join('')}${end}\u2069`
  const fits = (text: string) => paint.measureText(text).width <= room
  const letters = [...name]
  if (fits(shown(letters))) return shown(letters)
  let [least, most] = [0, letters.length - 1]
  while (least < most) {
    const middle = Math.ceil((least + most) / 2)
    if (fits(shown(letters.slice(0, middle), '…'))) least = middle
    else most = middle - 1
  }
  return least === 0 ? '' : shown(letters.slice(0, least), '…')
}
