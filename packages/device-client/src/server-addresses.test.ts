import { randomUUID } from 'node:crypto'
import { hashOf, ServerDouble } from '@floorcast/testing/device-server.ts'
import { addressTextOf } from '@floorcast/contract/server-address.ts'
import { makeUpdateKeys } from '@floorcast/testing/update-keys.ts'
import { expect, onTestFinished, test } from 'vitest'
import { HOME_MS, KnownAddresses } from './server-addresses.ts'

const keys = makeUpdateKeys()
const CLIENT = '01933d4e-0000-7000-8000-000000000002'
const KEY = 'KEY'

async function startServer(playPoint: string) {
  const server = new ServerDouble(playPoint)
  await server.start()
  onTestFinished(() => server.stop())
  return server
}

/** A device that was installed with a server, and another one of the same device. */
async function newDevice({
  updateKey = keys.publicKey,
  isBound = true,
}: { updateKey?: string | null; isBound?: boolean } = {}) {
  const playPointUid = randomUUID()
  const [first, second] = [await startServer(playPointUid), await startServer(playPointUid)]
  const values = new Map<string, unknown>()
  const lines: string[] = []
  const clock = { now: 1_000_000 }
  const session = isBound ? { licenseKey: KEY, playPointUid } : null
  const start = (installed = first.url, key = updateKey) =>
    new KnownAddresses({
      installed,
      licenseKey: KEY,
      updateKey: key,
      state: {
        read: name => values.get(name) ?? null,
        write: (name, value) => Boolean(values.set(name, value)),
      },
      storage: { read: () => session },
      log: { debug: (level, code, message) => lines.push(`${level} ${code} ${message}`) },
      fetch,
      now: () => clock.now,
    })
  const addresses = start()
  addresses.noteOpened(first.url, CLIENT)
  const sign = (address: string, counter: number, client = CLIENT) =>
    keys.signAddress({ client, address, counter })
  return { first, second, addresses, start, lines, clock, sign }
}

test('a signed address is tried when the first server is gone, and kept over a restart', async () => {
  const { first, second, addresses, start, sign } = await newDevice()
  expect(addresses.hasOther(first.url)).toBe(false)
  addresses.noteTold({ signed: sign(second.url, 7) })
  expect(await addresses.find(first.url, false)).toBeNull()
  expect(addresses.report()).toEqual({ address: first.url, counter: 7, refused: null })
  await first.stop()
  expect(await addresses.find(first.url, false)).toBe(second.url)
  addresses.noteOpened(second.url, CLIENT)
  const again = start()
  expect([again.first, again.report().counter]).toEqual([second.url, 7])
  expect(await again.find(second.url, false)).toBeNull()
})

test('a device leaves a signed address for that of its installation after an hour of silence, and only for a proof', async () => {
  const { first, second, addresses, start, clock, sign } = await newDevice()
  addresses.noteTold({ signed: sign(second.url, 7) })
  await addresses.find(first.url, false)
  addresses.noteOpened(second.url, CLIENT)
  await second.stop()
  expect(await addresses.find(second.url, false)).toBeNull()
  clock.now += HOME_MS - 1
  // Its silence outlives a restart.
  expect(await start().find(second.url, false)).toBeNull()
  clock.now += 1
  first.licenseHash = Buffer.from(hashOf(Buffer.from('another key')), 'hex')
  expect(await addresses.find(second.url, false)).toBeNull()
  first.licenseHash = Buffer.from(hashOf(Buffer.from(KEY)), 'hex')
  expect(await addresses.find(second.url, false)).toBe(first.url)
  addresses.noteOpened(first.url, CLIENT)
  // An answer ends a silence: the next one is another hour.
  await second.start()
  await first.stop()
  expect(await addresses.find(first.url, false)).toBe(second.url)
  addresses.noteOpened(second.url, CLIENT)
  await second.stop()
  await first.start()
  expect(await addresses.find(second.url, false)).toBeNull()
})

test('a device that has opened no session at a signed address yet goes back to its server at once', async () => {
  const { first, second, addresses, sign } = await newDevice()
  addresses.noteTold({ signed: sign(second.url, 7) })
  await first.stop()
  expect(await addresses.find(first.url, false)).toBe(second.url)
  await second.stop()
  expect(await addresses.find(second.url, false)).toBe(first.url)
})

test('a device waits at its signed address also where another one is signed that does not answer yet', async () => {
  const { first, second, addresses, clock, sign } = await newDevice()
  addresses.noteTold({ signed: sign(second.url, 7) })
  await addresses.find(first.url, false)
  addresses.noteOpened(second.url, CLIENT)
  const third = await startServer(second.playPoint)
  await third.stop()
  addresses.noteTold({ signed: sign(third.url, 8) })
  await second.stop()
  expect(await addresses.find(second.url, false)).toBeNull()
  await third.start()
  expect(await addresses.find(second.url, false)).toBe(third.url)
  await third.stop()
  expect(await addresses.find(third.url, false)).toBeNull()
  await second.start()
  expect(await addresses.find(third.url, false)).toBe(second.url)
  await second.stop()
  clock.now += HOME_MS
  expect(await addresses.find(second.url, false)).toBe(first.url)
})

test('a device goes back to the address of its installation when that one is signed', async () => {
  const { first, second, addresses, sign } = await newDevice()
  addresses.noteTold({ signed: sign(second.url, 7) })
  await addresses.find(first.url, false)
  addresses.noteOpened(second.url, CLIENT)
  addresses.noteTold({ signed: sign(first.url, 8) })
  expect(await addresses.find(second.url, false)).toBeNull()
  await second.stop()
  first.licenseHash = Buffer.from(hashOf(Buffer.from('another key')), 'hex')
  expect(await addresses.find(second.url, false)).toBeNull()
  first.licenseHash = Buffer.from(hashOf(Buffer.from(KEY)), 'hex')
  expect(await addresses.find(second.url, false)).toBe(first.url)
})

test('a device leaves a signed address at once where its license key is refused, for a server that proves to have it', async () => {
  const { first, second, addresses, sign } = await newDevice()
  addresses.noteTold({ signed: sign(second.url, 7) })
  await addresses.find(first.url, false)
  addresses.noteOpened(second.url, CLIENT)
  expect(await addresses.find(second.url, true)).toBe(first.url)
  first.licenseHash = Buffer.from(hashOf(Buffer.from('another key')), 'hex')
  expect(await addresses.find(second.url, true)).toBeNull()
})

test('with a license key that no server knows yet, nobody has to prove to have it', async () => {
  const { first, second, addresses, sign } = await newDevice({ isBound: false })
  addresses.noteTold({ signed: sign(second.url, 7) })
  await first.stop()
  expect(await addresses.find(first.url, false)).toBeNull()
  expect(first.proofs + second.proofs).toBe(0)
})

const stranger = makeUpdateKeys()
const another = '01933d4e-0000-7000-8000-000000000003'
const said = (address: string, counter: number, client = CLIENT) => ({ client, address, counter })
const signed = (address: string, counter = 9, client?: string) =>
  keys.signAddress(said(address, counter, client))
const text = (words: string) => ({ text: words, signature: keys.signText(words) })

test.each([
  [
    'a signature of another key',
    'signature',
    { signed: stranger.signAddress(said('http://new.example', 9)) },
  ],
  [
    'the signature of another text',
    'signature',
    { signed: { ...signed('http://new.example'), text: addressTextOf(said('http://evil.example', 9)) } },
  ],
  ['an address of another client', 'client', { signed: signed('http://new.example', 9, another) }],
  ['a lower counter', 'old', { signed: signed('http://new.example', 6) }],
  ['the same counter', 'old', { signed: signed('http://new.example', 7) }],
  ['a path', 'form', { signed: signed('http://new.example/floor') }],
  ['a password', 'form', { signed: signed('http://a:b@new.example') }],
  ['a query', 'form', { signed: signed('http://new.example?a') }],
  ['another protocol', 'form', { signed: signed('ftp://new.example') }],
  ['another text', 'form', { signed: text('no address') }],
  ['a signed update', 'form', { signed: text('floorcast player update\n') }],
  ['no signature', 'unsigned', { other: 'http://new.example' }],
] as const)('a device refuses an address with %s, and says so', async (_, why, told) => {
  const { first, second, addresses, lines, sign } = await newDevice()
  addresses.noteTold({ signed: sign(second.url, 7) })
  for (let heartbeats = 0; heartbeats < 3; heartbeats += 1) addresses.noteTold(told)
  await addresses.find(first.url, false)
  expect(addresses.report()).toMatchObject({ counter: 7, refused: { why } })
  expect(lines.filter(line => line.startsWith('warning server-not-taken'))).toHaveLength(1)
  addresses.noteTold({ signed: sign(second.url, 7) })
  await addresses.find(first.url, false)
  expect(addresses.report()).toEqual({ address: first.url, counter: 7, refused: null })
})

test('a device that was reached with TLS takes no signed address without', async () => {
  const { start, sign } = await newDevice()
  const addresses = start('https://floor.example')
  addresses.noteTold({ signed: sign('http://new.example', 7) })
  await addresses.find('https://floor.example', true)
  expect(addresses.report()).toEqual({
    address: 'https://floor.example',
    counter: null,
    refused: { address: 'http://new.example', why: 'no-tls' },
  })
})

test('a device stays with its server when the signed address is another installation, and says so until it is not', async () => {
  const { first, second, addresses, lines, sign } = await newDevice()
  second.licenseHash = Buffer.from(hashOf(Buffer.from('another key')), 'hex')
  addresses.noteTold({ signed: sign(second.url, 7) })
  await first.stop()
  expect(await addresses.find(first.url, false)).toBeNull()
  await first.start()
  expect(await addresses.find(first.url, false)).toBeNull()
  addresses.noteTold({ signed: sign(second.url, 7) })
  expect(addresses.report().refused).toEqual({ address: second.url, why: 'not-server' })
  expect(lines.join('\n')).toContain('does not prove that it is the server of this device')
  expect(second.sessionCalls).toEqual([])
  second.licenseHash = Buffer.from(hashOf(Buffer.from(KEY)), 'hex')
  await first.stop()
  expect(await addresses.find(first.url, false)).toBe(second.url)
  addresses.noteOpened(second.url, CLIENT)
  expect(addresses.report().refused).toBeNull()
})

test('the client of a device is that of its first session, whatever a server says later', async () => {
  const { first, second, addresses, sign } = await newDevice()
  const other = randomUUID()
  addresses.noteOpened(first.url, other)
  addresses.noteTold({ signed: sign(second.url, 7, other) })
  await addresses.find(first.url, false)
  expect(addresses.report()).toMatchObject({ counter: null, refused: { why: 'client' } })
})

test('a device with another update key forgets what the former one has signed', async () => {
  const { first, second, addresses, start, sign } = await newDevice()
  addresses.noteTold({ signed: sign(second.url, 999) })
  await addresses.find(first.url, false)
  const again = start(first.url, stranger.publicKey)
  expect([again.report().counter, again.hasOther(first.url)]).toEqual([null, false])
  again.noteTold({ signed: stranger.signAddress(said(second.url, 7)) })
  await again.find(first.url, false)
  expect(again.report()).toEqual({ address: first.url, counter: 7, refused: null })
})

test('a device without an update key ignores signed addresses, and goes to one without a signature', async () => {
  const { first, second, addresses, lines, sign } = await newDevice({ updateKey: null })
  addresses.noteTold({ signed: sign(second.url, 7) })
  await first.stop()
  expect(await addresses.find(first.url, false)).toBeNull()
  expect([second.proofs, addresses.report().counter, lines]).toEqual([0, null, []])
  addresses.noteTold({ other: second.url, signed: sign('http://new.example', 8) })
  expect(await addresses.find(first.url, false)).toBe(second.url)
})

test('a busy server is a server: a device waits for it, and goes to no other', async () => {
  const { first, second, addresses, sign } = await newDevice()
  addresses.noteTold({ signed: sign(second.url, 7) })
  second.busyPaths.add('/api/v2/device/server')
  second.retryAfterSeconds = 5
  await first.stop()
  expect(await addresses.find(first.url, false)).toBeNull()
  expect(addresses.report().refused).toBeNull()
  first.busyPaths.add('/api/v2/device/server')
  first.retryAfterSeconds = 5
  second.busyPaths.clear()
  await first.start()
  expect(await addresses.find(first.url, false)).toBeNull()
  expect(second.proofs).toBe(0)
})
