import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { atTheEnd } from '@floorcast/testing/at-the-end.ts'
import { imageFixtures } from '@floorcast/testing/media-fixtures.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { uploader } from '@floorcast/testing/media-upload-form.ts'
import { makeBucket, settingsOf, startS3rver } from '@floorcast/testing/s3-stores.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { expect, test } from 'vitest'
import { registerLibrary } from './library.ts'
import { describeMoved, moveFiles } from './move-files.ts'
import { readSettings, type Settings } from './platform/settings/settings.ts'
import { FileStoreAwayError } from './platform/storage/file-store.ts'
import { openFileStore } from './platform/storage/open-file-store.ts'

const s3 = await startS3rver()
const server = await testServer({ features: [registerLibrary], hasOwnDatabase: true })
const { dataDir } = server.context.settings
const settings = readSettings({ ...settingsOf(s3, await makeBucket(s3, 'floor-files')), DATA_DIR: dataDir })
const say = () => undefined
const move = (destination: 'to-bucket' | 'to-folder', where: Settings = settings) =>
  moveFiles(where, { database: server.database, destination, say })

test('files are moved to a bucket and back: what is there is not copied again, and what is lost is named', async () => {
  const { token, scope } = await server.newClient()
  const songs = [1, 2, 3].map(note => makeSong({ notes: [note], seconds: 2 }))
  for (const [nr, bytes] of songs.entries())
    await uploader(server).upload(token, 'melodies', {
      bytes,
      name: `${nr}.mp3`,
      ...(nr === 0 && { preview: imageFixtures[0].path }),
    })
  await s3.stop()
  await expect(move('to-bucket')).rejects.toThrow(FileStoreAwayError)
  await s3.start()
  expect(await move('to-bucket')).toMatchObject({ copied: 4, present: 0, missing: [] })
  const bucket = await openFileStore(settings, server.context.incoming)
  const keys = songs.map(bytes => ({
    clientUid: scope.clientId,
    sha256: createHash('sha256').update(bytes).digest('hex'),
  }))
  const [first, second] = keys
  if (!first || !second) throw new Error('There are three')
  // As if it had been ended before this one.
  await bucket.delete(first)
  expect(await move('to-bucket')).toMatchObject({ copied: 1, present: 3, missing: [] })

  const folder = mkdtempSync(join(tmpdir(), 'floorcast-moved-'))
  atTheEnd(async () => rmSync(folder, { recursive: true, force: true }))
  await bucket.delete(second)
  const back = await move('to-folder', { ...settings, dataDir: folder })
  expect(back).toMatchObject({ copied: 3, present: 0, missing: [`${second.clientUid}/${second.sha256}`] })
  expect(describeMoved(back, 'to-folder')).toContain(`such as ${second.clientUid}/${second.sha256}`)
  const local = await openFileStore({ dataDir: folder, s3: null }, server.context.incoming)
  expect((await buffer(await local.openRange(first))).equals(Buffer.from(songs[0] ?? []))).toBe(true)
})

test('files are moved only where a bucket is set', async () => {
  await expect(move('to-bucket', { ...settings, s3: null })).rejects.toThrow(
    'S3_BUCKET and its key are not set',
  )
})

test('files are moved by the command of an operator, with the settings of the service', async () => {
  const { token } = await server.newClient()
  const bytes = makeSong({ notes: [4], seconds: 2 })
  await uploader(server).upload(token, 'melodies', { bytes, name: 'By command.mp3' })
  const program = fileURLToPath(new URL('admin.ts', import.meta.url))
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: server.url,
    DATA_DIR: dataDir,
    ...settingsOf(s3, await makeBucket(s3, 'by-command')),
  }
  const say = (...args: string[]) =>
    promisify(execFile)(process.execPath, [program, '--env', '/dev/null', 'move-files', ...args], { env })
  const { stdout } = await say('to-bucket')
  expect(stdout).toMatch(/^5 files copied \(.*\), 0 were there$/m)
  await expect(say('elsewhere')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('move-files takes to-bucket or to-folder') as string,
  })
})
