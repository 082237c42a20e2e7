import { CallError } from '@floorcast/contract/client.ts'
import { Outcome } from '@floorcast/contract/outcomes.ts'
import { Problem } from '@floorcast/contract/problem.ts'
import { z } from 'zod'
import { endExpiredSession } from '../../platform/client.ts'
import { sessionStore } from '../../platform/session.ts'

const Answer = z.object({ data: Outcome })

/** The outcome that a body carries; null if it is none. */
export function outcomeIn(body: string): Outcome | null {
  return Answer.safeParse(parse(body)).data?.data ?? null
}

/** What a refused call says; a session that ended is ended here, too. */
export function failureIn(status: number, body: string): CallError {
  if (status === 401) endExpiredSession()
  return new CallError(status, Problem.safeParse(parse(body)).data ?? null)
}

export const authorization = () => `Bearer ${sessionStore.get().token}`

/** How many bytes of an upload the server has. @throws CallError 404, 410 where it is gone */
export async function askOffset(url: string): Promise<number> {
  const answer = await ask(url, 'HEAD', {})
  return Number(answer.headers.get('upload-offset'))
}

/** How a whole upload ended: asked for where its answer was lost. @throws CallError */
export async function askOutcome(url: string, size: number): Promise<Outcome> {
  const headers = { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(size) }
  const answer = await ask(url, 'PATCH', headers)
  const outcome = outcomeIn(await answer.text())
  if (!outcome) throw new CallError(answer.status, null)
  return outcome
}

/** Has the server forget an upload. One that it does not hear of goes by itself a day later. */
export function cancelKept(url: string): void {
  void ask(url, 'DELETE', {}).catch(() => {})
}

async function ask(url: string, method: string, more: Record<string, string>): Promise<Response> {
  const headers = { 'tus-resumable': '1.0.0', authorization: authorization(), ...more }
  const body = method === 'PATCH' ? new Blob([]) : null
  const answer = await fetch(url, { method, headers, body }).catch((cause: unknown) => {
    throw new CallError(0, null, { cause })
  })
  if (!answer.ok) throw failureIn(answer.status, await answer.text())
  return answer
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
