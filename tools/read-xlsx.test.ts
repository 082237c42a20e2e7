import { deflateRawSync } from 'node:zlib'
import { writeByPython, writeByServer } from '@floorcast/testing/xlsx.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { readFormat } from '../apps/console/src/platform/xlsx/cell-numbers.ts'
import { readXlsx } from '../apps/console/src/platform/xlsx/read-xlsx.ts'
import { readZip } from '../apps/console/src/platform/xlsx/read-zip.ts'

const bytesOf = (file: Buffer): ArrayBuffer => new Uint8Array(file).buffer
const read = async (file: Buffer, maxRows = 1000) => readXlsx(bytesOf(file), maxRows)
const textsOf = async (file: Buffer) => (await read(file)).map(({ cells }) => cells)

/** XML and Excel's cells take no other signs. */
const text = fc
  .string({ unit: 'grapheme', maxLength: 30 })
  .map(signs => signs.replaceAll(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, ''))
const tables = fc.array(fc.array(text, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 8 })
const awkward = [['&<>"\'', ' two  spaces ', '=1+1', 'Łódź 音楽 🎵 عربي', '', 'last']]
const withoutEnd = (cells: readonly string[]) => cells.slice(0, cells.findLastIndex(cell => cell !== '') + 1)

it('a spreadsheet has the texts that the server has written', async () => {
  await fc.assert(
    fc.asyncProperty(tables, async rows => {
      expect(await textsOf(await writeByServer(rows))).toEqual(rows)
    }),
    // openpyxl does not write such a text by its code.
    { numRuns: 50, examples: [[awkward], [[['_x0007_', 'one\ntwo']]]] },
  )
})

it('a spreadsheet has the texts that openpyxl has written', async () => {
  const all = [awkward, ...fc.sample(tables, { numRuns: 50, seed: 7 })]
  const files = writeByPython(all)
  for (const [n, file] of files.entries()) {
    const rows = await read(file)
    for (const { number, cells } of rows)
      expect(withoutEnd(cells), `file ${n}`).toEqual(withoutEnd(all[n]?.[number - 1] ?? []))
    expect(rows.length).toBe(all[n]?.length)
  }
})

it('a spreadsheet shows times, days and numbers with zeros as they look there, in the row and column where they stand', async () => {
  const number = (value: number, format = 'General') => ({ value, format })
  const [file = Buffer.alloc(0)] = writeByPython(
    [
      [
        [number(0.375, 'h:mm'), number(0.875, '[$-409]h:mm AM/PM'), number(415, '0000'), number(7)],
        [],
        [null, number(0.1 + 0.2), number(46_354, 'dd.mm.yyyy'), number(46_354.5, 'yyyy-mm-dd hh:mm')],
        [number(1.5, '[h]:mm'), number(1200, '#,##0 "hours"'), number(-2, 'h:mm'), number(123_456_789_012)],
      ],
    ],
    true,
  )
  expect(await read(file)).toEqual([
    { number: 1, cells: ['09:00', '21:00', '0415', '7'] },
    { number: 3, cells: ['', '0.3', '2026-11-28', '2026-11-28 12:00'] },
    { number: 4, cells: ['36:00', '1200', '-2', '123456789012'] },
  ])
})

it('a spreadsheet is read up to the row that one asks for', async () => {
  expect(await read(await writeByServer([['a'], ['b'], ['c']]), 2)).toHaveLength(2)
})

it('a spreadsheet with prefixed names, runs, reading aids and no styles is read too', async () => {
  const parts = {
    '_rels/.rels':
      '<Relationships><Relationship Id="a" Type="x/officeDocument" Target="/book/wb.xml"/></Relationships>',
    'book/wb.xml': "<x:workbook><x:sheets><x:sheet name='One' r:id='s1'/></x:sheets></x:workbook>",
    'book/_rels/wb.xml.rels':
      '<Relationships><Relationship Target="one.xml" Id="s1" Type="x/worksheet"/><Relationship Target="/book/s.xml" Id="s2" Type="x/sharedStrings"/></Relationships>',
    'book/s.xml':
      '<x:sst><x:si><x:r><x:t>Sho</x:t></x:r><x:r><x:t>p 1</x:t></x:r><x:rPh><x:t>aid</x:t></x:rPh></x:si></x:sst>',
    'book/one.xml':
      '<x:worksheet><x:sheetData><x:row><x:c t="s"><x:v>0</x:v></x:c><x:c/><x:c t="str"><x:f>A1</x:f><x:v>&#x41;&amp;</x:v></x:c><x:c t="e"><x:v>#N/A</x:v></x:c><x:c t="b"><x:v>1</x:v></x:c></x:row></x:sheetData></x:worksheet>',
  }
  expect(await textsOf(zip(parts))).toEqual([['Shop 1', '', 'A&', '', 'TRUE']])
})

it.each([
  ['no archive', 'no zip archive', Buffer.from('Name;Number')],
  ['empty', 'no zip archive', Buffer.alloc(0)],
  ['an archive of something else', 'no sheet', zip({ 'word/document.xml': '<document/>' })],
  [
    'a locked workbook',
    'no zip archive',
    Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), Buffer.alloc(600)]),
  ],
])('a file that is none %s is refused', async (_, why, file) => {
  await expect(read(file)).rejects.toThrow(why)
})

it('a file that is none cut or changed anywhere is refused or read, and never hangs', async () => {
  const whole = await writeByServer([
    ['Name', 'Store number'],
    ['Shop 1', '0042'],
  ])
  await fc.assert(
    fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), fc.boolean(), async (at, byte, isCut) => {
      const file = isCut ? whole.subarray(0, at) : Buffer.from(whole)
      if (!isCut) file[at] = byte
      const rows = await read(file).catch(() => [])
      expect(rows.length).toBeLessThanOrEqual(2)
    }),
    { numRuns: 200 },
  )
})

it('a file that is none is not unpacked beyond the bytes that one allows', async () => {
  const bomb = readZip(bytesOf(zip({ a: '0'.repeat(900), b: '0'.repeat(2_000_000) })), 1000)
  expect(await bomb.read('a')).toHaveLength(900)
  await expect(bomb.read('b')).rejects.toThrow('too large')
})

it.each([
  ['General', null],
  ['0', null],
  ['0000', { kind: 'digits', digits: 4 }],
  ['hh:mm;@', { kind: 'time' }],
  ['[hh]:mm', { kind: 'elapsed' }],
  ['d/m/yy\\ h:mm', { kind: 'moment' }],
  ['"day" 0.0', null],
  ['_-* #,##0.00 [$€-407]_-', null],
  ['[Red]0.00', null],
  ['[$-F400]h:mm:ss\\ AM/PM', { kind: 'time' }],
])('the format %s is %o', (code, format) => {
  expect(readFormat(code)).toEqual(format)
})

/** An archive whose files are deflated, as Excel writes it: sizes stand before them. */
function zip(files: Readonly<Record<string, string>>): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const [path, text] of Object.entries(files)) {
    const [name, packed] = [Buffer.from(path), deflateRawSync(text)]
    const common = Buffer.alloc(26)
    common.writeUInt16LE(8, 4)
    common.writeUInt32LE(packed.length, 14)
    common.writeUInt32LE(text.length, 18)
    common.writeUInt16LE(name.length, 22)
    const local = Buffer.concat([Buffer.from('PK\u0003\u0004'), common, name, packed])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\u0001\u0002\0\0'), common, place, name)
    parts.push(local)
    offset += local.length
  }
  const end = Buffer.alloc(22)
  end.write('PK\u0005\u0006')
  end.writeUInt16LE(Object.keys(files).length, 10)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, ...directory, end])
}
