import { MAX_IMPORT_LINES } from '@floorcast/contract/device-import.ts'
import { decodeText } from '../../platform/decode-text.ts'
import { csvCell } from '../../platform/parse-csv.ts'
import type { SheetRow } from '../../platform/xlsx/read-xlsx.ts'

/** How a zip archive begins. */
const ARCHIVE = [0x50, 0x4b, 0x03, 0x04]

/** Why a file is no list: its text is in a code page, or it is a spreadsheet that is damaged, locked, too large or of another kind. */
export type UnreadableList = 'unreadable' | 'unreadableSheet'

/** The text of a csv file, or the first sheet of an xlsx file as csv, each row in the line of its number. */
export async function readListFile(file: Blob): Promise<{ text: string } | UnreadableList> {
  const bytes = await file.arrayBuffer()
  const begin = new Uint8Array(bytes.slice(0, ARCHIVE.length))
  if (!ARCHIVE.every((byte, at) => begin[at] === byte)) {
    const text = decodeText(bytes)
    return text === null ? 'unreadable' : { text }
  }
  const { readXlsx } = await import('../../platform/xlsx/read-xlsx.ts')
  try {
    return { text: sheetText(await readXlsx(bytes, MAX_IMPORT_LINES + 1)) }
  } catch {
    return 'unreadableSheet'
  }
}

/** A row is one line: a break within a cell would move all that follow. */
const toCell = (text: string) => csvCell(text.replaceAll(/[\r\n]+/g, ' '))

function sheetText(rows: readonly SheetRow[]): string {
  const lines: string[] = []
  for (const { number, cells } of rows) {
    if (number > MAX_IMPORT_LINES + 1) break
    while (lines.length < number - 1) lines.push('')
    lines.push(cells.map(toCell).join(','))
  }
  return lines.join('\n')
}
