import { expect, it } from 'vitest'
import { decodeText } from './decode-text.ts'

const bytesOf = (...bytes: number[]) => new Uint8Array(bytes).buffer
const text = 'Café, مخبز'
const utf16 = (isBigEndian: boolean) => {
  const view = new DataView(new ArrayBuffer(2 + text.length * 2))
  for (const [n, unit] of ['\uFEFF', ...text].entries())
    view.setUint16(n * 2, unit.charCodeAt(0), !isBigEndian)
  return view.buffer
}

it('reads UTF-8, and UTF-16 with a byte order mark', () => {
  const utf8 = new TextEncoder().encode(text).buffer
  expect([utf8, utf16(false), utf16(true)].map(decodeText)).toEqual([text, text, text])
  expect(decodeText(new TextEncoder().encode(`\uFEFF${text}`).buffer)).toBe(text)
  expect(decodeText(bytesOf())).toBe('')
})

it.each([
  ['cp1252', bytesOf(0x43, 0x61, 0x66, 0xe9, 0x2c)],
  ['cp1256', bytesOf(0xe3, 0xce, 0xc8, 0xd2)],
  ['UTF-16 without a byte order mark', bytesOf(0x43, 0, 0x61, 0)],
  ['UTF-16 that ends within a character', bytesOf(0xff, 0xfe, 0x43)],
  ['an Excel workbook', bytesOf(0x50, 0x4b, 3, 4, 0x14, 0, 6, 0)],
])('does not guess %s', (_, bytes) => {
  expect(decodeText(bytes)).toBeNull()
})
