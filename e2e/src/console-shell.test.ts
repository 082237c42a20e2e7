import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addDevice, editDevice } from '@floorcast/contract/devices.ts'
import { addGroup } from '@floorcast/contract/groups.ts'
import { endSession, readSession } from '@floorcast/contract/session.ts'
import { collectComplaints, openBrowser } from '@floorcast/testkit/browser.ts'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { owner, registerOwner, type SignedInClient } from './line.ts'
import { freePort, startServer, type RunningServer } from './processes.ts'

/** CONSOLE.md: what the first look at /login may weigh over the wire. */
const mostScriptBytes = 150_000

let folder: string
let server: RunningServer
let browser: Browser
let client: SignedInClient
let deviceUid: string
let context: BrowserContext
let page: Page

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'floorcast-shell-'))
  const port = await freePort()
  ;[server, browser] = await Promise.all([startServer(port, join(folder, 'data')), openBrowser()])
  client = await registerOwner(server.url)
  const made = await client.call(addDevice, {
    params: { contentType: 'audio' },
    body: { name: 'Bakery Lane 4' },
  })
  deviceUid = made.uid ?? ''
  await client.call(addDevice, { params: { contentType: 'video' }, body: { name: 'Central Station' } })
  await client.call(addGroup, { params: { contentType: 'audio' }, body: { name: 'Food shops' } })
})

afterAll(async () => {
  await browser.close()
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

beforeEach(async () => {
  context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    locale: 'en-GB',
    reducedMotion: 'reduce',
  })
  page = await context.newPage()
  page.setDefaultTimeout(15_000)
})

afterEach(() => context.close())

const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
const path = () => new URL(page.url()).pathname

async function signIn(to: string): Promise<void> {
  await page.goto(server.url + to)
  await page.getByLabel('Email').fill(owner.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(owner.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('navigation', { name: 'Menu' }).waitFor()
}

/** Opens a page as one who signed in before: signing in by the form each time would meet its limit. */
async function visit(to: string): Promise<void> {
  const user = await client.call(readSession, {})
  await context.addInitScript(
    ([kept, token]) => {
      if (localStorage.getItem('visited')) return
      localStorage.setItem('visited', 'yes')
      localStorage.setItem('floorcast.user', kept)
      localStorage.setItem('floorcast.token', token)
    },
    [JSON.stringify(user), client.token] as const,
  )
  await page.goto(server.url + to)
  await page.getByRole('navigation', { name: 'Menu' }).waitFor()
}

describe('the door', () => {
  it('weighs at most 150 kB of script, and complains of nothing', async () => {
    const complaints = collectComplaints(page)
    let bytes = 0
    page.on('response', response => {
      if (response.request().resourceType() === 'script')
        bytes += Number(response.headers()['content-length'])
    })
    await page.goto(server.url)
    await heading('Sign in to Floorcast')
    await page.waitForLoadState('networkidle')
    expect(bytes).toBeGreaterThan(50_000)
    expect(bytes).toBeLessThan(mostScriptBytes)
    expect(complaints).toEqual([])
  })

  it('says a wrong password in the form and in a toast, and keeps what was typed', async () => {
    await page.goto(`${server.url}/login`)
    await page.getByLabel('Email').fill(owner.email)
    await page.getByRole('textbox', { name: 'Password' }).fill('not the password')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('form').getByText('Wrong login or password').waitFor()
    await page.getByText('Wrong login or password').nth(1).waitFor()
    expect(await page.getByLabel('Email').inputValue()).toBe(owner.email)
  })

  it('shows the rules of registering at the fields', async () => {
    await page.goto(`${server.url}/login`)
    await page.getByRole('tab', { name: 'Register' }).click()
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('Agree to the terms to go on').waitFor()
    expect(await page.getByText('Cannot be empty').count()).toBe(3)
  })

  it('leads back to the page that was asked for, and never to another site', async () => {
    await signIn(`/equipments/devicesOne/${deviceUid}`)
    await heading('Device')
    expect(path()).toBe(`/equipments/devicesOne/${deviceUid}`)
    await page.goto(`${server.url}/login?from=//evil.example`)
    await heading('Overview')
    expect(new URL(page.url()).origin).toBe(server.url)
  })
})

describe('the session', () => {
  it('locks: the token goes, the user stays, the password opens again', async () => {
    await signIn('/equipments/groups')
    await heading('Groups')
    await page.getByRole('button', { name: /profile and sign-out/ }).click()
    await page.getByRole('menuitem', { name: 'Lock screen' }).click()
    await heading('Screen locked')
    expect(
      await page.evaluate(() => [
        localStorage.getItem('floorcast.token'),
        localStorage.getItem('floorcast.user') !== null,
      ]),
    ).toEqual([null, true])
    await page.getByRole('textbox', { name: 'Password' }).fill(owner.password)
    await page.getByRole('button', { name: 'Unlock' }).click()
    await heading('Groups')
  })

  it('that the server ended leads to /login, says so, and comes back', async () => {
    await signIn('/equipments/devices')
    const token = await page.evaluate(() => localStorage.getItem('floorcast.token'))
    await fetch(server.url + endSession.path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    await page.getByRole('link', { name: 'Groups', exact: true }).click()
    await page.getByText('Session expired').waitFor()
    await heading('Sign in to Floorcast')
    expect(await page.evaluate(() => localStorage.getItem('floorcast.user'))).toBeNull()
  })

  it('ends in every tab at once', async () => {
    await signIn('/home/overview')
    const other = await context.newPage()
    await other.goto(`${server.url}/equipments/devices`)
    await other.getByText('Bakery Lane 4').waitFor()
    await page.getByRole('button', { name: /profile and sign-out/ }).click()
    await page.getByRole('menuitem', { name: 'Log out' }).click()
    await other.getByRole('heading', { level: 1, name: 'Sign in to Floorcast' }).waitFor()
  })
})

describe('a list', () => {
  it('is searched by "/", walked by arrows, opened by Enter; the address holds it all', async () => {
    await visit('/equipments/devices')
    await page.getByText('Bakery Lane 4').waitFor()
    await page.keyboard.press('/')
    await page.keyboard.type('central')
    await page.getByText('Bakery Lane 4').waitFor({ state: 'hidden' })
    expect(new URL(page.url()).searchParams.get('search')).toBe('central')
    await page.reload()
    await page.getByText('Central Station').waitFor()
    expect(await page.getByRole('searchbox').inputValue()).toBe('central')
    await page.getByRole('searchbox').fill('')
    await page.getByText('Bakery Lane 4').waitFor()
    await page.getByRole('row', { name: /Bakery/ }).focus()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 2, name: 'Central Station' }).waitFor()
    await page.goBack()
    await page.getByText('Bakery Lane 4').waitFor()
  })

  it('finds nothing, and says how to see everything again', async () => {
    await visit('/equipments/devices?search=nowhere')
    await page.getByText('Nothing found').waitFor()
    await page.getByRole('button', { name: 'Clear search and filters' }).click()
    await page.getByText('Bakery Lane 4').waitFor()
  })

  it('remembers the chosen columns', async () => {
    await visit('/equipments/devices')
    await page.getByRole('columnheader', { name: 'Playlist' }).waitFor()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'Playlist' }).uncheck()
    await page.reload()
    await page.getByText('Bakery Lane 4').waitFor()
    expect(await page.getByRole('columnheader', { name: 'Playlist' }).count()).toBe(0)
  })

  it('changes by itself when someone else changes a device', async () => {
    await visit('/equipments/devices')
    await page.getByText('Central Station').waitFor()
    await client.call(editDevice, { body: { uid: deviceUid, name: 'Bakery Lane 4a' } })
    await page.getByText('Bakery Lane 4a').waitFor()
    await client.call(editDevice, { body: { uid: deviceUid, name: 'Bakery Lane 4' } })
    await page.getByText('Bakery Lane 4', { exact: true }).waitFor()
  })
})

describe('the shell', () => {
  it('finds a page, and any device, by Ctrl K', async () => {
    await visit('/home/overview')
    await page.keyboard.press('Control+k')
    await page.keyboard.type('bakery')
    await page.getByRole('option', { name: /Bakery Lane 4/ }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 2, name: 'Bakery Lane 4' }).waitFor()
  })

  it('asks before unsaved changes are left behind', async () => {
    await visit(`/equipments/devicesOne/${deviceUid}`)
    await page.getByRole('button', { name: 'Edit' }).click()
    await page.getByLabel('Name').fill('Bakery, moved')
    await page.keyboard.press('Escape')
    await page
      .getByRole('dialog', { name: 'Leave without saving?' })
      .getByRole('button', { name: 'Cancel' })
      .click()
    expect(await page.getByLabel('Name').inputValue()).toBe('Bakery, moved')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Leave without saving' }).click()
    await page.getByLabel('Name').waitFor({ state: 'hidden' })
  })

  it('keeps language, direction, colour and mode for the next visit', async () => {
    await visit('/home/overview')
    await page.getByRole('button', { name: 'Settings' }).click()
    await page.getByText('Dark', { exact: true }).click()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /Language/ }).click()
    await page.getByRole('menuitem', { name: 'العربية' }).click()
    await heading('نظرة عامة')
    await page.reload()
    await heading('نظرة عامة')
    expect(
      await page.evaluate(() => [
        document.documentElement.dir,
        document.documentElement.lang,
        document.documentElement.dataset['mantineColorScheme'],
      ]),
    ).toEqual(['rtl', 'ar', 'dark'])
  })

  it('says that the browser is offline, and goes on when it is back', async () => {
    await visit('/equipments/groups')
    await context.setOffline(true)
    await page.getByText('You are offline').waitFor()
    await context.setOffline(false)
    await page.getByText('You are offline').waitFor({ state: 'hidden' })
  })

  it('answers an unknown address, and an unknown thing, with words', async () => {
    await visit('/home/overview')
    await page.goto(`${server.url}/no/such/page`)
    await heading('The requested page was not found')
    await page.goto(`${server.url}/equipments/groupsOne/01900000-0000-7000-8000-000000000000`)
    await page.getByText('This no longer exists, or never did').waitFor()
  })
})
