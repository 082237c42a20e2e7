import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Color, Picture, Size } from './virtual-screen.ts'

/*
 * Videos whose pictures say which video and which frame they are. A picture is a grid of cells: red, green, blue and white
 * in its corners (by which a test sees how it lies on the screen), the video's color elsewhere, and in its middle row the
 * number of the frame in eight cells, black or white, the highest bit first.
 */

const CELL = 10
const BITS = 8
const GRIDS = { landscape: { columns: 16, rows: 9 }, portrait: { columns: 9, rows: 16 } } as const
export const cornerColors = {
  topLeft: 'red',
  topRight: 'green',
  bottomLeft: 'blue',
  bottomRight: 'white',
} as const

const colors = {
  black: [0, 0, 0],
  red: [255, 0, 0],
  green: [0, 255, 0],
  blue: [0, 0, 255],
  white: [255, 255, 255],
  yellow: [255, 255, 0],
  magenta: [255, 0, 255],
  cyan: [0, 255, 255],
} as const satisfies Record<string, Color>
export type ColorName = keyof typeof colors
/** The colors that tell videos apart. */
export type VideoColor = 'yellow' | 'magenta' | 'cyan'

/** The nearest of the named colors; null for one between them, as of a logo. */
export function nameColor([red, green, blue]: Color): ColorName | null {
  const isOn = (value: number) => (value > 170 ? 255 : value < 85 ? 0 : null)
  const pure = [isOn(red), isOn(green), isOn(blue)]
  const names = Object.keys(colors) as ColorName[]
  return names.find(name => colors[name].every((value, index) => value === pure[index])) ?? null
}

interface CodedVideo {
  color: VideoColor
  seconds: number
  rate?: number
  form?: keyof typeof GRIDS
  /** The length of its sound; 0 for a video without sound. */
  soundSeconds?: number
}

function drawFrame(
  number: number,
  color: VideoColor,
  { columns, rows }: { columns: number; rows: number },
): Buffer {
  const middle = Math.floor(rows / 2)
  const firstBit = Math.floor((columns - BITS) / 2)
  const nameOf = (column: number, row: number): ColorName => {
    const [isLeft, isRight] = [column === 0, column === columns - 1]
    if (row === 0 && isLeft) return cornerColors.topLeft
    if (row === 0 && isRight) return cornerColors.topRight
    if (row === rows - 1 && isLeft) return cornerColors.bottomLeft
    if (row === rows - 1 && isRight) return cornerColors.bottomRight
    const bit = column - firstBit
    if (row !== middle || bit < 0 || bit >= BITS) return color
    return (number >> (BITS - 1 - bit)) % 2 === 1 ? 'white' : 'black'
  }
  const lines = Array.from({ length: rows }, (_, row) => {
    const line = Array.from({ length: columns }, (__, column) =>
      Buffer.alloc(3 * CELL, Buffer.from(colors[nameOf(column, row)])),
    )
    return Buffer.concat(Array.from({ length: CELL }, () => Buffer.concat(line)))
  })
  return Buffer.concat(lines)
}

type Grid = (typeof GRIDS)[keyof typeof GRIDS]

/** Encodes frames by ffmpeg as a file of this kind. */
function encode(
  kind: 'mp4' | 'png',
  { columns, rows }: Grid,
  { frames, rate = 25, args = [] }: { frames: Buffer[]; rate?: number; args?: string[] },
): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-video-'))
  const path = join(folder, `coded.${kind}`)
  const size = `${columns * CELL}x${rows * CELL}`
  const pictures = ['-f', 'rawvideo', '-pix_fmt', 'rgb24', '-s', size, '-r', String(rate), '-i', '-']
  try {
    execFileSync('ffmpeg', ['-v', 'error', ...pictures, ...args, path], { input: Buffer.concat(frames) })
    return readFileSync(path)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Makes an MP4 of H.264 and AAC by ffmpeg. A landscape picture has 160 × 90 pixels. */
export function makeCodedVideo(video: CodedVideo): Buffer {
  const { color, seconds, rate = 25, form = 'landscape', soundSeconds = seconds } = video
  const grid = GRIDS[form]
  const frames = Array.from({ length: Math.round(seconds * rate) }, (_, number) =>
    drawFrame(number, color, grid),
  )
  const sound = ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:duration=${soundSeconds}`]
  const codecs = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p', '-c:a', 'aac']
  const args = [...(soundSeconds > 0 ? sound : []), ...codecs, '-movflags', '+faststart']
  return encode('mp4', grid, { frames, rate, args })
}

/** A PNG of a video's first frame. */
export const makeCodedImage = (color: VideoColor): Buffer =>
  encode('png', GRIDS.landscape, { frames: [drawFrame(0, color, GRIDS.landscape)] })

/** The part of a landscape picture that fills `screen`, from which `readFrame` reads: some lines of its middle row. */
export const codeArea = ({ width, height }: Size) => ({
  x: 0,
  y: Math.floor(height / 2) - 2,
  width,
  height: 4,
})

/** The place in pixels of a video that is turned by `rotation`, on a screen that it fills in one direction. */
function fit(screen: Size, form: keyof typeof GRIDS, rotation: number) {
  const { columns, rows } = GRIDS[form]
  const [across, down] = rotation % 180 === 0 ? [columns, rows] : [rows, columns]
  const cell = Math.min(screen.width / across, screen.height / down)
  const [width, height] = [cell * across, cell * down]
  return { x: (screen.width - width) / 2, y: (screen.height - height) / 2, width, height, cell }
}

/** The colors in the corners of a video on a screen, clockwise from the upper left, if it fills the screen as it should. */
export function readCorners(
  screen: Picture,
  { form = 'landscape', rotation = 0 }: { form?: keyof typeof GRIDS; rotation?: number } = {},
): (ColorName | null)[] {
  const { x, y, width, height, cell } = fit(screen, form, rotation)
  const [left, top, right, bottom] = [x + cell / 2, y + cell / 2, x + width - cell / 2, y + height - cell / 2]
  const points = [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ] as const
  return points.map(point => nameColor(screen.at(...point)))
}

/** The corners of a video that is turned clockwise by a multiple of 90 degrees. */
export function turnCorners(rotation: number): ColorName[] {
  const { topLeft, topRight, bottomRight, bottomLeft } = cornerColors
  const corners = [topLeft, topRight, bottomRight, bottomLeft]
  const turns = rotation / 90
  return corners.map((_, index) => corners[(index + 4 - turns) % 4] ?? topLeft)
}

/** A frame of a video, or another picture: a black screen, or any other. */
export type ShownFrame = { color: VideoColor; number: number } | 'black' | 'other'

/** Reads what a recorded `codeArea` shows. */
export function readFrame(picture: Picture): ShownFrame {
  const { columns } = GRIDS.landscape
  const cells = Array.from({ length: columns }, (_, column) =>
    nameColor(picture.at(((column + 0.5) * picture.width) / columns, picture.height / 2)),
  )
  const [color] = cells
  const bits = cells.slice((columns - BITS) / 2, (columns + BITS) / 2)
  if (cells.every(cell => cell === 'black')) return 'black'
  if (color !== 'yellow' && color !== 'magenta' && color !== 'cyan') return 'other'
  if (bits.some(bit => bit !== 'black' && bit !== 'white')) return 'other'
  return { color, number: bits.reduce((number, bit) => 2 * number + (bit === 'white' ? 1 : 0), 0) }
}
