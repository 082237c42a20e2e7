import { authenticate, register } from '@floorcast/contract/auth.ts'
import { testServer } from '@floorcast/testing/test-server.ts'
import { expect, test } from 'vitest'
import { registerMailedLinks } from './mailed-links-routes.ts'

const server = await testServer({ features: [registerMailedLinks] })
const { email } = await server.newClient()
const password = 'a long password'

/** Sends a body that ends in a refusal so many times at once, from an address. */
async function tried(
  url: string,
  from: { remoteAddress: string; times: number },
  bodyOf: (nr: number) => object,
) {
  const send = (nr: number) =>
    server.http.app.inject({ method: 'POST', url, remoteAddress: from.remoteAddress, payload: bodyOf(nr) })
  return Promise.all(Array.from({ length: from.times }, (_, nr) => send(nr)))
}
const refused = <Answer extends { statusCode: number }>(answers: readonly Answer[]) =>
  answers.filter(({ statusCode }) => statusCode === 429)

test('an address, or the /64 of one of IPv6, tries sixty accounts a minute, and is then told how long to wait; others go on', async () => {
  const bodyOf = (nr: number) => ({ email: `guess${nr}@example.com`, password })
  const answers = await tried(authenticate.path, { remoteAddress: '10.0.0.1', times: 62 }, bodyOf)
  expect(refused(answers)).toHaveLength(2)
  for (const { headers } of refused(answers)) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect(refused(await tried(authenticate.path, { remoteAddress: '10.0.0.2', times: 1 }, bodyOf))).toEqual([])
})

test('an address, or the /64 of one of IPv6, of IPv6 shares the limit with its whole /64', async () => {
  const bodyOf = (nr: number) => ({ email: `guest${nr}@example.com`, password })
  const first = await tried(authenticate.path, { remoteAddress: '2001:db8:1:2::1', times: 60 }, bodyOf)
  expect(refused(first)).toEqual([])
  const next = { remoteAddress: '2001:db8:1:2:ffff::9', times: 1 }
  expect(refused(await tried(authenticate.path, next, nr => bodyOf(nr + 60)))).toHaveLength(1)
  const other = { remoteAddress: '2001:db8:1:3::1', times: 1 }
  expect(refused(await tried(authenticate.path, other, nr => bodyOf(nr + 60)))).toEqual([])
})

test('an address, or the /64 of one of IPv6, registers thirty times in ten minutes, with its own count', async () => {
  const bodyOf = () => ({ fullName: 'Ana', email, password, terms: true })
  const answers = await tried(register.path, { remoteAddress: '10.0.0.1', times: 32 }, bodyOf)
  expect(refused(answers)).toHaveLength(2)
  for (const { headers } of refused(answers)) expect(Number(headers['retry-after'])).toBeGreaterThan(0)
  expect(refused(await tried(register.path, { remoteAddress: '10.0.0.2', times: 1 }, bodyOf))).toEqual([])
})
