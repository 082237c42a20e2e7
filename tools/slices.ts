import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { listFiles, ownRoot } from './source-files.ts'

/*
 * The tests that `npm test` leaves out, in slices: each run of `.ci/run` runs one beside `npm test`, so that eight runs have
 * run them all. `.ci/slice` names the next one, `.ci/slices.json` has the files of each: what is recorded during a round changes
 * the slices of the next one.
 */

export const SLICES = 8
const NEXT = join(ownRoot, '.ci/slice')
const ROUND = join(ownRoot, '.ci/slices.json')
const SECONDS = join(ownRoot, 'tools/test-seconds.json')
/** Two files with this ending run at once. */
const SHARES_THE_MACHINE = /\.slow\.ts$/
/** The guess for a file that no run has timed yet. */
export const guessSeconds = (file: string) => (SHARES_THE_MACHINE.test(file) ? 60 : 120)

/** Tests that the project `long` runs too, with more runs. */
export const WITH_MORE_RUNS = [
  'apps/server/src/malformed-requests.test.ts',
  'e2e/src/console-routes.slow.ts',
  'packages/planner/src/plan-properties.test.ts',
  'packages/planner/src/validate.test.ts',
  'packages/playback/src/cue-properties.test.ts',
]

/** The test files that `npm test` leaves out. */
export const listLongTests = (): string[] => [
  ...new Set([
    ...listFiles(ownRoot, ['{apps,packages,bench,e2e}/**/src/**/*.{slow,long,attack}.ts']),
    ...WITH_MORE_RUNS,
  ]),
]

type Seconds = Readonly<Record<string, number>>

/** How long each slow file took in the last run that was recorded; of the first runs of some, a guess. */
export const readSeconds = (): Seconds => JSON.parse(readFileSync(SECONDS, 'utf8')) as Seconds

const APART = ['slow', 'long', 'attack']
/** Files of `npm test` that take longer begin first. */
const LONG_MS = 10_000

/** Records times in steps of ten seconds; those of files that are gone go. */
export function recordSeconds(times: readonly { file: string; project: string; all: number }[]): void {
  const known = { ...readSeconds() }
  for (const { file, project, all } of times) {
    if (APART.includes(project) || all > LONG_MS) known[file] = Math.ceil(all / 10_000) * 10
    else delete known[file]
  }
  const kept = Object.entries(known)
    .filter(([file]) => existsSync(join(ownRoot, file)))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  writeFileSync(SECONDS, `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`)
}

export interface Slice {
  files: string[]
  /** On a machine with two cores. */
  seconds: number
}

/** Slices of about the same time, the longest file first. The same files make the same slices. */
export function makeSlices(files: readonly string[], seconds: Seconds, count = SLICES): Slice[] {
  const slices = Array.from({ length: count }, (): Slice => ({ files: [], seconds: 0 }))
  const timed = files.map(file => {
    const own = seconds[file] ?? guessSeconds(file)
    return { file, seconds: SHARES_THE_MACHINE.test(file) ? own / 2 : own }
  })
  const byTime = timed.toSorted(
    (one, other) => other.seconds - one.seconds || (one.file < other.file ? -1 : 1),
  )
  for (const { file, seconds: own } of byTime) {
    const shortest = slices.reduce((least, slice) => (slice.seconds < least.seconds ? slice : least))
    shortest.files.push(file)
    shortest.seconds += own
  }
  return slices
}

/** The slices of a round: without files that are gone, and with new ones in the last one. */
export function bringUpToDate(round: readonly (readonly string[])[], files: readonly string[]): string[][] {
  const known = new Set(round.flat())
  const added = files.filter(file => !known.has(file))
  return round.map((slice, index) => [
    ...slice.filter(file => files.includes(file)),
    ...(index === round.length - 1 ? added : []),
  ])
}

/** The files of each slice of this round. */
export const readRound = (): string[][] =>
  bringUpToDate(JSON.parse(readFileSync(ROUND, 'utf8')) as string[][], listLongTests())

/** The number of the slice to run, from 1. */
export const readNextSlice = (): number => Number(readFileSync(NEXT, 'utf8'))

/** Names the one after it. A round begins with slices by the times that are known now. */
export function turnSlice(): number {
  const next = (readNextSlice() % SLICES) + 1
  writeFileSync(NEXT, `${next}\n`)
  if (next === 1) writeRound()
  return next
}

export function writeRound(): void {
  const slices = makeSlices(listLongTests(), readSeconds()).map(({ files }) => files)
  writeFileSync(ROUND, `${JSON.stringify(slices, null, 2)}\n`)
}
