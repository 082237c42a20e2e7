import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { atTheEnd } from '@floorcast/testing/at-the-end.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { uploader } from '@floorcast/testing/media-upload-form.ts'
import { makeBucket, settingsOf, startS3rver } from '@floorcast/testing/s3-stores.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { expect, test } from 'vitest'
import { registerLibrary } from './library.ts'
import { makeBackup } from './platform/backup/make-backup.ts'
import { findBackup } from './platform/backup/restore-backup.ts'
import { checkFiles, restoreFiles } from './platform/backup/restore-files.ts'
import { readSettings } from './platform/settings/settings.ts'
import { openFileStore } from './platform/storage/open-file-store.ts'

const s3 = await startS3rver()
const environment = settingsOf(s3, await makeBucket(s3, 'backed-up'))
const server = await testServer({ features: [registerLibrary], environment, hasOwnDatabase: true })
const say = () => undefined

test('a backup has the files of a bucket, and is restored into another one', async () => {
  const { token, scope } = await server.newClient()
  const song = makeSong({ notes: [1, 5], seconds: 2 })
  await uploader(server).upload(token, 'melodies', { bytes: song, name: 'Kept.mp3' })
  const target = mkdtempSync(join(tmpdir(), 'floorcast-target-'))
  atTheEnd(async () => rmSync(target, { recursive: true, force: true }))
  const { files, incoming, settings } = server.context
  const { manifest } = await makeBackup({
    url: server.url,
    dataDir: settings.dataDir,
    secretKeyFile: settings.secretKeyFile,
    files,
    target,
    keep: null,
    pace: null,
    version: '1.2.3',
    say,
    signal: new AbortController().signal,
  })
  expect(manifest.files).toMatchObject({ count: 1, bytes: song.length, missing: [] })
  const backup = await findBackup(target)
  await checkFiles(backup, say)
  const there = readSettings({
    ...settingsOf(s3, await makeBucket(s3, 'restored')),
    DATA_DIR: settings.dataDir,
  })
  const restored = await openFileStore(there, incoming)
  expect(await restoreFiles(backup, { files: restored, incoming }, say)).toBe(0)
  const sha256 = createHash('sha256').update(song).digest('hex')
  const bytes = await buffer(await restored.openRange({ clientUid: scope.clientId, sha256 }))
  expect(bytes.equals(Buffer.from(song))).toBe(true)
})
