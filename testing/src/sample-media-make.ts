/**
 * Makes the files of packages/sample-media/files with the machine's ffmpeg (with libmp3lame, libx264 and drawtext) and the font DejaVu:
 * `node testing/src/sample-media-make.ts`. It prints the hashes for sample-media.ts. The results are committed.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = fileURLToPath(new URL('../../packages/sample-media/files/', import.meta.url))
const font = '/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf'
const SAMPLE_RATE = 32_000
const TAIL_SECONDS = 2.5

interface Song {
  name: string
  artist?: string
  beatsPerMinute: number
  bars: number
  /** The key's lowest tone as a MIDI number. */
  key: number
  /** Chords of a bar each: semitones above the key, then whether the third is minor. */
  chords: readonly (readonly [number, boolean])[]
  /** Steps of a scale for each eighth of two bars; null: a rest. */
  melody: readonly (number | null)[]
  /** Share of each overtone in a tone. */
  overtones: readonly number[]
  hasDrums: boolean
}

const MAJOR = [0, 2, 4, 5, 7, 9, 11]
const _ = null

const songs: readonly Song[] = [
  {
    name: 'Morning light',
    artist: 'Ada Vale',
    beatsPerMinute: 92,
    bars: 68,
    key: 48,
    chords: [
      [0, false],
      [9, true],
      [5, false],
      [7, false],
    ],
    melody: [4, _, 5, 4, 2, _, 4, _, 7, _, 6, 5, 4, _, _, _],
    overtones: [1, 0.4, 0.2],
    hasDrums: true,
  },
  {
    name: 'Paper boats',
    artist: 'Linden Quartet',
    beatsPerMinute: 76,
    bars: 56,
    key: 50,
    chords: [
      [0, false],
      [4, true],
      [5, false],
      [5, true],
    ],
    melody: [7, 6, 4, _, 2, _, 4, 6, 7, _, 9, 8, 7, _, 4, _],
    overtones: [1, 0.2, 0.35, 0.1],
    hasDrums: false,
  },
  {
    name: 'Market day',
    artist: 'The Corner Band',
    beatsPerMinute: 116,
    bars: 80,
    key: 43,
    chords: [
      [0, false],
      [5, false],
      [0, false],
      [7, false],
    ],
    melody: [0, 2, 4, 2, 7, _, 4, 2, 5, 4, 2, 0, 4, _, 2, _],
    overtones: [1, 0.6, 0.3, 0.2, 0.1],
    hasDrums: true,
  },
  {
    name: 'Blue hour',
    artist: 'Ada Vale',
    beatsPerMinute: 68,
    bars: 54,
    key: 45,
    chords: [
      [9, true],
      [5, false],
      [0, false],
      [7, false],
    ],
    melody: [9, _, _, 7, 6, _, 4, _, 5, _, 4, 2, 4, _, _, _],
    overtones: [1, 0.15, 0.1],
    hasDrums: false,
  },
  {
    name: 'Long way home',
    artist: 'Northbound',
    beatsPerMinute: 100,
    bars: 84,
    key: 47,
    chords: [
      [0, false],
      [7, false],
      [9, true],
      [5, false],
    ],
    melody: [4, 4, 5, 7, _, 7, 5, 4, 2, _, 4, 5, 4, 2, 0, _],
    overtones: [1, 0.5, 0.15, 0.15],
    hasDrums: true,
  },
]

/** A jingle with the music of a song. */
const jingle = (name: string, of: string, parts: Pick<Song, 'beatsPerMinute' | 'bars' | 'key'>): Song[] =>
  songs.filter(song => song.name === of).map(({ artist: _artist, ...song }) => ({ ...song, name, ...parts }))

const ads: readonly Song[] = [
  ...jingle('Fresh bread at eight', 'Market day', { beatsPerMinute: 120, bars: 9, key: 53 }),
  ...jingle('Two for the price of one', 'Morning light', { beatsPerMinute: 132, bars: 15, key: 55 }),
  ...jingle('Autumn coats are here', 'Long way home', { beatsPerMinute: 108, bars: 6, key: 50 }),
]

const frequencyOf = (midi: number) => 440 * 2 ** ((midi - 69) / 12)

/** A tone with a soft beginning and a fading end, added to the samples. */
function addTone(
  samples: Float32Array,
  { at, seconds, midi, level }: { at: number; seconds: number; midi: number; level: number },
  overtones: readonly number[],
): void {
  const [first, step] = [Math.round(at * SAMPLE_RATE), (2 * Math.PI * frequencyOf(midi)) / SAMPLE_RATE]
  const count = Math.round(seconds * SAMPLE_RATE)
  for (let index = 0; index < count; index += 1) {
    const place = index / count
    const envelope = Math.min(1, index / (0.02 * SAMPLE_RATE)) * (1 - place) ** 1.5 * level
    let value = 0
    for (const [overtone, share] of overtones.entries())
      value += share * Math.sin(step * (overtone + 1) * index)
    samples[first + index] = (samples[first + index] ?? 0) + value * envelope
  }
}

/** A short noise, always the same. */
function addNoise(samples: Float32Array, at: number, level: number): void {
  const count = Math.round(0.06 * SAMPLE_RATE)
  let state = 12_345
  for (let index = 0; index < count; index += 1) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    const place = Math.round(at * SAMPLE_RATE) + index
    samples[place] = (samples[place] ?? 0) + (state / 1_073_741_824 - 1) * level * (1 - index / count) ** 3
  }
}

function play({ beatsPerMinute, bars, key, chords, melody, overtones, hasDrums }: Song): Float32Array {
  const beat = 60 / beatsPerMinute
  const samples = new Float32Array(Math.round((bars * 4 * beat + TAIL_SECONDS) * SAMPLE_RATE))
  for (let bar = 0; bar < bars; bar += 1) {
    const at = bar * 4 * beat
    const [root, isMinor] = chords[bar % chords.length] ?? [0, false]
    // The music begins with chords alone, and rests from the melody for four bars of sixteen.
    const hasMelody = bar >= 4 && bar % 16 < 12
    for (const tone of [0, isMinor ? 3 : 4, 7])
      addTone(samples, { at, seconds: 4 * beat, midi: key + 12 + root + tone, level: 0.09 }, [1, 0.2])
    for (const half of [0, 2])
      addTone(
        samples,
        { at: at + half * beat, seconds: 2 * beat, midi: key + root - 12, level: 0.2 },
        [1, 0.3],
      )
    for (let eighth = 0; eighth < 8; eighth += 1) {
      const step = melody[(bar % 2) * 8 + eighth]
      const place = at + (eighth * beat) / 2
      if (hasDrums && bar >= 2) addNoise(samples, place, eighth % 4 === 2 ? 0.16 : 0.04)
      if (!hasMelody || step === null || step === undefined) continue
      const midi = key + 24 + (MAJOR[step % 7] ?? 0) + 12 * Math.floor(step / 7)
      addTone(samples, { at: place, seconds: beat * 1.2, midi, level: 0.16 }, overtones)
    }
  }
  return samples
}

function wave(samples: Float32Array): Buffer {
  const peak = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)
  const data = Buffer.alloc(samples.length * 2)
  for (const [index, sample] of samples.entries())
    data.writeInt16LE(Math.round((sample / peak) * 0.8 * 32_767), index * 2)
  return data
}

const ffmpeg = (...args: string[]) =>
  execFileSync('ffmpeg', ['-hide_banner', '-loglevel', 'error', '-y', ...args], { stdio: 'inherit' })
const exact = [
  '-map_metadata',
  '-1',
  '-fflags',
  '+bitexact',
  '-flags:v',
  '+bitexact',
  '-flags:a',
  '+bitexact',
]

for (const song of [...songs, ...ads]) {
  const raw = join(tmpdir(), `${song.name}.raw`)
  writeFileSync(raw, wave(play(song)))
  const tags = song.artist ? ['-metadata', `title=${song.name}`, '-metadata', `artist=${song.artist}`] : []
  const input = ['-f', 's16le', '-ar', String(SAMPLE_RATE), '-ac', '1', '-i', raw]
  const encoder = ['-codec:a', 'libmp3lame', '-b:a', '48k']
  ffmpeg(...input, ...encoder, ...exact, ...tags, '-id3v2_version', '3', join(folder, `${song.name}.mp3`))
  rmSync(raw)
}

const films = [
  {
    name: 'Window show',
    seconds: 40,
    lines: ['New this week', 'Come in and look'],
    colors: 'c0=0x12343b:c1=0x2d545e:c2=0xe1b382',
  },
  {
    name: 'Sale of the week',
    seconds: 15,
    lines: ['Sale of the week', 'Two for one'],
    colors: 'c0=0x7b1e3a:c1=0xd1495b:c2=0xedae49',
  },
]
for (const { name, seconds, lines, colors } of films) {
  const half = seconds / 2
  const texts = lines.map((text, at) => {
    const shown = `between(t,${at * half},${(at + 1) * half})`
    const place = "x='(w-tw)/2+20*sin(t)':y=(h-th)/2"
    return `drawtext=fontfile=${font}:text='${text}':fontsize=54:fontcolor=white:${place}:enable='${shown}'`
  })
  const gradient = `gradients=size=640x360:rate=25:duration=${seconds}:speed=0.01:nb_colors=3:seed=7:${colors}`
  const encoder = [
    '-codec:v',
    'libx264',
    '-preset',
    'veryslow',
    '-crf',
    '30',
    '-pix_fmt',
    'yuv420p',
    '-threads',
    '1',
  ]
  const file = join(folder, `${name}.mp4`)
  ffmpeg(
    '-f',
    'lavfi',
    '-i',
    gradient,
    '-vf',
    texts.join(','),
    ...encoder,
    ...exact,
    '-movflags',
    '+faststart',
    file,
  )
}

for (const name of [...songs, ...ads]
  .map(song => `${song.name}.mp3`)
  .concat(films.map(film => `${film.name}.mp4`)))
  console.log(
    createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex'),
    name,
  )
