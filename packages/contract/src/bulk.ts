import { z } from 'zod'
import { Uid } from './fields.ts'

const MOST = 1000

/** What a bulk call is about: up to 1,000 things by uid, or all that a list's filter finds, save the excepted. */
export const bulkOf = <Filter extends z.ZodType>(filter: Filter) =>
  z.union([
    z.strictObject({ uids: z.array(Uid).min(1).max(MOST) }),
    z.strictObject({ filter, except: z.array(Uid).max(MOST).default([]) }),
  ])

/** The paging of a list, which a filter of its things has not. */
export const PAGING = { page: true, size: true, sort: true, dir: true } as const
