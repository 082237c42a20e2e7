import type { Server } from '@tus/server'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { notFound, ProblemError, type ProblemStatus } from '../lib/errors.ts'

/*
 * Between Fastify and @tus/server: a request as the web knows it, and its Response sent as an answer of ours, with our
 * headers, problems and log line. Nobody's token gets in there.
 */

/** All that tus reads of a request. */
const READ = [
  'tus-resumable',
  'upload-length',
  'upload-offset',
  'upload-metadata',
  'upload-defer-length',
  'upload-concat',
  'content-type',
  'content-length',
]
const VERSION = '1.0.0'
const BUFFERED_BYTES = 256 * 1024

/** tus's own refusals: its status → ours and a stable word. */
const REFUSALS: Record<number, [ProblemStatus, string]> = {
  409: [409, 'wrong-offset'],
  410: [410, 'upload-gone'],
  413: [413, 'too-large'],
  423: [423, 'upload-busy'],
}

/** Lets tus's type of body through to the calls that take bytes, unread. */
export function acceptBytes(app: FastifyInstance): void {
  app.addContentTypeParser('application/offset+octet-stream', (request, _, done) => {
    if (request.routeOptions.config.takesBytes) done(null)
    else done(new ProblemError(415, 'unsupported-media-type'))
  })
}

/** A request's body as a web stream. Once left, what still comes flows away, so that the answer arrives. */
function bodyOf({ raw }: FastifyRequest): { stream: ReadableStream<Uint8Array>; leave: () => void } {
  let isLeft = false
  const leave = () => {
    isLeft = true
    raw.resume()
  }
  const stream = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        raw.on('data', (chunk: Buffer) => {
          if (isLeft) return
          controller.enqueue(chunk)
          if ((controller.desiredSize ?? 0) <= 0) raw.pause()
        })
        let isOver = false
        const end = () => {
          if (!isLeft && !isOver) controller.close()
          isOver = true
        }
        // Where the sender breaks off, what came before is written as if it had ended there: an error would discard it.
        for (const event of ['end', 'close', 'error']) raw.once(event, end)
        // It may have gone while the call was looked at: then nothing is told any more.
        if (raw.destroyed) end()
      },
      pull: () => void raw.resume(),
      cancel: leave,
    },
    new ByteLengthQueuingStrategy({ highWaterMark: BUFFERED_BYTES }),
  )
  return { stream, leave }
}

function headersOf(request: FastifyRequest): Headers {
  const headers = new Headers()
  for (const name of READ) {
    const value = request.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  return headers
}

/** Where tus allows every origin, we allow our own (cross-origin.ts); what a body is, whoever sends it says. */
const isTold = (name: string) => !name.startsWith('access-control-') && !/^content-(length|type)$/.test(name)

/** The protocol's own answer to another version, which @tus/server takes for a malformed request. */
function refuseOtherVersions(request: FastifyRequest, reply: FastifyReply): void {
  if (request.method === 'OPTIONS' || request.headers['tus-resumable'] === VERSION) return
  reply.header('tus-version', VERSION)
  throw new ProblemError(412, 'tus-version', { detail: `Tus-Resumable: ${VERSION} is spoken here.` })
}

/** Has tus answer a request. @throws ProblemError where tus refuses it */
export async function askTus(
  server: Server,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Response> {
  refuseOtherVersions(request, reply)
  const body = request.method === 'PATCH' ? bodyOf(request) : null
  const url = new URL(request.url, 'http://floorcast')
  const asked = {
    method: request.method,
    headers: headersOf(request),
    body: body?.stream ?? null,
    duplex: 'half' as const,
  }
  try {
    const response = await server.handleWeb(new Request(url, asked))
    for (const [name, value] of response.headers) if (isTold(name)) reply.header(name, value)
    if (response.status >= 400) {
      // What is left of the body flows away: the connection serves on.
      reply.removeHeader('connection')
      throw await refusalOf(response)
    }
    return response
  } finally {
    body?.leave()
  }
}

async function refusalOf(response: Response): Promise<Error> {
  const said = (await response.text()).trim()
  if (response.status === 404) return notFound()
  const refusal = REFUSALS[response.status]
  if (refusal) return new ProblemError(refusal[0], refusal[1], { detail: said })
  return response.status < 500 || response.status === 501
    ? new ProblemError(400, 'malformed', { detail: said })
    : new Error(`tus: ${response.status} ${said}`)
}
