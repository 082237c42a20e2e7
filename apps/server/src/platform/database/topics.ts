/* What servers tell each other by NOTIFY. */

/**
 * Topics of messages between servers, with the parts of each message:
 * `alert` client id, the alert (alerts.ts) · `command` device uid · `installation` (nothing: what holds for all users has changed; a
 * trigger sends it) · `job` a job's name, and the server that runs it, with `_` for its space · `live` client id, entity, uid · `mail` (nothing: a
 * mail was queued; a trigger sends it) ·
 * `manifest` 'group', client id, group uid, number of devices in all, or 'client', client id, or 'device', client id, number of devices in all, device
 * uid/group uid … · `reporter` device uid, session uid or `ended` · `user` user uid, of whose sessions one has ended or whose role,
 * rights or linked device has changed (triggers send it) · `webhook` (nothing: an event waits for one; a trigger sends it)
 */
export const topics = [
  'alert',
  'command',
  'installation',
  'job',
  'live',
  'mail',
  'manifest',
  'reporter',
  'user',
  'webhook',
] as const
export type Topic = (typeof topics)[number]

/** PostgreSQL refuses payloads of 8,000 bytes and more; ours are a few ids. */
const MAX_PAYLOAD_LENGTH = 1000

/** @throws TypeError for what no notice may hold */
export function payloadOf(words: readonly string[]): string {
  const payload = words.join(' ')
  if (payload.length > MAX_PAYLOAD_LENGTH || words.some(word => /\s/.test(word)))
    throw new TypeError(`a notification holds a few ids without spaces, not: ${payload.slice(0, 100)}`)
  return payload
}

export function channelOf(topic: Topic): string {
  return `floorcast_${topic}`
}
