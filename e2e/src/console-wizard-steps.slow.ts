import { listPlaylists } from '@floorcast/contract/playlists.ts'
import { beforeAll, expect, it } from 'vitest'
import { testConsole } from './console-under-test.ts'
import { readSmartDraft } from './smart-draft.ts'
import { fillLibrary, wizardPage } from './wizard-page.ts'

const shop = testConsole()
const { button, next, step, alertWith, tick, setManual, begin, chooseAll, chooseBackground, finish } =
  wizardPage(shop)

beforeAll(() => fillLibrary(shop))

const stepInAddress = () => new URL(shop.page.url()).searchParams.get('step')

/** Another tab of the same browser, at the wizard. */
async function openSecondTab() {
  const saved = () => shop.page.evaluate(() => Object.values<string>(localStorage).join())
  await expect.poll(saved).toContain('"step":"check"')
  const page = await shop.context.newPage()
  await page.goto(`${shop.url}/media/wizard`)
  await page.getByRole('group', { name: 'Playlist check' }).waitFor()
  return { page, [Symbol.asyncDispose]: () => page.close() }
}

it('the steps of the wizard are in the address: Back and Forward lead from step to step', async () => {
  await begin('Audio', 30)
  expect(stepInAddress()).toBe('hours')
  await chooseAll()
  expect(stepInAddress()).toBe('check')
  for (const [name, id] of [
    ['Background selection', 'background'],
    ['Ad selection', 'ads'],
    ['Working hours', 'hours'],
  ] as const) {
    await shop.page.goBack()
    await step(name)
    expect(stepInAddress()).toBe(id)
  }
  await shop.page.goBack()
  await shop.page.getByText('What will the playlist play?').waitFor()
  expect(stepInAddress()).toBeNull()
  await shop.page.goForward()
  await step('Working hours')
  await shop.page.goForward()
  await step('Ad selection')
  await shop.page.getByRole('list', { name: 'Chosen ads' }).getByText('song-7').waitFor()
  // A step that was not visited yet is not opened by its address.
  await button('Start over').click()
  await shop.page.getByRole('dialog').getByRole('button', { name: 'Start over' }).click()
  await shop.page.getByText('What will the playlist play?').waitFor()
  await shop.page.goto(`${shop.url}/media/wizard?step=check`)
  await shop.page.getByText('What will the playlist play?').waitFor()
  await expect.poll(stepInAddress).toBeNull()
})

it('the steps of the wizard go on where the draft is, and keep the playlist that is planned again in the address', async () => {
  await begin('Audio', 30)
  await next()
  await step('Ad selection')
  await shop.page.goto(`${shop.url}/media/wizard`)
  await step('Ad selection')
  await expect.poll(stepInAddress).toBe('ads')
  await tick('song-7')
  await chooseBackground()
  await finish('Planned twice')
  await shop.heading('Playlists')
  const { uid } = await readSmartDraft(shop, 'Planned twice')
  await shop.visit(`/media/wizard?from=${uid}`)
  await step('Playlist check')
  await expect.poll(() => shop.page.url()).toContain(`from=${uid}&step=check`)
  await button('Previous').click()
  await step('Background selection')
  await shop.page.goBack()
  await step('Playlist check')
})

const leaving = () => shop.page.getByRole('dialog', { name: 'Leave the wizard?' })

it('Cancel in the wizard leaves at once where nothing would be lost', async () => {
  await shop.visit('/media/wizard')
  await shop.page.getByText('What will the playlist play?').waitFor()
  await button('Cancel').click()
  await shop.heading('Playlists')
  await shop.visit('/media/wizard')
  await shop.page.getByRole('button', { name: /^Audio/ }).click()
  await step('Working hours')
  await button('Cancel').click()
  await shop.heading('Playlists')
  await shop.page.goto(`${shop.url}/media/wizard`)
  await shop.page.getByText('What will the playlist play?').waitFor()
})

it('Cancel in the wizard asks, and keeps the draft for later or discards it', async () => {
  await begin('Audio', 30)
  await next()
  await step('Ad selection')
  await tick('song-7')
  await button('Cancel').click()
  await leaving().getByRole('button', { name: 'Keep editing' }).click()
  await step('Ad selection')
  await button('Cancel').click()
  await leaving().getByRole('button', { name: 'Keep the draft and leave' }).click()
  await shop.heading('Playlists')
  await shop.page.getByRole('link', { name: 'New smart playlist' }).first().click()
  await step('Ad selection')
  await shop.page.getByRole('list', { name: 'Chosen ads' }).getByText('song-7').waitFor()
  await button('Cancel').click()
  await leaving().getByRole('button', { name: 'Discard the draft' }).click()
  await shop.heading('Playlists')
  await shop.page.goto(`${shop.url}/media/wizard`)
  await shop.page.getByText('What will the playlist play?').waitFor()
})

it('two tabs with one draft tell each other what changes, and none finishes an outdated draft', async () => {
  await begin('Audio', 30)
  await chooseAll()
  await using tab = await openSecondTab()
  const { page } = tab
  await shop.page.getByRole('textbox', { name: 'Name' }).fill('From the first tab')
  const changed = page.getByRole('alert').getByText('Another tab has changed this draft')
  await changed.waitFor()
  expect(await page.getByRole('button', { name: 'Finish' }).count()).toBe(0)
  await page.getByRole('button', { name: 'Load its version' }).click()
  await changed.waitFor({ state: 'hidden' })
  expect(await page.getByRole('textbox', { name: 'Name' }).inputValue()).toBe('From the first tab')
  // The other way round, and the first tab keeps its own.
  await page.getByRole('textbox', { name: 'Name' }).fill('From the second tab')
  await alertWith('Another tab has changed this draft').waitFor()
  await button('Keep this version').click()
  await changed.waitFor()
  await finish('From the first tab')
  await shop.heading('Playlists')
  await page.getByRole('alert').getByText('Another tab has made a playlist from this draft').waitFor()
  expect(await page.getByRole('button', { name: 'Finish' }).count()).toBe(0)
  const { items } = await shop.client.call(listPlaylists, { params: { x: 'all' } })
  expect(items.filter(({ name }) => name.startsWith('From the'))).toHaveLength(1)
  await page.getByRole('button', { name: 'New smart playlist' }).click()
  await page.getByText('What will the playlist play?').waitFor()
  await page.reload()
  await page.getByText('What will the playlist play?').waitFor()
})

it('two tabs with one draft may look at different steps', async () => {
  await begin('Audio', 30)
  await chooseAll()
  await using tab = await openSecondTab()
  await button('Previous').click()
  await step('Background selection')
  await button('Previous').click()
  await step('Ad selection')
  await tab.page.getByRole('button', { name: 'Previous' }).click()
  await tab.page.getByRole('group', { name: 'Background selection' }).waitFor()
  expect(await tab.page.getByText('Another tab').count()).toBe(0)
  expect(await shop.page.getByText('Another tab').count()).toBe(0)
})

it('the fields of the wizard take 24:00 as the end of the day, and hours as they are typed', async () => {
  await begin('Audio', 30)
  const [start, end] = [
    shop.page.getByRole('combobox', { name: 'Start', exact: true }),
    shop.page.getByRole('combobox', { name: 'End', exact: true }),
  ]
  await end.fill('24')
  await shop.page.getByText(/^16\shr of playing each day/).waitFor()
  await start.fill('930')
  await shop.page.getByText(/^14\shr 30\smin of playing each day/).waitFor()
  expect(await end.inputValue()).toBe('24:00')
  await end.focus()
  expect(await start.inputValue()).toBe('09:30')
  await end.fill('')
  await end.fill('23:3')
  await alertWith('Enter the end of the working hours').waitFor()
  await end.fill('24:0')
  await end.fill('24:00')
  await chooseAll()
  await finish('Till midnight')
  await shop.heading('Playlists')
  expect(await readSmartDraft(shop, 'Till midnight')).toMatchObject({
    startDay: '09:30',
    endDay: '23:59',
    workTime: 52_200,
  })
})

it('the fields of the wizard that are automatic cannot be set', async () => {
  await begin('Audio', 30)
  await next()
  await step('Ad selection')
  const minutes = shop.page.getByLabel('Minutes of an ad block')
  expect(await minutes.isDisabled()).toBe(true)
  await setManual('ad')
  expect(await minutes.isDisabled()).toBe(false)
  await minutes.fill('2')
  await shop.page.getByText('Automatic', { exact: true }).click()
  expect([await minutes.isDisabled(), await minutes.inputValue()]).toEqual([true, '15'])
})

it('the libraries of the wizard play a track, one at a time', async () => {
  await begin('Audio', 30)
  await next()
  await step('Ad selection')
  const player = (name: string) => shop.page.getByLabel(`Player: ${name}`, { exact: true })
  const isPlaying = (name: string) =>
    player(name).evaluate(
      sound => !(sound as HTMLAudioElement).paused && (sound as HTMLAudioElement).currentTime > 0,
    )
  await button('Play song-7').click()
  await expect.poll(() => isPlaying('song-7')).toBe(true)
  await button('Play song-8').click()
  await expect.poll(() => isPlaying('song-8')).toBe(true)
  expect(await player('song-7').count()).toBe(0)
  await button('Stop song-8').click()
  expect(await player('song-8').count()).toBe(0)
})

it('a finished wizard leads to the playlist, which is active, and to its publication', async () => {
  await begin('Audio', 30)
  await chooseAll()
  await finish('Ready to go')
  await shop.heading('Playlists')
  const { uid } = await readSmartDraft(shop, 'Ready to go')
  const { items } = await shop.client.call(listPlaylists, { params: { x: 'all' } })
  expect(items.find(item => item.uid === uid)?.state).toBe('active')
  const toast = shop.page.getByRole('status').filter({ hasText: '“Ready to go” created.' })
  await toast.getByRole('button', { name: 'Open' }).click()
  await shop.page.getByRole('heading', { name: 'Ready to go' }).waitFor()
  expect(shop.page.url()).toContain(`/media/playlistsOne/${uid}`)
  await finishAgain('Straight on the air')
  const second = shop.page.getByRole('status').filter({ hasText: '“Straight on the air” created.' })
  await second.getByRole('button', { name: 'Publish' }).click()
  const dialog = shop.page.getByRole('dialog')
  await dialog.waitFor()
  const chosen = () =>
    dialog.locator('input').evaluateAll(fields => fields.map(field => (field as HTMLInputElement).value))
  await expect.poll(async () => (await chosen()).join()).toContain('Straight on the air')
})

async function finishAgain(name: string): Promise<void> {
  await begin('Audio', 30)
  await chooseAll()
  await finish(name)
  await shop.heading('Playlists')
}
