import { deleteMedia } from '@floorcast/contract/media.ts'
import { collectComplaints } from '@floorcast/testing/browser.ts'
import { imageFixtures, mp4Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { beforeAll, expect, it } from 'vitest'
import { addPictures, uploadFile } from './client-fixture.ts'
import { ConsolePage } from './console-page.ts'
import { testConsole } from './console-under-test.ts'
import { findAxeViolations, measureOverflow } from './page-checks.ts'

const shop = testConsole({ hasOwnServer: true })
const COUNT = 40

beforeAll(async () => {
  const songs = await writeSongs(shop.folder, { count: COUNT, seconds: 6 })
  for (const { path } of songs) await uploadFile(shop.client, 'melodies', path)
  await uploadFile(shop.client, 'videos', mp4Fixtures.faststart.path)
  await addPictures(shop.client, imageFixtures[0].path)
  // All but one have the picture.
  await asSuperuser(shop.superuserUrl, superuser =>
    superuser.query(`update media_items m set preview_sha256 = p.preview_sha256,
      preview_mime_type = p.preview_mime_type, preview_size_bytes = p.preview_size_bytes
      from (select * from media_items where preview_sha256 is not null limit 1) p
      where m.content_type = 'melodies' and m.name <> 'song-1'`),
  )
})

const row = (name: string) =>
  shop.page.getByRole('row').filter({ has: shop.page.getByRole('link', { name, exact: true }) })
const picture = (name: string) => row(name).locator('img')
const player = (name: string) => shop.page.getByLabel(`Player: ${name}`, { exact: true })
const isPlaying = (name: string) =>
  player(name).evaluate(sound => {
    const media = sound as HTMLMediaElement
    return !media.paused && media.currentTime > 0
  })

/** The whole list on a page, by name. */
async function openList(): Promise<void> {
  await shop.visit('/media/melodies?size=50&sort=name&dir=asc')
  await row('song-1').waitFor()
}

it('the rows of a media list have pictures, fetched when they come near, and the shape of the kind where there is none', async () => {
  const complaints = collectComplaints(shop.page)
  const fetched = new Set<string>()
  shop.page.on('request', request => {
    if (request.url().includes('/preview')) fetched.add(request.url())
  })
  await openList()
  await picture('song-2').waitFor()
  expect(await picture('song-2').evaluate(image => (image as HTMLImageElement).naturalWidth)).toBe(80)
  expect(await picture('song-1').count()).toBe(0)
  await row('song-1').locator('svg').first().waitFor()
  const seen = fetched.size
  expect(seen).toBeGreaterThan(5)
  expect(seen).toBeLessThan(COUNT - 10)
  const before = await row('song-40').boundingBox()
  await row('song-40').scrollIntoViewIfNeeded()
  await picture('song-40').waitFor()
  expect((await row('song-40').boundingBox())?.height).toBe(before?.height)
  expect(fetched.size).toBeGreaterThan(seen)
  expect(await findAxeViolations(shop.page)).toEqual([])
  expect(complaints).toEqual([])
})

it('the rows of a media list play in place, one at a time, by pointer and by keys, until the list is left', async () => {
  await openList()
  await shop.page.getByRole('button', { name: 'Play song-2', exact: true }).click()
  await expect.poll(() => isPlaying('song-2')).toBe(true)
  await row('song-1').focus()
  await shop.page.keyboard.press('ArrowDown')
  await shop.page.keyboard.press('ArrowDown')
  await shop.page.keyboard.press('p')
  await expect.poll(() => isPlaying('song-3')).toBe(true)
  expect(await player('song-2').count()).toBe(0)
  expect(new URL(shop.page.url()).pathname).toBe('/media/melodies')
  await shop.page.getByRole('button', { name: 'Stop song-3', exact: true }).click()
  expect(await player('song-3').count()).toBe(0)
  await shop.page.getByRole('button', { name: 'Play song-3', exact: true }).click()
  await player('song-3').waitFor({ state: 'attached' })
  const menu = shop.page.getByRole('navigation', { name: 'Menu' })
  await menu.getByRole('link', { name: 'Ads', exact: true }).click()
  await shop.heading('Ads')
  expect(await shop.page.locator('audio').count()).toBe(0)
})

it('the rows of a media list stop with an item that another user deletes', async () => {
  await openList()
  await shop.page.getByRole('button', { name: 'Play song-4', exact: true }).click()
  await expect.poll(() => isPlaying('song-4')).toBe(true)
  const uid = (await row('song-4').getByRole('link').getAttribute('href'))?.split('/').at(-1) ?? ''
  const params = { contentType: 'melodies' } as const
  await shop.client.call(deleteMedia, { params, body: { uid } })
  await row('song-4').waitFor({ state: 'detached' })
  expect(await shop.page.locator('audio').count()).toBe(0)
})

it('the rows of a media list show a video in a small window', async () => {
  await shop.visit('/media/videos')
  await shop.page.getByRole('button', { name: 'Play video-faststart' }).click()
  await expect.poll(() => isPlaying('video-faststart')).toBe(true)
  await shop.page.keyboard.press('Escape')
  await player('video-faststart').waitFor({ state: 'detached' })
})

it('the rows of a media list fit phones, dark and light', async () => {
  await openList()
  await picture('song-2').waitFor()
  const shots = new ConsolePage(shop.page, 'media-rows')
  await shots.screenshot('light')
  await shop.page.emulateMedia({ colorScheme: 'dark' })
  await shots.screenshot('dark')
  await shop.page.emulateMedia({ colorScheme: null })
  await shop.page.setViewportSize({ width: 400, height: 800 })
  await shots.screenshot('narrow')
  expect(await measureOverflow(shop.page)).toBe(0)
})
