import { expect, it } from 'vitest'
import { type M3u, readM3u, writeM3u } from './m3u.ts'

const read = (text: string, name = 'list.m3u8') => readM3u(name, new TextEncoder().encode(text))
const namesOf = (list: M3u | null) => list?.entries.map(({ fileName }) => fileName)

it('an M3U list names files by path, address or alone, whatever the line ends', () => {
  const text =
    '\uFEFF#EXTM3U\r\n#PLAYLIST: Morning \r\n#EXTINF:12,Tune\r\ntune.mp3\r\n\r\n/music/a b.mp3\r\nC:\\Music\\c.mp3\n../up/d.mp3\rhttps://host/x/%C3%A9.mp3?k=1#t\n'
  expect(read(text)?.name).toBe('Morning')
  expect(namesOf(read(text))).toEqual(['tune.mp3', 'a b.mp3', 'c.mp3', 'd.mp3', 'é.mp3'])
})

it('an M3U list keeps percent signs of plain names, and names composed', () => {
  expect(namesOf(read('50%25.mp3\ne\u0301.mp3'))).toEqual(['50%25.mp3', 'é.mp3'])
})

it('an M3U list of an older player is read by each code page that has its bytes', () => {
  const list = readM3u('old.M3U', Uint8Array.from([0x63, 0x61, 0x66, 0xe9, 0x2e, 0x6d, 0x70, 0x33]))
  expect(namesOf(list)).toEqual(['café.mp3'])
  const byCodePage = new Map(list?.readings?.map(({ codePage, fileNames }) => [codePage, fileNames]))
  expect(byCodePage.get('windows-1252')).toEqual(['café.mp3'])
  expect(byCodePage.get('windows-1251')).toEqual(['cafй.mp3'])
  expect(byCodePage.has('gb18030')).toBe(false)
})

it.each([
  ['utf16le', [0xff, 0xfe], ''],
  ['utf16be', [0xfe, 0xff], ''],
  ['windows-1251', [], '#EXTENC: windows-1251\r\n'],
  ['UTF-8', [], '#EXTENC:UTF-8\r\n'],
  ['an unknown one', [], '#EXTENC:KOI-9\r\n'],
])('an M3U list may be in another encoding: %s', (encoding, mark, heading) => {
  const text = `#EXTM3U\r\n${heading}Реклама.mp3\r\n`
  const little = Buffer.from(text, 'utf16le')
  const bytes = {
    utf16le: little,
    utf16be: Buffer.from(little).swap16(),
    // Cyrillic letters lie together there, in the order of Unicode.
    'windows-1251': Buffer.from([...text].map(sign => sign.charCodeAt(0) - (sign > '\u0400' ? 0x350 : 0))),
  }
  const file = bytes[encoding as keyof typeof bytes] ?? Buffer.from(text)
  expect(namesOf(readM3u('list.m3u', Buffer.concat([Buffer.from(mark), file])))).toEqual(['Реклама.mp3'])
})

it('an M3U list is none by another name, or with bytes that are no text', () => {
  expect(read('tune.mp3', 'list.txt')).toBeNull()
  expect(readM3u('list.m3u', Uint8Array.from([0x49, 0, 0x44]))).toBeNull()
})

const mediaUid = '0192d3a4-5b6c-7d8e-9f01-23456789abcd'
const item = { mediaUid, contentType: 'ads', name: 'A tune', durationSeconds: 12.6 } as const

it('an M3U list is written so that it reads back, with marks that others take for comments', () => {
  const text = writeM3u('Morning', [{ ...item, name: 'A\ntune', originalName: 'tune.mp3' }])
  expect(text).toBe(`#EXTM3U\n#PLAYLIST:Morning\n#EXTINF:13,A tune\n#FLOORCAST:ads ${mediaUid}\ntune.mp3\n`)
  const entries = [{ fileName: 'tune.mp3', mediaUid, contentType: 'ads' }]
  expect(read(text)).toEqual({ name: 'Morning', entries })
})

it.each(['#FLOORCAST:ads', '#FLOORCAST:songs 1', '#FLOORCAST:ads ------------------------------------'])(
  'an M3U list keeps an entry whose mark is broken: %s',
  mark => expect(read(`${mark}\ntune.mp3`)?.entries).toEqual([{ fileName: 'tune.mp3' }]),
)

it.each(['#1 hit.mp3', 'two  spaces.mp3', '%41 & 50 %.mp3', 'a#b?c.mp3', 'Ünï 音楽.mp3'])(
  'an M3U list finds the file that it named: %s',
  originalName => {
    expect(namesOf(read(writeM3u('Round', [{ ...item, originalName }])))).toEqual([originalName])
  },
)
