import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPath } from '@floorcast/contract/client.ts'
import type { AnswerOf, Endpoint } from '@floorcast/contract/endpoint.ts'
import { register } from '@floorcast/contract/auth.ts'
import { isSuccess, type Outcome } from '@floorcast/contract/outcomes.ts'
import { atTheEnd } from './at-the-end.ts'
import { rememberCalls } from './reached-calls.ts'
import { sharedDatabase, testDatabase } from './test-database.ts'
import { timed } from './test-times.ts'
import { expect } from 'vitest'
import { buildApp, type Register } from '@floorcast/server/app.ts'
import { registerAuth } from '@floorcast/server/features/auth/auth-routes.ts'
import { passwordCost } from '@floorcast/server/platform/auth/password-cost.ts'
import { watchInstallation } from '@floorcast/server/platform/installation/installation-state.ts'
import { openBus } from '@floorcast/server/platform/bus/bus.ts'
import { Metrics } from '@floorcast/server/platform/metrics/metrics.ts'
import { readSettings } from '@floorcast/server/platform/settings/settings.ts'
import { openDatabase } from '@floorcast/server/platform/database/database.ts'
import { openIncomingFiles } from '@floorcast/server/platform/storage/incoming-files.ts'
import { openOwnFileStore } from '@floorcast/server/platform/storage/open-file-store.ts'

export interface CallInput {
  params?: object
  query?: object
  body?: object
  token?: string
  /** The caller's network address; limits are counted by it. */
  address?: string
  headers?: Record<string, string>
}

async function openWatchedBus(url: string) {
  const losses: Error[] = []
  return { losses, bus: await openBus({ url, lost: error => losses.push(error) }) }
}

export interface TestServerOptions {
  /** The features that it serves beside the calls of sessions. */
  features: readonly Register[]
  environment?: Record<string, string>
  /**
   * A database that no file had before. For tests of what the rows of all clients are read for, and of connections; others
   * share the worker's.
   */
  hasOwnDatabase?: boolean
}

/** The context of a server, with its own folder; `clock.now` is its time. */
async function openContext(environment: Record<string, string>, hasOwnDatabase: boolean) {
  Object.assign(passwordCost, { memoryCost: 64, timeCost: 1 })
  const { database, url, superuserUrl } = await (hasOwnDatabase ? testDatabase() : sharedDatabase())
  const { bus, losses } = await openWatchedBus(url)
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-server-'))
  const settings = readSettings({ DATA_DIR: folder, PUBLIC_URL: 'https://shop.example', ...environment })
  const clock = { now: new Date() }
  const calls = rememberCalls()
  const now = () => new Date(clock.now)
  const log = calls.log
  const installation = await watchInstallation({ auth: database.auth, bus, log, now })
  const incoming = await openIncomingFiles(join(folder, 'media'), settings.minFreeDisk)
  const installationUid = await database.jobs.installationUid()
  const context = {
    settings,
    database,
    bus,
    files: await openOwnFileStore(settings, { incoming, installationUid, log }),
    incoming,
    installation,
    log,
    metrics: new Metrics(),
    now,
    consoleFolder: null,
  }
  const close = async () => {
    installation.close()
    await bus.close()
    rmSync(folder, { recursive: true, force: true })
    calls.keep()
    expect([...calls.undeclared]).toEqual([])
  }
  return { context, clock, database, url, superuserUrl, losses, close }
}

/** How many servers the tests call in turns: their database is one, and what each holds is its own. */
const SERVERS = Number(process.env['TEST_SERVERS'] ?? 1)

/** The context of a further server of the same database and folder. */
async function openFurther({ context, url }: Awaited<ReturnType<typeof openContext>>) {
  const { log, now } = context
  const { bus } = await openWatchedBus(url)
  const database = openDatabase({ url, lost: () => undefined })
  const installation = await watchInstallation({ auth: database.auth, bus, log, now })
  const close = async () => {
    installation.close()
    await bus.close()
    await database.close()
  }
  return { context: { ...context, bus, database, installation, metrics: new Metrics() }, close }
}

/** Programs read the `uid` of a change that was done, where the contract promises it. */
function requireUid({ givesUid }: Endpoint, answer: { statusCode: number; json: () => unknown }): void {
  if (!givesUid || answer.statusCode !== 200) return
  const { data } = answer.json() as { data: Outcome }
  if (isSuccess(data.code)) expect(data).toHaveProperty('uid', expect.any(String))
}

let callers = 0

/** A server without a port; `clock.now` is its time, `losses` has the reasons for lost bus connections. */
export async function testServer({ features, environment = {}, hasOwnDatabase = false }: TestServerOptions) {
  const opened = await openContext(environment, hasOwnDatabase)
  const { context, clock, database, url, superuserUrl, losses, close } = opened
  const served = [...new Set([registerAuth, ...features])]
  const http = await timed('servers', () => buildApp(context, served))
  atTheEnd(async () => {
    const closed = http.app.close()
    // A browser's idle connections would hold it for a minute.
    http.app.server.closeAllConnections()
    await closed
    await close()
  })
  const apps = [http.app]
  while (apps.length < SERVERS) {
    const further = await openFurther(opened)
    const { app } = await buildApp(further.context, served)
    apps.push(app)
    atTheEnd(() => app.close().then(further.close))
  }
  let asked = 0
  /** The raw answer of a call. */
  const ask = async (endpoint: Endpoint, input: CallInput = {}) => {
    const request = {
      method: endpoint.method,
      url: buildPath(endpoint.path, input.params, input.query),
      headers: { ...input.headers, ...(input.token ? { authorization: `Bearer ${input.token}` } : {}) },
      remoteAddress: input.address ?? '127.0.0.1',
    }
    const payload = endpoint.bodyForm === 'json' ? (input.body ?? {}) : undefined
    const app = apps[asked++ % apps.length] ?? http.app
    const answer = await app.inject(payload === undefined ? request : { ...request, payload: payload })
    requireUid(endpoint, answer)
    return answer
  }

  /** The `data` of a call that must answer HTTP 200. */
  const call = async <E extends Endpoint>(endpoint: E, input: CallInput = {}): Promise<AnswerOf<E>> => {
    const answer = await ask(endpoint, input)
    if (answer.statusCode !== 200) throw new Error(`${endpoint.path}: ${answer.statusCode} ${answer.body}`)
    return answer.json<{ data: AnswerOf<E> }>().data
  }

  /** A new client with its admin signed in; `scope` is for what no call makes. */
  const newClient = async () => {
    const email = `owner${++callers}@example.com`
    const body = { fullName: 'Olga Owner', email, password: 'a long password', terms: true }
    const { token, uid } = await call(register, { body })
    const user = await database.auth.userByEmail(email)
    if (!user) throw new Error(`${email} is not there`)
    return { token, uid, email, scope: database.forClient(user.clientId) }
  }

  return { http, context, served, database, url, superuserUrl, clock, losses, ask, call, newClient }
}
export type TestServer = Awaited<ReturnType<typeof testServer>>

/** Another server on the same database, with nothing in its memory. It ends with the tests. */
export async function startAnother({ context, served }: Pick<TestServer, 'context' | 'served'>) {
  const { app } = await buildApp(context, served)
  atTheEnd(() => app.close())
  return app
}
