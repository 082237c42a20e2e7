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
import { beforeAll, describe, expect, it } from 'vitest'
import { testConsole } from './console-under-test.ts'
import { uploadFile } from './client-fixture.ts'
import { findAxeViolations } from './page-checks.ts'

const shop = testConsole()
const tracks: string[] = []

beforeAll(async () => {
  const songs = await writeSongs(shop.folder, { count: 5, seconds: 10 })
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

const trackGrid = () => shop.page.getByRole('grid', { name: 'Tracks' })
/** Without the heads of the columns. */
const rows = () =>
  trackGrid()
    .getByRole('row')
    .filter({ hasNot: shop.page.getByRole('columnheader') })
const library = () => shop.page.getByRole('grid', { name: 'Library' }).getByRole('row')

/** The songs as the server has them, by number. */
async function stored(uid: string): Promise<string> {
  const { items } = await shop.client.call(readPlaylistWithTracks, { params: { id: uid } })
  return items.map(item => item.name.replace('song-', '')).join(' ')
}
const expectStored = (uid: string, order: string) => expect.poll(() => stored(uid)).toBe(order)

describe('the playlist editor', () => {
  it('adds tracks by button, Enter and dragging', async () => {
    const uid = await openEditor('Adding', 0)
    await shop.page.getByText('No tracks yet').waitFor()
    await shop.page.getByRole('button', { name: 'Add song-1 to the playlist' }).click()
    await library().nth(1).focus()
    await shop.page.keyboard.press('Enter')
    await shop.page.keyboard.press('ArrowDown')
    await shop.page.keyboard.press('Enter')
    await expectStored(uid, '1 2 3')
    const heads = trackGrid().getByRole('columnheader')
    expect(await heads.allTextContents()).toEqual(['No.', 'Start', 'Track', 'Plays', 'Length'])
    await expect.poll(() => rows().count()).toBe(3)
    await library()
      .nth(4)
      .dragTo(rows().nth(0), { targetPosition: { x: 300, y: 40 } })
    await expectStored(uid, '1 5 2 3')
  })

  it('adds several and all that are found, and plays from each row', async () => {
    const uid = await openEditor('Many', 0)
    await shop.page.getByRole('checkbox', { name: 'Select song-2' }).check()
    await shop.page.getByRole('checkbox', { name: 'Select song-4' }).click({ modifiers: ['Shift'] })
    await library().nth(0).focus()
    await shop.page.keyboard.press('Space')
    await shop.page.getByText('4 selected').waitFor()
    expect(await findAxeViolations(shop.page)).toEqual([])
    await shop.page.getByRole('button', { name: 'Add 4 tracks' }).click()
    await expectStored(uid, '2 3 4 1')
    await expect.poll(() => rows().count()).toBe(4)
    await shop.page.getByRole('searchbox', { name: 'Search the library' }).fill('song-5')
    await shop.page.getByRole('button', { name: 'Add all 1 found' }).click()
    await expectStored(uid, '2 3 4 1 5')
    const player = (name: string) => shop.page.getByLabel(`Player: ${name}`, { exact: true })
    await library().nth(0).focus()
    await shop.page.keyboard.press('p')
    await player('song-5').waitFor({ state: 'attached' })
    await rows().nth(0).getByRole('button', { name: 'Play song-2' }).click()
    await player('song-2').waitFor({ state: 'attached' })
    expect(await player('song-5').count()).toBe(0)
  })

  it('moves by keys, buttons and dragging, shows it at once and keeps the focus', async () => {
    const uid = await openEditor('Moving', 5)
    await rows().nth(0).focus()
    // Two keys before the next render: the second starts from the position of the first.
    await shop.page.evaluate(() => {
      const key = { key: 'ArrowDown', altKey: true, bubbles: true }
      for (let press = 0; press < 2; press += 1)
        document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', key))
    })
    await expect.poll(() => rows().nth(2).textContent()).toContain('song-1')
    expect(await shop.page.evaluate(() => document.activeElement?.textContent)).toContain('song-1')
    await expectStored(uid, '2 3 1 4 5')
    await shop.page.getByRole('button', { name: 'To the end' }).click()
    await expectStored(uid, '2 3 4 5 1')
    await shop.page.getByRole('button', { name: 'To the start' }).click()
    await shop.page.getByRole('button', { name: 'Down 10' }).click()
    await expectStored(uid, '2 3 4 5 1')
    await rows()
      .nth(3)
      .dragTo(rows().nth(0), { targetPosition: { x: 300, y: 4 } })
    await expectStored(uid, '5 2 3 4 1')
    await rows().nth(1).focus()
    await shop.page.keyboard.press('Delete')
    await expectStored(uid, '5 3 4 1')
    await shop.page.getByRole('button', { name: 'Undo' }).click()
    await expectStored(uid, '5 2 3 4 1')
  })

  it('keeps repeats, replay durations and start times, and counts them into the round', async () => {
    const uid = await openEditor('Counting', 2)
    await shop.page.getByText('2 tracks, 0:20 per loop').waitFor()
    const settings = shop.page.getByRole('button', { name: /Repeats and start time/ })
    const form = shop.page.getByRole('dialog')
    await settings.first().click()
    await form.getByLabel('Times', { exact: true }).fill('0')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('A whole number from 1 to 1000').waitFor()
    await form.getByLabel('Times', { exact: true }).fill('3')
    await form.getByRole('button', { name: 'Save' }).click()
    await shop.page.getByText('2 tracks, 0:40 per loop').waitFor()
    await settings.nth(1).click()
    await form.getByText('For a duration').click()
    await form.getByLabel('Minutes').fill('1')
    await form.getByRole('textbox', { name: 'Start time' }).fill('09:30')
    await form.getByRole('button', { name: 'Save' }).click()
    await shop.page.getByText('2 tracks, 0:30 per loop').waitFor()
    const { items } = await shop.client.call(readPlaylistWithTracks, { params: { id: uid } })
    expect(items).toMatchObject([
      { repeatCount: 3, replaySeconds: null, startTime: null },
      { repeatCount: null, replaySeconds: 60, startTime: '09:30' },
    ])
  })

  it('takes dates and a crossfade by the server’s rules', async () => {
    await openEditor('Dated', 2)
    await shop.page.getByRole('main').getByRole('button', { name: 'Settings' }).click()
    const form = shop.page.getByRole('dialog')
    await form.getByRole('textbox', { name: 'First day' }).fill('24/12/2026')
    await form.getByRole('textbox', { name: 'Last day' }).fill('1/12/2026')
    await form.getByText('The end date is before the start date').waitFor()
    await form.getByRole('textbox', { name: 'Last day' }).fill('26 Dec 2026')
    await form.getByLabel('Crossfade in seconds').fill('4')
    await form.getByRole('button', { name: 'Save' }).click()
    await shop.page.getByText('24 Dec 2026 – 26 Dec 2026').waitFor()
    await shop.page.getByText('2 tracks, 0:12 per loop').waitFor()
  })

  it('works on a copy of what is on the air, which takes its place there unless somebody was quicker', async () => {
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

  it('shows what another user changed between its first reads and its change feed', async () => {
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

  it('is closed while the playlist is active, and takes a refused move back', async () => {
    const uid = await openEditor('Closing', 3)
    const { call } = shop.client
    await rows().nth(0).focus()
    // Another user activates it; the change feed closes this editor.
    await call(changePlaylistState, { params: { id: uid }, query: { from: 'paused' } })
    await shop.page.getByText('Active: it can be published').waitFor()
    expect(await shop.page.getByRole('grid', { name: 'Library' }).count()).toBe(0)
    await shop.page.getByRole('button', { name: 'Edit', exact: true }).click()
    await shop.page.getByText('Being edited: devices cannot play it').waitFor()
    // The other user's change arrives during the move.
    await shop.page.route('**/action/movetrack/**', async route => {
      await call(changePlaylistState, { params: { id: uid }, query: { from: 'paused' } })
      await route.continue()
    })
    await rows().nth(0).focus()
    await shop.page.keyboard.press('Alt+ArrowDown')
    await shop.page.getByRole('main').getByRole('alert').getByText('choose “Edit” first').waitFor()
    await expect.poll(async () => await rows().nth(0).textContent()).toContain('song-1')
    expect(await stored(uid)).toBe('1 2 3')
  })
})
