import { listDeviceFilterValues, type ValuedDeviceFilter } from '@floorcast/contract/device-filters.ts'
import { SilentReason } from '@floorcast/contract/devices.ts'
import { Kind } from '@floorcast/contract/fields.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/client.ts'
import type { Format } from '../../platform/format.ts'
import type { Translate } from '../../platform/i18n.ts'
import { queryKeys } from '../../platform/query-keys.ts'
import type { FoundValues, ListFilter } from '../../ui/data-table/list-column.ts'

const found = (filter: ValuedDeviceFilter) => (search: string, chosen: readonly string[]) =>
  queryOptions<FoundValues>({
    queryKey: queryKeys.devices.filterValues(filter, search, chosen),
    queryFn: ({ signal }) =>
      call(listDeviceFilterValues, {
        params: { filter },
        query: { search, ...(chosen.length > 0 ? { chosen: chosen.join(',') } : {}) },
        signal,
      }),
  })

/** @param place the place of the map that the address names; without one there is no such filter to choose */
export function deviceFilters(t: Translate, format: Format, place: string | undefined): ListFilter[] {
  const filters = [...stateFilters(t), ...placementFilters(t), ...playerFilters(t)]
  if (place === undefined) return filters
  const options = [{ value: place, label: namePlace(t, format, place) }]
  return [...filters, { name: 'place', label: t('devices:filters.place'), options }]
}

/** Filters by what the devices do. */
const stateFilters = (t: Translate): ListFilter[] => [
  {
    name: 'connectivity',
    label: t('devices:columns.connectivity'),
    isMulti: true,
    options: (['online', 'late', 'linkdown', 'linklost', 'neverup'] as const).map(value => ({
      value,
      label: t(`activity:connectivity.${value}`),
    })),
  },
  {
    name: 'silent',
    isMinor: true,
    label: t('devices:filters.silent'),
    isMulti: true,
    options: [
      { value: 'none', label: t('devices:filters.playing') },
      { value: 'any', label: t('devices:filters.anyReason') },
      ...SilentReason.options.map(value => ({ value, label: t(`activity:silentReasons.${value}`) })),
    ],
  },
]

/** Filters by their assignment. */
const placementFilters = (t: Translate): ListFilter[] => [
  {
    name: 'group',
    isMinor: true,
    label: t('devices:card.group'),
    options: [{ value: 'none', label: t('devices:card.noGroup') }],
    found: { query: found('group') },
  },
  {
    name: 'playlist',
    label: t('devices:card.currentPlaylist'),
    options: [{ value: 'none', label: t('devices:filters.noPlaylist') }],
    isRare: true,
    found: { query: found('playlist') },
  },
  {
    name: 'files',
    label: t('devices:filters.files'),
    options: [{ value: 'missing', label: t('devices:filters.filesMissing') }],
    isRare: true,
  },
]

/** Filters by the players. */
const playerFilters = (t: Translate): ListFilter[] => [
  {
    name: 'version',
    label: t('devices:card.programVersion'),
    options: [],
    isRare: true,
    found: {
      query: found('version'),
      nameOf: value => (value === 'none' ? t('devices:filters.noVersion') : value),
    },
  },
  {
    name: 'kind',
    label: t('devices:columns.kind'),
    options: Kind.options.map(value => ({ value, label: t(`kinds.${value}`) })),
    isRare: true,
  },
]

function namePlace(t: Translate, format: Format, place: string): string {
  if (place === 'none') return t('devices:filters.notOnMap')
  const [, country] = /^country:([A-Z]{2})$/.exec(place) ?? []
  return country ? format.country(country) : t('devices:filters.chosenArea')
}
