import { expect, it } from 'vitest'
import { pageWindow, readListView, writeListView, type ListDefaults, type ListView } from './list-address.ts'

const defaults: ListDefaults = { filters: ['connectivity'], sort: 'name' }
const read = (text: string) => readListView(new URLSearchParams(text), defaults)

it('the address of a list gives the defaults when it says nothing', () => {
  expect(read('')).toEqual({ page: 1, size: 10, search: '', sort: 'name', dir: 'asc', filters: {} })
})

it('the address of a list does not believe what makes no sense', () => {
  expect(read('page=-2&size=13&dir=up&connectivity=')).toEqual(read(''))
})

it('the address of a list comes back as it was written', () => {
  const view = {
    page: 3,
    size: 50,
    search: 'a b',
    sort: 'changedAt',
    dir: 'desc',
    filters: { connectivity: 'linkdown' },
  } as const
  const address = writeListView(new URLSearchParams(), view, defaults)
  expect(readListView(address, defaults)).toEqual(view)
})

it('the address of a list leaves out defaults and keeps what belongs to others', () => {
  const address = writeListView(new URLSearchParams('tab=log&page=4'), { ...read(''), page: 1 }, defaults)
  expect(address.toString()).toBe('tab=log')
})

const saved: ListDefaults = {
  ...defaults,
  search: 'berlin',
  values: { connectivity: 'late' },
  sort: 'changedAt',
  dir: 'desc',
}
const shown = {
  page: 1,
  size: 10,
  search: 'berlin',
  sort: 'changedAt',
  dir: 'desc',
  filters: { connectivity: 'late' },
} as const
const write = (view: ListView) => writeListView(new URLSearchParams('view=7'), view, saved)

it('the address of a saved view is short while it shows what was saved', () => {
  expect(readListView(new URLSearchParams('view=7'), saved)).toEqual(shown)
  expect(write(shown).toString()).toBe('view=7')
})

it('the address of a saved view has what was changed, also what was cleared', () => {
  const changed = { ...shown, search: '', sort: 'name', dir: 'asc', filters: {} } as const
  const address = write(changed)
  expect(address.toString()).toBe('view=7&search=&sort=name&dir=asc&connectivity=')
  expect(readListView(address, saved)).toEqual(changed)
})

it.each([
  [1, 1, [1]],
  [1, 0, [1]],
  [1, 9, [1, 2, 3, 4, 5]],
  [5, 9, [3, 4, 5, 6, 7]],
  [9, 9, [5, 6, 7, 8, 9]],
  [2, 3, [1, 2, 3]],
])('page links page %d of %d links %j', (page, pages, links) => {
  expect(pageWindow(page, pages)).toEqual(links)
})
