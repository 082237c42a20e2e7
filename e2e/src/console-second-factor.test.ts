import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { authenticate, register } from '@floorcast/contract/auth.ts'
import { makeClient } from '@floorcast/contract/client.ts'
import { beginEnrollment, confirmEnrollment, requireSecondFactor } from '@floorcast/contract/second-factor.ts'
import { acceptLink, inviteUser } from '@floorcast/contract/users.ts'
import { Secret, TOTP } from 'otpauth'
import { beforeAll, describe, expect, it } from 'vitest'
import { testConsole } from './console-under-test.ts'

/** Browsers have no passkeys for an address without a name. */
const siteOf = (port: number | string) => `http://localhost:${port}`
const shop = testConsole({ settings: port => ({ PUBLIC_URL: siteOf(port) }) })
const folder = fileURLToPath(new URL('../../artifacts/e2e/', import.meta.url))
const password = 'four unrelated words'
const anonymous = () => makeClient({ base: shop.url, token: () => null })
const STEP_MS = 30_000
const codeOf = (secret: string, stepsAhead = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + stepsAhead * STEP_MS })

let people = 0
/** The admin of a new client. */
async function newAdmin() {
  const email = `person${++people}@shop.example`
  const body = { fullName: 'Petra Person', email, password, terms: true as const }
  const { token } = await anonymous()(register, { body })
  return { email, token, url: shop.url, call: makeClient({ base: shop.url, token: () => token }) }
}

/** An admin with an authenticator app; codes of the next step are unused. */
async function enrolledAdmin() {
  const admin = await newAdmin()
  const { secret = '' } = await admin.call(beginEnrollment, { body: { password } })
  const { recoveryCodes = [] } = await admin.call(confirmEnrollment, { body: { code: codeOf(secret) } })
  return { ...admin, secret, recoveryCodes }
}

async function fillSignIn(email: string) {
  await shop.page.goto(`${shop.url}/login`)
  await shop.page.getByLabel('Email').fill(email)
  await shop.page.getByRole('textbox', { name: 'Password' }).fill(password)
  await shop.page.getByRole('button', { name: 'Sign in' }).click()
}
const button = (name: string) => shop.page.getByRole('button', { name, exact: true })

async function screenshot(name: string) {
  await mkdir(folder, { recursive: true })
  await shop.page.waitForTimeout(300)
  await shop.page.screenshot({ path: `${folder}second-factor-${name}.png`, fullPage: true })
}

beforeAll(() => mkdir(folder, { recursive: true }))

describe('the profile', () => {
  it('sets up an authenticator app, shows recovery codes once, and takes both away again', async () => {
    const admin = await newAdmin()
    await shop.visit('/pages/profile', admin)
    await button('Set up an authenticator app').click()
    const dialog = shop.page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Your password' }).fill('not my password')
    await dialog.getByRole('button', { name: 'Set up' }).click()
    await dialog.getByText('Wrong password').waitFor()
    await dialog.getByRole('textbox', { name: 'Your password' }).fill(password)
    await dialog.getByRole('button', { name: 'Set up' }).click()
    await dialog.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    await screenshot('profile-key')
    const secret = (await dialog.locator('code').innerText()).replaceAll(/\s/g, '')
    await dialog.getByLabel('Code that the app shows now').fill('000000')
    await button('Confirm').click()
    await dialog.getByText('This code is wrong or was used').waitFor()
    await dialog.getByLabel('Code that the app shows now').fill(codeOf(secret))
    await button('Confirm').click()
    await expect.poll(() => dialog.getByRole('listitem').count()).toBe(10)
    await screenshot('profile-codes')
    await button('I have saved them').click()
    await shop.page.getByText('10 left.').waitFor()
    await screenshot('profile-on')
    await button('Remove the second factor').click()
    await dialog.getByRole('textbox', { name: 'Your password' }).fill(password)
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await shop.page.getByText('Second factor removed').waitFor()
    await anonymous()(authenticate, { body: { email: admin.email, password } })
  })
})

describe('signing in with a second factor', () => {
  it('asks for a code after the password, and leads back to the page that was asked for', async () => {
    const { email, secret } = await enrolledAdmin()
    await shop.page.goto(`${shop.url}/equipments/groups`)
    await shop.page.getByLabel('Email').fill(email)
    await shop.page.getByRole('textbox', { name: 'Password' }).fill(password)
    await button('Sign in').click()
    await shop.heading('Second step')
    expect(await shop.page.evaluate(() => localStorage.getItem('floorcast.token'))).toBeNull()
    await screenshot('step')
    await shop.page.getByLabel('Code').fill('000000')
    await button('Sign in').click()
    await shop.page.locator('form').getByText('This code is wrong or was used').waitFor()
    await shop.page.getByLabel('Code').fill(codeOf(secret, 1))
    await button('Sign in').click()
    await shop.heading('Groups')
  })

  it('takes a recovery code, also at the lock screen', async () => {
    const { email, recoveryCodes } = await enrolledAdmin()
    await fillSignIn(email)
    await shop.page.getByLabel('Code').fill(recoveryCodes[0] ?? '')
    await button('Sign in').click()
    await shop.heading('Overview')
    await shop.page.getByRole('button', { name: /profile and sign-out/ }).click()
    await shop.page.getByRole('menuitem', { name: 'Lock screen' }).click()
    await shop.page.getByRole('textbox', { name: 'Password' }).fill(password)
    await button('Unlock').click()
    await shop.page.getByLabel('Code').fill(recoveryCodes[1] ?? '')
    await button('Sign in').click()
    await shop.heading('Overview')
  })

  it('leads users of a client that requires it to enrollment first', async () => {
    const { call } = await enrolledAdmin()
    const email = `colleague${++people}@shop.example`
    const { link = '' } = await call(inviteUser, { body: { email, role: 'manager' } })
    await anonymous()(acceptLink, { body: { token: link.split('#invite=')[1] ?? '', password } })
    await call(requireSecondFactor, { body: { isRequired: true } })
    await fillSignIn(email)
    await shop.heading('Set up a second factor')
    await screenshot('required')
    await button('Set up').click()
    await shop.page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    await screenshot('required-key')
    const secret = (await shop.page.locator('code').innerText()).replaceAll(/\s/g, '')
    await shop.page.getByLabel('Code that the app shows now').fill(codeOf(secret))
    await button('Confirm').click()
    await button('I have saved them').waitFor()
    await screenshot('required-codes')
    await button('I have saved them').click()
    await shop.heading('Overview')
    await shop.page.goto(`${shop.url}/pages/profile`)
    await shop.page.getByText('Your company requires a second factor.').waitFor()
    expect(await button('Remove the second factor').count()).toBe(0)
  })
})

describe('a passkey', () => {
  it('is made on the profile, and signs in alone', async () => {
    const admin = await newAdmin()
    const site = siteOf(new URL(shop.url).port)
    const devtools = await shop.context.newCDPSession(shop.page)
    await devtools.send('WebAuthn.enable')
    await devtools.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    })
    await shop.page.goto(`${site}/login?from=/pages/profile`)
    await shop.page.getByLabel('Email').fill(admin.email)
    await shop.page.getByRole('textbox', { name: 'Password' }).fill(password)
    await button('Sign in').click()
    await button('Add a passkey').click()
    const dialog = shop.page.getByRole('dialog')
    await dialog.getByLabel('Name, such as the device').fill('Work laptop')
    await dialog.getByRole('textbox', { name: 'Your password' }).fill(password)
    await dialog.getByRole('button', { name: 'Add a passkey' }).click()
    await button('I have saved them').click()
    await shop.page.getByText('Work laptop').waitFor()
    await screenshot('profile-passkey')
    await shop.page.evaluate(() => localStorage.clear())
    await shop.page.goto(`${site}/login`)
    await screenshot('login')
    await button('Use a passkey').click()
    await shop.heading('Overview')
    await shop.page.goto(`${site}/pages/profile`)
    await button('Remove: Work laptop').click()
    await dialog.getByRole('textbox', { name: 'Your password' }).fill(password)
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await shop.page.getByText('Two-step sign-in is off').waitFor()
    await devtools.detach()
  })
})
