import { readFileSync } from 'node:fs'
import { deleteMedia, readMedia } from '@floorcast/contract/media.ts'
import { imageFixtures } from '@floorcast/testing/media-fixtures.ts'
import { concatBytes } from '@floorcast/testing/media-mpeg.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { id3FrameTag } from '@floorcast/testing/media-tags.ts'
import { uploader } from '@floorcast/testing/media-upload-form.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { Client } from 'pg'
import { beforeAll, expect, test } from 'vitest'
import { registerLibrary } from '../../library.ts'

const server = await testServer({ hasOwnDatabase: true, features: [registerLibrary] })
const { upload, storedFiles } = uploader(server)
const song = (seconds: number, note = 1) => makeSong({ notes: [note, 2], seconds })

/** A second of these songs has 8,000 bytes. */
const PLAN_BYTES = 150_000

beforeAll(async () => {
  const superuser = new Client({ connectionString: server.superuserUrl })
  await superuser.connect()
  await superuser.query(`update plans set media_gigabytes = $1 where key = 'trial'`, [PLAN_BYTES / 1e9])
  await superuser.end()
})

test("the storage of a client's plan is refused with 903 when it is full, the bin counted; nothing stays", async () => {
  const { token } = await server.newClient()
  const { uid } = await upload(token, 'melodies', { bytes: song(12), name: 'First.mp3' })
  await server.call(deleteMedia, { token, params: { contentType: 'melodies' }, body: { uid } })
  const before = storedFiles()
  const second = await upload(token, 'melodies', { bytes: song(8), name: 'Second.mp3' })
  expect(second).toEqual({ code: 903, names: ['Second.mp3'] })
  expect(storedFiles()).toEqual(before)
  expect((await upload(token, 'melodies', { bytes: song(4), name: 'Third.mp3' })).code).toBe(200)
})

test("the storage of a client's plan that has room for a file, but not for the picture in its tags, takes the file alone", async () => {
  const { token } = await server.newClient()
  const png = readFileSync(imageFixtures[0].path)
  const large = concatBytes(png.subarray(0, 40), Buffer.alloc(40_000), png.subarray(40))
  const content = concatBytes(Buffer.from('\0image/png\0\x03\0', 'latin1'), large)
  const bytes = concatBytes(id3FrameTag([{ id: 'APIC', content }]), song(4))
  const { code, uid = '' } = await upload(token, 'melodies', { bytes, name: 'Cover.mp3' })
  const card = () => server.call(readMedia, { token, params: { contentType: 'melodies', uid } })
  expect([code, (await card()).hasPreview]).toEqual([200, true])
  const other = await server.newClient()
  const full = concatBytes(id3FrameTag([{ id: 'APIC', content }]), song(10))
  const stored = await upload(other.token, 'melodies', { bytes: full, name: 'Cover.mp3' })
  const params = { contentType: 'melodies', uid: stored.uid ?? '' } as const
  expect(stored.code).toBe(200)
  expect(await server.call(readMedia, { token: other.token, params })).toMatchObject({ hasPreview: false })
})

test("the storage of a client's plan is reserved while an upload runs, so that all together never pass it, and given back after", async () => {
  const { token, scope } = await server.newClient()
  // A user sends four at once.
  const colleague = await signedInUser(scope)
  const answers = await Promise.all(
    [1, 2, 3, 4, 5].map(note =>
      upload(note === 5 ? colleague.token : token, 'melodies', {
        bytes: song(8, note),
        name: `${note} notes.mp3`,
      }),
    ),
  )
  expect(answers.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([200, 200, 903, 903, 903])
  expect((await upload(token, 'melodies', { bytes: song(1), name: 'Small.mp3' })).code).toBe(200)
})

test("the storage of a client's plan holds another client back in nothing", async () => {
  const [full, other] = [await server.newClient(), await server.newClient()]
  await upload(full.token, 'ads', { bytes: song(17), name: 'All of it.mp3' })
  expect((await upload(full.token, 'ads', { bytes: song(3), name: 'More.mp3' })).code).toBe(903)
  expect((await upload(other.token, 'ads', { bytes: song(3), name: 'More.mp3' })).code).toBe(200)
})
