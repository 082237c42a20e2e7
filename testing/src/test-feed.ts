import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'
import { atTheEnd } from './at-the-end.ts'
import { expect } from 'vitest'

interface Followed {
  /** Where the server listens. */
  origin: string
  token: string
  /** Why its bus was lost, each time: a bus that may have missed a notice ends the stream too. */
  losses?: readonly Error[]
  query?: string
}

/** Follows the change feed of a server that listens, until the file's end. `next` gives the changes one by one; undefined at the end. */
export async function followFeed({ origin, token, losses = [], query = '' }: Followed) {
  const controller = new AbortController()
  atTheEnd(async () => controller.abort())
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${origin}/api/v2/live${query}`, { headers, signal: controller.signal })
  expect(response.headers.get('content-type')).toContain('application/x-ndjson')
  if (!response.body) throw new Error('no body')
  const lines = createInterface({ input: Readable.fromWeb(response.body) })[Symbol.asyncIterator]()
  const next = async (): Promise<unknown> => {
    for (;;) {
      const { value, done } = await lines.next()
      if (done) expect(losses).toEqual([])
      if (done) return undefined
      // An empty one keeps a silent stream open.
      if (value !== '{}') return JSON.parse(value) as unknown
    }
  }
  expect(await lines.next()).toEqual({ done: false, value: '{}' })
  return { next }
}
