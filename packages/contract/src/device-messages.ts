import { z } from 'zod'
import { sendHeartbeat } from './device-protocol.ts'
import { Instant, Uid } from './fields.ts'

/*
 * How a device reads what the server says beside the manifest: open to later servers, as device-manifest.ts is. What the
 * server sends is declared, closed, in device-protocol.ts.
 */

/** An open alert as a device reads it in a heartbeat's answer: of any kind. */
export const AlertNotice = z.object({ uid: Uid, kind: z.string(), beganAt: z.string().catch('') })
export type AlertNotice = z.infer<typeof AlertNotice>

const DeviceHeartbeatAnswer = z.object({
  serverTime: Instant,
  manifestEtag: z.string(),
  /** Entries of another form are left out: the manifest has the alert too. */
  alerts: z
    .array(z.unknown())
    .catch([])
    .transform(sent => sent.flatMap(alert => AlertNotice.safeParse(alert).data ?? [])),
})
export type DeviceHeartbeatAnswer = z.infer<typeof DeviceHeartbeatAnswer>

/** The call `sendHeartbeat` as a device makes it. */
export const sendDeviceHeartbeat = { ...sendHeartbeat, answer: DeviceHeartbeatAnswer }

const DeviceMessage = z.discriminatedUnion('type', [
  z.object({ type: z.literal('manifest'), id: Uid, etag: z.string() }),
  /** A step other than `begin` and `end` is a reason to ask for the manifest. */
  z.object({ type: z.literal('alert'), id: Uid, alertUid: Uid, kind: z.string(), step: z.string() }),
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

/** Reads what came on the channel. Never throws; a message that this version does not know is named in `unknown`. */
export function parseDeviceMessage(text: string): { message: DeviceMessage } | { unknown: string } {
  const value = parseJson(text)
  const message = DeviceMessage.safeParse(value).data
  if (message) return { message }
  const type = z.object({ type: z.string() }).safeParse(value).data?.type.slice(0, 60)
  return { unknown: type === undefined ? 'skipped, a message without a type' : `skipped, message '${type}'` }
}
