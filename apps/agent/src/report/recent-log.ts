import { arch, release as systemRelease, type, uptime } from 'node:os'
import type { EventStore } from '../store/event-store.ts'
import { programVersion } from './program-version.ts'

const MAX_EVENTS = 2000
const MAX_LINES = 200
/** The server takes a MiB. */
const MAX_CHARACTERS = 900_000

interface RecentLogOptions {
  /** Texts that must not leave the device: its license key and token. */
  secrets: () => readonly (string | null)[]
  print: (line: string) => void
}

/** The latest output and log of the agent, for a person who looks for a fault. */
export class RecentLog {
  readonly #events: Pick<EventStore, 'readNewest' | 'bootId'>
  readonly #options: RecentLogOptions
  readonly #lines: string[] = []

  constructor(events: Pick<EventStore, 'readNewest' | 'bootId'>, options: RecentLogOptions) {
    this.#events = events
    this.#options = options
  }

  /** Prints a line, and keeps it. */
  print(line: string): void {
    this.#lines.push(`${new Date().toISOString()} ${line}`)
    if (this.#lines.length > MAX_LINES) this.#lines.shift()
    this.#options.print(line)
  }

  /** The machine, the printed lines, and the events, the newest first; the oldest are left out beyond the bound. */
  read(): string {
    const head = [
      `floorcast-agent ${programVersion}, start ${this.#events.bootId}`,
      `${type()} ${systemRelease()} ${arch()}, Node ${process.version}, up ${Math.round(uptime())} s`,
      '',
      ...this.#lines,
      '',
    ]
    let text = [...head, ...this.#events.readNewest(MAX_EVENTS)].join('\n').replaceAll('\0', '')
    for (const secret of this.#options.secrets()) if (secret) text = text.replaceAll(secret, '…')
    const short = text.slice(0, MAX_CHARACTERS)
    // Characters of several bytes.
    return Buffer.byteLength(short) <= MAX_CHARACTERS ? short : short.slice(0, MAX_CHARACTERS / 4)
  }
}
