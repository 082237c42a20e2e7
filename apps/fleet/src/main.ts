import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { CallError } from '@floorcast/contract/client.ts'
import { Fleet } from './fleet.ts'
import { collectLicenseKeys } from './license-keys.ts'
import { HELP, type Options, readOptions } from './options.ts'

const print = (line: string) => process.stderr.write(`${line}\n`)

const describeError = (error: unknown): string => {
  if (error instanceof CallError) return error.problem?.detail ?? error.problem?.code ?? error.message
  return error instanceof Error ? error.message : String(error)
}

function readOptionsOrExit(): Options {
  if (process.argv.includes('--help')) {
    process.stdout.write(HELP)
    process.exit(0)
  }
  try {
    return readOptions(process.argv.slice(2), process.env)
  } catch (error) {
    print(`${describeError(error)}\n\n${HELP}`)
    process.exit(2)
  }
}

/** Follows the lines of standard input, and ends with it. */
function followInput(fleet: Fleet, summarize: () => string, end: () => void): void {
  const lines = createInterface({ input: process.stdin })
  lines.on('line', line => {
    if (line === 'summary') process.stdout.write(`${summarize()}\n`)
    if (line === 'mark') for (const metrics of [fleet.metrics, fleet.faultyMetrics]) metrics.mark()
  })
  lines.once('close', end)
}

async function run(options: Options): Promise<void> {
  const licenseKeys = await collectLicenseKeys(options)
  const { seconds, devices, addresses, ...settings } = options
  const fleet = new Fleet({
    ...settings,
    licenseKeys,
    addresses: Array.from({ length: addresses ?? 0 }, (_, index) => `127.0.0.${index + 1}`),
    onRefused: (number, error) => print(`Device ${number}: ${describeError(error)}`),
  })
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
  const startedAt = performance.now()
  const passed = () => (performance.now() - startedAt) / 1000
  const summarize = (connected = fleet.metrics.connected) => {
    const summary = fleet.metrics.summary()
    const channels = { ...summary.channels, connected }
    const { speed } = options
    const faulty =
      options.faultyShare > 0 ? { devices: fleet.faultyDevices, ...fleet.faultyMetrics.summary() } : undefined
    const rounded = Math.round(passed() * 10) / 10
    return JSON.stringify({ devices, speed, seconds: rounded, ...summary, channels, faulty })
  }
  if (options.endsWithInput) followInput(fleet, summarize, () => ending.abort())
  const line = setInterval(() => print(fleet.metrics.line(passed(), devices)), 1000)
  await fleet.start()
  const rest = seconds === null ? 2 ** 31 - 1 : Math.max(0, seconds - passed()) * 1000
  await pause(rest, undefined, { signal: ending.signal }).catch(() => undefined)
  clearInterval(line)
  const { connected } = fleet.metrics
  await fleet.stop()
  // An open standard input would keep the process alive.
  if (options.endsWithInput) process.stdin.destroy()
  process.stdout.write(`${summarize(connected)}\n`)
  if (!fleet.metrics.hasOpenedSession) process.exitCode = 1
}

try {
  await run(readOptionsOrExit())
} catch (error) {
  print(describeError(error))
  process.exitCode = 1
}
