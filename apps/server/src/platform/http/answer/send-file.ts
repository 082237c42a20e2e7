import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ByteRange, FileKey, FileStore } from '../../storage/file-store.ts'

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

const SHOWN_INLINE = /^(audio|video|image)\//
const YEAR_SECONDS = 31_536_000

/** RFC 6266: an ASCII name for old clients, the real one in UTF-8. */
export function dispositionOf({ mimeType, fileName }: Pick<FileResponse, 'mimeType' | 'fileName'>): string {
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

/** Sends a stored file: ETag is its hash; Range, If-Range, If-None-Match and HEAD follow RFC 9110. */
export async function sendFile(
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  files: FileStore,
  file: FileResponse,
): Promise<FastifyReply> {
  const { sizeBytes, key } = file
  const etag = `"${key.sha256}"`
  reply
    .header('etag', etag)
    .header('accept-ranges', 'bytes')
    .header(
      'cache-control',
      file.isImmutable ? `private, max-age=${YEAR_SECONDS}, immutable` : 'private, no-cache',
    )
    .header('content-disposition', dispositionOf(file))
  const { range: rangeHeader, 'if-range': ifRange, 'if-none-match': known } = request.headers
  if (matchesTag(known, etag)) return reply.code(304).send()
  const range = ifRange === undefined || ifRange === etag ? parseRange(rangeHeader, sizeBytes) : 'whole'
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${sizeBytes}`).send()
  // The file is opened before the headers are set, so that a missing file gives an error answer.
  const body =
    request.method === 'HEAD' ? undefined : await files.openRange(key, range === 'whole' ? undefined : range)
  const length = range === 'whole' ? sizeBytes : range.end - range.start + 1
  reply.type(file.mimeType).header('content-length', length)
  if (range !== 'whole')
    reply.code(206).header('content-range', `bytes ${range.start}-${range.end}/${sizeBytes}`)
  return reply.send(body)
}
