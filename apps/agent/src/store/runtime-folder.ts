import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/**
 * A folder in the machine's memory for what the disk of the data folder does not take. It outlives a kill of the agent, and not
 * the machine: `RUNTIME_DIRECTORY`, which systemd gives the service, else /dev/shm or the temporary folder. Each data folder has
 * its own.
 */
export class RuntimeFolder {
  readonly #folders: string[]

  constructor(dataDir: string, { RUNTIME_DIRECTORY }: NodeJS.ProcessEnv = process.env) {
    const name = `floorcast-agent-${createHash('sha256').update(resolve(dataDir)).digest('hex').slice(0, 16)}`
    const given = RUNTIME_DIRECTORY?.split(':')[0]
    this.#folders = (given ? [given] : ['/dev/shm', tmpdir()]).map(parent => join(parent, name))
  }

  /** The paths that a file of this name may have: of the folders that exist, the preferred one first. */
  find(name: string): string[] {
    return this.#folders.filter(isOwn).map(folder => join(folder, name))
  }

  /** The path for a file of this name. @throws Error if no folder can be made */
  make(name: string): string {
    let failure: unknown
    for (const folder of this.#folders)
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        if (isOwn(folder)) return join(folder, name)
      } catch (error) {
        failure = error
      }
    throw new Error('There is no runtime folder', { cause: failure })
  }

  /** Removes the folder when nothing is in it. */
  tidy(): void {
    for (const folder of this.#folders)
      try {
        rmdirSync(folder)
      } catch {
        // It does not exist, or something is in it.
      }
  }
}

/** Others may write in /dev/shm and the temporary folder: what another user has made is not read. */
function isOwn(folder: string): boolean {
  const facts = lstatSync(folder, { throwIfNoEntry: false })
  return facts?.isDirectory() === true && facts.uid === process.getuid?.() && (facts.mode & 0o077) === 0
}
