import { z } from 'zod'
import { AlertKind } from './alert-kind.ts'
import { gapReasons } from './delivery-report.ts'
import { Connectivity } from './devices.ts'
import { PlayResult } from './events.ts'
import { MediaType } from './media.ts'
import { STORE_ZONES } from './tags.ts'

/* What the columns of reports hold. */

/** The values of `enum` cells. Their texts are `reports:values.<enum>.<value>`. */
export const REPORT_ENUMS = {
  contentType: MediaType.options,
  result: PlayResult.options,
  connectivity: Connectivity.options,
  alertKind: AlertKind.options,
  target: ['all', 'group', 'device'],
  purpose: ['alert', 'drill'],
  storeZone: STORE_ZONES,
  gapReason: gapReasons,
  restored: ['awaited', 'lost'],
} as const
export type ReportEnum = keyof typeof REPORT_ENUMS

/**
 * What the cells of a column hold; each cell may be null. `instant`: a moment, as wall time in the report's zone; `day`:
 * YYYY-MM-DD; `month`: YYYY-MM; `seconds`: a duration; `minutes`: a duration; `count`: a whole number; `number`: with a
 * fraction; `percent`: 0 to 100; `enum`: a value of REPORT_ENUMS; `breakdown`: counts by such values, `closed=4 cut=1`.
 */
export const ColumnType = z.enum([
  'text',
  'instant',
  'day',
  'month',
  'seconds',
  'minutes',
  'count',
  'number',
  'percent',
  'enum',
  'breakdown',
])
export type ColumnType = z.infer<typeof ColumnType>

export interface ReportColumn {
  /** The heading is `reports:columns.<key>`. */
  key: string
  type: ColumnType
  /** The values of the types `enum` and `breakdown`. */
  values?: ReportEnum
  /** A pdf has its sum over all rows. */
  isSummed?: true
}
