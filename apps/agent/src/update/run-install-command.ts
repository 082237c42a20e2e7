import { spawn } from 'node:child_process'
import { firstOf } from '@floorcast/device-client/wait.ts'

export interface InstallCommand {
  /** A program with its first arguments. */
  program: string
  args: string[]
  timeoutSeconds: number
}

export interface UpdateToInstall {
  version: string
  packageUid: string
  /** The paths of the files, checked. */
  files: string[]
}

const MAX_OUTPUT = 800
/** The command's line about an update that it has installed. */
const NOTE = /^note: (.+)$/m
const MAX_OUTPUT_WAIT_MS = 500

/**
 * Runs the install command with the version and the files as its arguments, and the same in its environment. One that takes
 * too long is killed with all that it has started. Returns its note, a line that begins with 'note: ', or null. @throws Error with the last of its output
 */
export async function runInstallCommand(
  { program, args, timeoutSeconds }: InstallCommand,
  { version, packageUid, files }: UpdateToInstall,
): Promise<string | null> {
  const child = spawn(program, [...args, version, ...files], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      FLOORCAST_UPDATE_VERSION: version,
      FLOORCAST_UPDATE_PACKAGE: packageUid,
      FLOORCAST_UPDATE_FILES: files.join('\n'),
    },
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (data: Buffer) => (output = (output + data.toString()).slice(-MAX_OUTPUT)))
  const ended = new Promise<string | null>(resolve => {
    child.once('error', error => resolve(error.message))
    // The last of the output may come after the end; what the command has left running may hold it open for ever.
    const closed = new Promise<void>(close => child.once('close', () => close()))
    child.once('exit', (code, signal) => {
      const failure = code === 0 ? null : `it ended with ${signal ?? `code ${code}`}`
      void firstOf([closed], MAX_OUTPUT_WAIT_MS).then(() => resolve(failure))
    })
  })
  const failure = await firstOf([ended], timeoutSeconds * 1000)
  if (failure === null) return NOTE.exec(output)?.[1] ?? null
  if (failure === 'time' && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  const why = failure === 'time' ? `it took more than ${timeoutSeconds} seconds` : failure
  throw new Error(`The install command failed: ${why}${output.trim() === '' ? '' : `: ${output.trim()}`}`)
}
