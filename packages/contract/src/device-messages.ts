import { z } from 'zod'
import { sendHeartbeat } from './device-protocol.ts'
import { Instant, Seconds, Sha256, Uid } from './fields.ts'
import { Restored } from './redelivery.ts'
import { SignedAddress } from './server-address.ts'

/*
 * Parses the server's messages on devices, tolerant of later servers like device-manifest.ts. The closed declaration of what
 * the server sends is device-protocol.ts.
 */

/** An open alert as a device reads it in a message or a heartbeat's answer: of any kind. */
export const AlertNotice = z.object({
  uid: Uid,
  kind: z.string(),
  beganAt: z.string().catch(''),
  isDrill: z.boolean().catch(false),
  /** The hash of its sound; null: that of its kind in the manifest. */
  sound: Sha256.nullable().catch(null),
})
export type AlertNotice = z.infer<typeof AlertNotice>

const DeviceHeartbeatAnswer = z.object({
  serverTime: Instant,
  manifestEtag: z.string(),
  manifestWithinSeconds: Seconds.optional().catch(undefined),
  otherServer: z.string().optional().catch(undefined),
  signedServer: SignedAddress.optional().catch(undefined),
  fileStore: z.string().optional().catch(undefined),
  restored: Restored.optional().catch(undefined),
  /** Unreadable entries are skipped: the manifest has the alert too. */
  alerts: z
    .array(z.unknown())
    .catch([])
    .transform(sent => sent.flatMap(alert => AlertNotice.safeParse(alert).data ?? [])),
})
export type DeviceHeartbeatAnswer = z.infer<typeof DeviceHeartbeatAnswer>

/** The call `sendHeartbeat` as a device makes it. */
export const sendDeviceHeartbeat = { ...sendHeartbeat, answer: DeviceHeartbeatAnswer }

const DeviceMessage = z.discriminatedUnion('type', [
  /** Servers of protocol 1 send an ETag and an id, which they want acknowledged. */
  z.object({
    type: z.literal('manifest'),
    withinSeconds: Seconds.catch(0),
    id: Uid.optional().catch(undefined),
    etag: z.string().optional().catch(undefined),
  }),
  /** After a step other than `begin` and `end` the device fetches its manifest. */
  z.object({
    type: z.literal('alert'),
    alertUid: Uid,
    kind: z.string(),
    step: z.string(),
    beganAt: z.string().catch(''),
    isDrill: z.boolean().catch(false),
    sound: Sha256.nullable().catch(null),
    receiptsWithinSeconds: Seconds.catch(0),
  }),
  z.object({
    type: z.literal('command'),
    id: Uid,
    command: z.string(),
    value: z.int().optional().catch(undefined),
  }),
  z.object({ type: z.literal('replaced') }),
  z.object({ type: z.literal('heartbeat-answer'), sentAt: z.string(), answer: DeviceHeartbeatAnswer }),
])
/** A message of the channel as a device reads it. */
export type DeviceMessage = z.infer<typeof DeviceMessage>

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Parses a message of the channel. Never throws; `unknown` describes a message that this version does not know. */
export function parseDeviceMessage(text: string): { message: DeviceMessage } | { unknown: string } {
  const value = parseJson(text)
  const message = DeviceMessage.safeParse(value).data
  if (message) return { message }
  const type = z.object({ type: z.string() }).safeParse(value).data?.type.slice(0, 60)
  return { unknown: type === undefined ? 'skipped, a message without a type' : `skipped, message '${type}'` }
}

/** The close code of a server that stops. Its reason says when to connect again. */
export const CLOSED_FOR_RESTART = 1012
const RETRY_AFTER = /^retry-after=(\d{1,3}(?:\.\d{1,3})?)$/

/** The reason of a close with `CLOSED_FOR_RESTART`. */
export const toRestartReason = (waitSeconds: number): string => `retry-after=${waitSeconds.toFixed(3)}`

/** The seconds after which a device connects again; null for a reason of another form, as former servers give. */
export function parseRestartReason(reason: string): number | null {
  const [, seconds] = RETRY_AFTER.exec(reason) ?? []
  return seconds === undefined ? null : Number(seconds)
}
