import { spawnSync } from 'node:child_process'

/** The text of a pdf as poppler reads it, each line of the page a line; without marks of direction. */
export function pdfText(bytes: Buffer): string {
  const options = { input: bytes, maxBuffer: 100_000_000, encoding: 'utf8' } as const
  const { stdout, stderr } = spawnSync('pdftotext', ['-layout', '-', '-'], options)
  if (stderr) throw new Error(stderr)
  return stdout.replaceAll(/[\u202a-\u202e]/g, '')
}
