import { setTimeout as pause } from 'node:timers/promises'
import { channelOf, type Topic } from '../database/notify.ts'
import { type BusConnection, connectBus } from './bus-connection.ts'

/*
 * What one server hears of the others, and of itself: PostgreSQL's LISTEN over a connection of its own. Sent with
 * `notify(writes, topic, words)` of platform/database/notify.ts, inside the transaction it tells of.
 *
 *   const stop = bus.listen('manifest', { heard: ([deviceUid]) => …, missed: () => … })
 *
 * Delivery is at most once: after a lost connection `missed` is called, and the listener reads from the database what it
 * may not have heard. A connection that went silent is found by asking now and then. A listener must
 * not throw.
 */

export interface Listener {
  heard(words: string[]): void
  /** The connection was lost and is back: anything may have been said meanwhile. */
  missed(): void
}

export interface Bus {
  /** @returns a function that ends the listening. */
  listen(topic: Topic, listener: Listener): () => void
  close(): Promise<void>
}

export interface BusOptions {
  url: string
  /** Told each time the connection is lost; the bus connects again by itself. */
  lost: (error: Error) => void
  /** How often the connection is tried, and how long an answer may take; 15 s unless told. */
  pingMillis?: number
}

const TOPICS: readonly Topic[] = ['alert', 'live', 'manifest', 'reporter']
const LONGEST_PAUSE_MILLIS = 5000
const PING_MILLIS = 15_000

/** Opens the bus; resolves when it hears. */
export async function openBus({ url, lost, pingMillis = PING_MILLIS }: BusOptions): Promise<Bus> {
  const listeners = new Map<string, Set<Listener>>(TOPICS.map(topic => [channelOf(topic), new Set()]))
  const closing = new AbortController()
  const hear = (channel: string, payload: string) => {
    for (const listener of listeners.get(channel) ?? []) listener.heard(payload.split(' '))
  }
  const connect = () => connectBus({ url, topics: TOPICS, hear, pingMillis })
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
    for (let wait = 50; !closing.signal.aborted; wait = Math.min(wait * 2, LONGEST_PAUSE_MILLIS)) {
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
      // One that came up while closing began.
      await current.close()
    },
  }
}
