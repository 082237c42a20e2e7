import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { hasVirtualScreens } from '@floorcast/testing/virtual-screen.ts'
import { expect, onTestFinished, test, vi } from 'vitest'
import { findCookie, XPointer } from './x-pointer.ts'

const SIZE = 64

/** A black screen whose memory is a file: a grab has the pointer's picture also while the server hides it. */
async function startScreen() {
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-screen-'))
  const screen = ['-screen', '0', `${SIZE}x${SIZE}x24`, '-fbdir', folder, '-nolisten', 'tcp', '-noreset']
  const server = spawn('Xvfb', ['-displayfd', '3', ...screen], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => {
    server.kill('SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  const [number] = (await once(server.stdio[3] as Readable, 'data')) as [Buffer]
  const pixels = () => readFileSync(join(folder, 'Xvfb_screen0')).subarray(-SIZE * SIZE * 4)
  return { number: String(number).trim(), isBlack: () => pixels().every(byte => byte === 0) }
}

/** A request of X: its opcode, and its words. */
function request(opcode: number, words: number[]): Buffer {
  const bytes = Buffer.alloc(4 + 4 * words.length)
  bytes.writeUInt8(opcode, 0)
  bytes.writeUInt16LE(bytes.length / 4, 2)
  for (const [index, word] of words.entries()) bytes.writeUInt32LE(word >>> 0, 4 * (index + 1))
  return bytes
}

/** Gives the screen a pointer, as a desktop does; until then it has none. */
async function showArrow(socket: Socket): Promise<void> {
  const hello = Buffer.alloc(12)
  hello.write('l')
  hello.writeUInt16LE(11, 2)
  socket.write(hello)
  let setup: Buffer = Buffer.alloc(0)
  // A busy machine brings the answer in pieces.
  while (setup.length < 8 || setup.length < 8 + 4 * setup.readUInt16LE(6)) {
    const [piece] = (await once(socket, 'data')) as [Buffer]
    setup = Buffer.concat([setup, piece])
  }
  const font = setup.readUInt32LE(12)
  const root = setup.readUInt32LE(40 + ((setup.readUInt16LE(24) + 3) & ~3) + 8 * setup.readUInt8(29))
  const [name, arrow] = [Buffer.from('cursor\0\0'), 68 | (69 << 16)]
  socket.write(request(45, [font, 6, name.readUInt32LE(0), name.readUInt32LE(4)]))
  socket.write(request(94, [font + 1, font, font, arrow, 0, 0xffff0000, 0xffffffff]))
  socket.write(request(2, [root, 0x4000, font + 1]))
}

test.skipIf(!hasVirtualScreens())('The pointer of a desktop is hidden until it is shown again', async () => {
  const { number, isBlack } = await startScreen()
  vi.stubEnv('DISPLAY', `:${number}`)
  vi.stubEnv('XAUTHORITY', '/nowhere')
  onTestFinished(() => void vi.unstubAllEnvs())
  const desktop = createConnection({ path: `\0/tmp/.X11-unix/X${number}` })
  onTestFinished(() => void desktop.destroy())
  await showArrow(desktop)
  await vi.waitUntil(() => !isBlack(), 30_000)
  const pointer = new XPointer()
  for (let times = 1; times <= 2; times += 1) {
    // The agent says so with each manifest.
    await vi.waitUntil(() => (pointer.setHidden(true), isBlack()), 30_000)
    pointer.setHidden(false)
    await vi.waitUntil(() => !isBlack(), 30_000)
  }
})

test('Without an X server of this machine nothing happens', () => {
  onTestFinished(() => void vi.unstubAllEnvs())
  for (const display of [undefined, '', 'elsewhere:0', ':9876']) {
    vi.stubEnv('DISPLAY', display)
    expect(() => new XPointer().setHidden(true)).not.toThrow()
  }
})

const field = (text: string) => Buffer.concat([Buffer.from([0, text.length]), Buffer.from(text)])
const entry = (display: string, name: string, data: string) =>
  Buffer.concat([Buffer.from([1, 0]), ...['shop', display, name, data].map(field)])

test('The cookie of a session is that of its display', () => {
  const file = Buffer.concat([
    entry('1', 'MIT-MAGIC-COOKIE-1', 'one'),
    entry('0', 'XDM-AUTHORIZATION-1', 'other'),
    entry('0', 'MIT-MAGIC-COOKIE-1', 'zero'),
    entry('', 'MIT-MAGIC-COOKIE-1', 'any'),
  ])
  expect(['0', '1', '2'].map(display => String(findCookie(file, display)))).toEqual(['zero', 'one', 'any'])
  expect(String(findCookie(Buffer.alloc(0), '0'))).toBe('')
})
