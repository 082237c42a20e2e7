import { listPublications } from '@floorcast/contract/publications.ts'
import { listPlaylists } from '@floorcast/contract/playlists.ts'
import { mp4Fixtures } from '@floorcast/testing/media-fixtures.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { testConsole } from './console-under-test.ts'
import { findAxeViolations } from './page-checks.ts'
import { uploadFile } from './client-fixture.ts'
import { publishInConsole } from './publish-in-console.ts'
import { readSmartDraft } from './smart-draft.ts'
import { fillLibrary, wizardPage } from './wizard-page.ts'

const shop = testConsole()
const { button, next, step, alertWith, tick, ribbon, begin, chooseAll, finish } = wizardPage(shop)

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

/** A notch of the wheel with Ctrl zooms around the pointer; without Ctrl the page scrolls. */
async function zoomByWheel(): Promise<void> {
  const { keyboard, mouse } = shop.page
  const box = await ribbon().boundingBox()
  if (!box) throw new Error('No ribbon to point at')
  const under = () => ribbon().evaluate(part => (part.scrollLeft + part.clientWidth / 4) / part.scrollWidth)
  const wide = () => ribbon().evaluate(part => part.scrollWidth / part.clientWidth)
  await mouse.move(box.x + box.width / 4, box.y + box.height / 2)
  const [before, place] = [await wide(), await under()]
  await keyboard.down('Control')
  await mouse.wheel(0, -120)
  await expect.poll(wide).toBeCloseTo(before * 2, 1)
  expect(await under()).toBeCloseTo(place, 2)
  await mouse.wheel(0, -120)
  await expect.poll(wide).toBeCloseTo(before * 4, 1)
  await mouse.wheel(0, 120)
  await expect.poll(wide).toBeCloseTo(before * 2, 1)
  await keyboard.up('Control')
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

describe('the wizard of smart playlists', () => {
  it('leads from real sounds to a playlist on the air', async () => {
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

  it('leads from real videos to a playlist on the air', async () => {
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

  it('sends nothing with a name of two characters, and says why where one reads', async () => {
    const sent: string[] = []
    shop.page.on('request', request => sent.push(request.url()))
    await begin('Audio', 30)
    await chooseAll()
    await shop.page.setViewportSize({ width: 400, height: 700 })
    await shop.page.getByRole('group', { name: 'Hour by hour' }).scrollIntoViewIfNeeded()
    const place = () => shop.page.evaluate(() => Math.round(scrollY))
    const before = await place()
    expect(before).toBeGreaterThan(700)
    await button('Finish').click()
    const name = shop.page.getByRole('textbox', { name: 'Name' })
    await expect.poll(() => name.evaluate(field => field === document.activeElement)).toBe(true)
    const message = await shop.page.getByText('Cannot be empty').boundingBox()
    expect(message?.y).toBeGreaterThan(0)
    expect(message?.y).toBeLessThan(680)
    expect(await place()).toBe(before)
    await finish('ab')
    const smartError4 = 'The name of a smart playlist must be longer than 2 characters'
    await shop.page.getByText(smartError4).waitFor()
    await finish('a/b*')
    await shop.page.getByText('Only letters, digits and common punctuation').first().waitFor()
    expect(sent.filter(url => url.includes('/playlist/import'))).toEqual([])
  })

  it('is led by keys alone', async () => {
    await shop.visit('/media/wizard')
    const { keyboard } = shop.page
    await shop.page.getByRole('button', { name: /^Audio/ }).focus()
    await keyboard.press('Enter')
    await step('Working hours')
    const press = async (name: string | RegExp) => {
      await button(name).focus()
      await keyboard.press('Enter')
    }
    await press('Next')
    await step('Ad selection')
    await shop.page.getByRole('checkbox', { name: 'song-7' }).focus()
    await keyboard.press('Space')
    await press('Next')
    await step('Background selection')
    // A new step has the focus, so that it is read from its beginning.
    expect(await shop.page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe(
      'Background selection',
    )
    await shop.page.getByRole('checkbox', { name: 'song-1' }).focus()
    await keyboard.press('Space')
    await press('Next')
    await step('Playlist check')
    await ribbon().focus()
    // Ten thousand blocks of eight seconds.
    await shop.page.getByText(/^Each bar is \d+ min/).waitFor()
    const says = () => ribbon().getAttribute('aria-valuetext')
    await expect.poll(says).toMatch(/^Background, 00:00:00 to .*, block 1 of/)
    await keyboard.press('ArrowRight')
    await expect.poll(says).toMatch(/^Ads, .*, block 2 of/)
    await keyboard.press('End')
    const count = Number(await ribbon().getAttribute('aria-valuemax'))
    expect(count).toBeGreaterThan(100)
    await expect.poll(() => ribbon().getAttribute('aria-valuenow')).toBe(String(count))
    const scrolled = () => ribbon().evaluate(box => box.scrollLeft)
    await keyboard.press('+')
    await expect.poll(scrolled).toBeGreaterThan(0)
    await keyboard.press('Home')
    await expect.poll(scrolled).toBe(0)
    await zoomByWheel()
    await keyboard.press('Enter')
    const player = shop.page.getByLabel(/^Player: song-1/)
    await player.waitFor()
    await expect.poll(() => player.evaluate(sound => (sound as HTMLAudioElement).duration)).toBeCloseTo(8, 1)
  })

  it('keeps the draft over a reload, until one starts over', async () => {
    await begin('Audio', 45)
    await next()
    await step('Ad selection')
    await tick('song-9')
    await shop.page.reload()
    await step('Ad selection')
    await shop.page.getByRole('list', { name: 'Chosen ads' }).getByText('song-9').waitFor()
    await button('Previous').click()
    await step('Working hours')
    expect(await shop.page.getByRole('combobox', { name: 'End', exact: true }).inputValue()).toBe('08:45')
    await button('Start over').click()
    await shop.page.getByRole('dialog').getByRole('button', { name: 'Start over' }).click()
    await shop.page.getByText('What will the playlist play?').waitFor()
    await shop.page.reload()
    await shop.page.getByText('What will the playlist play?').waitFor()
  })

  it('clears both blocks when the type changes, and asks first', async () => {
    await begin('Audio', 30)
    await chooseAll()
    await button('Change to video').click()
    const dialog = shop.page.getByRole('dialog')
    await dialog.getByText('The 9 tracks you have chosen are cleared').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'hidden' })
    await step('Playlist check')
    await button('Change to video').click()
    await dialog.getByRole('button', { name: 'Change to video' }).click()
    await step('Working hours')
    await next()
    await shop.page.getByText('Tick ads in the library').waitFor()
    await shop.page.getByRole('checkbox', { name: 'video-moov-last' }).waitFor()
    // An empty draft changes without a question.
    await button('Change to audio').click()
    await step('Working hours')
  })

  it('opens visited steps only, back freely and forward through each check', async () => {
    await begin('Audio', 30)
    const way = shop.page.getByRole('navigation', { name: 'Steps of the wizard' })
    const stepButton = (name: string) => way.getByRole('button', { name: new RegExp(name) })
    expect(await stepButton('Ad selection').isDisabled()).toBe(true)
    await chooseAll()
    await stepButton('Ad selection').click()
    await step('Ad selection')
    await button('Remove all').click()
    // Back from an invalid step, and forward to the first invalid one.
    await stepButton('Working hours').click()
    await step('Working hours')
    await stepButton('Playlist check').click()
    await step('Ad selection')
    await alertWith('No ads are chosen').waitFor()
  })
})
