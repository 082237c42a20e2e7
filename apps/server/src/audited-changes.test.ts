import { endpoints } from '@floorcast/contract/endpoints.ts'
import { type ClientFixture, makeClientFixture } from '@floorcast/testing/contract-fixture.ts'
import { type NamedEndpoint, sampleCall } from '@floorcast/testing/sample-calls.ts'
import { changedTables, type TableChecksums, watchTables } from '@floorcast/testing/table-checksums.ts'
import type { TestServer } from '@floorcast/testing/test-server.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { beforeAll, expect, it } from 'vitest'

let server: TestServer
let client: ClientFixture
let look: (clientId?: string) => Promise<TableChecksums>
beforeAll(async () => {
  server = await wholeServer()
  client = await makeClientFixture(server)
  look = await watchTables(server.superuserUrl)
})

const isEnd = ({ name }: NamedEndpoint) => /^(delete|remove|purge|cancel)/.test(name)

/** Every user's change that a sample can make; a change that ends an item comes last. */
const changes = endpoints
  .filter(({ endpoint }) => endpoint.access.by === 'user' && endpoint.access.changes)
  .filter(({ endpoint }) => endpoint.bodyForm === 'json' || endpoint.bodyForm === 'none')
  .map(one => ({ ...one, title: `${one.noun}.${one.name}` }))
  .toSorted((one, other) => Number(isEnd(one)) - Number(isEnd(other)))

/** Calls without audit entries: personal settings and tickets. An upload is recorded when it has ended. */
const OWN = new Set(['sessions', 'tickets', 'users', 'uploads', 'storage_reservations'])
const seen: string[] = []

it.each(changes)('what a call changes is written down: $title', async one => {
  const { params, query, body } = sampleCall(one, client.fixtures)
  const before = await look(client.scope.clientId)
  await server.ask(one.endpoint, { token: client.token, params, query, body: body as object })
  const tables = changedTables(before, await look(client.scope.clientId))
  if (tables.every(table => OWN.has(table))) return
  seen.push(one.title)
  expect(tables).toContain('audit_entries')
})

it('what a call changes was seen for most calls: the others want more than one sample can say', () => {
  expect(seen.length).toBeGreaterThan(changes.length * 0.6)
})
