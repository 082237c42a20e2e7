import { mkdir } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { beforeAll, it } from 'vitest'
import { testConsole } from './console-under-test.ts'

/** Browsers have no passkeys for an address without a name. */
const siteOf = (port: number | string) => `http://localhost:${port}`
const shop = testConsole({ settings: port => ({ PUBLIC_URL: siteOf(port) }) })
const folder = fileURLToPath(new URL('../../artifacts/e2e/', import.meta.url))
const button = (name: string) => shop.page.getByRole('button', { name, exact: true })

async function screenshot(name: string) {
  await mkdir(folder, { recursive: true })
  await shop.page.waitForTimeout(300)
  await shop.page.screenshot({ path: `${folder}second-factor-${name}.png`, fullPage: true })
}

beforeAll(() => mkdir(folder, { recursive: true }))

it('makes a passkey on the profile that signs in without a password', async () => {
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
  await shop.page.getByLabel('Email').fill(shop.owner.email)
  await shop.page.getByRole('textbox', { name: 'Password' }).fill(shop.owner.password)
  await button('Sign in').click()
  await button('Add a passkey').click()
  const dialog = shop.page.getByRole('dialog')
  await dialog.getByLabel('Name, such as the device').fill('Work laptop')
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(shop.owner.password)
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
  await dialog.getByRole('textbox', { name: 'Your password' }).fill(shop.owner.password)
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await shop.page.getByText('Two-step sign-in is off').waitFor()
  await devtools.detach()
})
