import { addGroup, listGroups } from '@floorcast/contract/groups.ts'
import { expect, it } from 'vitest'
import { ConsolePage } from './console-page.ts'
import { testConsole } from './console-under-test.ts'
import { chooseFromMenu, goByPalette, pressButton } from './keyboard.ts'
import { findAxeViolations } from './page-checks.ts'

const shop = testConsole()
const params = { contentType: 'audio' } as const
const row = (name: string) => shop.page.getByRole('row').filter({ hasText: name })
const menuOf = (name: string) => shop.page.getByRole('button', { name: `Actions for ${name}`, exact: true })
const dialog = () => shop.page.getByRole('dialog')
const groupNames = async (search: string) => {
  const { items } = await shop.client.call(listGroups, {
    params: { x: 'all' },
    query: { search, sort: 'name', size: 50 },
  })
  return items.map(({ name }) => name)
}

it('the recycle bin gives back by the keyboard alone what was deleted by it', async () => {
  await shop.client.call(addGroup, { params, body: { name: 'Harbour shops' } })
  const { page } = shop
  await shop.visit('/equipments/groups?search=harbour')
  await chooseFromMenu(page, menuOf('Harbour shops'), 'Move to the recycle bin')
  await pressButton(page, dialog().getByRole('button', { name: 'Move to the recycle bin' }))
  await page.getByText('Nothing found').waitFor()
  await dialog().waitFor({ state: 'hidden' })
  await goByPalette(page, 'Deleted groups')
  await row('Harbour shops').getByText(shop.owner.email).waitFor()
  await row('Harbour shops').getByText('30 days').waitFor()
  await new ConsolePage(page, 'recycle-bin').screenshot('groups')
  expect(await findAxeViolations(page)).toEqual([])
  await chooseFromMenu(page, menuOf('Harbour shops'), 'Restore')
  await page.getByText('“Harbour shops” restored').waitFor()
  await menuOf('Harbour shops').waitFor({ state: 'detached' })
  expect(await groupNames('harbour')).toEqual(['Harbour shops'])
})
