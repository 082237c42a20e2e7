import { endExpiredSession, toUnanswered } from '../../platform/client.ts'
import { apiAddress } from '../../platform/api-base.ts'
import { sessionStore } from '../../platform/session.ts'
import { CallError, buildPath } from '@floorcast/contract/client.ts'
import type { Endpoint } from '@floorcast/contract/endpoint.ts'
import { Outcome } from '@floorcast/contract/outcomes.ts'
import { Problem } from '@floorcast/contract/problem.ts'
import { beginUpload } from '@floorcast/contract/uploads.ts'
import { z } from 'zod'

/** Sends a small multipart form without progress. @throws CallError */
export async function sendParts(
  endpoint: Endpoint,
  params: object,
  parts: Record<string, string | File>,
): Promise<Outcome> {
  const body = new FormData()
  for (const [name, value] of Object.entries(parts)) body.append(name, value)
  const headers = { authorization: authorization(), accept: 'application/json' }
  const wasOnline = navigator.onLine
  const address = await apiAddress(buildPath(endpoint.path, params))
  const answer = await fetch(address, { method: 'POST', headers, body }).catch((cause: unknown) => {
    throw toUnanswered(wasOnline, cause)
  })
  const text = await answer.text()
  const outcome = parseOutcome(text)
  if (!answer.ok || !outcome) throw toCallError(answer.status, text)
  return outcome
}

const Answer = z.object({ data: Outcome })

/** The outcome in a response body; null if there is none. */
export function parseOutcome(body: string): Outcome | null {
  return Answer.safeParse(parse(body)).data?.data ?? null
}

/** The error of a failed call. Ends an expired session. */
export function toCallError(status: number, body: string): CallError {
  if (status === 401) endExpiredSession()
  return new CallError(status, Problem.safeParse(parse(body)).data ?? null)
}

export const authorization = () => `Bearer ${sessionStore.get().token}`

/**
 * The address of an upload, by that at which it began: the server names its path without that of the API's address, and older
 * uploads may have another address.
 * @param endpoint where uploads begin
 */
export const uploadAt = (endpoint: string, url: string): string =>
  new URL(endpoint + url.slice(url.lastIndexOf('/') + 1), location.origin).href

/** The address at which uploads begin. */
export const findEndpoint = (): Promise<string> => apiAddress(beginUpload.path)

/** The number of bytes that the server has. @throws CallError 404, 410 when the upload is gone */
export async function fetchOffset(url: string): Promise<number> {
  const answer = await send(url, 'HEAD', {})
  return Number(answer.headers.get('upload-offset'))
}

/** The outcome of a complete upload whose answer was lost. @throws CallError */
export async function fetchOutcome(url: string, size: number): Promise<Outcome> {
  const headers = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(size) }
  const answer = await send(url, 'PATCH', headers)
  const outcome = parseOutcome(await answer.text())
  if (!outcome) throw new CallError(answer.status, null)
  return outcome
}

/** Deletes an upload on the server, which otherwise deletes it a day later. */
export function deleteUpload(url: string): void {
  void send(url, 'DELETE', {}).catch(() => {})
}

async function send(url: string, method: string, more: Record<string, string>): Promise<Response> {
  const headers = { 'tus-resumable': '1.0.0', authorization: authorization(), ...more }
  const body = method === 'PATCH' ? new Blob([]) : null
  const address = uploadAt(await findEndpoint(), url)
  const answer = await fetch(address, { method, headers, body }).catch((cause: unknown) => {
    throw new CallError(0, null, { cause })
  })
  if (!answer.ok) throw toCallError(answer.status, await answer.text())
  return answer
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
