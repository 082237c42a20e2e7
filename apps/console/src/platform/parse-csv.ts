import { guardFormulas, readGuarded } from '@floorcast/contract/csv.ts'

/** A record of a csv file and the line where it begins, from 1. */
export interface CsvRecord {
  line: number
  cells: string[]
}

/** A cell that `parseCsv` reads as the same text, and that no spreadsheet runs. */
export const csvCell = (text: string): string => `"${guardFormulas(text).replaceAll('"', '""')}"`

const SAMPLE_CHARACTERS = 20_000
/** Spreadsheets paste tabs, and save semicolons in many countries. */
const SEPARATORS = [',', ';', '\t']
/** Headings are searched in this number of records: reports have a title, a date or an empty line above them. */
const MAX_HEADING_RECORD = 10
/** A first line for Excel: it names the separator, and is not a record. */
const SEPARATOR_LINE = /^"?sep=(.)"?[,;\t]*(?:\r\n|\n|\r|$)/i

/**
 * The index of the record with the headings; -1 without one. Below a title there are two headings at least: one alone may be a name.
 * @param countHeadings how many cells of a record are headings
 */
export const findHeadings = (
  records: readonly CsvRecord[],
  countHeadings: (cells: readonly string[]) => number,
): number =>
  records
    .slice(0, MAX_HEADING_RECORD)
    .findIndex(({ cells }, index) => countHeadings(cells) >= (index === 0 ? 1 : 2))

/** How many of the first records have the most frequent number of cells: with a wrong separator the numbers differ. */
function regularity(records: readonly CsvRecord[]): number {
  const counts = records.slice(0, 50).map(({ cells }) => cells.length)
  const same = Map.groupBy(
    counts.filter(count => count > 1),
    count => count,
  )
  return Math.max(0, ...[...same.values()].map(group => group.length))
}

/**
 * The records of csv (RFC 4180). The separator is the one that the line `sep=` names, else that of the headings, else the one that cuts
 * most lines into equally many cells. Records without text are left out.
 */
export function parseCsv(
  given: string,
  countHeadings: (cells: readonly string[]) => number = () => 0,
): CsvRecord[] {
  const text = given.replace(/^\uFEFF/, '')
  const named = SEPARATOR_LINE.exec(text)
  if (named?.[1]) {
    const rest = splitCsv(text.slice(named[0].length), named[1])
    return rest.map(({ line, cells }) => ({ line: line + 1, cells }))
  }
  const readings = SEPARATORS.map(separator => {
    const records = splitCsv(text.slice(0, SAMPLE_CHARACTERS), separator)
    const cells = Math.max(0, ...records.map(record => record.cells.length))
    return {
      separator,
      headings: countHeadings(records[findHeadings(records, countHeadings)]?.cells ?? []),
      regularity: regularity(records),
      cells,
    }
  })
  const [best] = readings.toSorted(
    (one, other) =>
      other.headings - one.headings || other.regularity - one.regularity || other.cells - one.cells,
  )
  return splitCsv(text, best?.separator ?? ',')
}

function splitCsv(text: string, separator: string): CsvRecord[] {
  const records: CsvRecord[] = []
  let [cells, cell, isQuoted, line, begin] = [[] as string[], '', false, 1, 1]
  const endRecord = () => {
    cells.push(readGuarded(cell.trim()))
    if (cells.some(Boolean)) records.push({ line: begin, cells })
    cells = []
    cell = ''
    begin = line + 1
  }
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at)
    const isBreak = sign === '\n' || (sign === '\r' && text.charAt(at + 1) !== '\n')
    if (isQuoted && sign === '"' && text.charAt(at + 1) === '"') {
      cell += '"'
      at += 1
    } else if (sign === '"' && (isQuoted || cell.trim() === '')) {
      isQuoted = !isQuoted
      if (isQuoted) cell = ''
    } else if (!isQuoted && sign === separator) {
      cells.push(readGuarded(cell.trim()))
      cell = ''
    } else if (!isQuoted && isBreak) endRecord()
    else if (isQuoted || sign !== '\r') cell += sign
    if (isBreak) line += 1
  }
  endRecord()
  return records
}
