import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eventually } from './eventually.ts'

/** Samples a second of a recording, one channel. */
export const RECORDED_RATE = 48_000
/** The longest time that samples wait before they are in the recording. */
const LATENCY_MS = 20

/**
 * A sound card of the test: PulseAudio with an output that nobody hears, and everything that sounds in it in a file. Programs use
 * it with `environment`. Needs the Debian packages pulseaudio and pulseaudio-utils.
 */
export class SoundRecorder {
  readonly environment: Record<string, string>
  /** When the first sample sounded, in milliseconds since 1970, to some hundredths of a second. */
  readonly startedAt: number
  readonly #programs: ChildProcess[]
  readonly #path: string

  private constructor(
    parts: { environment: Record<string, string>; startedAt: number; path: string },
    programs: ChildProcess[],
  ) {
    this.environment = parts.environment
    this.startedAt = parts.startedAt
    this.#path = parts.path
    this.#programs = programs
  }

  static isPossible(): boolean {
    return ['pulseaudio', 'parec'].every(program => spawnSync(program, ['--version']).status === 0)
  }

  static async start(folder: string): Promise<SoundRecorder> {
    const socket = join(folder, 'sound.socket')
    const path = join(folder, 'recording.raw')
    const environment = { PULSE_SERVER: `unix:${socket}` }
    const env = { ...process.env, ...environment, HOME: folder, XDG_RUNTIME_DIR: folder }
    const modules = [
      `module-null-sink sink_name=shop rate=${RECORDED_RATE} channels=2`,
      `module-native-protocol-unix auth-anonymous=1 socket=${socket}`,
    ]
    const daemon = spawn(
      'pulseaudio',
      [
        '-n',
        '--daemonize=no',
        '--use-pid-file=no',
        '--exit-idle-time=-1',
        ...modules.flatMap(each => ['-L', each]),
      ],
      { env, stdio: 'ignore' },
    )
    await eventually(() => {
      if (!existsSync(socket)) throw new Error('PulseAudio has not started')
    })
    const recorder = spawn(
      'parec',
      [
        '-d',
        'shop.monitor',
        '--raw',
        '--format=s16le',
        `--rate=${RECORDED_RATE}`,
        '--channels=1',
        `--latency-msec=${LATENCY_MS}`,
      ],
      { env, stdio: ['ignore', 'pipe', 'ignore'] },
    )
    recorder.stdout.pipe(createWriteStream(path))
    await once(recorder.stdout, 'data')
    return new SoundRecorder({ environment, startedAt: Date.now() - LATENCY_MS, path }, [recorder, daemon])
  }

  /** Ends the recording. Returns its samples. */
  async stop(): Promise<Int16Array> {
    for (const program of this.#programs) {
      const ended = once(program, 'exit')
      program.kill('SIGTERM')
      await ended
    }
    const bytes = readFileSync(this.#path)
    return new Int16Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 2))
  }
}
