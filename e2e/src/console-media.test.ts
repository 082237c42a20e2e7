import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readMedia } from '@floorcast/contract/media.ts'
import { addPlaylist, addTrack } from '@floorcast/contract/playlists.ts'
import { mp4Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { describe, expect, it } from 'vitest'
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

describe('a media list', () => {
  it('takes files, shows each one’s way, and keeps a refusal with its reason', async () => {
    const [first, second] = await songs(2)
    const text = join(shop.folder, 'shopping-list.mp3')
    await writeFile(text, 'milk, bread')
    await shop.visit('/media/ads')
    await choose('Upload ads', first?.path ?? '', text, second?.path ?? '')
    const tray = shop.page.getByRole('region', { name: 'Uploads' })
    await tray.getByText('2 files uploaded').waitFor()
    // A refusal is counted in the head of the tray and stands first, also with the list collapsed.
    await tray.getByText('1 file not uploaded').waitFor()
    expect(await tray.getByRole('listitem').first().innerText()).toContain('shopping-list.mp3')
    await tray.getByRole('button', { name: 'Collapse uploads' }).click()
    await tray.getByText('This is not an MP3 file').waitFor({ state: 'hidden' })
    await tray.getByText('1 file not uploaded').waitFor()
    await tray.getByRole('button', { name: 'Expand uploads' }).click()
    await tray.getByText('This is not an MP3 file').waitFor()
    await shop.page.getByRole('link', { name: 'song-2' }).waitFor()
    expect(await shop.page.getByRole('link', { name: 'shopping-list' }).count()).toBe(0)
    await choose('Upload ads', first?.path ?? '')
    await tray.getByText('A file with this name already exists: song-1.mp3').waitFor()
  })

  it('takes the files that were chosen while the list was still on its way', async () => {
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<void>()
    await shop.page.route(/\/videosAds\/qlist/, async route => {
      await mayAnswer
      await route.continue()
    })
    await shop.visit('/media/videosAds')
    const dialog = shop.page.waitForEvent('filechooser')
    await shop.page.getByRole('button', { name: 'Upload video ads' }).click()
    const chooser = await dialog
    answer()
    await shop.page.getByText('No video ads yet').waitFor()
    await chooser.setFiles([mp4Fixtures.silent.path])
    await shop.page.getByRole('link', { name: 'video-silent' }).waitFor()
  })

  it('shows what holds an item before it is deleted, and deletes what nothing holds', async () => {
    const [one] = await songs(1)
    const track = await uploadFile(shop.client, 'melodies', one?.path ?? '')
    const { call } = shop.client
    const { uid = '' } = await call(addPlaylist, {
      params: { contentType: 'audio' },
      body: { name: 'Late hours' },
    })
    await call(addTrack, { params: { track, playlist: uid } })
    await shop.visit('/media/melodies')
    const ask = async () => {
      await shop.page.getByRole('button', { name: 'Actions for song-1' }).click()
      await shop.page.getByRole('menuitem', { name: 'Move to the recycle bin' }).click()
    }
    const dialog = shop.page.getByRole('dialog')
    await ask()
    await dialog.getByText('is in 1 playlist').waitFor()
    await dialog.getByText('Late hours').waitFor()
    await dialog.getByText('Nothing to do').waitFor()
    expect(await dialog.getByRole('button', { name: 'Move to the recycle bin' }).count()).toBe(0)
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await shop.visit('/media/ads?used=unused')
    await shop.page.getByRole('link', { name: 'song-1' }).waitFor()
    await ask()
    await dialog.getByText('is in no playlist').waitFor()
    await dialog.getByRole('button', { name: 'Move to the recycle bin' }).click()
    await shop.page.getByRole('link', { name: 'song-1' }).waitFor({ state: 'detached' })
  })
})

describe('a media item', () => {
  it('plays in place and is moved in by the keyboard', async () => {
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

  it('takes a new file as its next version', async () => {
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

  it('of a video takes the frame in view as its poster', async () => {
    const uid = await uploadFile(shop.client, 'videos', mp4Fixtures.faststart.path)
    await shop.visit(`/media/videosOne/${uid}`)
    await shop.page.waitForFunction(() => (document.querySelector('video')?.readyState ?? 0) >= 2)
    await shop.page.getByRole('button', { name: 'Use this frame as the poster' }).click()
    await shop.page.waitForFunction(() => document.querySelector('video')?.poster)
    const media = await shop.client.call(readMedia, { params: { contentType: 'videos', uid } })
    expect(media).toMatchObject({ hasPreview: true, fileVersion: 1 })
  })
})
