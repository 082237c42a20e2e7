import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { atTheEnd } from './at-the-end.ts'

interface Attribute {
  key: string
  value: Record<string, unknown>
}

/** A span as OTLP has it in JSON, with its attributes by their names. */
export interface SentSpan {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: Record<string, unknown>
  /** 2: it failed. */
  status: { code: number; message?: string }
}

interface Sent {
  resourceSpans: {
    resource: { attributes: Attribute[] }
    scopeSpans: { spans: (Omit<SentSpan, 'attributes'> & { attributes: Attribute[] })[] }[]
  }[]
}

const byName = (attributes: readonly Attribute[]) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))

/** Takes traces by OTLP (HTTP, JSON), until the end of the file's tests. */
export async function startTraceCollector() {
  const spans: SentSpan[] = []
  const resources: Record<string, unknown>[] = []
  const headers: IncomingHttpHeaders[] = []
  const server = createServer((request, response) => {
    void json(request).then(body => {
      headers.push(request.headers)
      for (const { resource, scopeSpans } of (body as Sent).resourceSpans) {
        resources.push(byName(resource.attributes))
        for (const span of scopeSpans.flatMap(scope => scope.spans))
          spans.push({ ...span, attributes: byName(span.attributes) })
      }
      response.writeHead(request.url === '/v1/traces' ? 200 : 404, { 'content-type': 'application/json' })
      response.end('{}')
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atTheEnd(async () => {
    server.close()
    server.closeAllConnections()
  })
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { endpoint, spans, resources, headers }
}
