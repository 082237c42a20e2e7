import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { findMutations, mutate, type Mutation } from './mutations.ts'
import { listFiles, ownRoot } from './source-files.ts'

/**
 * `npm run test:mutants -- [--sample N] PATH [TESTS …]`: changes the file at PATH in one place after the other, and lists the changes that no test
 * notices. Without TESTS, the `*.test.ts` of its folder run. It works in a copy of the checkout. The list lands in
 * artifacts/mutants/. A change that makes the tests hang counts as noticed. `--sample` takes about N of the changes, from all parts of the file.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'string', default: 'Infinity' } },
})
const [path, ...named] = positionals
if (!path) throw new Error('npm run test:mutants -- [--sample N] PATH [TESTS …]')
const tests = named.length > 0 ? named : listFiles(ownRoot, [`${dirname(path)}/*.test.ts`])
if (tests.length === 0) throw new Error(`${dirname(path)} has no tests: name them after the path`)

/** A hanging run is ended after this multiple of the time of the first. */
const PATIENCE = 4
const EXTRA_MS = 20_000

const copy = mkdtempSync(join(tmpdir(), 'floorcast-mutants-'))
let running: number | undefined
const endRun = () => {
  // It has a process group of its own, with its workers and their PostgreSQL.
  if (running !== undefined) process.kill(-running, 'SIGKILL')
}
process.once('exit', () => {
  endRun()
  rmSync(copy, { recursive: true, force: true })
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130))

function copyCheckout() {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: ownRoot,
    encoding: 'utf8',
  })
  const files = listed.split('\n').filter(file => file !== '')
  for (const file of files) cpSync(join(ownRoot, file), join(copy, file))
  // Hard links: it is large, and nobody writes to it.
  execFileSync('cp', ['-al', join(ownRoot, 'node_modules'), join(copy, 'node_modules')])
}

/** Runs the tests on the copy. @returns whether they passed; null after the deadline */
async function runTests(deadlineMs: number): Promise<boolean | null> {
  const args = ['run', '--bail=1', '--reporter=dot', '--project=!slow', '--project=!long', ...tests]
  const child = spawn(join(copy, 'node_modules/.bin/vitest'), args, {
    cwd: copy,
    stdio: 'ignore',
    detached: true,
  })
  running = child.pid
  let isLate = false
  const timer = setTimeout(() => {
    isLate = true
    endRun()
  }, deadlineMs)
  const [code] = (await once(child, 'exit')) as [number | null]
  running = undefined
  clearTimeout(timer)
  return isLate ? null : code === 0
}

const source = readFileSync(join(ownRoot, path), 'utf8')
const describeChange = ({ start, end, text }: Mutation) => {
  const line = source.slice(0, start).split('\n').length
  const from = source.slice(start, end).replaceAll(/\s+/g, ' ')
  const words = source.split('\n')[line - 1]?.trim() ?? ''
  return `${path}:${line}  ${from.slice(0, 60)} → ${text === '' || text === ';' ? '(nothing)' : text}   in   ${words}`
}

copyCheckout()
const startedAt = performance.now()
if (!(await runTests(600_000))) throw new Error('The tests fail without any change')
const ownMs = performance.now() - startedAt
const all = findMutations(path, source)
const step = Math.max(1, Math.ceil(all.length / Number(values.sample)))
const mutations = all.filter((_, index) => index % step === 0)
console.log(
  `${mutations.length} of ${all.length} changes of ${path}, ${(ownMs / 1000).toFixed(1)} s each, with\n${tests.join('\n')}`,
)

const survivors: string[] = []
for (const [index, mutation] of mutations.entries()) {
  writeFileSync(join(copy, path), mutate(source, mutation))
  if ((await runTests(PATIENCE * ownMs + EXTRA_MS)) !== true) continue
  survivors.push(describeChange(mutation))
  console.log(`${index + 1}/${mutations.length}  ${describeChange(mutation)}`)
}
const folder = join(ownRoot, 'artifacts/mutants')
mkdirSync(folder, { recursive: true })
writeFileSync(join(folder, `${basename(path)}.txt`), survivors.map(line => `${line}\n`).join(''))
console.log(`${mutations.length - survivors.length} of ${mutations.length} noticed`)
