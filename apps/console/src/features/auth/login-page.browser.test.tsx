import { authenticate, register } from '@floorcast/contract/auth.ts'
import { CallError } from '@floorcast/contract/client.ts'
import { readLink } from '@floorcast/contract/mailed-links.ts'
import { acceptLink } from '@floorcast/contract/users.ts'
import { beforeEach, describe, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { changeLanguage } from '../../platform/change-language.ts'
import { sessionStore } from '../../platform/session.ts'
import { prepareToasts } from '../../platform/toasts.ts'
import { drawComponent, signedInUser } from '../../testing/draw-component.tsx'
import { FakeServer, refusal, wrongField } from '../../testing/fake-server.ts'
import { findBarriers } from '../../testing/find-barriers.ts'
import { LoginPage } from './login-page.tsx'

const password = 'four unrelated words'
const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const field = (name: string) => page.getByRole('textbox', { name })
const button = (name: string) => page.getByRole('button', { name, exact: true })
/** The messages in the form and in the toast. */
const messages = (text: string) => page.getByRole('alert').filter({ hasText: text })
const terms = page.getByRole('checkbox', { name: /I agree/ })

let server: FakeServer
beforeEach(() => {
  server = new FakeServer()
})

const draw = (path = '/login', more: Parameters<typeof drawComponent>[1] = {}) =>
  drawComponent(<LoginPage />, { path, user: null, isWholePage: true, ...more })

const acceptPassword = () => server.answer(authenticate, () => ({ ...signedInUser, token: 'fresh' }))
const sentTo = (path: string) =>
  server.calls.filter(({ call }) => call === `POST ${path}`).map(({ body }) => body)

async function fillSignIn() {
  await field('Email').fill(signedInUser.email)
  await field('Password').fill(password)
}

it('signing in says in the form and in a toast that the password is wrong, and keeps what was typed', async () => {
  server.answer(authenticate, () => {
    throw refusal(400, { code: 'wrong-login' })
  })
  await draw()
  await fillSignIn()
  await button('Sign in').click()
  await expect.poll(() => messages('Wrong email or password').elements()).toHaveLength(2)
  expect(document.querySelector('form')?.textContent).toContain('Wrong email or password')
  await expect.element(field('Email')).toHaveValue(signedInUser.email)
  expect(sessionStore.get()).toEqual({ user: null, token: null })
  expect(await findBarriers()).toEqual([])
})

it('signing in sends what a password manager has filled in without an event, though the form is drawn again under the button', async () => {
  acceptPassword()
  const { address } = await draw()
  await expect.element(heading('Sign in to Floorcast')).toBeVisible()
  const [first, second] = document.querySelectorAll<HTMLInputElement>('form input')
  if (first) first.value = signedInUser.email
  if (second) second.value = password
  const submit = button('Sign in').element()
  submit.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }))
  await changeLanguage('de')
  await expect.element(heading('Bei Floorcast anmelden')).toBeVisible()
  submit.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
  await expect.poll(address).toBe('/home/overview')
  expect(sentTo(authenticate.path)).toEqual([{ email: signedInUser.email, password }])
  await changeLanguage('en')
})

it('signing in says that the server does not answer, and signs in once it does', async () => {
  await prepareToasts()
  server.answer(authenticate, () => {
    throw new CallError(0, null)
  })
  const { address } = await draw()
  await fillSignIn()
  await button('Sign in').click()
  await expect.element(page.getByText('Fatal error')).toBeVisible()
  await expect.poll(() => messages('The server does not answer').elements()).toHaveLength(2)
  expect(address()).toBe('/login')
  acceptPassword()
  await button('Sign in').click()
  await expect.poll(address).toBe('/home/overview')
  expect(localStorage.getItem('floorcast.token')).toBe('fresh')
})

it.each([
  ['/login?from=%2Fequipments%2Fgroups%3Fpage%3D2', '/equipments/groups?page=2'],
  ['/login?from=//evil.example', '/home/overview'],
  ['/login?from=/%5Cevil.example', '/home/overview'],
  ['/login?from=https://evil.example', '/home/overview'],
])('signing in leads after the sign-in from %s to %s', async (path, goal) => {
  acceptPassword()
  const { address } = await draw(path)
  await fillSignIn()
  await button('Sign in').click()
  await expect.poll(address).toBe(goal)
})

it('signing in says that the server has ended the session of the page before', async () => {
  await draw('/login', { state: { hasEnded: true } })
  await expect.element(page.getByRole('status')).toHaveTextContent('Your session ended. Sign in to continue.')
})

const openForm = async () => {
  const drawn = await draw()
  await page.getByRole('tab', { name: 'Register' }).click()
  await expect.element(field('Full name')).toBeVisible()
  return drawn
}

it('registering shows the rules of registering at the fields', async () => {
  await openForm()
  await button('Create account').click()
  await expect.element(page.getByText('Accept the terms to continue')).toBeVisible()
  expect(page.getByText('Cannot be empty').elements()).toHaveLength(3)
  expect(server.calls).toEqual([])
  expect(await findBarriers()).toEqual([])
})

it('registering says at the field that an email is taken, and keeps what was typed to register', async () => {
  server.answer(register, () => {
    throw wrongField('email', 'email-taken')
  })
  await openForm()
  await field('Full name').fill('Olga Again')
  await fillSignIn()
  await terms.click()
  await button('Create account').click()
  await expect
    .element(field('Email'))
    .toHaveAccessibleDescription(/There is already an account with this email/)
  await expect.element(field('Full name')).toHaveValue('Olga Again')
  await expect.element(field('Password')).toHaveValue(password)
  await expect.element(terms).toBeChecked()
})

describe('a one-time link', () => {
  const invited = { ...signedInUser, uid: '0193a1f0-0000-7000-8000-000000000002', email: 'mona@example.com' }
  beforeEach(() => {
    server.answer(readLink, () => ({ email: invited.email }))
    history.replaceState(history.state, '', '#invite=secret-of-the-link')
    return () => history.replaceState(history.state, '', location.pathname + location.search)
  })
  const setPassword = async (text: string) => {
    await field('Password').fill(text)
    await button('Set and sign in').click()
  }

  it('sets the password of a one-time link by the rules at the field, and signs in', async () => {
    server.answer(acceptLink, () => ({ ...invited, token: 'fresh' }))
    const { address } = await draw()
    await expect.element(heading('Set your password')).toBeVisible()
    await expect.element(field('Email')).toHaveValue(invited.email)
    await expect.element(field('Email')).toHaveAttribute('readonly')
    await setPassword('short')
    await expect.element(field('Password')).toHaveAccessibleDescription(/At least 10 characters/)
    expect(sentTo(acceptLink.path)).toEqual([])
    await setPassword(password)
    await expect.poll(address).toBe('/home/overview')
    expect(sentTo(acceptLink.path)).toEqual([{ token: 'secret-of-the-link', password }])
    expect(localStorage.getItem('floorcast.user')).toContain(invited.email)
  })

  it('says in the form that a one-time link was used', async () => {
    server.answer(acceptLink, () => {
      throw refusal(400, { code: 'link-expired' })
    })
    await draw()
    await setPassword(password)
    await expect.poll(() => messages('This link has expired or was used').elements()).toHaveLength(2)
    await expect.element(heading('Set your password')).toBeVisible()
    expect(sessionStore.get().user).toBeNull()
  })

  it('keeps the session of a signed-in user until a one-time link is used', async () => {
    server.answer(acceptLink, () => ({ ...invited, token: 'fresh' }))
    const { address } = await draw('/login', { user: signedInUser })
    await expect.element(heading('Set your password')).toBeVisible()
    expect(sessionStore.get().user?.email).toBe(signedInUser.email)
    await setPassword(password)
    await expect.poll(address).toBe('/home/overview')
    expect(sessionStore.get()).toMatchObject({ user: { email: invited.email }, token: 'fresh' })
  })
})

it('names the role that a page needs, and leads to the start page', async () => {
  const { address } = await draw('/login?needs=admin', { user: { ...signedInUser, role: 'manager' } })
  await expect.element(heading('You don’t have access')).toBeVisible()
  await expect.element(page.getByText('Ask an admin for the role: Admin.')).toBeVisible()
  expect(await findBarriers()).toEqual([])
  await page.getByRole('link', { name: 'Go to my start page' }).click()
  expect(address()).toBe('/home/overview')
})
