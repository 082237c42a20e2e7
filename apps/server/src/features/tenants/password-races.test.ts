import { authenticate, endSession, readSession } from '@floorcast/contract/auth.ts'
import * as contract from '@floorcast/contract/users.ts'
import { hashToken, makeToken } from '@floorcast/server/platform/auth/token.ts'
import { uuidV7 } from '@floorcast/server/platform/lib/uuid-v7.ts'
import { countWaiting, meanwhile } from '@floorcast/testing/concurrently.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { newShop } from '@floorcast/testing/test-shop.ts'
import { signedInUser } from '@floorcast/testing/test-users.ts'
import { expect, it } from 'vitest'
import { registerUsers } from './users-routes.ts'

const ROUNDS = 12
const server = await testServer({ hasOwnDatabase: true, features: [registerUsers] })
const statuses = (answers: readonly { statusCode: number }[]) =>
  answers.map(({ statusCode }) => statusCode).toSorted((a, b) => a - b)

it('of two changes of a password that name the same one, one is done', async () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const { email, token } = await newShop(server)
    const signIn = (password: string) => server.ask(authenticate, { body: { email, password } })
    const other = (await signIn('a long password')).json<{ data: { token: string } }>().data.token
    const passwords = ['the first new one', 'the second new one']
    const change = (by: string, password = '') =>
      server.ask(contract.changePassword, { token: by, body: { current: 'a long password', password } })
    const answers = await Promise.all([change(token, passwords[0]), change(other, passwords[1])])
    // 401 where the one had ended the session before the other was let in.
    expect(statuses(answers)).toEqual([200, expect.toBeOneOf([401, 422])])
    const valid = await Promise.all(passwords.map(signIn))
    expect(valid.map(({ statusCode }) => statusCode === 200)).toEqual(
      answers.map(({ statusCode }) => statusCode === 200),
    )
  }
})

it('two sign-outs of a session at once are one in the audit', async () => {
  const { token, scope } = await newShop(server)
  for (let round = 0; round < ROUNDS; round += 1) {
    const user = await signedInUser(scope)
    await Promise.all([1, 2, 3].map(() => server.ask(endSession, { token: user.token })))
    const { rows } = await asSuperuser(server.superuserUrl, superuser =>
      superuser.query("select from audit_entries where action = 'sign-out' and user_name = $1", [user.email]),
    )
    expect(rows).toHaveLength(1)
  }
  expect((await server.ask(readSession, { token })).statusCode).toBe(200)
})

/** What makes a link for a user: an admin, the operator, and a mail that an admin has caused. */
async function linkMakers() {
  const { token, scope } = await newShop(server)
  const { uid, email } = await signedInUser(scope)
  const made = () => ({ tokenHash: hashToken(makeToken()), entryUid: uuidV7(), at: new Date() })
  const expiresAt = new Date(Date.now() + 3_600_000)
  const byAdmin = () =>
    server.call(contract.resetUser, { token, params: { uid }, body: { password: 'a long password' } })
  const byOperator = () => server.database.jobs.makeLink({ ...made(), email, expiresAt })
  const byMail = async () => {
    const mailUid = uuidV7()
    await asSuperuser(server.superuserUrl, superuser =>
      superuser.query(
        `insert into mails (uid, client_id, user_uid, kind, recipient, language, inviter, created_at, due_at)
         values ($1, $2, $3, 'reset', $4, 'en', 'admin@shop.example', now(), now())`,
        [mailUid, scope.clientId, uid, email],
      ),
    )
    const ends = { registration: expiresAt, forgotten: expiresAt, others: expiresAt }
    return () => server.database.mails.prepare({ ...made(), uid: mailUid, ends, maxOfStrangers: 10 })
  }
  return { uid, byAdmin, byOperator, byMail }
}

it.each([
  ['the operator', 'byOperator'],
  ['a mail', 'byMail'],
] as const)('a user has one link, though an admin and %s make one at once', async (_, other) => {
  const { uid, byAdmin, byOperator, byMail } = await linkMakers()
  for (let round = 0; round < ROUNDS; round += 1) {
    const makeOther = other === 'byMail' ? await byMail() : byOperator
    await meanwhile(server, {
      lock: 'lock table user_links in share mode',
      call: () => Promise.all([byAdmin(), makeOther()]),
      change: superuser => eventually(async () => expect(await countWaiting(superuser)).toBe(2)),
    })
    const { rowCount } = await asSuperuser(server.superuserUrl, superuser =>
      superuser.query('select from user_links where user_uid = $1', [uid]),
    )
    expect(rowCount).toBe(1)
  }
})

it('a password that a link sets ends the session that begins meanwhile', async () => {
  const { token, scope } = await newShop(server)
  const { uid } = await signedInUser(scope)
  const { link = '' } = await server.call(contract.resetUser, {
    token,
    params: { uid },
    body: { password: 'a long password' },
  })
  const meantime = makeToken()
  const body = { token: link.split('#invite=')[1] ?? '', password: 'a new long password' }
  const answer = await meanwhile(server, {
    lock: `select from users where uid = '${uid}' for update`,
    call: () => server.ask(contract.acceptLink, { body }),
    change: superuser =>
      superuser.query(
        `insert into sessions (uid, client_id, user_uid, token_hash, created_at, last_used_at, idle_expires_at, expires_at)
         values ($1, $2, $3, $4, now(), now(), now() + interval '1 hour', now() + interval '1 hour')`,
        [uuidV7(), scope.clientId, uid, hashToken(meantime)],
      ),
  })
  expect(answer.statusCode).toBe(200)
  expect((await server.ask(readSession, { token: meantime })).statusCode).toBe(401)
})
