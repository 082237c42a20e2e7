import type { SavedView } from '@floorcast/contract/saved-views.ts'
import { expect, it } from 'vitest'
import { contentOf, isChanged } from './view-content.ts'

const view: SavedView = {
  uid: '01933d4e-0000-7000-8000-000000000001',
  name: 'Late shops',
  isShared: false,
  search: 'berlin',
  sort: 'name',
  dir: 'asc',
  filters: { connectivity: 'late', kind: 'audio' },
  columns: ['name', 'connectivity'],
  version: 1,
}
const same = {
  search: 'berlin',
  sort: 'name',
  dir: 'asc',
  filters: { kind: 'audio', connectivity: 'late' },
} as const
const columns = ['connectivity', 'name']

it('a list with an open view shows the view, in whatever order its filters and columns come', () => {
  expect(isChanged({ view, goneFilters: [] }, contentOf(same, columns))).toBe(false)
})

it.each([
  [{ ...same, search: '' }, columns],
  [{ ...same, sort: 'kind' }, columns],
  [{ ...same, dir: 'desc' }, columns],
  [{ ...same, filters: { kind: 'audio' } }, columns],
  [same, ['name']],
] as const)('a list with an open view shows something else: %j with %j', (shown, shownColumns) => {
  expect(isChanged({ view, goneFilters: [] }, contentOf(shown, shownColumns))).toBe(true)
})

it('a list with an open view does not differ by a filter that it does not have any more', () => {
  const shown = { ...same, filters: { connectivity: 'late' } }
  expect(isChanged({ view, goneFilters: ['kind'] }, contentOf(shown, columns))).toBe(false)
})

it('a list with an open view does not differ by an order or by columns that were not saved', () => {
  const bare = { ...view, sort: null, columns: [] }
  expect(isChanged({ view: bare, goneFilters: [] }, contentOf(same, ['kind']))).toBe(false)
})

it('a list with an open view differs from nothing without one', () => {
  expect(isChanged({ view: null, goneFilters: [] }, contentOf(same, columns))).toBe(false)
})
