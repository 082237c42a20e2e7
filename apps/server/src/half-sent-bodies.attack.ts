import { setTimeout as pause } from 'node:timers/promises'
import { authenticate } from '@floorcast/contract/auth.ts'
import { addDevice } from '@floorcast/contract/devices.ts'
import { type AttackFigures, startAttackedServer } from '@floorcast/testing/attacked-server.ts'
import { expect, test } from 'vitest'

const MEBIBYTE = 1024 * 1024
const POSTS = 5000
const SLOW = 3000
const ADDRESSES = 8
/** Connections that are opened at once. */
const AT_ONCE = 100
const HOLD_MS = 20_000

const server = await startAttackedServer()
const attacker = await server.newClient('attacker@example.com')

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

async function openMany(count: number, bytes: string | Buffer, addresses = 1) {
  const sockets = []
  for (let index = 0; index < count; index += 1) {
    sockets.push(server.openSocket(bytes, `127.0.0.${1 + (index % addresses)}`))
    if (index % AT_ONCE === 0) await pause(10)
  }
  return sockets
}

function expectGoals({ failed, p95Ms, growthMb }: AttackFigures): void {
  expect(failed).toBe(0)
  expect(p95Ms).toBeLessThan(200)
  expect(growthMb).toBeLessThan(100)
}

const device = addDevice.path.replace('{contentType}', 'audio')

test.each([
  ['sign-ins short of 1 MiB', halfSent(authenticate.path, MEBIBYTE), 1],
  ['sign-ins short of 16 KiB', halfSent(authenticate.path, 16_384), 1],
  ['sign-ins short of 16 KiB from eight addresses', halfSent(authenticate.path, 16_384), ADDRESSES],
  ['calls without a token short of 1 MiB', halfSent(device, MEBIBYTE), 1],
  ['calls with a token short of 1 MiB', halfSent(device, MEBIBYTE, `Authorization: Bearer ${attacker}`), 1],
])(`${POSTS} %s`, async (name, bytes, addresses) => {
  const figures = await server.measure(`${POSTS} ${name}`, async () => {
    await openMany(POSTS, bytes, addresses)
    await pause(HOLD_MS)
  })
  expectGoals(figures)
})

test(`${SLOW} connections with a byte each 14 s`, async () => {
  const figures = await server.measure(`${SLOW} slow connections`, async () => {
    const sockets = await openMany(SLOW, 'P')
    for (const letter of 'OST') {
      await pause(14_000)
      for (const socket of sockets) if (socket.writable) socket.write(letter)
    }
  })
  expectGoals(figures)
})

test('the log says it once for an address, and not once for a connection', () => {
  expect(server.program.said.length).toBeLessThan(100)
})
