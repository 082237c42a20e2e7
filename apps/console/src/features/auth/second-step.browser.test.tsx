import { authenticate } from '@floorcast/contract/auth.ts'
import type { SecondStep } from '@floorcast/contract/problem.ts'
import {
  beginRequiredEnrollment,
  completeSignIn,
  confirmRequiredEnrollment,
} from '@floorcast/contract/second-factor.ts'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { sessionStore } from '../../platform/session.ts'
import { drawComponent, signedInUser } from '../../testing/draw-component.tsx'
import { FakeServer, refusal, wrongField } from '../../testing/fake-server.ts'
import { findBarriers } from '../../testing/find-barriers.ts'
import { LoginPage } from './login-page.tsx'

const ticket = 'ticket-of-the-first-step'
const secret = 'JBSWY3DPEHPK3PXP'
const nobody = { user: null, token: null }

const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const field = (name: string) => page.getByRole('textbox', { name })
const button = (name: string) => page.getByRole('button', { name, exact: true })

let server: FakeServer
beforeEach(() => {
  server = new FakeServer()
})
const sentTo = (path: string) =>
  server.calls.filter(({ call }) => call === `POST ${path}`).map(({ body }) => body)

/** Signs in with a password that a second step has to follow. */
async function passFirstStep(step: Pick<SecondStep, 'mustEnroll'>) {
  const secondStep = { ticket, expiresAt: '2031-01-01T00:00:00.000Z', hasPasskey: false, ...step }
  server.answer(authenticate, () => {
    throw refusal(403, { code: 'second-factor', secondStep })
  })
  const path = '/login?from=%2Fequipments%2Fgroups'
  const drawn = await drawComponent(<LoginPage />, { path, user: null, isWholePage: true })
  await field('Email').fill(signedInUser.email)
  await field('Password').fill('four unrelated words')
  await button('Sign in').click()
  return drawn
}

it('asks for a code after the password, and leads back to the page that was asked for', async () => {
  server.answer(completeSignIn, (_, body) => {
    if ((body as { code: string }).code === '000000') throw wrongField('code', 'wrong-code')
    return { ...signedInUser, token: 'fresh' }
  })
  const { address } = await passFirstStep({ mustEnroll: false })
  await expect.element(heading('Second step')).toBeVisible()
  await expect.element(field('Code')).toHaveFocus()
  expect(localStorage.getItem('floorcast.token')).toBeNull()
  expect(sessionStore.get()).toEqual(nobody)
  expect(await findBarriers()).toEqual([])
  await field('Code').fill('000000')
  await button('Sign in').click()
  await expect.element(field('Code')).toHaveAccessibleDescription(/This code is wrong or was used/)
  // An authenticator app's code or a recovery code.
  await field('Code').fill('abcd-efgh')
  await button('Sign in').click()
  await expect.poll(address).toBe('/equipments/groups')
  expect(localStorage.getItem('floorcast.token')).toBe('fresh')
  expect(sentTo(completeSignIn.path)).toEqual([
    { ticket, code: '000000' },
    { ticket, code: 'abcd-efgh' },
  ])
})

it('sets up a second factor that the client requires before it signs in', async () => {
  server.answer(beginRequiredEnrollment, () => ({
    secret,
    uri: `otpauth://totp/Floorcast:ines?secret=${secret}`,
  }))
  server.answer(confirmRequiredEnrollment, () => ({
    ...signedInUser,
    token: 'fresh',
    recoveryCodes: ['abcd-efgh', 'ijkl-mnop'],
  }))
  const { address } = await passFirstStep({ mustEnroll: true })
  await expect.element(heading('Set up a second factor')).toBeVisible()
  await button('Set up').click()
  await expect.element(page.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  await expect.element(page.getByText('JBSW Y3DP EHPK 3PXP')).toBeVisible()
  expect(await findBarriers()).toEqual([])
  await field('Code that the app shows now').fill('123456')
  await button('Confirm').click()
  await expect.poll(() => page.getByRole('listitem').elements()).toHaveLength(2)
  // Nobody is signed in before the recovery codes are read.
  expect(sessionStore.get()).toEqual(nobody)
  expect(await findBarriers()).toEqual([])
  await button('I have saved them').click()
  await expect.poll(address).toBe('/equipments/groups')
  expect(localStorage.getItem('floorcast.token')).toBe('fresh')
  expect(sentTo(confirmRequiredEnrollment.path)).toEqual([{ ticket, code: '123456' }])
})
