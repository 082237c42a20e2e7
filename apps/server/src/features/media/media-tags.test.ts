import { readAudit } from '@floorcast/contract/audit.ts'
import { editMedia, readMedia, type MediaType } from '@floorcast/contract/media.ts'
import { mp3Fixtures, mp4Fixtures, taggedFixtures } from '@floorcast/testing/media-fixtures.ts'
import { concatBytes } from '@floorcast/testing/media-mpeg.ts'
import { id3FrameTag, id3Text, withMp4Tags, type Id3Frame } from '@floorcast/testing/media-tags.ts'
import { uploader, type UploadParts } from '@floorcast/testing/media-upload-form.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { readFileSync } from 'node:fs'
import { expect, test, vi } from 'vitest'
import { registerLibrary } from '../../library.ts'
import { registerAudit } from '../audit/audit-routes.ts'
import { makeTagQueue } from './media.ts'

const server = await testServer({ features: [registerLibrary, registerAudit] })
const { upload } = uploader(server)
const sound = readFileSync(mp3Fixtures.mono.path)
const none = { artist: '', title: '', isrc: '', composer: '', publisher: '', invalidIsrc: '' }

/** Uploads a file for a new client and reads its card. */
async function uploaded(parts: UploadParts, contentType: MediaType = 'melodies') {
  const { token, scope } = await server.newClient()
  const { uid = '' } = await upload(token, contentType, parts)
  const params = { contentType, uid }
  const card = () => server.call(readMedia, { token, params })
  const edit = (fields: object) => server.call(editMedia, { token, params, body: { uid, ...fields } })
  const replace = (bytes: Uint8Array) => upload(token, contentType, { bytes, fields: { uid } })
  return { ...(await card()), token, scope, card, edit, replace }
}

const tagged = (frames: readonly Id3Frame[], options: Parameters<typeof id3FrameTag>[1] = {}) =>
  concatBytes(id3FrameTag(frames, options), sound)
const text = (id: string, value: string, encoding: Parameters<typeof id3Text>[1] = 'utf8'): Id3Frame => ({
  id,
  content: id3Text(value, encoding),
})

test.each(taggedFixtures)(
  'an upload reads the credits in the tags of its file $name of ffmpeg',
  async ({ path }) => {
    const { token, uid, ...card } = await uploaded({ path })
    expect(card).toMatchObject({
      ...none,
      artist: 'AC/DC',
      title: 'Ça ira – أغنية',
      isrc: 'USRC17607839',
      composer: 'Ångström; B. Zhōu',
      publisher: 'North & Söhne',
    })
    const { items } = await server.call(readAudit, { token, params: { id: uid }, query: { size: 1 } })
    expect(items[0]?.changes).toMatchObject({ artist: [null, 'AC/DC'], isrc: [null, 'USRC17607839'] })
  },
)

test('an upload reads the credits in the tags of its file MP4 with iTunes tags, the ISRC as a free one', async () => {
  const bytes = withMp4Tags(readFileSync(mp4Fixtures.moovLast.path), {
    '©ART': 'Zoë',
    '©nam': 'Film',
    '©wrt': 'Someone',
    '----:ISRC': 'DE-A12-03-00004',
    '----:LABEL': 'Label',
  })
  expect(await uploaded({ bytes, name: 'film.mp4' }, 'videos')).toMatchObject({
    artist: 'Zoë',
    title: 'Film',
    composer: 'Someone',
    isrc: 'DEA120300004',
    publisher: 'Label',
  })
})

test.each([3, 4] as const)(
  'an upload reads the credits in the tags of its file a tag of ID3v2.%i with much padding, the last text with zeros',
  async major => {
    const frames = [text('TIT2', 'Before'), text('TPE1', 'Zeros\0\0\0\0')]
    const bytes = tagged(frames, { major, padding: 16_000_000 })
    expect(await uploaded({ bytes })).toMatchObject({ title: 'Before', artist: 'Zeros' })
  },
)

test('an upload reads the credits in the tags of its file several artists, an unsynchronized tag, two tags', async () => {
  const several = tagged([text('TPE1', 'One\0Two'), text('TSRC', 'USRC17607839')], { major: 4 })
  expect(await uploaded({ bytes: several })).toMatchObject({ artist: 'One; Two', isrc: 'USRC17607839' })
  const unsynchronized = tagged([text('TPE1', 'Zoë', 'utf16le'), text('TIT2', 'Next')], {
    isUnsynchronized: true,
  })
  expect(await uploaded({ bytes: unsynchronized })).toMatchObject({ artist: 'Zoë', title: 'Next' })
  const two = concatBytes(id3FrameTag([text('TIT2', 'First')]), tagged([text('TPE1', 'Second')]))
  expect(await uploaded({ bytes: two })).toMatchObject({ title: 'First', artist: '' })
})

test('an upload reads the credits in the tags of its file an invalid ISRC is kept out with a note, which goes when the item has one', async () => {
  const bytes = tagged([text('TSRC', 'US-RC1-76'), text('TPE1', 'Zoë')])
  const item = await uploaded({ bytes })
  expect(item).toMatchObject({ isrc: '', invalidIsrc: 'US-RC1-76', artist: 'Zoë' })
  await item.edit({ isrc: 'USRC17607839' })
  expect(await item.card()).toMatchObject({ isrc: 'USRC17607839', invalidIsrc: '' })
})

test('an upload reads the credits in the tags of its file a replaced file fills what is empty; what a user wrote stays', async () => {
  const item = await uploaded({ bytes: tagged([text('TPE1', 'Old'), text('TSRC', 'nonsense')]) })
  await item.edit({ artist: 'Mine' })
  await item.replace(tagged([text('TPE1', 'New'), text('TIT2', 'Song'), text('TSRC', 'USRC17607839')]))
  expect(await item.card()).toMatchObject({
    artist: 'Mine',
    title: 'Song',
    isrc: 'USRC17607839',
    invalidIsrc: '',
  })
  await item.replace(sound)
  expect(await item.card()).toMatchObject({ artist: 'Mine', title: 'Song', isrc: 'USRC17607839' })
})

const long = 'x'.repeat(100_000)
const nested = (depth: number): Uint8Array => {
  let content: Uint8Array = id3Text('deep')
  for (let n = 0; n < depth; n += 1) {
    const inner = Buffer.from(id3FrameTag([{ id: n === 0 ? 'TIT2' : 'CHAP', content }])).subarray(10)
    content = Buffer.concat([Buffer.from('a\0'), Buffer.alloc(16), inner])
  }
  return content
}
test.each([
  {
    title: 'control characters and a text without end',
    bytes: tagged([text('TPE1', 'a\u0001\u202Eb\r\nc'), text('TIT2', long)]),
    credits: { artist: 'a b c', title: 'x'.repeat(200) },
  },
  {
    title: 'a wrong encoding, half a character, a lone surrogate',
    bytes: tagged([
      { id: 'TPE1', content: Buffer.from([9, 65, 66]) },
      { id: 'TIT2', content: Buffer.from([1, 0xff, 0xfe, 65, 0, 66]) },
      { id: 'TCOM', content: Buffer.from([1, 0xff, 0xfe, 0, 0xd8, 67, 0]) },
      { id: 'TPUB', content: Buffer.from([3, 0xc3]) },
      text('TSRC', 'USRC17607839'),
    ]),
    credits: { isrc: 'USRC17607839' },
  },
  {
    title: 'frames in frames',
    bytes: tagged([{ id: 'CHAP', content: nested(2000) }, text('TPE1', 'After')]),
    credits: {},
  },
  {
    title: 'a frame that claims more than there is',
    bytes: tagged([{ id: 'TPE1', content: id3Text('Short'), size: 200_000_000 }]),
    credits: { isrc: '' },
  },
  {
    title: '100,000 frames',
    bytes: tagged(Array.from({ length: 100_000 }, () => text('TPE1', 'a', 'latin1'))),
    credits: { isrc: '' },
  },
  {
    title: 'a tag of 20 MB',
    bytes: tagged([{ id: 'APIC', content: Buffer.alloc(20_000_000) }, text('TPE1', 'Late')]),
    credits: none,
  },
])(
  'hostile tags refuse no good sound, and bring no text that could harm $title',
  async ({ bytes, credits }) => {
    const card = await uploaded({ bytes })
    expect(card).toMatchObject(credits)
    for (const value of [card.artist, card.title, card.composer, card.publisher, card.invalidIsrc])
      expect([...value].length).toBeLessThanOrEqual(200)
  },
)

test('hostile tags refuse no good sound, and bring no text that could harm an MP4 with 50,000 tags', async () => {
  const many = Array.from({ length: 50_000 }, (_, n): [string, string] => [`----:X${n}`, 'y'])
  const tags: Record<string, string> = { ...Object.fromEntries<string>(many), '©ART': 'Zoë' }
  const bytes = withMp4Tags(readFileSync(mp4Fixtures.moovLast.path), tags)
  expect((await uploaded({ bytes, name: 'film.mp4' }, 'videos')).durationSeconds).toBeCloseTo(4, 1)
})

test('the tags of files that an earlier release has stored are read once, after the start', async () => {
  const { token, scope, uid, card, edit } = await uploaded({ path: taggedFixtures[0]?.path ?? '' })
  await edit({ artist: '', isrc: '', title: 'Mine' })
  // One file is in one work at a time, and its loudness is measured after the upload.
  const file = scope.reads.selectFrom('mediaFiles').select(['loudnessState', 'workUntil'])
  await vi.waitFor(
    async () =>
      expect(await file.where('mediaUid', '=', uid).executeTakeFirst()).toEqual({
        loudnessState: 'measured',
        workUntil: null,
      }),
    10_000,
  )
  await scope.write(writes =>
    writes.updateTable('mediaFiles').set({ areTagsRead: false }).where('mediaUid', '=', uid).execute(),
  )
  const queue = makeTagQueue(server.context)
  queue.start()
  await vi.waitFor(async () => expect(await card()).toMatchObject({ artist: 'AC/DC' }))
  expect(await card()).toMatchObject({ isrc: 'USRC17607839', title: 'Mine' })
  const { items } = await server.call(readAudit, { token, params: { id: uid }, query: { size: 1 } })
  expect(items).toMatchObject([{ class: 'read-tags', changes: { artist: ['', 'AC/DC'] } }])
  await edit({ artist: '' })
  queue.start()
  await queue.stop()
  expect((await card()).artist).toBe('')
})
