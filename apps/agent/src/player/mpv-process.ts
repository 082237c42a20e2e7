import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Duplex } from 'node:stream'

export interface MpvOptions {
  /** mpv's `--ao`; null: the machine's default. `null` in quotes is the output without sound. */
  audioOutput: string | null
  /** Sound only, even of a video. */
  soundOnly?: boolean
  /** The binary; `mpv` unless told. */
  command?: string
}

export type MpvEvent = { event: string } & Record<string, unknown>
/** A busy box's mpv may take seconds to start; one that takes longer hangs, and an alert may be waiting for it. */
const ANSWER_WITHIN = 15_000

type Reply = { request_id: number; error: string; data?: unknown }

/** Where pictures may go, best first; the last one takes them where there is no screen. */
function videoOutputs(): string {
  if (process.env['DISPLAY'] ?? process.env['WAYLAND_DISPLAY']) return 'gpu,x11,null'
  return existsSync('/dev/dri/card0') ? 'gpu,drm,null' : 'null'
}

/** A window comes with the first video, and covers the screen. */
const pictureArguments = (): string[] => [
  `--vo=${videoOutputs()}`,
  '--fullscreen',
  '--cursor-autohide=always',
  '--osc=no',
  '--osd-level=0',
]

function argumentsOf({ audioOutput, soundOnly = false }: MpvOptions): string[] {
  return [
    '--no-config',
    '--idle=yes',
    '--no-terminal',
    '--input-ipc-client=fd://3',
    '--input-default-bindings=no',
    '--load-scripts=no',
    '--ytdl=no',
    '--gapless-audio=yes',
    '--prefetch-playlist=yes',
    '--audio-display=no',
    '--volume-max=100',
    ...(soundOnly ? ['--video=no'] : pictureArguments()),
    ...(audioOutput === null ? [] : [`--ao=${audioOutput}`]),
  ]
}

/** Null for a line that is no JSON object: mpv writes names of files as they are, whatever their bytes. */
function parseLine(line: string): Reply | MpvEvent | null {
  try {
    const message: unknown = JSON.parse(line)
    return typeof message === 'object' ? (message as Reply | MpvEvent | null) : null
  } catch {
    return null
  }
}

/**
 * One mpv, spoken to in JSON lines over a socket that is its child's fourth file: no path, and mpv ends by itself when
 * the agent is killed, since the socket then closes.
 */
export class MpvProcess {
  readonly #child: ChildProcess
  readonly #socket: Duplex
  readonly #onEvent: (event: MpvEvent) => void
  readonly #waiting = new Map<number, (reply: Reply) => void>()
  #lastId = 0
  #unread = ''
  /** Settles when the process is gone, with what is known of why. */
  readonly ended: Promise<string>
  isAlive = true

  constructor(options: MpvOptions, onEvent: (event: MpvEvent) => void) {
    this.#onEvent = onEvent
    this.#child = spawn(options.command ?? 'mpv', argumentsOf(options), {
      stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
    })
    const socket = this.#child.stdio[3]
    if (!(socket instanceof Duplex)) throw new Error('mpv has no control socket')
    this.#socket = socket
    socket.on('error', () => undefined)
    socket.on('data', (data: Buffer) => this.#read(data))
    this.ended = new Promise(resolve => {
      this.#child.once('error', error => resolve(error.message))
      this.#child.once('exit', (code, signal) =>
        resolve(signal ? `ended by ${signal}` : `ended with ${code}`),
      )
    })
    void this.ended.then(why => this.#bury(why))
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /**
   * Sends a command: an array, or an object with named arguments. Resolves to its data; raises what mpv says against it.
   * An mpv that gives no answer for 15 s is ended.
   */
  async send(command: readonly unknown[] | Record<string, unknown>): Promise<unknown> {
    if (!this.isAlive) throw new Error('mpv is gone')
    this.#lastId += 1
    const id = this.#lastId
    const stuck = setTimeout(() => this.kill(), ANSWER_WITHIN)
    const reply = await new Promise<Reply>(resolve => {
      this.#waiting.set(id, resolve)
      this.#socket.write(`${JSON.stringify({ command, request_id: id })}\n`)
    })
    clearTimeout(stuck)
    if (reply.error !== 'success') throw new Error(`mpv: ${reply.error}`)
    return reply.data
  }

  stop(): void {
    if (this.isAlive) this.#child.kill('SIGTERM')
  }

  kill(): void {
    if (this.isAlive) this.#child.kill('SIGKILL')
  }

  #bury(why: string): void {
    this.isAlive = false
    for (const [id, resolve] of this.#waiting) resolve({ request_id: id, error: `mpv ${why}` })
    this.#waiting.clear()
    this.#socket.destroy()
  }

  #read(data: Buffer): void {
    const lines = (this.#unread + data.toString()).split('\n')
    this.#unread = lines.pop() ?? ''
    for (const line of lines) {
      const message = parseLine(line)
      if (!message) continue
      if ('event' in message) this.#onEvent(message)
      else {
        this.#waiting.get(message.request_id)?.(message)
        this.#waiting.delete(message.request_id)
      }
    }
  }
}
