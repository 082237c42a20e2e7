import { z } from 'zod'
import { PAGING } from './bulk.ts'
import { CsvSeparator } from './csv.ts'
import { editors, endpoint, readers } from './endpoint.ts'
import { Uid } from './fields.ts'
import { MediaCredits } from './media-credits.ts'
import { MediaFilter, MediaType } from './media.ts'
import { Outcome } from './outcomes.ts'

/** The most rows of a file of credits. */
export const MAX_CREDIT_ROWS = 10_000
/** The most changed items that a preview lists. */
export const MAX_PREVIEWED_CHANGES = 1000

export const exportCredits = endpoint({
  path: '/api/v2/credits/{contentType}',
  summary:
    'uid, name, artist, title, ISRC, composer and publisher of the media that a filter finds, by name, as csv (UTF-8 with a byte order mark), between commas or semicolons (`separator`). An apostrophe before what begins like a formula keeps spreadsheets from running it.',
  access: readers,
  isHeavy: true,
  params: z.object({ contentType: MediaType }),
  query: MediaFilter.omit(PAGING).extend({
    /** What stands between the cells. */
    separator: CsvSeparator.default('comma'),
  }),
  answer: z.unknown(),
  answerForm: 'bytes',
})

/** A row of an import. A field that is left out keeps its value; an empty one is emptied. */
export const CreditRow = z.object({ uid: Uid, ...MediaCredits.partial().shape })
export type CreditRow = z.infer<typeof CreditRow>

/** An item that an import changes: its index in `rows`, and its credits before and after. */
export const CreditChange = z.object({
  /** From 0. */
  index: z.int(),
  /** The media item's. */
  name: z.string(),
  /** The credits as they are. */
  before: MediaCredits,
  /** The credits as the import makes them. */
  after: MediaCredits,
})
export type CreditChange = z.infer<typeof CreditChange>

export const importCredits = endpoint({
  path: '/api/v2/credits/{contentType}/import',
  summary:
    'Change the credits of up to 10,000 items, all or none: HTTP 422 with `errors` by index (`rows.3.isrc`) if a row is invalid, occurs twice or names no item of the content type. With `isPreview` nothing is stored, and `changes` lists the first 1,000 items that would change.',
  access: editors,
  isHeavy: true,
  params: z.object({ contentType: MediaType }),
  body: z.object({
    /** Up to 10,000 items. */
    rows: z.array(CreditRow).min(1, 'empty').max(MAX_CREDIT_ROWS, 'too-many'),
    /** True: nothing is stored. */
    isPreview: z.boolean().default(false),
  }),
  answer: Outcome.extend({
    /** How many items have other credits now, or would have. */
    changed: z.int().optional(),
    /** How many rows change nothing. */
    unchanged: z.int().optional(),
    /** Only of a preview: the first 1,000. */
    changes: z.array(CreditChange).optional(),
  }),
  outcomes: ['done'],
})
