import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { type Endpoint, isChange } from '@floorcast/contract/endpoint.ts'
import { outcomes } from '@floorcast/contract/outcomes.ts'
import type { SecretBox } from '../../auth/secret-box.ts'
import type { ClientScope } from '../../database/client-scope.ts'
import {
  beginRun,
  keepAnswer,
  type KeyedCall,
  leaveCall,
  noteChange,
  readKeyedCall,
} from '../../database/idempotency-queries.ts'
import { OutcomeError, ProblemError } from '../../lib/errors.ts'
import { uuidV7 } from '../../lib/uuid-v7.ts'
import { callerIsGone } from '../admit/admission-queue.ts'
import type { UserCall } from '../calls.ts'
import { drain } from '../receive/multipart.ts'
import { JSON_TYPE, outcomeBody } from './json-answers.ts'

/*
 * A change with an Idempotency-Key is done once: docs/decisions/0363. Each transaction of its run also notes in the key's row that the run
 * has changed something, so that the note is there exactly when the change is. A run that was killed before is taken over by the next call;
 * of one that was killed after it, the answer is lost, and the caller is told so.
 */

const DAY_MS = 86_400_000
/** A run without a transaction for so long is taken for ended. If it goes on, its next transaction finds that the call is another's. */
export const HELD_MS = 60_000
/** A call waits for the answer of another one with its key. */
const MAX_WAIT_MS = 10_000
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [50, 500]
const KEY = /^[\x21-\x7e]{1,255}$/

interface KeyedChange {
  scope: ClientScope
  userUid: string
  key: string
  /** Method, address and body: what a repeated call has in common. */
  parts: readonly (string | Uint8Array)[]
  /** Aborts when the caller is gone. */
  signal: AbortSignal
}

export interface OnceParts {
  openBox: () => Promise<SecretBox>
  now: () => Date
}

const fingerprintOf = (parts: KeyedChange['parts']) => {
  const hash = createHash('sha256')
  for (const part of parts) hash.update(createHash('sha256').update(part).digest())
  return hash.digest()
}

interface SentCall<E extends Endpoint> {
  call: UserCall<E>
  /** The bytes of its body, if the call reads them itself. */
  sent?: Buffer
  parts: OnceParts | undefined
}

/** Answers a user's call by `run`: a change with an Idempotency-Key only once, and with the same answer from then on. */
export async function answerOnce<E extends Endpoint>(
  endpoint: E,
  { call, sent, parts }: SentCall<E>,
  run: (call: UserCall<E>) => Promise<string>,
): Promise<string> {
  const { request, reply, scope, session } = call
  const key = request.headers['idempotency-key']
  if (parts === undefined || key === undefined || !isChange(endpoint)) return run(call)
  const gone = new AbortController()
  reply.raw.once('close', () => gone.abort(callerIsGone()))
  const { body, isReplayed } = await runOnce(
    parts,
    {
      scope,
      userUid: session.userUid,
      key: String(key),
      parts: [request.method, request.url, sent ?? bodyOf(call)],
      signal: gone.signal,
    },
    noting => run({ ...call, scope: noting }).catch((error: unknown) => refusedBody(error, call)),
  )
  if (!isReplayed) return body
  if (request.isMultipart()) drain(request)
  reply.header('idempotency-replayed', 'true').type(JSON_TYPE)
  return body
}

/** Of a form the announced length: its bytes come later, and another boundary each time. */
const bodyOf = ({ request }: Pick<UserCall<Endpoint>, 'request'>) =>
  request.isMultipart() ? String(request.headers['content-length']) : JSON.stringify(request.body ?? null)

/** A refusal that is an answer is kept like one. */
function refusedBody(
  error: unknown,
  { request, reply }: Pick<UserCall<Endpoint>, 'request' | 'reply'>,
): string {
  if (!(error instanceof OutcomeError)) throw error
  request.note.outcome = outcomes[error.outcome]
  reply.type(JSON_TYPE)
  return outcomeBody(error)
}

/**
 * Runs a change once for its key, or gives the answer of the first run.
 * @param run does the change by the scope that it gets; the answer is the text of a body
 * @throws ProblemError 400 'idempotency-key', 409 'call-running', 'answer-lost', 422 'key-reused', and what the run throws
 */
async function runOnce(
  { openBox, now }: OnceParts,
  change: KeyedChange,
  run: (scope: ClientScope) => Promise<string>,
): Promise<{ body: string; isReplayed: boolean }> {
  const { scope, userUid, key } = change
  if (!KEY.test(key)) throw new ProblemError('idempotency-key')
  const box = await openBox()
  const owner = `${scope.clientId} ${userUid} ${key}`
  const fingerprint = fingerprintOf(change.parts)
  const answer = await waitForTurn({ now, change, fingerprint }, async runUid => {
    const held = { userUid, key, runUid }
    const body = await runHeld(change, held, { now, run })
    await scope.write(writes => keepAnswer(writes, held, box.seal(Buffer.from(body), owner)))
    return body
  })
  return typeof answer === 'string'
    ? { body: answer, isReplayed: false }
    : { body: box.open(answer, owner).toString(), isReplayed: true }
}

interface Waiting {
  now: () => Date
  change: KeyedChange
  fingerprint: Buffer
}

/** @returns what `begin` made of the call, or the sealed answer of another run */
async function waitForTurn(
  { now, change, fingerprint }: Waiting,
  begin: (runUid: string) => Promise<string>,
): Promise<string | Buffer> {
  const { scope, userUid, key, signal } = change
  const endsAt = performance.now() + MAX_WAIT_MS
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    const begunAt = now()
    const since = new Date(begunAt.getTime() - DAY_MS)
    const known = await readKeyedCall(scope.reads, { userUid, key }, { now: begunAt, since })
    const answer = known && answerOf(known, fingerprint)
    if (answer) return answer
    if (known === null || known.isLeft) {
      const runUid = uuidV7()
      const heldUntil = new Date(begunAt.getTime() + HELD_MS)
      const row = { clientId: scope.clientId, userUid, key, fingerprint, runUid, begunAt, heldUntil }
      if (await scope.write(writes => beginRun(writes, row, since))) return begin(runUid)
    } else if (performance.now() > endsAt) throw new ProblemError('call-running', { retryAfterSeconds: 2 })
    await pause(pauseMs)
    signal.throwIfAborted()
  }
}

/** The sealed answer of a call that has one. @throws ProblemError if there will be none, or the call is another one */
function answerOf(known: KeyedCall, fingerprint: Buffer): Buffer | null {
  if (!known.fingerprint.equals(fingerprint)) throw new ProblemError('key-reused')
  if (known.answer === null && known.hasChanged && known.isLeft) throw new ProblemError('answer-lost')
  return known.answer
}

async function runHeld(
  { scope }: KeyedChange,
  held: { userUid: string; key: string; runUid: string },
  { now, run }: { now: () => Date; run: (scope: ClientScope) => Promise<string> },
): Promise<string> {
  const noting: ClientScope = {
    ...scope,
    write: work =>
      scope.write(async writes => {
        const heldUntil = new Date(now().getTime() + HELD_MS)
        if (!(await noteChange(writes, held, heldUntil))) throw new ProblemError('call-running')
        return work(writes)
      }),
  }
  try {
    return await run(noting)
  } catch (error) {
    // If this fails too, the run ends by itself after its time.
    await scope.write(writes => leaveCall(writes, held)).catch(() => undefined)
    throw error
  }
}
