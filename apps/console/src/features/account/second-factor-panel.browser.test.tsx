import {
  beginEnrollment,
  confirmEnrollment,
  readSecondFactor,
  removeSecondFactor,
  type SecondFactor,
} from '@floorcast/contract/second-factor.ts'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { loadWords } from '../../platform/i18n.ts'
import { drawComponent } from '../../testing/draw-component.tsx'
import { FakeServer, wrongField } from '../../testing/fake-server.ts'
import { findBarriers } from '../../testing/find-barriers.ts'
import { SecondFactorPanel } from './second-factor-panel.tsx'

const now = '2026-06-10T22:30:00.000Z'
const password = 'four unrelated words'
const none: SecondFactor = { enrolledAt: null, passkeys: [], recoveryCodesLeft: 0, isRequired: false }
const withApp: SecondFactor = { ...none, enrolledAt: now, recoveryCodesLeft: 10 }
const secret = 'JBSWY3DPEHPK3PXP'
const recoveryCodes = Array.from({ length: 10 }, (_, n) => `abcd-efg${n}`)

let factor: SecondFactor
let server: FakeServer
beforeEach(async () => {
  await loadWords('account')
  factor = none
  server = new FakeServer()
  server.answer(readSecondFactor, () => factor)
  server.answer(beginEnrollment, (_, body) => {
    if ((body as { password: string }).password !== password) throw wrongField('password', 'wrong-password')
    return { code: 200, secret, uri: `otpauth://totp/Floorcast:ines?secret=${secret}` }
  })
  server.answer(confirmEnrollment, (_, body) => {
    if ((body as { code: string }).code !== '123456') throw wrongField('code', 'wrong-code')
    factor = withApp
    return { code: 200, recoveryCodes }
  })
  server.answer(removeSecondFactor, () => {
    factor = none
    return { code: 200 }
  })
})
const draw = () => drawComponent(<SecondFactorPanel />)

const dialog = page.getByRole('dialog')
const button = (name: string) => page.getByRole('button', { name, exact: true })
const ownPassword = dialog.getByRole('textbox', { name: 'Your password' })
const code = dialog.getByRole('textbox', { name: 'Code that the app shows now' })

it('sets up an authenticator app by the password and a code, and shows recovery codes once', async () => {
  await draw()
  await button('Set up an authenticator app').click()
  await expect.element(ownPassword).toHaveFocus()
  await ownPassword.fill('not my password')
  await dialog.getByRole('button', { name: 'Set up', exact: true }).click()
  await expect.element(ownPassword).toHaveAccessibleDescription(/Wrong password/)
  await ownPassword.fill(password)
  await dialog.getByRole('button', { name: 'Set up', exact: true }).click()
  await expect.element(dialog.getByRole('img', { name: 'QR code for the authenticator app' })).toBeVisible()
  await expect.element(dialog.getByText('JBSW Y3DP EHPK 3PXP')).toBeVisible()
  expect(await findBarriers()).toEqual([])
  await code.fill('000000')
  await button('Confirm').click()
  await expect.element(code).toHaveAccessibleDescription(/This code is wrong or was used/)
  await code.fill('123456')
  await button('Confirm').click()
  await expect.poll(() => dialog.getByRole('listitem').elements()).toHaveLength(10)
  expect(await findBarriers()).toEqual([])
  await button('I have saved them').click()
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(page.getByText(/10 left\./)).toBeVisible()
})

it('removes the second factor by the password', async () => {
  factor = withApp
  await draw()
  await button('Remove the second factor').click()
  await ownPassword.fill(password)
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect.element(page.getByText('Second factor removed')).toBeVisible()
  await expect.element(button('Set up an authenticator app')).toBeVisible()
  expect(server.calls.findLast(({ call }) => call === `POST ${removeSecondFactor.path}`)?.body).toEqual({
    password,
  })
})

it('does not offer to remove a second factor that the client requires', async () => {
  factor = { ...withApp, isRequired: true }
  await draw()
  await expect.element(page.getByText('Your company requires a second factor.')).toBeVisible()
  await expect.element(page.getByText(/10 left\./)).toBeVisible()
  await expect.element(button('Remove the second factor')).not.toBeInTheDocument()
})
