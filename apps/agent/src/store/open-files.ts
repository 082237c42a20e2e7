import { closeSync, createReadStream, createWriteStream, existsSync, openSync } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'

/** More stay closed: systemd allows a service half a million, other systems 4096. */
const MAX_OPEN = 3000
/** A restored file's former descriptor is closed after this. */
const FORMER_OPEN_MS = 30 * 60_000

/**
 * Holds the files of a folder open. The system keeps the bytes of an open file whose name was deleted, so that it still plays
 * and its name can be restored without the server.
 */
export class OpenFiles {
  readonly #folder: string
  readonly #open = new Map<string, number>()
  #restoring: Promise<string[]> | null = null

  constructor(folder: string) {
    this.#folder = folder
  }

  open(name: string): void {
    if (this.#open.size >= MAX_OPEN) return
    try {
      const former = this.#open.get(name)
      this.#open.set(name, openSync(join(this.#folder, name), 'r'))
      // mpv may still have to open the former one for the track that follows.
      if (former !== undefined) setTimeout(() => closeSync(former), FORMER_OPEN_MS).unref()
    } catch (error) {
      console.error(`${name} cannot be opened: ${String(error)}`)
    }
  }

  close(name: string): void {
    const file = this.#open.get(name)
    this.#open.delete(name)
    if (file !== undefined) closeSync(file)
  }

  /** The file's path; of a deleted one that is open, the path of this process's open file. */
  readonly pathOf = (name: string): string => {
    const path = join(this.#folder, name)
    const file = this.#open.get(name)
    return file === undefined || existsSync(path) ? path : `/proc/${process.pid}/fd/${file}`
  }

  /** Whether a file has lost its name and is still open. */
  isNameless(name: string): boolean {
    return this.#open.has(name) && !existsSync(join(this.#folder, name))
  }

  /** Restores the deleted ones of `names`. Returns those that are lost, or none if the folder cannot be read. */
  restore(names: ReadonlySet<string>): Promise<string[]> {
    this.#restoring ??= this.#restore(names).finally(() => (this.#restoring = null))
    return this.#restoring
  }

  async #restore(names: ReadonlySet<string>): Promise<string[]> {
    const present = await readdir(this.#folder).then(
      list => new Set(list),
      () => null,
    )
    if (present === null) return []
    const lost: string[] = []
    for (const name of [...names].filter(each => !present.has(each)))
      if (this.#open.has(name)) await this.#copyBack(name)
      else lost.push(name)
    return lost
  }

  async #copyBack(name: string): Promise<void> {
    const path = join(this.#folder, name)
    try {
      // Opened again: a descriptor has one position, and mpv may read it meanwhile.
      await pipeline(
        createReadStream(this.pathOf(name)),
        createWriteStream(`${path}.restored`, { mode: 0o600 }),
      )
      if (!this.#open.has(name)) return await rm(`${path}.restored`, { force: true })
      await rename(`${path}.restored`, path)
      this.open(name)
    } catch (error) {
      console.error(`${name} cannot be restored: ${String(error)}`)
      await rm(`${path}.restored`, { force: true }).catch(() => undefined)
    }
  }
}
