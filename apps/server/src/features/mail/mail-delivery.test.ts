import { authenticate } from '@floorcast/contract/auth.ts'
import { confirmAccount, forgotPassword, requestAccount } from '@floorcast/contract/mailed-links.ts'
import { readOperatorOverview } from '@floorcast/contract/operator.ts'
import type { Problem } from '@floorcast/contract/problem.ts'
import { acceptLink, inviteUser, removeUser } from '@floorcast/contract/users.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { newOperator } from '@floorcast/testing/test-operators.ts'
import { linkOf } from '@floorcast/testing/test-mail-server.ts'
import { mailedServer, PASSWORD } from '@floorcast/testing/test-mailed-server.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { testServer, startAnother } from '@floorcast/testing/test-server.ts'
import { expect, it, vi } from 'vitest'
import { registerMailedLinks } from '../auth/mailed-links-routes.ts'
import { registerOperators } from '../operators/operators-routes.ts'
import { registerUsers } from '../tenants/users-routes.ts'

const features = [registerMailedLinks, registerUsers, registerOperators]
const DAY_SECONDS = 86_400

const {
  server,
  mailServer,
  newEmail,
  ask,
  forget,
  newAdmin,
  newUser,
  rowOf,
  untilOutcome,
  untilPutOff,
  wait,
} = await mailedServer({ features })

/** Waits until so many mails for a forgotten password were sent and so many dropped. */
const untilSent = (email: string, sent: number, dropped: number) =>
  eventually(async () => {
    const { rows } = await asSuperuser(server.superuserUrl, superuser =>
      superuser.query<{ outcome: string | null; count: number }>(
        `select outcome, count(*)::int as count from mails where recipient = $1 and kind = 'forgotten-password' group by 1`,
        [email],
      ),
    )
    const counts = Object.fromEntries(rows.map(({ outcome, count }) => [String(outcome), count]))
    expect(counts).toEqual({ sent, ...(dropped > 0 && { dropped }) })
  })

it.each([
  ['a user', async () => (await newUser()).email],
  ['nobody', () => Promise.resolve(newEmail())],
])(
  'floods a network causes three mails of a kind in an hour at most for the address of %s',
  async (_, make) => {
    const email = await make()
    const address = '203.0.113.78'
    const statuses = []
    for (let call = 0; call < 5; call++) statuses.push((await forget(email, address)).statusCode)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    const refused = await forget(email.toUpperCase(), address)
    expect(refused.json<Problem>().code).toBe('mail-limit')
    expect(refused.headers['retry-after']).toBe('3600')
    expect((await forget(email)).statusCode).toBe(200)
  },
)

it('floods strangers cause ten mails for a forgotten password in a day, and the user still gets one', async () => {
  const { email } = await newUser()
  const home = '2001:db8:7:1::5'
  const body = { email, password: PASSWORD }
  await server.call(authenticate, { address: home, body })
  for (let call = 0; call < 12; call++) expect((await forget(email)).statusCode).toBe(200)
  await untilSent(email, 10, 2)
  for (let call = 0; call < 3; call++) {
    expect((await forget(email, '2001:db8:7:1::99')).statusCode).toBe(200)
    await untilSent(email, 11 + call, 2)
  }
  expect((await forget(email, home)).statusCode).toBe(429)
  const mails = await mailServer.mailsTo(email, 14)
  const { token } = linkOf(mails.at(-1) ?? expect.fail('no mail'))
  const link = { token, password: 'nine green lamps' }
  expect((await server.ask(acceptLink, { body: link })).statusCode).toBe(200)

  await wait(25 * 3600)
  await forget(email)
  await mailServer.mailTo(email, 15)
})

it('floods a user is known in the ten networks of the newest sign-ins', async () => {
  const { email } = await newUser()
  const body = { email, password: PASSWORD }
  const address = (nr: number) => `192.0.2.${nr}`
  for (let nr = 1; nr <= 11; nr++) await server.call(authenticate, { address: address(nr), body })
  await server.call(authenticate, { address: address(2), body })
  for (let call = 0; call < 10; call++) await forget(email)
  await untilSent(email, 10, 0)
  await forget(email, address(1))
  await untilSent(email, 10, 1)
  await forget(email, address(2))
  await untilSent(email, 11, 1)
})

it('floods an admin who invites and removes in turns comes no further, and keeps nobody’s invitation away', async () => {
  const email = newEmail()
  const invite = async ({ token }: { token: string }) => {
    const answer = await server.ask(inviteUser, { token, body: { email, role: 'manager' } })
    const { uid } = answer.json<{ data?: { uid: string } }>().data ?? {}
    if (uid) await server.call(removeUser, { token, body: { uid, password: PASSWORD } })
    return answer.statusCode
  }
  const admin = await newAdmin()
  const statuses = []
  for (let turn = 0; turn < 4; turn++) statuses.push(await invite(admin))
  expect(statuses).toEqual([200, 200, 200, 429])
  const colleague = await signedInUser(admin.scope, { role: 'admin', password: PASSWORD })
  expect(await invite(colleague)).toBe(200)
  // Above ten in a day, each client has its first one.
  for (let other = 0; other < 7; other++) expect(await invite(await newAdmin())).toBe(200)
  expect(await invite(colleague)).toBe(429)
  const { token } = await newAdmin()
  await server.call(inviteUser, { token, body: { email, role: 'manager' } })
  await untilOutcome(email, 'sent')
})

it('floods calls at the same time do not pass the limit together', async () => {
  const email = newEmail()
  const answers = await Promise.all(Array.from({ length: 8 }, () => forget(email, '203.0.113.79')))
  expect(answers.filter(answer => answer.statusCode === 200)).toHaveLength(3)
})

it('floods one caller writes to 30 addresses in an hour', async () => {
  const address = '203.0.113.77'
  const statuses = []
  for (let call = 0; call < 31; call++)
    statuses.push((await server.ask(forgotPassword, { address, body: { email: newEmail() } })).statusCode)
  expect(statuses).toEqual([...Array<number>(30).fill(200), 429])
})

it('floods strangers fill their part of the queue only', async () => {
  await mailServer.stop()
  await asSuperuser(server.superuserUrl, superuser =>
    superuser.query(
      `insert into mails (uid, kind, recipient, language, created_at, due_at)
         select gen_random_uuid(), 'forgotten-password', n || '@full.example', 'en', $1, $1::timestamptz + interval '1 hour'
         from generate_series(1, 2000) n`,
      [server.clock.now],
    ),
  )
  const refused = await forget(newEmail())
  expect([refused.statusCode, refused.json<Problem>().code]).toEqual([503, 'busy'])
  const admin = await newAdmin()
  const email = newEmail()
  const invited = await server.ask(inviteUser, { token: admin.token, body: { email, role: 'manager' } })
  expect(invited.statusCode).toBe(200)
  await untilPutOff(email)
  await asSuperuser(server.superuserUrl, superuser =>
    superuser.query("delete from mails where recipient like '%@full.example'"),
  )
  await mailServer.start()
  await wait(700)
  await mailServer.mailTo(email)
})

it('the mail server may be away: the call answers at once, and the mail is sent when it is back', async () => {
  const email = newEmail()
  await mailServer.stop()
  expect((await ask(email)).statusCode).toBe(200)
  await untilPutOff(email)
  expect((await rowOf(email))?.outcome).toBeNull()
  await mailServer.start()
  await wait(700)
  const { token } = linkOf(await mailServer.mailTo(email))
  expect(await server.call(confirmAccount, { body: { token, password: PASSWORD } })).toMatchObject({
    email,
  })
})

it('the mail server may refuse a recipient: the mail ends, and the audit of the client says so', async () => {
  const admin = await newAdmin()
  const email = newEmail()
  mailServer.refuse.set(email, 550)
  const { uid } = await server.call(inviteUser, { token: admin.token, body: { email, role: 'manager' } })
  await untilOutcome(email, 'refused')
  const entries = await asSuperuser(server.superuserUrl, async superuser => {
    const { rows } = await superuser.query<{ reason: string }>(
      "select changes->'reason'->>1 as reason from audit_entries where action = 'mail-failed' and thing_uid = $1",
      [uid],
    )
    return rows
  })
  expect(entries).toHaveLength(1)
  expect(entries[0]?.reason).toMatch(/550/)
  await wait(3600)
  expect((await rowOf(email))?.attempts).toBe(1)
})

it('a mail that was not delivered stands in a queue of operators for a week', async () => {
  const { signIn } = await newOperator(server)
  const undelivered = async () => {
    const { token } = await signIn()
    const { queues } = await server.call(readOperatorOverview, { token })
    return queues.find(({ name }) => name === 'mails-failed') ?? { waiting: -1, oldestAt: null }
  }
  const sendAnother = async () => {
    const email = newEmail()
    await ask(email)
    await untilOutcome(email, 'sent')
  }
  const before = await undelivered()
  const email = newEmail()
  mailServer.refuse.set(email, 550)
  await ask(email)
  await untilOutcome(email, 'refused')
  expect((await undelivered()).waiting).toBe(before.waiting + 1)
  // Deleted with the next mails.
  await wait(6 * DAY_SECONDS)
  await sendAnother()
  expect((await undelivered()).waiting).toBeGreaterThan(0)
  await wait(2 * DAY_SECONDS)
  await sendAnother()
  expect(await undelivered()).toMatchObject({ waiting: 0, oldestAt: null })
})

it.each(['refuse', 'reject'] as const)(
  'the mail server may %s a mail for now: it is sent again',
  async how => {
    const email = newEmail()
    mailServer[how].set(email, 451)
    await ask(email)
    await eventually(async () => expect(await rowOf(email)).toMatchObject({ attempts: 1, outcome: null }))
    await eventually(() => expect(mailServer.tried).toContain(email))
    mailServer[how].delete(email)
    await eventually(async () => {
      await wait(60)
      expect((await rowOf(email))?.outcome).toBe('sent')
    })
    const { token } = linkOf(await mailServer.mailTo(email))
    expect((await server.ask(confirmAccount, { body: { token, password: PASSWORD } })).statusCode).toBe(200)
  },
)

it('the mail server may refuse the text of a mail: it ends', async () => {
  const email = newEmail()
  mailServer.reject.set(email, 554)
  await ask(email)
  await untilOutcome(email, 'refused')
})

it('the mail server one that is away for a day ends the mail', async () => {
  const email = newEmail()
  await mailServer.stop()
  await ask(email)
  await wait(25 * 3600)
  await untilOutcome(email, 'expired')
  await mailServer.start()
})

it('the mail server a server that ends keeps its mails for the next one, without a token in them', async () => {
  const email = newEmail()
  const own = await testServer({
    hasOwnDatabase: true,
    features,
    environment: { SMTP_URL: mailServer.url, MAIL_FROM: 'floor@shop.example' },
  })
  await mailServer.stop()
  await own.call(requestAccount, { body: { fullName: 'Ana', email, terms: true } })
  await own.http.app.close()
  const rows = await asSuperuser(own.superuserUrl, async superuser => {
    const { rows: found } = await superuser.query<{ mail: object }>(
      'select to_jsonb(mails) as mail from mails',
    )
    return found
  })
  expect(rows).toHaveLength(1)
  expect(JSON.stringify(rows)).not.toMatch(/token|hash/)
  await mailServer.start()
  own.clock.now = new Date(own.clock.now.getTime() + 700_000)
  await startAnother(own)
  await mailServer.mailTo(email)
})

it.each([
  ['a wrong password', (url: string) => url.replace(/:\/\/.*@/, '://ann:wrong%2Fsecret@')],
  ['a name that its certificate lacks', (url: string) => url.replace('localhost', '127.0.0.1')],
  ['TLS where it speaks none', (url: string) => url.replace('smtp:', 'smtps:')],
])('the mail server gets no mail by %s, and the log has no secret', async (_, change) => {
  const own = await testServer({
    hasOwnDatabase: true,
    features,
    environment: { SMTP_URL: change(mailServer.url), MAIL_FROM: 'floor@shop.example' },
  })
  const warn = vi.spyOn(own.context.log, 'warn')
  const email = newEmail()
  await own.call(requestAccount, { body: { fullName: 'Ana', email, terms: true } })
  await eventually(() => expect(warn).toHaveBeenCalled())
  const said = JSON.stringify(warn.mock.calls)
  expect(said).toContain('the mail server takes no mails')
  expect(said).not.toMatch(/secret|guests\.example/)
  expect(mailServer.tried).not.toContain(email)
  await own.http.app.close()
})

it('without a mail server links are shown as before, and nobody asks for a mail', async () => {
  const own = await testServer({ hasOwnDatabase: true, features })
  expect((await own.http.app.inject('/config.json')).json()).toMatchObject({ sendsMail: false })
  const { token } = await own.newClient()
  const body = { email: newEmail(), role: 'manager' }
  expect((await own.call(inviteUser, { token, body })).link).toMatch(/#invite=/)
  const asked = [
    await own.ask(forgotPassword, { body: { email: newEmail() } }),
    await own.ask(requestAccount, { body: { fullName: 'Ana', email: newEmail(), terms: true } }),
  ]
  for (const answer of asked) expect(answer.json<Problem>().code).toBe('no-mail-server')
  expect((await server.http.app.inject('/config.json')).json()).toMatchObject({ sendsMail: true })
})
