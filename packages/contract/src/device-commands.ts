import { z } from 'zod'
import { adminReaders, byDevice, editors, endpoint, readers } from './endpoint.ts'
import { Bytes, Instant, Uid } from './fields.ts'
import { byUid } from './item-calls.ts'
import { Outcome } from './outcomes.ts'

/** Commands to a device. Devices answer one that they do not know. */
export const CommandKind = z.enum(['restart', 'volume', 'screenshot', 'send-log', 'identify'])
export type CommandKind = z.infer<typeof CommandKind>

/**
 * For how many seconds a command waits for its device. A shop must not be surprised by a restart that someone asked for days
 * ago, nor by a sound when nobody listens any more. The volume itself is a tag, which the manifest has whenever the device comes.
 */
export const commandSeconds: Readonly<Record<CommandKind, number>> = {
  restart: 600,
  volume: 3600,
  screenshot: 600,
  'send-log': 86_400,
  identify: 120,
}

/** The commands that may wait for one device. */
export const MAX_WAITING_COMMANDS = 10

/** What came of a command; `received` by a device of a former release, which does not say whether it followed it. */
export const CommandOutcome = z.enum(['received', 'followed', 'failed'])
export type CommandOutcome = z.infer<typeof CommandOutcome>

/** `waiting` for a connection of the device, `sent`, an outcome, or `expired` before the device answered. */
export const CommandState = z.enum(['waiting', 'sent', 'expired', ...CommandOutcome.options])
export type CommandState = z.infer<typeof CommandState>

/** Why devices do not follow a command. Players of others may name further reasons. */
export const CommandFailure = z.enum([
  'unknown-command',
  'no-picture',
  'alert',
  'no-sound',
  'not-sent',
  'no-value',
  'browser',
])
export type CommandFailure = z.infer<typeof CommandFailure>

export const DeviceCommand = z.object({
  uid: Uid,
  command: CommandKind,
  /** The volume that the device is to have. */
  value: z.int().nullable(),
  /** The account of the user. */
  askedBy: z.string(),
  askedAt: Instant,
  expiresAt: Instant,
  /** When the server sent it; null: it has not. */
  sentAt: Instant.nullable(),
  /** When the device answered; null: it has not. */
  endedAt: Instant.nullable(),
  state: CommandState,
  /** Why a command failed: a `CommandFailure`, or the device's own words. */
  why: z.string().nullable(),
})
export type DeviceCommand = z.infer<typeof DeviceCommand>

/** A screenshot is JPEG or PNG, a log is text. */
export const DeviceFileType = z.enum(['image/jpeg', 'image/png', 'text/plain'])
export type DeviceFileType = z.infer<typeof DeviceFileType>
export const MAX_DEVICE_FILE_BYTES = 1_048_576
/** Files of devices are deleted after so many days. */
export const DEVICE_FILE_DAYS = 30

const DeviceFile = z.object({ madeAt: Instant, sizeBytes: Bytes, contentType: DeviceFileType })

export const DeviceCommands = z.object({
  /** The newest first. Those that have ended are kept for a day. */
  commands: z.array(DeviceCommand),
  /** Whether the device has a volume of its own, which `volume` without a value takes back. */
  hasOwnVolume: z.boolean(),
  /** The newest one; null: none of the last 30 days. */
  screenshot: DeviceFile.nullable(),
  /** The one that it has sent last; null: none of the last 30 days. */
  log: DeviceFile.nullable(),
})
export type DeviceCommands = z.infer<typeof DeviceCommands>

export const sendCommand = endpoint({
  path: '/api/v2/device/{uid}/command',
  summary:
    "Send a command to a device: `restart`, `volume` (`value` 0 to 100 becomes the device's volume tag; null removes the tag), `screenshot`, `send-log` (admins; HTTP 403 for others) or `identify` (a short sound). It waits for a device that is not connected: a restart or screenshot 10 minutes, a sound 2 minutes, a volume an hour, a log a day. At most 10 wait for one device.",
  access: editors,
  params: byUid,
  body: z
    .object({
      command: CommandKind,
      /** With `volume` alone: 0 to 100; null takes the device's own volume back. */
      value: z.int().min(0).max(100).nullable().optional(),
    })
    .superRefine(({ command, value }, context) => {
      if ((command === 'volume') === (value !== undefined)) return
      const message = value === undefined ? 'empty' : 'unknown'
      context.addIssue({ code: 'custom', path: ['value'], message })
    }),
  answer: Outcome,
  outcomes: ['done', 'notDone'],
  givesUid: true,
})

export const listDeviceCommands = endpoint({
  path: '/api/v2/device/{uid}/commands',
  summary: "A device's newest commands and what came of them, and its newest screenshot and log.",
  access: readers,
  params: byUid,
  answer: DeviceCommands,
})

export const readScreenshot = endpoint({
  path: '/api/v2/device/{uid}/screenshot',
  summary: "The device's newest screenshot, as JPEG. Deleted after 30 days.",
  access: readers,
  params: byUid,
  answer: z.unknown(),
  answerForm: 'bytes',
})

export const readSentLog = endpoint({
  path: '/api/v2/device/{uid}/sentlog',
  summary: 'The log that the device has sent last, as text. Deleted after 30 days.',
  access: adminReaders,
  params: byUid,
  answer: z.unknown(),
  answerForm: 'bytes',
})

export const sendDeviceFile = endpoint({
  path: '/api/v2/iplay/command/{playpointid}/{id}',
  summary:
    'Deliver the file that a command asks for, before acknowledging the command: a screenshot (JPEG or PNG, at most 17 million pixels) or the log (text), at most 1 MiB, in base64. The server keeps the newest log, and a new JPEG with the pixels of the newest picture. 404 for a command that does not wait for a file, or has had three, right or wrong; 422 for bytes that are not of the content type; 503 with Retry-After while too many pictures wait.',
  access: byDevice,
  priority: 'upload',
  params: z.object({ playpointid: Uid, id: Uid }),
  body: z.object({
    contentType: DeviceFileType,
    /** The file in base64. */
    content: z
      .base64()
      .min(1)
      .max(Math.ceil(MAX_DEVICE_FILE_BYTES / 3) * 4),
  }),
  answer: z.object({
    /** 200. */
    code: z.int(),
  }),
  outcomes: ['done'],
})

/** What a device says of a command with its `ack`. */
export interface CommandResult {
  ok: boolean
  /** A `CommandFailure` or a few words. */
  why?: string
}

export const MAX_WHY_LENGTH = 200
