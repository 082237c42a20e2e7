import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endpoints } from '../packages/contract/src/endpoints.ts'
import type { Reached } from '../testing/src/reached-calls.ts'
import type { TestUses } from '../testing/src/test-uses.ts'
import { ownRoot } from './source-files.ts'

/* The record of a whole run of the tests: `npm run list-tests -- --record`. */

const USES = join(ownRoot, 'tools/test-uses.json')
const API_TESTS = join(ownRoot, 'tools/api-tests.json')

/** The objects in the files that the tests of a run wrote to a folder. */
const readWritten = <T>(folder: string): T[] =>
  globSync(join(folder, '*.json')).map(file => JSON.parse(readFileSync(file, 'utf8')) as T)

/** The calls of a test run, from the files that its servers wrote to `folder`. */
export const readReached = (folder: string): Reached[] => readWritten<Reached[]>(folder).flat()

/** The record of each test file. */
export const readTestUses = (): TestUses[] => JSON.parse(readFileSync(USES, 'utf8')) as TestUses[]

/** For each call of the contract a test that makes it, as `file › name`, nested names apart by ` > `. */
export const apiTests = JSON.parse(readFileSync(API_TESTS, 'utf8')) as Readonly<Record<string, string>>

/** A file that ran twice used what it did in both. */
export function joinUses(runs: readonly TestUses[]): TestUses[] {
  const files = [...Map.groupBy(runs, ({ file }) => file)].map(([file, own]): TestUses => {
    const all = (key: 'calls' | 'parts' | 'programs') => [...new Set(own.flatMap(run => run[key]))].toSorted()
    return { file, calls: all('calls'), parts: all('parts'), programs: all('programs') }
  })
  return files.toSorted((one, other) => (one.file < other.file ? -1 : 1))
}

/** Whether the name of a test, `file › name`, stands in its file: what is made for each case of a list does not. */
export function isWritten(test: string): boolean {
  const [file = '', name = ''] = test.split(' › ')
  const path = join(ownRoot, file)
  const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
  return name.split(' > ').every(part => text.includes(part))
}

/** Ends of calls that did what was asked. */
const DONE = /^(HTTP 20\d|200|0)$/

/** The tests to name for the calls: the one that is named, if it still makes the call; else one of a file that makes few. */
export function chooseApiTests(
  reached: readonly Reached[],
  former: Readonly<Record<string, string>> = apiTests,
): Record<string, string> {
  const fileOf = (test: string) => test.split(' › ')[0] ?? ''
  const callsOf = new Map(
    [...Map.groupBy(reached, ({ test }) => fileOf(test))].map(([file, own]) => [
      file,
      new Set(own.map(({ call }) => call)).size,
    ]),
  )
  const byFewest = (one: string, other: string) =>
    (callsOf.get(fileOf(one)) ?? 0) - (callsOf.get(fileOf(other)) ?? 0) || (one < other ? -1 : 1)
  return Object.fromEntries(
    endpoints.flatMap(({ noun, name }) => {
      const call = `${noun}.${name}`
      const own = reached.filter(one => one.call === call)
      const done = own.filter(({ end }) => DONE.test(end))
      const tests = (done.length > 0 ? done : own).map(({ test }) => test)
      const kept = own.find(({ test }) => test === former[call])?.test ?? tests.toSorted(byFewest)[0]
      return kept === undefined ? [] : [[call, kept]]
    }),
  )
}

/** Records a run; what it left out stays as it was recorded before. @returns the number of its test files */
export function record({ uses, reached }: Record<'uses' | 'reached', string>): number {
  const files = joinUses(readWritten<TestUses>(uses))
  const known = new Set(files.map(({ file }) => file))
  const others = readTestUses().filter(({ file }) => !known.has(file) && existsSync(join(ownRoot, file)))
  const all = joinUses([...files, ...others])
  writeFileSync(USES, `[\n${all.map(file => JSON.stringify(file)).join(',\n')}\n]\n`)
  const calls = readReached(reached).filter(({ test }) => isWritten(test))
  // Only a run of `npm test` counts them.
  if (calls.length > 0) writeFileSync(API_TESTS, `${JSON.stringify(chooseApiTests(calls), null, 2)}\n`)
  return files.length
}
