import { z } from 'zod'
import { endpoint, readers } from './endpoint.ts'
import { Reference, UidsOrNone } from './fields.ts'

/** The filters of the device list whose values depend on the client's data. */
export const ValuedDeviceFilter = z.enum(['group', 'playlist', 'version'])
export type ValuedDeviceFilter = z.infer<typeof ValuedDeviceFilter>

export const FilterValue = z.object({
  /** For the filter: a uid, or a version. */
  value: z.string(),
  /** The group's or playlist's; a version again. */
  name: z.string(),
  /** The devices with a version; null for groups and playlists. */
  count: z.int().nullable(),
})
export type FilterValue = z.infer<typeof FilterValue>

export const listDeviceFilterValues = endpoint({
  path: '/api/v2/device/filtervalues/{filter}',
  summary:
    'Up to 20 values of a filter of the device list whose names have every term of `search`: groups and playlists by name, versions of the program by the number of their devices. `chosen` has the names of those of its groups or playlists that exist.',
  access: readers,
  params: z.object({ filter: ValuedDeviceFilter }),
  query: z.object({
    /** Words that the name has, in any order. */
    search: z.string().max(200).default(''),
    /** Groups or playlists that the list is filtered by. */
    chosen: UidsOrNone.optional(),
  }),
  answer: z.object({
    /** At most 20. */
    values: z.array(FilterValue),
    /** There are more values: search for them. */
    more: z.boolean(),
    /** The names of the groups or playlists of `chosen` that exist. */
    chosen: z.array(Reference),
  }),
})
