import { release } from '@floorcast/contract/release.ts'
import { type AgentEnd, startAgent } from './agent.ts'
import { help, type Options, readOptions } from './options.ts'
import { printCues, printEvents } from './print.ts'
import { lockFolder, restrictFolder } from './store/data-folder.ts'
import { extendConnectTimeout } from './sync/connect-timeout.ts'

/** The process's exit codes. A service manager must not restart it after 3 and 4. */
const exitCodes: Record<AgentEnd, number> = {
  stopped: 0,
  restart: 75,
  'license-bound': 3,
  'license-unknown': 4,
}
const WRONG_USE = 2

const print = (line: string) => void process.stdout.write(`${line}\n`)

async function play({ server, key, dataDir, audioOutput, heartbeatSeconds }: Options): Promise<number> {
  if (!server || !key) throw new Error('--server and --key or --key-file are needed')
  process.umask(0o077)
  restrictFolder(dataDir)
  lockFolder(dataDir)
  extendConnectTimeout()
  const agent = startAgent({ server, key, dataDir, audioOutput, heartbeatSeconds, print })
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => agent.stop())
  return exitCodes[await agent.ended]
}

async function run(): Promise<void> {
  const options = readOptions(process.argv.slice(2), process.env)
  if (options.command === 'print-help') print(help)
  else if (options.command === 'print-version') print(release.version)
  else if (options.command === 'print-events') printEvents(options.dataDir, print)
  else if (options.command === 'print-cue') printCues(options.dataDir, Date.now(), print)
  // Pending calls must not keep the process alive.
  else process.exit(await play(options))
}

try {
  await run()
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${help}`)
  process.exitCode = WRONG_USE
}
