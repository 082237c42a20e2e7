import { spawnSync } from 'node:child_process'
import { inflateSync } from 'node:zlib'

/** The text of a pdf as poppler reads it, each line of the page a line; without marks of direction. */
export function pdfText(bytes: Buffer): string {
  const options = { input: bytes, maxBuffer: 100_000_000, encoding: 'utf8' } as const
  const { stdout, stderr } = spawnSync('pdftotext', ['-layout', '-', '-'], options)
  if (stderr) throw new Error(stderr)
  return stdout.replaceAll(/[\u202a-\u202e]/g, '')
}

/** The operators of the pages, one a line, as pdfkit writes them; also the other streams of the file. */
export function pdfOperators(bytes: Buffer): string {
  const heads = [
    ...bytes.toString('latin1').matchAll(/\/Length (\d+)\n\/Filter \/FlateDecode\n>>\nstream\n/g),
  ]
  return heads
    .map(({ index, 0: head, 1: length }) => {
      const start = index + head.length
      return inflateSync(bytes.subarray(start, start + Number(length))).toString('latin1')
    })
    .join('\n')
}
