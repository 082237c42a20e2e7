import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { promisify } from 'node:util'
import { compareVersions } from '@floorcast/contract/update-versions.ts'
import {
  hashOfFile,
  type InstallRequest,
  isWhole,
  pathOfProgram,
  Program,
  replaceFile,
  updateFoldersOf,
} from './programs.ts'

const START_TIMEOUT_MS = 60_000

/** The version that a bundle prints. @throws Error if it does not start on this machine */
async function readVersion(path: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [path, '--version'], {
      timeout: START_TIMEOUT_MS,
      killSignal: 'SIGKILL',
    })
    return stdout.trim()
  } catch (cause) {
    const [line = ''] = cause instanceof Error ? cause.message.split('\n').slice(1) : []
    throw new Error(`The file does not start on this machine: ${line || String(cause)}`, { cause })
  }
}

/**
 * The install command of installations with a supervisor: installs a bundle beside the running one and asks the supervisor to
 * start it next. @throws Error if the bundle is not of this version, or does not start on this machine
 */
export async function installProgram(dataDir: string, [version, file, ...more]: string[]): Promise<void> {
  if (version === undefined || file === undefined || more.length > 0)
    throw new Error('--install-update needs a version and one file')
  const program = Program.parse({ version, sha256: hashOfFile(file) })
  const path = pathOfProgram(dataDir, program)
  try {
    if (!isWhole(dataDir, program)) replaceFile(path, readFileSync(file))
    const found = await readVersion(path)
    if (compareVersions(found, version) !== 0)
      throw new Error(`The file is version ${found.slice(0, 60)}, but the package says ${version}`)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
  const request: InstallRequest = { id: randomUUID(), program }
  replaceFile(updateFoldersOf(dataDir).request, JSON.stringify(request))
}
