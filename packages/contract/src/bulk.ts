import { z } from 'zod'
import { Uid } from './fields.ts'

/** Things that one bulk call is about at most. */
export const BULK_MOST = 1000

/**
 * What a bulk call is about: up to 1,000 things by uid, or all that a list's filter finds, save the excepted. Of more than
 * 1,000 a call does the first in the order of their uids and answers `remaining` and `after`: ask again with that `after`.
 * A filter that the list has not is refused: left out, it would let the call find everything.
 */
export const bulkOf = <Shape extends z.core.$ZodLooseShape>(filter: z.ZodObject<Shape>) =>
  z.union([
    z.strictObject({ uids: z.array(Uid).min(1).max(BULK_MOST, 'too-many') }),
    z.strictObject({
      filter: filter.strict(),
      except: z.array(Uid).max(BULK_MOST).default([]),
      after: Uid.optional(),
    }),
  ])

/** The paging of a list, which a filter of its things has not. */
export const PAGING = { page: true, size: true, sort: true, dir: true } as const
