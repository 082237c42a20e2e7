import { setTimeout as pause } from 'node:timers/promises'
import { authenticate } from '@floorcast/contract/auth.ts'
import { addDevice } from '@floorcast/contract/devices.ts'
import { type AttackFigures, startAttackedServer } from '@floorcast/testing/attacked-server.ts'
import { beforeAll, describe, expect, test } from 'vitest'

const MEBIBYTE = 1024 * 1024
const POSTS = 5000
const SLOW = 3000
const ADDRESSES = 8
const PER_SECOND = 1000
const HOLD_MS = 10_000

interface Posts {
  path: string
  length: number
  addresses?: number
  token?: 'own' | 'another each'
}

/** A request that is one byte short of its body. */
function halfSent(path: string, length: number, ...more: string[]): Buffer {
  const head = [
    `POST ${path} HTTP/1.1`,
    'Host: shop',
    'Content-Type: application/json',
    `Content-Length: ${length}`,
    ...more,
  ]
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), Buffer.alloc(length - 1, ' ')])
}

/** The goal of p95Ms is 200; it is printed and not asserted, because it depends on what else the machine does. */
function expectGoals({ failed, growthMb }: AttackFigures): void {
  expect(failed).toBe(0)
  expect(growthMb).toBeLessThan(100)
}

const device = addDevice.path.replace('{contentType}', 'audio')

describe.each(['no proxy', 'nginx', 'haproxy'] as const)('%s', through => {
  let server: Awaited<ReturnType<typeof startAttackedServer>>
  let attacker: string
  beforeAll(async () => {
    server = await startAttackedServer({}, through)
    attacker = await server.newClient('attacker@example.com')
  })

  /** The figures of this machine at this time, to compare the others with. */
  test('without an attack', async () => {
    expect((await server.measure('no attack', () => pause(HOLD_MS / 2))).failed).toBe(0)
  })

  test.each([
    ['sign-ins short of 1 MiB', { path: authenticate.path, length: MEBIBYTE }],
    ['sign-ins short of 16 KiB', { path: authenticate.path, length: 16_384 }],
    [
      'sign-ins short of 16 KiB from eight addresses',
      { path: authenticate.path, length: 16_384, addresses: ADDRESSES },
    ],
    ['calls without a token short of 1 MiB', { path: device, length: MEBIBYTE }],
    ['calls with a token short of 1 MiB', { path: device, length: MEBIBYTE, token: 'own' }],
    ['calls with tokens of nobody short of 1 MiB', { path: device, length: MEBIBYTE, token: 'another each' }],
  ] as const)(`${POSTS} %s`, async (name, { path, length, addresses = 1, token }: Posts) => {
    const tokens = { own: attacker, 'another each': '0'.repeat(attacker.length) }
    const bytes = halfSent(path, length, ...(token ? [`Authorization: Bearer ${tokens[token]}`] : []))
    const numbers = token === 'another each' ? { number: tokens[token] } : {}
    const figures = await server.measure(`${POSTS} ${name}`, async () => {
      await server.attack({ do: 'open', count: POSTS, bytes, addresses, perSecond: PER_SECOND, ...numbers })
      await pause(HOLD_MS)
    })
    expectGoals(figures)
  })

  test(`${SLOW} connections with a byte each 14 s`, async () => {
    const figures = await server.measure(`${SLOW} slow connections`, async () => {
      const bytes = Buffer.from('P')
      await server.attack({ do: 'open', count: SLOW, bytes, addresses: 1, perSecond: PER_SECOND })
      for (const text of 'OST') {
        await pause(14_000)
        await server.attack({ do: 'write', text })
      }
    })
    expectGoals(figures)
  })

  test('the log says it once for an address, and not once for a connection', () => {
    for (const { said } of server.programs) expect(said.length).toBeLessThan(100)
  })
})
