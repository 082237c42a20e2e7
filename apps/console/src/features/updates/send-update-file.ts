import { buildPath, CallError } from '@floorcast/contract/client.ts'
import type { Outcome } from '@floorcast/contract/outcomes.ts'
import { uploadUpdateFile } from '@floorcast/contract/update-packages.ts'
import { Refusal } from '../../platform/client.ts'
import { apiAddress } from '../../platform/api-base.ts'
import { authorization, parseOutcome, toCallError } from '../../ui/upload/upload-calls.ts'

interface UpdateFileParts {
  packageUid: string
  file: File
  /** Empty: none. */
  signature: string
  /** Called with the share that is sent, 0 to 1. */
  onProgress: (share: number) => void
  signal: AbortSignal
}

/** Sends a file into a draft package. `fetch` tells no progress. @throws Refusal, CallError */
export async function sendUpdateFile(parts: UpdateFileParts): Promise<Outcome> {
  const { packageUid, file, signature, onProgress, signal } = parts
  const form = new FormData()
  // First, so that the server knows it when the file has come.
  if (signature !== '') form.append('signature', signature)
  form.append('file', file)
  const address = await apiAddress(buildPath(uploadUpdateFile.path, { uid: packageUid }))
  if (signal.aborted) throw new CallError(0, null)
  const request = new XMLHttpRequest()
  return new Promise((resolve, reject) => {
    request.open('POST', address)
    request.setRequestHeader('authorization', authorization())
    request.setRequestHeader('accept', 'application/json')
    request.upload.addEventListener('progress', ({ loaded, total }) =>
      onProgress(loaded / Math.max(1, total)),
    )
    request.addEventListener('load', () => {
      const outcome = request.status === 200 ? parseOutcome(request.responseText) : null
      if (!outcome) reject(toCallError(request.status, request.responseText))
      else if (outcome.code === 200) resolve(outcome)
      else reject(new Refusal(outcome))
    })
    for (const end of ['error', 'abort']) request.addEventListener(end, () => reject(new CallError(0, null)))
    signal.addEventListener('abort', () => request.abort())
    request.send(form)
  })
}
