import type { ReportColumn } from '@floorcast/contract/report-columns.ts'
import type { MessagePort } from 'node:worker_threads'
import type { PdfFile } from './pdf-file.ts'

export interface XlsxFile {
  format: 'xlsx'
  title: string
  columns: readonly { heading: string; type: ReportColumn['type'] }[]
  notes: readonly string[]
  /** The first column is at the right. */
  isRightToLeft: boolean
}

/** A file that a thread makes of rows. */
export interface FileJob {
  /** The rows in COPY's text form; see copied-rows.ts. */
  port: MessagePort
  file: XlsxFile | PdfFile
}
