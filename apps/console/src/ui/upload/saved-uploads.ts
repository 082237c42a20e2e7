import { UploadMetadata } from '@floorcast/contract/uploads.ts'
import { z } from 'zod'
import { readStoredJson, writeStored } from '../../platform/storage.ts'
import { sessionStore } from '../../platform/session.ts'
import { isRecord } from '../../platform/stored-shape.ts'

/** The content type of an upload and, if it replaces a file or is a preview, the uid of the media item. */
export type UploadTarget = Pick<z.input<typeof UploadMetadata>, 'contentType' | 'uid' | 'part'>

/** An unfinished upload of this browser: the data to resume it, without the file. */
export type SavedUpload = z.infer<typeof SavedUpload>
const Saved = z.object({
  /** Identifies the user, the file and the target. */
  fingerprint: z.string(),
  userUid: z.string(),
  /** Null: no byte of it was sent. */
  url: z.string().nullable(),
  name: z.string(),
  size: z.number(),
  target: z.custom<UploadTarget>(
    value => UploadMetadata.pick({ contentType: true, uid: true, part: true }).safeParse(value).success,
  ),
})
/** Consoles of 2.775.0 stored the target as `told`. */
const SavedUpload = z.preprocess(
  stored => (isRecord(stored) && 'told' in stored ? { ...stored, target: stored['told'] } : stored),
  Saved,
)

const key = 'floorcast.uploads'

/** A changed or renamed file has another fingerprint, because its bytes do not continue the old upload. */
export function fingerprintFile(file: File, { contentType, uid = '', part }: UploadTarget): string {
  const userUid = sessionStore.get().user?.uid ?? ''
  const item = part === 'preview' ? `${uid} preview` : uid
  return [userUid, contentType, item, file.size, file.lastModified, file.name].join('/')
}

/** The saved uploads of the signed-in user. */
export function readSavedUploads(): readonly SavedUpload[] {
  const userUid = sessionStore.get().user?.uid
  return readAll().filter(saved => saved.userUid === userUid)
}

export function saveUpload(upload: SavedUpload): void {
  // An upload that ends with the session of its user leaves no name.
  if (upload.userUid !== sessionStore.get().user?.uid) return
  write([...readAll().filter(({ fingerprint }) => fingerprint !== upload.fingerprint), upload])
}

/** Names a file that waits for its turn: it is not lost from sight when the page closes before that. */
export function saveWaiting(file: File, target: UploadTarget): void {
  const fingerprint = fingerprintFile(file, target)
  if (readAll().some(saved => saved.fingerprint === fingerprint)) return
  const userUid = sessionStore.get().user?.uid ?? ''
  saveUpload({ fingerprint, userUid, url: null, name: file.name, size: file.size, target })
}

export function removeSavedUpload(fingerprint: string): void {
  write(readAll().filter(saved => saved.fingerprint !== fingerprint))
}

function readAll(): SavedUpload[] {
  return z.array(SavedUpload).safeParse(readStoredJson(key)).data ?? []
}

function write(uploads: readonly SavedUpload[]): void {
  writeStored(key, uploads.length === 0 ? null : JSON.stringify(uploads))
}

const lockNames = {
  sending: (fingerprint: string) => `floorcast upload ${fingerprint}`,
  /** The key of a file in the tray of a tab. */
  shown: (fingerprint: string) => `floorcast tray ${fingerprint}`,
}

/**
 * Locks an upload for this tab. Browsers without locks (plain HTTP) do not coordinate tabs.
 * @returns a function that releases the lock
 */
export function lockUpload(fingerprint: string, what: keyof typeof lockNames): () => void {
  if (!('locks' in navigator)) return () => {}
  const { promise, resolve } = Promise.withResolvers<void>()
  void navigator.locks.request(lockNames[what](fingerprint), { ifAvailable: true }, lock =>
    lock ? promise : undefined,
  )
  return resolve
}

/** Whether a tab is sending this file, or shows it. */
export async function isLocked(fingerprint: string, what: keyof typeof lockNames): Promise<boolean> {
  if (!('locks' in navigator)) return false
  const { held = [] } = await navigator.locks.query()
  return held.some(({ name }) => name === lockNames[what](fingerprint))
}
