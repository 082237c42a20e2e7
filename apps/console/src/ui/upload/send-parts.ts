import { buildPath, CallError } from '@floorcast/contract/client.ts'
import type { Endpoint } from '@floorcast/contract/endpoint.ts'
import type { Outcome } from '@floorcast/contract/outcomes.ts'
import { authorization, failureIn, outcomeIn } from './upload-calls.ts'

/** Sends parts to a multipart call at once, for small ones whose progress nobody watches. @throws CallError */
export async function sendParts(
  endpoint: Endpoint,
  params: object,
  parts: Record<string, string | File>,
): Promise<Outcome> {
  const body = new FormData()
  for (const [name, value] of Object.entries(parts)) body.append(name, value)
  const headers = { authorization: authorization(), accept: 'application/json' }
  const answer = await fetch(buildPath(endpoint.path, params), { method: 'POST', headers, body }).catch(
    (cause: unknown) => {
      throw new CallError(0, null, { cause })
    },
  )
  const text = await answer.text()
  const outcome = outcomeIn(text)
  if (!answer.ok || !outcome) throw failureIn(answer.status, text)
  return outcome
}
