import type { ManifestFile, ManifestItem } from '@floorcast/contract/manifest.ts'
import type { Ms } from './instant.ts'
import { lengthMsOf, overlapMsOf } from './media.ts'

/** An item with its file; `item.plays` in a row. */
export interface Track {
  item: ManifestItem
  file: ManifestFile
}

/** A track's interval in one round of the loop. */
interface Slot extends Track {
  /** Its start, from the round's start. */
  start: Ms
  /** The time from one play's start to the next of the same track. */
  repeatStep: Ms
  end: Ms
}

export interface Loop {
  slots: Slot[]
  /** The length of one round; 0 for an empty loop. */
  round: Ms
}

/** One play in the loop: its start in the round, the time until the next start, and its length. */
export interface LoopPlay extends Track {
  start: Ms
  step: Ms
  length: Ms
}

/** Arranges tracks in a round, each `plays` times. Neighbors overlap by the crossfade, the last with the first. */
export function makeLoop(tracks: readonly Track[], crossfadeSeconds: number): Loop {
  const slots: Slot[] = []
  let start = 0
  tracks.forEach((track, index) => {
    const next = tracks[(index + 1) % tracks.length] ?? track
    const length = lengthMsOf(track.file)
    const repeatStep = length - overlapMsOf(track.file, track.file, crossfadeSeconds)
    const lastStep = length - overlapMsOf(track.file, next.file, crossfadeSeconds)
    const end = start + (track.item.plays - 1) * repeatStep + lastStep
    slots.push({ ...track, start, repeatStep, end })
    start = end
  })
  return { slots, round: start }
}

function slotAt(loop: Loop, phase: Ms): Slot | undefined {
  let low = 0
  let high = loop.slots.length - 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if ((loop.slots[middle]?.end ?? 0) > phase) high = middle
    else low = middle + 1
  }
  return loop.slots[low]
}

/** The play at `phase` of the round (0 ≤ phase < round); undefined for an empty loop. */
export function playAt(loop: Loop, phase: Ms): LoopPlay | undefined {
  const slot = slotAt(loop, phase)
  if (!slot) return undefined
  const repeat = Math.min(slot.item.plays - 1, Math.floor((phase - slot.start) / slot.repeatStep))
  const start = slot.start + repeat * slot.repeatStep
  const isLastRepeat = repeat === slot.item.plays - 1
  const step = isLastRepeat ? slot.end - start : slot.repeatStep
  return { item: slot.item, file: slot.file, start, step, length: lengthMsOf(slot.file) }
}
