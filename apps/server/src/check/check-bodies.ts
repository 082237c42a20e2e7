import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { PROBE_PAUSE_MS, type ProbedBody } from '../platform/http/routes/probe.ts'
import { type Finding, messageOf, openCall, readAll, right, SEE, wrong } from './finding.ts'

/** Update packages and uploads by form are one request each; nobody has sent a larger one. */
const LARGEST_BODY_BYTES = 1024 ** 3
/** The largest part in which the console sends a file. */
const LARGEST_PART_BYTES = 64 * 1024 * 1024
const FIRST_PART_BYTES = 64 * 1024

/** A large body by its announced length, and one that is sent: its beginning, a pause, and the rest. */
export async function checkBodies(url: URL, token: string): Promise<Finding[]> {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/offset+octet-stream' }
  const [announced, sent] = await Promise.all([
    announceBody(url, headers).catch((error: unknown) =>
      wrong('body', `It was cut off: ${messageOf(error)}`),
    ),
    sendBody(url, headers).catch((error: unknown) => ({ error: messageOf(error) })),
  ])
  if (typeof sent === 'number' || 'error' in sent) {
    const why = typeof sent === 'number' ? `HTTP ${sent}` : sent.error
    const part = wrong(
      'body',
      `A body of 64 MiB does not come through (${why}): uploads by the console are slow. For nginx: client_max_body_size 0; ${SEE}`,
    )
    return [announced.isWrong ? announced : part]
  }
  return [announced, describeSending(sent)]
}

function describeSending({ longestPauseMs }: ProbedBody): Finding {
  return longestPauseMs > PROBE_PAUSE_MS / 2
    ? right('requests', 'bodies are forwarded as they come')
    : wrong(
        'requests',
        `The proxy collects a body before it forwards it: a broken upload begins again, and its disk has to hold all of it. For nginx: proxy_request_buffering off; ${SEE}`,
      )
}

async function announceBody(url: URL, headers: Record<string, string>): Promise<Finding> {
  const call = openCall(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': String(LARGEST_BODY_BYTES), expect: '100-continue' },
  })
  call.flushHeaders()
  try {
    const status = await Promise.race([
      once(call, 'continue').then(() => 100),
      once(call, 'response').then(([answer]) => (answer as IncomingMessage).statusCode ?? 0),
    ])
    if (status === 100) return right('body', 'a request of 1 GiB may be sent, and one of 64 MiB was')
    return wrong(
      'body',
      `The proxy refuses a request of 1 GiB (HTTP ${status}): update packages and uploads by form are one request. For nginx: client_max_body_size 0; ${SEE}`,
    )
  } finally {
    call.on('error', () => undefined)
    call.destroy()
  }
}

/** @returns what the server has seen, or the status of a refusal */
async function sendBody(url: URL, headers: Record<string, string>): Promise<ProbedBody | number> {
  const call = openCall(url, {
    method: 'POST',
    headers: { ...headers, 'content-length': String(LARGEST_PART_BYTES) },
  })
  const answered = once(call, 'response') as Promise<[IncomingMessage]>
  // A refusal may come before all is sent, and ends the sending.
  const sending = (async () => {
    call.write(Buffer.alloc(FIRST_PART_BYTES))
    await pause(PROBE_PAUSE_MS)
    const rest = Buffer.alloc(1024 * 1024)
    for (let left = LARGEST_PART_BYTES - FIRST_PART_BYTES; left > 0; left -= rest.length) {
      if (call.destroyed || call.writableEnded) return
      if (!call.write(rest.subarray(0, Math.min(left, rest.length)))) await once(call, 'drain')
    }
    call.end()
  })()
  sending.catch(() => undefined)
  const [answer] = await answered
  const text = await readAll(answer)
  call.destroy()
  return answer.statusCode === 200 ? (JSON.parse(text) as ProbedBody) : (answer.statusCode ?? 0)
}
