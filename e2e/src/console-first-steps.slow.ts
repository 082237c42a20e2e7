import { addDevice } from '@floorcast/contract/devices.ts'
import { editMedia, listMedia } from '@floorcast/contract/media.ts'
import { listPlans } from '@floorcast/contract/plans.ts'
import { addPlaylist, addTrack } from '@floorcast/contract/playlists.ts'
import { expect, it } from 'vitest'
import { ConsolePage } from './console-page.ts'
import { testConsole } from './console-under-test.ts'
import { findAxeViolations, measureOverflow } from './page-checks.ts'

const shop = testConsole()
const steps = () => shop.page.getByRole('region', { name: 'Get started' })
const button = (name: string) => steps().getByRole('button', { name, exact: true })
const current = () => steps().locator('li[aria-current="step"]')
const inLibrary = async (contentType: 'melodies' | 'ads' | 'videos' | 'videosAds') =>
  (await shop.client.call(listMedia, { params: { contentType } })).items

it('the first steps of an empty client add sample media by one click, tick what is done, and name the next step', async () => {
  await shop.visit('/home/overview')
  await steps().getByText('1 of 6 done').waitFor()
  await current().getByText('No files at hand?').waitFor()
  await button('Add sample media').click()
  await steps().getByText('2 of 6 done').waitFor()
  await current().getByRole('link', { name: 'Make a playlist' }).waitFor()
  await button('Remove the sample media').waitFor()
  await expect.poll(async () => (await inLibrary('melodies')).length).toBe(5)
  await expect.poll(async () => (await inLibrary('ads')).length).toBe(3)
  await expect.poll(async () => (await inLibrary('videos')).length).toBe(1)
  await expect.poll(async () => (await inLibrary('videosAds')).length).toBe(1)
})

it('the first steps of an empty client remove them again, but what a playlist plays, and Undo restores them', async () => {
  const { call } = shop.client
  const [song, other] = await inLibrary('melodies')
  const made = await call(addPlaylist, { params: { contentType: 'audio' }, body: { name: 'First list' } })
  await call(addTrack, { params: { track: song?.uid ?? '', playlist: made.uid ?? '' } })
  // A sample is known by its bytes, whatever its name.
  await call(editMedia, {
    params: { contentType: 'melodies' },
    body: { uid: other?.uid ?? '', name: 'My song' },
  })
  await shop.visit('/home/overview')
  await steps().getByText('3 of 6 done').waitFor()
  await button('Remove the sample media').click()
  await shop.page.getByText('9 sample files moved to the recycle bin').waitFor()
  await shop.page
    .getByText(song?.name ?? '')
    .first()
    .waitFor()
  expect((await inLibrary('melodies')).map(({ uid }) => uid)).toEqual([song?.uid])
  await shop.page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => (await inLibrary('melodies')).length).toBe(5)
  await expect.poll(async () => (await inLibrary('ads')).length).toBe(3)
})

it('the first steps of an empty client say how many devices the plan has, and its limit leads to the plans and a request', async () => {
  const { page } = shop
  await shop.visit('/home/overview')
  await steps().getByRole('link', { name: 'Devices: 2 of 3' }).waitFor()
  const { call } = shop.client
  await call(addDevice, { params: { contentType: 'audio' }, body: { name: 'Shop 3' } })
  await shop.visit('/equipments/devices')
  await page.getByRole('button', { name: 'Add a device' }).click()
  const form = page.getByRole('dialog', { name: 'Add a device' })
  await form.getByLabel('Name').fill('Shop 4')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('alert').getByRole('link', { name: 'Compare plans' }).click()
  await page.getByRole('button', { name: 'Leave without saving' }).click()
  await shop.heading('Plans')
  await page.getByRole('button', { name: 'Request this plan Basic' }).click()
  const requested = page.getByText(/^Requested on \d/)
  await requested.waitFor()
  await page.reload()
  await requested.waitFor()
  expect((await call(listPlans, {})).flatMap(plan => (plan.requestedAt ? [plan.key] : []))).toEqual(['basic'])
  expect(await findAxeViolations(page)).toEqual([])
  for (const width of [1440, 400]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await measureOverflow(page)).toBe(0)
    await new ConsolePage(page, 'plans').screenshot(String(width))
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Withdraw' }).click()
  await page.getByRole('button', { name: 'Request this plan Basic' }).waitFor()
  await shop.visit('/home/overview')
  await steps().getByRole('link', { name: 'Devices: 3 of 3' }).click()
  await shop.heading('Plans')
})

it('the first steps of an empty client are whole wide and narrow, lead on, and stay closed once they are', async () => {
  const look = new ConsolePage(shop.page, 'first-steps')
  await shop.visit('/home/overview')
  await steps().waitFor()
  for (const width of [1440, 400]) {
    await shop.page.setViewportSize({ width, height: 900 })
    expect(await measureOverflow(shop.page)).toBe(0)
    expect(await findAxeViolations(shop.page)).toEqual([])
    await look.screenshot(String(width))
  }
  await shop.page.setViewportSize({ width: 1440, height: 900 })
  await steps().getByRole('link', { name: 'Publish the playlist to the device' }).click()
  await shop.page.getByRole('dialog', { name: 'Publish a playlist' }).waitFor()
  await shop.visit('/home/overview')
  await button('Close').click()
  await steps().waitFor({ state: 'hidden' })
  await shop.page.reload()
  await shop.heading('Overview')
  await shop.page.getByRole('region', { name: 'Fleet' }).waitFor()
  expect(await steps().count()).toBe(0)
})
