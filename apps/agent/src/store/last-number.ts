import { closeSync, openSync, readFileSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { foldersOf } from './data-folder.ts'
import type { RuntimeFolder } from './runtime-folder.ts'

/** An event's boot and its number in it. */
export interface EventNumber {
  bootId: string
  sequence: number
}

const RECORD_BYTES = 64

const NAME = 'last-number'

/**
 * The number of the newest event that the disk did not take at once, or of the start's first one, in a file of one record that is overwritten in its place: a full disk takes that too. It tells
 * the next start how many events were in memory only when the agent was killed. On a read-only disk it is in the runtime folder.
 */
export class LastNumber {
  readonly #path: string
  readonly #runtime: RuntimeFolder | null
  #isSpilled: boolean

  constructor(dataDir: string, runtime: RuntimeFolder | null = null) {
    this.#path = foldersOf(dataDir).lastNumber
    this.#runtime = runtime
    this.#isSpilled = this.#spills().some(path => parseNumber(path) !== null)
  }

  /** Null if there is none, or if the disk was full from the start. */
  read(): EventNumber | null {
    return [...this.#spills(), this.#path].map(parseNumber).find(number => number !== null) ?? null
  }

  write(number: EventNumber): void {
    const record = `${number.bootId} ${number.sequence}`.padEnd(RECORD_BYTES - 1) + '\n'
    try {
      const file = openSync(this.#path, parseNumber(this.#path) === null ? 'w' : 'r+', 0o600)
      writeSync(file, record, 0)
      closeSync(file)
      if (!this.#isSpilled) return
      for (const path of this.#spills()) rmSync(path, { force: true })
      this.#runtime?.tidy()
      this.#isSpilled = false
    } catch {
      this.#spill(record)
    }
  }

  #spills(): string[] {
    return this.#runtime?.find(NAME) ?? []
  }

  #spill(record: string): void {
    try {
      const path = this.#runtime?.make(NAME)
      if (path !== undefined) writeFileSync(path, record, { mode: 0o600 })
      this.#isSpilled = true
    } catch {
      // The memory of the machine is full too: the events of this start are in memory only.
    }
  }
}

function parseNumber(path: string): EventNumber | null {
  try {
    const found = /^(?<bootId>[0-9a-f-]{36}) (?<sequence>\d+) *\n/.exec(readFileSync(path, 'utf8'))
    const { bootId, sequence } = found?.groups ?? {}
    return bootId === undefined ? null : { bootId, sequence: Number(sequence) }
  } catch {
    return null
  }
}
