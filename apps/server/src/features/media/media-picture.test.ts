import { readFileSync } from 'node:fs'
import { buildPath } from '@floorcast/contract/client.ts'
import { readAudit } from '@floorcast/contract/audit.ts'
import { readMedia, readMediaPreview, type MediaType } from '@floorcast/contract/media.ts'
import { coverFixtures, imageFixtures, mp3Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { concatBytes } from '@floorcast/testing/media-mpeg.ts'
import { id3FrameTag, type Id3Frame } from '@floorcast/testing/media-tags.ts'
import { TusCaller } from '@floorcast/testing/media-tus.ts'
import { uploader, type UploadParts } from '@floorcast/testing/media-upload-form.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { expect, test } from 'vitest'
import { registerLibrary } from '../../library.ts'
import { registerAudit } from '../audit/audit-routes.ts'

const server = await testServer({ features: [registerLibrary, registerAudit] })
const { upload, storedFiles } = uploader(server)
const sound = readFileSync(mp3Fixtures.mono.path)
const [png, jpeg] = imageFixtures.map(({ path }) => readFileSync(path)) as [Buffer, Buffer]
const FRONT = 3
const OTHER = 0

/** A frame of ID3v2.3 and 2.4 with a picture: its encoding, type, kind, description and bytes. */
const picture = (bytes: Uint8Array, { kind = FRONT, type = 'image/jpeg' } = {}): Id3Frame => ({
  id: 'APIC',
  content: concatBytes(Buffer.from([0]), Buffer.from(`${type}\0`), Buffer.from([kind, 0]), bytes),
})
const tagged = (...frames: Id3Frame[]) => concatBytes(id3FrameTag(frames), sound)

/** The PNG with other bytes from some place on. */
function pngWith(at: number, bytes: readonly number[]): Buffer {
  const changed = Buffer.from(png)
  changed.set(bytes, at)
  return changed
}

async function newItem(parts: UploadParts, contentType: MediaType = 'melodies') {
  const { token } = await server.newClient()
  const { uid = '' } = await upload(token, contentType, parts)
  const params = { contentType, uid }
  const card = () => server.call(readMedia, { token, params })
  const replace = (bytes: Uint8Array, more: UploadParts = {}) =>
    upload(token, contentType, { bytes, fields: { uid }, ...more })
  return { token, uid, card, replace, preview: () => previewOf(token, uid) }
}

/** The picture of an item as the server sends it; null if there is none. */
async function previewOf(token: string, uid: string) {
  const { statusCode, headers, rawPayload } = await server.http.app.inject({
    url: buildPath(readMediaPreview.path, { uid }),
    headers: { authorization: `Bearer ${token}` },
  })
  return statusCode === 200 ? { type: headers['content-type'], bytes: rawPayload } : null
}

test.each(coverFixtures)(
  'the picture in the tags of a file of ffmpeg is the picture of the item: $name',
  async ({ path, name, contentType, picture: source, mimeType }) => {
    const { token, uid, card, preview } = await newItem({ path, name }, contentType)
    expect(await card()).toMatchObject({ hasPreview: true })
    expect(await preview()).toEqual({ type: mimeType, bytes: readFileSync(source) })
    const { items } = await server.call(readAudit, { token, params: { id: uid } })
    expect(items[0]?.changes).toMatchObject({ preview: [null, expect.stringMatching(/^[0-9a-f]{64}$/)] })
  },
)

test('the picture in the tags of a file comes with a file that was sent in pieces', async () => {
  const { token } = await server.newClient()
  const tus = new TusCaller(server, token)
  const { uid = '' } = await tus.upload(tagged(picture(jpeg)), { filename: 'Song.mp3' })
  expect(await previewOf(token, uid)).toEqual({ type: 'image/jpeg', bytes: jpeg })
})

test('the picture in the tags of a file gives way to the one that the user sends with the file', async () => {
  const bytes = tagged(picture(jpeg))
  const { preview } = await newItem({ bytes, preview: imageFixtures[0].path })
  expect(await preview()).toEqual({ type: 'image/png', bytes: png })
})

test('the picture in the tags of a file of a replaced file is taken if the item has none, and leaves nothing behind if it has one', async () => {
  const { replace, preview } = await newItem({ bytes: sound })
  expect(await preview()).toBeNull()
  await replace(tagged(picture(jpeg)), { name: 'Second.mp3' })
  expect((await preview())?.bytes).toEqual(jpeg)
  const before = storedFiles().length
  await replace(tagged(picture(png)), { name: 'Third.mp3' })
  expect((await preview())?.bytes).toEqual(jpeg)
  expect(storedFiles()).toHaveLength(before)
})

test('the picture in the tags of a file is the front cover, else the first that is a picture', async () => {
  const other = picture(png, { kind: OTHER })
  expect((await (await newItem({ bytes: tagged(other, picture(jpeg)) })).preview())?.bytes).toEqual(jpeg)
  const broken = picture(jpeg.subarray(0, 100))
  const { preview } = await newItem({ bytes: tagged(broken, other) })
  expect((await preview())?.bytes).toEqual(png)
})

const html = Buffer.from('<script>alert(1)</script>')
test.each([
  ['a page that is called a picture', picture(html)],
  ['an address in the place of a picture', picture(Buffer.from('http://127.0.0.1/a.png'), { type: '-->' })],
  ['a picture that is cut off', picture(jpeg.subarray(0, -20))],
  ['one of 60,000 by 60,000 pixels', picture(pngWith(16, [0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60]))],
  ['one without pixels', picture(pngWith(16, [0, 0, 0, 0]))],
  ['one of over 5 MB', picture(concatBytes(png.subarray(0, 40), Buffer.alloc(5_300_000), png.subarray(40)))],
  ['nothing at all', picture(Buffer.alloc(0))],
])('a file is stored without a picture if its tags have %s', async (_, frame) => {
  const { card, preview } = await newItem({ bytes: tagged(frame) })
  expect(await card()).toMatchObject({ hasPreview: false, durationSeconds: 3 })
  expect(await preview()).toBeNull()
})
