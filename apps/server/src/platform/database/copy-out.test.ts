import { PassThrough } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import type { Connection } from 'pg'
import { expect, it } from 'vitest'
import { CopyOut } from './copy-out.ts'

/** A message of PostgreSQL. */
function message(code: string, content = ''): Buffer {
  const head = Buffer.alloc(5)
  head.write(code)
  head.writeUInt32BE(4 + Buffer.byteLength(content), 1)
  return Buffer.concat([head, Buffer.from(content)])
}

/** A connection whose data the test writes, and what its own reader got. */
function openConnection() {
  const stream = new PassThrough()
  const given: Buffer[] = []
  stream.on('data', (data: Buffer) => given.push(data))
  const connection = { stream, query: () => {} } as unknown as Connection
  return { stream, connection, given: () => Buffer.concat(given).toString() }
}

const ROWS = ['one\ttwo\n', 'ü and a long text of the second row\n', 'x\n']
const COPY = Buffer.concat([
  message('H', 'head'),
  ...ROWS.map(row => message('d', row)),
  message('N', 'a notice'),
  message('d', 'last\n'),
  message('c'),
])
const END = Buffer.concat([message('C', 'COPY 4'), message('Z', 'I')])

it('CopyOut gives the rows and then its connection back, wherever the network cuts the messages', async () => {
  const all = Buffer.concat([COPY, END])
  for (const size of [1, 2, 3, 7, 64, all.length]) {
    const { stream, connection, given } = openConnection()
    const rows = new CopyOut('copy …')
    rows.submit(connection)
    for (let at = 0; at < all.length; at += size) stream.write(Buffer.from(all.subarray(at, at + size)))
    expect((await buffer(rows)).toString()).toBe(`${ROWS.join('')}last\n`)
    await expect.poll(given).toBe(END.toString())
  }
})

it('CopyOut gives the first rows before the others come, and then large chunks', async () => {
  const { stream, connection } = openConnection()
  const rows = new CopyOut('copy …')
  rows.submit(connection)
  const chunks = rows[Symbol.asyncIterator]()
  stream.write(message('d', ROWS[0]))
  expect(String((await chunks.next()).value)).toBe(ROWS[0])
  const row = `${'x'.repeat(999)}\n`
  for (let n = 0; n < 200; n += 1) stream.write(message('d', row))
  stream.write(Buffer.concat([message('c'), END]))
  const sizes = []
  for await (const chunk of { [Symbol.asyncIterator]: () => chunks }) sizes.push((chunk as Buffer).length)
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(200_000)
  expect(sizes.length).toBeLessThan(6)
})

it('CopyOut stops the connection while its reader is behind', async () => {
  const { stream, connection } = openConnection()
  const rows = new CopyOut('copy …')
  rows.submit(connection)
  const writeRow = () => stream.write(message('d', 'y'.repeat(100_000)))
  writeRow()
  await expect.poll(() => stream.isPaused()).toBe(true)
  writeRow()
  expect(stream.readableLength).toBe(100_005)
  stream.write(Buffer.concat([message('c'), END]))
  expect((await buffer(rows)).length).toBe(200_000)
})

it('CopyOut leaves an error to the connection, and ends with it', async () => {
  const { stream, connection, given } = openConnection()
  const rows = new CopyOut('copy …')
  rows.submit(connection)
  const failure = Buffer.concat([message('E', 'canceled'), message('Z', 'E')])
  stream.write(Buffer.concat([message('d', ROWS[0]), failure.subarray(0, 3)]))
  stream.write(failure.subarray(3))
  await expect.poll(given).toBe(failure.toString())
  rows.handleError(new Error('canceled'))
  await expect(buffer(rows)).rejects.toThrow('canceled')
})
