import { createHash } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import swagger from '@fastify/swagger'
import swaggerUi from '@fastify/swagger-ui'
import { endpoints } from '@floorcast/contract/endpoints.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { pathOf } from '../admit/access.ts'
import { openApiOf } from './openapi.ts'

const compressBrotli = promisify(brotliCompress)
const compressGzip = promisify(gzip)
/** Higher levels take seconds for the page's 1.7 MB. */
const BROTLI_LEVEL = 6
const DAY_SECONDS = 86_400

/** A page in the forms in which it is sent. */
interface Compressed {
  etag: string
  forms: { identity: Buffer; gzip: Buffer; br: Buffer }
}

async function compress(content: Buffer): Promise<Compressed> {
  const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_LEVEL }
  const [br, gzipped] = await Promise.all([compressBrotli(content, { params }), compressGzip(content)])
  const etag = `W/"${createHash('sha256').update(content).digest('hex').slice(0, 32)}"`
  return { etag, forms: { identity: content, gzip: gzipped, br } }
}

function encodingFor({ headers }: FastifyRequest): 'identity' | 'gzip' | 'br' {
  const accepted = headers['accept-encoding'] ?? ''
  if (/\bbr\b/.test(String(accepted))) return 'br'
  return /\bgzip\b/.test(String(accepted)) ? 'gzip' : 'identity'
}

/**
 * Compresses the answers of this part of the server once, and keeps them. All callers share the bytes, so that those who do
 * not read their answer take no memory.
 */
function compressOnce(app: FastifyInstance): void {
  const pages = new Map<string, Promise<Compressed>>()
  const keep = (path: string, payload: unknown) => {
    const content = typeof payload === 'string' || Buffer.isBuffer(payload) ? Buffer.from(payload) : null
    const page = (content ? Promise.resolve(content) : buffer(payload as NodeJS.ReadableStream)).then(
      compress,
    )
    page.catch(() => pages.delete(path))
    pages.set(path, page)
    return page
  }
  app.addHook('onSend', async (request: FastifyRequest, reply: FastifyReply, payload: unknown) => {
    if (reply.statusCode !== 200 || request.method !== 'GET') return payload
    const path = pathOf(request.url)
    const known = pages.get(path)
    if (known && isStream(payload)) payload.destroy()
    const { etag, forms } = await (known ?? keep(path, payload))
    reply
      .removeHeader('last-modified')
      .removeHeader('accept-ranges')
      .headers({ etag, vary: 'accept-encoding, origin', 'cache-control': `public, max-age=${DAY_SECONDS}` })
    if (request.headers['if-none-match'] === etag) {
      reply.code(304).removeHeader('content-length')
      return null
    }
    const encoding = encodingFor(request)
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    reply.header('content-length', forms[encoding].length)
    return forms[encoding]
  })
}

const isStream = (payload: unknown): payload is { destroy: () => void } =>
  typeof payload === 'object' && payload !== null && 'destroy' in payload

/** Serves the description of the API at /openapi.json, and a page at /docs to browse it. */
export async function serveApiDocs(
  app: FastifyInstance,
  about: Parameters<typeof openApiOf>[1],
): Promise<void> {
  const document = openApiOf(endpoints, about)
  await app.register(async docs => {
    compressOnce(docs)
    docs.get('/openapi.json', (_, reply) =>
      reply.type('application/json; charset=utf-8').send(JSON.stringify(document)),
    )
    await docs.register(swagger, { mode: 'static', specification: { document } })
    await docs.register(swaggerUi, {
      routePrefix: '/docs',
      uiConfig: { docExpansion: 'none', filter: true, layout: 'BaseLayout' },
    })
  })
}
