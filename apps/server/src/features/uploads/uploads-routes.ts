import { buildPath } from '@floorcast/contract/client.ts'
import { declaredFields } from '@floorcast/contract/unknown-fields.ts'
import * as contract from '@floorcast/contract/uploads.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '../../context.ts'
import type { UserCall } from '../../platform/http/calls.ts'
import type { Http } from '../../platform/http/http.ts'
import { announcedBytes } from '../../platform/http/receive/input.ts'
import { ProblemError, unknownField } from '../../platform/lib/errors.ts'
import type { RawMetadata } from './announced-upload.ts'
import { ResumableUploads } from './resumable-uploads.ts'
import type { UploadTarget } from './uploads.ts'

/*
 * tus 1.0.0 (https://tus.io/protocols/resumable-upload) with the extensions creation, termination and expiration. Outcome
 * codes are our own: docs/uploads.md describes them.
 */

const VERSION = '1.0.0'
const EXTENSIONS = 'creation,termination,expiration'
const PIECE_TYPE = 'application/offset+octet-stream'
const BASE64 = /^[\d+/A-Za-z]*={0,2}$/
const METADATA_KEY = /^[!-+\--~]+$/

const malformed = (detail: string) => new ProblemError('malformed', { detail })

/** Checks the version of a tus request. @throws ProblemError 412 */
function requireVersion({ request, reply }: { request: FastifyRequest; reply: FastifyReply }): void {
  if (request.headers['tus-resumable'] !== VERSION) {
    reply.header('tus-version', VERSION)
    throw new ProblemError('tus-version', { detail: `Tus-Resumable has to be ${VERSION}` })
  }
  reply.header('tus-resumable', VERSION)
}

/** @throws ProblemError 400 for a header that is missing or not a count of bytes */
function readBytesHeader({ headers }: FastifyRequest, name: 'upload-length' | 'upload-offset'): number {
  const value = headers[name]
  const bytes = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : NaN
  if (!Number.isSafeInteger(bytes)) throw malformed(`${name} has to be a count of bytes`)
  return bytes
}

/** Parses `key base64,key base64`. @throws ProblemError 400 */
function parseMetadata(header: string): RawMetadata {
  const metadata: RawMetadata = {}
  for (const pair of header.split(',')) {
    const [key = '', value = '', ...rest] = pair.split(' ')
    const isBase64 = value.length % 4 === 0 && BASE64.test(value)
    if (rest.length > 0 || !METADATA_KEY.test(key) || key in metadata || !isBase64)
      throw malformed('upload-metadata has to be a list of: key base64')
    metadata[key] = value === '' ? null : Buffer.from(value, 'base64').toString('utf8')
  }
  return metadata
}

/** A typo is told, as in other calls. @throws ProblemError 422 */
function refuseUnknownKeys(metadata: RawMetadata): RawMetadata {
  const declared = declaredFields(contract.UploadMetadata, [])
  const unknown = Object.keys(metadata).find(
    key => !declared.includes(key) && !contract.UNREAD_METADATA.includes(key),
  )
  if (unknown !== undefined) throw unknownField(unknown, declared)
  return metadata
}

const formatMetadata = (metadata: RawMetadata) =>
  Object.entries(metadata)
    .map(([key, value]) => (value === null ? key : `${key} ${Buffer.from(value).toString('base64')}`))
    .join(',')

/** The bytes of a request. They end early where the sender breaks off, and where `signal` aborts: then it is disconnected. */
async function* readPiece({ raw }: FastifyRequest, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const disconnect = () => void raw.destroy()
  signal.addEventListener('abort', disconnect)
  try {
    for await (const chunk of raw.iterator({ destroyOnReturn: false })) yield chunk as Uint8Array
  } catch {
    // The bytes that came are kept, and the upload can be continued.
  } finally {
    signal.removeEventListener('abort', disconnect)
  }
}

async function continueUpload(uploads: ResumableUploads, call: UserCall<typeof contract.continueUpload>) {
  const { request, params } = call
  await uploads.requireOwn(call, params.uid)
  requireVersion(call)
  if (request.headers['content-type'] !== PIECE_TYPE) throw malformed(`content-type has to be ${PIECE_TYPE}`)
  return uploads.append(call, params.uid, {
    offset: readBytesHeader(request, 'upload-offset'),
    announcedBytes: announcedBytes(request),
    read: signal => readPiece(request, signal),
  })
}

/** Registers uploads that are sent in pieces to a target. */
export async function registerUploads(http: Http, context: Context, target: UploadTarget): Promise<void> {
  await context.incoming.cleanUp()
  const { app } = http
  const uploads = new ResumableUploads(context, target)
  let stopSweep = async () => {}
  app.addHook('onReady', async () => {
    stopSweep = uploads.startSweep()
  })
  app.addHook('onClose', () => stopSweep())

  // Clients ask this before anyone signs in.
  for (const url of ['/api/v2/upload/', '/api/v2/upload/:uid'])
    app.options(url, (_, reply) =>
      reply
        .code(204)
        .headers({ 'tus-resumable': VERSION, 'tus-version': VERSION, 'tus-extension': EXTENSIONS })
        .send(),
    )
  http.streamToUsers(contract.beginUpload, async call => {
    requireVersion(call)
    const { headers } = call.request
    if (headers['upload-defer-length'] !== undefined || headers['upload-concat'] !== undefined)
      throw malformed('upload-defer-length and upload-concat are not supported')
    const length = readBytesHeader(call.request, 'upload-length')
    const given = headers['upload-metadata']
    const metadata = typeof given === 'string' ? refuseUnknownKeys(parseMetadata(given)) : {}
    const { uid, expiresAt } = await uploads.begin(call, metadata, length)
    const location = buildPath(contract.followUpload.path, { uid })
    return call.reply.code(201).headers({ location, 'upload-expires': expiresAt.toUTCString() }).send()
  })
  http.streamToUsers(contract.followUpload, async call => {
    await uploads.requireOwn(call, call.params.uid)
    requireVersion(call)
    const { offset, sizeBytes, metadata } = await uploads.read(call, call.params.uid)
    return call.reply
      .code(200)
      .headers({
        'upload-offset': String(offset),
        'upload-length': String(sizeBytes),
        'upload-metadata': formatMetadata(metadata),
      })
      .send()
  })
  http.streamToUsers(contract.continueUpload, async call => {
    const { request, reply } = call
    // Discards the rest of a refused piece, so that the answer arrives and the connection serves on.
    const progress = await continueUpload(uploads, call).finally(() => request.raw.resume())
    reply.header('upload-offset', String(progress.offset))
    if ('expiresAt' in progress)
      return reply.code(204).header('upload-expires', progress.expiresAt.toUTCString()).send()
    request.note.outcome = progress.outcome.code
    return reply.code(200).send({ data: progress.outcome })
  })
  http.streamToUsers(contract.cancelUpload, async call => {
    await uploads.requireOwn(call, call.params.uid)
    requireVersion(call)
    await uploads.cancel(call, call.params.uid)
    return call.reply.code(204).send()
  })
}
