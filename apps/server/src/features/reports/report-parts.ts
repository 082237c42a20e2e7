import { Readable } from 'node:stream'
import type { CopyForm, CopySession, Statement } from '../../platform/database/copy-scope.ts'
import { inOneProcess, type sumRows, type Sums } from './report-rows-queries.ts'
import type { FileColumn, ReportInParts, ReportPart, ReportQuery } from './report.ts'

export interface ReportSource {
  query: ReportQuery | ReportInParts
  columns: readonly FileColumn[]
}

/** The statement of a file's cells around a report's own. */
type ToStatement = (query: ReportQuery, columns: readonly FileColumn[]) => Statement

interface CopyOptions {
  form: CopyForm
  toStatement: ToStatement
  /** What stands before the totals, which come last; null: no totals. */
  totals: string | null
}

/** The statements of a report, one after another. */
async function* statementsOf({ query, columns }: ReportSource, { toStatement, totals }: CopyOptions) {
  if (!('parts' in query)) {
    yield toStatement(query, columns)
    return
  }
  for await (const { rows, isTotals } of query.parts())
    if (!isTotals) yield toStatement({ ...query, rows }, columns)
    else if (totals !== null)
      yield toStatement(
        { ...query, rows },
        columns.map((column, at) => (at === 0 ? { ...column, text: totals } : column)),
      )
}

async function* chunksOf(session: CopySession, report: ReportSource, options: CopyOptions) {
  if ('parts' in report.query) await session.rows(inOneProcess)
  for await (const statement of statementsOf(report, options))
    for await (const chunk of await session.copy(statement, options.form)) yield chunk as Buffer
}

/** The rows of a report, as COPY writes them. Resolves when the first ones are there, or the end. */
export async function copyRows(
  session: CopySession,
  report: ReportSource,
  options: CopyOptions,
): Promise<{ rows: Readable; isEmpty: boolean }> {
  const chunks = chunksOf(session, report, options)
  const first = await chunks.next()
  const rest = async function* () {
    if (first.done) return
    yield first.value
    yield* chunks
  }
  return { rows: Readable.from(rest(), { objectMode: false }), isEmpty: first.done === true }
}

/** Up to `limit` rows of a report. */
export async function readRows<Row>(
  { query }: ReportSource,
  limit: number,
  read: (query: ReportQuery, limit: number) => Promise<Row[]>,
): Promise<Row[]> {
  if (!('parts' in query)) return read(query, limit)
  const rows: Row[] = []
  for await (const part of query.parts()) {
    if (!part.isTotals) rows.push(...(await read({ ...query, rows: part.rows }, limit - rows.length)))
    if (rows.length >= limit) break
  }
  return rows
}

interface FirstRowsOptions {
  limit: number
  toSums: (query: ReportQuery) => ReturnType<typeof sumRows>
  toStatement: (query: ReportQuery, limit: number) => Statement
}

const addKnown = (a: number | null, b: number | null) => (a === null ? b : a + (b ?? 0))

/** Adds sums of other rows, day by day. */
function addSums(all: Map<string | null, Sums>, more: readonly Sums[]): void {
  for (const { day, rows, sums } of more) {
    const known = all.get(day) ?? { day, rows: 0, sums: sums.map(() => null) }
    const added = known.sums.map((sum, at) => addKnown(sum, sums[at] ?? null))
    all.set(day, { day, rows: known.rows + rows, sums: added })
  }
}

const LINE_FEED = 0x0a
/** COPY writes those of texts as `\\n`. */
function linesIn(chunk: Uint8Array): number {
  let lines = 0
  for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) lines += 1
  return lines
}

/** The first rows of parts whose sums are known. */
async function* firstChunks(
  session: CopySession,
  parts: AsyncIterable<ReportPart>,
  { limit, toStatement }: { limit: number; toStatement: (rows: Statement, limit: number) => Statement },
) {
  let left = limit
  for await (const { rows, isTotals } of parts) {
    if (isTotals) continue
    for await (const chunk of await session.copy(toStatement(rows, left), 'text')) {
      left -= linesIn(chunk as Buffer)
      yield chunk as Buffer
    }
    if (left <= 0) return
  }
}

/** The sums of all rows, and the first rows as COPY's text. The parts of a report are counted once; few of their rows are held. */
export async function copyFirstRows(
  session: CopySession,
  { query }: ReportSource,
  { limit, toSums, toStatement }: FirstRowsOptions,
): Promise<{ sums: readonly Sums[]; rows: Readable }> {
  if (!('parts' in query)) {
    const sums = await session.rows(toSums(query))
    return { sums, rows: await session.copy(toStatement(query, limit), 'text') }
  }
  if (query.rows) {
    const sums = await session.rows(toSums({ ...query, rows: await query.rows() }))
    const chunks = firstChunks(session, query.parts(), {
      limit,
      toStatement: (part, left) => toStatement({ ...query, rows: part }, left),
    })
    return { sums, rows: Readable.from(chunks, { objectMode: false }) }
  }
  const all = new Map<string | null, Sums>()
  const chunks: Buffer[] = []
  for await (const part of query.parts()) {
    if (part.isTotals) continue
    const whole = { ...query, rows: part.rows }
    const left = limit - (all.get(null)?.rows ?? 0)
    addSums(all, await session.rows(toSums(whole)))
    if (left <= 0) continue
    for await (const chunk of await session.copy(toStatement(whole, left), 'text'))
      chunks.push(chunk as Buffer)
  }
  return { sums: [...all.values()], rows: Readable.from(chunks, { objectMode: false }) }
}
