import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { setImmediate as turn } from 'node:timers/promises'
import { afterAll, expect, test, vi } from 'vitest'
import { openNamelessFile } from '../../storage/nameless-file.ts'
import { SpooledBody } from './spooled-body.ts'

const folder = mkdtempSync(join(tmpdir(), 'floorcast spool '))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const CHUNK = 100_000
const chunkOf = (number: number) => Buffer.alloc(CHUNK, number)
const wholeOf = (count: number) => Buffer.concat(Array.from({ length: count }, (_, at) => chunkOf(at)))

/** A body of `chunks` chunks, whose file has room for some. `made` counts the chunks that the source has given. */
async function spool(
  count: number,
  { roomFor = Infinity, hasSpace = (): boolean => true, failsAt = -1 } = {},
) {
  const state = { made: 0, isMade: false, isHeldBack: false }
  function* make() {
    for (; state.made < count; state.made += 1) {
      if (state.made === failsAt) throw new Error('no more rows')
      yield chunkOf(state.made)
    }
  }
  const source = Readable.from(make(), { objectMode: false, highWaterMark: 1 })
  const body = new SpooledBody({
    source,
    file: await openNamelessFile(folder),
    maxAheadBytes: roomFor * CHUNK,
    requireSpace: async () => {
      if (!hasSpace()) throw new Error('full')
    },
    onMade: () => (state.isMade = true),
    onHeldBack: isHeldBack => (state.isHeldBack = isHeldBack),
  })
  return { body, source, state }
}

test('everything is made while nobody reads, and read as it was made', async () => {
  const { body, state } = await spool(50)
  await body.begun()
  await vi.waitFor(() => expect(state.isMade).toBe(true))
  expect((await buffer(body)).equals(wholeOf(50))).toBe(true)
})

test('a reader that is too far behind holds the making back, and gets everything', async () => {
  const { body, state } = await spool(60, { roomFor: 10 })
  await vi.waitFor(() => expect(state.isHeldBack).toBe(true))
  for (let times = 0; times < 20; times += 1) await turn()
  expect([state.isMade, state.made]).toEqual([false, expect.toSatisfy((made: number) => made <= 12)])
  expect((await buffer(body)).equals(wholeOf(60))).toBe(true)
  expect(state).toMatchObject({ isMade: true, isHeldBack: false })
})

test('on a full disk the making waits until all was read, chunk by chunk', async () => {
  const { body } = await spool(20, { hasSpace: () => false })
  expect((await buffer(body)).equals(wholeOf(20))).toBe(true)
})

test('an empty file begins and ends', async () => {
  const { body } = await spool(0)
  await body.begun()
  expect((await buffer(body)).length).toBe(0)
})

test('a failure before the first byte is told, and one in the middle breaks the body', async () => {
  const first = await spool(3, { failsAt: 0 })
  first.body.on('error', () => {})
  await expect(first.body.begun()).rejects.toThrow('no more rows')
  const middle = await spool(3, { failsAt: 2 })
  await middle.body.begun()
  await expect(buffer(middle.body)).rejects.toThrow('no more rows')
})

test('a reader that is gone ends the making', async () => {
  const { body, source, state } = await spool(1000, { roomFor: 5 })
  await body.begun()
  body.destroy()
  await vi.waitFor(() => expect(source.destroyed).toBe(true))
  expect(state.isMade).toBe(false)
})
