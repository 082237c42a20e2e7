import { appendFileSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import type { SQLInputValue } from 'node:sqlite'
import { z } from 'zod'
import type { RuntimeFolder } from './runtime-folder.ts'

export interface Write {
  sql: string
  values: readonly SQLInputValue[]
}

const Line = z.tuple([z.string(), z.string(), z.array(z.union([z.string(), z.number(), z.null()]))])
const NAME = 'waiting'
/**
 * The file is written again, without the writes that are done, when it has this many lines more than waiting writes: some 16 MB. Until then the
 * next start sends events again that were sent from memory, which the server stores once, and knows their numbers.
 */
const MAX_SPARE_LINES = 20_000

const lineOf = ([key, { sql, values }]: readonly [string, Write]) => `${JSON.stringify([key, sql, values])}\n`

function parseLine(text: string): [string, Write] | null {
  try {
    const [key, sql, values] = Line.parse(JSON.parse(text))
    return [key, { sql, values }]
  } catch {
    // A kill has cut it.
    return null
  }
}

/** The writes that wait for the disk, as lines in the runtime folder: a kill leaves them to the next start. */
export class WaitingFile {
  readonly #runtime: RuntimeFolder
  /** The writes in the file, by their keys. */
  readonly #written = new Map<string, Write>()
  #lines = 0

  constructor(runtime: RuntimeFolder) {
    this.#runtime = runtime
  }

  /** The writes that a former start has left, the oldest first. */
  read(): [string, Write][] {
    const lines = this.#runtime.find(NAME).flatMap(path => {
      try {
        return readFileSync(path, 'utf8').split('\n')
      } catch {
        return []
      }
    })
    const writes = new Map<string, Write>()
    for (const [key, write] of lines.flatMap(line => (line === '' ? [] : [parseLine(line)])).filter(isLine)) {
      writes.delete(key)
      writes.set(key, write)
    }
    this.#lines = lines.length
    return [...writes]
  }

  /** Writes what waits and is not in the file yet. Without a runtime folder a kill loses it. */
  save(waiting: ReadonlyMap<string, Write>): void {
    const added = [...waiting].filter(([key, write]) => this.#written.get(key) !== write)
    if (added.length === 0) return
    try {
      const path = this.#runtime.make(NAME)
      if (this.#lines + added.length > waiting.size + MAX_SPARE_LINES) {
        writeFileSync(`${path}.new`, [...waiting].map(lineOf).join(''), { mode: 0o600 })
        renameSync(`${path}.new`, path)
        this.#written.clear()
        for (const [key, write] of waiting) this.#written.set(key, write)
        this.#lines = waiting.size
      } else {
        appendFileSync(path, added.map(lineOf).join(''), { mode: 0o600 })
        for (const [key, write] of added) this.#written.set(key, write)
        this.#lines += added.length
      }
    } catch {
      // The memory of the machine is full too.
    }
  }

  /** All of it is in the database. */
  clear(): void {
    if (this.#lines === 0) return
    for (const path of this.#runtime.find(NAME)) rmSync(path, { force: true })
    this.#runtime.tidy()
    this.#written.clear()
    this.#lines = 0
  }
}

const isLine = (line: [string, Write] | null): line is [string, Write] => line !== null
