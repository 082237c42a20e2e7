import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { deleteMedia } from '@floorcast/contract/media.ts'
import { imageFixtures } from '@floorcast/testing/media-fixtures.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { uploader } from '@floorcast/testing/media-upload-form.ts'
import { makeBucket, settingsOf, startS3rver } from '@floorcast/testing/s3-stores.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { Client } from 'pg'
import { describe, expect, test } from 'vitest'
import { collectDueFiles } from './features/uploads/uploads.ts'
import { registerLibrary } from './library.ts'
import { FILE_DELETION_LOCK } from './platform/storage/file-store.ts'
import { requireOwnBucket } from './platform/storage/s3-checks.ts'
import { describeSwept, sweepFiles } from './sweep-files.ts'

const s3 = await startS3rver()
const DAY = 86_400_000
const melodies = { contentType: 'melodies' }
const features = [registerLibrary]
const bucket = settingsOf(s3, await makeBucket(s3, 'floor-files'))

describe.each([
  { where: 'in a folder', server: await testServer({ features, hasOwnDatabase: true }) },
  { where: 'in a bucket', server: await testServer({ features, hasOwnDatabase: true, environment: bucket }) },
])('files $where', ({ server }) => {
  const { files, incoming, settings } = server.context
  const { upload } = uploader(server)
  const sweep = (deletes: boolean, days = 2) =>
    sweepFiles(settings, {
      database: server.database,
      deletes,
      say: () => undefined,
      now: new Date(Date.now() + days * DAY),
    })
  const isStored = async (clientUid: string, bytes: Uint8Array) =>
    (await files.size({ clientUid, sha256: createHash('sha256').update(bytes).digest('hex') })) !== null

  /** Stores bytes without a row, as a killed server of a former version did. */
  async function plant(clientUid: string, bytes: Uint8Array): Promise<string> {
    const received = await incoming.receive(
      (async function* () {
        yield Buffer.from(bytes)
      })(),
      () => undefined,
    )
    await files.put(clientUid, received)
    await incoming.discard(received)
    return received.sha256
  }

  test('without a row are told, and deleted only by --delete; those with rows, also in the recycle bin, stay', async () => {
    const { token, scope } = await server.newClient()
    const [one, two] = [makeSong({ notes: [1], seconds: 2 }), makeSong({ notes: [2], seconds: 2 })]
    const preview = imageFixtures[0].path
    await upload(token, 'melodies', { bytes: one, name: 'One.mp3', preview })
    const { uid = '' } = await upload(token, 'melodies', { bytes: two, name: 'Two.mp3' })
    await server.call(deleteMedia, { token, params: melodies, body: { uid } })
    const lost = Buffer.from(`lost ${randomUUID()}`)
    await plant(scope.clientId, lost)
    // A file that is a few hours old is left alone.
    expect(await sweep(true, 0.5)).toMatchObject({ unowned: 0 })
    const told = await sweep(false)
    expect(told).toMatchObject({ unowned: 1, unownedBytes: lost.length, ofStrangers: 0 })
    expect(describeSwept(told)).toContain('sweep-files --delete deletes them')
    expect(await isStored(scope.clientId, lost)).toBe(true)
    expect(await sweep(true)).toMatchObject({ unowned: 1, areDeleted: true })
    const left = await Promise.all([one, two, lost].map(bytes => isStored(scope.clientId, bytes)))
    expect(left).toEqual([true, true, false])
    expect(await sweep(true)).toMatchObject({ unowned: 0 })
  })

  test('that another server works on stay, those of another client with the same bytes do, and a backup lets none go', async () => {
    const [mine, theirs] = [await server.newClient(), await server.newClient()]
    const song = makeSong({ notes: [3], seconds: 2 })
    await upload(theirs.token, 'melodies', { bytes: song, name: 'Theirs.mp3' })
    const worked = Buffer.from(`at work ${randomUUID()}`)
    await plant(mine.scope.clientId, song)
    const sha256 = await plant(mine.scope.clientId, worked)
    await asSuperuser(server.superuserUrl, superuser =>
      superuser.query("insert into file_notes values ($1, $2, $3, now() + interval '5 minutes')", [
        randomUUID(),
        mine.scope.clientId,
        sha256,
      ]),
    )
    const backup = new Client({ connectionString: server.url })
    await backup.connect()
    await backup.query(`select pg_advisory_lock(${FILE_DELETION_LOCK})`)
    expect(await sweep(true)).toMatchObject({ unowned: 1 })
    expect(await isStored(mine.scope.clientId, song)).toBe(true)
    await backup.end()
    await collectDueFiles(server.context, server.database)
    expect(await isStored(mine.scope.clientId, song)).toBe(false)
    expect(await isStored(theirs.scope.clientId, song)).toBe(true)
    expect(await isStored(mine.scope.clientId, worked)).toBe(true)
  })

  test('of clients that the database does not have stay, and are told', async () => {
    const stranger = randomUUID()
    const bytes = Buffer.from(`of a stranger ${stranger}`)
    const sha256 = await plant(stranger, bytes)
    const swept = await sweep(true)
    expect(swept).toMatchObject({ unowned: 0, ofStrangers: 1 })
    expect(describeSwept(swept)).toContain('1 are of clients that this database does not have, and stay')
    expect(await isStored(stranger, bytes)).toBe(true)
    await files.delete({ clientUid: stranger, sha256 })
  })
})

test('files are swept by the command of an operator, and never in the bucket of another installation', async () => {
  const server = await testServer({ features, hasOwnDatabase: true })
  const program = fileURLToPath(new URL('admin.ts', import.meta.url))
  const env = {
    PATH: process.env['PATH'],
    DATABASE_URL: server.url,
    DATA_DIR: server.context.settings.dataDir,
  }
  const say = (args: string[], more: Record<string, string> = {}) =>
    promisify(execFile)(process.execPath, [program, '--env', '/dev/null', 'sweep-files', ...args], {
      env: { ...env, ...more },
    })
  expect((await say([])).stdout).toBe('0 of 0 stored files have no row and are older than a day (0.0 kB).\n')
  await expect(say(['--force'])).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('sweep-files takes --delete, and nothing else') as string,
  })
  const others = await makeBucket(s3, 'of-others')
  const { key, endpoint, region } = s3
  await requireOwnBucket({ endpoint, region, key, bucket: others }, 'another')
  await expect(say(['--delete'], settingsOf(s3, others))).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('has the files of another installation') as string,
  })
})
