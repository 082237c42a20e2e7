import { tracingChannel } from 'node:diagnostics_channel'
import { Client } from 'pg'

export interface WatchedQuery {
  /** With `$1` for values. */
  text: string
}

/** Each statement of the pools, for whom it may concern: traces. */
export const queries = tracingChannel<unknown, WatchedQuery>('floorcast.query')

type Asked = string | { text?: string; submit?: unknown }

/** A connection that publishes its statements while somebody listens; pg does not. */
export class WatchedClient extends Client {
  // pg's overloads: a statement or its parts, values, and a callback or none.
  override query(...args: unknown[]): never {
    const [asked] = args as [Asked]
    const text = typeof asked === 'string' ? asked : asked.text
    const send = (...query: unknown[]): unknown => super.query(...(query as [string]))
    // COPY hands over a stream, which ends by itself.
    const isStream = typeof asked === 'object' && asked.submit !== undefined
    if (!queries.hasSubscribers || text === undefined || isStream) return send(...args) as never
    if (typeof args.at(-1) === 'function')
      return queries.traceCallback(send, args.length - 1, { text }, undefined, ...args) as never
    return queries.tracePromise(send as () => Promise<unknown>, { text }, undefined, ...(args as [])) as never
  }
}
