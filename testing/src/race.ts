import type { Endpoint } from '@floorcast/contract/endpoint.ts'
import { expect } from 'vitest'
import { findContradictions } from './arithmetic-checks.ts'
import type { TestServer } from './test-server.ts'

/** Rounds of each race, each with new items. */
const ROUNDS = 12

/** The end of a call: its outcome's code, or its HTTP status where it has none. */
export type End = number | `HTTP ${number}`

/** Calls of one user that start together. */
export function racer(server: TestServer, token: string) {
  const call =
    (endpoint: Endpoint, given: { params?: object; query?: object; body?: object }) =>
    async (): Promise<End> => {
      const { statusCode, body } = await server.ask(endpoint, { token, ...given })
      if (statusCode !== 200) return `HTTP ${statusCode}`
      return (JSON.parse(body) as { data: { code: number } }).data.code
    }

  /**
   * Runs the calls of each round at once, each of them first in turn; one list of ends a round, in the calls' order.
   * No race may leave a contradiction in the database.
   */
  async function race(newRound: () => Promise<(() => Promise<End>)[]>): Promise<End[][]> {
    const rounds: End[][] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      // A client makes ten changes a second.
      server.clock.now = new Date(server.clock.now.getTime() + 5000)
      const calls = await newRound()
      const ends = new Map<number, End>()
      const order = calls.map((_, index) => (index + round) % calls.length)
      await Promise.all(order.map(async index => ends.set(index, (await calls[index]?.()) ?? 'HTTP 0')))
      rounds.push(calls.map((_, index) => ends.get(index) ?? 'HTTP 0'))
    }
    expect(await findContradictions(server.superuserUrl)).toEqual([])
    return rounds
  }
  return { call, race }
}
