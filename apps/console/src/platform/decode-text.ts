/** The encoding that the byte order mark names; UTF-8 without one. */
function encodingOf([first, second]: Uint8Array): string {
  if (first === 0xff && second === 0xfe) return 'utf-16le'
  if (first === 0xfe && second === 0xff) return 'utf-16be'
  return 'utf-8'
}

/**
 * The text of a file in UTF-8, or in UTF-16 with a byte order mark. Null for all others: code pages such as cp1252 and
 * cp1256, in which Excel saves 'CSV', do not name themselves, and a wrong guess would change the names of shops.
 */
export function decodeText(file: ArrayBuffer): string | null {
  try {
    const text = new TextDecoder(encodingOf(new Uint8Array(file)), { fatal: true }).decode(file)
    // UTF-16 without a mark, and files that are not text.
    return text.includes('\0') ? null : text
  } catch {
    return null
  }
}
