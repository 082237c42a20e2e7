import { listPublications } from '@floorcast/contract/publications.ts'
import { listPlaylists } from '@floorcast/contract/playlists.ts'
import { mp4Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { beforeAll, expect, it } from 'vitest'
import { testConsole } from './console-under-test.ts'
import { findAxeViolations } from './page-checks.ts'
import { uploadFile } from './client-fixture.ts'
import { publishInConsole } from './publish-in-console.ts'
import { readSmartDraft } from './smart-draft.ts'
import { fillLibrary, wizardPage } from './wizard-page.ts'

const shop = testConsole()
const { button, next, step, tick, ribbon, begin, chooseAll, finish } = wizardPage(shop)

beforeAll(async () => {
  await fillLibrary(shop)
  for (const [type, fixture] of [
    ['videos', mp4Fixtures.faststart],
    ['videos', mp4Fixtures.silent],
    ['videosAds', mp4Fixtures.moovLast],
  ] as const)
    await uploadFile(shop.client, type, fixture.path)
})

/** The names of the publications that play a playlist now. */
async function onAir(playlist: string): Promise<string[]> {
  const { items } = await shop.client.call(listPublications, { params: { x: 'all' } })
  return items.filter(row => row.state === 'active' && row.playlist.uid === playlist).map(({ name }) => name)
}

/** Finishes over a slow connection: shows progress, cancels, and sends again. */
async function finishOverSlowLine(name: string): Promise<void> {
  const line = await shop.context.newCDPSession(shop.page)
  const slow = (bytesASecond: number) =>
    line.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 0,
      downloadThroughput: -1,
      uploadThroughput: bytesASecond,
    })
  await slow(1000)
  await finish(name)
  await shop.page.getByRole('progressbar', { name: 'Progress of the upload' }).waitFor()
  await shop.page.getByText(/^[1-9]\d?% sent$/).waitFor()
  await button('Cancel').click()
  await button('Finish').waitFor()
  await step('Playlist check')
  const { items } = await shop.client.call(listPlaylists, { params: { x: 'all' } })
  expect(items).toEqual([])
  expect(await shop.page.getByRole('alert').count()).toBe(0)
  await slow(-1)
  await button('Finish').click()
}

it('the wizard of smart playlists leads from real sounds to a playlist on the air', async () => {
  await begin('Audio', 30)
  await next()
  await step('Ad selection')
  for (const name of ['song-7', 'song-8']) await tick(name)
  await shop.page.getByRole('textbox', { name: 'Weight of song-8, 1 to 10' }).fill('3')
  await shop.page.getByText('Manual', { exact: true }).click()
  await shop.page.getByLabel('Minutes of an ad block').fill('1')
  await next()
  await step('Background selection')
  await button('Select all 6').click()
  await shop.page.getByRole('list', { name: 'Chosen background' }).waitFor()
  await next()
  await step('Playlist check')
  const share = shop.page.getByRole('row', { name: /^song-8 3 / })
  await share.waitFor()
  expect(await findAxeViolations(shop.page)).toEqual([])
  await finishOverSlowLine('Shop floor by day')
  await shop.page.getByText('“Shop floor by day” created.').waitFor()
  await shop.heading('Playlists')
  await shop.page.getByRole('link', { name: 'Shop floor by day' }).waitFor()
  const { uid, ...draft } = await readSmartDraft(shop, 'Shop floor by day')
  expect(draft).toMatchObject({
    startDay: '08:00',
    endDay: '08:30',
    workTime: 1800,
    adsTime: 60,
    adsMode: 'manual',
  })
  expect(draft.adsList.map(({ weight }) => weight)).toEqual([1, 3])
  // The saved draft is gone: a new one starts with its type.
  await shop.page.getByRole('link', { name: 'New smart playlist' }).first().click()
  await shop.page.getByText('What will the playlist play?').waitFor()

  await shop.page.goto(`${shop.url}/media/playlists`)
  const air = { device: 'Bakery Lane 4', group: 'Day shops' } as const
  await publishInConsole(shop, { playlist: 'Shop floor by day', ...air })
  expect(await onAir(uid)).toEqual(['Shop floor by day on air'])
})

it('the wizard of smart playlists leads from real videos to a playlist on the air', async () => {
  await begin('Video', 20)
  await chooseAll()
  await ribbon().press('Enter')
  const player = shop.page.getByLabel(/^Player: /)
  await player.waitFor()
  await expect.poll(() => player.evaluate(video => (video as HTMLVideoElement).videoWidth)).toBe(128)
  await finish('Windows by day')
  await shop.heading('Playlists')
  const { uid, playlistType } = await readSmartDraft(shop, 'Windows by day')
  expect(playlistType).toBe('video-smart')
  const air = { device: 'Central Station', group: 'Day windows' } as const
  await publishInConsole(shop, { playlist: 'Windows by day', ...air })
  expect(await onAir(uid)).toEqual(['Windows by day on air'])
})
