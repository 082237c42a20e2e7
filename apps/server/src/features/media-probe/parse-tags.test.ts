import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { parseTags } from './parse-tags.ts'

/** A frame of ID3v2.3 or, with a name of three letters, one that has a zero for the fourth. */
function frame(name: string, content: Buffer): Buffer {
  const header = Buffer.alloc(10)
  header.write(name, 'latin1')
  header.writeUInt32BE(content.length, 4)
  return Buffer.concat([header, content])
}
const latin = (text: string) => Buffer.from(`\0${text}`, 'latin1')
const utf16 = (text: string) => Buffer.from(text, 'utf16le')
const unmarked = (bytes: Buffer) => Buffer.concat([Buffer.from([1]), bytes])

function tag(major: number, flags: number, ...parts: Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([
    Buffer.from([0x49, 0x44, 0x33, major, 0, flags, 0, 0, body.length >> 7, body.length & 0x7f]),
    body,
  ])
}
const EXTENDED = 0x40
const [artist, title] = ['North & Sons', 'Spring offer']
const plain = [frame('TIT2', latin(title)), frame('TPE1', latin(artist))]
const other = [frame('TIT2', latin('Track 07')), frame('TPE1', latin('Unknown'))]

test.each([
  { name: 'the first of two tags', bytes: [tag(4, 0, ...plain), tag(3, 0, ...other)] },
  {
    name: 'ID3v2.3 with an extended header',
    bytes: [tag(3, EXTENDED, Buffer.from([0, 0, 0, 6, 0, 0, 0, 0, 0, 0]), ...plain)],
  },
  {
    name: 'ID3v2.3 with a checksum in its extended header',
    bytes: [tag(3, EXTENDED, Buffer.from([0, 0, 0, 10, 0x80, 0, 0, 0, 0, 0, 1, 2, 3, 4]), ...plain)],
  },
  {
    name: 'ID3v2.4 with an extended header',
    bytes: [tag(4, EXTENDED, Buffer.from([0, 0, 0, 6, 1, 0]), ...plain)],
  },
  {
    name: 'names of ID3v2.2 in ID3v2.3',
    bytes: [tag(3, 0, frame('TT2', latin(title)), frame('TP1', latin(artist)))],
  },
  {
    name: 'UTF-16 without its mark, little endian',
    bytes: [tag(3, 0, frame('TIT2', unmarked(utf16(title))), frame('TPE1', unmarked(utf16(artist))))],
  },
  {
    name: 'UTF-16 without its mark, big endian',
    bytes: [
      tag(
        3,
        0,
        frame('TIT2', unmarked(utf16(title).swap16())),
        frame('TPE1', unmarked(utf16(artist).swap16())),
      ),
    ],
  },
])('the credits are read from $name', async ({ bytes }) => {
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-tags-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'file.mp3')
  writeFileSync(path, Buffer.concat([...bytes, Buffer.alloc(400, 0xff)]))
  expect(await parseTags(path, 'mp3')).toMatchObject({ artist, title })
})
