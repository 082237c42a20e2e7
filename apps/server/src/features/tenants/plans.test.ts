import { readAudit } from '@floorcast/contract/audit.ts'
import { listPlans, requestPlan, withdrawPlanRequest } from '@floorcast/contract/plans.ts'
import type { Problem } from '@floorcast/contract/problem.ts'
import { removeUser } from '@floorcast/contract/users.ts'
import { makeClient } from '@floorcast/testing/factories.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { mailedServer } from '@floorcast/testing/test-mailed-server.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { expect, it } from 'vitest'
import { readCommand, runCommand } from './admin-commands.ts'
import { registerUsers } from './users-routes.ts'
import { registerPlans } from './plans-routes.ts'
import { registerAudit } from '../audit/audit-routes.ts'

const SUPPORT = 'help@floor.example'
const { server, mailServer, wait } = await mailedServer({
  features: [registerUsers, registerPlans, registerAudit],
  environment: { SUPPORT_EMAIL: SUPPORT },
})

const admin = (...args: string[]) =>
  runCommand(
    {
      database: server.database,
      openFiles: () => Promise.resolve(server.context.files),
      log: server.context.log,
      publicUrl: 'https://shop.example',
      now: server.clock.now,
    },
    readCommand(args),
  )

async function newOffice() {
  const { scope } = await makeClient(server.database, { planKey: 'trial', at: server.clock.now })
  const { token, email, uid } = await signedInUser(scope, { role: 'admin', password: 'a long password' })
  const request = (planKey: string, by = token) => server.ask(requestPlan, { token: by, body: { planKey } })
  return {
    token,
    email,
    scope,
    request,
    withdraw: () => server.call(withdrawPlanRequest, { token }),
    open: async () =>
      (await server.call(listPlans, { token })).flatMap(({ key, requestedAt }) =>
        requestedAt === null ? [] : [[key, requestedAt]],
      ),
    history: async () =>
      (await server.call(readAudit, { token, params: { id: scope.clientId } })).items
        .filter(({ class: action }) => action?.includes('request'))
        .map(({ class: action, changes }) => [action, changes['planKey']]),
    uid,
  }
}

/** The mails about requests of a user, those that wait and those that have ended. */
const queued = (email: string) =>
  asSuperuser(server.superuserUrl, async superuser => {
    const { rows } = await superuser.query<{ outcome: string | null }>(
      'select outcome from mails where inviter = $1',
      [email],
    )
    return rows
  })

const lineOf = async (email: string) =>
  (await admin('requests')).split('\n').find(line => line.includes(email)) ?? null

it('plans are listed, the client’s own marked', async () => {
  const { token } = await newOffice()
  const plans = await server.call(listPlans, { token })
  expect(plans.map(({ key, isCurrent, requestedAt }) => [key, isCurrent, requestedAt])).toEqual([
    ['trial', true, null],
    ['basic', false, null],
    ['medium', false, null],
    ['professional', false, null],
  ])
  expect(plans[3]).toMatchObject({ mediaGigabytes: 1000, deviceLimit: 10_000, priceUsdPerMonth: 399 })
})

it('a request for a plan is one of a client, with its date, until the operator changes the plan', async () => {
  const [office, other] = [await newOffice(), await newOffice()]
  const asked = server.clock.now.toISOString()
  const answers = await Promise.all([1, 2, 3].map(() => office.request('basic')))
  expect(answers.map(answer => answer.statusCode)).toEqual([200, 200, 200])
  await wait(60)
  expect((await office.request('basic')).json()).toMatchObject({ data: { code: 200, requestedAt: asked } })
  expect([await office.open(), await other.open()]).toEqual([[['basic', asked]], []])
  expect(await office.history()).toEqual([['request-plan', [null, 'basic']]])

  const [day, email, wants, has] = ((await lineOf(office.email)) ?? '').split('\t')
  expect([day, email, wants, has]).toEqual([asked.slice(0, 10), office.email, 'basic', 'trial'])
  await admin('subscription', office.email, 'basic', '2099-12-31')
  expect([await lineOf(office.email), await office.open()]).toEqual([null, []])
})

it('a request for a plan is withdrawn, and may be for another plan', async () => {
  const office = await newOffice()
  await office.request('basic')
  await wait(60)
  await office.request('medium')
  expect(await office.open()).toEqual([['medium', server.clock.now.toISOString()]])
  await office.withdraw()
  await office.withdraw()
  expect(await office.open()).toEqual([])
  expect(await office.history()).toEqual([
    ['withdraw-plan-request', ['medium', null]],
    ['request-plan', ['basic', 'medium']],
    ['request-plan', [null, 'basic']],
  ])
})

it('a request for a plan is made by admins with full rights, also after the end of the plan, for a plan that there is', async () => {
  const office = await newOffice()
  const manager = await signedInUser(office.scope)
  const reader = await signedInUser(office.scope, { role: 'admin', rights: 'view' })
  for (const { token } of [manager, reader])
    expect((await office.request('basic', token)).statusCode).toBe(403)
  const wrong = await office.request('golden')
  expect(wrong.json<Problem>().errors).toMatchObject([{ path: 'planKey', message: 'unknown' }])
  await admin('subscription', office.email, 'trial', '2020-01-01')
  expect((await office.request('basic')).statusCode).toBe(200)
})

it('a request for a plan is told to the operator by mail, unless it was withdrawn or the client has caused too many', async () => {
  const office = await newOffice()
  await office.request('medium')
  const mails = () => mailServer.mails.filter(({ subject }) => subject.includes(office.email))
  await eventually(async () => expect(mails()).toHaveLength(1))
  expect(mails()[0]?.envelope.to).toEqual([SUPPORT])
  expect(mails()[0]?.text).toContain(`npm run admin -- subscription ${office.email} medium UNTIL`)
  for (let nr = 0; nr < 4; nr++) {
    await office.withdraw()
    await office.request('medium')
  }
  expect(await office.open()).toHaveLength(1)
  expect(await queued(office.email)).toHaveLength(3)

  await mailServer.stop()
  const another = await newOffice()
  await another.request('basic')
  await another.withdraw()
  await mailServer.start()
  await eventually(async () => {
    await wait(60)
    expect(await queued(another.email)).toEqual([{ outcome: 'dropped' }])
  })
})

it('a request for a plan names an admin to the operator after its user was removed', async () => {
  const office = await newOffice()
  const second = await signedInUser(office.scope, { role: 'admin' })
  await office.request('basic', second.token)
  expect(await lineOf(second.email)).toContain('basic')
  await server.call(removeUser, {
    token: office.token,
    body: { uid: second.uid, password: 'a long password' },
  })
  expect(await lineOf(second.email)).toBeNull()
  expect(await office.open()).toHaveLength(1)
  const [{ email } = { email: '' }] = await office.scope.reads
    .selectFrom('users')
    .select('email')
    .where('role', '=', 'admin')
    .orderBy('createdAt')
    .orderBy('uid')
    .limit(1)
    .execute()
  expect(await lineOf(email)).toContain('basic')
})
