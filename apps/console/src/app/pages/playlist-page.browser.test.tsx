import { changePlaylistState, moveTrack } from '@floorcast/contract/playlists.ts'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { queryClient } from '../../platform/query-client.ts'
import { markStale } from '../../platform/query-keys.ts'
import { drawComponent } from '../../testing/draw-component.tsx'
import { FakeServer } from '../../testing/fake-server.ts'
import { findBarriers } from '../../testing/find-barriers.ts'
import { playlistUid, PlaylistOnServer } from '../../testing/playlist-server.ts'
import { fetchWaiting } from '../../ui/overlay/on-demand.tsx'
import { PlaylistPage } from './playlist-page.tsx'

let server: FakeServer
beforeEach(() => {
  server = new FakeServer()
})
beforeAll(fetchWaiting)

/** The page of a paused playlist that has the first `count` songs of the library. */
async function drawPlaylist(count: number): Promise<PlaylistOnServer> {
  const stored = new PlaylistOnServer(server, count)
  await drawComponent(<PlaylistPage />, {
    path: `/media/playlistsOne/${playlistUid}`,
    route: '/media/playlistsOne/:uid',
  })
  await expect.element(library).toBeVisible()
  return stored
}

const library = page.getByRole('grid', { name: 'Library' })
const tracks = page.getByRole('grid', { name: 'Tracks' })
const libraryRow = (nr: number) => library.getByRole('row').nth(nr - 1)
/** The rows of the playlist, after that of the heads. */
const trackRow = (nr: number) => tracks.getByRole('row').nth(nr)
const button = (name: string | RegExp) => page.getByRole('button', { name, exact: false })
const text = (part: string) => page.getByText(part, { exact: false })
const shownSongs = () =>
  [...document.querySelectorAll('[role=grid][aria-label=Tracks] [data-row]')]
    .map(row => /song-(\d)/.exec(row.textContent)?.[1])
    .join(' ')
const focus = (row: typeof library) => row.element().focus()
/** The value of a field of the playlist. */
const valueOf = (field: string) =>
  [...document.querySelectorAll('dt')].find(each => each.textContent === field)?.nextElementSibling
    ?.textContent
const select = async (nr: number) => {
  focus(trackRow(nr))
  await expect.element(trackRow(nr)).toHaveAttribute('aria-selected', 'true')
}

it('the library beside a playlist adds tracks by button, by Enter and by dragging them to their place', async () => {
  const stored = await drawPlaylist(0)
  await expect.element(page.getByText('No tracks yet')).toBeVisible()
  const held = Promise.withResolvers<void>()
  stored.mayAdd = held.promise
  await button('Add song-1 to the playlist').click()
  await expect.poll(() => server.calls.filter(({ call }) => call.includes('/addtrack/')).length).toBe(1)
  // No click is lost while the server has not answered the one before.
  await button('Add song-2 to the playlist').click()
  held.resolve()
  await expect.poll(() => stored.songs).toBe('1 2')
  focus(libraryRow(3))
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => stored.songs).toBe('1 2 3')
  const heads = [...tracks.element().querySelectorAll('[role=columnheader]')]
  expect(heads.map(head => head.textContent)).toEqual(['No.', 'Start', 'Track', 'Plays', 'Length'])
  await expect.poll(shownSongs).toBe('1 2 3')
  const lowerHalf = { x: 300, y: 40 }
  await userEvent.dragAndDrop(libraryRow(5), trackRow(1), { targetPosition: lowerHalf, steps: 10 })
  await expect.poll(() => stored.songs).toBe('1 5 2 3')
})

it('the library beside a playlist adds the ticked tracks in the order of their ticks, and all that a search finds', async () => {
  const stored = await drawPlaylist(0)
  await page.getByRole('checkbox', { name: 'Select song-2' }).click()
  await page.getByRole('checkbox', { name: 'Select song-4' }).click({ modifiers: ['Shift'] })
  focus(libraryRow(1))
  await userEvent.keyboard(' ')
  await expect.element(page.getByText('4 selected')).toBeVisible()
  expect(await findBarriers()).toEqual([])
  await button('Add 4 tracks').click()
  await expect.poll(() => stored.songs).toBe('2 3 4 1')
  await page.getByRole('searchbox', { name: 'Search the library' }).fill('song-5')
  await button('Add all 1 found').click()
  await expect.poll(() => stored.songs).toBe('2 3 4 1 5')
})

it('the library beside a playlist plays one track at a time, by key in the library and by button in the playlist', async () => {
  await drawPlaylist(2)
  const players = () => [...document.querySelectorAll('audio')].map(each => each.getAttribute('aria-label'))
  focus(libraryRow(5))
  await userEvent.keyboard('p')
  await expect.poll(players).toEqual(['Player: song-5'])
  await trackRow(2).getByRole('button', { name: 'Play song-2' }).click()
  await expect.poll(players).toEqual(['Player: song-2'])
})

it('the tracks of a playlist move by keys at once and keep the focus; a second key starts where the first has led', async () => {
  const stored = await drawPlaylist(5)
  await select(1)
  const key = { key: 'ArrowDown', altKey: true, bubbles: true }
  for (let press = 0; press < 2; press += 1)
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', key))
  await expect.poll(shownSongs).toBe('2 3 1 4 5')
  expect(document.activeElement?.textContent).toContain('song-1')
  await expect.poll(() => stored.songs).toBe('2 3 1 4 5')
})

it('the tracks of a playlist move by buttons, which are disabled at the ends, and by dragging', async () => {
  const stored = await drawPlaylist(5)
  await select(1)
  await button('Down 10').click()
  await expect.poll(() => stored.songs).toBe('2 3 4 5 1')
  await expect.element(button('To the end')).toBeDisabled()
  await button('To the start').click()
  await expect.poll(() => stored.songs).toBe('1 2 3 4 5')
  await expect.element(button('To the start')).toBeDisabled()
  await button('To the end').click()
  await expect.poll(() => stored.songs).toBe('2 3 4 5 1')
  const upperHalf = { x: 300, y: 4 }
  await userEvent.dragAndDrop(trackRow(4), trackRow(1), { targetPosition: upperHalf, steps: 10 })
  await expect.poll(() => stored.songs).toBe('5 2 3 4 1')
})

it('the tracks of a playlist are removed by Delete and put back at their place by Undo', async () => {
  const stored = await drawPlaylist(4)
  await select(2)
  await userEvent.keyboard('{Delete}')
  await expect.poll(() => stored.songs).toBe('1 3 4')
  await button('Undo').click()
  await expect.poll(() => stored.songs).toBe('1 2 3 4')
})

it('the tracks of a playlist take repeats, a duration and a start time, refuse a number that is none, and show the length of a loop', async () => {
  const stored = await drawPlaylist(2)
  await expect.element(text('2 tracks, 0:20 per loop')).toBeVisible()
  const form = page.getByRole('dialog')
  const settingsOf = (song: string) => button(`Repeats and start time of ${song}`)
  await settingsOf('song-1').click()
  await form.getByLabelText('Times', { exact: true }).fill('0')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect.element(form.getByText('A whole number from 1 to 1000')).toBeVisible()
  await form.getByLabelText('Times', { exact: true }).fill('3')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect.element(form).not.toBeInTheDocument()
  await settingsOf('song-2').click()
  await form.getByText('For a duration').click()
  await form.getByLabelText('Minutes').fill('1')
  await form.getByRole('textbox', { name: 'Start time' }).fill('09:30')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect.element(form).not.toBeInTheDocument()
  expect(stored.playlist.items).toMatchObject([
    { repeatCount: 3, replaySeconds: null, startTime: null },
    { repeatCount: null, replaySeconds: 60, startTime: '09:30' },
  ])
})

it('the tracks of a playlist go back where they were when the server refuses a move, which says why', async () => {
  const stored = await drawPlaylist(3)
  server.answer(moveTrack, () => {
    stored.playlist = { ...stored.playlist, state: 'active' }
    return { code: 400, reason: 'active-cannot-be-edited' }
  })
  await select(1)
  await userEvent.keyboard('{Alt>}{ArrowDown}{/Alt}')
  await expect
    .element(page.getByRole('main').getByRole('alert').getByText('It is active: choose “Edit” first'))
    .toBeVisible()
  await expect.poll(shownSongs).toBe('1 2 3')
})

it('the page of a playlist closes its library while the playlist is active, and opens it again by Edit', async () => {
  const stored = await drawPlaylist(3)
  await expect.element(text('Being edited: devices cannot play it')).toBeVisible()
  stored.playlist = { ...stored.playlist, state: 'active' }
  await markStale(queryClient, ['playlist'])
  await expect.element(text('Active: it can be published')).toBeVisible()
  await expect.element(library).not.toBeInTheDocument()
  server.answer(changePlaylistState, ({ from }) => {
    expect(from).toBe('active')
    stored.playlist = { ...stored.playlist, state: 'paused' }
    return { code: 9 }
  })
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect.element(text('Being edited: devices cannot play it')).toBeVisible()
  await expect.element(library).toBeVisible()
})

it('the page of a playlist takes dates in their order and a crossfade', async () => {
  const stored = await drawPlaylist(2)
  await button('Settings').click()
  const form = page.getByRole('dialog')
  await form.getByRole('textbox', { name: 'First day' }).fill('24 Dec 2026')
  await form.getByRole('textbox', { name: 'Last day' }).fill('1 Dec 2026')
  await expect.element(form.getByText('The end date is before the start date')).toBeVisible()
  await form.getByRole('textbox', { name: 'Last day' }).fill('26 Dec 2026')
  await form.getByLabelText('Crossfade in seconds').fill('4')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(() => stored.playlist)
    .toMatchObject({
      startDate: '2026-12-24',
      endDate: '2026-12-26',
      crossfadeSeconds: 4,
    })
  await expect.poll(() => valueOf('Dates')).toMatch(/24.*2026.*26.*2026/)
})
