import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** An mpv that writes what it plays to a file, as fast as it can. */
export interface RecordedMpv {
  command: string
  audioOutput: string
  recording: string
}

/** Makes a program `mpv` in `folder` that records. */
export function recordMpv(folder: string): RecordedMpv {
  const [command, recording] = [join(folder, 'mpv'), join(folder, 'recording.wav')]
  writeFileSync(command, `#!/bin/sh\nexec mpv "$@" --ao-pcm-file='${recording}'\n`)
  chmodSync(command, 0o755)
  return { command, audioOutput: 'pcm', recording }
}

/** Makes a program `mpv` in `folder` whose output without sound is faster than the clock by this factor. Returns the folder, for PATH. */
export function makeFastMpv(folder: string, factor: number): string {
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  const [mpv] = execFileSync('which', ['mpv']).toString().split('\n')
  writeFileSync(join(bin, 'mpv'), `#!/bin/sh\nexec '${mpv}' "$@" --ao-null-speed=${factor}\n`)
  chmodSync(join(bin, 'mpv'), 0o755)
  return bin
}

/** The format of a WAV file: sampling rate in Hz, and channels. */
export function formatOf(path: string): { rate: number; channels: number } {
  const head = readFileSync(path).subarray(0, 28)
  return { rate: head.readUInt32LE(24), channels: head.readUInt16LE(22) }
}

/** The loudness (EBU R128) of a part of a sound file in LUFS, by ffmpeg. */
export function loudnessOf(path: string, { from, seconds }: { from: number; seconds: number }): number {
  const log = execFileSync('sh', [
    '-c',
    'ffmpeg -hide_banner -nostats -ss "$1" -t "$2" -i "$3" -filter_complex ebur128 -f null - 2>&1',
    'sh',
    String(from),
    String(seconds),
    path,
  ]).toString()
  const found = [...log.matchAll(/I:\s+(-?[\d.]+) LUFS/g)].at(-1)?.[1]
  if (found === undefined) throw new Error(`ffmpeg measured nothing:\n${log}`)
  return Number(found)
}

/** Makes a sound file of a tone by ffmpeg: `levels` are the amplitudes of its channels. */
export function makeTone(
  path: string,
  { levels, rate, seconds }: { levels: readonly number[]; rate: number; seconds: number },
): string {
  const layout = { 1: 'mono', 2: 'stereo', 6: '5.1' }[levels.length]
  const source = `aevalsrc=${levels.map(level => `${level}*sin(2*PI*523*t)`).join('|')}:c=${layout}:s=${rate}:d=${seconds}`
  execFileSync('ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', source, '-b:a', '128k', path])
  return path
}

/** The samples of a sound file, its channels mixed to one, by ffmpeg. */
export function samplesOf(path: string, rate: number): Int16Array {
  const form = ['-f', 's16le', '-ac', '1', '-ar', String(rate), '-']
  const bytes = execFileSync('ffmpeg', ['-v', 'error', '-i', path, ...form], { maxBuffer: 1024 ** 3 })
  return new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
}
