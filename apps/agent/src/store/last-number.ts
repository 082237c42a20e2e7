import { closeSync, openSync, readFileSync, writeSync } from 'node:fs'
import { foldersOf } from './data-folder.ts'

/** An event's boot and its number in it. */
export interface EventNumber {
  bootId: string
  sequence: number
}

const RECORD_BYTES = 64

/**
 * The number of the newest event that the disk did not take at once, or of the start's first one, in a file of one record that is overwritten in its place: a full disk takes that too. It tells
 * the next start how many events were in memory only when the agent was killed.
 */
export class LastNumber {
  readonly #path: string

  constructor(dataDir: string) {
    this.#path = foldersOf(dataDir).lastNumber
  }

  /** Null if there is none, or if the disk was full from the start. */
  read(): EventNumber | null {
    try {
      const found = /^(?<bootId>[0-9a-f-]{36}) (?<sequence>\d+) *\n/.exec(readFileSync(this.#path, 'utf8'))
      const { bootId, sequence } = found?.groups ?? {}
      return bootId === undefined ? null : { bootId, sequence: Number(sequence) }
    } catch {
      return null
    }
  }

  write({ bootId, sequence }: EventNumber): void {
    try {
      const file = openSync(this.#path, this.read() === null ? 'w' : 'r+', 0o600)
      writeSync(file, `${bootId} ${sequence}`.padEnd(RECORD_BYTES - 1) + '\n', 0)
      closeSync(file)
    } catch {
      // A disk that takes no writes at all: the events of this start are in memory only.
    }
  }
}
