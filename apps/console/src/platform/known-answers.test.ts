import { expect, it } from 'vitest'
import { findSurplus } from './known-answers.ts'
import { isMainRead, queryKeys } from './query-keys.ts'

const day = 86_400_000
const now = 100 * day

it('the answers that a browser keeps are at most seven days old', () => {
  expect(
    findSurplus(
      [
        ['young', now - 6 * day, 10],
        ['old', now - 8 * day, 10],
      ],
      now,
    ),
  ).toEqual([['old', now - 8 * day, 10]])
})

it('the answers that a browser keeps are at most 2.5 million characters, which take 5 MB: the oldest go', () => {
  const keys = [1, 2, 3, 4].map((age): [string, number, number] => [`${age}`, now - age, 800_000])
  expect(findSurplus(keys, now)).toEqual([['4', now - 4, 800_000]])
})

it.each([
  ['the figures of the overview', queryKeys.dashboard.metrics(), true],
  ['a list', queryKeys.devices.list({}), true],
  ['a card', queryKeys.devices.card('7'), true],
  ['the plans', queryKeys.plans(), true],
  ['an address with a ticket', queryKeys.media.address('/media/7'), false],
  ['the second factor', queryKeys.secondFactor(), false],
  ['the sessions of a user', queryKeys.users.sessions('7'), false],
  ['a log', queryKeys.devices.log('7', 'debug', {}), false],
  ['a search', queryKeys.search('bakery'), false],
])('the answers that a browser keeps %s', (_, queryKey, isKept) => {
  expect(isMainRead(queryKey)).toBe(isKept)
})
