import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Problem } from '@floorcast/contract/problem.ts'

/** Node's words for what it could not read as a request → status and the problem's word. */
const REFUSALS: Record<string, [number, string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'too-slow'],
  HPE_HEADER_OVERFLOW: [431, 'too-large'],
}

/** Answers what is no HTTP request, so that no request object exists, and ends the connection. */
export function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  const [status, code] = REFUSALS[error.code ?? ''] ?? [400, 'malformed']
  const title = STATUS_CODES[status] ?? 'Error'
  const body = JSON.stringify({ type: 'about:blank', title, status, code } satisfies Problem)
  const head = [
    `HTTP/1.1 ${status} ${title}`,
    'content-type: application/problem+json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`)
}
