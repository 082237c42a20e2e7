import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readMedia, type MediaType } from '@floorcast/contract/media.ts'
import { addPlaylist, addTrack, readPlaylistWithTracks } from '@floorcast/contract/playlists.ts'
import { importSmartPlaylist } from '@floorcast/contract/smart-playlists.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { planDraft } from '@floorcast/testing/smart-draft.ts'
import { beforeAll, expect, it } from 'vitest'
import { uploadFile } from './client-fixture.ts'
import { testConsole } from './console-under-test.ts'
import { readSmartDraft } from './smart-draft.ts'

const shop = testConsole()
const tracks: string[] = []

beforeAll(async () => {
  const songs = await writeSongs(shop.folder, { count: 3, seconds: 5 })
  for (const song of songs.slice(0, 2)) tracks.push(await uploadFile(shop.client, 'melodies', song.path))
  tracks.push(await uploadFile(shop.client, 'ads', songs[2]?.path ?? ''))
})

const dialog = () => shop.page.getByRole('dialog', { name: 'Import a playlist' })

/** Saves the open playlist by its menu; resolves with the path of the file. */
async function exportAs(format: string, fileName: string): Promise<string> {
  await shop.page.getByRole('button', { name: 'More actions' }).click()
  const downloaded = shop.page.waitForEvent('download')
  await shop.page.getByRole('menuitem', { name: `Export as ${format}` }).click()
  const file = await downloaded
  expect(file.suggestedFilename()).toBe(fileName)
  const path = join(shop.folder, fileName)
  await file.saveAs(path)
  return path
}

async function importFrom(path: string): Promise<void> {
  if (!(await dialog().isVisible())) {
    await shop.page.getByRole('button', { name: 'Import', exact: true }).click()
    await dialog().waitFor()
  }
  const chosen = shop.page.waitForEvent('filechooser')
  await dialog().getByRole('button', { name: 'Choose a file' }).click()
  await (await chosen).setFiles(path)
}

const openUid = () => shop.page.url().split('/').at(-1) ?? ''

it('a simple playlist is saved as M3U8 and made again of it', async () => {
  const { call } = shop.client
  const body = { name: 'Morning mix' }
  const { uid = '' } = await call(addPlaylist, { params: { contentType: 'audio' }, body })
  for (const track of tracks.slice(0, 2)) await call(addTrack, { params: { track, playlist: uid } })
  await shop.visit(`/media/playlistsOne/${uid}`)
  const path = await exportAs('M3U8', 'Morning mix.m3u8')
  expect(await readFile(path, 'utf8')).toContain('song-1.mp3')
  await shop.page.goto(`${shop.url}/media/playlists`)
  await importFrom(path)
  await shop.page.waitForURL(address => /playlistsOne/.test(address.pathname))
  expect(openUid()).not.toBe(uid)
  const { items } = await call(readPlaylistWithTracks, { params: { id: openUid() } })
  expect(items.map(({ mediaUid }) => mediaUid)).toEqual(tracks.slice(0, 2))
})

it('a list with files that are missing names all of them, and one of another kind says what can be read', async () => {
  const path = join(shop.folder, 'new.m3u')
  const missing = Array.from({ length: 30 }, (_, number) => `missing-${number}.mp3`)
  await writeFile(path, [...missing, 'song-1.mp3'].join('\n'))
  await shop.visit('/media/playlists')
  await importFrom(path)
  await dialog().getByText('30 files are not in your media.').waitFor()
  for (const name of [missing[0], missing[29]])
    await dialog()
      .getByText(name ?? '', { exact: true })
      .waitFor()
  const other = join(shop.folder, 'notes.m3u8')
  await writeFile(other, Buffer.from([1, 0, 2]))
  await importFrom(other)
  await dialog().getByText('Only M3U and M3U8 files are allowed').waitFor()
})

it('a smart playlist is saved as JSON and made again of it; other JSON is refused with words', async () => {
  const { call } = shop.client
  const trackOf = async (contentType: MediaType, uid: string) => {
    const { durationSeconds } = await call(readMedia, { params: { contentType, uid } })
    return { uid, duration: durationSeconds }
  }
  const [one = '', two = '', ad = ''] = tracks
  const body = planDraft(
    {
      melList: [await trackOf('melodies', one), await trackOf('melodies', two)],
      adsList: [await trackOf('ads', ad)],
    },
    { smartPlName: 'Planned day', melTime: 30, adsTime: 5, startDay: '08:00', endDay: '09:00' },
  )
  const { uid = '' } = await call(importSmartPlaylist, { body })
  await shop.visit(`/media/playlistsOne/${uid}`)
  const path = await exportAs('JSON', 'Planned day.json')
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replace('"Planned day"', '"Planned again"'))
  await shop.page.goto(`${shop.url}/media/playlists`)
  const broken = join(shop.folder, 'broken.json')
  await writeFile(broken, '{"smartPlName": ')
  await importFrom(broken)
  await dialog().getByText('This file is not valid JSON.').waitFor()
  await writeFile(broken, '{"name": "other"}')
  await importFrom(broken)
  await dialog().getByText('This JSON file is not an exported smart playlist.').waitFor()
  await importFrom(path)
  await shop.page.waitForURL(address => /playlistsOne/.test(address.pathname))
  const { finishList } = await readSmartDraft(shop, 'Planned again')
  expect(finishList).toEqual(body.finishList)
})
