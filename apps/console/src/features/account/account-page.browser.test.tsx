import { readProfile, readSession } from '@floorcast/contract/auth.ts'
import { readSecondFactor } from '@floorcast/contract/second-factor.ts'
import { listOwnSessions } from '@floorcast/contract/sessions.ts'
import { expect, it } from 'vitest'
import { drawComponent, signedInUser } from '../../testing/draw-component.tsx'
import { FakeServer } from '../../testing/fake-server.ts'
import { HeldAnswers, placeholders, placesOf } from '../../testing/held-answers.ts'
import { AccountPage } from './account-page.tsx'

const now = '2026-06-10T22:30:00.000Z'
const session = {
  uid: '0193a1f0-0000-7000-8000-0000000000a1',
  createdAt: now,
  lastUsedAt: now,
  address: '192.0.2.44',
  userAgent: navigator.userAgent,
  isCurrent: true,
}
const factor = { enrolledAt: null, passkeys: [], recoveryCodesLeft: 0, isRequired: false }

it.each([
  ['en', 1280],
  ['en', 400],
  ['de', 400],
  ['ar', 1280],
] as const)('nothing moves when the profile comes, in %s at %i px', async (language, width) => {
  const server = new FakeServer()
  const held = new HeldAnswers()
  server.answer(readSession, held.of(signedInUser))
  server.answer(
    readProfile,
    held.of({ color: 'info', mode: 'auto', menuType: 'full', language: 'de' } as const),
  )
  server.answer(listOwnSessions, held.of([session]))
  server.answer(readSecondFactor, held.of(factor))
  await drawComponent(<AccountPage />, { language, width })
  await expect.poll(placeholders).toBeGreaterThan(10)
  const before = await placesOf('section, h2, dt, dd, li')
  expect(before.length).toBeGreaterThan(20)
  held.release()
  await expect.poll(placeholders).toBe(0)
  expect(await placesOf('section, h2, dt, dd, li')).toEqual(before)
})
