import {
  addPublication,
  changePublicationState,
  readPublication,
  replacePublicationPlaylist,
  returnPublicationPlaylist,
} from '@floorcast/contract/publications.ts'
import { addGroup, changeGroupState } from '@floorcast/contract/groups.ts'
import {
  addPlaylist,
  addTrack,
  changePlaylistState,
  readPlaylistWithTracks,
} from '@floorcast/contract/playlists.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { beforeAll, expect, it } from 'vitest'
import { testConsole } from './console-under-test.ts'
import { uploadFile } from './client-fixture.ts'

const shop = testConsole()
const tracks: string[] = []

beforeAll(async () => {
  const songs = await writeSongs(shop.folder, { count: 3, seconds: 10 })
  for (const song of songs) tracks.push(await uploadFile(shop.client, 'melodies', song.path))
})

/** A new playlist of the first `count` songs, open in the editor. */
async function openEditor(name: string, count: number): Promise<string> {
  const { call } = shop.client
  const { uid = '' } = await call(addPlaylist, { params: { contentType: 'audio' }, body: { name } })
  for (const track of tracks.slice(0, count)) await call(addTrack, { params: { track, playlist: uid } })
  await shop.visit(`/media/playlistsOne/${uid}`)
  await shop.page.getByRole('heading', { level: 1, name }).waitFor()
  return uid
}

/** An active playlist of one song. */
async function makeActive(name: string): Promise<string> {
  const { call } = shop.client
  const { uid = '' } = await call(addPlaylist, { params: { contentType: 'audio' }, body: { name } })
  await call(addTrack, { params: { track: tracks[0] ?? '', playlist: uid } })
  await call(changePlaylistState, { params: { id: uid }, query: { from: 'paused' } })
  return uid
}

/** Puts a paused playlist on the air in a new group; resolves to the publication's uid. */
async function putOnAir(playlistUid: string): Promise<string> {
  const { call } = shop.client
  const params = { contentType: 'audio' } as const
  const { uid: groupUid = '' } = await call(addGroup, { params, body: { name: 'Live shops' } })
  await call(changeGroupState, { params: { id: groupUid }, query: { from: 'paused' } })
  await call(changePlaylistState, { params: { id: playlistUid }, query: { from: 'paused' } })
  const body = { name: 'On all day', groupUid, playlistUid }
  const { uid = '' } = await call(addPublication, { params, body })
  await call(changePublicationState, { params: { id: uid }, query: { from: 'disabled' } })
  return uid
}

/** The songs as the server has them, by number. */
async function stored(uid: string): Promise<string> {
  const { items } = await shop.client.call(readPlaylistWithTracks, { params: { id: uid } })
  return items.map(item => item.name.replace('song-', '')).join(' ')
}
const expectStored = (uid: string, order: string) => expect.poll(() => stored(uid)).toBe(order)

it('the playlist editor works on a copy of what is on the air, which takes its place there unless somebody was quicker', async () => {
  const uid = await openEditor('Live', 2)
  const publication = await putOnAir(uid)
  const playing = async () =>
    (await shop.client.call(readPublication, { params: { id: publication } })).playlist.name
  await shop.page.getByText('On the air. To edit it, work on a copy').waitFor()
  await shop.page.getByRole('main').getByRole('button', { name: 'Edit', exact: true }).click()
  await shop.page.getByRole('heading', { level: 1, name: 'Live - copy' }).waitFor()
  await shop.page.getByRole('button', { name: 'Add song-3 to the playlist' }).click()
  const copy = shop.page.url().split('/').at(-1) ?? ''
  await expectStored(copy, '1 2 3')
  expect(await stored(uid)).toBe('1 2')
  await shop.page.getByRole('button', { name: 'Publish changes' }).click()
  const dialog = shop.page.getByRole('dialog')
  await dialog.getByText('Live shops, 0 devices').waitFor()
  // Another user replaces the playlist while this one clicks the button.
  const other = await makeActive('Quicker')
  const { call } = shop.client
  const swap = { params: { uid: publication }, body: { playlistUid: other } }
  await shop.page.route(/\/replace\?/, async route => {
    await call(replacePublicationPlaylist, swap)
    await route.continue()
  })
  await dialog.getByRole('button', { name: 'Replace in 1 publication' }).click()
  await dialog.getByText('On all day: Someone else changed this').waitFor()
  await dialog.getByText('“Live” is on the air in no publication any more').waitFor()
  expect(await playing()).toBe('Quicker')
  await shop.page.unroute(/\/replace\?/)
  await call(returnPublicationPlaylist, { params: { uid: publication } })
  await dialog.getByRole('button', { name: 'Replace in 1 publication' }).click()
  await dialog.waitFor({ state: 'hidden' })
  expect(await playing()).toBe('Live - copy')
  await shop.page.getByRole('link', { name: 'On all day' }).click()
  await shop.page.getByRole('button', { name: 'Return to Live' }).click()
  await shop.page.getByRole('dialog').getByRole('button', { name: 'Return', exact: true }).click()
  await shop.page.getByRole('button', { name: 'Return to Live - copy' }).waitFor()
  expect(await playing()).toBe('Live')
})

it('the playlist editor shows what another user changed between its first reads and its change feed', async () => {
  let open = () => {}
  const changed = new Promise<void>(resolve => (open = resolve))
  await shop.page.route('**/api/v2/live*', async route => {
    await changed
    await route.continue()
  })
  const uid = await openEditor('Early', 1)
  await shop.page.getByText('Being edited: devices cannot play it').waitFor()
  await shop.client.call(changePlaylistState, { params: { id: uid }, query: { from: 'paused' } })
  open()
  await shop.page.getByText('Active: it can be published').waitFor()
})
