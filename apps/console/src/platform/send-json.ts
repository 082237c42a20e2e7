import { buildPath, CallError } from '@floorcast/contract/client.ts'
import type { Endpoint } from '@floorcast/contract/endpoint.ts'
import { isSuccess, Outcome } from '@floorcast/contract/outcomes.ts'
import { Problem } from '@floorcast/contract/problem.ts'
import { z } from 'zod'
import { endExpiredSession, Refusal, toUnanswered } from './client.ts'
import { apiAddress } from './api-base.ts'
import { sessionStore } from './session.ts'

const Answer = z.object({ data: Outcome })

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

interface Sending {
  /** @param share 0 to 1 of the body */
  onProgress: (share: number) => void
  signal: AbortSignal
}

/**
 * Sends a change with a large body and reports progress. It uses XMLHttpRequest, because fetch does not report the
 * progress of an upload.
 * @throws Refusal, CallError; AbortError when it was cancelled
 */
export async function sendJson(
  endpoint: Endpoint,
  body: Blob,
  { onProgress, signal }: Sending,
): Promise<Outcome> {
  const wasOnline = navigator.onLine
  const address = await apiAddress(buildPath(endpoint.path))
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open(endpoint.method, address)
    request.setRequestHeader('authorization', `Bearer ${sessionStore.get().token}`)
    request.setRequestHeader('accept', 'application/json')
    request.setRequestHeader('content-type', 'application/json')
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onerror = () => reject(toUnanswered(wasOnline, null))
    request.onabort = () => reject(new DOMException('Cancelled', 'AbortError'))
    request.onload = () => {
      const text = parse(request.responseText)
      if (request.status === 401) endExpiredSession()
      const outcome = request.status === 200 ? Answer.safeParse(text).data?.data : undefined
      if (!outcome) reject(new CallError(request.status, Problem.safeParse(text).data ?? null))
      else if (isSuccess(outcome.code)) resolve(outcome)
      else reject(new Refusal(outcome))
    }
    signal.addEventListener('abort', () => request.abort())
    request.send(body)
  })
}
