import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { WorkerPool } from '../../platform/lib/worker-pool.ts'
import type { LoudnessFigures } from './loudness-meter.ts'

const MAX_HEAP_MB = 128
/** ffmpeg has a deadline on the clock, and shares the processors with others. */
const CLOCK_FACTOR = 5
const MAX_REPORT_CHARACTERS = 64 * 1024

const workers = new WorkerPool({
  program: new URL('./loudness-worker.ts', import.meta.url),
  runs: 'in a process',
  heapMegabytes: MAX_HEAP_MB,
})

/** Ends a measurement. */
export interface MeasureLimits {
  /** The deadline in processor time. */
  deadlineMs: number
  signal?: AbortSignal
}

/**
 * Measures an MP3 in a worker, so that it delays no request. Null: silence, or less than 400 ms.
 * @throws TimeoutError after the deadline, or the signal's reason
 */
export async function measureMp3Loudness(
  path: string,
  limits: MeasureLimits,
): Promise<LoudnessFigures | null> {
  return await workers.run({ data: { path }, ...limits })
}

/** Parses the summary that ffmpeg's `ebur128` prints at its end; null for silence, or if there is none. */
export function parseEbur128(report: string): LoudnessFigures | null {
  const summary = report.slice(report.lastIndexOf('Summary:'))
  const integratedLufs = Number(/I:\s+(-?[\d.]+) LUFS/.exec(summary)?.[1])
  const truePeakDbtp = Number(/Peak:\s+(-?[\d.]+) dBFS/.exec(summary)?.[1])
  const isSilence = !(integratedLufs > -70)
  return isSilence || Number.isNaN(truePeakDbtp) ? null : { integratedLufs, truePeakDbtp }
}

/**
 * Measures the sound of an MP4 with the machine's ffmpeg. Null: no ffmpeg, no sound, silence, or the deadline.
 * ffmpeg reads untrusted files here: it may open local files only and must treat the file as an MP4.
 */
export async function measureMp4Loudness(
  path: string,
  { deadlineMs, signal }: MeasureLimits,
): Promise<LoudnessFigures | null> {
  const ends = AbortSignal.any([
    AbortSignal.timeout(Math.ceil(deadlineMs * CLOCK_FACTOR)),
    ...(signal ? [signal] : []),
  ])
  const limits = ['-nostdin', '-hide_banner', '-threads', '1', '-protocol_whitelist', 'file', '-f', 'mp4']
  const filter = ['-map', '0:a:0', '-filter:a', 'ebur128=peak=true:dualmono=true', '-f', 'null', '-']
  const ffmpeg = spawn('ffmpeg', [...limits, '-i', path, ...filter], {
    stdio: ['ignore', 'ignore', 'pipe'],
    signal: ends,
  })
  let report = ''
  ffmpeg.stderr.setEncoding('utf8').on('data', (text: string) => {
    report = (report + text).slice(-MAX_REPORT_CHARACTERS)
  })
  try {
    const [code] = (await once(ffmpeg, 'close')) as [number | null]
    return code === 0 ? parseEbur128(report) : null
  } catch {
    return null // ffmpeg is not installed
  }
}
