import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listFiles, ownRoot } from './source-files.ts'

/*
 * docs/scaling.md names each file of the server that holds something between calls, and what a second server means for it. Who adds such
 * a file adds it there. The patterns are crude: they find a file, and a person decides what it is about.
 */

const FOLDER = 'apps/server/src'
const TESTS = /\.(test|slow|long|attack)\.ts$/

const HOLDERS: readonly RegExp[] = [
  /\bnew (LRUCache|CountLimit|SharedCountLimit|FairQueue|Batcher|SharedReads|FigureCache|WorkerPool|MediaWorkQueue)\b/,
  /(?<!function )\bmakeRateLimit\(/,
  /\bpLimit\(/,
  /\bsetInterval\(/,
  /^let /m,
  /^(export )?const [^=]+ = new (Map|Set|WeakMap|WeakSet)(<.*>)?\(\)/m,
  /^ {2}(readonly )?#?\w+ = new (Map|Set|WeakMap|WeakSet)(<.*>)?\(\)/m,
]

/** The patterns that a source text has. */
const holdersIn = (source: string) => HOLDERS.filter(pattern => pattern.test(source))

const page = readFileSync(join(ownRoot, 'docs/scaling.md'), 'utf8')
const table = page.slice(page.indexOf('### What a server holds'), page.indexOf('### Who does the work'))
const named = new Set([...table.matchAll(/`([\w/-]+\.ts)`/g)].map(match => match[1] ?? ''))
const sources = listFiles(join(ownRoot, FOLDER), ['**/*.ts']).filter(file => !TESTS.test(file))
const read = (file: string) => readFileSync(join(ownRoot, FOLDER, file), 'utf8')

it('each file of the server that holds something stands in the table of scaling.md', () => {
  const holding = sources.filter(file => holdersIn(read(file)).length > 0)
  expect(holding.length).toBeGreaterThan(50)
  expect(holding.filter(file => !named.has(file))).toEqual([])
})

it('the table of what a server holds names files that are there', () => {
  expect([...named].filter(file => !existsSync(join(ownRoot, FOLDER, file)))).toEqual([])
})

it.each([
  'const failures = new CountLimit({ max: 1 })',
  '  readonly #open = new Map<string, Boot>()',
  'const running = new Map<string, number>()',
  'let last = 0',
  'const limit = makeRateLimit(http.app, LIMIT)',
])('%s is something that a server holds', line => {
  expect(holdersIn(`import x\n${line}\n`)).not.toEqual([])
})

it('files are not named or told apart by process ids, which say nothing of other machines', () => {
  const byProcess = sources.filter(file => /\bprocess\.(pid|ppid|kill)\b/.test(read(file)))
  expect(byProcess).toEqual([])
})
