import { type CsvSeparator, guardFormulas } from '@floorcast/contract/csv.ts'

export const SEPARATORS = { comma: ',', semicolon: ';' } as const satisfies Record<CsvSeparator, string>

function cell(text: string, separator: string): string {
  const plain = guardFormulas(text)
  return plain.includes(separator) || /["\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** A line of csv (RFC 4180). Apostrophes in texts keep spreadsheets of any separator from running them as formulas. */
export function csvLine(cells: readonly string[], separator: CsvSeparator = 'comma'): string {
  const sign = SEPARATORS[separator]
  return `${cells.map(text => cell(text, sign)).join(sign)}\r\n`
}

/** The begin of a csv file in UTF-8: without it, Excel reads the bytes in the code page of its country. */
export const BYTE_ORDER_MARK = '\uFEFF'
