import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FileKey, FileStore } from '../storage/file-store.ts'
import { parseRange } from './byte-range.ts'

/** A stored file and how it is to be sent. */
export interface FileResponse {
  key: FileKey
  sizeBytes: number
  mimeType: string
  /** What a browser saves it as; data, never a path. */
  fileName: string
  /** True where the address holds the hash: the answer never changes, and is kept for a year. */
  isImmutable: boolean
}

const SHOWN_INLINE = /^(audio|video|image)\//
const YEAR_SECONDS = 31_536_000

/** RFC 6266: a plain name for old readers, the true one in UTF-8. */
function dispositionOf({ mimeType, fileName }: FileResponse): string {
  const plain = fileName.replaceAll(/[^\w .-]/g, '_')
  const encoded = encodeURIComponent(fileName.toWellFormed()).replaceAll(
    /['()*]/g,
    sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  const way = SHOWN_INLINE.test(mimeType) ? 'inline' : 'attachment'
  return `${way}; filename="${plain}"; filename*=UTF-8''${encoded}`
}

const namesTag = (header: string | undefined, etag: string) =>
  header?.split(',').some(tag => tag.trim() === '*' || tag.trim().replace(/^W\//, '') === etag) ?? false

/** Sends a stored file: ETag is its hash; Range, If-Range, If-None-Match and HEAD as RFC 9110 has them. */
export async function sendFile(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  files: FileStore,
  delivery: FileResponse,
): Promise<FastifyReply> {
  const { sizeBytes, key } = delivery
  const etag = `"${key.sha256}"`
  reply
    .header('etag', etag)
    .header('accept-ranges', 'bytes')
    .header(
      'cache-control',
      delivery.isImmutable ? `private, max-age=${YEAR_SECONDS}, immutable` : 'private, no-cache',
    )
    .header('content-disposition', dispositionOf(delivery))
  const { range: asked, 'if-range': ifRange, 'if-none-match': known } = request.headers
  if (namesTag(known, etag)) return reply.code(304).send()
  const range = ifRange === undefined || ifRange === etag ? parseRange(asked, sizeBytes) : 'whole'
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${sizeBytes}`).send()
  // Opened before anything says what it is, so that a file gone missing is answered as the error it is.
  const body =
    request.method === 'HEAD' ? undefined : await files.openRange(key, range === 'whole' ? undefined : range)
  const length = range === 'whole' ? sizeBytes : range.end - range.start + 1
  reply.type(delivery.mimeType).header('content-length', length)
  if (range !== 'whole')
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${sizeBytes}`)
  return reply.send(body)
}
