import { listOpenAlerts } from '@floorcast/contract/alerts.ts'
import { authenticate, endSession } from '@floorcast/contract/auth.ts'
import { addGroup, listGroups } from '@floorcast/contract/groups.ts'
import { completeSignIn } from '@floorcast/contract/second-factor.ts'
import { Outlet, type RouteObject } from 'react-router'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { LockPage } from '../../features/auth/lock-page.tsx'
import { LoginPage } from '../../features/auth/login-page.tsx'
import { GroupsPage } from '../../features/groups/groups-page.tsx'
import { navigateTo } from '../../platform/navigate.ts'
import { queryClient } from '../../platform/query-client.ts'
import { saveSession, sessionStore } from '../../platform/session.ts'
import { drawComponent, signedInUser } from '../../testing/draw-component.tsx'
import { FakeServer, refusal } from '../../testing/fake-server.ts'
import { groupRow } from '../../testing/group-row.ts'
import { HeldAnswers } from '../../testing/held-answers.ts'
import { guardRole, guardSession } from '../open-page.ts'
import { Shell } from './shell.tsx'

const password = 'four unrelated words'
const groupUid = '0193a1f0-0000-7000-8000-0000000000b1'
const group = groupRow({ uid: groupUid, name: 'Food shops' })
const ended = () => {
  throw refusal(401)
}

let server: FakeServer
beforeEach(() => {
  server = new FakeServer()
  server.answer(listOpenAlerts, () => [])
  server.answer(listGroups, () => ({ items: [group], total: 1, page: 1, size: 10 }))
  server.answer(endSession, () => ({ code: 200 }))
  server.answer(authenticate, () => ({ ...signedInUser, token: 'fresh' }))
})

/** The pages of the test, guarded as the console guards its pages. */
const pages: RouteObject[] = [
  {
    element: <Shell />,
    HydrateFallback: () => null,
    children: [
      { path: '/equipments/groups', loader: guardSession, element: <GroupsPage /> },
      { path: '/equipments/groupsOne/:uid', element: <h1>{'Shops by the sea'}</h1> },
      { path: '/home/overview', element: <h1>{'Overview'}</h1> },
      {
        path: '/security/playTrack/:uid',
        loader: args => guardSession(args) ?? guardRole({ roles: ['admin'] }),
        element: <h1>{'Log'}</h1>,
      },
    ],
  },
  { path: '/lock', element: <LockPage /> },
  { path: '/login', element: <LoginPage /> },
]
const draw = (path = '/equipments/groups?sort=name', user = signedInUser) =>
  drawComponent(<Outlet />, { path, pages, user, isWholePage: true })

const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const field = (name: string) => page.getByRole('textbox', { name })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const foodShops = page.getByRole('row', { name: /Food shops/ })
const again = page.getByRole('dialog', { name: 'Sign in again' })

async function choose(entry: string) {
  await page.getByRole('button', { name: /profile and sign-out/ }).click()
  await page.getByRole('menuitem', { name: entry }).click()
}

const lock = async () => {
  const drawn = await draw()
  await expect.element(foodShops).toBeVisible()
  await choose('Lock screen')
  await expect.element(heading('Screen locked')).toBeVisible()
  return drawn
}

it('locks the screen without a token, keeps the user, and opens the page again by the password', async () => {
  const { address } = await lock()
  expect(server.calls.map(({ call }) => call)).toContain(`POST ${endSession.path}`)
  expect(localStorage.getItem('floorcast.token')).toBeNull()
  expect(localStorage.getItem('floorcast.user')).toContain(signedInUser.email)
  await field('Password').fill(password)
  await button('Unlock').click()
  await expect.element(foodShops).toBeVisible()
  expect(address()).toBe('/equipments/groups?sort=name')
  expect(localStorage.getItem('floorcast.token')).toBe('fresh')
  expect(server.calls.findLast(({ call }) => call === `POST ${authenticate.path}`)?.body).toEqual({
    email: signedInUser.email,
    password,
  })
})

it('asks for a code at the lock screen where the user has a second factor', async () => {
  await lock()
  const secondStep = {
    ticket: 't'.repeat(43),
    expiresAt: '2031-01-01T00:00:00.000Z',
    mustEnroll: false,
    hasPasskey: false,
  }
  server.answer(authenticate, () => {
    throw refusal(403, { code: 'second-factor', secondStep })
  })
  server.answer(completeSignIn, () => ({ ...signedInUser, token: 'fresh' }))
  await field('Password').fill(password)
  await button('Unlock').click()
  await expect.element(heading('Second step')).toBeVisible()
  await field('Code').fill('abcd-efgh')
  await button('Sign in').click()
  await expect.element(foodShops).toBeVisible()
  expect(server.calls.findLast(({ call }) => call === `POST ${completeSignIn.path}`)?.body).toEqual({
    ticket: secondStep.ticket,
    code: 'abcd-efgh',
  })
})

it('leads to the sign-in page when the server has ended the session, says so, and comes back', async () => {
  server.answer(listGroups, ended)
  const { address } = await draw()
  await expect.element(page.getByText('Session expired. Please sign in again.')).toBeVisible()
  await expect.element(heading('Sign in to Floorcast')).toBeVisible()
  await expect.element(page.getByText('Your session ended. Sign in to continue.')).toBeVisible()
  expect(address()).toBe('/login?from=%2Fequipments%2Fgroups%3Fsort%3Dname')
  expect(localStorage.getItem('floorcast.user')).toBeNull()
  expect(localStorage.getItem('floorcast.token')).toBeNull()
  server.answer(listGroups, () => ({ items: [group], total: 1, page: 1, size: 10 }))
  await field('Email').fill(signedInUser.email)
  await field('Password').fill(password)
  await button('Sign in').click()
  await expect.element(foodShops).toBeVisible()
})

it('says so, too, when another address of the page opens while the sign-in page is on its way', async () => {
  const login = pages.find(({ path }) => path === '/login')
  let open = () => {}
  const isOpen = new Promise<null>(resolve => (open = () => resolve(null)))
  const { address } = await drawComponent(<Outlet />, {
    path: '/equipments/groups',
    pages: [...pages.filter(each => each !== login), { ...login, loader: () => isOpen }],
    isWholePage: true,
  })
  await expect.element(foodShops).toBeVisible()
  server.answer(listGroups, ended)
  void queryClient.invalidateQueries()
  await expect.element(page.getByText('Session expired. Please sign in again.')).toBeVisible()
  navigateTo('/equipments/groupsOne/1')
  await expect.poll(address).toBe('/equipments/groupsOne/1')
  open()
  await expect.element(page.getByText('Your session ended. Sign in to continue.')).toBeVisible()
  expect(address()).toBe('/login?from=%2Fequipments%2FgroupsOne%2F1')
})

const interrupt = async () => {
  server.answer(addGroup, ended)
  const drawn = await draw()
  await expect.element(foodShops).toBeVisible()
  await button('Add a group').click()
  await field('Name').fill('Shops by the sea')
  await button('Save').click()
  await expect.element(again.getByText('Your session ended. Sign in to continue.')).toBeVisible()
  expect(localStorage.getItem('floorcast.user')).toBeNull()
  return drawn
}

it('keeps what was typed in a form when the session ends, and saves it after the sign-in over it', async () => {
  const { address } = await interrupt()
  await userEvent.keyboard('{Escape}')
  await again.getByRole('textbox', { name: 'Password' }).fill(password)
  await again.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect.element(again).not.toBeInTheDocument()
  await expect.element(field('Name')).toHaveValue('Shops by the sea')
  server.answer(addGroup, () => ({ code: 200, uid: groupUid }))
  await button('Save').click()
  await expect.element(heading('Shops by the sea')).toBeVisible()
  expect(address()).toBe(`/equipments/groupsOne/${groupUid}`)
})

it('shows nothing of a form whose session has ended to the next user', async () => {
  const { address } = await interrupt()
  const held = new HeldAnswers()
  server.answer(listGroups, held.of({ items: [], total: 0, page: 1, size: 10 }))
  // Another tab of the browser has signed in.
  const uid = '0193a1f0-0000-7000-8000-000000000002'
  saveSession({ ...signedInUser, uid, email: 'otto@example.com', token: 'of-otto' })
  await expect.element(heading('Overview')).toBeVisible()
  expect(address()).toBe('/home/overview')
  expect(document.querySelector('[role=dialog]')).toBeNull()
  const before = server.calls.length
  await page.getByRole('link', { name: 'Groups', exact: true }).click()
  await expect.poll(() => server.calls.length).toBeGreaterThan(before)
  await expect.element(page.getByRole('table', { name: 'Groups' })).toBeVisible()
  await expect.element(foodShops).not.toBeInTheDocument()
  held.release()
  await expect.element(page.getByText('No groups yet')).toBeVisible()
})

it('leads to the sign-in page after a logout, and leaves nobody signed in', async () => {
  const { address } = await draw()
  await expect.element(foodShops).toBeVisible()
  await choose('Log out')
  await expect.element(heading('Sign in to Floorcast')).toBeVisible()
  expect(address()).toBe('/login')
  expect(sessionStore.get()).toEqual({ user: null, token: null })
  expect(server.calls.map(({ call }) => call)).toContain(`POST ${endSession.path}`)
})

it.each(['Log out', 'Lock screen'])(
  '%s ends the session in the browser first, so that nothing is asked with a token that has ended',
  async item => {
    const tokens: (string | null)[] = []
    server.answer(endSession, () => {
      tokens.push(sessionStore.get().token, localStorage.getItem('floorcast.token'))
      return { code: 200 }
    })
    await draw()
    await expect.element(foodShops).toBeVisible()
    await choose(item)
    await expect.poll(() => tokens).toEqual([null, null])
  },
)

it('leads from a page for another role to the name of the role, and on to the start page', async () => {
  await draw('/security/playTrack/1', { ...signedInUser, role: 'manager' })
  await expect.element(page.getByText('Ask an admin for the role: Admin.')).toBeVisible()
  await page.getByRole('link', { name: 'Go to my start page' }).click()
  await expect.element(heading('Overview')).toBeVisible()
})
