const NAME_LENGTH = 50
const ORIGINAL_LENGTH = 255
const NOT_IN_A_NAME = /[^\p{L}\p{M}\p{N} .,_\-'&+]+/gu

const clean = (text: string) => text.replaceAll(NOT_IN_A_NAME, ' ').replaceAll(/ +/g, ' ').trim()
const cut = (text: string, length: number) => [...text].slice(0, length).join('').trim()

/** The name of an uploaded file without any folder, NFC, at most 255 characters; empty if there is none. Browsers write `"` as %22. */
export function originalNameOf(fileName: string): string {
  const [name = ''] = fileName.replaceAll('%22', '"').normalize('NFC').split(/[\\/]/).slice(-1)
  return cut(name.replaceAll(/\p{Cc}/gu, ''), ORIGINAL_LENGTH)
}

/** An item's first name: its file's without the extension, with it where that leaves fewer than 3 characters. */
export function nameFromFile(originalName: string): string {
  const stem = cut(clean(originalName.replace(/\.[^.]*$/, '')), NAME_LENGTH)
  if ([...stem].length >= 3) return stem
  const whole = cut(clean(originalName), NAME_LENGTH)
  return [...whole].length >= 3 ? whole : cut(`${whole} file`.trim(), NAME_LENGTH)
}
