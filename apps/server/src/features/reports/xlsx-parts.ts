/* The XML parts of an xlsx file (ECMA-376). */

export interface XlsxColumn {
  heading: string
  width: number
  /** Excel's format of numbers; without it, its default. */
  format?: string | undefined
}

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const OPEN_XML = 'http://schemas.openxmlformats.org'
const SPREADSHEET = `${OPEN_XML}/spreadsheetml/2006/main`
const RELATIONS = `${OPEN_XML}/officeDocument/2006/relationships`
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml'
/** Lower numbers are Excel's own formats. */
const FIRST_FORMAT = 164

/** XML has no sign for these; Excel writes them by their code, and so a text that looks like one. */
const UNWRITABLE = /(?![\t\n])\p{Cc}(?<![\x7F-\x9F])|[\uFFFE\uFFFF]|_(?=x[\dA-F]{4}_)/giu
const SPECIAL = /[&<>"]/g
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escapeText = (text: string): string =>
  text
    .replaceAll(UNWRITABLE, sign => `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`)
    .replaceAll(SPECIAL, sign => ENTITIES[sign] ?? sign)

/** A, B … Z, AA: Excel's name of a column, from 0. */
export function columnName(index: number): string {
  const rest = String.fromCodePoint(65 + (index % 26))
  return index < 26 ? rest : columnName(Math.floor(index / 26) - 1) + rest
}

/** Each format once. */
export const formatsOf = (columns: readonly XlsxColumn[]): string[] => [
  ...new Set(columns.flatMap(({ format }) => format ?? [])),
]

/** The opening of a sheet whose first row stays in view. */
export function openSheet(columns: readonly XlsxColumn[], isRightToLeft: boolean): string {
  const widths = columns.map(
    ({ width }, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`,
  )
  const pane = '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/>'
  const view = `<sheetView${isRightToLeft ? ' rightToLeft="1"' : ''} workbookViewId="0">${pane}</sheetView>`
  return [
    `${DECLARATION}<worksheet xmlns="${SPREADSHEET}"><sheetViews>${view}</sheetViews>`,
    `<sheetFormatPr defaultRowHeight="15"/>`,
    widths.length > 0 ? `<cols>${widths.join('')}</cols>` : '',
    '<sheetData>',
  ].join('')
}

export const CLOSE_SHEET = '</sheetData></worksheet>'

/** A cell; a text is never a formula, whatever its signs. `style` is the place of its column's format, from 1. */
function cell(name: string, value: string | number, style: number): string {
  if (typeof value === 'number')
    return Number.isFinite(value) ? `<c r="${name}"${style ? ` s="${style}"` : ''}><v>${value}</v></c>` : ''
  const space = /^\s|\s$|\n/.test(value) ? ' xml:space="preserve"' : ''
  return `<c r="${name}" t="inlineStr"><is><t${space}>${escapeText(value)}</t></is></c>`
}

/** @param names of the columns @param number from 1 */
export function sheetRow(
  cells: readonly (string | number | null)[],
  { number, names, styles }: { number: number; names: readonly string[]; styles: readonly number[] },
): string {
  const written = cells.map((value, at) =>
    value === null ? '' : cell(`${names[at] ?? columnName(at)}${number}`, value, styles[at] ?? 0),
  )
  return `<row r="${number}">${written.join('')}</row>`
}

export function stylesPart(formats: readonly string[]): string {
  const numbers = formats.map(
    (format, at) => `<numFmt numFmtId="${FIRST_FORMAT + at}" formatCode="${escapeText(format)}"/>`,
  )
  const cells = formats.map(
    (_, at) =>
      `<xf numFmtId="${FIRST_FORMAT + at}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>`,
  )
  return [
    `${DECLARATION}<styleSheet xmlns="${SPREADSHEET}">`,
    formats.length > 0 ? `<numFmts count="${formats.length}">${numbers.join('')}</numFmts>` : '',
    '<fonts count="1"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>',
    '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>',
    '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>',
    '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>',
    `<cellXfs count="${formats.length + 1}"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>${cells.join('')}</cellXfs>`,
    '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>',
  ].join('')
}

export const sheetPath = (index: number) => `worksheets/sheet${index + 1}.xml`

const relation = (id: string, type: string, target: string) =>
  `<Relationship Id="${id}" Type="${RELATIONS}/${type}" Target="${target}"/>`
const relations = (list: readonly string[]) =>
  `${DECLARATION}<Relationships xmlns="${OPEN_XML}/package/2006/relationships">${list.join('')}</Relationships>`

/** The parts that name the sheets; the file ends with them. */
export function bookParts(sheets: readonly string[]): { path: string; xml: string }[] {
  const override = (path: string, type: string) =>
    `<Override PartName="/xl/${path}" ContentType="${TYPES}.${type}+xml"/>`
  const listed = sheets.map(
    (name, at) => `<sheet name="${escapeText(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
  )
  const book = `${DECLARATION}<workbook xmlns="${SPREADSHEET}" xmlns:r="${RELATIONS}"><sheets>${listed.join('')}</sheets></workbook>`
  const types = [
    `${DECLARATION}<Types xmlns="${OPEN_XML}/package/2006/content-types">`,
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>',
    '<Default Extension="xml" ContentType="application/xml"/>',
    override('workbook.xml', 'sheet.main'),
    override('styles.xml', 'styles'),
    ...sheets.map((_, at) => override(sheetPath(at), 'worksheet')),
    '</Types>',
  ].join('')
  const inBook = sheets.map((_, at) => relation(`rId${at + 1}`, 'worksheet', sheetPath(at)))
  return [
    { path: 'xl/workbook.xml', xml: book },
    {
      path: 'xl/_rels/workbook.xml.rels',
      xml: relations([...inBook, relation('styles', 'styles', 'styles.xml')]),
    },
    { path: '_rels/.rels', xml: relations([relation('rId1', 'officeDocument', 'xl/workbook.xml')]) },
    { path: '[Content_Types].xml', xml: types },
  ]
}
