import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { diskSizeOf, DiskSpace, type MinFreeDisk } from './disk-space.ts'
import {
  FileMissingError,
  type AdmitBytes,
  type ByteRange,
  type FileKey,
  type FileStore,
  type PendingFile,
} from './file-store.ts'
import { isMissing, receiveFile } from './incoming-files.ts'
import { FILE_MODE, FOLDER_MODE } from './private-folder.ts'

const UID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const SHA256 = /^[0-9a-f]{64}$/
/** `<process>-<random>` for a file that is being received, `<process>-<random>.<client>.<sha256>` for the note of a pending one. */
const INCOMING = /^(\d+)-[0-9a-f-]{36}(?:\.([0-9a-f-]{36})\.([0-9a-f]{64}))?$/

function pathOf(folder: string, { clientUid, sha256 }: FileKey): string {
  if (!UID.test(clientUid) || !SHA256.test(sha256))
    throw new Error('A file is stored under a client and a SHA-256 only')
  return join(folder, clientUid, sha256.slice(0, 2), sha256)
}

/** `deferred-<random>.<client>.<sha256>`: the note of a file that is deleted later. */
const DEFERRED = /^deferred-[0-9a-f-]{36}\.([0-9a-f-]{36})\.([0-9a-f]{64})$/

const noteOf = (incoming: string, { clientUid, sha256 }: FileKey) => `${incoming}.${clientUid}.${sha256}`

/** Flushes a file or a folder to the disk. */
async function flush(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function sizeOf(path: string): Promise<number | null> {
  try {
    return (await stat(path)).size
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

/** Lists files of ended processes. A file with this process's id belongs to an earlier process: in a container all have the same id. */
async function sweep(incoming: string): Promise<PendingFile[]> {
  const pending: PendingFile[] = []
  for (const name of await readdir(incoming)) {
    const [, pid, clientUid, sha256] = INCOMING.exec(name) ?? []
    if (pid === undefined || (Number(pid) !== process.pid && isRunning(Number(pid)))) continue
    if (clientUid && sha256) pending.push({ key: { clientUid, sha256 }, note: join(incoming, name) })
    else await rm(join(incoming, name), { force: true })
  }
  return pending
}

async function listDeferred(incoming: string): Promise<PendingFile[]> {
  return (await readdir(incoming)).flatMap(name => {
    const [, clientUid, sha256] = DEFERRED.exec(name) ?? []
    return clientUid && sha256 ? [{ key: { clientUid, sha256 }, note: join(incoming, name) }] : []
  })
}

async function moveNoted(from: string, to: string, note: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: FOLDER_MODE })
  await writeFile(note, '', { mode: FILE_MODE })
  // The same bytes may be stored already. Replacing them is safe: readers keep the old file open.
  await rename(from, to)
  await flush(dirname(to))
}

/** A hard link where the disk supports it, else a copy. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch {
    await copyFile(from, to)
    await flush(to)
  }
}

/** Admits bytes for which the disk has room too. */
function withSpace(admit: AdmitBytes, space: DiskSpace): AdmitBytes {
  let takenBytes = 0
  return async totalBytes => {
    await admit(totalBytes)
    await space.take(totalBytes - takenBytes)
    takenBytes = totalBytes
  }
}

/** Opens a store in a local folder, with temporary files in `incoming` on the same disk. Creates the folder if it is missing. */
export async function openLocalFileStore(folder: string, minFree: MinFreeDisk): Promise<FileStore> {
  const incoming = join(folder, 'incoming')
  const unfinishedFolder = join(folder, 'unfinished')
  for (const path of [incoming, unfinishedFolder]) await mkdir(path, { recursive: true, mode: FOLDER_MODE })
  const space = new DiskSpace(() => diskSizeOf(folder), minFree)
  const incomingPath = () => join(incoming, `${process.pid}-${randomUUID()}`)
  const size: FileStore['size'] = key => sizeOf(pathOf(folder, key))
  const pathOfStored = async (key: FileKey) => {
    if ((await size(key)) === null)
      throw new FileMissingError(`No file ${key.sha256} of client ${key.clientUid}`)
    return pathOf(folder, key)
  }
  return {
    receive: (source, admit) => receiveFile(source, incomingPath(), withSpace(admit, space)),
    unfinishedFolder,
    adopt: async (from, sha256) => {
      const path = incomingPath()
      await linkOrCopy(from, path)
      return { path, sha256, sizeBytes: (await stat(path)).size }
    },
    discard: file => rm(file.path, { force: true }),
    store: async (file, clientUid) => {
      const key = { clientUid, sha256: file.sha256 }
      const note = noteOf(file.path, key)
      await moveNoted(file.path, pathOf(folder, key), note)
      return { key, note }
    },
    markForGc: async key => {
      const note = noteOf(incomingPath(), key)
      await writeFile(note, '', { mode: FILE_MODE })
      return { key, note }
    },
    finalize: file => rm(file.note, { force: true }),
    defer: ({ key, note }) => rename(note, noteOf(join(incoming, `deferred-${randomUUID()}`), key)),
    listDeferred: () => listDeferred(incoming),
    listPending: () => sweep(incoming),
    openRange: async (key: FileKey, range?: ByteRange): Promise<Readable> =>
      createReadStream(await pathOfStored(key), range),
    size,
    withLocalPath: async (key, read) => read(await pathOfStored(key)),
    delete: key => rm(pathOf(folder, key), { force: true }),
    requireSpace: bytes => space.require(bytes),
    takeSpace: bytes => space.take(bytes),
    isFull: wasFull => space.isFull(wasFull),
  }
}
