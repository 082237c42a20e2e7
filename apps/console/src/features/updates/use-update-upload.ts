import { buildPath, CallError } from '@floorcast/contract/client.ts'
import type { Outcome } from '@floorcast/contract/outcomes.ts'
import { uploadUpdateFile } from '@floorcast/contract/update-packages.ts'
import { UpdateSignature } from '@floorcast/contract/update-signing.ts'
import { useRef, useState } from 'react'
import { apiAddress } from '../../platform/api-base.ts'
import { Refusal } from '../../platform/client.ts'
import { useMarkStale } from '../../platform/use-change.ts'
import { authorization, parseOutcome, toCallError } from '../../ui/upload/upload-calls.ts'

/** A chosen file and how far it is. */
export interface UpdateUpload extends SignedFile<File> {
  /** The share that is sent, 0 to 1; null before. */
  sent: number | null
  isDone: boolean
  /** Why it was refused; null if it was not. */
  failure: unknown
}

/** The faults to correct before a file can be sent. */
type UploadFault = 'signature-missing' | 'update-signature'

/** Sends chosen files into a draft package, one after another. What was stored stays when the next one is refused. */
export function useUpdateUpload() {
  const [lines, setLines] = useState<readonly UpdateUpload[]>([])
  const [isBusy, setIsBusy] = useState(false)
  const abort = useRef<AbortController>(null)
  const markStale = useMarkStale('update')
  const change = (file: File, next: Partial<UpdateUpload>) =>
    setLines(all => all.map(line => (line.file === file ? { ...line, ...next } : line)))
  const add = async (files: readonly File[]) => {
    const chosen = await addChosenFiles(lines, files)
    setLines(chosen.map(({ file, signature }) => toLine(lines, file, signature)))
  }
  const send = async (packageUid: string): Promise<number | null> => {
    const controller = new AbortController()
    const { signal } = controller
    abort.current = controller
    setIsBusy(true)
    let count = 0
    let isWhole = true
    for (const { file, signature, isDone } of lines) {
      if (isDone) continue
      if (signal.aborted) break
      change(file, { sent: 0, failure: null })
      try {
        const onProgress = (sent: number) => change(file, { sent })
        await sendUpdateFile({ packageUid, file, signature, onProgress, signal })
        change(file, { isDone: true })
        count += 1
      } catch (failure) {
        isWhole = false
        change(file, signal.aborted ? { sent: null } : { sent: null, failure })
      }
    }
    setIsBusy(false)
    await markStale()
    return isWhole && !signal.aborted ? count : null
  }
  return {
    lines,
    isBusy,
    add,
    send,
    sign: ({ file }: UpdateUpload, signature: string) => change(file, { signature, failure: null }),
    remove: ({ file }: UpdateUpload) => setLines(all => all.filter(line => line.file !== file)),
    stop: () => abort.current?.abort(),
    faultOf,
  }
}

/** A file that was chosen before keeps its progress, unless its signature is another now. */
function toLine(before: readonly UpdateUpload[], file: File, signature: string): UpdateUpload {
  const known = before.find(line => line.file === file && line.signature === signature)
  return known ?? { file, signature, sent: null, isDone: false, failure: null }
}

function faultOf({ signature, isDone }: UpdateUpload, needsSignature: boolean): UploadFault | null {
  if (isDone) return null
  if (signature === '') return needsSignature ? 'signature-missing' : null
  return UpdateSignature.safeParse(signature).success ? null : 'update-signature'
}

const ENDING = '.sig'

/** A file to upload, with the signature of FILE.sig; empty without one. */
interface SignedFile<File> {
  file: File
  signature: string
}

interface NamedFile {
  name: string
  text(): Promise<string>
}

/**
 * Adds chosen files to those that were chosen before. FILE.sig is the signature of FILE, whichever comes first; a file of a name that
 * is there replaces it.
 */
export async function addChosenFiles<File extends NamedFile>(
  before: readonly SignedFile<File>[],
  chosen: readonly File[],
): Promise<SignedFile<File>[]> {
  const signatures = new Map<string, string>()
  for (const file of chosen)
    if (file.name.endsWith(ENDING))
      signatures.set(file.name.slice(0, -ENDING.length), (await file.text()).trim())
  const added = chosen.filter(({ name }) => !name.endsWith(ENDING))
  const kept = before.filter(({ file }) => !added.some(({ name }) => name === file.name))
  return [...kept, ...added.map(file => ({ file, signature: '' }))].map(({ file, signature }) => ({
    file,
    signature: signatures.get(file.name) ?? signature,
  }))
}

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
async function sendUpdateFile(parts: UpdateFileParts): Promise<Outcome> {
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
