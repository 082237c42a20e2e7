import { type ChildProcess, spawn } from 'node:child_process'
import { Duplex } from 'node:stream'
import { firstOf } from '@floorcast/device-client/wait.ts'
import { defaultDisplay, type DisplaySettings, videoArguments } from './display.ts'

export interface MpvOptions {
  /** mpv's `--ao`. The value null means the machine's default; the text 'null' means the output without sound. */
  audioOutput: string | null
  /** Plays only the sound, also of a video. */
  audioOnly?: boolean
  /** A file that the screen of a video device shows where no video plays; the logo without it. */
  picture?: string | null
  /** False: what a video shows is decoded and not seen. */
  hasScreen?: boolean
  /** Set for a player that shows videos. */
  display?: DisplaySettings
  /** Decodes as fast as it can, stays at a file's end, and has the levels of its sound in `af-metadata/levels`. */
  decodesOnly?: boolean
  /** The binary; `mpv` by default. */
  command?: string
}

export type MpvEvent = { event: string } & Record<string, unknown>
/** Why a file could not be played, by mpv's event of its end. */
export function readFileError(event: MpvEvent): string {
  const error = event['file_error']
  return typeof error === 'string' ? error : 'no sound in it'
}

/** mpv may take seconds to start on a busy machine. One that takes longer hangs, and an alert may be waiting for it. */
const ANSWER_TIMEOUT_MS = 15_000
/** One that has answered before does so within this time. */
const HANG_MS = 3000

type Reply = { request_id: number; error: string; data?: unknown }

/** `audioOutput` is `null` then. */
const DECODING_ARGUMENTS = [
  '--ao-null-untimed=yes',
  '--keep-open=yes',
  '--af=@levels:lavfi=[astats=metadata=1:measure_perchannel=none:measure_overall=Peak_level]',
]

function argumentsOf({
  audioOutput,
  audioOnly = false,
  decodesOnly = false,
  hasScreen = true,
  display = defaultDisplay,
}: MpvOptions): string[] {
  return [
    '--no-config',
    '--idle=yes',
    '--no-terminal',
    '--input-ipc-client=fd://3',
    '--input-default-bindings=no',
    '--load-scripts=no',
    '--ytdl=no',
    '--gapless-audio=yes',
    // One output for all files: else the first one's channels and rate would be those of all that follow it without a gap.
    '--audio-channels=stereo',
    '--audio-samplerate=48000',
    // A changed speed is resampled: it corrects drift by a thousandth at most.
    '--audio-pitch-correction=no',
    '--prefetch-playlist=yes',
    '--audio-display=no',
    '--volume-max=100',
    ...(audioOnly ? ['--video=no'] : videoArguments(display)),
    ...(hasScreen ? [] : ['--vo=null']),
    ...(audioOutput === null ? [] : [`--ao=${audioOutput}`]),
    ...(decodesOnly ? DECODING_ARGUMENTS : []),
  ]
}

/** Null for a line that is no JSON object: mpv writes file names unescaped, whatever their bytes. */
function parseLine(line: string): Reply | MpvEvent | null {
  try {
    const message: unknown = JSON.parse(line)
    return typeof message === 'object' ? (message as Reply | MpvEvent | null) : null
  } catch {
    return null
  }
}

/**
 * One mpv process. The agent and mpv exchange JSON lines over a socket that mpv inherits as file descriptor 3. The socket
 * needs no path, and it closes when the agent is killed, which ends mpv.
 */
export class MpvProcess {
  readonly #child: ChildProcess
  readonly #socket: Duplex
  readonly #onEvent: (event: MpvEvent) => void
  readonly #pending = new Map<number, (reply: Reply) => void>()
  #lastId = 0
  #unread = ''
  /** Resolves with the reason when the process has ended. */
  readonly ended: Promise<string>
  isAlive = true
  #hasAnswered = false

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
    void this.ended.then(why => this.#failPending(why))
  }

  get pid(): number | undefined {
    return this.#child.pid
  }

  /**
   * Sends a command: an array, or an object with named arguments. Resolves to mpv's data and rejects with mpv's error.
   * Kills an mpv that does not answer within 15 s.
   */
  async send(command: readonly unknown[] | Record<string, unknown>): Promise<unknown> {
    if (!this.isAlive) throw new Error('mpv is gone')
    this.#lastId += 1
    const id = this.#lastId
    const stuck = setTimeout(() => this.kill(), ANSWER_TIMEOUT_MS)
    const reply = await new Promise<Reply>(resolve => {
      this.#pending.set(id, resolve)
      this.#socket.write(`${JSON.stringify({ command, request_id: id })}\n`)
    })
    clearTimeout(stuck)
    if (reply.error !== 'success') throw new Error(`mpv: ${reply.error}`)
    return reply.data
  }

  /** Waits for an answer. Kills an mpv that has answered before and hangs: then it resolves to false. */
  async answers(): Promise<boolean> {
    const limitMs = this.#hasAnswered ? HANG_MS : null
    const answer = this.send(['get_property', 'idle-active']).catch(() => undefined)
    if ((await firstOf([answer], limitMs)) !== 'time') return true
    this.kill()
    await this.ended
    return false
  }

  /** Removes all entries of its playlist but the current one, whose id it returns; null without one. */
  async clearPlaylist(): Promise<number | null> {
    try {
      await this.send(['playlist-clear'])
      return Number(await this.send(['get_property', 'playlist/0/id']))
    } catch {
      return null
    }
  }

  stop(): void {
    if (this.isAlive) this.#child.kill('SIGTERM')
  }

  kill(): void {
    if (this.isAlive) this.#child.kill('SIGKILL')
  }

  #failPending(why: string): void {
    this.isAlive = false
    for (const [id, resolve] of this.#pending) resolve({ request_id: id, error: `mpv ${why}` })
    this.#pending.clear()
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
        this.#hasAnswered = true
        this.#pending.get(message.request_id)?.(message)
        this.#pending.delete(message.request_id)
      }
    }
  }
}
