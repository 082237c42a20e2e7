import { MAX_BULK_ITEMS } from '@floorcast/contract/bulk.ts'
import { CallError } from '@floorcast/contract/client.ts'
import type { DeviceImportRow, importDevices } from '@floorcast/contract/device-import.ts'
import type { AnswerOf, BodyOf } from '@floorcast/contract/endpoint.ts'
import type { Kind } from '@floorcast/contract/fields.ts'
import { noTexts, placeColumns, type CheckedRow } from './check-rows.ts'

/** A line that is not added, as the file has it. */
export type LeftOutLine = Pick<CheckedRow, 'line' | 'texts'> & { fault: NonNullable<CheckedRow['fault']> }

/** The rows of one file. A call that is repeated with the same uid adds nothing twice. */
export interface ImportJob {
  importUid: string
  kind: Kind
  /** With the uid of the group, and its name for the user: a group that was deleted meanwhile has no other. */
  rows: readonly DeviceImportRow[]
  existing: 'refuse' | 'skip'
  /** The lines of the file that are not sent, each with its reason. */
  leftOut: readonly LeftOutLine[]
}

export interface ImportProgress {
  /** Rows that the server has answered. */
  sent: number
  added: number
  /** The lines whose devices existed. */
  skippedLines: readonly number[]
}

export const noProgress: ImportProgress = { sent: 0, added: 0, skippedLines: [] }

type Answer = Pick<AnswerOf<typeof importDevices>, 'added' | 'skippedLines'>

interface SendOptions {
  signal: AbortSignal
  /** Sends one call. @throws CallError, Refusal */
  send: (body: BodyOf<typeof importDevices>) => Promise<Answer>
  onProgress: (progress: ImportProgress) => void
  /** Resolves after the seconds, or when the signal aborts. */
  pause: (seconds: number, signal: AbortSignal) => Promise<void>
}

const TRIES = 5
const WAIT_SECONDS = 2
const MAX_WAIT_SECONDS = 30

/** A server that is busy or starts again asks to come back; an import may, because it repeats without harm. */
const isPassing = (error: unknown): error is CallError =>
  error instanceof CallError && [429, 502, 503, 504].includes(error.status)

/** Sends one call until the server takes it; null if the signal aborts before. @throws CallError, Refusal */
async function sendCall(
  body: BodyOf<typeof importDevices>,
  { send, pause, signal }: SendOptions,
): Promise<Answer | null> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await send(body)
    } catch (error) {
      if (!isPassing(error) || (attempt >= TRIES && !signal.aborted)) throw error
      await pause(Math.min(MAX_WAIT_SECONDS, error.retryAfterSeconds ?? WAIT_SECONDS), signal)
      if (signal.aborted) return null
    }
}

/** The rows of the next call. */
export const nextRows = (rows: ImportJob['rows'], { sent }: ImportProgress): ImportJob['rows'] =>
  rows.slice(sent, sent + MAX_BULK_ITEMS)

/** A group is named by uid: other groups may have its name by now. */
const toSentRow = ({ group, ...row }: DeviceImportRow): DeviceImportRow =>
  row.groupUid === undefined && group !== undefined ? { ...row, group } : row

/**
 * Sends the rows that are not sent yet, by a thousand, until all are sent or the signal aborts. After an error, call it again
 * with the last progress. @throws CallError, Refusal of the first call that fails
 */
export async function sendImport(
  { rows, importUid, existing }: ImportJob,
  from: ImportProgress,
  options: SendOptions,
): Promise<ImportProgress> {
  let progress = from
  while (progress.sent < rows.length && !options.signal.aborted) {
    const batch = nextRows(rows, progress)
    const answer = await sendCall({ importUid, existing, rows: batch.map(toSentRow) }, options)
    if (!answer) break
    const { added = 0, skippedLines = [] } = answer
    progress = {
      sent: progress.sent + batch.length,
      added: progress.added + added,
      skippedLines: [...progress.skippedLines, ...skippedLines],
    }
    options.onProgress(progress)
  }
  return progress
}

/** A row as the file had it, with the reason why it is not added. */
export function toLeftOutLine(row: DeviceImportRow, fault: LeftOutLine['fault']): LeftOutLine {
  const { line, name, storeNumber, description, group = '', tags } = row
  const texts = { ...noTexts, name, storeNumber, description, group }
  for (const column of placeColumns) texts[column] = tags?.[column] ?? ''
  return { line, texts, fault }
}

/** All lines of the file that were not added, in its order: those with errors, and those whose devices existed. */
export function findLeftOut({ rows, leftOut }: ImportJob, { skippedLines }: ImportProgress): LeftOutLine[] {
  const skipped = new Set(skippedLines)
  const existing = rows.flatMap(row =>
    skipped.has(row.line) ? [toLeftOutLine(row, { column: 'name', message: 'exists' })] : [],
  )
  return [...leftOut, ...existing].toSorted((one, other) => one.line - other.line)
}

const ROW_PATH = /^rows\.(\d+)\.(?:tags\.)?(\w+)/

export interface RefusedLine {
  /** The field of the row: `groupUid`, `name`. */
  field: string
  message: string
}

/** The lines that the server has refused in the call after `sent` rows, each with its first fault; empty for any other error. */
export function readRefusedLines(
  error: unknown,
  { rows }: Pick<ImportJob, 'rows'>,
  sent: number,
): Map<number, RefusedLine> {
  const refused = new Map<number, RefusedLine>()
  for (const { path, message } of error instanceof CallError ? (error.problem?.errors ?? []) : []) {
    const [, index = Number.NaN, field = ''] = ROW_PATH.exec(path) ?? []
    const row = rows[sent + Number(index)]
    if (row && !refused.has(row.line)) refused.set(row.line, { field, message })
  }
  return refused
}
