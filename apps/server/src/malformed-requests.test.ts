import { endpoints } from '@floorcast/contract/endpoints.ts'
import { makeClientFixture } from '@floorcast/testing/contract-fixture.ts'
import {
  type MalformedRequest,
  malformedRequest,
  whyNotRefused,
} from '@floorcast/testing/malformed-arbitrary.ts'
import { runs } from '@floorcast/testing/runs.ts'
import { changedTables, watchTables } from '@floorcast/testing/table-checksums.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'

/**
 * Series of 5 batches of 100 requests. The requests of a batch are sent at once; after each series every table must be
 * as it was before. If a table differs, the series is sent again one by one, so that the report names the request. The seed
 * is new each time and printed on failure.
 */
const SERIES = runs(12, 40)
const BATCHES = 5
const BATCH_SIZE = 100

const server = await wholeServer()
const client = await makeClientFixture(server)
const look = await watchTables(server.superuserUrl)

const tokens = {
  user: client.token,
  device: client.deviceToken,
  operator: client.operatorToken,
  public: null,
}
let callers = 0

async function send(request: MalformedRequest) {
  const token = tokens[request.by]
  const answer = await server.http.app.inject({
    method: request.method as 'GET',
    url: request.url,
    headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...request.headers },
    // Limits on signing in count addresses: here each caller has its own.
    remoteAddress: `10.${(++callers >> 16) & 255}.${(callers >> 8) & 255}.${callers & 255}`,
    ...(request.payload === null ? {} : { payload: request.payload }),
  })
  return { statusCode: answer.statusCode, body: answer.body }
}

/** The first of them that changes a table when they come one by one. */
async function findWriter(requests: readonly MalformedRequest[]): Promise<string> {
  for (const request of requests) {
    const before = await look()
    await send(request)
    if (changedTables(before, await look()).length > 0) return JSON.stringify(request)
  }
  return 'none of them alone'
}

test('malformed requests over every call: each is refused, none is a fault, none writes', async () => {
  const sent = new Map<string, number>()
  const before = await look()
  const length = BATCHES * BATCH_SIZE
  const series = fc.array(malformedRequest(client.fixtures), { minLength: length, maxLength: length })
  await fc.assert(
    fc.asyncProperty(series, async requests => {
      for (let start = 0; start < length; start += BATCH_SIZE) {
        const batch = requests.slice(start, start + BATCH_SIZE)
        const answers = await Promise.all(batch.map(send))
        const wrong = answers.flatMap((answer, index) => {
          const why = whyNotRefused(answer)
          return why === null ? [] : [{ why, request: batch[index] }]
        })
        expect(wrong).toEqual([])
      }
      for (const { title } of requests) {
        const call = title.split(':', 1)[0] ?? ''
        sent.set(call, (sent.get(call) ?? 0) + 1)
      }
      const changed = changedTables(before, await look())
      if (changed.length > 0)
        expect({ changed, writer: await findWriter(requests) }).toEqual({ changed: [], writer: null })
    }),
    { numRuns: SERIES, endOnFailure: true },
  )
  const counts = endpoints.map(({ noun, name }) => sent.get(`${noun}.${name}`) ?? 0)
  expect(counts.reduce((sum, count) => sum + count, 0)).toBe(SERIES * length)
  // Of 242 calls each is drawn 25 times on average (83 in a long run); fewer than this is chance once in 10,000 runs.
  expect(Math.min(...counts)).toBeGreaterThan(runs(4, 40))
}, 360_000)
