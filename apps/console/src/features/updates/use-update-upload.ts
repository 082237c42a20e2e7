import { UpdateSignature } from '@floorcast/contract/update-signing.ts'
import { useRef, useState } from 'react'
import { useMarkStale } from '../../platform/use-change.ts'
import { addChosenFiles, type SignedFile } from './pair-signatures.ts'
import { sendUpdateFile } from './send-update-file.ts'

/** A chosen file and how far it is. */
export interface UpdateUpload extends SignedFile<File> {
  /** The share that is sent, 0 to 1; null before. */
  sent: number | null
  isDone: boolean
  /** Why it was refused; null if it was not. */
  failure: unknown
}

/** What has to be changed before a file can be sent. */
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
