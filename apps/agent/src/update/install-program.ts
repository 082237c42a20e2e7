import { execFile, type ExecFileException } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { setPriority } from 'node:os'
import { promisify } from 'node:util'
import { compareVersions } from '@floorcast/contract/update-versions.ts'
import {
  hashOfFile,
  type InstallRequest,
  isWhole,
  nodeOptions,
  pathOfProgram,
  Program,
  replaceFile,
  updateFoldersOf,
} from './programs.ts'
import { copyForTrial, removeTrialCopy } from './trial-copy.ts'

const MAX_RUN_MS = 60_000
const MIN_RUN_MS = 1000
/** The command ends by itself, with a reason, before it is killed. */
const MARGIN_MS = 5000
/** So does a trial. */
const TRIAL_MARGIN_SECONDS = 3
/** The version that plays comes first. */
const LOW_PRIORITY = 5

/** The last line of the self-test, before a trial on a copy of data. */
export const SELF_TEST_PASSED = 'The self-test has passed'

/** The version and the file to install, and the seconds that it may take. */
interface InstallOrder {
  dataDir: string
  positionals: string[]
  installSeconds: number
}

/** A run of a bundle that has failed, by its last complaint. */
class RunFailure extends Error {
  /** The earlier output. */
  readonly output: string

  constructor(cause: ExecFileException, timeoutMs: number) {
    super(describeFailure(cause, timeoutMs), { cause })
    this.output = cause.stdout ?? ''
  }
}

function describeFailure({ killed, code, signal, message }: ExecFileException, timeoutMs: number): string {
  if (killed) return `it took more than ${Math.round(timeoutMs / 1000)} seconds`
  const lines = message.split('\n').slice(1)
  // Node warns first, and prints a stack and its version after an error.
  const line = lines.findLast(each => !/^(\((node:|Use `node)|\s|Node\.js v|$)/.test(each))
  return code === 1 && line !== undefined ? line : `it ended with ${signal ?? `code ${code}`}`
}

/** A bundle that is tried on this machine's Node, as the supervisor starts it. */
class TriedBundle {
  readonly #path: string
  /** Counted since the start of this process. */
  readonly #untilMs: number

  constructor(path: string, installSeconds: number) {
    this.#path = path
    this.#untilMs = installSeconds * 1000 - MARGIN_MS
  }

  /** The time that a run may take, in milliseconds. */
  get runMs(): number {
    return Math.round(Math.max(MIN_RUN_MS, Math.min(MAX_RUN_MS, this.#untilMs - performance.now())))
  }

  /** Returns its output. @throws RunFailure */
  async run(...args: string[]): Promise<string> {
    const timeout = this.runMs
    const options = { timeout, killSignal: 'SIGKILL' as const }
    try {
      const all = [...nodeOptions(), this.#path, ...args]
      return (await promisify(execFile)(process.execPath, all, options)).stdout.trim()
    } catch (cause) {
      throw new RunFailure(cause as ExecFileException, timeout)
    }
  }
}

const DOES_NOT_START = 'The file does not start on this machine'
const DOES_NOT_PLAY = "It does not play from a copy of this device's data"

interface Trial {
  /** Whether the bundle has the self-test at all. */
  hasSelfTest: boolean
  /** Why it was not tried on a copy of the data. */
  note: string | null
}

/** Runs the self-test of a bundle, on a copy of the data if both are so new and the disk has room. @throws Error if it fails */
async function tryBundle(bundle: TriedBundle, dataDir: string): Promise<Trial> {
  const { copy, note } = makeCopy(dataDir)
  try {
    const seconds = Math.max(1, Math.floor(bundle.runMs / 1000) - TRIAL_MARGIN_SECONDS)
    await bundle.run('--self-test', ...(copy === null ? [] : [copy, '--health-seconds', `${seconds}`]))
    return { hasSelfTest: true, note }
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error
    // Bundles of 2.775.0 have no self-test; they start where they print their version.
    if (error.message.includes("Unknown option '--self-test'")) return { hasSelfTest: false, note: null }
    if (copy !== null && error.message.includes('is no option')) {
      await explain(DOES_NOT_START, bundle.run('--self-test'))
      return { hasSelfTest: true, note: 'its version has no such trial' }
    }
    const what = error.output.includes(SELF_TEST_PASSED) ? DOES_NOT_PLAY : DOES_NOT_START
    throw new Error(`${what}: ${error.message}`, { cause: error })
  } finally {
    removeTrialCopy(dataDir)
  }
}

function makeCopy(dataDir: string): { copy: string | null; note: string | null } {
  try {
    return { copy: copyForTrial(dataDir), note: null }
  } catch (error) {
    return { copy: null, note: error instanceof Error ? error.message : String(error) }
  }
}

async function explain<T>(what: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (cause) {
    throw new Error(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/**
 * The install command of installations with a supervisor: installs a bundle beside the running one and asks the supervisor to
 * start it next. The running one plays meanwhile. @throws Error if the bundle is not of this version, does not start on this machine,
 * or does not play from a copy of the data
 */
export async function installProgram(
  { dataDir, positionals: [version, file, ...more], installSeconds }: InstallOrder,
  print: (line: string) => void,
): Promise<void> {
  if (version === undefined || file === undefined || more.length > 0)
    throw new Error('--install-update needs a version and one file')
  setPriority(LOW_PRIORITY)
  const program = Program.parse({ version, sha256: hashOfFile(file) })
  const path = pathOfProgram(dataDir, program)
  const bundle = new TriedBundle(path, installSeconds)
  try {
    if (!isWhole(dataDir, program)) replaceFile(path, readFileSync(file))
    const found = await explain(DOES_NOT_START, bundle.run('--version'))
    if (compareVersions(found, version) !== 0)
      throw new Error(`The file is version ${found.slice(0, 60)}, but the package says ${version}`)
    const { hasSelfTest, note } = await tryBundle(bundle, dataDir)
    // Both came with the same release.
    program.showsLife = hasSelfTest
    if (note !== null) print(`note: It was not tried on a copy of this device's data: ${note}`)
  } catch (error) {
    rmSync(path, { force: true })
    throw error
  }
  const request: InstallRequest = { id: randomUUID(), program }
  replaceFile(updateFoldersOf(dataDir).request, JSON.stringify(request))
}
