import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { channelPath } from '@floorcast/contract/device-protocol.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { SecretBox } from '../../auth/secret-box.ts'
import { ProblemError } from '../../lib/errors.ts'
import { addressOf, bearerToken } from '../admit/access.ts'

/*
 * The server's side of `npm run admin -- check`, which looks from outside whether a proxy lets everything through. Its caller shows that it
 * has the installation's secret.key.
 */

export const PROBE_PATH = '/health/probe'
/** The channel of no device: it sends back one message. */
export const PROBE_CHANNEL = channelPath.replace(/\{\w+\}/, '00000000-0000-0000-0000-000000000000')
/** The time between the two lines of an answer, and between the two parts of a body. */
export const PROBE_PAUSE_MS = 1000

const TOKEN_MS = 120_000
const TOKEN = /^probe\.(\d{13})\.([\w-]{43})$/
/** Bodies are read and dropped up to this size. */
const MAX_BODY_BYTES = 96 * 1024 * 1024
const MAX_AT_ONCE = 8

const sign = (box: SecretBox, endsAt: string) => box.hash(endsAt, 'probe').toString('base64url')

/** A token for two minutes. */
export function makeProbeToken(box: SecretBox, now: Date): string {
  const endsAt = String(now.getTime() + TOKEN_MS)
  return `probe.${endsAt}.${sign(box, endsAt)}`
}

/** Tells whether a request has a token of a probe. */
export type ProbeTest = (request: Pick<IncomingMessage, 'headers'>) => Promise<boolean>

/** @param openBox called for what looks like a token only */
export const makeProbeTest =
  (openBox: () => Promise<SecretBox>, now: () => Date): ProbeTest =>
  async ({ headers }) => {
    const [, endsAt = '', signature = ''] = TOKEN.exec(bearerToken(headers.authorization) ?? '') ?? []
    if (endsAt === '') return false
    const box = await openBox()
    const leftMs = Number(endsAt) - now().getTime()
    // The clocks of the two may differ.
    if (leftMs < 0 || leftMs > 2 * TOKEN_MS) return false
    return timingSafeEqual(Buffer.from(signature), Buffer.from(sign(box, endsAt)))
  }

/** What a server knows of itself. */
export interface ProbeFacts {
  version: string
  commit: string | null
  now: Date
  maxConnections: number
  /** The connections for which it may open files; null: the system does not say. */
  filesForConnections: number | null
}

/** The first line of the answer: the caller as the server sees it. */
export type ProbeLine = Omit<ProbeFacts, 'now'> & {
  now: string
  /** The address by which limits count the caller. */
  caller: string
  /** Who has opened the connection: the caller, or a proxy. */
  peer: string
  peerPort: number
  forwardedFor: string | null
  trustsPeer: boolean
}

/** What the server has seen of a body. */
export interface ProbedBody {
  bytes: number
  /** The longest time in which nothing of it came. */
  longestPauseMs: number
}

export interface ProbeOptions {
  isProbe: ProbeTest
  facts: () => ProbeFacts
  isTrustedProxy: (address: string) => boolean
}

function describeCaller(request: FastifyRequest, { facts, isTrustedProxy }: ProbeOptions): ProbeLine {
  const { remoteAddress = '', remotePort = 0 } = request.raw.socket
  const forwarded = request.headers['x-forwarded-for']
  return {
    ...facts(),
    now: facts().now.toISOString(),
    caller: addressOf(request),
    peer: remoteAddress.replace(/^::ffff:(?=\d+\.)/i, ''),
    peerPort: remotePort,
    forwardedFor: forwarded === undefined ? null : String(forwarded),
    trustsPeer: isTrustedProxy(remoteAddress),
  }
}

async function* answerInParts(first: ProbeLine): AsyncGenerator<string> {
  yield `${JSON.stringify(first)}\n`
  await pause(PROBE_PAUSE_MS)
  yield '{}\n'
}

async function measureBody(body: AsyncIterable<Buffer>): Promise<ProbedBody> {
  const measured = { bytes: 0, longestPauseMs: 0 }
  let last = performance.now()
  for await (const chunk of body) {
    const now = performance.now()
    if (measured.bytes > 0) measured.longestPauseMs = Math.max(measured.longestPauseMs, now - last)
    measured.bytes += chunk.length
    last = now
    if (measured.bytes > MAX_BODY_BYTES) throw new ProblemError('too-large')
  }
  return measured
}

/** Answers probes: who calls, in two lines with a pause between them; and how a body came. */
export function serveProbe(app: FastifyInstance, options: ProbeOptions): void {
  let inWork = 0
  const onRequest = async (request: FastifyRequest, reply: FastifyReply) => {
    if (!(await options.isProbe(request.raw))) throw new ProblemError('probe-token')
    if (inWork >= MAX_AT_ONCE) throw new ProblemError('too-many-requests')
    inWork += 1
    reply.raw.once('close', () => (inWork -= 1))
    app.connections.expectStream(request.raw)
    reply.header('cache-control', 'no-store')
  }
  app.get(PROBE_PATH, { onRequest, exposeHeadRoute: false }, (request, reply) =>
    reply
      .type('application/x-ndjson; charset=utf-8')
      // As for the stream of changes.
      .header('x-accel-buffering', 'no')
      .send(Readable.from(answerInParts(describeCaller(request, options)))),
  )
  app.post(PROBE_PATH, { onRequest, config: { takesBytes: true } }, ({ raw }) => measureBody(raw))
}
