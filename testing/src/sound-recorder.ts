import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { toWav } from './wav.ts'

/** Samples a second of a recording, one channel. */
export const RECORDED_RATE = 48_000
/** The longest time that samples wait before they are in the recording, and the block of the output: a sound begins with the next one. */
const LATENCY_MS = 4
const START_MS = 1000
/** Sound that was played is in the file after this time. */
const SETTLE_MS = 150
const START_TIMEOUT_MS = 30_000

const CLICKS = 20
const CLICK_SAMPLES = 48
/** PulseAudio may swallow a sample that is shorter than its blocks: silence follows the click. */
const SAMPLE_SAMPLES = 2880
/** Clicks follow each other at different phases of the output's blocks. */
const BETWEEN_CLICKS_MS = 143
/** `startedAt` is wrong by less before the calibration, and a click is heard within this time. */
const MAX_CLICK_MS = 60
const CLICK_LEVEL = 8000

/** Milliseconds since 1970, to some hundredths of one. */
const now = () => performance.timeOrigin + performance.now()

async function waitFor(what: string, isThere: () => boolean): Promise<void> {
  const endsAt = now() + START_TIMEOUT_MS
  while (!isThere()) {
    if (now() > endsAt) throw new Error(`Waited ${START_TIMEOUT_MS / 1000} s for ${what}`)
    await pause(20)
  }
}

/**
 * A sound card of the test: PulseAudio with an output that nobody hears, and everything that it plays in a file. Programs use
 * it with `environment`. Needs the Debian packages pulseaudio and pulseaudio-utils.
 */
export class SoundRecorder {
  readonly environment: Record<string, string>
  /** The time of the first sample, in milliseconds since 1970: to 20 ms, and to about 1 ms after `calibrate`. */
  startedAt: number
  readonly #programs: ChildProcess[]
  readonly #folder: string

  private constructor(
    parts: { environment: Record<string, string>; startedAt: number; folder: string },
    programs: ChildProcess[],
  ) {
    this.environment = parts.environment
    this.startedAt = parts.startedAt
    this.#folder = parts.folder
    this.#programs = programs
  }

  static isPossible(): boolean {
    return ['pulseaudio', 'parec'].every(program => spawnSync(program, ['--version']).status === 0)
  }

  /** Starts it; its files are in `folder`. */
  static async start(folder: string): Promise<SoundRecorder> {
    const socket = join(folder, 'sound.socket')
    const environment = { PULSE_SERVER: `unix:${socket}` }
    const env = { ...process.env, ...environment, HOME: folder, XDG_RUNTIME_DIR: folder }
    const modules = [
      // A sound that begins would take back samples that are already recorded.
      `module-null-sink sink_name=shop rate=${RECORDED_RATE} channels=2 norewinds=1`,
      `module-native-protocol-unix auth-anonymous=1 socket=${socket}`,
      `module-cli-protocol-unix socket=${join(folder, 'control.socket')}`,
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
    await waitFor('PulseAudio', () => existsSync(socket))
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
    const kill = () => [recorder, daemon].forEach(program => program.kill('SIGKILL'))
    process.once('exit', kill)
    daemon.once('exit', () => process.off('exit', kill))
    recorder.stdout.pipe(createWriteStream(join(folder, 'recording.raw')))
    // On a busy machine the first samples come late; the soonest of many tell when they were played.
    let [bytes, startedAt] = [0, Infinity]
    const watch = (data: Buffer) => {
      bytes += data.length
      startedAt = Math.min(startedAt, now() - (bytes / 2 / RECORDED_RATE) * 1000)
    }
    recorder.stdout.on('data', watch)
    await once(recorder.stdout, 'data')
    await pause(START_MS)
    recorder.stdout.off('data', watch)
    return new SoundRecorder({ environment, startedAt, folder }, [recorder, daemon])
  }

  /** The sample that is heard at an instant. */
  sampleAt(at: number): number {
    return ((at - this.startedAt) / 1000) * RECORDED_RATE
  }
  /** When a sample is heard, in milliseconds since 1970. */
  timeOf(sample: number): number {
    return this.startedAt + (sample / RECORDED_RATE) * 1000
  }

  /** The recording until now. */
  read(): Int16Array {
    const bytes = readFileSync(join(this.#folder, 'recording.raw'))
    return new Int16Array(bytes.buffer, bytes.byteOffset, Math.floor(bytes.length / 2))
  }

  /**
   * Sets `startedAt` by clicks that it plays at known moments, while nothing else plays: the fastest one was heard at once. Returns by
   * how many milliseconds it was moved.
   */
  async calibrate(): Promise<number> {
    const file = join(this.#folder, 'click.wav')
    const click = new Int16Array(SAMPLE_SAMPLES).fill(2 * CLICK_LEVEL, 0, CLICK_SAMPLES)
    writeFileSync(file, toWav(click, RECORDED_RATE))
    const control = connect(join(this.#folder, 'control.socket')).setNoDelay(true)
    await once(control, 'connect')
    control.resume()
    control.write(`load-sample click ${file}\n`)
    await pause(200)
    const clickedAt: number[] = []
    for (let click = 0; click < CLICKS; click += 1) {
      clickedAt.push(now())
      control.write('play-sample click shop\n')
      await pause(BETWEEN_CLICKS_MS)
    }
    await pause(MAX_CLICK_MS + SETTLE_MS)
    control.destroy()
    const samples = this.read()
    const delays = clickedAt.map(at => {
      // `startedAt` may be wrong by the recorder's latency, to both sides.
      const from = Math.max(0, Math.round(this.sampleAt(at - MAX_CLICK_MS)))
      const heard = samples.subarray(from).findIndex(sample => sample > CLICK_LEVEL)
      return heard === -1 ? Infinity : this.timeOf(from + heard) - at
    })
    const moved = -Math.min(...delays)
    if (-moved > MAX_CLICK_MS) throw new Error('No click of the calibration was heard')
    this.startedAt += moved
    return moved
  }

  /** Ends the recording. Returns its samples. */
  async stop(): Promise<Int16Array> {
    for (const program of this.#programs) {
      const ended = once(program, 'exit')
      program.kill('SIGTERM')
      await ended
    }
    return this.read()
  }
}
