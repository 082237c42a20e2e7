import { cutAtWord } from '@floorcast/contract/names.ts'

const MAX_ORIGINAL_NAME_LENGTH = 255
const NOT_IN_A_NAME = /[^\p{L}\p{M}\p{N} .,_\-'&+]+/gu

const clean = (text: string) => text.replaceAll(NOT_IN_A_NAME, ' ').replaceAll(/ +/g, ' ').trim()
const truncate = (text: string, length: number) => [...text].slice(0, length).join('').trim()

/** The name of an uploaded file without folders, NFC, at most 255 characters; empty if there is none. Browsers write `"` as %22. */
export function toOriginalName(fileName: string): string {
  const [name = ''] = fileName.replaceAll('%22', '"').normalize('NFC').split(/[\\/]/).slice(-1)
  return truncate(name.replaceAll(/\p{Cc}/gu, ''), MAX_ORIGINAL_NAME_LENGTH)
}

/** The name of a file's item: without folder and extension, or with the extension if fewer than 3 characters are left. */
export function toItemName(fileName: string): string {
  const originalName = toOriginalName(fileName)
  const stem = cutAtWord(clean(originalName.replace(/\.[^.]*$/, '')))
  if ([...stem].length >= 3) return stem
  const whole = cutAtWord(clean(originalName))
  return [...whole].length >= 3 ? whole : `${whole} file`.trim()
}
