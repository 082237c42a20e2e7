import { TagImport } from '@floorcast/contract/tag-calls.ts'
import type { z } from 'zod'

/** A fault of an entry of a file. */
export interface TagFault {
  /** From 1. */
  entry: number
  /** A field of the entry; '' for all of it. */
  field: string
  /** A key of `fields.json`, or zod's own message. */
  rule: string
}

/** The tags of a file, or why it has none: no text in UTF-8 or UTF-16, no JSON (with the line, from 1, if the browser says where), no list, or wrong entries. */
export type TagFile =
  | { entries: z.output<typeof TagImport> }
  | { fault: 'no-json'; line: number | null }
  | { fault: 'no-text' | 'no-list' }
  | { fault: 'too-many' }
  | { fault: 'entries'; faults: readonly TagFault[]; raw: readonly unknown[] }

/** More are not shown. */
export const MAX_FAULTS = 100

/** Splits the path of a fault, `3.value`, of the server's answer or of the schema. */
export function readFault(path: string, rule: string): TagFault {
  const [index = '0', ...rest] = path.split('.')
  return { entry: Number(index) + 1, field: rest.join('.'), rule }
}

/** Reads a file of tags: a JSON list as the call takes it. @param text null if the file is not text. The server checks the names. */
export function readTags(text: string | null): TagFile {
  if (text === null) return { fault: 'no-text' }
  let raw: unknown
  try {
    raw = JSON.parse(text)
  } catch (error) {
    return { fault: 'no-json', line: lineOf(text, String(error)) }
  }
  if (!Array.isArray(raw) || raw.length === 0) return { fault: 'no-list' }
  const parsed = TagImport.safeParse(raw)
  if (parsed.success) return { entries: parsed.data }
  if (parsed.error.issues.some(({ path, message }) => path.length === 0 && message === 'too-many'))
    return { fault: 'too-many' }
  const faults = parsed.error.issues.map(({ path, code, message }) =>
    readFault(path.join('.'), code === 'invalid_type' ? 'empty' : message),
  )
  return { fault: 'entries', faults, raw }
}

/** The line of a syntax error. Chromium says 'line 3 column 5', or the position; others say nothing that can be read. */
function lineOf(text: string, message: string): number | null {
  const line = /line (\d+)/.exec(message)?.[1]
  if (line !== undefined) return Number(line)
  const position = /position (\d+)/.exec(message)?.[1]
  if (position === undefined) return null
  return text.slice(0, Number(position)).split('\n').length
}

/** A file to begin with: a tag of each level. */
export const exampleTags = `${JSON.stringify(
  [
    { contentType: 'client', key: 'country', value: 'Norway' },
    { contentType: 'group', name: 'North shops', key: 'volume', value: '60' },
    { contentType: 'device', name: 'Oslo 1', key: 'city', value: 'Oslo', description: 'Where the shop is' },
    { contentType: 'device', name: 'Oslo 1', key: 'timeZone', value: 'Europe/Oslo' },
  ],
  null,
  2,
)}\n`
