import type { ChildProcess } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { RECORDED_RATE, SoundRecorder } from '@floorcast/testing/sound-recorder.ts'
import { type ChainRecording, followChain, type HeardChain, STEP_SECONDS } from './sound-chain.ts'
import { endProgram, otherPlayers } from './sound-players.ts'
import type { SoundShop } from './sound-shop.ts'
import { makeNoise, SIGNAL_RATE, type SoundForm, writeMp3 } from './sound-signals.ts'

const LONG_SECONDS = 60
const SHORT_SECONDS = 4
/** After the begin of a loop, the first search. */
const LOOK_MS = 2000
/** A device that joined its schedule late is brought to it by a thousandth, a millisecond a second: so long for the latest. */
const SETTLE_MINUTES = 4
/** It is there when it is this close to where it stays. */
const SETTLED_MS = 5
/** A track whose places move by more has had its speed corrected: it is resampled, so that its last sample is not a whole one. */
const UNCORRECTED_MS = 0.1

const MIXED: readonly SoundForm[] = [
  { rate: 44_100 },
  { channels: 1 },
  { rate: 44_100, channels: 1 },
  {},
  { rate: 32_000 },
]
const UNTAGGED: readonly SoundForm[] = Array.from({ length: 5 }, () => ({ isTagged: false }))

/** A known sound in files. */
interface Chain {
  paths: string[]
  reference: Int16Array
  joins: number[]
}

function writeChain(base: string, forms: readonly SoundForm[], seconds: number): Chain {
  const reference = makeNoise(forms.length * seconds)
  const size = seconds * SIGNAL_RATE
  const paths = forms.map((form, nr) =>
    writeMp3(`${base}-${nr}`, reference.subarray(nr * size, (nr + 1) * size), form),
  )
  return { paths, reference, joins: forms.slice(1).map((_, nr) => (nr + 1) * size) }
}

interface Room {
  shop: SoundShop
  recorder: SoundRecorder
  folder: string
}

const secondsOf = ({ reference }: Chain) => reference.length / SIGNAL_RATE

/** Puts a chain on the air, and listens to one whole loop of it: the first one, as far as it is heard, or the next. */
async function listenToLoop(
  { shop, recorder }: Room,
  chain: Chain,
  isFirst = false,
): Promise<HeardChain & OnSchedule> {
  const onAir = await shop.play(chain.paths)
  const loopMs = secondsOf(chain) * 1000
  const sinceMs = Date.now() - onAir.startedAt
  const loop = isFirst ? 0 : Math.ceil(sinceMs / loopMs)
  const beginsAt = onAir.startedAt + loop * loopMs
  const lookAt = loop === 0 ? Date.now() + LOOK_MS : beginsAt + LOOK_MS
  await pause(beginsAt + loopMs + LOOK_MS - Date.now())
  const start = {
    recorded: Math.round(recorder.sampleAt(lookAt)),
    expected: Math.round(((lookAt - beginsAt) / 1000) * SIGNAL_RATE),
  }
  const heard = followChain({ recorded: recorder.read(), ...chain, start })
  await shop.takeOffAir(onAir)
  return { ...heard, offsMs: offsOf(heard, at => recorder.timeOf(at) - beginsAt) }
}

/** How late (positive) or early a chain was at each of its places, in milliseconds. */
interface OnSchedule {
  offsMs: number[]
}

const offsOf = ({ places }: HeardChain, timeOf: (at: number) => number) =>
  places.map(([at, place]) => timeOf(at) - (place / SIGNAL_RATE) * 1000)

const worst = (values: readonly number[]) =>
  values.length === 0 ? Number.NaN : Math.max(...values.map(value => Math.abs(value)))
const range = (values: readonly number[]) =>
  values.length === 0 ? Number.NaN : Math.max(...values) - Math.min(...values)
const samplesOf = (gaps: HeardChain['gaps']) => gaps.map(([, samples]) => samples)

/** The joins after tracks that were played as they are, and those after tracks whose speed was corrected. */
function splitGaps({ gaps, places }: HeardChain, offsMs: readonly number[]) {
  const isOfTrack = (at: number, join: number) => at < join && at > join - LONG_SECONDS * RECORDED_RATE
  const { uncorrected = [], corrected = [] } = Object.groupBy(gaps, ([join]) => {
    const ofTrack = offsMs.filter((_, n) => isOfTrack(places[n]?.[0] ?? 0, join))
    return range(ofTrack) < UNCORRECTED_MS ? 'uncorrected' : 'corrected'
  })
  return { uncorrected: samplesOf(uncorrected), corrected: samplesOf(corrected) }
}

/** The fastest change between places, in parts of a thousand. */
function fastestChange({ places }: HeardChain, offsMs: readonly number[]): number {
  const rates = offsMs.slice(1).map((ms, n) => {
    const [[from = 0] = [], [until = 0] = []] = [places[n], places[n + 1]]
    return (ms - (offsMs[n] ?? ms)) / ((until - from) / RECORDED_RATE)
  })
  return worst(rates)
}

interface Other {
  name: string
  recorder: SoundRecorder
  program: ChildProcess
  /** The sample of its recording at which it was started. */
  from: number
}

async function startOthers(chain: Chain, folder: string): Promise<Other[]> {
  const others: Other[] = []
  for (const { name, isThere, start } of otherPlayers) {
    if (!isThere()) {
      console.error(`Without ${name} there is no comparison: apt-get install ${name}`)
      continue
    }
    const place = join(folder, name)
    mkdirSync(place)
    const recorder = await SoundRecorder.start(place)
    await recorder.calibrate()
    const from = Math.round(recorder.sampleAt(Date.now()))
    others.push({ name, recorder, program: start(chain.paths, place, recorder.environment), from })
  }
  return others
}

/** The first sample of a recording that is not silent. */
const firstSound = (recorded: Int16Array, from: number) =>
  from + recorded.subarray(from).findIndex(sample => Math.abs(sample) > 1000)

async function hearOther({ name, recorder, program, from }: Other, chain: Chain) {
  await endProgram(program)
  const recorded = await recorder.stop()
  const began = firstSound(recorded, from)
  const ahead = 0.5 * RECORDED_RATE
  const start: ChainRecording['start'] = { recorded: began + ahead, expected: ahead }
  const heard = followChain({ recorded, ...chain, start })
  const driftMs = range(offsOf(heard, at => recorder.timeOf(at)))
  console.error(
    `${name}: samples added at each join: ${rounded(samplesOf(heard.gaps))}; drift ${driftMs.toFixed(3)} ms`,
  )
  return { gap: worst(samplesOf(heard.gaps)), driftMs }
}

const rounded = (values: readonly number[], digits = 1) =>
  values.map(value => value.toFixed(digits)).join(', ')

/** The agent, plain mpv and Liquidsoap with the same files at the same time. */
async function measureLong(room: Room, minutes: number): Promise<Record<string, number>> {
  const forms = Array.from({ length: minutes + SETTLE_MINUTES }, () => ({}))
  const chain = writeChain(join(room.folder, 'long'), forms, LONG_SECONDS)
  const others = await startOthers(chain, room.folder)
  const { gaps, offsMs, places } = await listenToLoop(room, chain, true)
  console.error(`Late on the schedule every 10 s, in ms: ${rounded(offsMs)}`)
  const { uncorrected, corrected } = splitGaps({ gaps, places }, offsMs)
  console.error(
    `Samples added at each join: ${rounded(uncorrected, 2)}; after a corrected track: ${rounded(corrected, 2)}`,
  )
  const stays = offsMs.toSorted((a, b) => a - b)[Math.floor(offsMs.length / 2)] ?? Number.NaN
  const settledFrom = offsMs.findIndex(ms => Math.abs(ms - stays) < SETTLED_MS)
  const settled = offsMs.slice(Math.max(0, settledFrom))
  const figures: Record<string, number> = {
    settledAfter: settledFrom * STEP_SECONDS,
    joins: gaps.length,
    gap: worst(uncorrected),
    ...(corrected.length > 0 ? { correctedGap: worst(corrected) } : {}),
    drift: range(settled),
    offSchedule: worst(settled),
    resampling: Math.round(100 * fastestChange({ gaps, places }, offsMs)) / 100,
  }
  for (const other of others) {
    const heard = await hearOther(other, chain)
    figures[`${other.name}Gap`] = heard.gap
    figures[`${other.name}Drift`] = heard.driftMs
  }
  return figures
}

async function measureOthersUntagged(chain: Chain, folder: string): Promise<Record<string, number>> {
  const figures: Record<string, number> = {}
  const others = await startOthers(chain, folder)
  await pause((secondsOf(chain) + 5) * 1000)
  for (const other of others) {
    const { gap } = await hearOther(other, chain)
    figures[`${other.name}UntaggedGap`] = (gap / RECORDED_RATE) * 1000
  }
  return figures
}

/** Joins and drift, of the agent and of others. */
export async function measureChains(room: Room, minutes: number): Promise<Record<string, number>> {
  const long = await measureLong(room, minutes)
  const mixed = await listenToLoop(room, writeChain(join(room.folder, 'mixed'), MIXED, SHORT_SECONDS))
  console.error(`Mixed rates and channels, samples added at each join: ${rounded(samplesOf(mixed.gaps))}`)
  const untaggedChain = writeChain(join(room.folder, 'no-tags'), UNTAGGED, SHORT_SECONDS)
  const untagged = await listenToLoop(room, untaggedChain)
  console.error(`Without tags, samples added at each join: ${rounded(samplesOf(untagged.gaps))}`)
  const aside = join(room.folder, 'untagged')
  mkdirSync(aside)
  return {
    ...long,
    mixedGap: worst(samplesOf(mixed.gaps)),
    untaggedGap: (worst(samplesOf(untagged.gaps)) / RECORDED_RATE) * 1000,
    ...(await measureOthersUntagged(untaggedChain, aside)),
  }
}
