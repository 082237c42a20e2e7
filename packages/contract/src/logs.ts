import { z } from 'zod'
import { Instant, Seconds, Uid } from './fields.ts'

/**
 * The log entry of docs/specification.md#3-entities-and-their-fields, for all five kinds and the audit; fields that a kind lacks are null.
 * The `uid` of a reported entry is the device's event id.
 */
export const LogEntry = z.object({
  uid: Uid,
  eventTime: Instant,
  receiveTime: Instant,
  playlist: z.string().nullable(),
  version: z.string().nullable(),
  track: z.string().nullable(),
  status: z.string().nullable(),
  description: z.string().nullable(),
  type: z.string().nullable(),
  code: z.int().nullable(),
  class: z.string().nullable(),
  channel: z.string().nullable(),
  updatePackage: z.string().nullable(),
  request: z.string().nullable(),
  comment: z.string().nullable(),
  /** The scheduled start of a play; its real start is `eventTime`. */
  plannedTime: Instant.nullable(),
  secondsPlayed: Seconds.nullable(),
  /** 0 to 100, from a heartbeat. */
  volume: z.int().nullable(),
  temperatureCelsius: z.number().nullable(),
})
export type LogEntry = z.infer<typeof LogEntry>
