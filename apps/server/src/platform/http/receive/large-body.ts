import type { Endpoint } from '@floorcast/contract/endpoint.ts'
import type { FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { ProblemError } from '../../lib/errors.ts'
import { FairQueue, type Turn } from '../../lib/fair-queue.ts'
import { isOverLimit, WorkerPool } from '../../lib/worker-pool.ts'
import { parseBody, parseJsonText } from './input.ts'
import type { LargeBodyJob } from './large-body-worker.ts'

/** The JSON of a heavy call, unread. */
export interface SentJson {
  bytes: Buffer
  clientId: string
  /** Aborts when the caller is gone. */
  signal: AbortSignal | undefined
}

/** The bytes of a JSON body, which the request keeps no longer. @throws ProblemError 400 without a body */
export function takeBytes(request: FastifyRequest): Buffer {
  const { body } = request
  request.body = undefined
  if (body instanceof Buffer) return body
  throw new ProblemError('malformed', { errors: [{ path: '', message: 'empty' }] })
}

/** JSON up to this length is parsed within some milliseconds, so that no worker is needed. */
export const INLINE_BYTES = 64 * 1024
/** A body from this length on is a long job. */
const LONG_BYTES = 1024 * 1024
const HEAP_MEGABYTES = 512
/** The deadline in processor time: 5 s, and for the largest import another 16 s. It takes 2 s. */
const MIN_DEADLINE_MS = 5000
const BYTES_A_MS = 1000

const turns = new FairQueue({ places: 2, longPlaces: 1 })

const workers = new WorkerPool({
  program: new URL('./large-body-worker.ts', import.meta.url),
  runs: 'in a process',
  heapMegabytes: HEAP_MEGABYTES,
})

/** Works for a heavy call in turns of the clients. @throws ProblemError 413 for too much time or memory */
export async function runInTurn<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
  try {
    return await turns.run(turn, work)
  } catch (error) {
    if (!isOverLimit(error)) throw error
    throw new ProblemError('too-large', {
      detail: 'This takes more time or memory than the server has for one call. Send less in one call.',
    })
  }
}

/** The memory of the bytes alone. */
const ownBuffer = ({ buffer, byteOffset, byteLength }: Buffer): ArrayBuffer =>
  buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
    ? buffer
    : (buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer)

interface LargeJob {
  workers: WorkerPool
  data?: object
  /** 5 s unless told. */
  minDeadlineMs?: number
}

/** Lets a worker, which gets `bytes`, work on a call's body. @returns its result; `onPart` takes its parts */
export function readInWorker<Result, Part = never>(
  { workers: pool, data = {}, minDeadlineMs = MIN_DEADLINE_MS }: LargeJob,
  { bytes, clientId, signal }: SentJson,
  onPart: (part: Part) => void = () => {},
): Promise<Result> {
  const { length } = bytes
  const buffer = ownBuffer(bytes)
  const deadlineMs = minDeadlineMs + length / BYTES_A_MS
  return runInTurn({ clientId, isLong: length >= LONG_BYTES, signal }, () =>
    pool.run<Result, Part>({
      data: { ...data, bytes: buffer },
      transfer: [buffer],
      deadlineMs,
      signal,
      onPart,
    }),
  )
}

/** Parses the JSON of a heavy call by its schema, a large one in a worker. @throws ProblemError 400, 413, 422 */
export async function readLargeBody<E extends Endpoint>(
  endpoint: E,
  sent: SentJson,
): Promise<z.output<E['body']>> {
  if (sent.bytes.length <= INLINE_BYTES)
    return parseBody(endpoint.body, parseJsonText(sent.bytes.toString('utf8'))) as z.output<E['body']>
  const items: unknown[] = []
  const data: Omit<LargeBodyJob, 'bytes'> = { path: endpoint.path }
  const body = await readInWorker<{ whole: unknown } | null, unknown[]>({ workers, data }, sent, part => {
    items.push(...part)
  })
  return (body ? body.whole : items) as z.output<E['body']>
}
