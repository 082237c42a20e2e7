import type { ReportColumn } from '@floorcast/contract/report-columns.ts'
import type { ReportFilter, ReportName } from '@floorcast/contract/reports.ts'
import type { ReportNote } from '@floorcast/contract/report-calls.ts'
import type { PlayReads } from '../archive/archive.ts'
import type { Statement } from '../../platform/database/copy-scope.ts'

/** What a report is asked for. The frame has checked it: the period, that the zone exists, and that the items exist. */
export interface ReportRequest {
  name: ReportName
  /** Days of the zone, both inclusive. */
  from: string
  to: string
  /** An IANA zone, or DEVICE_ZONES. */
  zone: string
  /**
   * With DEVICE_ZONES, where the devices have several dates now: of the period each device has the last days up to its own present
   * one, so many.
   */
  lastDays?: number | undefined
  /** Uids or `all`; `mode` as it is. */
  filters: Partial<Record<ReportFilter['key'], string>>
  now: Date
}

interface ReportFrame {
  /** The order of the rows, by the columns of `rows`: `"day", "device"`. */
  order: Statement
  notes?: readonly ReportNote[]
  /** With tag columns: the keys, each a column. `rows` then selects `"tags"`, a jsonb object. */
  tagKeys?: readonly string[]
}

/** The statement of a report. */
export interface ReportQuery extends ReportFrame {
  /**
   * A select with a column for each of the contract's, by its key: `select d.name as "device", …`. No order, no limit, no
   * `with` at its top, which PostgreSQL plans apart. Instants are `timestamptz`. With DEVICE_ZONES a report with instants
   * also selects `"zone"`, the IANA zone of the row. Values of lists need a cast, because COPY takes literals.
   */
  rows: Statement
}

/** Some rows of a report: a statement as that of a whole one. */
export interface ReportPart {
  rows: Statement
  /** One row with the sums of all; the last part. Files for people have it. */
  isTotals: boolean
}

/**
 * A report in parts one after another, so that its first rows come early: the next part is counted when the former one was read. A
 * reader that stops ends the iteration. Each part is in `order`.
 */
export interface ReportInParts extends ReportFrame {
  /** All rows in one statement as that of a ReportQuery, to count and sum them. Without it the parts are counted. */
  rows?: () => Promise<Statement>
  parts: () => AsyncIterable<ReportPart>
  /** Its parts read single plays, which have to be found before the first one. */
  readsPlays?: true
}

/**
 * Makes the statement of a report. What no SQL can count is read here and becomes values of the statement. A statement that names plays
 * needs them shown before: the reads are of its transaction.
 */
export type MakeReport = (
  reads: PlayReads,
  request: ReportRequest,
) => Promise<ReportQuery | ReportInParts> | ReportQuery | ReportInParts

/** A column of a file: one of the contract, or a tag. */
export interface FileColumn extends ReportColumn {
  /** The key of a tag. */
  title?: string
  /** A text in the place of the cells. */
  text?: string
}
