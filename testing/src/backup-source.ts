import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BackupJob, makeBackup } from '@floorcast/server/platform/backup/make-backup.ts'
import { openIncomingFiles, upTo } from '@floorcast/server/platform/storage/incoming-files.ts'
import { openLocalFileStore } from '@floorcast/server/platform/storage/local-file-store.ts'
import { atTheEnd } from './at-the-end.ts'
import { seedEveryTable } from './seed-every-table.ts'
import { asSuperuser, testDatabase } from './test-database.ts'

const CHUNK_BYTES = 1_048_576

/** The store frees what it is given. */
async function* chunksOf(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES)
    yield Buffer.from(bytes.subarray(at, at + CHUNK_BYTES))
}

/**
 * An installation to back up, `openPlace` opens another one's files: `seed` gives each table a row, but those of updates, and the store one file, that of all media. Its folder and
 * what tests write into `scratch` are removed after the file's tests.
 */
export async function makeBackupSource(song: Buffer) {
  const scratch = mkdtempSync(join(tmpdir(), 'floorcast-backup-'))
  atTheEnd(async () => rmSync(scratch, { recursive: true, force: true }))
  const dataDir = join(scratch, 'data')
  const { database, url, superuserUrl } = await testDatabase()
  const noFloor = { share: 0, atLeastBytes: 0, atMostBytes: 0 }
  const openPlace = async (folder: string) => ({
    files: await openLocalFileStore(folder),
    incoming: await openIncomingFiles(folder, noFloor),
  })
  const { files, incoming } = await openPlace(join(dataDir, 'media'))
  const sha256 = createHash('sha256').update(song).digest('hex')
  /** @returns the client that has everything */
  const seed = async (): Promise<string> => {
    const clientId = await seedEveryTable(database, superuserUrl)
    await files.put(clientId, await incoming.receive(chunksOf(song), upTo(song.length)))
    await asSuperuser(superuserUrl, async superuser => {
      for (const table of ['media_files', 'play_archives'])
        await superuser.query(`update ${table} set sha256 = $1`, [sha256])
      await superuser.query('update media_items set preview_sha256 = null')
      await superuser.query('delete from update_package_files; delete from update_files')
    })
    return clientId
  }
  const backUp = (target: string, changed: Partial<BackupJob> = {}) =>
    makeBackup({
      url,
      dataDir,
      secretKeyFile: join(dataDir, 'secret.key'),
      files,
      target,
      keep: null,
      pace: null,
      version: '1.2.3',
      say: () => undefined,
      signal: new AbortController().signal,
      ...changed,
    })
  return { scratch, dataDir, database, url, superuserUrl, sha256, seed, backUp, openPlace }
}
