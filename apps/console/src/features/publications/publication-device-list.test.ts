import { describe, expect, it } from 'vitest'
import { pageDevices } from './publication-device-list.ts'

const device = (name: string, missing: number | null, lastContactAt: string | null = null) => ({
  uid: name,
  name,
  missing,
  lastContactAt,
})
const devices = [device('Paris 1', 0), device('Lyon 2', 3), device('Paris 2', null), device('Nice', 1)]
const view = { page: 1, size: 10, search: '', sort: 'missing', dir: 'asc' as const, filters: {} }
const names = (change: object) => pageDevices(devices, { ...view, ...change }).items.map(({ name }) => name)

describe('the devices of a publication', () => {
  it('shows what needs a person first', () => {
    expect(names({})).toEqual(['Lyon 2', 'Nice', 'Paris 2', 'Paris 1'])
    expect(names({ dir: 'desc' })).toEqual(['Paris 1', 'Paris 2', 'Nice', 'Lyon 2'])
  })

  it('searches every term, phrases kept together', () => {
    expect(names({ search: '2 par' })).toEqual(['Paris 2'])
    expect(names({ search: '"s 1"' })).toEqual(['Paris 1'])
    expect(names({ search: 'rome' })).toEqual([])
  })

  it('filters by what they hold', () => {
    expect(names({ filters: { holds: 'all' } })).toEqual(['Paris 1'])
    expect(names({ filters: { holds: 'missing' } })).toEqual(['Lyon 2', 'Nice'])
    expect(names({ filters: { holds: 'unknown' } })).toEqual(['Paris 2'])
  })

  it('turns pages and counts all', () => {
    expect(pageDevices(devices, { ...view, sort: 'name', page: 2, size: 3 })).toEqual({
      items: [devices[2]],
      total: 4,
    })
  })
})
