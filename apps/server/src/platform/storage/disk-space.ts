import { statfs } from 'node:fs/promises'

/** The free space that uploads and changes leave on a disk: this share (0 to 1) of it, within a minimum and a maximum in bytes. */
export interface MinFreeDisk {
  share: number
  atLeastBytes: number
  atMostBytes: number
}

export interface DiskSize {
  freeBytes: number
  totalBytes: number
}

/** The bytes of a disk that uploads and changes leave free. */
export const floorBytesOf = (totalBytes: number, { share, atLeastBytes, atMostBytes }: MinFreeDisk): number =>
  Math.max(atLeastBytes, Math.min(atMostBytes, share * totalBytes))

export async function diskSizeOf(folder: string): Promise<DiskSize> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize }
}

/** A write would leave less free space than `MinFreeDisk`. Its code is that of a full disk. */
export class DiskFloorError extends Error {
  override readonly name = 'DiskFloorError'
  readonly code = 'ENOSPC'
}

/** A disk that was full is so until this share of the floor, or half of what is above it, is free beside the floor. */
const CLEAR_SHARE = 0.1
const CLEAR_SHARE_ABOVE = 0.5

/** The bytes beside the floor that end a full disk for those who must not swing. */
const clearBytesOf = (totalBytes: number, floorBytes: number): number =>
  Math.max(0, Math.min(floorBytes * CLEAR_SHARE, (totalBytes - floorBytes) * CLEAR_SHARE_ABOVE))

const MAX_AGE_MS = 1000
/** Before a refusal the disk is measured again, unless it was so recently. */
const MIN_AGE_MS = 100

/**
 * Keeps a part of a disk free, which the database and the events of devices need. The disk is measured once a second, and before
 * a refusal. What was taken since the measurement before is subtracted, because many uploads write at once, and late.
 */
export class DiskSpace {
  readonly #measure: () => Promise<DiskSize>
  readonly #minFree: MinFreeDisk
  #size: (DiskSize & { at: number }) | null = null
  #measuring: Promise<void> | null = null
  /** Bytes that were taken since the last measurement, and between the two last ones. */
  #takenBytes = 0
  #takenBefore = 0

  constructor(measure: () => Promise<DiskSize>, minFree: MinFreeDisk) {
    this.#measure = measure
    this.#minFree = minFree
  }

  /** @throws DiskFloorError if there is no room for these bytes */
  require(bytes: number): Promise<void> {
    return this.#check(bytes, () => {})
  }

  /** Counts bytes that are written next. @throws DiskFloorError */
  take(bytes: number): Promise<void> {
    return this.#check(bytes, () => (this.#takenBytes += bytes))
  }

  /** True while uploads and changes are refused. @param wasFull true until there is clearly more room than that */
  async isFull(wasFull = false): Promise<boolean> {
    if (this.#isOlderThan(MAX_AGE_MS)) await this.#refresh()
    const totalBytes = this.#size?.totalBytes ?? 0
    return !this.#hasRoom(wasFull ? clearBytesOf(totalBytes, floorBytesOf(totalBytes, this.#minFree)) : 0)
  }

  /** Calls `pass` in the same turn as the check. */
  async #check(bytes: number, pass: () => void): Promise<void> {
    if (this.#isOlderThan(this.#hasRoom(bytes) ? MAX_AGE_MS : MIN_AGE_MS)) await this.#refresh()
    if (!this.#hasRoom(bytes))
      throw new DiskFloorError('Less of the disk would be free than MIN_FREE_DISK says')
    pass()
  }

  #isOlderThan(ageMs: number): boolean {
    return this.#size === null || performance.now() - this.#size.at > ageMs
  }

  #hasRoom(bytes: number): boolean {
    if (!this.#size) return false
    const { freeBytes, totalBytes } = this.#size
    const left = freeBytes - this.#takenBefore - this.#takenBytes - bytes
    return left >= floorBytesOf(totalBytes, this.#minFree)
  }

  #refresh(): Promise<void> {
    this.#measuring ??= this.#read().finally(() => (this.#measuring = null))
    return this.#measuring
  }

  async #read(): Promise<void> {
    const size = await this.#measure()
    this.#size = { ...size, at: performance.now() }
    this.#takenBefore = this.#takenBytes
    this.#takenBytes = 0
  }
}
