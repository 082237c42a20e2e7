import { buildPath, CallError } from '@floorcast/contract/client.ts'
import type { Endpoint } from '@floorcast/contract/endpoint.ts'
import { Outcome } from '@floorcast/contract/outcomes.ts'
import { Problem } from '@floorcast/contract/problem.ts'
import { z } from 'zod'
import { endExpiredSession } from '../../platform/client.ts'
import { sessionStore } from '../../platform/session.ts'
import type { SendFile } from './upload-store.ts'

export interface SentFile {
  outcome: Outcome
}

const Answer = z.object({ data: Outcome })

/**
 * How a file goes to a multipart call. XMLHttpRequest, because fetch does not tell how much has been sent.
 * @param fields parts that go before the file
 */
export function sendBy(endpoint: Endpoint, params: object, fields: Record<string, string> = {}): SendFile {
  const path = buildPath(endpoint.path, params)
  return (file, onProgress, signal) =>
    new Promise((resolve, reject) => {
      const form = new FormData()
      for (const [name, value] of Object.entries(fields)) form.append(name, value)
      form.append('file', file, file.name)
      const request = new XMLHttpRequest()
      request.open('POST', path)
      request.setRequestHeader('authorization', `Bearer ${sessionStore.get().token}`)
      request.setRequestHeader('accept', 'application/json')
      request.upload.onprogress = event => onProgress(Math.min(file.size, event.loaded))
      request.onerror = () => reject(new CallError(0, null))
      request.onabort = () => reject(new DOMException('Cancelled', 'AbortError'))
      request.onload = () => {
        const outcome = Answer.safeParse(parse(request.responseText)).data?.data
        if (request.status === 401) endExpiredSession()
        if (request.status === 200 && outcome) resolve({ outcome })
        else reject(failureOf(request))
      }
      signal.addEventListener('abort', () => request.abort())
      request.send(form)
    })
}

/** Sends parts to a multipart call at once, for small ones whose progress nobody watches. @throws CallError */
export async function sendParts(
  endpoint: Endpoint,
  params: object,
  parts: Record<string, string | File>,
): Promise<Outcome> {
  const body = new FormData()
  for (const [name, value] of Object.entries(parts)) body.append(name, value)
  const headers = { authorization: `Bearer ${sessionStore.get().token}`, accept: 'application/json' }
  const answer = await fetch(buildPath(endpoint.path, params), { method: 'POST', headers, body }).catch(
    (cause: unknown) => {
      throw new CallError(0, null, { cause })
    },
  )
  const text = parse(await answer.text())
  if (answer.status === 401) endExpiredSession()
  const outcome = Answer.safeParse(text).data?.data
  if (!answer.ok || !outcome) throw new CallError(answer.status, Problem.safeParse(text).data ?? null)
  return outcome
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function failureOf(request: XMLHttpRequest): CallError {
  return new CallError(request.status, Problem.safeParse(parse(request.responseText)).data ?? null)
}
