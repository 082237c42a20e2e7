import { toNameText } from '@floorcast/contract/fields.ts'
import { cutAtWord } from '@floorcast/contract/names.ts'

const MAX_ORIGINAL_NAME_LENGTH = 255

const truncate = (text: string, length: number) => [...text].slice(0, length).join('').trim()

/** The name of an uploaded file without folders, NFC, at most 255 characters; empty if there is none. Browsers write `"` as %22. */
export function toOriginalName(fileName: string): string {
  const [name = ''] = fileName.replaceAll('%22', '"').normalize('NFC').split(/[\\/]/).slice(-1)
  return truncate(name.replaceAll(/\p{Cc}/gu, ''), MAX_ORIGINAL_NAME_LENGTH)
}

/**
 * The name of a file's item: without folder and extension, or with the extension if fewer than 3 characters are left. A file whose name
 * has no letter and no digit is named by its extension: 'mp3 file'.
 */
export function toItemName(fileName: string): string {
  const originalName = toOriginalName(fileName)
  const stem = cutAtWord(toNameText(originalName.replace(/\.[^.]*$/, '')))
  const hasText = /[\p{L}\p{N}]/u.test(stem)
  if (hasText && [...stem].length >= 3) return stem
  if (!hasText) return `${toNameText(/\.([^.]+)$/.exec(originalName)?.[1] ?? '').slice(0, 40)} file`.trim()
  const whole = cutAtWord(toNameText(originalName))
  return [...whole].length >= 3 ? whole : `${whole} file`.trim()
}
