import { z } from 'zod'
import { Day, Instant, Seconds, Uid } from './fields.ts'

/* After the server's database was restored to a former state, devices deliver again what it has lost. */

/** The server asks for it. */
export const Restored = z.object({
  epoch: Uid,
  since: Instant,
  /** At a random moment within it, so that not all players send at once. */
  withinSeconds: Seconds,
})
export type Restored = z.infer<typeof Restored>

/** The device has sent again what the server of this epoch has lost, as far as it holds it. */
export const Redelivered = z.object({
  epoch: Uid,
  /** It holds all events since; earlier ones were deleted, or are those of another machine. */
  heldSince: Instant,
  /**
   * Another player may have played for the device before `heldSince`, or this one has lost its log. Missing: it holds whatever the
   * device has played, but for what is too old.
   */
  isPartial: z.boolean().optional(),
})
export type Redelivered = z.infer<typeof Redelivered>

export const RestoredRange = z.object({
  /** The first and the last day that may lack plays. */
  from: Day,
  to: Day,
  /** How many devices it concerns. */
  devices: z.int().positive(),
})
export type RestoredRange = z.infer<typeof RestoredRange>

/** Plays that the server has lost by a restore of its database. */
export const RestoredPlays = z.object({
  /** Devices that have not delivered again yet. */
  awaited: RestoredRange.optional(),
  /** Devices that hold no more what was lost, or never answer: they were deleted for good, or were away for 90 days. */
  lost: RestoredRange.optional(),
})
export type RestoredPlays = z.infer<typeof RestoredPlays>
