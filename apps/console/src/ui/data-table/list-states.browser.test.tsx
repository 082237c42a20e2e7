import { CallError } from '@floorcast/contract/client.ts'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { drawComponent } from '../../testing/draw-component.tsx'
import { findBarriers } from '../../testing/find-barriers.ts'
import { personalize } from '../../platform/personalization.ts'
import { box, chosenCount, readShops, resetShops, row, shops, Shops, tick } from '../../testing/shop-list.tsx'

beforeEach(resetShops)

it('a list without rows says what it is for, and holds the button that begins it', async () => {
  shops.answer = async () => ({ items: [], total: 0 })
  await drawComponent(<Shops />)
  await expect.element(page.getByRole('heading', { name: 'No shops yet' })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Add a shop' })).toBeVisible()
  await expect.element(page.getByRole('table')).not.toBeInTheDocument()
  expect(await findBarriers()).toEqual([])
})

it('a list without rows that finds nothing keeps its search, and leads back to everything', async () => {
  const { address } = await drawComponent(<Shops />, { path: '/shops?search=nowhere&size=25' })
  await expect.element(page.getByRole('heading', { name: 'Nothing found' })).toBeVisible()
  await expect.element(page.getByRole('searchbox')).toHaveValue('nowhere')
  expect(await findBarriers()).toEqual([])
  await page.getByRole('button', { name: 'Clear search and filters' }).click()
  await expect.element(row(23)).toBeVisible()
  expect(address()).toBe('/shops?size=25')
  await expect.element(page.getByRole('searchbox')).toHaveValue('')
})

it('a list without rows of an address beyond the last page shows the last page', async () => {
  const { address } = await drawComponent(<Shops />, { path: '/shops?page=99' })
  await expect.element(row(23)).toBeVisible()
  expect(address()).toBe('/shops?page=3')
})

it('a list without rows after an error says why, keeps its tools, and tries again', async () => {
  shops.answer = () => Promise.reject(new CallError(500, null))
  await drawComponent(<Shops />)
  await expect.element(page.getByRole('heading', { name: 'This could not be loaded' })).toBeVisible()
  await expect.element(page.getByRole('searchbox')).toBeVisible()
  expect(await findBarriers()).toEqual([])
  shops.answer = query => readShops(query)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(row(1)).toBeVisible()
  expect(shops.asked).toHaveLength(2)
})

it('a list without rows of an address that the server does not take names what is wrong in it', async () => {
  const problem = {
    type: 'about:blank',
    title: 'Bad',
    status: 400,
    errors: [{ path: 'city', message: 'x' }],
  }
  shops.answer = ({ city }) =>
    city === undefined
      ? readShops({ page: 1, size: 10, search: '', dir: 'asc' })
      : Promise.reject(new CallError(422, problem))
  await drawComponent(<Shops />, { path: '/shops?city=Atlantis' })
  await expect.element(page.getByText('Not known here: City: Atlantis')).toBeVisible()
  await page.getByRole('button', { name: 'Clear search and filters' }).click()
  await expect.element(row(1)).toBeVisible()
})

it('a list that loads holds the place of its rows, so that nothing moves when they come', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  shops.answer = async query => {
    await promise
    return readShops(query)
  }
  await drawComponent(<Shops />)
  const list = page.getByRole('region', { name: 'All shops' })
  await expect.element(list).toHaveAttribute('aria-busy', 'true')
  const rows = () => [...document.querySelectorAll('tbody tr')].map(each => each.getBoundingClientRect())
  const before = rows().map(({ top, height }) => [top, height])
  expect(before).toHaveLength(10)
  expect(await findBarriers()).toEqual([])
  resolve()
  await expect.element(row(10)).toBeVisible()
  await expect.element(list).toHaveAttribute('aria-busy', 'false')
  expect(rows().map(({ top, height }) => [top, height])).toEqual(before)
})

it('a list that loads keeps the rows of the former page until the next ones come, and says that it is busy', async () => {
  await drawComponent(<Shops />)
  await expect.element(row(1)).toBeVisible()
  const { promise, resolve } = Promise.withResolvers<void>()
  shops.answer = async query => {
    await promise
    return readShops(query)
  }
  await page.getByRole('button', { name: 'Next page' }).click()
  const list = page.getByRole('region', { name: 'All shops' })
  await expect.element(list).toHaveAttribute('aria-busy', 'true')
  await expect.element(row(1)).toBeVisible()
  resolve()
  await expect.element(row(11)).toBeVisible()
  await expect.element(list).toHaveAttribute('aria-busy', 'false')
})

it('a list on a phone of more pages than links leads to its first and its last page', async () => {
  shops.answer = async query => ({ ...(await readShops({ ...query, page: 1 })), total: 455 })
  const { address } = await drawComponent(<Shops />, { width: 400 })
  const first = page.getByRole('button', { name: 'First page' })
  const last = page.getByRole('button', { name: 'Last page' })
  await last.click()
  await expect.poll(address).toBe('/?page=46')
  await expect.element(last).toBeDisabled()
  await expect.element(page.getByRole('region', { name: 'All shops' })).toHaveAttribute('aria-busy', 'false')
  expect(document.documentElement.scrollWidth).toBe(400)
  expect(await findBarriers()).toEqual([])
  await first.click()
  await expect.poll(address).toBe('/')
  await expect.element(first).toBeDisabled()
})

it('a list on a phone shows each row as a card, with labels at figures, and nothing that is not there', async () => {
  await drawComponent(<Shops />, { width: 400 })
  await expect.element(row(1)).toBeVisible()
  expect(document.documentElement.scrollWidth).toBe(400)
  const cells = [...row(1).element().querySelectorAll('td')]
  const figure = cells.find(({ dataset }) => dataset['label'] === 'Devices')
  expect(figure && getComputedStyle(figure, '::before').content).toBe('"Devices"')
  const note = cells.find(({ dataset }) => dataset['label'] === 'Note')
  expect(note && getComputedStyle(note).display).toBe('none')
  await tick(1).click()
  await chosenCount('1 selected')
  expect(await findBarriers()).toEqual([])
  await page.getByRole('button', { name: 'Actions for Shop 01' }).click()
  await expect.element(page.getByRole('menuitem', { name: 'Delete' })).toBeVisible()
})

it('a list from right to left is mirrored: marks at the right, menus at the left, figures at the end, arrows that point', async () => {
  await drawComponent(<Shops />, { language: 'ar' })
  await expect.element(row(1)).toBeVisible()
  const list = box(page.getByRole('region', { name: 'All shops' }))
  const mark = row(1).getByRole('checkbox').element().getBoundingClientRect()
  const menu = row(1).getByRole('button').element().getBoundingClientRect()
  expect(list.right - mark.right).toBeLessThan(24)
  expect(menu.left - list.left).toBeLessThan(24)
  const figure = row(1).element().querySelector('td[data-label=Devices]')
  expect(figure && getComputedStyle(figure).textAlign).toBe('end')
  expect(figure && getComputedStyle(figure).direction).toBe('rtl')
  const next = page.getByRole('button', { name: 'الصفحة التالية' })
  const previous = page.getByRole('button', { name: 'الصفحة السابقة' })
  expect(box(next).left).toBeLessThan(box(previous).left)
  expect(getComputedStyle(next.element().querySelector('svg') ?? document.body).transform).toBe(
    'matrix(-1, 0, 0, 1, 0, 0)',
  )
  expect(await findBarriers()).toEqual([])
})

it('a card from right to left has its label at the right, a gap, and the figure at the left', async () => {
  await drawComponent(<Shops />, { language: 'ar', width: 400 })
  await expect.element(row(1)).toBeVisible()
  const figure = row(1).element().querySelector<HTMLElement>('td[data-label=Devices]')
  if (!figure) throw new Error('No figure in the card')
  figure.dataset['label'] = 'المقاطع'
  const value = document.createRange()
  value.selectNodeContents(figure)
  // The gap is not beyond the figure, where it was as long as the label was part of the line.
  expect(value.getBoundingClientRect().left - figure.getBoundingClientRect().left).toBeLessThan(2)
  expect(getComputedStyle(figure, '::before').display).toBe('inline-block')
})

it.each(['light', 'dark'] as const)('a list has no barriers: %s', async mode => {
  personalize({ mode })
  await drawComponent(<Shops />)
  await tick(1).click()
  await chosenCount('1 selected')
  expect(await findBarriers()).toEqual([])
})
