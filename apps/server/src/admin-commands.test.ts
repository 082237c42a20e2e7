import { makeClient, TEST_NOW } from '@floorcast/testkit/factories.ts'
import { testDatabase } from '@floorcast/testkit/test-database.ts'
import { expect, test } from 'vitest'
import { readCommand, runCommand } from './admin-commands.ts'

const { database } = await testDatabase()
const run = (...args: string[]) => runCommand(database, readCommand(args), TEST_NOW)

test('a subscription is given to the client of a user, and to no other', async () => {
  const [one, other] = [await makeClient(database, { planKey: 'trial' }), await makeClient(database)]
  expect(await run('subscription', one.email, 'medium', '2027-12-31')).toContain('medium until 2027-12-31')
  const read = (scope: typeof one.scope) =>
    scope.reads.selectFrom('clients').select(['planKey', 'subscriptionExpiresAt']).execute()
  expect(await read(one.scope)).toEqual([
    { planKey: 'medium', subscriptionExpiresAt: '2027-12-31T23:59:59.999Z' },
  ])
  expect(await read(other.scope)).toMatchObject([{ planKey: 'professional' }])
})

test('nobody, no plan, no day: each is said', async () => {
  const { email } = await makeClient(database)
  await expect(run('subscription', 'nobody@example.com', 'basic', '2027-12-31')).rejects.toThrow('Nobody')
  await expect(run('subscription', email, 'golden', '2027-12-31')).rejects.toThrow("no plan 'golden'")
  for (const args of [[], ['dance'], ['subscription', email], ['subscription', email, 'basic', '2027-02-30']])
    expect(() => readCommand(args)).toThrow(Error)
})
