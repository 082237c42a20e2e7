import { type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'

/* What all checks share: findings, and calls by the public addresses. */

/** What was looked at, and whether it is right. */
export interface Finding {
  subject: string
  isWrong: boolean
  /** What is so; for what is wrong also what to do. */
  text: string
}

export const right = (subject: string, text: string): Finding => ({ subject, isWrong: false, text })
export const wrong = (subject: string, text: string): Finding => ({ subject, isWrong: true, text })

/** The proxy's pages are in docs/operate. */
export const SEE = 'see docs/operate/proxy.md'
export const TIMEOUT_MS = 20_000

interface CallOptions {
  method?: string
  headers?: Record<string, string>
}

/** Certificates are checked by `checkCertificate`: a wrong one hides nothing else that is wrong. */
export function openCall(url: URL, { method = 'GET', headers = {} }: CallOptions) {
  const options = { method, headers, agent: false, timeout: TIMEOUT_MS, rejectUnauthorized: false }
  const call = url.protocol === 'https:' ? requestHttps(url, options) : requestHttp(url, options)
  call.on('timeout', () => call.destroy(new Error(`no answer within ${TIMEOUT_MS / 1000} s`)))
  return call
}

export async function readAll(answer: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) text += String(chunk)
  return text
}

export const messageOf = (error: unknown) => {
  const { message, code } = error as { message?: string; code?: string }
  return message === undefined || message === '' ? String(code ?? error) : message
}
