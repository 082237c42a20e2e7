import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { atTheEnd } from './at-the-end.ts'

export interface Received {
  headers: Record<string, string>
  body: string
  data: { kind: string; position: number }
}

export type Answer = (received: Received, response: ServerResponse, request: IncomingMessage) => void
export const take: Answer = (_, response) => response.writeHead(204).end()

/** A receiver of events; `answer` may be another one later. It ends with the tests. */
export async function openReceiver(first: Answer = take) {
  const received: Received[] = []
  const state = { answer: first }
  const receiver = createServer((request, response) => {
    void text(request).then(body => {
      const { data } = JSON.parse(body) as { data: Received['data'] }
      const one = { headers: request.headers as Record<string, string>, body, data }
      received.push(one)
      state.answer(one, response, request)
    })
  })
  receiver.listen(0, '127.0.0.1')
  await once(receiver, 'listening')
  atTheEnd(async () => {
    const closed = once(receiver.close(), 'close')
    receiver.closeAllConnections()
    await closed
  })
  const { port } = receiver.address() as AddressInfo
  return Object.assign(state, {
    received,
    url: `http://127.0.0.1:${port}/events`,
    kinds: () => received.map(({ data }) => data.kind),
  })
}
