import { authenticate, readProfile, readSession, register, saveProfile } from '@floorcast/contract/auth.ts'
import { confirmAccount, readLink } from '@floorcast/contract/mailed-links.ts'
import type { Problem } from '@floorcast/contract/problem.ts'
import { beginEnrollment, confirmEnrollment } from '@floorcast/contract/second-factor.ts'
import { acceptLink, inviteUser, removeUser, resetUser } from '@floorcast/contract/users.ts'
import { readCatalogue } from '@floorcast/locales/catalogue-files.ts'
import { findLanguage, locales } from '@floorcast/contract/locales.ts'
import { linkOf, MAIL_LOGIN } from '@floorcast/testing/test-mail-server.ts'
import { mailedServer, PASSWORD } from '@floorcast/testing/test-mailed-server.ts'
import { codeAt } from '@floorcast/testing/test-second-factor.ts'
import { expect, it } from 'vitest'
import { registerUsers } from '../tenants/users-routes.ts'

const { server, mailServer, newEmail, ask, forget, newAdmin, newUser, untilOutcome, untilPutOff, wait } =
  await mailedServer({ features: [registerUsers] })

it('registering with a mail server creates the account when its owner opens the link and sets the password', async () => {
  const email = newEmail()
  expect((await ask(email)).json()).toEqual({ data: { code: 200 } })
  const mail = await mailServer.mailTo(email)
  expect(mail).toMatchObject({ isEncrypted: true, user: MAIL_LOGIN.user })
  expect(mail.envelope).toEqual({ from: 'floor@shop.example', to: [email] })
  expect(mail.headers.get('from')).toBe('Floorcast <floor@shop.example>')
  expect(mail.headers.get('auto-submitted')).toBe('auto-generated')
  expect((await server.ask(authenticate, { body: { email, password: PASSWORD } })).statusCode).toBe(400)

  const { link, token } = linkOf(mail)
  expect(link).toBe(`https://shop.example/login#confirm=${token}`)
  expect(mail.html).toContain(`href="https://shop.example/login#confirm=${token}"`)
  const signedIn = await server.call(confirmAccount, { body: { token, password: PASSWORD } })
  expect(signedIn).toMatchObject({ email, role: 'admin', firstName: 'Ana', lastName: 'María Ruiz' })
  expect((await server.ask(readSession, { token: signedIn.token })).statusCode).toBe(200)
  expect((await server.ask(authenticate, { body: { email, password: PASSWORD } })).statusCode).toBe(200)
  const again = await server.ask(confirmAccount, { body: { token, password: PASSWORD } })
  expect(again.json<Problem>().code).toBe('link-expired')
})

it('registering with a mail server refuses the call that signs in at once', async () => {
  const body = { fullName: 'Ana', email: newEmail(), password: PASSWORD, terms: true }
  const answer = await server.ask(register, { body })
  expect([answer.statusCode, answer.json<Problem>().code]).toEqual([403, 'registration-by-mail'])
})

it('registering with a mail server lets a link be used for 24 hours, and sends a new one on request', async () => {
  const email = newEmail()
  await ask(email)
  const first = linkOf(await mailServer.mailTo(email))
  await wait(24 * 3600)
  const late = await server.ask(confirmAccount, { body: { token: first.token, password: PASSWORD } })
  expect(late.json<Problem>().code).toBe('link-expired')
  await ask(email)
  const { token } = linkOf(await mailServer.mailTo(email, 2))
  expect(await server.call(confirmAccount, { body: { token, password: PASSWORD } })).toMatchObject({
    email,
  })
})

it('registering with a mail server answers alike for an email that a user has, and tells its owner', async () => {
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

it('registering with a mail server gives the account to one of two links of an email', async () => {
  const email = newEmail()
  await ask(email)
  await ask(email)
  const tokens = (await mailServer.mailsTo(email, 2)).map(mail => linkOf(mail).token)
  const answers = await Promise.all(
    tokens.map(token => server.ask(confirmAccount, { body: { token, password: PASSWORD } })),
  )
  expect(answers.map(answer => answer.statusCode).toSorted((a, b) => a - b)).toEqual([200, 400])
})

it('registering with a mail server refuses a password that others guess, and keeps the link', async () => {
  const email = newEmail()
  await ask(email)
  const { token } = linkOf(await mailServer.mailTo(email))
  const common = await server.ask(confirmAccount, { body: { token, password: 'password123' } })
  expect(common.json<Problem>().errors).toMatchObject([{ path: 'password', message: 'password-common' }])
  expect((await server.ask(confirmAccount, { body: { token, password: PASSWORD } })).statusCode).toBe(200)
})

it.each(['Ana\r\nBcc: all@victims.example', 'Ana\nSubject: You won', 'Ana\u0000'])(
  'registering with a mail server refuses the name %j',
  async fullName => {
    const answer = await ask(newEmail(), { fullName })
    expect(answer.json<Problem>().errors).toMatchObject([{ path: 'fullName', message: 'special-characters' }])
  },
)

it.each([
  'a@b.example\r\nBcc: c@d.example',
  'a@b.example, c@d.example',
  'A <a@b.example>',
  '"a b"@c.example',
])('registering with a mail server refuses the email %j', async email =>
  expect((await ask(email)).statusCode).toBe(422),
)

it('registering with a mail server sends nothing that a stranger wrote', async () => {
  const email = newEmail()
  await ask(email, { fullName: 'You won at https://evil.example\u2028Bcc: all@victims.example' })
  const mail = await mailServer.mailTo(email)
  expect(mail.text + mail.html + mail.raw).not.toMatch(/evil|victims|won/)
  expect(mail.envelope.to).toEqual([email])
})

it('registering with a mail server takes the address of links from PUBLIC_URL, whatever host was asked', async () => {
  const email = newEmail()
  await ask(email, {}, { host: 'evil.example', 'x-forwarded-host': 'evil.example' })
  const mail = await mailServer.mailTo(email)
  expect(mail.raw + mail.text + mail.html).not.toContain('evil')
  expect(linkOf(mail).link).toMatch(/^https:\/\/shop\.example\//)
})

it.each([
  ...locales.map(({ code, tag, dir }) => [tag, dir, code] as const),
  ['is-IS, ar-EG;q=0.8, en;q=0.5', 'rtl', 'ar'],
  ['zh-TW', 'ltr', 'cn'],
  ['is', 'ltr', 'en'],
] as const)(
  'registering with a mail server writes in the language of the caller: %s',
  async (language, direction, code) => {
    const email = newEmail()
    await ask(email, {}, { 'accept-language': language })
    const mail = await mailServer.mailTo(email)
    const texts = readCatalogue(`packages/locales/catalogues/${code}`)
    expect(mail.subject).toBe(texts.get('mails:registration.subject'))
    expect(mail.text).toContain(texts.get('mails:registration.until'))
    expect(mail.html).toContain(`lang="${findLanguage(code).tag}"`)
    expect(mail.html).toContain(`dir="${direction}"`)
    expect(mail.html).not.toMatch(/<img|http-equiv|url\(/)
  },
)

it('invitations and resets with a mail server go to the address, and the admin never holds the link', async () => {
  const admin = await newAdmin()
  const email = newEmail()
  const invited = await server.call(inviteUser, { token: admin.token, body: { email, role: 'manager' } })
  expect(invited).toEqual({ code: 200, uid: invited.uid, sentTo: email })
  const mail = await mailServer.mailTo(email)
  expect(mail.text).toContain(`${admin.email} invites you`)
  const { token } = linkOf(mail)
  expect(await server.call(readLink, { body: { token } })).toEqual({ email })
  const user = await server.call(acceptLink, { body: { token, password: PASSWORD } })
  expect(user).toMatchObject({ email, role: 'manager' })
  const used = await server.ask(readLink, { body: { token } })
  expect(used.json()).toMatchObject({ status: 400, code: 'link-expired' })

  const params = { uid: user.uid }
  const reset = await server.call(resetUser, { token: admin.token, params, body: { password: PASSWORD } })
  expect(reset).toEqual({ code: 200, uid: user.uid, sentTo: email })
  const second = linkOf(await mailServer.mailTo(email, 2))
  const body = { token: second.token, password: 'eight green lamps' }
  expect((await server.ask(acceptLink, { body })).statusCode).toBe(200)
})

it('invitations and resets with a mail server are in the language of the reader, whatever the admin and the browser speak', async () => {
  const admin = await newAdmin()
  const subject = (code: string, mail: string) =>
    readCatalogue(`packages/locales/catalogues/${code}`).get(`mails:${mail}.subject`)
  const inGerman = { token: admin.token, headers: { 'accept-language': 'de' } }
  const email = newEmail()
  const draft = { email, role: 'manager', language: 'ua' } as const
  const { uid = '' } = await server.call(inviteUser, { ...inGerman, body: draft })
  const first = await mailServer.mailTo(email)
  expect(first.subject).toBe(subject('ua', 'invitation'))
  await server.call(resetUser, { ...inGerman, params: { uid }, body: { password: PASSWORD } })
  const second = await mailServer.mailTo(email, 2)
  expect(second.subject).toBe(subject('ua', 'invitation'))

  const body = { token: linkOf(second).token, password: PASSWORD }
  const user = await server.call(acceptLink, { body, headers: { 'accept-language': 'fr' } })
  await forget(email)
  expect((await mailServer.mailTo(email, 3)).subject).toBe(subject('ua', 'forgotten'))
  await server.call(saveProfile, { token: user.token, body: { language: 'es' } })
  await server.call(resetUser, { ...inGerman, params: { uid }, body: { password: PASSWORD } })
  expect((await mailServer.mailTo(email, 4)).subject).toBe(subject('es', 'reset'))
})

it('invitations and resets with a mail server are in the language of the inviter where none is chosen; a first sign-in tells it', async () => {
  const admin = await newAdmin()
  await server.call(saveProfile, { token: admin.token, body: { language: 'ru' } })
  const email = newEmail()
  await server.call(inviteUser, { token: admin.token, body: { email, role: 'manager' } })
  const mail = await mailServer.mailTo(email)
  expect(mail.subject).toBe(readCatalogue('packages/locales/catalogues/ru').get('mails:invitation.subject'))
  const { uid, token } = await newUser()
  expect(await server.call(readProfile, { token, params: { id: uid } })).toMatchObject({ language: 'en' })
})

it('invitations and resets with a mail server a user who was removed before the mail left gets none', async () => {
  const admin = await newAdmin()
  const email = newEmail()
  await mailServer.stop()
  const { uid = '' } = await server.call(inviteUser, {
    token: admin.token,
    body: { email, role: 'manager' },
  })
  await untilPutOff(email)
  await server.call(removeUser, { token: admin.token, body: { uid, password: PASSWORD } })
  await mailServer.start()
  await wait(700)
  await untilOutcome(email, 'dropped')
  expect(mailServer.tried).not.toContain(email)
})

it('a forgotten password is replaced by a mailed link, once and within an hour', async () => {
  const { email } = await newUser()
  expect((await forget(email)).json()).toEqual({ data: { code: 200 } })
  const { link, token } = linkOf(await mailServer.mailTo(email, 2))
  expect(link).toBe(`https://shop.example/login#invite=${token}`)
  const body = { token, password: 'nine green lamps' }
  expect((await server.ask(acceptLink, { body })).statusCode).toBe(200)
  expect((await server.ask(acceptLink, { body })).statusCode).toBe(400)
  expect((await server.ask(authenticate, { body: { email, password: PASSWORD } })).statusCode).toBe(400)

  await forget(email)
  const late = linkOf(await mailServer.mailTo(email, 3))
  await wait(3600)
  const answer = await server.ask(acceptLink, { body: { ...body, token: late.token } })
  expect(answer.json<Problem>().code).toBe('link-expired')
})

it('a forgotten password is answered alike for an unknown email, and for one that is only invited; neither gets a mail', async () => {
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

it('a forgotten password leaves the second factor on', async () => {
  const user = await newUser()
  const begun = await server.call(beginEnrollment, { token: user.token, body: { password: PASSWORD } })
  const code = codeAt(begun.secret ?? '', server.clock.now)
  await server.call(confirmEnrollment, { token: user.token, body: { code } })
  await forget(user.email)
  const { token } = linkOf(await mailServer.mailTo(user.email, 2))
  const reset = await server.ask(acceptLink, { body: { token, password: 'nine green lamps' } })
  expect([reset.statusCode, reset.json<Problem>().code]).toEqual([403, 'second-factor'])
  const body = { email: user.email, password: PASSWORD }
  const signIn = await server.ask(authenticate, { body })
  expect(signIn.json<Problem>().code).toBe('second-factor')
})

it('a forgotten password does not end a link that an admin has sent', async () => {
  const admin = await newAdmin()
  const email = newEmail()
  const { uid = '' } = await server.call(inviteUser, {
    token: admin.token,
    body: { email, role: 'manager' },
  })
  const { token } = linkOf(await mailServer.mailTo(email))
  await server.call(acceptLink, { body: { token, password: PASSWORD } })
  await server.call(resetUser, { token: admin.token, params: { uid }, body: { password: PASSWORD } })
  const reset = linkOf(await mailServer.mailTo(email, 2))
  await forget(email)
  await mailServer.mailTo(email, 3)
  const body = { token: reset.token, password: 'eight green lamps' }
  expect((await server.ask(acceptLink, { body })).statusCode).toBe(200)
})
