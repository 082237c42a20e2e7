import { Button } from '@mantine/core'
import { IconHome, IconTrash } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { DataTable } from '../ui/data-table/data-table.tsx'
import type { ListColumn, ListFilter, Selection } from '../ui/data-table/list-column.ts'
import { useList, type ListControl } from '../ui/data-table/use-list.ts'
import { EmptyState } from '../ui/empty-state.tsx'

interface Shop {
  uid: string
  name: string
  city: string
  devices: number
  note: string | null
}

const cities = ['Porto', 'Málaga', 'Lyon']
/** The shops 1 to 23. */
const shopOf = (nr: number): Shop => ({
  uid: `shop-${nr}`,
  name: `Shop ${String(nr).padStart(2, '0')}`,
  city: cities[nr % cities.length] ?? '',
  devices: nr,
  note: nr % 2 === 0 ? 'Beside the station' : null,
})

type Query = ListControl['query']

/** The calls of the list, their answers, and the input of the action on its selection. */
export const shops = {
  asked: [] as Query[],
  answer: (query: Query) => readShops(query),
  ran: [] as Selection[],
}

/** Sorts and pages as the server does. */
export async function readShops({ page: nr, size, search, sort, dir, city }: Query) {
  const all = Array.from({ length: 23 }, (_, index) => shopOf(index + 1))
    .filter(shop => shop.name.includes(search) && (typeof city !== 'string' || city.includes(shop.city)))
    .toSorted((one, other) => (sort === 'devices' ? one.devices - other.devices : 0))
  const sorted = dir === 'desc' ? all.toReversed() : all
  return { items: sorted.slice((nr - 1) * size, nr * size), total: all.length }
}

export const columns: ListColumn<Shop>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => name, isSortable: true },
  { id: 'city', header: 'City', cell: ({ city }) => city },
  { id: 'devices', header: 'Devices', cell: ({ devices }) => devices, isSortable: true, isNumber: true },
  { id: 'note', header: 'Note', cell: ({ note }) => note, isMinor: true },
]
const filters: ListFilter[] = [
  { name: 'city', label: 'City', isMulti: true, options: cities.map(value => ({ value, label: value })) },
]
const defaults = { filters: ['city'], sort: 'name' }
const rowActions = [{ label: 'Delete', icon: <IconTrash size={16} aria-hidden />, run: () => {} }]

interface ShopsProps {
  shown?: readonly ListColumn<Shop>[]
}

/** A list of 23 shops, as a page of the console draws it. */
export function Shops({ shown = columns }: ShopsProps) {
  const list = useList(defaults)
  const result = useQuery({
    queryKey: ['shops', list.query],
    queryFn: () => {
      shops.asked.push(list.query)
      return shops.answer(list.query)
    },
    placeholderData: keepPreviousData,
  })
  return (
    <>
      <h1>{'Shops'}</h1>
      <button onClick={() => void result.refetch()}>{'Read again'}</button>
      <DataTable
        name="shops"
        label={'All shops'}
        list={list}
        result={result}
        columns={shown}
        filters={filters}
        rowName={({ name }) => name}
        rowHref={({ uid }) => `/shops/${uid}`}
        rowActions={rowActions}
        bulkActions={[
          {
            label: 'Close',
            icon: <IconHome size={16} aria-hidden />,
            run: chosen => void shops.ran.push(chosen),
          },
        ]}
        empty={
          <EmptyState
            icon={IconHome}
            title={'No shops yet'}
            text="A shop holds devices."
            action={<Button>{'Add a shop'}</Button>}
          />
        }
      />
    </>
  )
}

/** Before each test: the list is as new. */
export function resetShops(): void {
  shops.asked = []
  shops.ran = []
  shops.answer = readShops
}

export const row = (nr: number) =>
  page.getByRole('row', { name: new RegExp(`Shop ${String(nr).padStart(2, '0')}`) })
export const tick = (nr: number) =>
  page.getByRole('checkbox', { name: `Select Shop ${String(nr).padStart(2, '0')}`, exact: true })
export const head = (name: string) => page.getByRole('columnheader', { name })
export const names = () =>
  [...document.querySelectorAll('tbody td .mantine-Anchor-root')].map(each => each.textContent)
export const box = (locator: { element: () => Element }) => locator.element().getBoundingClientRect()
export const isFocused = (nr: number) => expect.element(row(nr)).toHaveFocus()
export const chosenCount = (text: string) =>
  expect
    .element(page.getByRole('region', { name: 'Actions for the selection' }).getByText(text))
    .toBeVisible()
