import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { FILE_MODE, FOLDER_MODE } from '../storage/private-folder.ts'
import { BackupError, drain, eachFile, Meter, pathOfFile } from './backup-format.ts'
import { makeProgress, showBytes } from './progress.ts'
import type { FoundBackup } from './restore-backup.ts'

/* What a restore puts beside the database: the stored files, and the key that was kept apart. */

/** Copies the backup's files into DATA_DIR/media; those that are there with the same bytes stay. @returns how many are not in the backup */
export async function restoreFiles(
  { target, folder, manifest }: FoundBackup,
  mediaFolder: string,
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
    const [client, sha256] = file
    const path = join(mediaFolder, client, sha256.slice(0, 2), sha256)
    bytes += await copyChecked(pathOfFile(target, file), path, sha256)
    count += 1
    progress(() => `files: ${count} of ${manifest.files.count}, ${showBytes(bytes)}`)
  })
  return missing
}

/** Null if there is no file. */
async function hashOf(path: string): Promise<{ bytes: number; sha256: string } | null> {
  const meter = new Meter()
  try {
    await pipeline(createReadStream(path), meter.through, drain)
  } catch {
    return null
  }
  return { bytes: meter.bytes, sha256: meter.sha256() }
}

async function copyChecked(from: string, to: string, sha256: string): Promise<number> {
  const there = await hashOf(to)
  if (there?.sha256 === sha256) return there.bytes
  const draft = `${to}.draft`
  const meter = new Meter()
  await mkdir(dirname(to), { recursive: true, mode: FOLDER_MODE })
  try {
    await pipeline(
      createReadStream(from),
      meter.through,
      createWriteStream(draft, { mode: FILE_MODE, flush: true }),
    )
    if (meter.sha256() !== sha256) throw new BackupError(`${from} is damaged: take another backup`)
    await rename(draft, to)
  } catch (error) {
    await rm(draft, { force: true })
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'ENOENT')
      throw new BackupError(`${from} is missing: is all of the target there?`, { cause: error })
    if (code === 'ENOSPC' || code === 'EDQUOT')
      throw new BackupError(
        `The disk of ${dirname(to)} is full. The files that were restored stay, and the next call continues: make room, or take another DATA_DIR`,
        { cause: error },
      )
    throw error
  }
  return meter.bytes
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
    const there = await hashOf(path)
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
  dataDir: string,
  given: { file: string } | 'none' | null,
): Promise<void> {
  if (manifest.secretKeySha256 === null || given === 'none') return
  const place = join(dataDir, 'secret.key')
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
