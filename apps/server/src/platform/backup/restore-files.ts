import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { link, readFile, rm, writeFile } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isDiskFull } from '../lib/errors.ts'
import type { FileStore } from '../storage/file-store.ts'
import type { IncomingFiles } from '../storage/incoming-files.ts'
import { FILE_MODE } from '../storage/private-folder.ts'
import { BackupError, type BackupFile, drain, eachFile, Meter, pathOfFile } from './backup-format.ts'
import { makeProgress, showBytes } from './progress.ts'
import type { FoundBackup } from './restore-backup.ts'

/* What a restore puts beside the database: the stored files, and the key that was kept apart. */

/** Where a restore puts files. */
export interface RestorePlace {
  files: FileStore
  incoming: IncomingFiles
}

/** Copies the backup's files into the store; those that are there with the same bytes stay. @returns how many are not in the backup */
export async function restoreFiles(
  { target, folder, manifest }: FoundBackup,
  place: RestorePlace,
  say: (line: string) => void,
): Promise<number> {
  const progress = makeProgress(say)
  const known = new Set(manifest.files.missing)
  let [count, bytes, missing] = [0, 0, 0]
  await eachFile(folder, manifest.files.list, async file => {
    if (known.has(file.join('/'))) {
      missing += 1
      return
    }
    const [clientUid, sha256] = file
    const there = await hashOf(() => place.files.openRange({ clientUid, sha256 }))
    bytes += there?.sha256 === sha256 ? there.bytes : await copyChecked(pathOfFile(target, file), file, place)
    count += 1
    progress(() => `files: ${count} of ${manifest.files.count}, ${showBytes(bytes)}`)
  })
  return missing
}

/** Null if there is no file. */
async function hashOf(open: () => Promise<Readable>): Promise<{ bytes: number; sha256: string } | null> {
  const meter = new Meter()
  try {
    await pipeline(await open(), meter.through, drain)
  } catch {
    return null
  }
  return { bytes: meter.bytes, sha256: meter.sha256() }
}

async function copyChecked(
  from: string,
  [clientUid, sha256]: BackupFile,
  { files, incoming }: RestorePlace,
): Promise<number> {
  try {
    const received = await incoming.receive(createReadStream(from), () => undefined)
    try {
      if (received.sha256 !== sha256) throw new BackupError(`${from} is damaged: take another backup`)
      await files.put(clientUid, received)
    } finally {
      await incoming.discard(received)
    }
    return received.sizeBytes
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'ENOENT')
      throw new BackupError(`${from} is missing: is all of the target there?`, { cause: error })
    if (isDiskFull(error))
      throw new BackupError(
        'The disk of DATA_DIR/media is full. The files that were restored stay, and the next call continues: make room, or take another DATA_DIR',
        { cause: error },
      )
    throw error
  }
}

/** Hashes every file of a backup where it is. @throws BackupError */
export async function checkFiles(
  { target, folder, manifest }: FoundBackup,
  say: (line: string) => void,
): Promise<void> {
  const known = new Set(manifest.files.missing)
  const progress = makeProgress(say)
  let count = 0
  await eachFile(folder, manifest.files.list, async file => {
    if (known.has(file.join('/'))) return
    const path = pathOfFile(target, file)
    const there = await hashOf(async () => createReadStream(path))
    if (there === null) throw new BackupError(`${path} cannot be read`)
    if (there.sha256 !== file[1]) throw new BackupError(`${path} is damaged: take another backup`)
    count += 1
    progress(() => `files checked: ${count} of ${manifest.files.count}`)
  })
}

/**
 * Puts the installation's key in its place: the file that was given, or the one that is there. @throws BackupError if it is not the key of
 * the backup
 */
export async function restoreKey(
  { manifest }: FoundBackup,
  place: string,
  given: { file: string } | 'none' | null,
): Promise<void> {
  if (manifest.secretKeySha256 === null || given === 'none') return
  const path = given?.file ?? place
  const key = await readFile(path).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    throw new BackupError(
      code === 'ENOENT'
        ? `${path} is not there. It is kept apart from the backup: name your copy with --key FILE. With --without-key second factors and the keys that sign proofs are lost`
        : `${path} cannot be read (${code}): give a copy to the user who restores, and name it with --key FILE`,
      { cause: error },
    )
  })
  if (createHash('sha256').update(key).digest('hex') !== manifest.secretKeySha256)
    throw new BackupError(
      `${path} is not the key of the installation that was backed up. Name the right one with --key FILE`,
    )
  if (path === place) return
  const draft = `${place}.draft`
  await writeFile(draft, key, { mode: FILE_MODE, flush: true })
  try {
    await link(draft, place)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    const present = await readFile(place)
    if (!present.equals(key))
      throw new BackupError(`${place} is another key than ${path}. Move it away, or take another DATA_DIR`, {
        cause: error,
      })
  } finally {
    await rm(draft, { force: true })
  }
}
