import { buildPath, toCallError, CallError } from '@floorcast/contract/client.ts'
import type { BodyOf, Endpoint } from '@floorcast/contract/endpoint.ts'
import { endExpiredSession } from './client.ts'
import { sessionStore } from './session.ts'

/** Saves bytes under a name, as a click on a link to them does. */
export function saveFile(bytes: Blob, fileName: string): void {
  const address = URL.createObjectURL(bytes)
  const link = Object.assign(document.createElement('a'), { href: address, download: fileName })
  document.body.append(link)
  link.click()
  link.remove()
  // The browser reads the address after this task.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** Saves the answer of a call that sends bytes. A link could not carry the session. @throws CallError */
export async function downloadAnswer<E extends Endpoint>(
  endpoint: E,
  body: BodyOf<E>,
  fileName: string,
): Promise<void> {
  let answer: Response
  try {
    answer = await fetch(buildPath(endpoint.path), {
      method: endpoint.method,
      headers: {
        authorization: `Bearer ${sessionStore.get().token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    })
  } catch (cause) {
    throw new CallError(0, null, { cause })
  }
  if (answer.status === 401) endExpiredSession()
  if (!answer.ok) throw await toCallError(answer)
  saveFile(await answer.blob(), fileName)
}
