import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'

/** Faults of the line between a device and the server. */
const LINE_FAULTS = ['slow', 'stalled', 'cut', 'corrupt', 'never-reads', 'lost-answers'] as const
export type LineFault = (typeof LINE_FAULTS)[number]

const YEAR_MS = 365 * 86_400_000
/** The time by which a wrong clock is ahead of the right time. */
const CLOCK_FAULTS = {
  'clock-back': () => -86_400_000,
  'clock-ahead': () => YEAR_MS,
  'clock-1970': (now: number) => -now,
} as const

/** Everything that can be wrong with a simulated device. */
export const FAULTS = [...LINE_FAULTS, 'clock-back', 'clock-ahead', 'clock-1970', 'full-disk'] as const
/** Faults of the player, which a device gets on request only: it plays nothing, or is old. */
export const PLAYER_FAULTS = ['no-files', 'player-broken', 'old-version'] as const
export type PlayerFault = (typeof PLAYER_FAULTS)[number]
export type Fault = (typeof FAULTS)[number] | PlayerFault

export const isPlayerFault = (fault: Fault): fault is PlayerFault =>
  (PLAYER_FAULTS as readonly Fault[]).includes(fault)

export const isLineFault = (fault: Fault): fault is LineFault =>
  (LINE_FAULTS as readonly Fault[]).includes(fault)

/** How far the clock of a device is ahead of the right time, in milliseconds. */
export const clockShiftOf = (fault: Fault, now: number): number =>
  fault in CLOCK_FAULTS ? CLOCK_FAULTS[fault as keyof typeof CLOCK_FAULTS](now) : 0

/** The fault of a device by its number from 0: a share of the devices has one, of each kind in turn, spread over the fleet. */
export function faultOf(number: number, share: number, faults: readonly Fault[]): Fault | null {
  const before = Math.floor(number * share + 1e-9)
  if (Math.floor((number + 1) * share + 1e-9) === before) return null
  return faults[before % faults.length] ?? null
}

/** 16 kbit a second. */
const SLOW_BYTES_A_SECOND = 2000
const SLOW_PART_BYTES = 500
/** One byte in this number is another one. */
const CORRUPT_EVERY_BYTES = 20_000

const between = (min: number, max: number) => min + Math.random() * (max - min)

type Pump = (from: Socket, to: Socket) => Promise<void>

async function write(to: Socket, part: Uint8Array): Promise<void> {
  if (!to.write(part)) await once(to, 'drain')
}

const pass: Pump = async (from, to) => {
  for await (const part of from) await write(to, part as Buffer)
  to.end()
}

const passSlowly: Pump = async (from, to) => {
  for await (const part of from as AsyncIterable<Buffer>)
    for (let at = 0; at < part.length; at += SLOW_PART_BYTES) {
      const piece = part.subarray(at, at + SLOW_PART_BYTES)
      await pause((piece.length / SLOW_BYTES_A_SECOND) * 1000)
      await write(to, piece)
    }
  to.end()
}

const passCorrupted: Pump = async (from, to) => {
  let next = between(0, CORRUPT_EVERY_BYTES)
  for await (const part of from as AsyncIterable<Buffer>) {
    for (; next < part.length; next += between(1, 2 * CORRUPT_EVERY_BYTES)) {
      const at = Math.floor(next)
      part[at] = (part[at] ?? 0) ^ 1
    }
    next -= part.length
    await write(to, part)
  }
  to.end()
}

/** Passes for a while, then stands still, then passes all that came meanwhile. */
const passWithStalls: Pump = async (from, to) => {
  let stallAt = performance.now() + between(2000, 20_000)
  for await (const part of from as AsyncIterable<Buffer>) {
    if (performance.now() > stallAt) {
      await pause(between(10_000, 40_000))
      stallAt = performance.now() + between(2000, 20_000)
    }
    await write(to, part)
  }
  to.end()
}

/** Half of the answers never arrive, although the server has done what was asked. */
const loseAnswers: Pump = async (from, to) => {
  for await (const part of from as AsyncIterable<Buffer>) {
    if (part.toString('latin1', 0, 5) === 'HTTP/' && Math.random() < 0.5) break
    await write(to, part)
  }
  to.end()
}

/** The bytes stay in the buffers of the machine, as those of a device whose program hangs. */
const neverRead: Pump = from => once(from, 'close').then(() => undefined)

const toDevice: Record<LineFault, Pump> = {
  slow: passSlowly,
  stalled: passWithStalls,
  cut: pass,
  // The bytes that devices send are not changed: nothing but TLS would find it, and it would be stored.
  corrupt: passCorrupted,
  'never-reads': neverRead,
  'lost-answers': loseAnswers,
}

/** A line of this machine to the server, with a fault in each of its connections. */
export class FaultyLine {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  constructor(target: URL, fault: LineFault) {
    this.#server = createServer({ allowHalfOpen: true }, device => {
      const server = connect({ host: target.hostname, port: Number(target.port || 80), allowHalfOpen: true })
      void this.#join(device, server, fault)
    })
  }

  /** The origin at which devices find the server behind this line. */
  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  close(): void {
    this.#server.close()
    for (const socket of this.#sockets) socket.destroy()
  }

  async #join(device: Socket, server: Socket, fault: LineFault): Promise<void> {
    const both = [device, server]
    for (const socket of both) {
      this.#sockets.add(socket)
      socket.on('error', () => both.forEach(each => each.destroy()))
      socket.once('close', () => {
        this.#sockets.delete(socket)
        both.forEach(each => each.destroy())
      })
    }
    const cut = fault === 'cut' ? setTimeout(() => device.resetAndDestroy(), between(500, 30_000)) : undefined
    const toServer = fault === 'slow' || fault === 'stalled' ? toDevice[fault] : pass
    await Promise.allSettled([toServer(device, server), toDevice[fault](server, device)])
    clearTimeout(cut)
    for (const socket of both) socket.destroy()
  }
}
