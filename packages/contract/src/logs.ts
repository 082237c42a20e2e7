import { z } from 'zod'
import { Instant, Seconds, Uid } from './fields.ts'

/**
 * The log entry of docs/specification.md#3-entities-and-their-fields, for all five kinds and the audit; fields that a kind lacks are null.
 * The `uid` of a reported entry is the device's event id.
 */
export const LogEntry = z.object({
  uid: Uid,
  /** When it happened, by the device's clock; for a play its start, for the audit the server's time. */
  eventTime: Instant,
  /** When the server got it. */
  receiveTime: Instant,
  /** The playlist's name at the time; of plays and of changes of the playlist. */
  playlist: z.string().nullable(),
  /**
   * Heartbeats: the program's version. Updates: the update's. Changes of the playlist: the publication's
   * revision.
   */
  version: z.string().nullable(),
  /** The name of the media item that played; of plays and heartbeats. */
  track: z.string().nullable(),
  /**
   * Plays: the result. Heartbeats: `playing` or `silent`. Other logs: the status, step or level of the
   * event.
   */
  status: z.string().nullable(),
  /** The event's message, or why a play or a playlist ended so; in the audit the item's name. */
  description: z.string().nullable(),
  /** Plays: the content type of the file. Other logs: the event's kind. Audit: the kind of the item. */
  type: z.string().nullable(),
  /** Always null: no log has such a number. */
  code: z.int().nullable(),
  /** The debug event's code; in the audit the action. */
  class: z.string().nullable(),
  /** The update channel, by its name at the time. */
  channel: z.string().nullable(),
  /** The name of the update package at the time, or its uid where the device has not told the name. */
  updatePackage: z.string().nullable(),
  /** Heartbeats: the device's IP address. Audit: the id of the call. */
  request: z.string().nullable(),
  /** Why a play counts nowhere; `clock-doubted`: the device's clock was wrong. Audit: the user's email. */
  comment: z.string().nullable(),
  /** The scheduled start of a play; its real start is `eventTime`. */
  plannedTime: Instant.nullable(),
  /** How much of a play was heard. */
  secondsPlayed: Seconds.nullable(),
  /** 0 to 100, from a heartbeat. */
  volume: z.int().nullable(),
  /** From a heartbeat. */
  temperatureCelsius: z.number().nullable(),
})
export type LogEntry = z.infer<typeof LogEntry>
