import { listPlaylists } from '@floorcast/contract/playlists.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { testConsole } from './console-under-test.ts'
import { fillLibrary, wizardPage } from './wizard-page.ts'

const shop = testConsole()
const { button, step, alertWith, begin, chooseAll, finish } = wizardPage(shop)

beforeAll(() => fillLibrary(shop))

/** Another tab of the same browser, at the wizard. */
async function openSecondTab() {
  const saved = () => shop.page.evaluate(() => Object.values<string>(localStorage).join())
  await expect.poll(saved).toContain('"step":"check"')
  const page = await shop.context.newPage()
  await page.goto(`${shop.url}/media/wizard`)
  await page.getByRole('group', { name: 'Playlist check' }).waitFor()
  return { page, [Symbol.asyncDispose]: () => page.close() }
}

describe('two tabs with one draft', () => {
  it('tell each other what changes, and none finishes an outdated draft', async () => {
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

  it('may look at different steps', async () => {
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
})
