import { Socket } from 'node:net'
import { setImmediate as turn, setTimeout as pause } from 'node:timers/promises'
import { Client } from 'pg'
import { KEEPALIVES_OF_ANSWERS } from '../database/keepalives.ts'
import { prepareSession } from '../database/prepare-session.ts'
import { channelOf, type Topic, topics } from '../database/topics.ts'

/*
 * Messages between servers, by LISTEN and NOTIFY of PostgreSQL over a separate connection. A server also receives its own.
 * `notify(writes, topic, words)` of platform/database/notify.ts sends one inside the transaction that it reports.
 *
 *   const stop = bus.listen('manifest', { heard: ([deviceUid]) => …, missed: () => … })
 *
 * Delivery is at most once: after a lost connection the bus calls `missed`, and the listener reads the current state from
 * the database. The bus pings the connection to detect that it is dead. A listener must not throw.
 */

export interface Listener {
  heard(words: string[]): void
  /** The connection was lost and is back. Messages in between are lost. */
  missed(): void
}

export interface Bus {
  /** @returns a function that stops listening */
  listen(topic: Topic, listener: Listener): () => void
  close(): Promise<void>
}

export interface BusOptions {
  url: string
  /** Called each time the connection is lost; the bus reconnects. */
  lost: (error: Error) => void
  /** Interval of pings and the time limit of an answer; 15 s by default. */
  pingMs?: number
}

const MAX_RETRY_DELAY_MS = 5000
const PING_MS = 15_000

/** Opens the bus; resolves when it listens. */
export async function openBus({ url, lost, pingMs = PING_MS }: BusOptions): Promise<Bus> {
  const listeners = new Map<string, Set<Listener>>(topics.map(topic => [channelOf(topic), new Set()]))
  const closing = new AbortController()
  const hear = (channel: string, payload: string) => {
    for (const listener of listeners.get(channel) ?? []) listener.heard(payload.split(' '))
  }
  const connect = () => connectBus({ url, topics, hear, pingMs })
  const first = await connect()
  const loop = keepConnected()
  let current = first

  async function keepConnected(): Promise<void> {
    let connection = first
    while (!closing.signal.aborted) {
      const error = await connection.ended
      if (closing.signal.aborted) return
      lost(error)
      const next = await reconnect()
      if (!next) return
      connection = current = next
      for (const set of listeners.values()) for (const listener of set) listener.missed()
    }
  }

  async function reconnect(): Promise<BusConnection | null> {
    for (let wait = 50; !closing.signal.aborted; wait = Math.min(wait * 2, MAX_RETRY_DELAY_MS)) {
      try {
        return await connect()
      } catch {
        await pause(wait, undefined, { signal: closing.signal }).catch(() => undefined)
      }
    }
    return null
  }

  return {
    listen: (topic, listener) => {
      const set = listeners.get(channelOf(topic))
      set?.add(listener)
      return () => void set?.delete(listener)
    },
    close: async () => {
      closing.abort()
      await current.close()
      await loop
      // A reconnection may have ended in between.
      await current.close()
    },
  }
}

interface BusConnectionOptions {
  url: string
  topics: readonly Topic[]
  hear: (channel: string, payload: string) => void
  /** Interval of pings and the time limit of an answer. */
  pingMs: number
}

/** A connection that listens. */
interface BusConnection {
  /** Resolves with the reason when the connection ends. */
  ended: Promise<Error>
  /** Resolves when the connection is closed, also if the other side does not answer. */
  close(): Promise<void>
}

const CONNECT_TIMEOUT_MS = 10_000
const CLOSE_TIMEOUT_MS = 1000

/** Connects and listens to every topic. @throws Error if that takes too long */
async function connectBus(options: BusConnectionOptions): Promise<BusConnection> {
  const { url, topics, hear, pingMs } = options
  const socket = new Socket()
  const client = new Client({
    connectionString: url,
    stream: () => socket,
    keepAlive: true,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: 'floorcast_bus',
  })
  const ended = new Promise<Error>(resolve => {
    client.once('error', resolve)
    client.once('end', () => resolve(new Error('the database closed the connection')))
  })
  // `once` above took the first error; a second without a listener would end the process.
  client.on('error', () => undefined)
  client.on('notification', ({ channel, payload }) => hear(channel, payload ?? ''))
  try {
    await client.connect()
    await answerWithin(CONNECT_TIMEOUT_MS, socket, async () => {
      await prepareSession(client, { role: 'floorcast_app', settings: KEEPALIVES_OF_ANSWERS })
      for (const topic of topics) await client.query(`listen ${channelOf(topic)}`)
    })
  } catch (error) {
    socket.destroy()
    throw error
  }
  void keepAsking(client, { socket, ended, pingMs })
  return {
    ended,
    async close() {
      const cut = setTimeout(() => socket.destroy(), CLOSE_TIMEOUT_MS)
      await client.end()
      clearTimeout(cut)
    },
  }
}

/**
 * Sends `select 1` at intervals. A connection that only listens sends nothing: if a firewall forgets it or the other
 * machine loses power, it stays open for the system's keepalive, two hours on Linux, while no console shows a change and
 * devices miss their messages. TCP keepalive is set differently on each system and does not pass a proxy.
 */
async function keepAsking(
  client: Client,
  { socket, ended, pingMs }: { socket: Socket; ended: Promise<Error>; pingMs: number },
): Promise<void> {
  const over = new AbortController()
  void ended.then(() => over.abort())
  try {
    for (;;) {
      await pause(pingMs, undefined, { signal: over.signal, ref: false })
      await answerWithin(pingMs, socket, () => client.query('select 1'))
    }
  } catch {
    // The connection has ended; `ended` has the reason.
  }
}

/** Destroys the connection if `ask` takes too long. */
async function answerWithin(millis: number, socket: Socket, ask: () => Promise<unknown>): Promise<void> {
  const answered = new AbortController()
  const limit = pause(millis, true, { signal: answered.signal }).catch(() => false)
  void limit.then(async isLate => {
    if (!isLate) return
    // A process that was blocked first reads what has arrived.
    await turn()
    await turn()
    if (!answered.signal.aborted) socket.destroy(new Error(`the database gave no answer for ${millis} ms`))
  })
  try {
    await ask()
  } finally {
    answered.abort()
  }
}
