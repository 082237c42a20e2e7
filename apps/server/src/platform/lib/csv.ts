/** Spreadsheets run a cell that begins so as a formula. A text with apostrophes before it gets one more, so that it can be read back. */
const FORMULA = /^'*[=+\-@\t\r]/

function cell(text: string): string {
  const plain = FORMULA.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** A line of csv (RFC 4180). An apostrophe before a text that begins like a formula keeps spreadsheets from running it. */
export const csvLine = (cells: readonly string[]): string => `${cells.map(cell).join(',')}\r\n`

/** The begin of a csv file in UTF-8: without it, Excel reads the bytes in the code page of its country. */
export const BYTE_ORDER_MARK = '\uFEFF'
