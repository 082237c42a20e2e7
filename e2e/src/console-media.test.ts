import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readMedia } from '@floorcast/contract/media.ts'
import { mp4Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { expect, it } from 'vitest'
import { testConsole } from './console-under-test.ts'
import { uploadFile } from './client-fixture.ts'

const shop = testConsole()

const songs = (count: number) => writeSongs(shop.folder, { count, seconds: 4 })

/** Chooses files by a button that opens the browser's file dialog. */
async function choose(button: string | RegExp, ...paths: string[]): Promise<void> {
  const dialog = shop.page.waitForEvent('filechooser')
  await shop.page.getByRole('button', { name: button }).click()
  await (await dialog).setFiles(paths)
}

it('a media list takes files, and keeps a refusal with its reason', async () => {
  const [first, second] = await songs(2)
  const text = join(shop.folder, 'shopping-list.mp3')
  await writeFile(text, 'milk, bread')
  await shop.visit('/media/ads')
  await choose('Upload ads', first?.path ?? '', text, second?.path ?? '')
  const tray = shop.page.getByRole('region', { name: 'Uploads' })
  await tray.getByText('2 files uploaded').waitFor()
  await tray.getByText('1 file not uploaded').waitFor()
  await tray.getByText('This is not an MP3 file').waitFor()
  await shop.page.getByRole('link', { name: 'song-2' }).waitFor()
  expect(await shop.page.getByRole('link', { name: 'shopping-list' }).count()).toBe(0)
  await choose('Upload ads', first?.path ?? '')
  await tray.getByText('A file with this name already exists: song-1.mp3').waitFor()
})

it('a media item plays in place and is moved in by the keyboard', async () => {
  const [, , long] = await songs(3)
  const uid = await uploadFile(shop.client, 'melodies', long?.path ?? '')
  await shop.visit(`/media/melodiesOne/${uid}`)
  await shop.page.getByRole('button', { name: 'Play' }).click()
  await shop.page.getByRole('button', { name: 'Pause' }).waitFor()
  const place = shop.page.getByRole('slider', { name: 'Place in the track' })
  await shop.page.waitForFunction(() => {
    const slider = document.querySelector('[role=slider]')
    return Number(slider?.getAttribute('aria-valuenow')) >= 1
  })
  await shop.page.getByRole('button', { name: 'Pause' }).click()
  await place.press('Home')
  await shop.page.getByText('0:00').first().waitFor()
  await place.press('End')
  await shop.page.waitForFunction(
    () => document.querySelector('[role=slider]')?.getAttribute('aria-valuenow') === '5',
  )
})

it('a media item takes a new file as its next version', async () => {
  const [, , , fourth, fifth] = await songs(5)
  const uid = await uploadFile(shop.client, 'melodies', fourth?.path ?? '')
  await shop.visit(`/media/melodiesOne/${uid}`)
  await choose('Replace the file', fifth?.path ?? '')
  await shop.page.getByRole('dialog').getByRole('button', { name: 'Replace the file' }).click()
  await shop.page.getByText('1 file uploaded').waitFor()
  await shop.page.getByText('song-5.mp3').first().waitFor()
  const media = await shop.client.call(readMedia, { params: { contentType: 'melodies', uid } })
  expect(media).toMatchObject({ fileVersion: 2, name: 'song-4', originalName: 'song-5.mp3' })
})

it('a media item of a video takes the frame in view as its poster', async () => {
  const uid = await uploadFile(shop.client, 'videos', mp4Fixtures.faststart.path)
  await shop.visit(`/media/videosOne/${uid}`)
  await shop.page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2)
  await shop.page.getByRole('button', { name: 'Use this frame as the poster' }).click()
  await shop.page.waitForFunction(() => document.querySelector('video')?.poster)
  const media = await shop.client.call(readMedia, { params: { contentType: 'videos', uid } })
  expect(media).toMatchObject({ hasPreview: true, fileVersion: 1 })
})
