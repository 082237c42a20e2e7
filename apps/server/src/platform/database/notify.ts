import { sql } from 'kysely'
import type { Writes } from './client-scope.ts'
import type { IngestWrites } from './ingest.ts'

/**
 * What servers tell each other. The words of each:
 * `live` client id, thing, uid · `manifest` device uid · `outbox` device uid · `reporter` device uid, session uid
 */
export type Topic = 'live' | 'manifest' | 'outbox' | 'reporter'

/** PostgreSQL refuses payloads of 8,000 bytes and more; ours are a few ids. */
const LONGEST = 1000

/**
 * Tells every server when the transaction commits, or nobody when it does not. Words are ids and names of things, never
 * contents: who hears them reads the rest in its own client's scope.
 */
export async function notify(
  writes: Writes | IngestWrites,
  topic: Topic,
  words: readonly string[],
): Promise<void> {
  const payload = words.join(' ')
  if (payload.length > LONGEST || words.some(word => /\s/.test(word)))
    throw new TypeError(`a notification holds a few ids without spaces, not: ${payload.slice(0, 100)}`)
  await sql`select pg_notify(${channelOf(topic)}, ${payload})`.execute(writes)
}

export function channelOf(topic: Topic): string {
  return `floorcast_${topic}`
}
