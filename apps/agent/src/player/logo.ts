import { crc32, deflateSync } from 'node:zlib'

/*
 * The picture of a screen on which no video plays: the project's logo, small on black, which hides the bars beside it. It is drawn
 * here, so that the agent stays one file.
 */

const WIDTH = 1280
const HEIGHT = 720
const LOGO_PIXELS = 160
/** The logo's own grid, as in the console's favicon.svg. */
const UNITS = 32
const CORNER_RADIUS = 8
const STROKE_RADIUS = 1.25
/** Points a pixel, in each direction: they smooth its edges. */
const SAMPLES = 2

type Color = readonly [number, number, number]
const BLACK: Color = [0, 0, 0]
const TEAL: Color = [0, 118, 146]
const WHITE: Color = [255, 255, 255]
/** White at 55 % on teal. */
const PALE: Color = [140, 193, 206]

const isInSquare = (x: number, y: number): boolean => {
  const inner = UNITS / 2 - CORNER_RADIUS
  const [dx, dy] = [
    Math.max(0, Math.abs(x - UNITS / 2) - inner),
    Math.max(0, Math.abs(y - UNITS / 2) - inner),
  ]
  return Math.hypot(dx, dy) <= CORNER_RADIUS
}

/** A line with round ends. */
const isOnBase = (x: number, y: number): boolean =>
  Math.hypot(x - Math.min(25, Math.max(7, x)), y - 24.5) <= STROKE_RADIUS

/** The part of a circle above `bottom`, with round ends. */
function isOnArc(x: number, y: number, arc: { y: number; radius: number; bottom: number }): boolean {
  if (y <= arc.bottom) return Math.abs(Math.hypot(x - 16, y - arc.y) - arc.radius) <= STROKE_RADIUS
  const halfWidth = Math.sqrt(arc.radius ** 2 - (arc.y - arc.bottom) ** 2)
  return Math.hypot(Math.abs(x - 16) - halfWidth, y - arc.bottom) <= STROKE_RADIUS
}

function colorAt(x: number, y: number): Color {
  if (!isInSquare(x, y)) return BLACK
  const isWhite =
    isOnBase(x, y) ||
    isOnArc(x, y, { y: 20, radius: 3.5, bottom: 20 }) ||
    isOnArc(x, y, { y: 20, radius: 7.5, bottom: 20 })
  if (isWhite) return WHITE
  return isOnArc(x, y, { y: 20.15, radius: 11.5, bottom: 16.2 }) ? PALE : TEAL
}

/** The pixel's color: the mean of its points. */
function pixelAt(column: number, row: number): Color {
  const sum: [number, number, number] = [0, 0, 0]
  for (let sample = 0; sample < SAMPLES * SAMPLES; sample += 1) {
    const x = column + ((sample % SAMPLES) + 0.5) / SAMPLES
    const y = row + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES
    colorAt((x * UNITS) / LOGO_PIXELS, (y * UNITS) / LOGO_PIXELS).forEach((value, index) => {
      sum[index] = (sum[index] ?? 0) + value / SAMPLES ** 2
    })
  }
  return sum
}

function chunkOf(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  checksum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, checksum])
}

/** A PNG of 8 bits for each of red, green and blue. */
function encodePng(pixels: Buffer): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(WIDTH, 0)
  header.writeUInt32BE(HEIGHT, 4)
  header.set([8, 2, 0, 0, 0], 8)
  // Each line begins with the number of its filter; 0 is no filter.
  const lines = Array.from({ length: HEIGHT }, (_, row) =>
    Buffer.concat([Buffer.alloc(1), pixels.subarray(3 * row * WIDTH, 3 * (row + 1) * WIDTH)]),
  )
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunkOf('IHDR', header),
    chunkOf('IDAT', deflateSync(Buffer.concat(lines))),
    chunkOf('IEND', Buffer.alloc(0)),
  ])
}

/** The logo in the middle of a black screen, as a PNG. */
export function drawLogo(): Buffer {
  const pixels = Buffer.alloc(3 * WIDTH * HEIGHT)
  const [left, top] = [(WIDTH - LOGO_PIXELS) / 2, (HEIGHT - LOGO_PIXELS) / 2]
  for (let row = 0; row < LOGO_PIXELS; row += 1)
    for (let column = 0; column < LOGO_PIXELS; column += 1)
      pixels.set(pixelAt(column, row), 3 * ((top + row) * WIDTH + left + column))
  return encodePng(pixels)
}

let logoUrl = ''

/** The logo as mpv reads it without a file, which a disk could lose. It takes a tenth of a second to draw, once. */
export function getLogoUrl(): string {
  logoUrl ||= `hex://${drawLogo().toString('hex')}`
  return logoUrl
}
