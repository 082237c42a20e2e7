import { readFileSync } from 'node:fs'

/*
 * Preloaded into a program (`node --import`): its clock is ahead of the right time by the milliseconds in the file that
 * CLOCK_SHIFT_FILE names. Its steady clock and its timers are right.
 */

const RightDate = Date
const path = process.env['CLOCK_SHIFT_FILE'] ?? ''
const CHECK_MS = 100

const readShift = () => Number(readFileSync(path, 'utf8'))
let shift = readShift()
setInterval(() => {
  shift = readShift()
}, CHECK_MS).unref()

const now = () => RightDate.now() + shift

globalThis.Date = class extends RightDate {
  constructor(...parts: unknown[]) {
    super(...((parts.length === 0 ? [now()] : parts) as [number]))
  }
  static override now(): number {
    return now()
  }
} as DateConstructor
