import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Log } from '../../platform/log/log.ts'

const FLEET = fileURLToPath(new URL('../../../../fleet/src/main.ts', import.meta.url))

/** How long they may take to send what they played; the server itself has nine seconds to stop. */
const FAREWELL_MILLIS = 3000

/** Starts the simulated devices as a program of their own; the function returned ends it. */
export function startDemoFleet(
  log: Log,
  fleet: { origin: string; keysFile: string; devices: number },
): () => Promise<void> {
  const { origin, keysFile, devices } = fleet
  const args = [
    FLEET,
    '--devices',
    String(devices),
    '--server',
    origin,
    '--keys',
    keysFile,
    '--ends-with-input',
  ]
  const program = spawn(process.execPath, args, { stdio: ['pipe', 'ignore', 'ignore'] })
  let isStopping = false
  program.once('error', error => log.error({ err: error }, 'the simulated devices could not start'))
  const ended = once(program, 'exit').then(
    ([code]: unknown[]) => {
      if (!isStopping) log.warn({ code }, 'the simulated devices ended')
    },
    () => undefined,
  )
  return async () => {
    isStopping = true
    program.kill('SIGTERM')
    const late = setTimeout(() => program.kill('SIGKILL'), FAREWELL_MILLIS)
    await ended
    clearTimeout(late)
  }
}
