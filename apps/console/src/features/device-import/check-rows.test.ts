import { expect, it } from 'vitest'
import {
  checkRows,
  englishHeadings,
  findMissingGroups,
  lacksGroup,
  type CheckedRow,
  type KnownGroup,
} from './check-rows.ts'
import { parseCsv } from '../../platform/parse-csv.ts'

const groups: KnownGroup[] = [
  { uid: 'north', name: 'North', kind: 'audio' },
  { uid: 'screens', name: 'Screens', kind: 'video' },
  { uid: 'twin', name: 'Twins', kind: 'audio' },
  { uid: 'other twin', name: 'TWINS', kind: 'audio' },
]
const check = (text: string, kind: 'audio' | 'video' = 'audio') =>
  checkRows(text, { kind, groups, headings: englishHeadings }).rows
const faults = (text: string) =>
  check(text).flatMap(({ line, fault }) => (fault ? [`${line} ${fault.column} ${fault.message}`] : []))
const namesOf = (text: string) => {
  const { creatable, refused } = findMissingGroups(check(text))
  const toName = ({ texts }: CheckedRow) => texts.group
  return { creatable: creatable.map(toName), refused: refused.map(toName) }
}

it('csv is read with quotes, line breaks in cells, any line end and a byte order mark', () => {
  expect(parseCsv('\uFEFFa,"b ""c"", d"\r\n\r\n"two\nlines",x\re,f')).toEqual([
    { line: 1, cells: ['a', 'b "c", d'] },
    { line: 3, cells: ['two\nlines', 'x'] },
    { line: 5, cells: ['e', 'f'] },
  ])
})

it.each([';', '\t', ','])('csv is separated by %j', sign => {
  expect(parseCsv(['Shop 1', '42', 'North'].join(sign))).toEqual([
    { line: 1, cells: ['Shop 1', '42', 'North'] },
  ])
})

it('csv loses the apostrophe that keeps spreadsheets from running a formula', () => {
  expect(parseCsv("'-2 and,'tis")).toEqual([{ line: 1, cells: ['-2 and', "'tis"] }])
})

it('csv may end inside a quote', () => {
  expect(parseCsv('a,"b')).toEqual([{ line: 1, cells: ['a', 'b'] }])
})

it('rows have name, store number, group and description, with or without headings', () => {
  const row = { name: 'Shop 1', storeNumber: '0042', description: 'By the sea', groupUid: 'north' }
  expect(check('Shop 1,0042,north,By the sea')[0]?.row).toEqual({ line: 1, group: 'north', ...row })
  expect(
    check('Group;Name;Colour;Store_Number;Description\nNORTH;Shop 1;red;0042;By the sea')[0]?.row,
  ).toEqual({
    line: 2,
    group: 'NORTH',
    ...row,
  })
})

it('rows take the first of two headings that mean one column', () => {
  expect(check('Name;Shop;Number\nBakery Lane;B7;42')[0]?.texts).toMatchObject({
    name: 'Bakery Lane',
    storeNumber: '42',
  })
})

it.each([
  ['sep=;\nName;Store number\nShop 1;0042', 3],
  ['"sep=,"\r\nName,Store number\r\nShop 1,0042', 3],
  ['sep=|\nName|Store number\nShop 1|0042', 3],
  ['Shops of the chain;\n28.11.2026\n\nName;Store number\nShop 1;0042', 5],
  ['Name;Description;Store number\nShop 1;Hauptstr. 5, 10115 Berlin, links, hinten;0042', 2],
  ['Description,Name,Store number\n"12; 13; 14; 15",Shop 1,0042', 2],
])('rows are found below their headings, by the separator of these: %j', (text, line) => {
  const rows = check(text)
  expect(rows.map(({ row }) => [row?.line, row?.name, row?.storeNumber])).toEqual([[line, 'Shop 1', '0042']])
})

it('rows without headings may have a device that is called as a column', () => {
  expect(check('Shop 1,1\nShop,2').map(({ texts }) => texts.name)).toEqual(['Shop 1', 'Shop'])
})

it('rows name the columns that are not read', () => {
  const { unread, rows } = checkRows('Name;Colour;Group;Shop;\nShop 1;red;North;Other;', {
    kind: 'audio',
    groups,
    headings: englishHeadings,
  })
  expect([unread, rows.length]).toEqual([['Colour', 'Shop'], 1])
})

it.each(['Store number,Group,City', 'Number,Address\n1,High Street', 'Group\nNorth'])(
  'rows are none under headings without a name: %j',
  text => {
    const list = checkRows(text, { kind: 'audio', groups, headings: englishHeadings })
    expect(list).toMatchObject({ lacksName: true, rows: [] })
  },
)

it('rows may have a group that is called as a column', () => {
  for (const name of ['Group', 'City', 'Open'])
    expect(faults(`Shop 1,1,${name}`)).toEqual(['1 group unknown'])
})

it('rows say by line what is wrong with them', () => {
  expect(
    faults('Shop 1\nab\n,42\nShop 4,,Nowhere\nShop 5,,Twins\nShop 6,,Screens\nshop 1\nShop 1,7'),
  ).toEqual([
    '2 name too-short',
    '3 name empty',
    '4 group unknown',
    '5 group ambiguous',
    '6 group group-kind',
    '7 name twice',
  ])
  expect(check('Shop 6,,Screens', 'video')[0]?.fault).toBeNull()
})

it('rows have a place under headings, with times as spreadsheets write them', () => {
  const [first, second] = check(
    'Opens;City;Name;Country;Time zone;Closes;Address\n9:00;Oslo;Shop 1;Norway;Europe/Oslo;20:30:00;Storgata 1\n;;Shop 2;;;;',
  )
  expect(first?.row?.tags).toEqual({
    city: 'Oslo',
    country: 'Norway',
    timeZone: 'Europe/Oslo',
    openingTime: '09:00',
    closingTime: '20:30',
    address: 'Storgata 1',
  })
  expect(second?.row).not.toHaveProperty('tags')
})

it('rows say what is wrong with their place', () => {
  const rows = ['Shop 1,CET+1,,', 'Shop 2,,24:00,', 'Shop 3,,9 am,', `Shop 4,,,${'x'.repeat(201)}`]
  expect(faults(`Name,Time zone,Opening time,City\n${rows.join('\n')}`)).toEqual([
    '2 timeZone time-zone',
    '3 openingTime time-of-day',
    '4 openingTime time-of-day',
    '5 city too-long',
  ])
})

it('rows wait for their group, and say what else is wrong with them first', () => {
  const [waiting, wrong] = check('Name,Group,Time zone\nShop 1,Nowhere,\nShop 2,Nowhere,Mars')
  expect([waiting, wrong].map(row => row && lacksGroup(row))).toEqual([true, false])
})

it('rows name the groups to create, each once', () => {
  expect(namesOf('Shop 1,,South\nShop 2,,SOUTH\nShop 3,,North\nShop 4,,West').creatable).toEqual([
    'South',
    'West',
  ])
  expect(namesOf('Shop 1,,Cafe\u0301\nShop 2,,CAF\u00c9').creatable).toHaveLength(1)
})

it('rows name no groups that the server would not create', () => {
  const text = 'Shop 1,,HQ\nShop 2,,North/West\nShop 3,,West'
  expect(faults(text)).toEqual(['1 group too-short', '2 group special-characters', '3 group unknown'])
  expect(namesOf(text)).toEqual({ creatable: ['West'], refused: ['HQ', 'North/West'] })
})

it('rows are none in an empty text', () => {
  expect(check(' \n\n')).toEqual([])
})

it('rows end at the last line that an import takes', { timeout: 60_000 }, () => {
  const text = Array.from({ length: 100_001 }, (_, n) => `Shop ${n}`).join('\n')
  const { rows, isTooLong } = checkRows(text, { kind: 'audio', groups, headings: englishHeadings })
  expect([rows.length, isTooLong]).toEqual([100_000, true])
})
