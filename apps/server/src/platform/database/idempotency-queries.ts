import { type ExpressionBuilder, type Insertable, sql } from 'kysely'
import type { Tables } from '../../../database/tables.ts'
import type { Reads, Writes } from './client-scope.ts'

type Row = Insertable<Tables['idempotencyKeys']>
type Call = Pick<Row, 'userUid' | 'key'>
interface Run extends Call {
  runUid: string
}

/** What is known of a call with a key. */
export interface KeyedCall {
  fingerprint: Buffer
  answer: Buffer | null
  /** A transaction of it has committed. */
  hasChanged: boolean
  /** Its run holds it no longer. */
  isLeft: boolean
}

/** Reads a call that began after `since`. */
export async function readKeyedCall(
  reads: Reads,
  { userUid, key }: Call,
  { now, since }: { now: Date; since: Date },
): Promise<KeyedCall | null> {
  const row = await reads
    .selectFrom('idempotencyKeys')
    .where('userUid', '=', userUid)
    .where('key', '=', key)
    .where('begunAt', '>', since.toISOString())
    .select(eb => [
      'fingerprint',
      'answer',
      'hasChanged',
      eb('heldUntil', '<=', now.toISOString()).as('isLeft'),
    ])
    .executeTakeFirst()
  return row ? { ...row, isLeft: Boolean(row.isLeft) } : null
}

/**
 * Begins a run of a call: one that nobody has begun since `since`, or that its run has left without a change.
 * @returns whether it is this run's
 */
export async function beginRun(
  writes: Writes,
  row: Omit<Row, 'hasChanged' | 'answer' | 'begunAt'> & { fingerprint: Buffer; begunAt: Date },
  since: Date,
): Promise<boolean> {
  const { fingerprint, runUid, begunAt, heldUntil } = row
  const begun = await writes
    .insertInto('idempotencyKeys')
    .values(row)
    .onConflict(conflict =>
      conflict
        .columns(['clientId', 'userUid', 'key'])
        .doUpdateSet({ fingerprint, runUid, begunAt, heldUntil, hasChanged: false, answer: null })
        .where(eb =>
          eb.or([
            eb('idempotencyKeys.begunAt', '<=', since.toISOString()),
            eb.and([
              eb('idempotencyKeys.fingerprint', '=', fingerprint),
              eb('idempotencyKeys.heldUntil', '<=', begunAt.toISOString()),
              eb('idempotencyKeys.answer', 'is', null),
              sql<boolean>`not idempotency_keys.has_changed`,
            ]),
          ]),
        ),
    )
    .returning('key')
    .executeTakeFirst()
  return begun !== undefined
}

const isOf =
  ({ userUid, key, runUid }: Run) =>
  (eb: ExpressionBuilder<Tables, 'idempotencyKeys'>) =>
    eb.and({ userUid, key, runUid })

/** Notes in a transaction of a run that it changes something. @returns false if another run has the call now */
export async function noteChange(writes: Writes, run: Run, heldUntil: Date): Promise<boolean> {
  const noted = await writes
    .updateTable('idempotencyKeys')
    .set({ hasChanged: true, heldUntil })
    .where(isOf(run))
    .returning('key')
    .executeTakeFirst()
  return noted !== undefined
}

export async function keepAnswer(writes: Writes, run: Run, answer: Buffer): Promise<void> {
  await writes.updateTable('idempotencyKeys').set({ answer }).where(isOf(run)).execute()
}

/** Lets others begin a call that was refused before it changed anything. */
export async function leaveCall(writes: Writes, run: Run): Promise<void> {
  await writes.deleteFrom('idempotencyKeys').where(isOf(run)).where('hasChanged', '=', false).execute()
}
