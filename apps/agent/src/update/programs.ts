import { createHash } from 'node:crypto'
import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { UpdateVersion } from '@floorcast/contract/update-versions.ts'
import { Sha256 } from '@floorcast/contract/fields.ts'
import { z } from 'zod'
import { foldersOf } from '../store/data-folder.ts'

/*
 * The installed programs: each in a folder of its own below the data folder, with two small files beside them. The install
 * command writes `request.json`, the supervisor writes `state.json`, and each file has one writer. Both are replaced by a
 * rename, so that a power cut leaves the former or the new one.
 */

/** An installed program. Its file is one bundle. */
export const Program = z.object({
  version: UpdateVersion,
  sha256: Sha256,
  /** Whether it shows life from its first moment on; programs of 2.775.0 do not. */
  showsLife: z.boolean().optional(),
})
export type Program = z.infer<typeof Program>

/** The wish of the install command that the supervisor starts a program. */
const InstallRequest = z.object({ id: z.uuid(), program: Program })
export type InstallRequest = z.infer<typeof InstallRequest>

/** A program that the supervisor has given up. */
const ReturnNote = z.object({ id: z.uuid(), version: z.string(), sha256: Sha256, why: z.string() })
export type ReturnNote = z.infer<typeof ReturnNote>

const SupervisorState = z.object({
  /** The program to start; null: the one that the installer brought, which starts the supervisor too. */
  current: Program.nullable(),
  /** `trial` until the program is healthy, then `probation` until it has run for a while. */
  phase: z.enum(['good', 'trial', 'probation']),
  /** The program to return to. */
  former: Program.nullable(),
  /** Starts of a program on trial. */
  starts: z.int().nonnegative(),
  /** The newest request that was followed. */
  requestId: z.string().nullable(),
  returned: ReturnNote.nullable(),
})
export type SupervisorState = z.infer<typeof SupervisorState>

export const INITIAL_STATE: SupervisorState = {
  current: null,
  phase: 'good',
  former: null,
  starts: 0,
  requestId: null,
  returned: null,
}

/** The paths of the updates in an agent's data folder. */
export function updateFoldersOf(dataDir: string) {
  const { updates } = foldersOf(dataDir)
  return {
    programs: join(updates, 'programs'),
    downloads: join(updates, 'downloads'),
    trial: join(updates, 'trial'),
    state: join(updates, 'state.json'),
    request: join(updates, 'request.json'),
  }
}

/** A company's own certificate authority is the system's to know. Node knows the option since 22.15 and 24.0. */
export const nodeOptions = (): string[] =>
  ['--use-system-ca'].filter(option => process.allowedNodeEnvironmentFlags.has(option))

const PROGRAM_FILE = 'floorcast-agent.mjs'
export const folderNameOf = ({ version, sha256 }: Program): string => `${version}-${sha256.slice(0, 16)}`
export const pathOfProgram = (dataDir: string, program: Program): string =>
  join(updateFoldersOf(dataDir).programs, folderNameOf(program), PROGRAM_FILE)

/** Replaces a file by a rename. Its bytes are on the disk before. */
export function replaceFile(path: string, bytes: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  const temporary = `${path}.new`
  try {
    const file = openSync(temporary, 'w', 0o600)
    try {
      writeFileSync(file, bytes)
      fsyncSync(file)
    } finally {
      closeSync(file)
    }
    renameSync(temporary, path)
    syncFolder(dirname(path))
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as unknown
  } catch {
    return null
  }
}

/** The supervisor's state. One that is missing or damaged is the initial one: the installer's program starts. */
export const readSupervisorState = (dataDir: string): SupervisorState =>
  SupervisorState.safeParse(readJson(updateFoldersOf(dataDir).state)).data ?? INITIAL_STATE

export const readInstallRequest = (dataDir: string): InstallRequest | null =>
  InstallRequest.safeParse(readJson(updateFoldersOf(dataDir).request)).data ?? null

export const hashOfFile = (path: string): string =>
  createHash('sha256').update(readFileSync(path)).digest('hex')

/** Whether a program's file is there and undamaged. */
export function isWhole(dataDir: string, program: Program): boolean {
  try {
    return hashOfFile(pathOfProgram(dataDir, program)) === program.sha256
  } catch {
    return false
  }
}
