import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Readable } from 'node:stream'
import { promisify } from 'node:util'

const isOnPath = (program: string) =>
  (process.env['PATH'] ?? '').split(delimiter).some(folder => existsSync(join(folder, program)))

/** Whether this machine can show a screen to a test. */
export const hasVirtualScreens = (): boolean => isOnPath('Xvfb')

export interface Size {
  width: number
  height: number
}
export type Color = readonly [red: number, green: number, blue: number]
interface Area extends Size {
  x: number
  y: number
}

/** The content of a screen at one moment. */
export class Picture {
  readonly width: number
  readonly height: number
  readonly #bytes: Buffer

  /** Three bytes a pixel: red, green, blue. */
  constructor({ width, height }: Size, bytes: Buffer) {
    this.width = width
    this.height = height
    this.#bytes = bytes
  }
  at(x: number, y: number): Color {
    const index = 3 * (Math.floor(y) * this.width + Math.floor(x))
    return [this.#bytes[index] ?? 0, this.#bytes[index + 1] ?? 0, this.#bytes[index + 2] ?? 0]
  }
  crop({ x, y, width, height }: Area): Picture {
    const lines = Array.from({ length: height }, (_, row) => {
      const from = 3 * ((y + row) * this.width + x)
      return this.#bytes.subarray(from, from + 3 * width)
    })
    return new Picture({ width, height }, Buffer.concat(lines))
  }
}

const run = promisify(execFile)
/** A second of a large screen. */
const MAX_BYTES = 1_000_000_000
export const RECORDED_FRAMES_A_SECOND = 60

/** Reads a JPEG or PNG, scaled to `size`. */
export async function decodePicture(bytes: Buffer, size: Size): Promise<Picture> {
  const scaled = ['-vf', `scale=${size.width}:${size.height}`, '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-']
  const decoding = run('ffmpeg', ['-v', 'error', '-i', '-', ...scaled], {
    encoding: 'buffer',
    maxBuffer: MAX_BYTES,
  })
  decoding.child.stdin?.end(bytes)
  return new Picture(size, (await decoding).stdout)
}

/** An X server without a monitor, by the Debian package `xvfb`. ffmpeg takes its pictures. */
export class VirtualScreen {
  readonly size: Size
  /** The value of DISPLAY for its programs. */
  readonly display: string
  readonly #server: ChildProcess

  private constructor(size: Size, display: string, server: ChildProcess) {
    this.size = size
    this.display = display
    this.#server = server
  }

  static async start(size: Size): Promise<VirtualScreen> {
    const screen = `${size.width}x${size.height}x24`
    // It chooses a free number and writes it to its fourth file.
    const args = ['-displayfd', '3', '-screen', '0', screen, '-nolisten', 'tcp', '-noreset']
    const server = spawn('Xvfb', args, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] })
    const [number] = (await once(server.stdio[3] as Readable, 'data')) as [Buffer]
    return new VirtualScreen(size, `:${number.toString().trim()}`, server)
  }
  async stop(): Promise<void> {
    if (this.#server.exitCode !== null || this.#server.signalCode !== null) return
    this.#server.kill('SIGKILL')
    await once(this.#server, 'exit')
  }

  async takePicture(): Promise<Picture> {
    const area = { x: 0, y: 0, ...this.size }
    return new Picture(this.size, await this.#grab(area, ['-frames:v', '1']))
  }

  /** Records a part of the screen, 60 times a second. A picture that was taken too late stands as the one before it. */
  async record(area: Area, seconds: number): Promise<Picture[]> {
    // ffmpeg's own estimate of the rate is sometimes twice as high.
    const rate = ['-vsync', 'cfr', '-r', String(RECORDED_FRAMES_A_SECOND)]
    const bytes = await this.#grab(area, ['-t', String(seconds), ...rate])
    const length = 3 * area.width * area.height
    return Array.from(
      { length: Math.floor(bytes.length / length) },
      (_, index) => new Picture(area, bytes.subarray(index * length, (index + 1) * length)),
    )
  }

  async #grab({ x, y, width, height }: Area, options: string[]): Promise<Buffer> {
    const source = ['-f', 'x11grab', '-draw_mouse', '0', '-framerate', String(RECORDED_FRAMES_A_SECOND)]
    const part = ['-video_size', `${width}x${height}`, '-i', `${this.display}+${x},${y}`]
    const { stdout } = await run(
      'ffmpeg',
      ['-v', 'error', ...source, ...part, ...options, '-f', 'rawvideo', '-pix_fmt', 'rgb24', '-'],
      { encoding: 'buffer', maxBuffer: MAX_BYTES },
    )
    return stdout
  }
}
