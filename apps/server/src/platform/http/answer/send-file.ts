import type { Readable } from 'node:stream'
import { FILES_HEADER } from '@floorcast/contract/files-header.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ProblemError } from '../../lib/errors.ts'
import { freeBytes } from '../../lib/free-bytes.ts'
import { type ByteRange, type FileKey, FileMissingError, type FileStore } from '../../storage/file-store.ts'
import type { IncomingFiles } from '../../storage/incoming-files.ts'
import { openNamelessFile } from '../../storage/nameless-file.ts'
import type { HeavyTurn } from '../admit/heavy-calls.ts'
import { SpooledBody } from './spooled-body.ts'

/** A stored file and how to send it. */
export interface FileResponse {
  key: FileKey
  sizeBytes: number
  mimeType: string
  /** The name under which a browser saves it; never used as a path. */
  fileName: string
  /** True where the address contains the hash: the answer never changes and is cached for a year. */
  isImmutable: boolean
}

interface DownloadCall {
  request: FastifyRequest
  reply: FastifyReply
}

const SHOWN_INLINE = /^(audio|video|image)\//
const YEAR_SECONDS = 31_536_000

/** RFC 6266: an ASCII name for old clients, the real one in UTF-8. */
function dispositionOf({ mimeType, fileName }: Pick<FileResponse, 'mimeType' | 'fileName'>): string {
  const plain = fileName.replaceAll(/[^\w .-]/g, '_')
  const encoded = encodeURIComponent(fileName.toWellFormed()).replaceAll(
    /['()*]/g,
    sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  const type = SHOWN_INLINE.test(mimeType) ? 'inline' : 'attachment'
  return `${type}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

const ONE_RANGE = /^bytes=(\d*)-(\d*)$/i

/**
 * Parses a Range header (RFC 9110, section 14). `whole`: no range, several ranges or an unknown form, which all get the
 * whole file; `unsatisfiable`: the range starts after the end.
 */
function parseRange(header: string | undefined, sizeBytes: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [, first, last] = ONE_RANGE.exec(header?.replaceAll(' ', '') ?? '') ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return 'whole'
  if (first === '') {
    const length = Math.min(Number(last), sizeBytes)
    return length === 0 ? 'unsatisfiable' : { start: sizeBytes - length, end: sizeBytes - 1 }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return 'whole'
  if (start >= sizeBytes) return 'unsatisfiable'
  return { start, end: last === '' ? sizeBytes - 1 : Math.min(Number(last), sizeBytes - 1) }
}

const matchesTag = (header: string | undefined, etag: string) =>
  header?.split(',').some(tag => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag) ?? false

/**
 * How the caller takes a file. `redirect`: it follows a 302 to the store. `address`: it cannot see where a redirect leads, and gets 204
 * with the same Location. Others get the bytes of this server: programs may not follow redirects, or send their token along.
 */
function wishOf({ headers }: FastifyRequest): 'bytes' | 'redirect' | 'address' {
  const { authorization, [FILES_HEADER]: wish, 'sec-fetch-mode': mode } = headers
  if (wish === 'redirect' || wish === 'address') return wish
  // With a ticket, an element of a page that only shows or plays the file, or a link. A page that reads it (`cors`) would need the store's leave.
  const isElement = authorization === undefined && (mode === 'no-cors' || mode === 'navigate')
  return isElement ? 'redirect' : 'bytes'
}

/** Sends the address of a stored file, for a caller who takes it; null for others. */
async function sendAddress(
  { request, reply }: DownloadCall,
  files: FileStore,
  file: FileResponse,
): Promise<FastifyReply | null> {
  const { key, mimeType } = file
  const wish = wishOf(request)
  if (files.signed === null || wish === 'bytes' || request.method === 'HEAD') return null
  // The store's own answer to a missing file has no reason.
  if ((await files.size(key)) === null) throw new FileMissingError(key)
  const address = await files.signed.addressOf(key, { mimeType, disposition: dispositionOf(file) })
  return reply
    .header('location', address)
    .header('cache-control', 'no-store')
    .code(wish === 'redirect' ? 302 : 204)
    .send()
}

/**
 * Sends a stored file: ETag is its hash; Range, If-Range, If-None-Match and HEAD follow RFC 9110. Where the store has addresses for others,
 * callers who can follow them get one.
 */
export async function sendFile(
  { request, reply }: DownloadCall,
  files: FileStore,
  file: FileResponse,
): Promise<FastifyReply> {
  const { sizeBytes, key } = file
  const etag = `"${key.sha256}"`
  const { range: rangeHeader, 'if-range': ifRange, 'if-none-match': known } = request.headers
  const isKnown = matchesTag(known, etag)
  const range = ifRange === undefined || ifRange === etag ? parseRange(rangeHeader, sizeBytes) : 'whole'
  if (!isKnown && range !== 'unsatisfiable') {
    const sent = await sendAddress({ request, reply }, files, file)
    if (sent !== null) return sent
  }
  reply
    .header('etag', etag)
    .header('accept-ranges', 'bytes')
    .header(
      'cache-control',
      file.isImmutable ? `private, max-age=${YEAR_SECONDS}, immutable` : 'private, no-cache',
    )
    .header('content-disposition', dispositionOf(file))
  if (isKnown) return reply.code(304).send()
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${sizeBytes}`).send()
  // The file is looked at before the headers are set, so that a missing file gives an error answer.
  const isHead = request.method === 'HEAD'
  if (isHead && (await files.size(key)) === null) throw new FileMissingError(key)
  const body = isHead ? undefined : await files.openRange(key, range === 'whole' ? undefined : range)
  const length = range === 'whole' ? sizeBytes : range.end - range.start + 1
  reply.type(file.mimeType).header('content-length', length)
  if (range !== 'whole')
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${sizeBytes}`)
  return reply.send(body)
}

/** A file that is made for its reader. */
export interface Download {
  fileName: string
  mimeType: string
  /** The moment of its rows, ISO 8601. */
  asOf?: string
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
  requireSpace: IncomingFiles['requireSpace']
  maxAheadBytes?: number
  maxFirstByteMs?: number
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
  if (download.asOf !== undefined) reply.header('floorcast-as-of', download.asOf)
  request.server.connections.expectDownload(reply.raw)
  freeSentChunks(body, reply.raw)
  body.pause()
  return reply.send(body)
}

const takesTooLong = () =>
  new ProblemError('busy', {
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
