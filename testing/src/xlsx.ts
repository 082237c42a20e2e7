import { buffer } from 'node:stream/consumers'
import {
  bookParts,
  CLOSE_SHEET,
  openSheet,
  sheetPath,
  sheetRow,
  stylesPart,
} from '@floorcast/server/features/reports/xlsx-parts.ts'
import { zipStream } from '@floorcast/server/platform/lib/zip-stream.ts'
import { runPython } from './python.ts'

/** A sheet as openpyxl reads it. */
export interface ParsedSheet {
  name: string
  isRightToLeft: boolean
  /** Cells with their types: text `s`, number `n`, date `d`, formula `f`. */
  rows: [string | null, string][][]
}

/** Checks the archive of an xlsx file and reads its sheets. */
export function parseXlsx(bytes: Uint8Array): ParsedSheet[] {
  const program = `
import io, json, sys, openpyxl, zipfile
file = io.BytesIO(sys.stdin.buffer.read())
assert zipfile.ZipFile(file).testzip() is None
book = openpyxl.load_workbook(file)
print(json.dumps([{
  "name": s.title,
  "isRightToLeft": bool(s.sheet_view.rightToLeft),
  "rows": [[[str(c.value) if c.value is not None else None, c.data_type] for c in row] for row in s.iter_rows()],
} for s in book]))`
  return runPython<ParsedSheet[]>(program, Buffer.from(bytes))
}

/** A sheet of texts as the server writes it. */
export function writeByServer(rows: readonly (readonly string[])[]): Promise<Buffer> {
  const places = { names: [], styles: [] }
  const written = rows.map((cells, at) => sheetRow(cells, { number: at + 1, ...places }))
  const parts = [
    { path: `xl/${sheetPath(0)}`, xml: openSheet([], false) + written.join('') + CLOSE_SHEET },
    { path: 'xl/styles.xml', xml: stylesPart([]) },
    ...bookParts(['Shops']),
  ]
  return buffer(zipStream(parts.map(({ path, xml }) => ({ path, content: [xml] }))))
}

/** A cell for openpyxl: a text, or a number with its format. */
export type PythonCell = string | null | { value: number; format: string }

/** A file with one sheet as openpyxl writes it, for each list of rows; `hidden` puts an empty sheet before it, which is not shown. */
export function writeByPython(
  files: readonly (readonly (readonly PythonCell[])[])[],
  hidden = false,
): Buffer[] {
  const program = `
import base64, io, json, sys, openpyxl
given = json.loads(sys.stdin.buffer.read())
files = []
for rows in given["files"]:
  book = openpyxl.Workbook()
  sheet = book.active
  if given["hidden"]:
    sheet.sheet_state = "hidden"
    sheet = book.create_sheet("Shops")
    book.active = 1
  for y, row in enumerate(rows, 1):
    for x, given_cell in enumerate(row, 1):
      if given_cell is None: continue
      cell = sheet.cell(y, x)
      if isinstance(given_cell, dict):
        cell.value = given_cell["value"]
        cell.number_format = given_cell["format"]
      else:
        cell.value = given_cell
        cell.data_type = "s"
  out = io.BytesIO()
  book.save(out)
  files.append(base64.b64encode(out.getvalue()).decode())
print(json.dumps(files))`
  const made = runPython<string[]>(program, Buffer.from(JSON.stringify({ files, hidden })))
  return made.map(file => Buffer.from(file, 'base64'))
}
