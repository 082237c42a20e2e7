import { sql } from 'kysely'
import type { Writes } from './client-scope.ts'
import type { IngestWrites } from './ingest.ts'
import { ANSWER_LATER } from './scoped-pool.ts'

/**
 * Topics of messages between servers, with the parts of each message:
 * `alert` client id, the alert (alerts.ts) · `command` device uid · `installation` (nothing: what holds for all users has changed; a
 * trigger sends it) · `job` a job's name, and the server that runs it, with `_` for its space · `live` client id, entity, uid · `mail` (nothing: a
 * mail was queued; a trigger sends it) ·
 * `manifest` 'group', client id, group uid, number of devices in all, or 'client', client id, or 'device', client id, number of devices in all, device
 * uid/group uid … · `reporter` device uid, session uid or `ended` · `user` user uid, of whose sessions one has ended or whose role,
 * rights or linked device has changed (triggers send it)
 */
export type Topic =
  | 'alert'
  | 'command'
  | 'installation'
  | 'job'
  | 'live'
  | 'mail'
  | 'manifest'
  | 'reporter'
  | 'user'

/** PostgreSQL refuses payloads of 8,000 bytes and more; ours are a few ids. */
const MAX_PAYLOAD_LENGTH = 1000

/**
 * Notifies every server when the transaction commits. Messages hold ids and names of entities, and no content but that of
 * an alert: a listener reads the rest in the client's scope.
 */
export async function notify(
  writes: Writes | IngestWrites,
  topic: Topic,
  words: readonly string[],
): Promise<void> {
  await notifyAll(writes, topic, [words])
}

/** Sends many messages of one topic in one statement. */
export async function notifyAll(
  writes: Writes | IngestWrites,
  topic: Topic,
  lists: readonly (readonly string[])[],
): Promise<void> {
  if (lists.length === 0) return
  const payloads = lists.map(payloadOf)
  await sql`select pg_notify(${channelOf(topic)}, said) from unnest(${payloads}::text[]) as said ${sql.raw(ANSWER_LATER)}`.execute(
    writes,
  )
}

function payloadOf(words: readonly string[]): string {
  const payload = words.join(' ')
  if (payload.length > MAX_PAYLOAD_LENGTH || words.some(word => /\s/.test(word)))
    throw new TypeError(`a notification holds a few ids without spaces, not: ${payload.slice(0, 100)}`)
  return payload
}

export function channelOf(topic: Topic): string {
  return `floorcast_${topic}`
}
