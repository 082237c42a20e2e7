import { close, closeSync, fdatasync, openSync, readFileSync, writeSync } from 'node:fs'
import type { PlayProgress } from '@floorcast/device-client/play-log.ts'
import { z } from 'zod'
import { foldersOf } from './data-folder.ts'

/** A page of the disk. */
const RECORD_BYTES = 4096
/** Two plays overlap in a crossfade. The others have ended, and their events are in memory only. */
const RECORDS = 8

const Saved = z.object({ id: z.string(), play: z.unknown() })
type Saved = z.infer<typeof Saved>
const Heard = z.object({ lastHeardAt: z.number() })

/** A text with blanks up to the record's end. */
function toRecord(text: string): Buffer {
  const record = Buffer.alloc(RECORD_BYTES, ' ')
  record.write(text)
  record.write('\n', RECORD_BYTES - 1)
  return record
}

function parseRecord(bytes: Buffer): Saved | null {
  try {
    return Saved.safeParse(JSON.parse(bytes.toString())).data ?? null
  } catch {
    return null
  }
}

/**
 * The plays in progress, in a file of fixed size whose records are written over in their places: a full disk takes that too, and
 * it costs one page where a commit costs five. What is written goes to the disk; what is removed may come back, and is in the log.
 */
export class ProgressFile implements PlayProgress {
  readonly #path: string
  readonly #former: PlayProgress
  /** The records by the ids of their plays, the oldest first. */
  readonly #records = new Map<string, number>()

  /** @param former where former releases have kept them */
  constructor(dataDir: string, former: PlayProgress) {
    this.#path = foldersOf(dataDir).progress
    this.#former = former
  }

  readAll(): Saved[] {
    const saved: Saved[] = []
    for (const [index, record] of this.#read().entries()) {
      if (!record) continue
      this.#records.set(record.id, index)
      saved.push(record)
    }
    return [...saved, ...this.#former.readAll()]
  }

  /** When the newest play was last heard, in milliseconds since 1970; null without one. */
  readLastHeardAt(): number | null {
    const times = this.#read().flatMap(saved => Heard.safeParse(saved?.play).data?.lastHeardAt ?? [])
    return times.length === 0 ? null : Math.max(...times)
  }

  write(id: string, play: object): void {
    const text = JSON.stringify({ id, play })
    // The bounds of names keep it far below.
    if (Buffer.byteLength(text) >= RECORD_BYTES) return
    const index = this.#records.get(id) ?? this.#takeRecord()
    this.#records.set(id, index)
    this.#put(index, text, true)
  }

  remove(id: string): void {
    const index = this.#records.get(id)
    if (index === undefined) return this.#former.remove(id)
    this.#records.delete(id)
    this.#put(index, '', false)
  }

  /** A free record; without one that of the oldest play. */
  #takeRecord(): number {
    const taken = new Set(this.#records.values())
    const free = Array.from({ length: RECORDS }, (_, index) => index).find(index => !taken.has(index))
    if (free !== undefined) return free
    const [oldest = ['', 0]] = this.#records
    this.#records.delete(oldest[0])
    return oldest[1]
  }

  #read(): (Saved | null)[] {
    try {
      const bytes = readFileSync(this.#path)
      const parts = Array.from({ length: RECORDS }, (_, index) => index * RECORD_BYTES)
      return parts.map(from => parseRecord(bytes.subarray(from, from + RECORD_BYTES)))
    } catch {
      return []
    }
  }

  #put(index: number, text: string, isFlushed: boolean): void {
    try {
      const file = this.#open()
      writeSync(file, toRecord(text), 0, RECORD_BYTES, index * RECORD_BYTES)
      if (!isFlushed) return closeSync(file)
      fdatasync(file, () => close(file))
    } catch {
      // A disk that takes no writes at all: a kill loses the play.
    }
  }

  #open(): number {
    try {
      return openSync(this.#path, 'r+')
    } catch {
      const file = openSync(this.#path, 'w', 0o600)
      writeSync(file, Buffer.concat(Array.from({ length: RECORDS }, () => toRecord(''))))
      return file
    }
  }
}
