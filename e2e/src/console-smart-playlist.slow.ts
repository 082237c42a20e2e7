import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readDelivery } from '@floorcast/contract/delivery-report.ts'
import { addPublication, changePublicationState, readPublication } from '@floorcast/contract/publications.ts'
import { listDevices } from '@floorcast/contract/devices.ts'
import { addGroup, addToGroup, changeGroupState } from '@floorcast/contract/groups.ts'
import { readMedia, type MediaType } from '@floorcast/contract/media.ts'
import { changePlaylistState, listPlaylists } from '@floorcast/contract/playlists.ts'
import { importSmartPlaylist } from '@floorcast/contract/smart-playlists.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { planDraft } from '@floorcast/testing/smart-draft.ts'
import { beforeAll, expect, it } from 'vitest'
import { testConsole } from './console-under-test.ts'
import { findAxeViolations, measureOverflow } from './page-checks.ts'
import { uploadFile } from './client-fixture.ts'
import { runProgram, waitUntil, type Program } from './processes.ts'
import { readSmartDraft } from './smart-draft.ts'

const shop = testConsole()
const melodies: string[] = []
let ad = ''

const trackOf = async (contentType: MediaType, uid: string) => {
  const { durationSeconds } = await shop.client.call(readMedia, { params: { contentType, uid } })
  return { uid, duration: durationSeconds }
}

const roundTheClock = { startDay: '00:00', endDay: '23:59' }
/** 1,300 plays where a whole day has 16,000, which take seconds to plan, to store and to draw. */
const twoHours = { startDay: '08:00', endDay: '10:00' }

/** Plans a day of all melodies and the ad, paused; the ad comes after each block of background. */
async function makeDay(smartPlName: string, settings: { melTime?: number } = {}, hours = twoHours) {
  const melList = await Promise.all(melodies.map(uid => trackOf('melodies', uid)))
  const body = planDraft(
    { melList, adsList: [await trackOf('ads', ad)] },
    { smartPlName, melTime: 30, adsTime: 5, ...settings, ...hours },
  )
  const { uid = '' } = await shop.client.call(importSmartPlaylist, { body })
  return uid
}

beforeAll(async () => {
  const songs = await writeSongs(shop.folder, { count: 4, seconds: 5 })
  for (const song of songs.slice(0, 3)) melodies.push(await uploadFile(shop.client, 'melodies', song.path))
  ad = await uploadFile(shop.client, 'ads', songs[3]?.path ?? '')
})

/** Publishes a playlist in a new group; resolves with the publication's uid. */
async function putOnAir(playlistUid: string, names: { group: string; publication: string }): Promise<string> {
  const { call } = shop.client
  const params = { contentType: 'audio' } as const
  const { uid: groupUid = '' } = await call(addGroup, { params, body: { name: names.group } })
  await call(changeGroupState, { params: { id: groupUid }, query: { from: 'paused' } })
  await call(changePlaylistState, { params: { id: playlistUid }, query: { from: 'paused' } })
  const body = { name: names.publication, groupUid, playlistUid }
  const { uid = '' } = await call(addPublication, { params, body })
  const turned = await call(changePublicationState, { params: { id: uid }, query: { from: 'disabled' } })
  expect(turned.code).toBe(0)
  return uid
}

const button = (name: string | RegExp) => shop.page.getByRole('button', { name, exact: true })
const ribbon = () => shop.page.getByRole('slider', { name: /Blocks of the day/ })

it('a smart playlist’s page shows its day and is planned again in the wizard', async () => {
  const uid = await makeDay('Day and night', {}, roundTheClock)
  await shop.visit(`/media/playlistsOne/${uid}`)
  await ribbon().waitFor()
  expect(Number(await ribbon().getAttribute('aria-valuemax'))).toBeGreaterThan(1000)
  expect(await shop.page.getByRole('grid', { name: 'Library' }).count()).toBe(0)
  await shop.page.getByRole('row', { name: /^song-4 1 / }).waitFor()
  expect(await findAxeViolations(shop.page)).toEqual([])
  await shop.page.getByRole('link', { name: 'Plan again' }).click()
  await shop.page.getByRole('group', { name: 'Playlist check' }).waitFor()
  const before = await readSmartDraft(shop, 'Day and night')
  await shop.page.getByRole('textbox', { name: 'Name' }).fill('Night and day')
  await button('Reshuffle').click()
  await button('Finish').click()
  await shop.heading('Playlists')
  const after = await readSmartDraft(shop, 'Night and day')
  expect(after).toMatchObject({ uid, seed: before.seed + 1, melTime: 30 })
  expect(after.finishList).not.toEqual(before.finishList)
})

it('a smart playlist’s page is copied with a day of its own', async () => {
  const uid = await makeDay('Twins')
  await shop.visit(`/media/playlistsOne/${uid}`)
  await button('More actions').click()
  await shop.page.getByRole('menuitem', { name: 'Duplicate' }).click()
  const dialog = shop.page.getByRole('dialog', { name: 'Duplicate Twins' })
  await dialog.getByText('planned again from the same tracks').waitFor()
  await dialog.getByRole('button', { name: 'Duplicate' }).click()
  await shop.page.getByRole('heading', { level: 1, name: 'Twins - copy' }).waitFor()
  await ribbon().waitFor()
})

it('a smart playlist’s page leads to its publication', async () => {
  const uid = await makeDay('On its way')
  await shop.client.call(changePlaylistState, { params: { id: uid }, query: { from: 'paused' } })
  await shop.visit(`/media/playlistsOne/${uid}`)
  await shop.page.getByRole('link', { name: 'Publish' }).click()
  const form = shop.page.getByRole('dialog')
  await expect
    .poll(() => form.getByRole('combobox', { name: 'Playlist' }).inputValue())
    .toContain('On its way')
  await form.getByRole('button', { name: 'Cancel' }).click()
  await form.waitFor({ state: 'hidden' })
})

it('a smart playlist’s page on the air is edited in the wizard, takes its own place when it is asked to, and is brought back', async () => {
  const uid = await makeDay('On the air')
  const publication = await putOnAir(uid, { group: 'Loud shops', publication: 'All day' })
  const playing = async () => {
    const card = await shop.client.call(readPublication, { params: { id: publication } })
    return [card.playlist.name, card.formerPlaylist?.name]
  }
  await shop.visit(`/media/playlistsOne/${uid}`)
  await shop.page.getByText('On the air. To edit it, work on a copy').waitFor()
  expect(await button('Edit').count()).toBe(0)
  await shop.page.getByRole('link', { name: 'Edit', exact: true }).click()
  await shop.page.getByText('You edit a copy of “On the air”').waitFor()
  await shop.page.getByRole('group', { name: 'Playlist check' }).waitFor()
  const name = shop.page.getByRole('textbox', { name: 'Name' })
  expect(await name.inputValue()).toBe('On the air - copy')
  await name.fill('Louder')
  await button('Finish').click()
  await shop.heading('Playlists')
  const dialog = shop.page.getByRole('dialog', { name: 'Publish “Louder”?' })
  await dialog.getByRole('checkbox', { name: 'All day' }).waitFor()
  await dialog.getByText('Loud shops, 0 devices').waitFor()
  expect(await findAxeViolations(shop.page)).toEqual([])
  expect(await playing()).toEqual(['On the air', undefined])
  const [edited, first] = [await readSmartDraft(shop, 'Louder'), await readSmartDraft(shop, 'On the air')]
  expect(edited).toMatchObject({ finishList: first.finishList, melTime: 30, seed: first.seed })
  await dialog.getByRole('button', { name: 'Replace in 1 publication' }).click()
  await shop.page.getByRole('status').getByRole('button', { name: 'Undo' }).click()
  // The previous playlist proves that the edited one was on the air.
  await expect.poll(playing).toEqual(['On the air', 'Louder'])
  await dialog.waitFor({ state: 'hidden' })
})

it('a smart playlist’s page says when a track has changed since it was planned', async () => {
  const uid = await makeDay('Out of date')
  const longer = (await writeSongs(shop.folder, { count: 6, seconds: 7 })).at(-1)
  const form = new FormData()
  form.set('uid', melodies[2] ?? '')
  form.set('file', new Blob([await readFile(longer?.path ?? '')]), 'longer.mp3')
  const answer = await fetch(`${shop.url}/melodies/upload`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.client.token}` },
    body: form,
  })
  expect(await answer.json()).toMatchObject({ data: { code: 200 } })
  await shop.visit(`/media/playlistsOne/${uid}`)
  await shop.page.getByText('1 track has changed since this was planned').waitFor()
  await shop.page.getByText(/“song-3.*” took 6\ssecs?, its new file takes 8\ssecs?/).waitFor()
  await shop.visit('/media/playlists')
  await shop.page
    .getByRole('row', { name: /Out of date/ })
    .getByText('Outdated')
    .waitFor()
  const { items } = await shop.client.call(listPlaylists, {
    params: { x: 'all' },
    query: { search: '"Out of date"' },
  })
  expect(items).toMatchObject([{ planState: 'plan-again' }])
})

/** Starts a simulated player in the group over the real protocol; resolves when it is online. */
async function startPlayer(group: string): Promise<Program> {
  const keys = join(shop.folder, 'fleet-keys.json')
  const to = ['--devices', '1', '--server', shop.url, '--group', group, '--keys', keys, '--heartbeat', '1']
  const fleet = runProgram('apps/fleet/src/main.ts', to, {
    env: { FLEET_EMAIL: shop.owner.email, FLEET_PASSWORD: shop.owner.password },
  })
  await waitUntil('the player is online', async () => {
    const { items } = await shop.client.call(listDevices, { query: { search: '"Fleet device"' } })
    return items.some(({ connectivity }) => connectivity === 'online')
  })
  return fleet
}

/** The figures of the ad's page. */
async function readDeliveryOf(publication: string | undefined) {
  const { publications } = await shop.client.call(readDelivery, { params: { uid: ad } })
  return publications.find(({ publication: { uid } }) => uid === publication)
}

it('an ad’s page shows what was booked, scheduled and aired by each publication, and why they differ', async () => {
  const { call } = shop.client
  const playlistUid = await makeDay('Promised', { melTime: 8 }, roundTheClock)
  const { uid: group = '' } = await call(addGroup, {
    params: { contentType: 'audio' },
    body: { name: 'Half silent shops' },
  })
  // One player that was never started, and one that plays.
  await call(addToGroup, { params: { device: shop.deviceUid, group } })
  await call(changeGroupState, { params: { id: group }, query: { from: 'paused' } })
  await call(changePlaylistState, { params: { id: playlistUid }, query: { from: 'paused' } })
  const fleet = await startPlayer(group)
  const made = await call(addPublication, {
    params: { contentType: 'audio' },
    body: { name: 'Promised on air', groupUid: group, playlistUid },
  })
  const turned = await call(changePublicationState, {
    params: { id: made.uid ?? '' },
    query: { from: 'disabled' },
  })
  expect(turned.code).toBe(0)
  // Due every quarter of a minute. The second player's complete plays have arrived.
  await expect
    .poll(async () => (await readDeliveryOf(made.uid))?.made ?? 0, { timeout: 120_000, interval: 500 })
    .toBeGreaterThan(0)
  expect(await fleet.stop()).toBe(0)
  const figures = await readDeliveryOf(made.uid)
  await shop.visit(`/media/adsOne/${ad}?tab=delivery`)
  const row = shop.page.getByRole('row', { name: /Promised on air/ })
  await row.getByText('Half silent shops, 2 devices').waitFor()
  const said = async (column: number) => parseInt(await row.getByRole('cell').nth(column).innerText(), 10)
  const [booked, scheduled, aired] = [await said(1), await said(2), await said(3)]
  expect(scheduled).toBe(booked)
  expect(aired).toBeGreaterThanOrEqual(figures?.made ?? 1)
  expect(booked).toBeGreaterThan(aired)
  await row.getByText(/^the device has never been online: \d+$/).waitFor()
  expect(await findAxeViolations(shop.page)).toEqual([])
  await shop.page.setViewportSize({ width: 400, height: 900 })
  await expect.poll(() => measureOverflow(shop.page)).toBe(0)
  await row.getByText(/^Since .* \(activation or last change to another playlist\)$/).waitFor()
  await shop.page.getByText('Scheduled plays go by the present opening hours.').waitFor()
  expect(await row.getByText(/^Counted only up to/).count()).toBe(0)
  // The server's answer when there are more plays than one answer counts.
  await shop.page.route(/\/delivery\?/, async route => {
    const answer = await route.fetch()
    const text = (await answer.text()).replace(/"until":"[^"]+"/g, '"until":"2026-01-01T09:00:00.000Z"')
    await route.fulfill({ response: answer, body: text })
  })
  await shop.page.reload()
  await row.getByText(/^Counted only up to /).waitFor()
})
