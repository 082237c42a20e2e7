import { collectComplaints } from '@floorcast/testing/browser.ts'
import { describe, expect, it } from 'vitest'
import { ConsolePage } from './console-page.ts'
import { testConsole } from './console-under-test.ts'

const shop = testConsole()
const invited = { email: 'marta@example.com', password: 'five yellow bicycles' }

const row = (name: string) => shop.page.getByRole('row', { name })
const dialog = (name: string) => shop.page.getByRole('dialog', { name })

/** Opens the menu of a user and chooses an entry. */
async function choose(user: string, entry: string): Promise<void> {
  await row(user)
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await shop.page.getByRole('menuitem', { name: entry, exact: true }).click()
}

/** Gives the own password in a dialog, after a wrong one. */
async function answer(title: string, button: string): Promise<void> {
  const asked = dialog(title)
  await asked.getByRole('textbox', { name: 'Your password' }).fill('not my password')
  await asked.getByRole('button', { name: button }).click()
  await asked.getByText('Wrong password').waitFor()
  await asked.getByRole('textbox', { name: 'Your password' }).fill(shop.owner.password)
  await asked.getByRole('button', { name: button }).click()
}

describe('the users of a client', () => {
  it('are invited by a link that is shown once, set a password with it, and are signed in', async () => {
    const complaints = collectComplaints(shop.page)
    const { page } = shop
    await shop.visit('/security/users')
    await row(shop.owner.email).getByText('(you)').waitFor()
    await page.getByRole('button', { name: 'Invite a user' }).click()
    const form = dialog('Invite a user')
    await form.getByRole('button', { name: 'Invite' }).click()
    await form.getByText('Cannot be empty').waitFor()
    await form.getByLabel('Email').fill(invited.email)
    await form.getByLabel('First name').fill('Marta')
    await form.getByRole('button', { name: 'Invite' }).click()
    const shown = dialog(`Link for ${invited.email}`)
    await shown.getByText(/^It expires on /).waitFor()
    const link = await shown.locator('code').innerText()
    await shown.getByRole('button', { name: 'Done' }).click()
    await row('Marta').getByText('Invited').waitFor()
    await row('Marta').getByText('Manager').waitFor()
    expect(complaints).toEqual([])

    const guest = await shop.context.browser()?.newContext()
    const tab = await guest?.newPage()
    if (!guest || !tab) throw new Error('No second browser')
    tab.setDefaultTimeout(40_000)
    await tab.goto(link)
    const userName = tab.locator('input[autocomplete=username][readonly]')
    await expect.poll(() => userName.inputValue()).toBe(invited.email)
    await tab.getByRole('textbox', { name: 'Password' }).fill(invited.password)
    await tab.getByRole('button', { name: 'Set and sign in' }).click()
    await tab.getByRole('navigation', { name: 'Menu' }).waitFor()
    await guest.close()
    await page.reload()
    await row('Marta').getByText('Active').waitFor()
  })

  it('of role streamer need a device, and every user another email', async () => {
    const { page } = shop
    await shop.visit('/security/users')
    await page.getByRole('button', { name: 'Invite a user' }).click()
    const form = dialog('Invite a user')
    await form.getByLabel('Email').fill('till@example.com')
    await form.getByRole('radio', { name: 'Streamer' }).check()
    await form.getByRole('button', { name: 'Invite' }).click()
    await form.getByText('Cannot be empty').waitFor()
    await form.getByRole('combobox', { name: 'Device' }).click()
    await page.getByRole('option', { name: 'Bakery Lane 4' }).click()
    await form.getByLabel('Email').fill(shop.owner.email)
    await form.getByRole('button', { name: 'Invite' }).click()
    await form.getByText('There is already an account with this email').waitFor()
    await form.getByLabel('Email').fill('till@example.com')
    await form.getByRole('button', { name: 'Invite' }).click()
    await dialog('Link for till@example.com').getByRole('button', { name: 'Done' }).click()
    await row('till@example.com').getByRole('link', { name: 'Bakery Lane 4' }).waitFor()
  })

  it('are edited, get another link, lose their sessions and are removed; the last admin is not', async () => {
    const { page } = shop
    await shop.visit('/security/users')
    await choose('Marta', 'Edit')
    const form = dialog('Edit Marta')
    await form.getByLabel('Last name').fill('Silva')
    await form.getByRole('radio', { name: 'View only' }).check()
    await form.getByRole('button', { name: 'Save' }).click()
    await row('Marta Silva').getByText('View only').waitFor()

    await choose('Marta Silva', 'Edit')
    const promoted = dialog('Edit Marta Silva')
    expect(await promoted.getByLabel('Your password').count()).toBe(0)
    await promoted.getByRole('radio', { name: 'Admin' }).check()
    await promoted.getByRole('button', { name: 'Save' }).click()
    await promoted.getByText('Cannot be empty').waitFor()
    await new ConsolePage(page, 'users-admin').screenshot('password')
    await promoted.getByRole('textbox', { name: 'Your password' }).fill(shop.owner.password)
    await promoted.getByRole('button', { name: 'Save' }).click()
    await row('Marta Silva').getByText('Admin').waitFor()

    await choose('Marta Silva', 'Reset the password')
    await answer('Reset the password of Marta Silva?', 'Reset the password')
    await dialog(`Link for ${invited.email}`).locator('code').waitFor()
    await dialog(`Link for ${invited.email}`).getByRole('button', { name: 'Done' }).click()

    await choose('Marta Silva', 'Sessions')
    const sessions = dialog('Sessions of Marta Silva')
    await sessions.getByRole('listitem').first().waitFor()
    await sessions.getByRole('textbox', { name: 'Your password' }).fill('not my password')
    await sessions.getByRole('button', { name: 'End all sessions' }).click()
    await sessions.getByText('Wrong password').waitFor()
    await new ConsolePage(page, 'users-sessions').screenshot('wrong password')
    await sessions.getByRole('textbox', { name: 'Your password' }).fill(shop.owner.password)
    await sessions.getByRole('button', { name: 'End all sessions' }).click()
    await page.getByText('Sessions of Marta Silva ended').waitFor()
    await choose('Marta Silva', 'Sessions')
    await sessions.getByText('Not signed in anywhere').waitFor()
    expect(await sessions.getByRole('button', { name: 'End all sessions' }).isDisabled()).toBe(true)
    await sessions.getByRole('button', { name: 'Cancel' }).click()

    await choose('Marta Silva', 'Remove')
    await answer('Remove Marta Silva?', 'Remove')
    await row('Marta Silva').waitFor({ state: 'hidden' })

    await choose(shop.owner.email, 'Remove')
    const last = dialog('Remove Olga Petrova?')
    await last.getByText('This is you.').waitFor()
    await answer('Remove Olga Petrova?', 'Remove')
    await last.getByText('This is the last admin with full rights: make another first').waitFor()
    await last.getByRole('button', { name: 'Cancel' }).click()
    await row(shop.owner.email).waitFor()
  })
})
