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
