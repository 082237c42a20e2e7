import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { runInWorker } from '../../platform/lib/run-in-worker.ts'
import type { LoudnessFigures } from './loudness-meter.ts'

const MAX_HEAP_MB = 128
const MAX_REPORT_CHARACTERS = 64 * 1024

/** Measures an MP3 in a worker thread, so that it delays no request. Null: silence, or less than 400 ms. */
export async function measureMp3Loudness(
  path: string,
  signal?: AbortSignal,
): Promise<LoudnessFigures | null> {
  return await runInWorker({
    program: new URL('./loudness-worker.ts', import.meta.url),
    data: { path },
    heapMegabytes: MAX_HEAP_MB,
    signal,
  })
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
 * Measures the sound of an MP4 with the machine's ffmpeg. Null: no ffmpeg, no sound or silence.
 * ffmpeg reads untrusted files here: it may open local files only and must treat the file as an MP4.
 */
export async function measureMp4Loudness(
  path: string,
  signal?: AbortSignal,
): Promise<LoudnessFigures | null> {
  const limits = ['-nostdin', '-hide_banner', '-protocol_whitelist', 'file', '-f', 'mp4']
  const filter = ['-map', '0:a:0', '-filter:a', 'ebur128=peak=true:dualmono=true', '-f', 'null', '-']
  const ffmpeg = spawn('ffmpeg', [...limits, '-i', path, ...filter], {
    stdio: ['ignore', 'ignore', 'pipe'],
    signal,
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
