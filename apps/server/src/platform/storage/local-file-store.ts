import { randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isMissing } from '../lib/errors.ts'
import {
  FileMissingError,
  type FileKey,
  type FileStore,
  isClient,
  keyOfPlace,
  placeOf,
  type StoredFile,
} from './file-store.ts'
import { linkOrCopy, type ReceivedFile } from './incoming-files.ts'
import { FOLDER_MODE } from './private-folder.ts'

async function flushFolder(path: string): Promise<void> {
  const handle = await open(path)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** The entries of a folder in their order; none if it is gone. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await readdir(folder)).toSorted()
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

async function storeFile(file: ReceivedFile, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE })
  const draft = `${path}.${randomUUID()}`
  try {
    await linkOrCopy(file.path, draft)
    // The same bytes may be stored already. Replacing them is safe: readers keep the old file open.
    await rename(draft, path)
  } finally {
    // Also after a rename between two names of one file, which does nothing.
    await rm(draft, { force: true })
  }
  await flushFolder(dirname(path))
}

async function* listFiles(folder: string): AsyncGenerator<StoredFile> {
  for (const client of await namesIn(folder))
    for (const prefix of isClient(client) ? await namesIn(join(folder, client)) : [])
      for (const name of await namesIn(join(folder, client, prefix))) {
        const key = keyOfPlace([client, prefix, name])
        const facts = key && (await stat(join(folder, client, prefix, name)).catch(() => null))
        if (facts) yield { key, sizeBytes: facts.size, storedAt: facts.mtime }
      }
}

/** Opens a store in a local folder, and creates the folder if it is missing. */
export async function openLocalFileStore(folder: string): Promise<FileStore> {
  await mkdir(folder, { recursive: true, mode: FOLDER_MODE })
  const pathOf = (key: FileKey) => join(folder, ...placeOf(key))
  const size: FileStore['size'] = async key => {
    try {
      return (await stat(pathOf(key))).size
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  }
  const pathOfStored = async (key: FileKey) => {
    if ((await size(key)) === null) throw new FileMissingError(key)
    return pathOf(key)
  }
  return {
    put: (clientUid, file) => storeFile(file, pathOf({ clientUid, sha256: file.sha256 })),
    openRange: async (key, range) => createReadStream(await pathOfStored(key), range),
    size,
    withLocalPath: async (key, read) => read(await pathOfStored(key)),
    delete: async key => rm(pathOf(key), { force: true }),
    list: () => listFiles(folder),
    pieces: null,
    signed: null,
  }
}
