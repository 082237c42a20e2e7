import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { beginAlert, endAlert } from '@floorcast/contract/alerts.ts'
import { RECORDED_RATE, type SoundRecorder } from '@floorcast/testing/sound-recorder.ts'
import { percentile } from './percentile.ts'
import { endWithThisProcess } from './server-process.ts'
import { envelopeOf, longestSilence } from './sound-analysis.ts'
import { endProgram } from './sound-players.ts'
import type { SoundShop } from './sound-shop.ts'
import { makeTone, writeMp3 } from './sound-signals.ts'

/** A millisecond has whole periods of both, so that a window of one does not hear the other. */
const MUSIC = { hertz: 1000, seconds: 600, level: 0.2 }
const ALERT = { hertz: 4000, seconds: 20, level: 0.5 }
const WINDOW = RECORDED_RATE / 1000
/** The siren's tones; ten milliseconds have whole periods of all. */
const SIREN_HERTZ = [600, 900]
const SIREN_WINDOW = RECORDED_RATE / 100
const STEPS_A_WINDOW = 6
/** A sound begins when it has this share of its level. */
const BEGUN_SHARE = 0.2
const LISTEN_MS = 1200
/** Behind an alert the music is joined and faded in; each alert is at another phase of its sound. */
const [MIN_PAUSE_MS, PHASE_MS] = [1500, 137]
/** The sound of an alert is checked some seconds after it came. */
const CHECK_MS = 12_000
const LOADS = 2

const now = () => performance.timeOrigin + performance.now()
const params = { uid: 'all', alerttype: 'air' } as const

interface Room {
  shop: SoundShop
  recorder: SoundRecorder
  folder: string
}

interface HeardAlert {
  /** Milliseconds from the call's answer to the first sample of the alert; NaN if it was not heard. */
  latencyMs: number
  /** The longest silence until then, in milliseconds. */
  silenceMs: number
}

/** The first sample of any of these tones in a part of a recording; null without one. */
function firstOf(part: Int16Array, hertz: readonly number[], window: number): number | null {
  const step = window / STEPS_A_WINDOW
  const envelopes = hertz.map(each =>
    envelopeOf(part, { hertz: each, rate: RECORDED_RATE, size: window, step }),
  )
  const full = Math.max(...envelopes.map(levels => Math.max(...levels)))
  if (full < 0.05) return null
  const begun = envelopes.map(levels => levels.findIndex(level => level > BEGUN_SHARE * full))
  // The window then has this share of the sound, at its end.
  return Math.min(...begun.filter(at => at >= 0)) * step + window * (1 - BEGUN_SHARE)
}

/** Hears an alert whose call was answered at an instant: its sound, or the siren. */
function hearAlert(recorder: SoundRecorder, recorded: Int16Array, answeredAt: number): HeardAlert {
  const [from, until] = [answeredAt - 500, answeredAt + LISTEN_MS].map(at =>
    Math.round(recorder.sampleAt(at)),
  )
  const part = recorded.subarray(from, until)
  const first = Math.min(
    firstOf(part, [ALERT.hertz], WINDOW) ?? Infinity,
    firstOf(part, SIREN_HERTZ, SIREN_WINDOW) ?? Infinity,
  )
  if (first === Infinity) return { latencyMs: Number.NaN, silenceMs: Number.NaN }
  return {
    latencyMs: recorder.timeOf((from ?? 0) + first) - answeredAt,
    silenceMs: (longestSilence(part.subarray(0, Math.round(first + WINDOW))) / RECORDED_RATE) * 1000,
  }
}

async function soundAlert({ shop, recorder }: Room, nr: number): Promise<HeardAlert & { callMs: number }> {
  const { call } = shop.fixture
  const calledAt = now()
  await call(beginAlert, { params })
  const answeredAt = now()
  await pause(LISTEN_MS)
  await call(endAlert, { params })
  await pause(MIN_PAUSE_MS + ((nr * PHASE_MS) % 1000))
  const from = recorder.read()
  return { ...hearAlert(recorder, from, answeredAt), callMs: answeredAt - calledAt }
}

async function measureMany(room: Room, count: number): Promise<{ latencies: number[]; silences: number[] }> {
  const heard: Awaited<ReturnType<typeof soundAlert>>[] = []
  for (let nr = 0; nr < count; nr += 1) heard.push(await soundAlert(room, nr))
  const print = (of: (alert: (typeof heard)[number]) => number) =>
    heard.map(each => of(each).toFixed(1)).join(', ')
  console.error(`Calls, ms: ${print(({ callMs }) => callMs)}`)
  console.error(`First samples, ms after the answer: ${print(({ latencyMs }) => latencyMs)}`)
  console.error(`Silence before, ms: ${print(({ silenceMs }) => silenceMs)}`)
  return {
    latencies: heard.map(({ latencyMs }) => latencyMs),
    silences: heard.map(({ silenceMs }) => silenceMs),
  }
}

/** NaN counts as worse than all: an alert that was not heard. */
const figuresOf = ({ latencies, silences }: { latencies: number[]; silences: number[] }) => {
  const sorted = Float64Array.from(latencies.map(ms => (Number.isNaN(ms) ? Infinity : ms))).sort()
  return {
    p50: percentile(sorted, 0.5),
    p95: percentile(sorted, 0.95),
    worst: sorted.at(-1) ?? Number.NaN,
    silence: Math.max(...silences.map(ms => (Number.isNaN(ms) ? Infinity : ms))),
  }
}

function startLoads(): ChildProcess[] {
  return Array.from({ length: LOADS }, () => {
    const load = spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' })
    endWithThisProcess(load)
    return load
  })
}

/** An alert whose sound is at fault on the device's disk: the longest time to a sound. */
async function measureFaults(room: Room, path: string, bytes: Buffer): Promise<number> {
  const faults: Record<string, () => void> = {
    gone: () => rmSync(path),
    damaged: () => writeFileSync(path, Buffer.alloc(bytes.length, 'no sound ')),
    // The last one: the second fault of a file lets it be fetched again a day later.
    empty: () => writeFileSync(path, ''),
  }
  const latencies: number[] = []
  for (const [name, strike] of Object.entries(faults)) {
    strike()
    const { latencyMs, silenceMs } = await soundAlert(room, 0)
    console.error(
      `An alert whose sound is ${name}: after ${latencyMs.toFixed(1)} ms, silence ${silenceMs.toFixed(1)} ms`,
    )
    latencies.push(Number.isNaN(latencyMs) ? Infinity : latencyMs)
    // It is fetched again, and checked.
    await pause(CHECK_MS)
  }
  return Math.max(...latencies)
}

/** Alerts over music: how soon their first sample is in the recording, and the silence before it. */
export async function measureAlerts(
  room: Room,
  { count, isBusy }: { count: number; isBusy: boolean },
): Promise<Record<string, number>> {
  const { shop, folder } = room
  const sound = writeMp3(join(folder, 'alert'), makeTone(ALERT.hertz, ALERT.seconds, ALERT.level))
  const music = writeMp3(join(folder, 'music'), makeTone(MUSIC.hertz, MUSIC.seconds, MUSIC.level))
  await shop.profile('alert', { airMedia: await shop.upload(sound, 'ads'), alertVolume: 100 })
  const onAir = await shop.play([music])
  await pause(CHECK_MS)
  const quiet = figuresOf(await measureMany(room, count))
  const figures: Record<string, number> = {
    alertP50: quiet.p50,
    alertP95: quiet.p95,
    alertWorst: quiet.worst,
    alertSilence: quiet.silence,
  }
  if (isBusy) {
    const loads = startLoads()
    const busy = figuresOf(await measureMany(room, count))
    for (const load of loads) await endProgram(load)
    figures['busyP50'] = busy.p50
    figures['busyP95'] = busy.p95
    figures['busyWorst'] = busy.worst
    figures['busySilence'] = busy.silence
  }
  const bytes = readFileSync(sound)
  const path = join(shop.dataDir, 'media', createHash('sha256').update(bytes).digest('hex'))
  figures['faultyAlert'] = await measureFaults(room, path, bytes)
  await shop.takeOffAir(onAir)
  return figures
}
