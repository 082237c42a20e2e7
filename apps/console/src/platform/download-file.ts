/** Collects a download outside the tab's memory. */
export interface DownloadFile {
  write(bytes: Blob): Promise<void>
  /** All that was written. */
  finish(): Promise<Blob>
  /** Frees the space of a download that ended before its time. */
  discard(): Promise<void>
}

const FOLDER = 'downloads'
/** By then the browser has long copied the file to where the user wants it. */
const MAX_AGE_MS = 3_600_000

/**
 * A file of the browser's own (origin private file system): 300 MB take 100 MB of memory, and 400 MB as a Blob. Without such
 * files, as in older browsers and without HTTPS, a Blob, which is outside the tab too.
 */
export async function openDownloadFile(nowMs: number): Promise<DownloadFile> {
  try {
    const root = await navigator.storage.getDirectory()
    const folder = await root.getDirectoryHandle(FOLDER, { create: true })
    await removeOld(folder, nowMs)
    return await openPrivateFile(folder, crypto.randomUUID())
  } catch {
    return collectBlobs()
  }
}

/** The browser does not tell when it has copied a file, so a later download removes it. */
async function removeOld(folder: FileSystemDirectoryHandle, nowMs: number): Promise<void> {
  for await (const [name, handle] of folder.entries()) {
    if (!(handle instanceof FileSystemFileHandle)) continue
    const { lastModified } = await handle.getFile()
    if (nowMs - lastModified > MAX_AGE_MS) await folder.removeEntry(name)
  }
}

async function openPrivateFile(folder: FileSystemDirectoryHandle, name: string): Promise<DownloadFile> {
  const handle = await folder.getFileHandle(name, { create: true })
  const writable = await handle.createWritable()
  return {
    write: bytes => writable.write(bytes),
    async finish() {
      await writable.close()
      return handle.getFile()
    },
    async discard() {
      await writable.abort().catch(() => undefined)
      await folder.removeEntry(name).catch(() => undefined)
    },
  }
}

function collectBlobs(): DownloadFile {
  let parts: Blob[] = []
  return {
    write: async bytes => void parts.push(bytes),
    finish: async () => new Blob(parts),
    async discard() {
      parts = []
    },
  }
}
