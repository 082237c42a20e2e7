import { once } from 'node:events'
import { hostname } from 'node:os'
import { authenticate, register } from '@floorcast/contract/auth.ts'
import { buildPath } from '@floorcast/contract/client.ts'
import { listGroups } from '@floorcast/contract/groups.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { freePort } from '@floorcast/testing/free-port.ts'
import { startServerProgram } from '@floorcast/testing/server-program.ts'
import { asSuperuser, testDatabase } from '@floorcast/testing/test-database.ts'
import { startTraceCollector } from '@floorcast/testing/trace-collector.ts'
import { expect, test } from 'vitest'
import { CLIENT_VIEWS } from '../platform/database/client-views.ts'
import { version } from '../version.ts'

const PASSWORD = 'a long secret password'
const owner = { fullName: 'Olga Owner', email: 'olga@example.com', password: PASSWORD, terms: true }
const modules = new URL('../../../../testing/src/loaded-modules.ts', import.meta.url).href

/** A server that says which modules of OpenTelemetry it loads, and a signed-in user. */
async function startServer(environment: Record<string, string>) {
  const { url, superuserUrl } = await testDatabase()
  const port = await freePort()
  const program = startServerProgram({
    DATABASE_URL: url,
    PORT: String(port),
    NODE_OPTIONS: `--import ${modules}`,
    ...environment,
  })
  await program.until(/^Floorcast is at/)
  const call = (path: string, { method = 'POST', body }: { method?: string; body?: object } = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  let token = ''
  const answer = await call(register.path, { body: owner })
  token = ((await answer.json()) as { data: { token: string } }).data.token
  return { program, call, port, token, superuserUrl }
}

const loaded = (said: readonly string[]) => [
  ...new Set(said.flatMap(line => /^loads .*(@opentelemetry\/[\w-]+)/.exec(line)?.[1] ?? [])),
]

test('calls, their statements and jobs come to the collector, of this server, without values and secrets', async () => {
  const collector = await startTraceCollector()
  const { program, call, port, token, superuserUrl } = await startServer({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=shops%20of%20ours',
  })
  const { spans } = collector
  const path = `${buildPath(listGroups.path, { x: 'all' })}?search=Secret%20shop`
  const listed = await call(path, { method: 'GET' })
  expect(listed.status).toBe(200)
  await call(authenticate.path, { body: { email: owner.email, password: 'another secret password' } })
  await asSuperuser(superuserUrl, superuser =>
    superuser.query(`revoke select on ${CLIENT_VIEWS}.groups from floorcast_app`),
  )
  const failed = await call(path, { method: 'GET' })
  expect(failed.status).toBe(500)
  program.child.kill('SIGTERM')
  await program.ended

  const route = listGroups.path.replace(/\{(\w+)\}/g, ':$1')
  const calls = spans.filter(({ name }) => name === `GET ${route}`)
  expect(calls).toMatchObject([
    {
      attributes: {
        'http.route': route,
        'http.response.status_code': 200,
        'floorcast.request_id': listed.headers.get('x-request-id'),
      },
      status: { code: 0 },
    },
    { attributes: { 'floorcast.outcome': 'internal' }, status: { code: 2 } },
  ])
  const statementsOf = (index: number) =>
    spans.filter(({ parentSpanId }) => parentSpanId === calls[index]?.spanId)
  expect(statementsOf(0)).toContainEqual(
    expect.objectContaining({
      name: 'SELECT',
      traceId: calls[0]?.traceId,
      attributes: expect.objectContaining({
        'db.query.text': expect.stringMatching(/\bgroups\b.*\$1/) as string,
      }) as object,
    }),
  )
  expect(statementsOf(1)).toContainEqual(
    expect.objectContaining({
      attributes: expect.objectContaining({ 'error.type': '42501' }) as object,
      status: { code: 2 },
    }),
  )
  const job = spans.find(({ name }) => name === 'job samples')
  expect(spans.filter(({ parentSpanId }) => parentSpanId === job?.spanId).length).toBeGreaterThan(0)
  expect(collector.resources[0]).toEqual({
    'service.name': 'floorcast',
    'service.instance.id': `${hostname()}:${port}`,
    'service.version': version.release,
    'floorcast.role': 'all',
  })
  expect(collector.headers[0]).toMatchObject({ 'x-tenant': 'shops of ours' })
  const sent = JSON.stringify(spans)
  for (const secret of [token, 'secret password', 'Secret', owner.email, owner.fullName])
    expect(sent).not.toContain(secret)
  expect(sent).not.toMatch(/client_id = '[0-9a-f]/)
  // So the next test can fail.
  expect(loaded(program.said)).toContain('@opentelemetry/sdk-trace')
})

test('without a collector no library of traces is loaded', async () => {
  const { program } = await startServer({})
  // The figures for monitors use its interface.
  expect(loaded(program.said)).toEqual(['@opentelemetry/api'])
})

test('a share of 0 sends nothing; a collector that is away costs one line, and no call', async () => {
  const collector = await startTraceCollector()
  const quiet = await startServer({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_TRACES_SAMPLER_ARG: '0',
  })
  quiet.program.child.kill('SIGTERM')
  await once(quiet.program.child, 'close')
  expect(collector.spans).toEqual([])

  const away = await startServer({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${await freePort()}` })
  await away.program.until(/traces cannot be sent/)
  await eventually(async () =>
    expect((await away.call(listGroups.path.replace('{x}', 'all'), { method: 'GET' })).status).toBe(200),
  )
  away.program.child.kill('SIGTERM')
  expect(await away.program.ended).toBe(0)
  expect(away.program.said.filter(line => line.includes('traces cannot be sent'))).toHaveLength(1)
})
