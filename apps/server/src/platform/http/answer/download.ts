import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ProblemError } from '../../lib/errors.ts'
import { freeBytes } from '../../lib/free-bytes.ts'
import type { FileStore } from '../../storage/file-store.ts'
import { openNamelessFile } from '../../storage/nameless-file.ts'
import type { HeavyTurn } from '../admit/heavy-calls.ts'
import { dispositionOf } from './send-file.ts'
import { SpooledBody } from './spooled-body.ts'

/** A file that is made for its reader. */
export interface Download {
  fileName: string
  mimeType: string
  /** The sender of a chunk must not use it again. */
  body: Readable
}

/** Within this time the first byte is there, or the caller is told to come back. Proxies wait for a minute or more. */
const MAX_FIRST_BYTE_MS = 50_000
const RETRY_SECONDS = 30
/** So much of a file may wait for its reader. */
const MAX_AHEAD_BYTES = 1024 ** 3

interface SpoolPlace {
  dataDir: string
  /** Rejects while the disk has too little room. */
  requireSpace: FileStore['requireSpace']
  maxAheadBytes?: number
  maxFirstByteMs?: number
}

interface DownloadCall {
  request: FastifyRequest
  reply: FastifyReply
}

/** Frees chunks that the socket has taken, when the next one comes: V8 would hold up to 64 MB of them. */
function freeSentChunks(body: Readable, answer: FastifyReply['raw']): void {
  let sent: Uint8Array[] = []
  body.on('data', (chunk: Uint8Array) => {
    if (answer.writableLength === 0) {
      for (const bytes of sent) freeBytes(bytes)
      sent = []
    }
    sent.push(chunk)
  })
}

/** Sends a file that is made. A failure in the middle breaks the connection, so that no one keeps a part for the whole. */
export async function sendDownload(
  { request, reply }: DownloadCall,
  make: () => Promise<Download>,
): Promise<FastifyReply> {
  if (request.method === 'HEAD') return reply.send()
  const download = await make()
  const { body } = download
  reply.type(download.mimeType).header('content-disposition', dispositionOf(download))
  request.server.connections.expectDownload(reply.raw)
  freeSentChunks(body, reply.raw)
  body.pause()
  return reply.send(body)
}

const takesTooLong = () =>
  new ProblemError(503, 'busy', {
    detail:
      'Making the file takes too long now. Come back after the time of Retry-After, or ask for fewer days.',
    retryAfterSeconds: RETRY_SECONDS,
  })

const makesRoom = () => new Error('The reader is slow, and others wait for its slot')

/**
 * Sends a file while it is made. The making goes on as fast as the server can, and ends the call's turn: a slow reader keeps
 * others waiting only for the part of a file beyond 1 GiB. @throws ProblemError 503 where no byte is made in time
 */
export async function sendWhileMade(
  { turn, ...call }: DownloadCall & { turn?: HeavyTurn | undefined },
  { dataDir, requireSpace, maxAheadBytes, maxFirstByteMs }: SpoolPlace,
  make: (signal: AbortSignal) => Promise<Download>,
): Promise<FastifyReply> {
  return sendDownload(call, async () => {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(takesTooLong()), maxFirstByteMs ?? MAX_FIRST_BYTE_MS)
    try {
      const signal = turn ? AbortSignal.any([turn.signal, late.signal]) : late.signal
      const { body: source, ...download } = await make(signal)
      const file = await openNamelessFile(dataDir).catch((error: unknown) => {
        source.destroy()
        throw error
      })
      const body = new SpooledBody({
        source,
        file,
        maxAheadBytes: maxAheadBytes ?? MAX_AHEAD_BYTES,
        requireSpace,
        onMade: () => turn?.end(),
        onHeldBack: isHeldBack =>
          isHeldBack ? turn?.holdBack(() => body.destroy(makesRoom())) : turn?.goOn(),
      })
      late.signal.addEventListener('abort', () => body.destroy())
      await body.begun()
      return { ...download, body }
    } catch (error) {
      throw late.signal.aborted ? takesTooLong() : error
    } finally {
      clearTimeout(timer)
    }
  })
}
