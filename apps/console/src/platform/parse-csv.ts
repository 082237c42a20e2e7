import { readGuarded } from '@floorcast/contract/csv.ts'

/** A record of a csv file and the line where it begins, from 1. */
export interface CsvRecord {
  line: number
  cells: string[]
}

const SAMPLE_CHARACTERS = 2000

/** The separator that the text begins with most often: spreadsheets paste tabs, and save semicolons in many countries. */
function separatorOf(text: string): string {
  const sample = text.slice(0, SAMPLE_CHARACTERS)
  const counts = [',', ';', '\t'].map(sign => ({ sign, count: sample.split(sign).length }))
  return counts.toSorted((one, other) => other.count - one.count)[0]?.sign ?? ','
}

/** The records of csv (RFC 4180), separated by commas, semicolons or tabs. Records without text are left out. */
export function parseCsv(given: string): CsvRecord[] {
  const text = given.replace(/^\uFEFF/, '')
  const separator = separatorOf(text)
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
