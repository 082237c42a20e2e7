import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'
import type { TestTimes } from '../testing/src/test-times.ts'

const TESTS = 30
const FILES = 20

interface Timed {
  ms: number
  line: string
}

const seconds = (ms: number) => (ms / 1000).toFixed(1).padStart(6)

const fileOf = (module: TestModule) => relative(process.cwd(), module.moduleId)

const testTimes = (module: TestModule): Timed[] =>
  [...module.children.allTests()].map(test => {
    const ms = test.diagnostic()?.duration ?? 0
    return { ms, line: `${seconds(ms)}  ${fileOf(module)} › ${test.fullName}` }
  })

function msBeforeTests(module: TestModule): number {
  const { environmentSetupDuration, prepareDuration, setupDuration, collectDuration } = module.diagnostic()
  return environmentSetupDuration + prepareDuration + setupDuration + collectDuration
}

function fileTime(module: TestModule): Timed {
  const before = msBeforeTests(module)
  const { duration } = module.diagnostic()
  const tests = testTimes(module).reduce((sum, { ms }) => sum + ms, 0)
  const parts = [before, duration - tests, tests].map(ms => seconds(Math.max(0, ms))).join('')
  return { ms: before + duration, line: `${seconds(before + duration)}  =${parts}  ${fileOf(module)}` }
}

function print(title: string, times: readonly Timed[], most: number) {
  const slowest = times.toSorted((one, other) => other.ms - one.ms).slice(0, most)
  console.log(`\n${title}\n${slowest.map(({ line }) => line).join('\n')}`)
}

/** The times of a file by its own measure; `all` is the whole file's with its imports. */
export interface FileTimes extends TestTimes {
  project: string
  imports: number
}

/** Writes what the files waited for beside the folder to which they wrote it themselves. */
function writeTimes(modules: readonly TestModule[], folder: string): void {
  const own = globSync(join(folder, '*.json')).map(
    file => JSON.parse(readFileSync(file, 'utf8')) as TestTimes,
  )
  const times = modules.map((module): FileTimes => {
    const none = { servers: 0, databases: 0, browsers: 0, sleeping: 0, processor: 0 }
    const file = fileOf(module)
    const found = own.find(one => one.file === file) ?? none
    const { ms } = fileTime(module)
    return { ...found, file, project: module.project.name, all: ms, imports: msBeforeTests(module) }
  })
  writeFileSync(`${folder}.json`, JSON.stringify(times))
}

/** Prints where the time of a run went, in seconds. */
export default class TestsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const folder = process.env['TEST_TIMES']
    if (folder) writeTimes(modules, folder)
    print(`Slowest ${FILES} files: all = import + hooks + tests`, modules.map(fileTime), FILES)
    print(`Slowest ${TESTS} tests`, modules.flatMap(testTimes), TESTS)
  }
}
