import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DeviceEvent } from '@floorcast/contract/events.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { EventStore } from './event-store.ts'
import { LastNumber } from './last-number.ts'
import { openStore, type Store } from './store.ts'

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

test('The mark of a sent event comes to the disk with the next event; a kill before sends it again', () => {
  const log = new EventStore(openStore(folder))
  /** The events that a start after a kill would send. */
  const leftOnDisk = () => unsentOf(new EventStore(openStore(folder)))
  log.append(note('a'))
  log.markSent(log.readUnsent(1), { accepted: 1, duplicates: 0, refused: new Map() }, Date.parse(at(1)))
  expect([unsentOf(log), leftOnDisk()]).toEqual([[], ['1a']])
  log.append(note('b'))
  expect([unsentOf(log), leftOnDisk()]).toEqual([['2b'], ['2b']])
})

test('An event is deleted after 90 days, sent or not', () => {
  const log = new EventStore(openStore(folder))
  log.append(note('old', 0))
  log.append(note('new', 1))
  log.purge(Date.parse(at(0)) + 90 * 86_400_000 + 1)
  expect([...log.readAll()]).toHaveLength(1)
})

/** Takes the disk of a store: a page limit is SQLite's own full disk. */
function fillDisk(store: Store): void {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  store.exec(`pragma max_page_count = ${Number(store.get('pragma page_count')?.['page_count'])}`)
}
const freeDisk = (store: Store) => store.exec('pragma max_page_count = 100000')
const lettersOf = (events: Iterable<unknown>) =>
  [...events].map(event => {
    const { sequence, message } = DeviceEvent.parse(event) as { sequence: number; message: string }
    return `${sequence}${message[0]}`
  })
const unsentOf = (log: EventStore) => lettersOf(log.readUnsent(100).map(({ body }) => body))

test('Events that a full disk refused are sent from memory, and written with the next event, in order and without a gap', () => {
  const store = openStore(folder)
  const log = new EventStore(store)
  log.append(note('a'))
  fillDisk(store)
  for (const letter of ['b', 'c']) log.append(note(letter.repeat(900)))
  for (const letter of ['d', 'e', 'f', 'g', 'h']) log.append(note(letter.repeat(1000)))
  expect(unsentOf(log)).toEqual(['1a', '2b', '3c', '4d', '5e', '6f', '7g', '8h'])
  expect([...log.readAll()].length).toBeLessThan(8)
  freeDisk(store)
  log.append(note('i'))
  const all = ['1a', '2b', '3c', '4d', '5e', '6f', '7g', '8h', '9i']
  expect([lettersOf(log.readAll()), unsentOf(log)]).toEqual([all, all])
})

test('On a full disk, sent events are not sent again, whether they were stored before or are in memory', () => {
  const store = openStore(folder)
  const log = new EventStore(store)
  for (const letter of ['a', 'b']) log.append(note(letter))
  fillDisk(store)
  for (let count = 0; count < 10; count += 1) log.append(note('c'.repeat(1000)))
  const receipt = { accepted: 12, duplicates: 0, refused: new Map<string, string>() }
  log.markSent(log.readUnsent(100), receipt, Date.parse(at(1)))
  expect(log.readUnsent(100)).toEqual([])
  log.append(note('d'))
  expect(unsentOf(log)).toEqual(['13d'])
  freeDisk(store)
  store.flush()
  expect(unsentOf(log)).toEqual(['13d'])
})

test('Beyond the bound of the memory the oldest events are dropped, and their numbers are missing', () => {
  const store = openStore(folder)
  const log = new EventStore(store, { maxWaiting: 3 })
  log.append(note('a'))
  fillDisk(store)
  store.exec('pragma query_only = on')
  for (const letter of ['b', 'c', 'd', 'e', 'f']) log.append(note(letter))
  expect(unsentOf(log)).toEqual(['1a', '4d', '5e', '6f'])
  store.exec('pragma query_only = off')
  freeDisk(store)
  log.append(note('g'))
  expect(lettersOf(log.readAll())).toEqual(['1a', '4d', '5e', '6f', '7g'])
})

test('After a kill with events in memory, the next start logs that they are lost, with a number after theirs', () => {
  const start = () => {
    const store = openStore(folder)
    return { store, log: new EventStore(store, { lastNumber: new LastNumber(folder) }) }
  }
  const { store, log } = start()
  log.append(note('a'))
  fillDisk(store)
  store.exec('pragma query_only = on')
  for (const letter of ['b', 'c']) log.append(note(letter))
  const next = start().log
  next.recordLost(at(1))
  next.append(note('d'))
  const events = [...next.readAll()].map(event => DeviceEvent.parse(event))
  expect(events).toMatchObject([
    { sequence: 1, bootId: log.bootId },
    { sequence: 4, bootId: log.bootId, code: 'events-lost' },
    { sequence: 1, bootId: next.bootId },
  ])
  const again = start().log
  again.recordLost(at(2))
  expect([...again.readAll()]).toHaveLength(3)
})
