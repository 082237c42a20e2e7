import type { PublicationCard } from '@floorcast/contract/publications.ts'
import type { ListView } from '../../ui/data-table/list-address.ts'

/** A device of a publication. */
export type PublicationDevice = PublicationCard['devices'][number]

/** A page of a publication's devices, which all come with its card. */
export function pageDevices(
  devices: readonly PublicationDevice[],
  { page, size, search, sort, dir, filters }: ListView,
): { items: PublicationDevice[]; total: number } {
  const terms = splitSearch(search)
  const found = devices.filter(
    device =>
      holdsAs(device, filters['holds']) && terms.every(term => device.name.toLowerCase().includes(term)),
  )
  const sorted = found.toSorted((one, other) => compare(one, other, sort) * (dir === 'desc' ? -1 : 1))
  return { items: sorted.slice((page - 1) * size, page * size), total: found.length }
}

/** Split by spaces, quoted phrases kept together; every term must match (docs/specification.md#5-validation-rules). */
function splitSearch(search: string): string[] {
  return [...search.toLowerCase().matchAll(/"([^"]*)"|\S+/g)]
    .map(([term, phrase]) => phrase ?? term)
    .filter(Boolean)
}

function holdsAs({ missing }: PublicationDevice, wanted: string | undefined): boolean {
  if (wanted === 'all') return missing === 0
  if (wanted === 'missing') return missing !== null && missing > 0
  return wanted === 'unknown' ? missing === null : true
}

/**
 * Sorts by missing files: devices with missing files first, then those that have not reported, then the ready ones.
 */
function compare(one: PublicationDevice, other: PublicationDevice, sort: string | undefined): number {
  const byName = one.name.localeCompare(other.name)
  if (sort === 'lastContactAt')
    return (one.lastContactAt ?? '').localeCompare(other.lastContactAt ?? '') || byName
  if (sort === 'missing') return needOf(one) - needOf(other) || byName
  return byName
}

/** Smallest first: files missing, then unknown, then none. */
const needOf = ({ missing }: PublicationDevice) => (missing === null ? -0.5 : -missing)
