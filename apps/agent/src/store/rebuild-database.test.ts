import { randomFillSync } from 'node:crypto'
import {
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { EventStore } from './event-store.ts'
import { Quarantine } from './failed-files.ts'
import { makeStateStore } from './state-store.ts'
import { openStore } from './store.ts'

const EVENTS = 300
const note = (code: string) =>
  ({ kind: 'debug', level: 'info', code, message: 'm'.repeat(200), at: '2026-11-28T08:00:00.000Z' }) as const

/** Reads what a start of the agent reads, and writes. */
function open(dataDir: string) {
  const store = openStore(dataDir)
  const troubles: string[] = []
  store.onTrouble(({ kind }) => troubles.push(kind))
  const [state, events, quarantine] = [makeStateStore(store), new EventStore(store), new Quarantine(store)]
  const programmes = () => state.names('programme-').length
  return { store, state, events, quarantine, troubles, programmes }
}

function fill(dataDir: string): void {
  const { store, state, events, quarantine } = open(dataDir)
  for (let number = 0; number < EVENTS; number += 1) events.append(note(String(number)))
  for (let number = 0; number < 20; number += 1) state.write(`programme-${number}`, 'p'.repeat(3000))
  quarantine.add({ sha256: 'a', name: 'Horn' }, { why: 'no sound', at: 0 })
  store.close()
}

const rootPages = (path: string) => {
  const database = new DatabaseSync(path)
  const rows = database.prepare('select name, rootpage from sqlite_master where rootpage > 0').all()
  database.close()
  return new Map(rows.map(({ name, rootpage }) => [String(name), Number(rootpage)]))
}

function damagePage(path: string, page: number): void {
  writeSync(openSync(path, 'r+'), randomFillSync(Buffer.alloc(4096)), 0, 4096, (page - 1) * 4096)
}

const copies = () => readdirSync(tmpdir()).filter(name => name.startsWith('floorcast-agent-copy-')).length

interface Case {
  damage: (path: string) => void
  /** The rest of the events, the programmes and the quarantine. */
  left: { events: number; programmes: number; quarantine: number }
}
const all = { events: EVENTS, programmes: 20, quarantine: 1 }
const ofRoot = (name: string, left: Partial<Case['left']> = {}): [string, Case] => [
  `the root page of ${name}`,
  { damage: path => damagePage(path, rootPages(path).get(name) ?? 0), left: { ...all, ...left } },
]
const cases: [string, Case][] = [
  ofRoot('quarantine', { quarantine: 0 }),
  ofRoot('state', { programmes: 0 }),
  ofRoot('event', { events: 0 }),
  ofRoot('event_unsent'),
  ofRoot('event_at'),
  ofRoot('sqlite_autoindex_event_1'),
  ofRoot('sqlite_autoindex_event_2'),
  ofRoot('sqlite_autoindex_state_1'),
  [
    'the first page',
    { damage: path => damagePage(path, 1), left: { events: 0, programmes: 0, quarantine: 0 } },
  ],
  [
    'nothing left',
    { damage: path => truncateSync(path, 0), left: { events: 0, programmes: 0, quarantine: 0 } },
  ],
]

test.each(cases)('A store is made again of what can be read: damaged is %s', async (_, { damage, left }) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'floorcast-store-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  fill(dataDir)
  const before = copies()
  const path = join(dataDir, 'agent.db')
  damage(path)
  const isEmpty = statSync(path).size === 0
  const { store, state, events, quarantine, programmes, troubles } = open(dataDir)
  expect({
    events: events.readUnsent(1000).length,
    programmes: programmes(),
    quarantine: quarantine.list().length,
  }).toEqual(left)
  events.append(note('after'))
  expect(state.write('after', 1)).toBe(true)
  await Promise.resolve()
  expect(troubles).toEqual(isEmpty ? [] : ['rebuilt'])
  expect(existsSync(`${path}.unreadable`)).toBe(!isEmpty)
  store.close()
  const database = new DatabaseSync(path)
  expect(database.prepare('pragma integrity_check').all()).toEqual([{ integrity_check: 'ok' }])
  database.close()
  expect(copies()).toBe(before)
})

test('A page that is damaged while the agent runs is found by a statement, and the store is made again', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'floorcast-store-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  fill(dataDir)
  const path = join(dataDir, 'agent.db')
  const { store, events, troubles } = open(dataDir)
  damagePage(path, rootPages(path).get('event') ?? 0)
  // SQLite does not read again what its cache has: this empties it.
  store.exec('pragma shrink_memory')
  for (let number = 0; number < 5; number += 1) events.append(note(`later ${number}`))
  expect(events.readUnsent(1000).map(({ body }) => (body as { code: string }).code)).toEqual(
    expect.arrayContaining(['later 0', 'later 4']),
  )
  await Promise.resolve()
  expect(troubles).toEqual(['rebuilt'])
  store.close()
})

test('A half of a database is as good as what can be read of it', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'floorcast-store-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  fill(dataDir)
  const path = join(dataDir, 'agent.db')
  const before = copies()
  truncateSync(path, Math.floor(statSync(path).size / 8192) * 4096)
  const { store, events, state } = open(dataDir)
  expect(events.readUnsent(1000).length).toBeGreaterThan(10)
  expect(state.write('after', 1)).toBe(true)
  store.close()
  expect(copies()).toBe(before)
})
