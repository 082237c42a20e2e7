import { close, closeSync, existsSync, fdatasync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import type { PlayProgress } from '@floorcast/device-client/play-log.ts'
import { z } from 'zod'
import { foldersOf } from './data-folder.ts'
import type { RuntimeFolder } from './runtime-folder.ts'

/** A page of the disk. */
const RECORD_BYTES = 4096
/** Two plays overlap in a crossfade. The others have ended, and their events are in memory only. */
const RECORDS = 8

const Saved = z.object({ id: z.string(), play: z.unknown() })
type Saved = z.infer<typeof Saved>
const Heard = z.object({ lastHeardAt: z.number(), ending: z.unknown().optional() })
const NAME = 'progress'

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
 * If the disk is read-only, the same records are in a file of the runtime folder.
 */
export class ProgressFile implements PlayProgress {
  readonly #path: string
  readonly #runtime: RuntimeFolder | null
  readonly #former: PlayProgress
  /** The records by the ids of their plays, the oldest first. */
  readonly #records = new Map<string, number>()
  /** Whether the runtime folder may have records. */
  #isSpilled: boolean

  /** @param former where former releases have kept them */
  constructor(dataDir: string, runtime: RuntimeFolder | null, former: PlayProgress) {
    this.#path = foldersOf(dataDir).progress
    this.#runtime = runtime
    this.#former = former
    this.#isSpilled = this.#spills().length > 0
  }

  readAll(): Saved[] {
    const newest = new Map<string, Saved>()
    for (const [index, record] of this.#readRecords()) {
      this.#records.set(record.id, index)
      const known = newest.get(record.id)
      if (!known || isLater(record, known)) newest.set(record.id, record)
    }
    const saved = [...newest.values()].filter(({ play }) => play !== null)
    for (const { id, play } of newest.values()) if (play === null) this.remove(id)
    return [...saved, ...this.#former.readAll()]
  }

  /** When the newest play was last heard, in milliseconds since 1970; null without one. */
  readLastHeardAt(): number | null {
    const times = this.#readRecords().flatMap(([, { play }]) => Heard.safeParse(play).data?.lastHeardAt ?? [])
    return times.length === 0 ? null : Math.max(...times)
  }

  write(id: string, play: object): void {
    const text = JSON.stringify({ id, play })
    // The bounds of names keep it far below.
    if (Buffer.byteLength(text) >= RECORD_BYTES) return
    const index = this.#records.get(id) ?? this.#takeRecord()
    this.#records.set(id, index)
    if (!this.#put(index, text, true)) this.#spill(index, text)
    else if (this.#isSpilled) this.#spill(index, '')
  }

  remove(id: string): void {
    const index = this.#records.get(id)
    if (index === undefined) return this.#former.remove(id)
    // A record that a read-only disk still has is marked as removed in the runtime folder.
    if (!this.#put(index, '', false) && readRecords(this.#path).some(([, record]) => record.id === id))
      return this.#spill(index, JSON.stringify({ id, play: null }))
    this.#records.delete(id)
    this.#spill(index, '')
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

  #spills(): string[] {
    return this.#runtime?.find(NAME).filter(path => existsSync(path)) ?? []
  }

  #readRecords(): [number, Saved][] {
    return [this.#path, ...this.#spills()].flatMap(path => readRecords(path))
  }

  /** Returns whether the disk of the data folder takes it. */
  #put(index: number, text: string, isFlushed: boolean): boolean {
    try {
      const file = openRecords(this.#path)
      writeSync(file, toRecord(text), 0, RECORD_BYTES, index * RECORD_BYTES)
      if (isFlushed) fdatasync(file, error => close(file, () => error && this.#spill(index, text)))
      else closeSync(file)
      return true
    } catch {
      return false
    }
  }

  /** Writes a record to the runtime folder; without one, a kill loses the play. The file goes with its last record. */
  #spill(index: number, text: string): void {
    try {
      if (text === '' && !this.#isSpilled) return
      const path = this.#runtime?.make(NAME)
      if (path === undefined) return
      const file = openRecords(path)
      writeSync(file, toRecord(text), 0, RECORD_BYTES, index * RECORD_BYTES)
      closeSync(file)
      this.#isSpilled = true
      if (text !== '' || readRecords(path).length > 0) return
      for (const spill of this.#spills()) rmSync(spill)
      this.#runtime?.tidy()
      this.#isSpilled = false
    } catch {
      // The memory of the machine is full too.
    }
  }
}

/** Whether `one` was written after `other`; a removed one was. */
function isLater(one: Saved, other: Saved): boolean {
  if (one.play === null || other.play === null) return one.play === null
  const [first, second] = [one, other].map(({ play }) => Heard.safeParse(play).data)
  if (!first || !second) return second === undefined
  return first.lastHeardAt > second.lastHeardAt || (first.ending !== undefined && second.ending === undefined)
}

/** The records with a play, by their index. */
function readRecords(path: string): [number, Saved][] {
  try {
    const bytes = readFileSync(path)
    return Array.from({ length: RECORDS }, (_, index) => index).flatMap(index => {
      const record = parseRecord(bytes.subarray(index * RECORD_BYTES, (index + 1) * RECORD_BYTES))
      return record ? [[index, record] as [number, Saved]] : []
    })
  } catch {
    return []
  }
}

function openRecords(path: string): number {
  try {
    return openSync(path, 'r+')
  } catch {
    const file = openSync(path, 'w', 0o600)
    writeSync(file, Buffer.concat(Array.from({ length: RECORDS }, () => toRecord(''))))
    return file
  }
}
