import { expect, test } from 'vitest'
import type { StateStore } from '@floorcast/device-client/state-store.ts'
import { UpdateAttempts } from './update-attempts.ts'

function makeAttempts(): UpdateAttempts {
  const values = new Map<string, unknown>()
  const state: Pick<StateStore, 'read' | 'write'> = {
    read: name => values.get(name) ?? null,
    write: (name, value) => values.set(name, value).size > 0,
  }
  return new UpdateAttempts(state as StateStore)
}
const HOUR = 3_600_000
const update = { isForced: false, files: [{ sha256: 'a' }, { sha256: 'b' }] }
const forced = { ...update, isForced: true }

test('A failed installation is tried again after one and two hours, then given up', () => {
  const attempts = makeAttempts()
  expect(attempts.nextAt(update)).toBe(-Infinity)
  attempts.fail(update, 0)
  expect(attempts.nextAt(update)).toBe(HOUR)
  attempts.fail(update, HOUR)
  expect(attempts.nextAt(update)).toBe(3 * HOUR)
  attempts.fail(update, 3 * HOUR)
  expect(attempts.nextAt(update)).toBe(Infinity)
  expect(attempts.nextAt({ ...update, files: [{ sha256: 'c' }] })).toBe(-Infinity)
})

test('An update that was given up is tried again each time that it is forced, once', () => {
  const attempts = makeAttempts()
  attempts.giveUp(update)
  expect(attempts.nextAt(update)).toBe(Infinity)
  expect(attempts.nextAt(forced)).toBe(-Infinity)
  attempts.giveUp(forced)
  expect(attempts.nextAt(forced)).toBe(Infinity)
  attempts.endForce()
  expect(attempts.nextAt(update)).toBe(Infinity)
  expect(attempts.nextAt(forced)).toBe(-Infinity)
})
