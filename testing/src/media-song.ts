/** Makes distinct songs without an encoder: frames of a recorded scale in any order, with an Info frame that players trim by. */
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { mediaFolder } from './media-fixtures.ts'
import { concatBytes, framesOf } from './media-mpeg.ts'

const SAMPLE_RATE = 44100
const FRAME_SAMPLES = 1152
const DELAY_SAMPLES = 576
/** A decoder needs these samples behind the sound before it has given it all. */
const DECODER_SAMPLES = 529
const NOTE_FRAMES = 19
const NOTES = 8
const INFO_AT = 21

/** A song's notes, each 0 to 7 for about half a second and repeated as long as it lasts, and its exact length. */
export type SongForm = { notes: readonly number[]; seconds: number }

const scale = readFileSync(join(mediaFolder, 'notes.mp3'))
const frames = framesOf(scale).map(({ offset, length }) => scale.subarray(offset, offset + length))
const [infoFrame = scale, ...soundFrames] = frames

/** The frames well inside one note's second; the encoder kept no bit reservoir, so each stands for itself. */
function framesOfNote(note: number): Buffer[] {
  const first = Math.ceil((note * SAMPLE_RATE + DELAY_SAMPLES + DECODER_SAMPLES) / FRAME_SAMPLES) + 1
  return soundFrames.slice(first, first + NOTE_FRAMES)
}
const notes = Array.from({ length: NOTES }, (_, note) => framesOfNote(note))

function makeInfoFrame(count: number, bytes: number, paddingSamples: number): Buffer {
  const frame = Buffer.from(infoFrame)
  const encoder = INFO_AT + 120
  frame.writeUInt32BE(count, INFO_AT + 8)
  frame.writeUInt32BE(bytes + frame.length, INFO_AT + 12)
  for (let i = 0; i < 100; i++) frame[INFO_AT + 16 + i] = Math.floor((i * 256) / 100)
  frame.writeUIntBE((DELAY_SAMPLES << 12) | paddingSamples, encoder + 21, 3)
  frame.writeUInt32BE(bytes + frame.length, encoder + 28)
  return frame
}

/** An MP3 (44.1 kHz, mono, 64 kbit/s) of exactly `seconds`. */
export function makeSong({ notes: melody, seconds }: SongForm): Uint8Array {
  const samples = Math.round(seconds * SAMPLE_RATE)
  const count = Math.ceil((DELAY_SAMPLES + samples + DECODER_SAMPLES) / FRAME_SAMPLES)
  const padding = count * FRAME_SAMPLES - DELAY_SAMPLES - samples
  const sound = Array.from({ length: count }, (_, at) => {
    const note = melody[Math.floor(at / NOTE_FRAMES) % melody.length] ?? 0
    const frame = notes[note]?.[at % NOTE_FRAMES]
    if (!frame) throw new Error(`A note is 0 to ${NOTES - 1}, not ${note}`)
    return frame
  })
  const bytes = sound.reduce((sum, frame) => sum + frame.length, 0)
  return concatBytes(makeInfoFrame(count, bytes, padding), ...sound)
}

const melodies = [
  [0, 2, 4, 7],
  [7, 4, 2, 0],
  [0, 0, 5, 5, 4, 4],
  [3, 6, 1],
  [1, 3, 5, 7, 5, 3],
  [6, 2],
] as const

/** Writes `count` songs with different names and sounds to a folder, of 8 s by default, each 0.25 s longer than the last. */
export async function writeSongs(folder: string, { count = 3, seconds = 8 } = {}) {
  return await Promise.all(
    Array.from({ length: count }, async (_, i) => {
      const melody = melodies[i % melodies.length] ?? [0]
      const durationSeconds = seconds + i * 0.25
      const path = join(folder, `song-${i + 1}.mp3`)
      await writeFile(path, makeSong({ notes: melody, seconds: durationSeconds }))
      return { name: `song-${i + 1}`, path, durationSeconds }
    }),
  )
}
