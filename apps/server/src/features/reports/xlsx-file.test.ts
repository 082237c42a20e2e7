import { MessageChannel } from 'node:worker_threads'
import { buffer } from 'node:stream/consumers'
import { parseXlsx } from '@floorcast/testing/xlsx.ts'
import { expect, it } from 'vitest'
import type { XlsxFile } from './file-threads.ts'
import { xlsxFile } from './xlsx-file.ts'

const columns: XlsxFile['columns'] = [
  { heading: 'Name', type: 'text' },
  { heading: 'Start', type: 'instant' },
  { heading: 'Plays', type: 'count' },
]

/** The sheets of a file of these rows, which come in COPY's text form. */
async function sheetsOf(rows: readonly string[], file: Partial<XlsxFile> = {}, rowsASheet?: number) {
  const { port1, port2 } = new MessageChannel()
  const chunks = rows.map(row => Buffer.from(`${row}\n`))
  port1.on('message', () => port1.postMessage(chunks.shift() ?? null))
  const whole = { format: 'xlsx', title: 'Plays', columns, notes: [], isRightToLeft: false, ...file } as const
  return parseXlsx(await buffer(xlsxFile(port2, whole, rowsASheet)))
}

const valuesOf = (rows: readonly [string | null, string][][]) => rows.map(row => row.map(([value]) => value))

it('an xlsx file has texts, times and numbers, and empty cells for what is not there', async () => {
  const [sheet] = await sheetsOf(['Spring\t2026-11-28 10:30:00\t12', '\\N\t\\N\t0'])
  expect(sheet?.rows.slice(1)).toEqual([
    [
      ['Spring', 's'],
      ['2026-11-28 10:30:00', 'd'],
      ['12', 'n'],
    ],
    [
      [null, 'n'],
      [null, 'n'],
      ['0', 'n'],
    ],
  ])
})

it.each([
  ['&<>"\'', '&<>"\''],
  ['=1+1', '=1+1'],
  [' two  spaces ', ' two  spaces '],
  ['音楽 🎵 عربي', '音楽 🎵 عربي'],
  // Signs that XML cannot have are written by their code.
  ['bell\u0007', 'bell_x0007_'],
  ['_x0007_', '_x005F_x0007_'],
  ['lone \uD800', 'lone \uFFFD'],
])('an xlsx file has the text %j', async (text, read) => {
  const [sheet] = await sheetsOf([`${text}\t\\N\t1`])
  expect(sheet?.rows[1]?.[0]).toEqual([read, 's'])
})

it('an xlsx file goes on on further sheets, which have the headings and the side too', async () => {
  const sheets = await sheetsOf(['a', 'b', 'c', 'd', 'e'], { isRightToLeft: true, notes: ['Note'] }, 2)
  expect(sheets.map(({ name, isRightToLeft }) => [name, isRightToLeft])).toEqual([
    ['Plays', true],
    ['Plays_2', true],
    ['Plays_3', true],
  ])
  const names = sheets.map(({ rows }) => valuesOf(rows).map(([name]) => name))
  expect(names).toEqual([
    ['Name', 'a', 'b'],
    ['Name', 'c', 'd'],
    ['Name', 'e', 'Note'],
  ])
})

it('an xlsx file without rows has its headings, and has as many columns as it takes', async () => {
  const many = Array.from({ length: 60 }, (_, at) => ({ heading: `Column ${at}`, type: 'text' }) as const)
  const [sheet, ...others] = await sheetsOf([], {
    columns: many,
    title: `A long 'title' [of] a report: for <all> & more`,
  })
  expect(others).toEqual([])
  expect(sheet?.rows.length).toBe(1)
  expect(sheet?.rows[0]?.length).toBe(60)
  expect(sheet?.name).toBe('A long  title   of  a rep')
})
