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

async function run(options: Options): Promise<void> {
  const licenseKeys = await collectLicenseKeys(options)
  const { server, speed, hoursAgo, heartbeatSeconds, seconds, devices } = options
  const onRefused = (number: number, error: unknown) => print(`Device ${number}: ${describeError(error)}`)
  const fleet = new Fleet({ server, speed, hoursAgo, heartbeatSeconds, licenseKeys, onRefused })
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ending.abort())
  if (options.endsWithInput) process.stdin.once('end', () => ending.abort()).resume()
  const startedAt = performance.now()
  const passed = () => (performance.now() - startedAt) / 1000
  const line = setInterval(() => print(fleet.metrics.line(passed(), devices)), 1000)
  await fleet.start()
  const rest = seconds === null ? 2 ** 31 - 1 : Math.max(0, seconds - passed()) * 1000
  await pause(rest, undefined, { signal: ending.signal }).catch(() => undefined)
  clearInterval(line)
  const connected = fleet.metrics.connected
  await fleet.stop()
  // An open standard input would keep the process alive.
  if (options.endsWithInput) process.stdin.destroy()
  const summary = fleet.metrics.summary()
  const channels = { ...summary.channels, connected }
  process.stdout.write(
    `${JSON.stringify({ devices, speed, seconds: Math.round(passed() * 10) / 10, ...summary, channels })}\n`,
  )
  if (summary.sessions.acknowledged === 0) process.exitCode = 1
}

try {
  await run(readOptionsOrExit())
} catch (error) {
  print(describeError(error))
  process.exitCode = 1
}
