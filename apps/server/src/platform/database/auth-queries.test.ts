import { makeClient, makeDevice, TEST_NOW, type TestClient } from '@floorcast/testing/factories.ts'
import { fakeClock } from '@floorcast/testing/fake-clock.ts'
import { testDatabase } from '@floorcast/testing/test-database.ts'
import { createHash } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { uuidV7 } from '../lib/uuid-v7.ts'

const { database } = await testDatabase()
const { auth } = database
const hash = (text: string) => createHash('sha256').update(text).digest()
const HOUR = 3600
let client: TestClient

beforeEach(async () => {
  client = await makeClient(database)
})

async function addSession(token: string, at: Date): Promise<string> {
  const uid = uuidV7()
  const after = (seconds: number) => new Date(at.getTime() + seconds * 1000)
  await client.scope.write(writes =>
    writes
      .insertInto('sessions')
      .values({
        uid,
        clientId: client.clientId,
        userUid: client.userUid,
        tokenHash: hash(token),
        createdAt: at,
        lastUsedAt: at,
        idleExpiresAt: after(12 * HOUR),
        expiresAt: after(24 * HOUR),
      })
      .execute(),
  )
  return uid
}

test('users are found by email, whatever its case; an email belongs to one user of all clients', async () => {
  const user = await auth.userByEmail(client.email.toUpperCase())
  expect(user).toMatchObject({
    uid: client.userUid,
    clientId: client.clientId,
    role: 'admin',
    rights: 'full',
    subscriptionExpiresAt: '2026-12-21T12:00:00.000Z',
  })
  await expect(makeClient(database, { email: client.email })).rejects.toThrow('is taken')
  expect(await auth.userByEmail('nobody@shop.example')).toBeNull()
})

const find = (token: string, at: Date, idleSeconds: number) =>
  auth.sessionByToken(hash(token), { at, idleSeconds, address: '10.0.0.1' })

test('sessions live while they are used, until idle too long, and no longer than their end', async () => {
  const clock = fakeClock()
  const token = `token of ${client.clientId}`
  const sessionUid = await addSession(token, clock.now())
  const session = () => find(token, clock.now(), 12 * HOUR)
  expect(await session()).toMatchObject({ sessionUid, uid: client.userUid, clientId: client.clientId })
  clock.advance(11 * HOUR)
  expect(await session()).not.toBeNull()
  clock.advance(11 * HOUR)
  expect(await session()).not.toBeNull()
  clock.advance(3 * HOUR)
  expect(await session()).toBeNull()
})

test('sessions end by idleness', async () => {
  const clock = fakeClock()
  const token = `idle of ${client.clientId}`
  await addSession(token, clock.now())
  clock.advance(12 * HOUR)
  expect(await find(token, clock.now(), 12 * HOUR)).toBeNull()
})

test('sessions end when revoked', async () => {
  const token = `revoked of ${client.clientId}`
  const uid = await addSession(token, TEST_NOW)
  await client.scope.write(writes =>
    writes.updateTable('sessions').set({ revokedAt: TEST_NOW }).where('uid', '=', uid).execute(),
  )
  expect(await find(token, TEST_NOW, HOUR)).toBeNull()
})

async function addTicket(ticket: string, isOnce: boolean) {
  const sessionUid = await addSession(`session of ${ticket}`, TEST_NOW)
  const expiresAt = new Date(TEST_NOW.getTime() + 600_000)
  await client.scope.write(writes =>
    writes
      .insertInto('tickets')
      .values({
        ticketHash: hash(ticket),
        clientId: client.clientId,
        sessionUid,
        path: '/api/v2/live',
        isOnce,
        expiresAt,
      })
      .execute(),
  )
}

test('tickets are good for their path and their time; a one-use one for once', async () => {
  const [once, often] = [`once ${client.clientId}`, `often ${client.clientId}`]
  await addTicket(once, true)
  await addTicket(often, false)
  const redeem = (ticket: string, path = '/api/v2/live', at = TEST_NOW) =>
    auth.redeemTicket(hash(ticket), path, at)
  expect(await redeem(once, '/api/v2/other')).toBeNull()
  const both = await Promise.all([redeem(once), redeem(once)])
  expect(both.filter(session => session !== null)).toHaveLength(1)
  expect(await redeem(often)).toMatchObject({ uid: client.userUid })
  expect(await redeem(often)).toMatchObject({ uid: client.userUid })
  expect(await redeem(often, '/api/v2/live', new Date(TEST_NOW.getTime() + 600_000))).toBeNull()
})

const use = (licenseKey: string, boxUid: string, token: string) => ({
  licenseKey,
  boxUid,
  tokenHash: hash(token),
  model: 'Box 1',
  runUid: null,
  formerSessionUid: null,
})
const bind = async (licenseKey: string, boxUid: string, token: string) =>
  (await auth.bindLicenses([use(licenseKey, boxUid, token)], TEST_NOW))[0]

test('license keys bind to the first player; that player may come again, another is refused', async () => {
  const device = await makeDevice(client.scope)
  const [player, other] = [uuidV7(), uuidV7()]
  const [first, second] = [`first ${device.uid}`, `second ${device.uid}`]
  const bound = { outcome: 'bound', deviceUid: device.uid, clientId: client.clientId }
  expect(await bind(device.licenseKey, player, first)).toEqual(bound)
  expect(await auth.deviceByToken(hash(first))).toMatchObject({
    uid: device.uid,
    clientId: client.clientId,
  })
  expect(await bind(device.licenseKey, other, 'stolen')).toMatchObject({ outcome: 'taken' })
  expect(await bind(device.licenseKey, player, second)).toEqual(bound)
  expect(await auth.deviceByToken(hash(first))).toBeNull()
  expect(await auth.deviceByToken(hash(second))).not.toBeNull()
  expect(await bind('no such key', player, 'x')).toMatchObject({ outcome: 'unknown' })
})

test('license keys two players at once: one gets it', async () => {
  const device = await makeDevice(client.scope)
  const outcomes = await Promise.all(
    Array.from({ length: 4 }, (_, n) => bind(device.licenseKey, uuidV7(), `${device.uid} ${n}`)),
  )
  expect(outcomes.map(binding => binding?.outcome).filter(outcome => outcome === 'bound')).toHaveLength(1)
})

test('license keys many at once have the outcomes of one after the other', async () => {
  const [first, second] = [await makeDevice(client.scope), await makeDevice(client.scope)]
  const [player, other] = [uuidV7(), uuidV7()]
  const keys = [second.licenseKey, 'no such key', first.licenseKey, second.licenseKey, second.licenseKey]
  const players = [player, player, player, other, player]
  const outcomes = await auth.bindLicenses(
    keys.map((key, n) => use(key, players[n] ?? player, `${client.clientId} ${n}`)),
    TEST_NOW,
  )
  const bound = (device: { uid: string }) => ({
    outcome: 'bound',
    deviceUid: device.uid,
    clientId: client.clientId,
  })
  expect(outcomes).toMatchObject([
    bound(second),
    { outcome: 'unknown' },
    bound(first),
    { outcome: 'taken' },
    bound(second),
  ])
  const tokens = await Promise.all(keys.map((_, n) => auth.deviceByToken(hash(`${client.clientId} ${n}`))))
  expect(tokens.map(found => found?.uid)).toEqual([undefined, undefined, first.uid, undefined, second.uid])
})

test('license keys a device in the bin opens nothing', async () => {
  const device = await makeDevice(client.scope)
  await bind(device.licenseKey, uuidV7(), `token ${device.uid}`)
  await client.scope.write(writes =>
    writes.updateTable('devices').set({ deletedAt: TEST_NOW }).where('uid', '=', device.uid).execute(),
  )
  expect(await auth.deviceByToken(hash(`token ${device.uid}`))).toBeNull()
})

test('jobs open each client in turn', async () => {
  const ids = await database.jobs.clientIds()
  expect(ids).toContain(client.clientId)
  const seen = await database.jobs
    .forClient(client.clientId)
    .reads.selectFrom('clients')
    .select('uid')
    .execute()
  expect(seen).toEqual([{ uid: client.clientId }])
})

test("jobs set a subscription by a user's email", async () => {
  const until = new Date('2027-01-01T00:00:00Z')
  expect(await database.jobs.setSubscription(client.email, 'basic', until, TEST_NOW)).toBe(true)
  expect(await database.jobs.setSubscription('nobody@shop.example', 'basic', until, TEST_NOW)).toBe(false)
  const [row] = await client.scope.reads
    .selectFrom('clients')
    .select(['planKey', 'subscriptionExpiresAt'])
    .execute()
  expect(row).toEqual({ planKey: 'basic', subscriptionExpiresAt: '2027-01-01T00:00:00.000Z' })
})
