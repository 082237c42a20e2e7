import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beginAlert } from '@floorcast/contract/alerts.ts'
import { authenticate, endSession, readSession } from '@floorcast/contract/auth.ts'
import { listDevices } from '@floorcast/contract/devices.ts'
import { readManifest } from '@floorcast/contract/device-protocol.ts'
import { endpoints } from '@floorcast/contract/endpoints.ts'
import { addGroup } from '@floorcast/contract/groups.ts'
import { readInstallationState } from '@floorcast/contract/installation.ts'
import * as contract from '@floorcast/contract/operator.ts'
import * as signIn from '@floorcast/contract/operator-sign-in.ts'
import type { Problem } from '@floorcast/contract/problem.ts'
import { requestPlan } from '@floorcast/contract/plans.ts'
import { atTheEnd } from '@floorcast/testing/at-the-end.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { makeClientFixture } from '@floorcast/testing/contract-fixture.ts'
import { sampleCall } from '@floorcast/testing/sample-calls.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { openPlayer } from '@floorcast/testing/test-device.ts'
import { linkIn, newOperator, runOperators } from '@floorcast/testing/test-operators.ts'
import { codeAt, newAddress, secondFactorOn, STEP_MS } from '@floorcast/testing/test-second-factor.ts'
import { startAnother, type TestServer } from '@floorcast/testing/test-server.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { beforeAll, expect, it } from 'vitest'
import { openJobs } from '../../jobs/jobs.ts'
import { startMaintenance } from '../../jobs/maintenance.ts'
import { startSampling } from '../../jobs/samples.ts'
import { openBus } from '../../platform/bus/bus.ts'
import { watchInstallation } from '../../platform/installation/installation-state.ts'

let server: TestServer
let operator: Awaited<ReturnType<typeof newOperator>>
beforeAll(async () => {
  server = await wholeServer()
  operator = await newOperator(server)
})

const codeOf = (answer: { json: <T>() => T }) => answer.json<Problem>().code
const faultOf = (answer: { json: <T>() => T }) => answer.json<Problem>().errors?.[0]
const password = 'an operator of shops'
const later = (ms: number) => new Date(server.clock.now.getTime() + ms)
const entries = async (token = operator.token) =>
  (await server.call(contract.listOperatorAudit, { token, query: { size: 50 } })).items

/** The context of another server: what it knows of the installation it hears over a bus of its own. */
async function openOtherContext() {
  const { context, url } = server
  const bus = await openBus({ url, lost: () => undefined })
  const installation = await watchInstallation({ ...context, auth: context.database.auth, bus })
  atTheEnd(async () => {
    installation.close()
    await bus.close()
  })
  return { ...context, bus, installation }
}

/** What somebody gets who uses the link and has no app yet. */
async function acceptNew(email: string) {
  const token = linkIn(await runOperators(server, 'add-operator', email))
  const address = newAddress()
  const body = { token, password }
  return { address, body, ...(await server.call(signIn.acceptOperatorLink, { address, body })) }
}

it('an operator sets a password by the link once, and an app before anything else', async () => {
  const { ticket, mustEnroll, body, address } = await acceptNew('first@operations.example')
  expect(mustEnroll).toBe(true)
  const again = await server.ask(signIn.acceptOperatorLink, { address, body })
  expect([again.statusCode, codeOf(again)]).toEqual([400, 'link-expired'])
  const step = await server.call(signIn.authenticateOperator, {
    address,
    body: { email: 'First@operations.example', password },
  })
  expect(step.mustEnroll).toBe(true)
  for (const token of [ticket, step.ticket])
    expect((await server.ask(contract.readOperatorOverview, { token })).statusCode).toBe(401)
  const { secret, uri } = await server.call(signIn.beginOperatorEnrollment, { address, body: { ticket } })
  expect(decodeURIComponent(uri)).toContain('first@operations.example')
  const wrong = await server.ask(signIn.confirmOperatorEnrollment, {
    address,
    body: { ticket, code: '000000' },
  })
  expect(faultOf(wrong)).toMatchObject({ path: 'code', message: 'wrong-code' })
  const code = codeAt(secret, server.clock.now)
  const { token } = await server.call(signIn.confirmOperatorEnrollment, { address, body: { ticket, code } })
  expect((await server.call(signIn.readOperator, { token })).email).toBe('first@operations.example')
})

it('a wrong password, a used code, a finished ticket and a set-up beside the app are refused', async () => {
  const { email, confirmedBy, secret } = await newOperator(server)
  const address = newAddress()
  const wrong = { email, password: 'not the password' }
  for (const body of [wrong, { ...wrong, email: 'nobody@operations.example' }])
    expect(codeOf(await server.ask(signIn.authenticateOperator, { address, body }))).toBe('wrong-login')
  const step = await server.call(signIn.authenticateOperator, { address, body: { email, password } })
  const { ticket } = step
  expect(step.mustEnroll).toBe(false)
  const used = await server.ask(signIn.completeOperatorSignIn, {
    address,
    body: { ticket, code: confirmedBy },
  })
  expect(faultOf(used)).toMatchObject({ path: 'code', message: 'wrong-code' })
  expect(codeOf(await server.ask(signIn.beginOperatorEnrollment, { address, body: { ticket } }))).toBe(
    'step-expired',
  )
  server.clock.now = later(2 * STEP_MS)
  const body = { ticket, code: codeAt(secret, server.clock.now) }
  expect((await server.ask(signIn.confirmOperatorEnrollment, { address, body })).statusCode).toBe(400)
  await server.call(signIn.completeOperatorSignIn, { address, body })
  expect((await server.ask(signIn.completeOperatorSignIn, { address, body })).statusCode).toBe(400)
  await eventually(async () =>
    expect((await entries()).filter(entry => entry.email === email).map(({ action }) => action)).toEqual(
      expect.arrayContaining([
        'sign-in',
        'second-factor-failed',
        'sign-in-failed',
        'add-second-factor',
        'set-password',
      ]),
    ),
  )
})

it('guesses at a password end in 429 for the account and network', async () => {
  const { email } = await newOperator(server)
  const address = newAddress()
  const guess = () =>
    server.ask(signIn.authenticateOperator, { address, body: { email, password: 'a wrong one' } })
  const statuses = []
  for (let n = 0; n < 11; n += 1) statuses.push((await guess()).statusCode)
  expect(statuses).toEqual([...Array<number>(10).fill(400), 429])
})

it('a thief of the password who uses up the codes keeps an operator out of new networks alone', async () => {
  const { email, secret, address } = await newOperator(server)
  const on = secondFactorOn(server)
  const open = async (from = newAddress()) =>
    (await server.call(signIn.authenticateOperator, { address: from, body: { email, password } })).ticket
  const complete = async (ticket: string, code: string, from = newAddress()) =>
    (await server.ask(signIn.completeOperatorSignIn, { address: from, body: { ticket, code } })).statusCode
  const guess = async (from = newAddress()) => complete(await open(from), on.wrongFor(secret), from)
  const now = () => {
    on.wait(2 * STEP_MS)
    return codeAt(secret, server.clock.now)
  }
  const guesses = await Promise.all(Array.from({ length: 24 }, () => guess()))
  expect(guesses.toSorted((one, other) => one - other)).toEqual([
    ...Array<number>(20).fill(422),
    ...Array<number>(4).fill(429),
  ])
  expect(await complete(await open(), now())).toBe(429)
  expect(await complete(await open(), now(), address)).toBe(200)
  // From the known network codes are counted too.
  const known = await Promise.all(Array.from({ length: 12 }, () => guess(address)))
  expect(known.filter(status => status === 422)).toHaveLength(10)
  expect(await complete(await open(), now(), address)).toBe(429)
  // Who has the machine ends it: the password of before opens nothing, and the link works from everywhere.
  const token = linkIn(await runOperators(server, 'reset-operator', email))
  const elsewhere = newAddress()
  const body = { token, password: 'another password of shops' }
  const { ticket } = await server.call(signIn.acceptOperatorLink, { address: elsewhere, body })
  const app = await server.call(signIn.beginOperatorEnrollment, { address: elsewhere, body: { ticket } })
  const code = codeAt(app.secret, server.clock.now)
  await server.call(signIn.confirmOperatorEnrollment, { address: elsewhere, body: { ticket, code } })
})

it('a session ends by sign-out, after an idle hour, and when the operator is locked, reset or removed', async () => {
  const statusOf = async (token: string) => (await server.ask(signIn.readOperator, { token })).statusCode
  const out = await newOperator(server)
  await server.call(signIn.endOperatorSession, { token: out.token })
  expect(await statusOf(out.token)).toBe(401)
  for (const command of ['lock-operator', 'reset-operator', 'remove-operator']) {
    const { token, email } = await newOperator(server)
    expect(await statusOf(token)).toBe(200)
    await runOperators(server, command, email)
    expect(await statusOf(token)).toBe(401)
    const step = await server.ask(signIn.authenticateOperator, {
      address: newAddress(),
      body: { email, password },
    })
    expect(step.statusCode).toBe(400)
  }
  const idle = await newOperator(server)
  const before = server.clock.now
  server.clock.now = later(3_601_000)
  expect(await statusOf(idle.token)).toBe(401)
  server.clock.now = before
})

it('commands list operators, refuse unknown and known ones, and let a locked one in again', async () => {
  const email = 'listed@operations.example'
  await acceptNew(email)
  await expect(runOperators(server, 'add-operator', email)).rejects.toThrow('is an operator already')
  await expect(runOperators(server, 'lock-operator', 'nobody@operations.example')).rejects.toThrow(
    'no operator',
  )
  await expect(runOperators(server, 'add-operator', 'no address')).rejects.toThrow('EMAIL')
  await runOperators(server, 'lock-operator', email)
  expect(await runOperators(server, 'operators')).toContain(`${email}\tlocked`)
  await runOperators(server, 'unlock-operator', email)
  expect(await runOperators(server, 'operators')).toContain(`${email}\tnot signed in yet`)
})

it('sessions of operators reach no call of users or devices, and theirs none of operators', async () => {
  const client = await makeClientFixture(server)
  for (const one of endpoints) {
    const { by } = one.endpoint.access
    if (by === 'public') continue
    const others = {
      operator: operator.token,
      user: client.token,
      device: client.deviceToken,
      streamer: client.streamerToken,
    }
    const foreign = Object.entries(others).filter(([kind]) => {
      if (by === 'operator') return kind !== 'operator'
      return kind === 'operator'
    })
    const { params, query } = sampleCall(one, client.fixtures)
    for (const [kind, token] of foreign) {
      const { statusCode } = await server.ask(one.endpoint, { params, query, token })
      expect({ call: one.name, kind, statusCode }).toEqual({ call: one.name, kind, statusCode: 401 })
    }
  }
})

it('an operator lists clients with plan and use, found by name or by the email of a user, and sorted', async () => {
  const { token } = operator
  const few = await server.newClient()
  const many = await server.newClient()
  await makeDevice(few.scope)
  for (let n = 0; n < 3; n += 1) await makeDevice(many.scope)
  const list = (query: object) => server.call(contract.listClients, { token, query })
  const found = await list({ search: few.email.toUpperCase() })
  expect(found.items).toMatchObject([
    {
      name: 'Olga Owner',
      plan: 'trial',
      devices: { used: 1, limit: 3 },
      online: 0,
      mediaBytes: { used: 0, limit: 2e9 },
    },
  ])
  expect(found.items[0]?.lastSignInAt).not.toBeNull()
  const all = await list({ search: 'olga', sort: 'devices', dir: 'desc', size: 2 })
  expect(all.items[0]?.devices.used).toBe(3)
  expect(all.items).toHaveLength(2)
  expect(all.total).toBeGreaterThan(2)
  expect((await list({ search: 'owner1' })).items).toEqual([])
  for (const sort of contract.ClientSort.options) expect((await list({ sort })).total).toBe(all.total)
})

it('an operator reads requests for plans, and no name of anything that clients store', async () => {
  const client = await server.newClient()
  await makeDevice(client.scope, { name: 'Secret till' })
  await server.call(addGroup, {
    token: client.token,
    params: { contentType: 'audio' },
    body: { name: 'Secret group' },
  })
  await server.call(requestPlan, { token: client.token, body: { planKey: 'medium' } })
  const { token } = operator
  const requests = await server.call(contract.listPlanRequests, { token })
  expect(requests).toMatchObject([
    { email: client.email, planKey: 'medium', currentKey: 'trial', devices: 1 },
  ])
  const reads = endpoints.filter(
    ({ endpoint: { access, method } }) => access.by === 'operator' && method === 'GET',
  )
  expect(reads.length).toBeGreaterThan(4)
  for (const { endpoint } of reads)
    expect((await server.ask(endpoint, { token })).body).not.toContain('Secret')
})

it('the overview has servers, devices, jobs and queues, and a job runs again when nobody is at it', async () => {
  const { token } = operator
  const client = await server.newClient()
  const { licenseKey } = await makeDevice(client.scope)
  await openPlayer(server, licenseKey)
  await client.scope.write(writes =>
    writes.updateTable('deviceStates').set({ lastContactAt: server.clock.now }).execute(),
  )
  const jobs = openJobs(server.context, 'server abcd')
  const stopSampling = startSampling(server.context, jobs)
  atTheEnd(stopSampling)
  const overview = () => server.call(contract.readOperatorOverview, { token })
  await eventually(async () =>
    expect((await overview()).jobs).toMatchObject([{ name: 'samples', outcome: 'done' }]),
  )
  const seen = await overview()
  expect(seen.servers).toMatchObject([{ name: 'server abcd', isReporting: true, role: 'all' }])
  expect(seen.totals).toMatchObject({ online: 1, silent: 1 })
  expect(seen.totals.devices).toBeGreaterThan(0)
  expect(seen.queues.map(({ name }) => name)).toEqual([
    'mails',
    'mails-failed',
    'loudness',
    'media-failed',
    'commands',
    'statistics',
  ])
  expect(seen.backup).toEqual({ isScheduled: false, isTargetMissing: false, newestAt: null, count: 0 })
  const { settings } = server.context
  settings.backup = { target: '/backup/not mounted', at: '02:30', keep: 2 }
  writeFileSync(join(settings.dataDir, 'backup-targets.json'), JSON.stringify([settings.backup.target]))
  expect((await overview()).backup).toMatchObject({ isScheduled: true, isTargetMissing: true, count: 0 })
  settings.backup = null

  const run = (name: string) => server.ask(contract.runJob, { token, params: { name } })
  expect((await run('backup')).statusCode).toBe(404)
  atTheEnd(startMaintenance(server.context, jobs))
  const maintenance = async () => (await overview()).jobs.find(({ name }) => name === 'maintenance')
  await eventually(async () =>
    expect(await maintenance()).toMatchObject({ outcome: 'done', isRunning: false }),
  )
  server.clock.now = later(1000)
  const ran = await Promise.all([run('maintenance'), run('maintenance')])
  expect(ran.map(({ statusCode }) => statusCode).toSorted((one, other) => one - other)).toEqual([200, 409])
  expect(codeOf(ran.find(({ statusCode }) => statusCode === 409) ?? { json: <T>() => ({}) as T })).toBe(
    'job-running',
  )
  const runAt = server.clock.now.toISOString()
  await eventually(async () =>
    expect(await maintenance()).toMatchObject({ startedAt: runAt, isRunning: false, outcome: 'done' }),
  )
  const { maintained } = await asSuperuser(server.superuserUrl, async superuser => {
    const { rows } = await superuser.query<{ maintained: number }>(
      'select count(*)::int as maintained from maintenance_runs',
    )
    return rows[0] ?? { maintained: 0 }
  })
  expect(maintained).toBe(2)
  expect((await entries()).filter(({ action }) => action === 'run-job')).toMatchObject([
    { subject: 'maintenance', email: operator.email },
  ])
})

it('a run whose server has died is over after two minutes without a word', async () => {
  const { token } = operator
  const { runs } = server.database.jobs
  const job = { name: 'backup', server: 'server dead' }
  await runs.plan(job, server.clock.now, later(86_400_000))
  await runs.begin(job, server.clock.now)
  const run = async () =>
    (await server.ask(contract.runJob, { token, params: { name: 'backup' } })).statusCode
  expect(await run()).toBe(409)
  server.clock.now = later(121_000)
  expect(await run()).toBe(200)
})

it('a notice reaches users on every server until its end, and is dismissed by its uid', async () => {
  const { token } = operator
  const user = await server.newClient()
  const other = await startAnother({ served: server.served, context: await openOtherContext() })
  const state = async () =>
    (
      await other.inject({
        url: readInstallationState.path,
        headers: { authorization: `Bearer ${user.token}` },
      })
    ).json<{ data: { notice: { text: string; uid: string } | null } }>().data
  const set = (text: string, until: Date) =>
    server.ask(contract.setNotice, { token, body: { text, level: 'warning', until: until.toISOString() } })
  expect(faultOf(await set('Too late', later(-1)))).toMatchObject({ path: 'until', message: 'in-the-past' })
  expect(faultOf(await set('Too far', later(400 * 86_400_000)))).toMatchObject({
    path: 'until',
    message: 'too-far',
  })
  expect(faultOf(await set('x'.repeat(501), later(1000)))).toMatchObject({
    path: 'text',
    message: 'too-long',
  })
  const text = 'Maintenance on Sunday <b>02:00</b>'
  expect((await set(text, later(60_000))).statusCode).toBe(200)
  const first = await server.call(readInstallationState, { token: user.token })
  expect(first).toMatchObject({ notice: { text, level: 'warning' }, readOnly: null })
  await eventually(async () => expect((await state()).notice?.text).toBe(text))
  await set('Another', later(60_000))
  expect((await server.call(readInstallationState, { token: user.token })).notice?.uid).not.toBe(
    first.notice?.uid,
  )
  const before = server.clock.now
  server.clock.now = later(61_000)
  expect((await server.call(readInstallationState, { token: user.token })).notice).toBeNull()
  server.clock.now = before
  await server.call(contract.endNotice, { token })
  await eventually(async () => expect((await state()).notice).toBeNull())
  expect((await entries()).slice(0, 3).map(({ action, subject }) => [action, subject])).toEqual([
    ['end-notice', ''],
    ['set-notice', 'Another'],
    ['set-notice', text],
  ])
})

it('read only refuses what users change, and lets devices, alerts, sign-ins and operators go on, until its end', async () => {
  const { token } = operator
  const user = await server.newClient()
  const { licenseKey } = await makeDevice(user.scope)
  const player = await openPlayer(server, licenseKey)
  const add = (name: string) =>
    server.ask(addGroup, { token: user.token, params: { contentType: 'audio' }, body: { name } })
  await server.call(contract.setReadOnly, { token, body: { until: later(600_000).toISOString() } })
  const refused = await add('While maintained')
  expect([refused.statusCode, codeOf(refused)]).toEqual([503, 'read-only'])
  expect(refused.headers['retry-after']).toBe('60')
  expect((await server.ask(listDevices, { token: user.token })).statusCode).toBe(200)
  expect((await server.ask(readManifest, player)).statusCode).toBe(200)
  expect(
    (await server.call(beginAlert, { token: user.token, params: { uid: 'all', alerttype: 'air' } })).code,
  ).toBe(200)
  const signedIn = await server.call(authenticate, {
    body: { email: user.email, password: 'a long password' },
  })
  expect((await server.call(endSession, { token: signedIn.token })).code).toBe(200)
  expect((await operator.signIn()).token).not.toBe('')
  const { readOnly } = await server.call(readInstallationState, { token: user.token })
  expect(readOnly).not.toBeNull()
  const before = server.clock.now
  server.clock.now = later(601_000)
  expect((await add('After its end')).statusCode).toBe(200)
  server.clock.now = before
  await server.call(contract.setReadOnly, { token, body: { until: null } })
  expect((await add('Without an end')).statusCode).toBe(503)
  await server.call(contract.endReadOnly, { token })
  expect((await add('Ended')).statusCode).toBe(200)
  expect((await server.ask(readSession, { token: user.token })).statusCode).toBe(200)
  expect((await entries()).slice(0, 2).map(({ action }) => action)).toEqual([
    'end-read-only',
    'set-read-only',
  ])
})

it('read only refuses every change of users but alerts and what ends sessions', () => {
  const taken = endpoints
    .filter(
      ({ endpoint: { access, worksReadOnly, outcomes } }) =>
        access.by === 'user' && worksReadOnly && outcomes.length > 0,
    )
    .map(({ endpoint }) => endpoint.path)
  expect(taken.toSorted()).toEqual([
    '/api/v2/session/end',
    '/api/v2/sessions/endothers',
    '/api/v2/sessions/{uid}/end',
    '/api/v2/users/{uid}/endsessions',
    '/device/alert/{uid}/sendbegin/{alerttype}',
    '/device/alert/{uid}/sendend/{alerttype}',
  ])
  const closed = endpoints.filter(
    ({ endpoint: { access, worksReadOnly } }) => access.by === 'public' && !worksReadOnly,
  )
  expect(closed.map(({ endpoint }) => endpoint.path).toSorted()).toEqual([
    '/users/register',
    '/users/register/confirm',
    '/users/register/request',
  ])
})
