import { readZip, type Archive } from './read-zip.ts'
import { showNumber, toFormat, type NumberFormat } from './cell-numbers.ts'

/* Reads the cells of an xlsx file (ECMA-376) as text, as a spreadsheet shows them. */

const element = (name: string) => `<(?:\\w+:)?${name}(\\s[^>]*?)?(?:/>|>([\\s\\S]*?)</(?:\\w+:)?${name}\\s*>)`

/** Elements with their attributes and content; names may have a prefix. None holds one of its own name. */
const every = (name: string) => new RegExp(element(name), 'g')
const elements = {
  row: every('row'),
  cell: every('c'),
  string: every('si'),
  text: every('t'),
  aid: every('rPh'),
  sheet: every('sheet'),
  relation: every('Relationship'),
  format: every('numFmt'),
  styles: every('cellXfs'),
  style: every('xf'),
} as const
const valueElement = new RegExp(element('v'))

const named = (name: string) => new RegExp(`\\s(?:\\w+:)?${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`)
const attributes = {
  name: named('r'),
  type: named('t'),
  style: named('s'),
  state: named('state'),
  id: named('id'),
  relationId: named('Id'),
  relationType: named('Type'),
  target: named('Target'),
  format: named('numFmtId'),
  code: named('formatCode'),
} as const

function attribute(of: string | undefined, name: keyof typeof attributes): string | null {
  const found = attributes[name].exec(of ?? '')
  return found ? decodeXml(found[1] ?? found[2] ?? '') : null
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

function decodeXml(text: string): string {
  if (!text.includes('&')) return text
  return text.replaceAll(/&(#x[\da-f]+|#\d+|\w+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return entities[name] ?? whole
    const code = Number(`0${name.slice(1)}`.replace(/^0(?=\d)/, ''))
    return code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
  })
}

/** Signs that XML cannot have stand by their code: _x0007_. */
const decodeText = (text: string): string =>
  decodeXml(text).replaceAll(/_x([\dA-F]{4})_/gi, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  )

/** The text of a string with its runs, without the reading aids of East Asian words. */
function textOf(xml: string): string {
  const plain = xml.includes('rPh') ? xml.replaceAll(elements.aid, '') : xml
  return [...plain.matchAll(elements.text)].map(([, , text = '']) => decodeText(text)).join('')
}

interface Relation {
  id: string | null
  type: string
  path: string
}

/** The relations of a part. @param folder of the part, with a slash at its end */
async function readRelations(archive: Archive, folder: string, name: string): Promise<Relation[]> {
  const xml = (await archive.read(`${folder}_rels/${name}.rels`)) ?? ''
  return [...xml.matchAll(elements.relation)].map(([, of]) => {
    const target = attribute(of, 'target') ?? ''
    return {
      id: attribute(of, 'relationId'),
      type: (attribute(of, 'relationType') ?? '').replace(/^.*\//, ''),
      path: target.startsWith('/') ? target.slice(1) : `${folder}${target}`,
    }
  })
}

interface Book {
  /** The first sheet that is shown. */
  sheet: string
  strings: readonly string[]
  formats: readonly NumberFormat[]
  is1904: boolean
}

const readStrings = (xml: string): string[] =>
  [...xml.matchAll(elements.string)].map(([, , content = '']) => textOf(content))

/** The number format of each style of cells. */
function readFormats(xml: string): NumberFormat[] {
  const codes = new Map(
    [...xml.matchAll(elements.format)].map(([, of]) => [
      Number(attribute(of, 'format')),
      attribute(of, 'code') ?? '',
    ]),
  )
  const [styles] = [...xml.matchAll(elements.styles)]
  return [...(styles?.[2] ?? '').matchAll(elements.style)].map(([, of]) =>
    toFormat(Number(attribute(of, 'format') ?? 0), codes),
  )
}

/** @throws Error if the archive is not a workbook */
async function readBook(archive: Archive): Promise<Book> {
  const roots = await readRelations(archive, '', '')
  const path = roots.find(({ type }) => type === 'officeDocument')?.path ?? 'xl/workbook.xml'
  const [, folder = '', name = ''] = /^(.*\/)?([^/]*)$/.exec(path) ?? []
  const xml = (await archive.read(path)) ?? ''
  const relations = await readRelations(archive, folder, name)
  const sheets = [...xml.matchAll(elements.sheet)].map(([, of]) => of)
  const shown = sheets.find(of => !/hidden/i.test(attribute(of, 'state') ?? '')) ?? sheets[0]
  const relation = relations.find(({ id }) => id !== null && id === attribute(shown, 'id'))
  const sheet = relation ? await archive.read(relation.path) : null
  if (sheet === null) throw new Error('no sheet')
  const partOf = async (wanted: string) => {
    const part = relations.find(({ type }) => type === wanted)
    return part ? ((await archive.read(part.path)) ?? '') : ''
  }
  return {
    sheet,
    strings: readStrings(await partOf('sharedStrings')),
    formats: readFormats(await partOf('styles')),
    is1904: /\sdate1904\s*=\s*["'](?:1|true)/.test(xml),
  }
}

/** The index of a column, from 0: A, Z, AA. @param name of the cell: 'AB12' */
function columnOf(name: string): number {
  let column = 0
  for (const letter of /^[A-Z]+/i.exec(name)?.[0].toUpperCase() ?? '')
    column = column * 26 + letter.charCodeAt(0) - 64
  return column - 1
}

function cellText(of: string | undefined, content: string, { strings, formats, is1904 }: Book): string {
  const type = attribute(of, 'type') ?? 'n'
  if (type === 'inlineStr') return textOf(content)
  const value = valueElement.exec(content)?.[2] ?? ''
  if (type === 's') return strings[Number(value)] ?? ''
  if (type === 'e' || value === '') return ''
  if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE'
  if (type !== 'n') return decodeText(value)
  return showNumber(Number(value), formats[Number(attribute(of, 'style') ?? 0)] ?? null, is1904)
}

/** A row of a sheet, by its number there. */
export interface SheetRow {
  number: number
  cells: string[]
}

/** Cells further right are not read. */
const MAX_COLUMNS = 200

function readRow(content: string, book: Book): string[] {
  const cells: string[] = []
  let next = 0
  for (const [, of, cell = ''] of content.matchAll(elements.cell)) {
    const name = attribute(of, 'name')
    const column = name === null ? next : columnOf(name)
    next = column + 1
    if (column < 0 || column >= MAX_COLUMNS) continue
    while (cells.length < column) cells.push('')
    cells[column] = cellText(of, cell, book)
  }
  return cells
}

/**
 * The rows of the first sheet that is shown, as text.
 * @param maxRows more are not read
 * @throws Error if the bytes are not such a file, are damaged or too large
 */
export async function readXlsx(file: ArrayBuffer, maxRows: number): Promise<SheetRow[]> {
  const book = await readBook(readZip(file))
  const rows: SheetRow[] = []
  let last = 0
  for (const [, of, content = ''] of book.sheet.matchAll(elements.row)) {
    if (rows.length >= maxRows) break
    const number = Number(attribute(of, 'name') ?? last + 1)
    rows.push({ number, cells: readRow(content, book) })
    last = number
  }
  return rows
}
