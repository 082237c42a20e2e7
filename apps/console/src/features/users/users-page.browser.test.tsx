import { listDevices, readDevice } from '@floorcast/contract/devices.ts'
import { endUserSessions, listUserSessions } from '@floorcast/contract/sessions.ts'
import {
  editUser,
  inviteUser,
  listUsers,
  removeUser,
  resetUser,
  type UserRow,
} from '@floorcast/contract/users.ts'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { loadWords } from '../../platform/i18n.ts'
import { neverConnectedDevice } from '../../testing/device-samples.ts'
import { drawComponent, signedInUser } from '../../testing/draw-component.tsx'
import { FakeServer, wrongField } from '../../testing/fake-server.ts'
import { findBarriers } from '../../testing/find-barriers.ts'
import { UsersPage } from './users-page.tsx'

const now = '2026-06-10T22:30:00.000Z'
const password = 'four unrelated words'
const userOf = (n: number, some: Partial<UserRow>): UserRow => ({
  uid: `0193a1f0-0000-7000-8000-0000000000a${n}`,
  email: `user${n}@example.com`,
  firstName: '',
  lastName: '',
  role: 'manager',
  rights: 'full',
  linkedDevice: null,
  language: 'en',
  isInvited: false,
  hasSecondFactor: false,
  lastSeenAt: null,
  createdAt: now,
  ...some,
})
const { uid, email, firstName, lastName } = signedInUser
const own = userOf(1, { uid, email, firstName, lastName, role: 'admin' })
const marta = userOf(2, { email: 'marta@example.com', firstName: 'Marta' })
const link = 'https://shop.example/login#invite=secret'
const session = {
  uid: '0193a1f0-0000-7000-8000-0000000000b1',
  createdAt: now,
  lastUsedAt: now,
  address: '192.0.2.44',
  userAgent: null,
  isCurrent: false,
}

let users: UserRow[]
let server: FakeServer
beforeEach(async () => {
  await loadWords('administration')
  users = [own, marta]
  server = new FakeServer()
  server.answer(listUsers, () => ({ items: users, total: users.length, page: 1, size: 10 }))
})
const sentTo = (path: string) =>
  server.calls.filter(({ call }) => call === `POST ${path}`).map(({ body }) => body)
/** The server's answer to a wrong own password. */
function checkPassword(body: unknown) {
  if ((body as { password?: string }).password !== password) throw wrongField('password', 'wrong-password')
}

const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
const dialog = (name: string) => page.getByRole('dialog', { name })
const ownPassword = page.getByRole('textbox', { name: 'Your password' })

async function choose(user: string, entry: string) {
  await row(user)
    .getByRole('button', { name: /^Actions for/ })
    .click()
  await page.getByRole('menuitem', { name: entry, exact: true }).click()
}

/** Gives the own password in a dialog, after a wrong one. */
async function answer(title: string, button: string) {
  const asked = dialog(title)
  await ownPassword.fill('not my password')
  await asked.getByRole('button', { name: button, exact: true }).click()
  await expect.element(ownPassword).toHaveAccessibleDescription(/Wrong password/)
  await ownPassword.fill(password)
  await asked.getByRole('button', { name: button, exact: true }).click()
}

async function openInvitation() {
  await drawComponent(<UsersPage />)
  await page.getByRole('button', { name: 'Invite a user' }).click()
  return dialog('Invite a user')
}

it('invites a user by a link that is shown once', async () => {
  users = [own]
  server.answer(inviteUser, () => {
    users = [own, { ...marta, isInvited: true }]
    return { code: 200, link, expiresAt: '2026-06-13T22:30:00.000Z' }
  })
  const form = await openInvitation()
  await expect.element(row(email).getByText(/\(you\)/)).toBeVisible()
  await form.getByRole('button', { name: 'Invite' }).click()
  await expect.element(form.getByText('Cannot be empty')).toBeVisible()
  await form.getByRole('textbox', { name: 'Email' }).fill(marta.email)
  await form.getByRole('textbox', { name: 'First name' }).fill('Marta')
  await form.getByRole('button', { name: 'Invite' }).click()
  const shown = dialog(`Link for ${marta.email}`)
  await expect.element(shown.getByText(/^It expires on /)).toBeVisible()
  await expect.element(shown.getByText(link)).toBeVisible()
  expect(await findBarriers()).toEqual([])
  await shown.getByRole('button', { name: 'Done' }).click()
  await expect.element(shown).not.toBeInTheDocument()
  await expect.element(row('Marta').getByText('Invited')).toBeVisible()
  await expect.element(row('Marta').getByText('Manager')).toBeVisible()
  expect(sentTo(inviteUser.path)).toMatchObject([
    { email: marta.email, firstName: 'Marta', role: 'manager', rights: 'full' },
  ])
})

it('invites a streamer for a device only, and every user with another email', async () => {
  const device = neverConnectedDevice
  server.answer(listDevices, () => ({ items: [device], total: 1, page: 1, size: 30 }))
  server.answer(readDevice, () => device)
  server.answer(inviteUser, (_, body) => {
    if ((body as { email: string }).email === own.email) throw wrongField('email', 'email-taken')
    const { uid: deviceUid, name } = device
    users = [own, userOf(3, { email: 'till@example.com', linkedDevice: { uid: deviceUid, name } })]
    return { code: 200, link }
  })
  const form = await openInvitation()
  const field = form.getByRole('textbox', { name: 'Email' })
  await field.fill('till@example.com')
  await form.getByRole('radio', { name: 'Streamer' }).click()
  await form.getByRole('button', { name: 'Invite' }).click()
  await expect.element(form.getByText('Cannot be empty')).toBeVisible()
  expect(sentTo(inviteUser.path)).toEqual([])
  await form.getByRole('combobox', { name: 'Device' }).click()
  await page.getByRole('option', { name: 'Bakery Lane 4' }).click()
  await field.fill(own.email)
  await form.getByRole('button', { name: 'Invite' }).click()
  await expect.element(field).toHaveAccessibleDescription(/There is already an account with this email/)
  await field.fill('till@example.com')
  await form.getByRole('button', { name: 'Invite' }).click()
  await dialog('Link for till@example.com').getByRole('button', { name: 'Done' }).click()
  await expect.element(row('till@example.com').getByRole('link', { name: 'Bakery Lane 4' })).toBeVisible()
  expect(sentTo(inviteUser.path).at(-1)).toMatchObject({ role: 'streamer', linkedDeviceUid: device.uid })
})

it('edits a user, and asks for the own password only where that makes an admin', async () => {
  server.answer(editUser, (_, body) => {
    users = [own, { ...(users[1] ?? marta), ...(body as Partial<UserRow>) }]
    return { code: 200 }
  })
  await drawComponent(<UsersPage />)
  await choose('Marta', 'Edit')
  const form = dialog('Edit Marta')
  await form.getByRole('textbox', { name: 'Last name' }).fill('Silva')
  await form.getByRole('radio', { name: 'View only' }).click()
  await expect.element(ownPassword).not.toBeInTheDocument()
  await form.getByRole('button', { name: 'Save' }).click()
  await expect.element(row('Marta Silva').getByText('View only')).toBeVisible()
  await choose('Marta Silva', 'Edit')
  const promoted = dialog('Edit Marta Silva')
  await promoted.getByRole('radio', { name: 'Admin' }).click()
  await promoted.getByRole('button', { name: 'Save' }).click()
  await expect.element(ownPassword).toHaveAccessibleDescription(/Cannot be empty/)
  expect(await findBarriers()).toEqual([])
  await ownPassword.fill(password)
  await promoted.getByRole('button', { name: 'Save' }).click()
  await expect.element(row('Marta Silva').getByText('Admin')).toBeVisible()
  expect(sentTo(editUser.path)).toEqual([
    { uid: marta.uid, lastName: 'Silva', rights: 'view' },
    { uid: marta.uid, role: 'admin', password },
  ])
})

it('makes another link for a user by the own password', async () => {
  server.answer(resetUser, (_, body) => {
    checkPassword(body)
    return { code: 200, link }
  })
  await drawComponent(<UsersPage />)
  await choose('Marta', 'Reset the password')
  await answer('Reset the password of Marta?', 'Reset the password')
  await expect.element(dialog(`Link for ${marta.email}`).getByText(link)).toBeVisible()
})

it('ends the sessions of a user by the own password, and says where there are none', async () => {
  let sessions = [session]
  server.answer(listUserSessions, () => sessions)
  server.answer(endUserSessions, (_, body) => {
    checkPassword(body)
    sessions = []
    return { code: 200 }
  })
  await drawComponent(<UsersPage />)
  await choose('Marta', 'Sessions')
  const shown = dialog('Sessions of Marta')
  await expect.element(shown.getByText('192.0.2.44')).toBeVisible()
  await answer('Sessions of Marta', 'End all sessions')
  await expect.element(page.getByText('Sessions of Marta ended')).toBeVisible()
  await choose('Marta', 'Sessions')
  await expect.element(shown.getByText('Not signed in anywhere')).toBeVisible()
  await expect.element(shown.getByRole('button', { name: 'End all sessions' })).toBeDisabled()
})

it('removes a user by the own password', async () => {
  server.answer(removeUser, (_, body) => {
    checkPassword(body)
    users = [own]
    return { code: 200 }
  })
  await drawComponent(<UsersPage />)
  await choose('Marta', 'Remove')
  await answer('Remove Marta?', 'Remove')
  await expect.element(row('Marta')).not.toBeInTheDocument()
  await expect.element(dialog('Remove Marta?')).not.toBeInTheDocument()
})

it('says in the dialog that the last admin is not removed', async () => {
  server.answer(removeUser, () => ({ code: 400, reason: 'last-admin' }))
  await drawComponent(<UsersPage />)
  await choose(email, 'Remove')
  const asked = dialog('Remove Inês Prado?')
  await expect.element(asked.getByText(/This is you\./)).toBeVisible()
  await ownPassword.fill(password)
  await asked.getByRole('button', { name: 'Remove', exact: true }).click()
  await expect
    .element(asked.getByText('This is the last admin with full rights: make another first'))
    .toBeVisible()
  await asked.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(row(email)).toBeVisible()
})
