import { spawn } from 'node:child_process'

/** The parts of `npm run check`, longest first: two run at a time. Each is a script of package.json by the same name. */
const PARTS = [
  'lint',
  'format',
  'types',
  'dead',
  'schema',
  'migrations',
  'openapi',
  'imports',
  'locales',
  'manual',
]

interface Result {
  part: string
  passed: boolean
  seconds: number
  output: string
}

function run(part: string): Promise<Result> {
  const startedAt = performance.now()
  const child = spawn('npm', ['run', '--silent', `check:${part}`], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (output += data.toString()))
  return new Promise(resolve =>
    child.on('close', code =>
      resolve({ part, passed: code === 0, seconds: (performance.now() - startedAt) / 1000, output }),
    ),
  )
}

function report({ part, passed, seconds, output }: Result) {
  console.log(`${passed ? 'passed' : 'FAILED'}  ${part.padEnd(8)} ${seconds.toFixed(1)} s`)
  if (!passed) console.log(output.trimEnd() + '\n')
}

const waiting = [...PARTS]
let failed = 0
async function work() {
  for (let part = waiting.shift(); part !== undefined; part = waiting.shift()) {
    const result = await run(part)
    report(result)
    if (!result.passed) failed += 1
  }
}

await Promise.all([work(), work()])
process.exitCode = failed === 0 ? 0 : 1
