import { authenticate, readSession, register } from '@floorcast/contract/auth.ts'
import { confirmAccount, forgotPassword, requestAccount } from '@floorcast/contract/mailed-links.ts'
import type { Problem } from '@floorcast/contract/problem.ts'
import { acceptLink, inviteUser, removeUser, resetUser } from '@floorcast/contract/users.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { makeClient } from '@floorcast/testing/factories.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import {
  linkOf,
  MAIL_LOGIN,
  startMailServer,
  type TestMailServer,
  trustMailServer,
} from '@floorcast/testing/test-mail-server.ts'
import { startAnother, testServer, type TestServer } from '@floorcast/testing/test-server.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { beforeAll, describe, expect, it, vi } from 'vitest'

let mailServer: TestMailServer
let server: TestServer
beforeAll(async () => {
  trustMailServer()
  mailServer = await startMailServer()
  server = await testServer({
    SMTP_URL: mailServer.url,
    MAIL_FROM: 'Floorcast <floor@shop.example>',
  })
})

let people = 0
const newEmail = () => `person${++people}@guests.example`
/** Callers come from many networks: the limits by address are no part of most tests. */
let callers = 0
const newAddress = () => `198.51.100.${(callers = (callers + 1) % 250)}`
const password = 'seven green lamps'

const ask = (email: string, more: object = {}, headers: Record<string, string> = {}) =>
  server.ask(requestAccount, {
    address: newAddress(),
    headers,
    body: { fullName: 'Ana María Ruiz', email, terms: true, ...more },
  })
const forget = (email: string) => server.ask(forgotPassword, { address: newAddress(), body: { email } })

async function newAdmin() {
  const { scope } = await makeClient(server.database)
  return { scope, ...(await signedInUser(scope, { role: 'admin' })) }
}

/** A user with a password, by way of the mails. */
async function newUser() {
  const email = newEmail()
  await ask(email)
  const { token } = linkOf(await mailServer.mailTo(email))
  return { email, ...(await server.call(confirmAccount, { body: { token, password } })) }
}

const rowsOf = (email: string) =>
  asSuperuser(server.superuserUrl, async superuser => {
    const { rows } = await superuser.query<{ kind: string; outcome: string | null; attempts: number }>(
      'select kind, outcome, attempts from mails where recipient = $1 order by created_at',
      [email],
    )
    return rows
  })
const outcomeOf = async (email: string) => (await rowsOf(email)).at(-1)?.outcome
const untilOutcome = (email: string, outcome: string) =>
  eventually(async () => expect(await outcomeOf(email)).toBe(outcome))

/** Moves the clock and lets the queue look. */
async function wait(seconds: number) {
  server.clock.now = new Date(server.clock.now.getTime() + seconds * 1000)
  await asSuperuser(server.superuserUrl, superuser => superuser.query('notify floorcast_mail'))
}

describe('registering with a mail server', () => {
  it('creates the account when its owner opens the link and sets the password', async () => {
    const email = newEmail()
    expect((await ask(email)).json()).toEqual({ data: { code: 200 } })
    const mail = await mailServer.mailTo(email)
    expect(mail).toMatchObject({ isEncrypted: true, user: MAIL_LOGIN.user })
    expect(mail.envelope).toEqual({ from: 'floor@shop.example', to: [email] })
    expect(mail.headers.get('from')).toBe('Floorcast <floor@shop.example>')
    expect(mail.headers.get('auto-submitted')).toBe('auto-generated')
    expect((await server.ask(authenticate, { body: { email, password } })).statusCode).toBe(400)

    const { link, token } = linkOf(mail)
    expect(link).toBe(`https://shop.example/login#confirm=${token}`)
    expect(mail.html).toContain(`href="https://shop.example/login#confirm=${token}"`)
    const signedIn = await server.call(confirmAccount, { body: { token, password } })
    expect(signedIn).toMatchObject({ email, role: 'admin', firstName: 'Ana', lastName: 'María Ruiz' })
    expect((await server.ask(readSession, { token: signedIn.token })).statusCode).toBe(200)
    expect((await server.ask(authenticate, { body: { email, password } })).statusCode).toBe(200)
    const again = await server.ask(confirmAccount, { body: { token, password } })
    expect(again.json<Problem>().code).toBe('link-expired')
  })

  it('refuses the call that signs in at once', async () => {
    const body = { fullName: 'Ana', email: newEmail(), password, terms: true }
    const answer = await server.ask(register, { body })
    expect([answer.statusCode, answer.json<Problem>().code]).toEqual([403, 'registration-by-mail'])
  })

  it('lets a link be used for 24 hours, and sends a new one on request', async () => {
    const email = newEmail()
    await ask(email)
    const first = linkOf(await mailServer.mailTo(email))
    await wait(24 * 3600)
    const late = await server.ask(confirmAccount, { body: { token: first.token, password } })
    expect(late.json<Problem>().code).toBe('link-expired')
    await ask(email)
    const { token } = linkOf(await mailServer.mailTo(email, 2))
    expect(await server.call(confirmAccount, { body: { token, password } })).toMatchObject({ email })
  })

  it('answers alike for an email that a user has, and tells its owner', async () => {
    const { email } = await newUser()
    const [taken, free] = [await ask(email), await ask(newEmail())]
    const plain = ({ statusCode, body, headers }: typeof taken) => {
      const { date: _, 'x-request-id': __, ...rest } = headers
      return { statusCode, body, headers: rest }
    }
    expect(plain(taken)).toEqual(plain(free))
    const mail = await mailServer.mailTo(email, 2)
    expect(mail.subject).toBe('You already have a Floorcast account')
    expect(linkOf(mail)).toEqual({ link: 'https://shop.example/login', token: '' })
  })

  it('gives the account to one of two links of an email', async () => {
    const email = newEmail()
    await ask(email)
    await ask(email)
    const tokens = (await mailServer.mailsTo(email, 2)).map(mail => linkOf(mail).token)
    const answers = await Promise.all(
      tokens.map(token => server.ask(confirmAccount, { body: { token, password } })),
    )
    expect(answers.map(answer => answer.statusCode).toSorted((a, b) => a - b)).toEqual([200, 400])
  })

  it('refuses a password that others guess, and keeps the link', async () => {
    const email = newEmail()
    await ask(email)
    const { token } = linkOf(await mailServer.mailTo(email))
    const common = await server.ask(confirmAccount, { body: { token, password: 'password123' } })
    expect(common.json<Problem>().errors).toEqual([{ path: 'password', message: 'password-common' }])
    expect((await server.ask(confirmAccount, { body: { token, password } })).statusCode).toBe(200)
  })

  it.each(['Ana\r\nBcc: all@victims.example', 'Ana\nSubject: You won', 'Ana\u0000'])(
    'refuses the name %j',
    async fullName => {
      const answer = await ask(newEmail(), { fullName })
      expect(answer.json<Problem>().errors).toEqual([{ path: 'fullName', message: 'special-characters' }])
    },
  )

  it.each([
    'a@b.example\r\nBcc: c@d.example',
    'a@b.example, c@d.example',
    'A <a@b.example>',
    '"a b"@c.example',
  ])('refuses the email %j', async email => expect((await ask(email)).statusCode).toBe(422))

  it('sends nothing that a stranger wrote', async () => {
    const email = newEmail()
    await ask(email, { fullName: 'You won at https://evil.example\u2028Bcc: all@victims.example' })
    const mail = await mailServer.mailTo(email)
    expect(mail.text + mail.html + mail.raw).not.toMatch(/evil|victims|won/)
    expect(mail.envelope.to).toEqual([email])
  })

  it('takes the address of links from PUBLIC_URL, whatever host was asked', async () => {
    const email = newEmail()
    await ask(email, {}, { host: 'evil.example', 'x-forwarded-host': 'evil.example' })
    const mail = await mailServer.mailTo(email)
    expect(mail.raw + mail.text + mail.html).not.toContain('evil')
    expect(linkOf(mail).link).toMatch(/^https:\/\/shop\.example\//)
  })

  it.each([
    ['ar', 'rtl', 'تأكيد بريدك الإلكتروني في Floorcast'],
    ['fr-FR, ar-EG;q=0.8, en;q=0.5', 'rtl', 'تأكيد بريدك الإلكتروني في Floorcast'],
    ['fr', 'ltr', 'Confirm your email for Floorcast'],
  ])('writes in the language of the caller: %s', async (language, direction, subject) => {
    const email = newEmail()
    await ask(email, {}, { 'accept-language': language })
    const mail = await mailServer.mailTo(email)
    expect(mail.subject).toBe(subject)
    expect(mail.html).toContain(`dir="${direction}"`)
    expect(mail.html).not.toMatch(/<img|http-equiv|url\(/)
  })
})

describe('invitations and resets with a mail server', () => {
  it('go to the address, and the admin never holds the link', async () => {
    const admin = await newAdmin()
    const email = newEmail()
    const invited = await server.call(inviteUser, { token: admin.token, body: { email, role: 'manager' } })
    expect(invited).toEqual({ code: 200, uid: invited.uid, sentTo: email })
    const mail = await mailServer.mailTo(email)
    expect(mail.text).toContain(`${admin.email} invites you`)
    const { token } = linkOf(mail)
    const user = await server.call(acceptLink, { body: { token, password } })
    expect(user).toMatchObject({ email, role: 'manager' })

    const params = { uid: user.uid }
    const reset = await server.call(resetUser, { token: admin.token, params })
    expect(reset).toEqual({ code: 200, uid: user.uid, sentTo: email })
    const second = linkOf(await mailServer.mailTo(email, 2))
    const body = { token: second.token, password: 'eight green lamps' }
    expect((await server.ask(acceptLink, { body })).statusCode).toBe(200)
  })

  it('a user who was removed before the mail left gets none', async () => {
    const admin = await newAdmin()
    const email = newEmail()
    await mailServer.stop()
    const { uid = '' } = await server.call(inviteUser, {
      token: admin.token,
      body: { email, role: 'manager' },
    })
    await server.call(removeUser, { token: admin.token, body: { uid } })
    await mailServer.start()
    await wait(700)
    await untilOutcome(email, 'dropped')
    expect(mailServer.tried).not.toContain(email)
  })
})

describe('a forgotten password', () => {
  it('is set anew by a mailed link, once and within an hour', async () => {
    const { email } = await newUser()
    expect((await forget(email)).json()).toEqual({ data: { code: 200 } })
    const { link, token } = linkOf(await mailServer.mailTo(email, 2))
    expect(link).toBe(`https://shop.example/login#invite=${token}`)
    const body = { token, password: 'nine green lamps' }
    expect((await server.ask(acceptLink, { body })).statusCode).toBe(200)
    expect((await server.ask(acceptLink, { body })).statusCode).toBe(400)
    expect((await server.ask(authenticate, { body: { email, password } })).statusCode).toBe(400)

    await forget(email)
    const late = linkOf(await mailServer.mailTo(email, 3))
    await wait(3600)
    const answer = await server.ask(acceptLink, { body: { ...body, token: late.token } })
    expect(answer.json<Problem>().code).toBe('link-expired')
  })

  it('is answered alike for an unknown email, and for one that is only invited; neither gets a mail', async () => {
    const admin = await newAdmin()
    const invited = newEmail()
    await server.call(inviteUser, { token: admin.token, body: { email: invited, role: 'manager' } })
    await mailServer.mailTo(invited)
    const unknown = newEmail()
    const { email: known } = await newUser()
    const answers = []
    for (const email of [known, invited, unknown]) answers.push(await forget(email))
    const seen = answers.map(({ statusCode, body }) => `${statusCode} ${body}`)
    expect(new Set(seen)).toEqual(new Set(['200 {"data":{"code":200}}']))
    await untilOutcome(invited, 'dropped')
    await untilOutcome(unknown, 'dropped')
    expect(mailServer.tried).not.toContain(unknown)
    expect(await mailServer.mailsTo(invited)).toHaveLength(1)
  })

  it('does not end a link that an admin has sent', async () => {
    const admin = await newAdmin()
    const email = newEmail()
    const { uid = '' } = await server.call(inviteUser, {
      token: admin.token,
      body: { email, role: 'manager' },
    })
    const { token } = linkOf(await mailServer.mailTo(email))
    await server.call(acceptLink, { body: { token, password } })
    await server.call(resetUser, { token: admin.token, params: { uid } })
    const reset = linkOf(await mailServer.mailTo(email, 2))
    await forget(email)
    await mailServer.mailTo(email, 3)
    const body = { token: reset.token, password: 'eight green lamps' }
    expect((await server.ask(acceptLink, { body })).statusCode).toBe(200)
  })
})

describe('floods', () => {
  it.each([
    ['a user', async () => (await newUser()).email],
    ['nobody', () => Promise.resolve(newEmail())],
  ])('three mails of a kind in an hour are the most for the address of %s', async (_, make) => {
    const email = await make()
    const statuses = []
    for (let call = 0; call < 5; call++) statuses.push((await forget(email)).statusCode)
    expect(statuses).toEqual([200, 200, 200, 429, 429])
    const refused = await forget(email.toUpperCase())
    expect(refused.json<Problem>().code).toBe('mail-limit')
    expect(refused.headers['retry-after']).toBe('3600')
  })

  it('an admin who invites and removes in turns comes no further', async () => {
    const email = newEmail()
    const statuses = []
    for (let turn = 0; turn < 4; turn++) {
      const admin = await newAdmin()
      const body = { email, role: 'manager' }
      const answer = await server.ask(inviteUser, { token: admin.token, body })
      statuses.push(answer.statusCode)
      const { uid } = answer.json<{ data?: { uid: string } }>().data ?? {}
      if (uid) await server.call(removeUser, { token: admin.token, body: { uid } })
    }
    expect(statuses).toEqual([200, 200, 200, 429])
  })

  it('calls at the same time do not pass the limit together', async () => {
    const email = newEmail()
    const answers = await Promise.all(Array.from({ length: 8 }, () => forget(email)))
    expect(answers.filter(answer => answer.statusCode === 200)).toHaveLength(3)
  })

  it('one caller writes to 30 addresses in an hour', async () => {
    const address = '203.0.113.77'
    const statuses = []
    for (let call = 0; call < 31; call++)
      statuses.push((await server.ask(forgotPassword, { address, body: { email: newEmail() } })).statusCode)
    expect(statuses).toEqual([...Array<number>(30).fill(200), 429])
  })

  it('strangers fill their part of the queue only', async () => {
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
    await asSuperuser(server.superuserUrl, superuser =>
      superuser.query("delete from mails where recipient like '%@full.example'"),
    )
    await mailServer.start()
    await wait(700)
    await mailServer.mailTo(email)
  })
})

describe('the mail server', () => {
  it('may be away: the call answers at once, and the mail is sent when it is back', async () => {
    const email = newEmail()
    await mailServer.stop()
    expect((await ask(email)).statusCode).toBe(200)
    await eventually(async () => expect((await rowsOf(email))[0]?.attempts).toBeGreaterThan(0))
    expect(await outcomeOf(email)).toBeNull()
    await mailServer.start()
    await wait(700)
    const { token } = linkOf(await mailServer.mailTo(email))
    expect(await server.call(confirmAccount, { body: { token, password } })).toMatchObject({ email })
  })

  it('may refuse a recipient: the mail ends, and the audit of the client says so', async () => {
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
    expect((await rowsOf(email))[0]?.attempts).toBe(1)
  })

  it.each(['refuse', 'reject'] as const)('may %s a mail for now: it is sent again', async how => {
    const email = newEmail()
    mailServer[how].set(email, 451)
    await ask(email)
    await eventually(async () =>
      expect((await rowsOf(email))[0]).toMatchObject({ attempts: 1, outcome: null }),
    )
    await eventually(() => expect(mailServer.tried).toContain(email))
    mailServer[how].delete(email)
    await eventually(async () => {
      await wait(60)
      expect(await outcomeOf(email)).toBe('sent')
    })
    const { token } = linkOf(await mailServer.mailTo(email))
    expect((await server.ask(confirmAccount, { body: { token, password } })).statusCode).toBe(200)
  })

  it('may refuse the text of a mail: it ends', async () => {
    const email = newEmail()
    mailServer.reject.set(email, 554)
    await ask(email)
    await untilOutcome(email, 'refused')
  })

  it('one that is away for a day ends the mail', async () => {
    const email = newEmail()
    await mailServer.stop()
    await ask(email)
    await wait(25 * 3600)
    await untilOutcome(email, 'expired')
    await mailServer.start()
  })

  it('a server that ends keeps its mails for the next one, without a token in them', async () => {
    const email = newEmail()
    const own = await testServer({ SMTP_URL: mailServer.url, MAIL_FROM: 'floor@shop.example' })
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
  ])('gets no mail by %s, and the log has no secret', async (_, change) => {
    const own = await testServer({ SMTP_URL: change(mailServer.url), MAIL_FROM: 'floor@shop.example' })
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
})

describe('without a mail server', () => {
  it('links are shown as before, and nobody asks for a mail', async () => {
    const own = await testServer()
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
})
