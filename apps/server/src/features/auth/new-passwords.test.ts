import { authenticate, register } from '@floorcast/contract/auth.ts'
import type { Problem } from '@floorcast/contract/problem.ts'
import { acceptLink, changePassword, inviteUser, resetUser } from '@floorcast/contract/users.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { expect, it } from 'vitest'
import { registerMailedLinks } from './mailed-links-routes.ts'
import { registerUsers } from '../tenants/users-routes.ts'

const server = await testServer({ features: [registerMailedLinks, registerUsers] })
const admin = await server.newClient()
const errorsOf = (answer: { json: <T>() => T }) => answer.json<Problem>().errors
const refusal = (message: string) => [{ path: 'password', message }]
const GOOD = 'four unrelated words'

/** Guessed first, and others with what people add to them. */
const COMMON = [
  '1234567890',
  'qwertyuiop',
  'Password123',
  'iloveyou2026!',
  'basketball',
  'aaaaaaaaaaaa',
  'dragondragon',
  'floorcast2026',
  'my-Floorcast!1',
  'correct horse battery',
  'Correct-Horse-Battery-Staple',
]
/** For ann.petrova@greengrocer.example. */
const OF_THE_EMAIL = ['ann.petrova1', 'Petrova-2026', 'my greengrocer', 'xxANN.PETROVAxx']

const email = 'ann.petrova@greengrocer.example'
const signUp = (password: string) =>
  server.ask(register, { body: { fullName: 'Ann Petrova', email, password, terms: true } })

it.each(COMMON)('a new password is none that many use, at registration: %s', async password => {
  const answer = await signUp(password)
  expect([answer.statusCode, errorsOf(answer)]).toMatchObject([422, refusal('password-common')])
})

it.each(OF_THE_EMAIL)('a new password holds no word of the email: %s', async password => {
  const answer = await signUp(password)
  expect([answer.statusCode, errorsOf(answer)]).toMatchObject([422, refusal('password-email')])
})

it('a new password may be any other; a refused one made nobody', async () => {
  expect((await signUp('ann likes green grapes in floorcast')).statusCode).toBe(200)
})

it('a new password is checked at a change, which then changes nothing', async () => {
  const { token, email: own } = await server.newClient()
  const change = (password: string) =>
    server.ask(changePassword, { token, body: { current: 'a long password', password } })
  expect(errorsOf(await change('Password123'))).toMatchObject(refusal('password-common'))
  expect(errorsOf(await change(`${own} and more`))).toMatchObject(refusal('password-email'))
  const body = { email: own, password: 'a long password' }
  expect((await server.ask(authenticate, { body })).statusCode).toBe(200)
  expect((await change(GOOD)).statusCode).toBe(200)
})

it('a new password is checked at an invitation and a reset, whose link then still works', async () => {
  const invited = { email: 'bob.baker@shop.example', role: 'manager' }
  const { link: first = '' } = await server.call(inviteUser, { token: admin.token, body: invited })
  const user = await signedInUser(admin.scope)
  const params = { uid: user.uid }
  const { link: second = '' } = await server.call(resetUser, {
    token: admin.token,
    params,
    body: { password: 'a long password' },
  })
  for (const [link, word] of [
    [first, 'bob.baker'],
    [second, user.email],
  ] as const) {
    const accept = (password: string) =>
      server.ask(acceptLink, { body: { token: link.split('#invite=')[1], password } })
    expect(errorsOf(await accept('Password123'))).toMatchObject(refusal('password-common'))
    expect(errorsOf(await accept(`${word}!!`))).toMatchObject(refusal('password-email'))
    expect((await accept(GOOD)).statusCode).toBe(200)
  }
})
