import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { RECORDED_RATE, type SoundRecorder } from '@floorcast/testing/sound-recorder.ts'
import { envelopeOf, lineThrough } from './sound-analysis.ts'
import type { SoundShop } from './sound-shop.ts'
import { makeTone, writeMp3 } from './sound-signals.ts'

const TRACK_SECONDS = 8
const FADE_SECONDS = 2
const COUNT = 4
const LEVEL = 0.3
/** Whole periods in a window. */
const TONES = [1000, 1400, 1800, 2200]
const WINDOW = 240
const STEP = 48
/** The part of a fade that is fitted and compared: from −20 dB on. */
const [LOW, HIGH] = [0.1, 0.99]

export interface HeardFade {
  /** When it began and ended, in seconds of the recording. */
  begins: number
  ends: number
}

/** Fits a quarter of a sine to levels (1 is the tone's own) from `from` seconds on, one each `step` seconds. */
export function fitFade(
  levels: ArrayLike<number>,
  { from, step, isIn }: { from: number; step: number; isIn: boolean },
): HeardFade {
  const points: [number, number][] = []
  for (let n = 0; n < levels.length; n += 1) {
    const level = levels[n] ?? 0
    if (level < LOW || level > HIGH) continue
    points.push([from + n * step, ((isIn ? Math.asin(level) : Math.acos(level)) * 2) / Math.PI])
  }
  const { start, rise } = lineThrough(points)
  return { begins: -start / rise, ends: (1 - start) / rise }
}

const decibels = (ratio: number) => 20 * Math.log10(ratio)

/** The largest distance in dB of levels from a fade of `FADE_SECONDS` that began at `begins`. */
function worstLevel(
  levels: ArrayLike<number>,
  { from, step, isIn, begins }: { from: number; step: number; isIn: boolean; begins: number },
): number {
  let worst = 0
  for (let n = 0; n < levels.length; n += 1) {
    const share = (from + n * step - begins) / FADE_SECONDS
    const angle = (Math.min(1, Math.max(0, share)) * Math.PI) / 2
    const ideal = isIn ? Math.sin(angle) : Math.cos(angle)
    if (ideal >= LOW) worst = Math.max(worst, Math.abs(decibels((levels[n] ?? 0) / ideal)))
  }
  return worst
}

interface Crossfade {
  out: HeardFade
  in: HeardFade
  levelDb: number
}

/** Hears the crossfade that should begin at a second of the recording. */
function hearCrossfade(recorded: Int16Array, due: number, tones: { out: number; in: number }): Crossfade {
  const [from, until] = [due - 1, due + FADE_SECONDS + 1]
  const part = recorded.subarray(Math.round(from * RECORDED_RATE), Math.round(until * RECORDED_RATE))
  const at = { from: from + WINDOW / 2 / RECORDED_RATE, step: STEP / RECORDED_RATE }
  const levelsOf = (hertz: number) => {
    const levels = envelopeOf(part, { hertz, rate: RECORDED_RATE, size: WINDOW, step: STEP })
    const full = levels.toSorted().at(-Math.round(levels.length / 10)) ?? 1
    return levels.map(level => level / full)
  }
  const [leaving, coming] = [levelsOf(tones.out), levelsOf(tones.in)]
  const heard = {
    out: fitFade(leaving, { ...at, isIn: false }),
    in: fitFade(coming, { ...at, isIn: true }),
  }
  const { begins } = heard.in
  return {
    ...heard,
    levelDb: Math.max(
      worstLevel(leaving, { ...at, isIn: false, begins }),
      worstLevel(coming, { ...at, isIn: true, begins }),
    ),
  }
}

/** Crossfades of tones, in two loops after the first. */
export async function measureCrossfades({
  shop,
  recorder,
  folder,
}: {
  shop: SoundShop
  recorder: SoundRecorder
  folder: string
}): Promise<Record<string, number>> {
  const paths = TONES.map(hertz =>
    writeMp3(join(folder, `tone-${hertz}`), makeTone(hertz, TRACK_SECONDS, LEVEL)),
  )
  const onAir = await shop.play(paths, { crossfadeSeconds: FADE_SECONDS })
  const everyMs = (TRACK_SECONDS - FADE_SECONDS) * 1000
  const first = Math.ceil((Date.now() - onAir.startedAt) / everyMs) + COUNT
  await pause(onAir.startedAt + (first + 2 * COUNT) * everyMs - Date.now() + 2 * FADE_SECONDS * 1000)
  const recorded = recorder.read()
  await shop.takeOffAir(onAir)
  const offs: number[] = []
  let levelDb = 0
  for (let nr = first; nr < first + 2 * COUNT; nr += 1) {
    const due = recorder.sampleAt(onAir.startedAt + nr * everyMs) / RECORDED_RATE
    const [out = 0, coming = 0] = [TONES[(nr - 1) % COUNT], TONES[nr % COUNT]]
    const heard = hearCrossfade(recorded, due, { out, in: coming })
    const edges = [
      heard.in.begins,
      heard.in.ends - FADE_SECONDS,
      heard.out.begins,
      heard.out.ends - FADE_SECONDS,
    ]
    const ms = edges.map(edge => (edge - due) * 1000)
    console.error(
      `Crossfade ${nr}: in ${ms
        .slice(0, 2)
        .map(each => each.toFixed(1))
        .join(' to ')} ms, ` +
        `out ${ms
          .slice(2)
          .map(each => each.toFixed(1))
          .join(' to ')} ms off; level ${heard.levelDb.toFixed(2)} dB`,
    )
    offs.push(...ms)
    levelDb = Math.max(levelDb, heard.levelDb)
  }
  // The device has the server's time to some milliseconds: all of its schedule is off by as much.
  const scheduleOff = offs.toSorted((a, b) => a - b)[Math.floor(offs.length / 2)] ?? Number.NaN
  const crossfadeOff = Math.max(...offs.map(ms => Math.abs(ms - scheduleOff)))
  return { crossfadeOff, crossfadeLevel: levelDb, clockOff: Math.abs(scheduleOff) }
}
