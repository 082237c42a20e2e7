import { z } from 'zod'
import { Uid } from './fields.ts'

/** Maximum items of one bulk call. */
export const MAX_BULK_ITEMS = 1000

/** The items of a bulk call by their uids. */
export const SomeItems = z.strictObject({
  /** At most 1,000. */
  uids: z.array(Uid).min(1).max(MAX_BULK_ITEMS, 'too-many'),
})

/** What goes with the filter of a bulk call. */
export const FilteredItems = z.strictObject({
  /** Items that the filter finds and the call leaves out. */
  except: z.array(Uid).max(MAX_BULK_ITEMS).default([]),
  /** The `after` of the former answer, for the items that remain. */
  after: Uid.optional(),
  /** Every item is meant: without it a filter that finds them all is refused. */
  all: z.literal(true).optional(),
})

/**
 * The items of a bulk call: up to 1,000 by uid, or all that a list's filter finds except the named ones. Of more than 1,000
 * items a call does the first in the order of their uids and returns `remaining` and `after`: call again with this `after`.
 * An unknown filter is refused: if it were ignored, the call would find every item. A filter that finds every item needs
 * `all: true`, so that a forgotten filter deletes nothing.
 */
export const bulkOf = <Shape extends z.core.$ZodLooseShape>(filter: z.ZodObject<Shape>) =>
  z.union([
    SomeItems,
    z
      .strictObject({
        filter: filter.strict(),
        ...FilteredItems.shape,
      })
      .refine(body => body.all === true || !findsAll(body.filter, filter), {
        path: ['all'],
        message: 'all-items',
        // What is wrong with the filter is said first.
        when: ({ issues }) => issues.length === 0,
      }),
  ])

/** A search of quotes and spaces has no terms. */
const withoutEmptySearch = (filter: unknown) =>
  typeof filter === 'object' &&
  filter !== null &&
  'search' in filter &&
  typeof filter.search === 'string' &&
  /^["\s]*$/.test(filter.search)
    ? { ...filter, search: '' }
    : filter

/** True for a parsed filter whose every field has its default. */
function findsAll(filter: unknown, schema: z.ZodType): boolean {
  return JSON.stringify(withoutEmptySearch(filter)) === JSON.stringify(schema.parse({}))
}

/** The fields of a list's query that a filter does not have. */
export const PAGING = { page: true, size: true, sort: true, dir: true } as const
