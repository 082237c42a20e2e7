import { sql } from 'kysely'
import type { Writes } from './client-scope.ts'
import type { IngestWrites } from './ingest.ts'
import { ANSWER_LATER } from './scoped-pool.ts'
import { channelOf, payloadOf, type Topic } from './topics.ts'

/**
 * Notifies every server when the transaction commits. Such transactions commit one after another, so what devices report is
 * notified after its commit (collected-notices.ts). Messages hold ids and names of entities, and no content but that of an alert:
 * a listener reads the rest in the client's scope.
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
