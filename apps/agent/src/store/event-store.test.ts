import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DeviceEvent } from '@floorcast/contract/events.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { EventStore } from './event-store.ts'
import { openStore } from './store.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'floorcast-store-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const at = (hour: number) => new Date(Date.UTC(2026, 10, 21, hour)).toISOString()
const note = (message: string, hour = 0) =>
  ({ kind: 'debug', level: 'info', code: 'note', message, at: at(hour) }) as const

test('Sequence numbers run from 1 in each start without gaps', () => {
  const first = new EventStore(openStore(folder))
  for (const message of ['a', 'b']) first.append(note(message))
  const second = new EventStore(openStore(folder))
  second.append(note('c'))
  const events = [...second.readAll()].map(event => DeviceEvent.parse(event))
  expect(events.map(event => event.sequence)).toEqual([1, 2, 1])
  expect(events.map(event => event.bootId)).toEqual([first.bootId, first.bootId, second.bootId])
  expect(new Set(events.map(event => event.id)).size).toBe(3)
})

test('Batches are oldest first; a refused event is not sent again, and all events stay in the log', () => {
  const log = new EventStore(openStore(folder))
  for (const message of ['a', 'b', 'c']) log.append(note(message))
  const batch = log.readUnsent(2)
  expect(batch.map(event => (event.body as { message: string }).message)).toEqual(['a', 'b'])
  const refused = new Map([[batch[0]?.id ?? '', 'wrong']])
  log.markSent(batch, { accepted: 1, duplicates: 0, refused }, Date.parse(at(1)))
  expect(log.readUnsent(10)).toHaveLength(1)
  expect([...log.readAll()]).toHaveLength(3)
})

test('An event is deleted after 90 days, sent or not', () => {
  const log = new EventStore(openStore(folder))
  log.append(note('old', 0))
  log.append(note('new', 1))
  log.purge(Date.parse(at(0)) + 90 * 86_400_000 + 1)
  expect([...log.readAll()]).toHaveLength(1)
})

test('Events that a full disk refused are written with the next event, in order and without a gap', () => {
  const store = openStore(folder)
  const log = new EventStore(store)
  log.append(note('a'))
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  // A page limit is SQLite's own full disk.
  const { page_count: pages } = store.prepare('pragma page_count').get() as { page_count: number }
  store.exec(`pragma max_page_count = ${pages}`)
  log.append(note('b'.repeat(100_000)))
  log.append(note('c'))
  expect(printed).toHaveBeenCalledTimes(2)
  store.exec('pragma max_page_count = 100000')
  log.append(note('d'))
  const events = [...log.readAll()].map(event => event as { sequence: number; message: string })
  expect(events.map(event => [event.sequence, event.message[0]])).toEqual([
    [1, 'a'],
    [2, 'b'],
    [3, 'c'],
    [4, 'd'],
  ])
})
