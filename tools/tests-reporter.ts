import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

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

function fileTime(module: TestModule): Timed {
  const { environmentSetupDuration, prepareDuration, setupDuration, collectDuration, duration } =
    module.diagnostic()
  const before = environmentSetupDuration + prepareDuration + setupDuration + collectDuration
  const tests = testTimes(module).reduce((sum, { ms }) => sum + ms, 0)
  const parts = [before, duration - tests, tests].map(ms => seconds(Math.max(0, ms))).join('')
  return { ms: before + duration, line: `${seconds(before + duration)}  =${parts}  ${fileOf(module)}` }
}

function print(title: string, times: readonly Timed[], most: number) {
  const slowest = times.toSorted((one, other) => other.ms - one.ms).slice(0, most)
  console.log(`\n${title}\n${slowest.map(({ line }) => line).join('\n')}`)
}

/** The tests that passed only at their second try, each with what its first one said. */
const flakyTests = (module: TestModule) =>
  [...module.children.allTests()]
    .filter(test => test.diagnostic()?.flaky)
    .map(test => {
      const errors = test.result().errors ?? []
      return `${fileOf(module)} › ${test.fullName}\n${errors.map(({ stack, message }) => stack ?? message).join('\n')}`
    })

/** Prints where the time of a run went, in seconds, and which tests passed only at their second try. */
export default class TestsReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const flaky = modules.flatMap(flakyTests)
    if (flaky.length > 0)
      console.log(`\nPassed only at the second try; find out why (docs/decisions/0206):\n${flaky.join('\n')}`)
    print(`Slowest ${FILES} files: all = import + hooks + tests`, modules.map(fileTime), FILES)
    print(`Slowest ${TESTS} tests`, modules.flatMap(testTimes), TESTS)
  }
}
