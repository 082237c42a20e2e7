import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hostileFixtures, imageFixtures } from '@floorcast/testing/media-fixtures.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { probeImage } from './probe-image.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'floorcast-images-'))
})
afterAll(() => rm(folder, { recursive: true }))

test.each(imageFixtures)(
  'a preview image is probed by its bytes $name is $contentType',
  async ({ path, contentType }) => {
    expect(await probeImage(path)).toEqual({ accepted: true, contentType })
  },
)

test.each(imageFixtures)(
  'a preview image is probed by its bytes $name cut off is refused',
  async ({ name, path }) => {
    const bytes = await readFile(path)
    const cut = join(folder, name)
    await writeFile(cut, bytes.subarray(0, bytes.length - 20))
    expect(await probeImage(cut)).toEqual({ accepted: false, reason: 'not-an-image' })
  },
)

test('a preview image is probed by its bytes over 5 MB is refused', async () => {
  const png = imageFixtures.find(image => image.contentType === 'image/png')
  const bytes = await readFile(png?.path ?? '')
  const large = join(folder, 'large.png')
  await writeFile(
    large,
    Buffer.concat([bytes.subarray(0, 40), Buffer.alloc(5 * 1024 * 1024), bytes.subarray(40)]),
  )
  expect(await probeImage(large)).toEqual({ accepted: false, reason: 'not-an-image' })
})

test.each(hostileFixtures)('a preview image is probed by its bytes $name is no image', async ({ path }) => {
  expect(await probeImage(path)).toMatchObject({ accepted: false })
})
