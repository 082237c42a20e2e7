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

/** Runs a bundle on this machine's Node. @throws Error with the first line of its complaint */
async function runBundle(path: string, option: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [path, option], {
      timeout: START_TIMEOUT_MS,
      killSignal: 'SIGKILL',
    })
    return stdout.trim()
  } catch (cause) {
    const lines = cause instanceof Error ? cause.message.split('\n').slice(1) : []
    // Node 22 warns of node:sqlite first.
    const line = lines.find(each => !/^\((node:|Use `node)/.test(each)) ?? ''
    throw new Error(`The file does not start on this machine: ${line || String(cause)}`, { cause })
  }
}

/** Bundles of 2.775.0 have no self-test; they start where they print their version. Returns whether it has one. */
async function trySelf(path: string): Promise<boolean> {
  try {
    await runBundle(path, '--self-test')
    return true
  } catch (error) {
    if (!String(error).includes("Unknown option '--self-test'")) throw error
    return false
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
    const found = await runBundle(path, '--version')
    if (compareVersions(found, version) !== 0)
      throw new Error(`The file is version ${found.slice(0, 60)}, but the package says ${version}`)
    // Both came with the same release.
    program.showsLife = await trySelf(path)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
  const request: InstallRequest = { id: randomUUID(), program }
  replaceFile(updateFoldersOf(dataDir).request, JSON.stringify(request))
}
