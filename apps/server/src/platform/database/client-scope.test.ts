import { makeClient, makeDevice, makeGroup, TEST_NOW, type TestClient } from '@floorcast/testing/factories.ts'
import { testDatabase } from '@floorcast/testing/test-database.ts'
import { sql } from 'kysely'
import { beforeEach, expect, expectTypeOf, test } from 'vitest'
import { uuidV7 } from '../lib/uuid-v7.ts'
import type { ClientScope, Reads, Writes } from './client-scope.ts'
import { ANSWER_LATER } from './scoped-pool.ts'

const { database } = await testDatabase()
let north: TestClient
let south: TestClient

beforeEach(async () => {
  north = await makeClient(database, { name: 'North' })
  south = await makeClient(database, { name: 'South' })
})

const groupNames = async (reads: Reads) =>
  (await reads.selectFrom('groups').select('name').orderBy('name').execute()).map(group => group.name)

function addGroup(writes: Writes, clientId: string, name: string) {
  const at = TEST_NOW
  return writes
    .insertInto('groups')
    .values({ uid: uuidV7(), clientId, kind: 'audio', name, createdAt: at, changedAt: at })
    .execute()
}

const later = sql.raw(ANSWER_LATER)
const dividing = (writes: Writes) => sql`select 1 / 0 ${later}`.execute(writes)

test('a statement of a transaction that is not waited for is sent in its turn, before the statements after it', async () => {
  const names = await north.scope.write(async writes => {
    await addGroup(writes, north.clientId, 'First')
    await sql`update groups set name = 'Second' where name = 'First' ${later}`.execute(writes)
    return groupNames(writes)
  })
  expect(names).toEqual(['Second'])
  expect(await groupNames(north.scope.reads)).toEqual(['Second'])
})

test('a statement of a transaction that is not waited for fails the next one that is waited for, and nothing is stored', async () => {
  let isPast = false
  const write = north.scope.write(async writes => {
    await addGroup(writes, north.clientId, 'Lost')
    await dividing(writes)
    isPast = true
    await groupNames(writes)
  })
  await expect(write).rejects.toThrow('division by zero')
  expect(isPast).toBe(true)
  expect(await groupNames(north.scope.reads)).toEqual([])
})

test('a statement of a transaction that is not waited for fails the commit if it is the last one, and nothing is stored', async () => {
  const write = north.scope.write(async writes => {
    await addGroup(writes, north.clientId, 'Lost')
    await dividing(writes)
  })
  await expect(write).rejects.toThrow('division by zero')
  expect(await groupNames(north.scope.reads)).toEqual([])
  await north.scope.write(writes => addGroup(writes, north.clientId, 'Next'))
  expect(await groupNames(north.scope.reads)).toEqual(['Next'])
})

test('a statement of a transaction that is not waited for is done again with its transaction after a deadlock', async () => {
  await makeGroup(north.scope, { name: 'One' })
  await makeGroup(north.scope, { name: 'Two' })
  const both = Promise.withResolvers<void>()
  let tries = 0
  const lock = (first: string, second: string) =>
    north.scope.write(async writes => {
      await sql`update groups set kind = kind where name = ${first}`.execute(writes)
      tries += 1
      if (tries === 2) both.resolve()
      await both.promise
      await sql`update groups set kind = kind where name = ${second} ${later}`.execute(writes)
    })
  await Promise.all([lock('One', 'Two'), lock('Two', 'One')])
  // The one that is done again may take its first row before the other one wakes, which is a second deadlock.
  expect(tries).toBeGreaterThan(2)
})

test('a client scope shows and changes its own client alone', async () => {
  await makeGroup(north.scope, { name: 'Own' })
  const foreign = await makeGroup(south.scope, { name: 'Foreign' })
  expect(await groupNames(north.scope.reads)).toEqual(['Own'])
  const changed = await north.scope.write(writes =>
    writes.updateTable('groups').set({ name: 'Stolen' }).where('uid', '=', foreign).executeTakeFirst(),
  )
  expect(changed.numUpdatedRows).toBe(0n)
  expect(await groupNames(south.scope.reads)).toEqual(['Foreign'])
})

test('a client scope refuses a row of another client', async () => {
  const smuggle = north.scope.write(writes => addGroup(writes, south.clientId, 'Smuggled'))
  await expect(smuggle).rejects.toThrow(/row-level security/)
})

test('a client scope refuses a reference to an item of another client', async () => {
  const foreign = await makeGroup(south.scope)
  await expect(makeDevice(north.scope, { groupUid: foreign })).rejects.toThrow(/foreign key/)
})

test('a client scope keeps many clients apart on the same few connections at once', async () => {
  const clients = await Promise.all(Array.from({ length: 12 }, () => makeClient(database)))
  await Promise.all(clients.map(client => makeGroup(client.scope, { name: `Of ${client.clientId}` })))
  const seen = await Promise.all(
    clients.flatMap(client => Array.from({ length: 20 }, () => groupNames(client.scope.reads))),
  )
  expect(seen).toEqual(clients.flatMap(client => Array.from({ length: 20 }, () => [`Of ${client.clientId}`])))
})

test('a client scope a transaction that throws keeps nothing, one that resolves keeps all', async () => {
  const failing = north.scope.write(async writes => {
    await addGroup(writes, north.clientId, 'Half')
    throw new Error('changed my mind')
  })
  await expect(failing).rejects.toThrow('changed my mind')
  await north.scope.write(writes =>
    Promise.all([addGroup(writes, north.clientId, 'One'), addGroup(writes, north.clientId, 'Two')]),
  )
  expect(await groupNames(north.scope.reads)).toEqual(['One', 'Two'])
})

test('a client scope a transaction used after its end throws', async () => {
  let late: Writes | undefined
  await north.scope.write(async writes => void (late = writes))
  await expect(groupNames(late as unknown as Reads)).rejects.toThrow(/already committed|completed/)
})

test('a client scope a failed statement fails alone: the connection goes on', async () => {
  const bad = () => sql`select 1 / 0`.execute(north.scope.reads)
  for (let round = 0; round < 15; round++) await expect(bad()).rejects.toThrow(/division by zero/)
  expect(await groupNames(north.scope.reads)).toEqual([])
})

test('a client scope reads write nothing, whatever the compiler was told', async () => {
  const { reads } = north.scope
  const sneaky = sql`delete from groups`.execute(reads)
  await expect(sneaky).rejects.toThrow(/read-only transaction/)
})

test('a client scope reads together see one state of the database', async () => {
  await north.scope.readTogether(async reads => {
    expect(await groupNames(reads)).toEqual([])
    await makeGroup(north.scope, { name: 'Meanwhile' })
    expect(await groupNames(reads)).toEqual([])
  })
  expect(await groupNames(north.scope.reads)).toEqual(['Meanwhile'])
})

test('a client scope a client id that is none is refused before it reaches the database', () => {
  expect(() => database.forClient("' or true")).toThrow(TypeError)
})

test('a client scope values come out in the forms of the contract', async () => {
  await makeDevice(north.scope, { name: 'Forms' })
  const row = await north.scope.reads
    .selectFrom('devices')
    .select([
      'createdAt',
      sql<number>`count(*) over ()`.as('total'),
      sql<string>`date '2026-03-29'`.as('day'),
      sql<string>`time '08:30'`.as('time'),
    ])
    .executeTakeFirstOrThrow()
  expect(row).toEqual({ createdAt: '2026-11-21T12:00:00.000Z', total: 1, day: '2026-03-29', time: '08:30' })
})

test('a client scope a write without a transaction does not compile', () => {
  expectTypeOf<Writes>().toExtend<Reads>()
  expectTypeOf<Reads>().not.toExtend<Writes>()
  expectTypeOf<Reads>().not.toHaveProperty('insertInto')
  expectTypeOf<Reads>().not.toHaveProperty('updateTable')
  expectTypeOf<Reads>().not.toHaveProperty('deleteFrom')
  expectTypeOf<ClientScope['reads']>().toEqualTypeOf<Reads>()
})

test.each([
  ['2026-11-21 12:00:00+00', '2026-11-21T12:00:00.000Z'],
  ['2026-11-21 12:00:00.1+00', '2026-11-21T12:00:00.100Z'],
  ['2026-11-21 12:00:00.123456+00', '2026-11-21T12:00:00.123Z'],
  ['2026-11-21 12:00:00.123456+05:30', '2026-11-21T06:30:00.123Z'],
  ['1900-01-01 00:00:00+00', '1900-01-01T00:00:00.000Z'],
])('a moment %s comes out as %s', async (written, read) => {
  const { scope } = await makeClient(database)
  const row = await sql<{ moment: string }>`select ${written}::timestamptz as moment`.execute(scope.reads)
  expect(row.rows).toEqual([{ moment: read }])
})
