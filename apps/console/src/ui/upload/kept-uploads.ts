import { UploadMetadata } from '@floorcast/contract/uploads.ts'
import { z } from 'zod'
import { readStoredJson, writeStored } from '../../platform/storage.ts'
import { sessionStore } from '../../platform/session.ts'

/** What an upload is for: its item's kind and, where it replaces a file, its item. */
export type Told = Pick<z.input<typeof UploadMetadata>, 'contentType' | 'uid'>

/** An upload that this browser began and that has not ended: what going on with it needs, but for the file itself. */
export type KeptUpload = z.infer<typeof KeptUpload>
const KeptUpload = z.object({
  /** Names the user, the file and what it is for. */
  fingerprint: z.string(),
  userUid: z.string(),
  url: z.string(),
  name: z.string(),
  size: z.number(),
  told: z.custom<Told>(
    value => UploadMetadata.pick({ contentType: true, uid: true }).safeParse(value).success,
  ),
})

const key = 'floorcast.uploads'

/** Changed or renamed, a file is another one: its bytes do not go on where the former's stopped. */
export function fingerprintOf(file: File, { contentType, uid = '' }: Told): string {
  const userUid = sessionStore.get().user?.uid ?? ''
  return [userUid, contentType, uid, file.size, file.lastModified, file.name].join('/')
}

/** The signed-in user's. */
export function readKept(): readonly KeptUpload[] {
  const userUid = sessionStore.get().user?.uid
  return readAll().filter(kept => kept.userUid === userUid)
}

export function keepUpload(upload: KeptUpload): void {
  write([...readAll().filter(({ fingerprint }) => fingerprint !== upload.fingerprint), upload])
}

export function forgetUpload(fingerprint: string): void {
  write(readAll().filter(kept => kept.fingerprint !== fingerprint))
}

function readAll(): KeptUpload[] {
  return z.array(KeptUpload).safeParse(readStoredJson(key)).data ?? []
}

function write(uploads: readonly KeptUpload[]): void {
  writeStored(key, uploads.length === 0 ? null : JSON.stringify(uploads))
}

const lockOf = (fingerprint: string) => `floorcast upload ${fingerprint}`

/** Marks an upload as this tab's. Where the browser has no locks (plain HTTP), tabs do not know of each other. @returns ends it */
export function markOwn(fingerprint: string): () => void {
  if (!('locks' in navigator)) return () => {}
  const { promise, resolve } = Promise.withResolvers<void>()
  void navigator.locks.request(lockOf(fingerprint), { ifAvailable: true }, lock =>
    lock ? promise : undefined,
  )
  return resolve
}

/** Whether some tab sends this file right now. */
export async function isBeingSent(fingerprint: string): Promise<boolean> {
  if (!('locks' in navigator)) return false
  const { held = [] } = await navigator.locks.query()
  return held.some(({ name }) => name === lockOf(fingerprint))
}
