import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { drawComponent } from '../../testing/draw-component.tsx'
import { findBarriers } from '../../testing/find-barriers.ts'
import {
  box,
  chosenCount,
  columns,
  head,
  isFocused,
  names,
  readShops,
  resetShops,
  row,
  shops,
  Shops,
  tick,
} from '../../testing/shop-list.tsx'

beforeEach(resetShops)

it('the heads of a list sort by keys, say so, and begin at the first page', async () => {
  const { address } = await drawComponent(<Shops />, { path: '/shops?page=2' })
  await expect.element(row(11)).toBeVisible()
  await expect.element(head('Name')).toHaveAttribute('aria-sort', 'ascending')
  await expect.element(head('Devices')).toHaveAttribute('aria-sort', 'none')
  await expect.element(head('City')).not.toHaveAttribute('aria-sort')
  page.getByRole('button', { name: 'Devices' }).element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(row(1)).toBeVisible()
  await expect.element(head('Devices')).toHaveAttribute('aria-sort', 'ascending')
  await expect.element(head('Name')).toHaveAttribute('aria-sort', 'none')
  await userEvent.keyboard(' ')
  await expect.element(row(23)).toBeVisible()
  await expect.element(head('Devices')).toHaveAttribute('aria-sort', 'descending')
  expect(names()[0]).toBe('Shop 23')
  expect(address()).toBe('/shops?sort=devices&dir=desc')
  await expect.element(page.getByRole('button', { name: 'Devices' })).toHaveFocus()
})

it('the filters of a list keep each of two values that are chosen before the first one is drawn', async () => {
  const { address } = await drawComponent(<Shops />, { path: '/shops?page=2' })
  await expect.element(row(11)).toBeVisible()
  await page.getByRole('button', { name: 'City' }).click()
  const options = page.getByRole('menuitemcheckbox')
  await expect.element(options.first()).toBeVisible()
  const [porto, , lyon] = options.elements().map(each => each.closest<HTMLElement>('[role]'))
  porto?.click()
  lyon?.click()
  await expect.element(page.getByRole('button', { name: 'City: Porto and Lyon' })).toBeVisible()
  expect(address()).toBe('/shops?city=Porto%2CLyon')
})

it('the rows of a list are one stop of Tab, walked by arrows, Home and End, and stop at the ends', async () => {
  await drawComponent(<Shops />)
  await expect.element(row(1)).toBeVisible()
  page.getByRole('button', { name: 'Devices' }).element().focus()
  await userEvent.tab()
  await isFocused(1)
  await userEvent.keyboard('{ArrowUp}')
  await isFocused(1)
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  await isFocused(3)
  await userEvent.keyboard('{End}')
  await isFocused(10)
  await userEvent.keyboard('{ArrowDown}')
  await isFocused(10)
  await userEvent.keyboard('{ArrowUp}')
  await isFocused(9)
  await userEvent.keyboard('{Home}')
  await isFocused(1)
})

it('the rows of a list are entered from the search, opened by Enter, and have the focus again after Back', async () => {
  const { address, back } = await drawComponent(<Shops />, { path: '/shops' })
  await expect.element(row(1)).toBeVisible()
  await page.getByRole('searchbox').click()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  await isFocused(2)
  await userEvent.keyboard('{Enter}')
  await expect.poll(address).toBe('/shops/shop-2')
  await expect.element(row(1)).not.toBeInTheDocument()
  await back()
  await isFocused(2)
})

it('the rows of a list open by a click beside their controls only', async () => {
  const { address } = await drawComponent(<Shops />, { path: '/shops' })
  await tick(2).click()
  await page.getByRole('button', { name: 'Actions for Shop 02' }).click()
  await expect.element(page.getByRole('menuitem', { name: 'Delete' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  expect(address()).toBe('/shops')
  await row(2).getByText('Lyon').click()
  await expect.poll(address).toBe('/shops/shop-2')
})

it('the selection of a list is made by Space, over pages, and the head says whether a page is whole', async () => {
  await drawComponent(<Shops />)
  await expect.element(row(1)).toBeVisible()
  const wholePage = page.getByRole('checkbox', { name: 'Select every row of this page' })
  row(2).element().focus()
  await userEvent.keyboard(' ')
  await expect.element(tick(2)).toBeChecked()
  await isFocused(2)
  await chosenCount('1 selected')
  await expect.element(wholePage).toBePartiallyChecked()
  await userEvent.keyboard(' ')
  await expect.element(tick(2)).not.toBeChecked()
  await wholePage.click()
  await chosenCount('10 selected')
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect.element(row(11)).toBeVisible()
  await chosenCount('10 selected')
  await expect.element(wholePage).not.toBeChecked()
  await tick(12).click()
  await chosenCount('11 selected')
  await page.getByRole('button', { name: 'Close' }).click()
  const uids = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12].map(nr => `shop-${nr}`)
  expect(shops.ran).toEqual([{ kind: 'some', uids, count: 11 }])
})

it('the selection of a list is made and left by Shift from the last row on, up and down, by pointer and Space', async () => {
  await drawComponent(<Shops />)
  await tick(3).click()
  await tick(6).click({ modifiers: ['Shift'] })
  await chosenCount('4 selected')
  await tick(5).click()
  await chosenCount('3 selected')
  await tick(3).click({ modifiers: ['Shift'] })
  await chosenCount('1 selected')
  await expect.element(tick(6)).toBeChecked()
  row(8).element().focus()
  await userEvent.keyboard(' {ArrowDown}{ArrowDown}{Shift>} {/Shift}')
  await chosenCount('4 selected')
  await expect.element(tick(9)).toBeChecked()
  await page.getByRole('button', { name: 'Next page' }).click()
  await tick(13).click({ modifiers: ['Shift'] })
  await chosenCount('5 selected')
})

it('the selection of a list of all that match counts what is left out, on every page', async () => {
  await drawComponent(<Shops />)
  await expect.element(row(1)).toBeVisible()
  await page.getByRole('checkbox', { name: 'Select every row of this page' }).click()
  await page.getByRole('button', { name: 'Select all 23 that match' }).click()
  await chosenCount('23 selected')
  await page.getByRole('button', { name: 'Page 3' }).click()
  await expect.element(tick(21)).toBeChecked()
  await tick(22).click()
  await chosenCount('22 selected')
  await page.getByRole('button', { name: 'Close' }).click()
  expect(shops.ran).toEqual([{ kind: 'all', except: ['shop-22'], count: 22 }])
})

it('the selection of a list ends when the list shows other items', async () => {
  await drawComponent(<Shops />)
  await tick(2).click()
  await chosenCount('1 selected')
  await page.getByRole('searchbox').fill('Shop 1')
  await expect.element(row(11)).toBeVisible()
  await expect
    .element(page.getByRole('region', { name: 'Actions for the selection' }))
    .not.toBeInTheDocument()
})

const drawn: string[] = []
const counted = columns.map(column => ({
  ...column,
  cell: (row: Parameters<typeof column.cell>[0]) => {
    drawn.push(row.uid)
    return column.cell(row)
  },
}))

it('the cells of a list are not drawn again when the selection changes', async () => {
  await drawComponent(<Shops shown={counted} />)
  await expect.element(row(1)).toBeVisible()
  expect(drawn).toContain('shop-1')
  drawn.length = 0
  await tick(2).click()
  await chosenCount('1 selected')
  await page.getByRole('checkbox', { name: 'Select every row of this page' }).click()
  await chosenCount('10 selected')
  await page.getByRole('button', { name: 'Clear the selection' }).click()
  await expect.element(tick(2)).not.toBeChecked()
  expect(drawn).toEqual([])
})

it('the cells of a list of one row are drawn when this row changes', async () => {
  await drawComponent(<Shops shown={counted} />)
  await expect.element(row(1)).toBeVisible()
  shops.answer = async query => {
    const { items, total } = await readShops(query)
    return { items: items.map(shop => (shop.uid === 'shop-4' ? { ...shop, city: 'Bilbao' } : shop)), total }
  }
  drawn.length = 0
  await page.getByRole('button', { name: 'Read again' }).click()
  await expect.element(row(4).getByText('Bilbao')).toBeVisible()
  expect(new Set(drawn)).toEqual(new Set(['shop-4']))
})

it('the columns of a list are chosen and remembered in this browser', async () => {
  const first = await drawComponent(<Shops />)
  await page.getByRole('button', { name: 'Columns' }).click()
  const choice = page.getByRole('dialog', { name: 'Columns' })
  await expect.element(choice.getByRole('checkbox', { name: 'Name' })).not.toBeInTheDocument()
  await choice.getByRole('checkbox', { name: 'City' }).click()
  await expect.element(head('City')).not.toBeInTheDocument()
  expect(await findBarriers()).toEqual([])
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('button', { name: 'Columns' })).toHaveFocus()
  first.leave()
  await drawComponent(<Shops />)
  await expect.element(head('Devices')).toBeVisible()
  await expect.element(head('City')).not.toBeInTheDocument()
})

it('the columns of a list of less use are left out in a narrow window until they are chosen', async () => {
  await drawComponent(<Shops />, { width: 1000 })
  await expect.element(head('City')).toBeVisible()
  await expect.element(head('Note')).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Columns' }).click()
  await page.getByRole('dialog', { name: 'Columns' }).getByRole('checkbox', { name: 'Note' }).click()
  await expect.element(head('Note')).toBeVisible()
})

it('the columns of a list that have no room scroll beneath the menus of the rows', async () => {
  const many = Array.from({ length: 12 }, (_, nr) => ({
    id: `more-${nr}`,
    header: `Column ${nr}`,
    cell: () => 'A long value of this column',
  }))
  await drawComponent(<Shops shown={[...columns, ...many]} />, { width: 1200 })
  await expect.element(row(1)).toBeVisible()
  const menu = page.getByRole('button', { name: 'Actions for Shop 01' })
  const list = box(page.getByRole('region', { name: 'All shops' }))
  const table = box(page.getByRole('table'))
  expect(table.width).toBeGreaterThan(list.width)
  expect(box(menu).right).toBeLessThanOrEqual(list.right)
  expect(document.documentElement.scrollWidth).toBe(1200)
  const { left, top, width, height } = box(menu)
  expect(document.elementFromPoint(left + width / 2, top + height / 2)?.closest('button')).toBe(
    menu.element(),
  )
})
