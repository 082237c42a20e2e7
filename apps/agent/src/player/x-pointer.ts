import { existsSync, readFileSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'

/*
 * Hides the pointer of an X server by its own protocol: mpv 0.35 of Debian never does, whatever its option says. The XFixes request
 * HideCursor lasts as long as the connection. https://www.x.org/releases/current/doc/xproto/x11protocol.html and fixesproto
 */

const QUERY_EXTENSION = 98
const XFIXES_QUERY_VERSION = 0
const XFIXES_HIDE_CURSOR = 29
/** HideCursor is of the fourth version. */
const XFIXES_VERSION = 4
/** The first byte of a reply; an error has 0, an event more. */
const REPLY = 1
const REPLY_BYTES = 32
/** After a failure, the first call this much later tries it again. */
const RETRY_MS = 10_000
const COOKIE = 'MIT-MAGIC-COOKIE-1'

const padded = (length: number) => (length + 3) & ~3

/** A request: its opcode, its second byte, and what follows its length. */
function request(opcode: number, second: number, body: Buffer): Buffer {
  const bytes = Buffer.alloc(4 + padded(body.length))
  bytes.writeUInt8(opcode, 0)
  bytes.writeUInt8(second, 1)
  bytes.writeUInt16LE(bytes.length / 4, 2)
  body.copy(bytes, 4)
  return bytes
}

function words(...values: number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, 4 * index)
  return bytes
}

/** The beginning of a connection, with the cookie of the user's session if there is one. */
function greeting(cookie: Buffer): Buffer {
  const name = Buffer.from(cookie.length > 0 ? COOKIE : '')
  const head = Buffer.alloc(12)
  head.write('l')
  head.writeUInt16LE(11, 2)
  head.writeUInt16LE(name.length, 6)
  head.writeUInt16LE(cookie.length, 8)
  const parts = [name, cookie].map(part =>
    Buffer.concat([part, Buffer.alloc(padded(part.length) - part.length)]),
  )
  return Buffer.concat([head, ...parts])
}

function askForXfixes(): Buffer {
  const name = Buffer.from('XFIXES')
  const length = Buffer.alloc(4)
  length.writeUInt16LE(name.length)
  return request(QUERY_EXTENSION, 0, Buffer.concat([length, name]))
}

/** The cookie for a display in a file as xauth writes it; empty without one. */
export function findCookie(file: Buffer, display: string): Buffer {
  for (let at = 2; at < file.length; at += 2) {
    const [, number = '', name = '', data] = Array.from({ length: 4 }, () => {
      const from = at + 2
      at = from + file.readUInt16BE(at)
      return file.subarray(from, at)
    })
    if (String(name) === COOKIE && ['', display].includes(String(number))) return data ?? Buffer.alloc(0)
  }
  return Buffer.alloc(0)
}

function readCookie(display: string): Buffer {
  try {
    const path = process.env['XAUTHORITY'] ?? join(homedir(), '.Xauthority')
    return existsSync(path) ? findCookie(readFileSync(path), display) : Buffer.alloc(0)
  } catch {
    return Buffer.alloc(0)
  }
}

/** Reads answers of a number of bytes that the one before says. */
class AnswerReader {
  #unread: Buffer = Buffer.alloc(0)
  #wanted = 0
  #take: (bytes: Buffer) => void = () => undefined

  constructor(socket: Socket) {
    socket.on('data', (bytes: Buffer) => {
      this.#unread = Buffer.concat([this.#unread, bytes])
      this.#give()
    })
  }
  take(bytes: number): Promise<Buffer> {
    return new Promise(resolve => {
      this.#wanted = bytes
      this.#take = resolve
      this.#give()
    })
  }
  /** Reads the answer to a request, past the events in between, such as a change of the keyboard. */
  async takeReply(): Promise<Buffer> {
    for (;;) {
      const answer = await this.take(REPLY_BYTES)
      if (answer.readUInt8(0) <= REPLY) return answer
    }
  }
  #give(): void {
    if (this.#wanted === 0 || this.#unread.length < this.#wanted) return
    const answer = this.#unread.subarray(0, this.#wanted)
    this.#unread = this.#unread.subarray(this.#wanted)
    this.#wanted = 0
    this.#take(answer)
  }
}

/** Ends without effect where the server refuses the connection or has no XFixes. */
async function hideOn(socket: Socket, display: string): Promise<void> {
  const reader = new AnswerReader(socket)
  socket.write(greeting(readCookie(display)))
  const head = await reader.take(8)
  const setup = await reader.take(4 * head.readUInt16LE(6))
  if (head[0] !== 1) return void socket.destroy()
  const [vendorBytes, formats] = [setup.readUInt16LE(16), setup.readUInt8(21)]
  const root = setup.readUInt32LE(32 + padded(vendorBytes) + 8 * formats)
  socket.write(askForXfixes())
  const [, , , , , , , , isPresent, opcode = 0] = await reader.takeReply()
  if (isPresent !== 1) return void socket.destroy()
  socket.write(request(opcode, XFIXES_QUERY_VERSION, words(XFIXES_VERSION, 0)))
  await reader.takeReply()
  socket.write(request(opcode, XFIXES_HIDE_CURSOR, words(root)))
}

/** The pointer of the X server that `DISPLAY` names, of this machine. Its picture would stand in what a screen shows. */
export class XPointer {
  #socket: Socket | null = null
  #triedAt = -Infinity

  /** Hides it, or shows it again. The end of the process shows it too. */
  setHidden(isHidden: boolean): void {
    if (!isHidden) {
      this.#socket?.destroy()
      this.#socket = null
      this.#triedAt = -Infinity
      return
    }
    if (this.#socket !== null || performance.now() < this.#triedAt + RETRY_MS) return
    const [, display] = /^(?:unix)?:(\d+)/.exec(process.env['DISPLAY'] ?? '') ?? []
    if (display === undefined) return
    this.#triedAt = performance.now()
    // The abstract name of the socket: systemd gives the service its own /tmp.
    const socket = createConnection({ path: `\0/tmp/.X11-unix/X${display}` })
    this.#socket = socket
    socket.unref()
    socket.on('error', () => undefined)
    socket.once('close', () => {
      if (this.#socket === socket) this.#socket = null
    })
    // An answer that cannot be read counts as a refusal.
    socket.once('connect', () => void hideOn(socket, display).catch(() => socket.destroy()))
  }
}
