import { authenticate, endSession, readSession, register } from '@floorcast/contract/auth.ts'
import { type Client, makeClient } from '@floorcast/contract/client.ts'
import { inviteUser } from '@floorcast/contract/users.ts'
import { collectComplaints } from '@floorcast/testing/browser.ts'
import { describe, expect, it } from 'vitest'
import { testConsole } from './console-under-test.ts'

/** The limit of the first view of /login over the network, in bytes. */
const maxScriptBytes = 150_000

const shop = testConsole()

describe('authentication', () => {
  it('weighs at most 150 kB of script, and complains of nothing', async () => {
    const complaints = collectComplaints(shop.page)
    let bytes = 0
    shop.page.on('response', response => {
      if (response.request().resourceType() === 'script')
        bytes += Number(response.headers()['content-length'])
    })
    await shop.page.goto(shop.url)
    await shop.heading('Sign in to Floorcast')
    await shop.page.waitForLoadState('networkidle')
    expect(bytes).toBeGreaterThan(50_000)
    expect(bytes).toBeLessThan(maxScriptBytes)
    expect(complaints).toEqual([])
  })

  it('says a wrong password in the form and in a toast, and keeps what was typed', async () => {
    await shop.page.goto(`${shop.url}/login`)
    await shop.page.getByLabel('Email').fill(shop.owner.email)
    await shop.page.getByRole('textbox', { name: 'Password' }).fill('not the password')
    await shop.page.getByRole('button', { name: 'Sign in' }).click()
    await shop.page.locator('form').getByText('Wrong email or password').waitFor()
    await shop.page.getByText('Wrong email or password').nth(1).waitFor()
    expect(await shop.page.getByLabel('Email').inputValue()).toBe(shop.owner.email)
  })

  it('sends what the fields hold, also where a password manager has filled them without an event', async () => {
    await shop.page.goto(shop.url)
    await shop.heading('Sign in to Floorcast')
    await shop.page.evaluate(({ email, password }) => {
      const [first, second] = document.querySelectorAll<HTMLInputElement>('form input')
      if (first) first.value = email
      if (second) second.value = password
    }, shop.owner)
    await shop.page.getByRole('button', { name: 'Sign in', exact: true }).hover()
    // What comes while the button is down draws the form again.
    const schemas = shop.page.waitForResponse(response => response.url().includes('/auth-data-'))
    await shop.page.mouse.down()
    const url = JSON.stringify((await schemas).url())
    // A text: the runner would rewrite the import in a function.
    await shop.page.evaluate(
      `import(${url}).then(() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn))))`,
    )
    await shop.page.mouse.up()
    await shop.heading('Overview')
  })

  it('says that the server does not answer, and stays', async () => {
    await shop.page.goto(`${shop.url}/login`)
    await shop.page.getByLabel('Email').fill(shop.owner.email)
    await shop.page.getByRole('textbox', { name: 'Password' }).fill(shop.owner.password)
    await shop.page.waitForLoadState('networkidle')
    await shop.page.route('**', route => route.abort('connectionrefused'))
    await shop.page.getByRole('button', { name: 'Sign in' }).click()
    await shop.page.locator('form').getByText('The server does not answer').waitFor()
    await shop.page.getByText('Fatal error').waitFor()
    await shop.page.unroute('**')
    await shop.page.getByRole('button', { name: 'Sign in' }).click()
    await shop.heading('Overview')
  })

  it('shows the rules of registering at the fields', async () => {
    await shop.page.goto(`${shop.url}/login`)
    await shop.page.getByRole('tab', { name: 'Register' }).click()
    await shop.page.getByRole('button', { name: 'Create account' }).click()
    await shop.page.getByText('Accept the terms to continue').waitFor()
    expect(await shop.page.getByText('Cannot be empty').count()).toBe(3)
  })

  it('says at the field that an email is taken, and loses nothing', async () => {
    await shop.page.goto(`${shop.url}/login`)
    await shop.page.getByRole('tab', { name: 'Register' }).click()
    await shop.page.getByLabel('Full name').fill('Olga Again')
    await shop.page.getByLabel('Email').fill(shop.owner.email)
    await shop.page.getByRole('textbox', { name: 'Password' }).fill('a long password')
    await shop.page.getByLabel('I agree').check()
    await shop.page.getByRole('button', { name: 'Create account' }).click()
    await shop.page.locator('form').getByText('There is already an account with this email').waitFor()
    expect(await shop.page.getByLabel('Full name').inputValue()).toBe('Olga Again')
  })

  it('leads back to the page that was asked for, and never to another site', async () => {
    await shop.signIn(`/equipments/devicesOne/${shop.deviceUid}`)
    await shop.heading('Bakery Lane 4')
    expect(new URL(shop.page.url()).pathname).toBe(`/equipments/devicesOne/${shop.deviceUid}`)
    await shop.page.goto(`${shop.url}/login?from=//evil.example`)
    await shop.heading('Overview')
    expect(new URL(shop.page.url()).origin).toBe(shop.url)
  })
})

describe('a one-time link', () => {
  const invite = async (email: string) => {
    const made = await shop.client.call(inviteUser, { body: { email, role: 'manager' } })
    return shop.url + new URL(made.link ?? '').pathname + new URL(made.link ?? '').hash
  }
  const setPassword = async (password: string) => {
    await shop.page.getByRole('textbox', { name: 'Password' }).fill(password)
    await shop.page.getByRole('button', { name: 'Set and sign in' }).click()
  }

  it('sets the password by the rules at the field, signs in, and works once', async () => {
    const link = await invite('mona@example.com')
    await shop.page.goto(link)
    await shop.heading('Set your password')
    await setPassword('short')
    await shop.page.getByText('At least 10 characters').waitFor()
    await setPassword('a password of my own')
    await shop.heading('Overview')
    expect(shop.page.url()).not.toContain('invite')
    expect(await shop.page.evaluate(() => localStorage.getItem('floorcast.user'))).toContain(
      'mona@example.com',
    )
    await shop.page.goto('about:blank')
    await shop.page.goto(link)
    await setPassword('a password of another')
    await shop.page.locator('form').getByText('This link has expired or was used').waitFor()
  })

  it('opened by someone who is signed in, changes whose session it is only when it is used', async () => {
    const link = await invite('nadia@example.com')
    await shop.visit('/home/overview')
    await shop.page.goto('about:blank')
    await shop.page.goto(link)
    await shop.heading('Set your password')
    expect(await shop.page.evaluate(() => localStorage.getItem('floorcast.user'))).toContain(shop.owner.email)
    await setPassword('a password of my own')
    await shop.heading('Overview')
    expect(await shop.page.evaluate(() => localStorage.getItem('floorcast.user'))).toContain(
      'nadia@example.com',
    )
  })
})

describe('the profile', () => {
  const signInWith = async (userAgent: string) => {
    const answer = await fetch(shop.url + authenticate.path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': userAgent },
      body: JSON.stringify({ email: shop.owner.email, password: shop.owner.password }),
    })
    const { data } = (await answer.json()) as { data: { token: string } }
    return makeClient({ base: shop.url, token: () => data.token })
  }
  const isSignedIn = (call: Client) => call(readSession, {}).then(Boolean, () => false)

  it('lists the sessions of the user, ends one of them, and then all others', async () => {
    const phone = await signInWith('Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0')
    const tablet = await signInWith('Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) Version/18.0 Safari/604.1')
    await shop.visit('/pages/profile')
    const panel = shop.page.getByRole('region', { name: 'Active sessions' })
    const own = panel.getByRole('listitem').filter({ hasText: 'This session' })
    await own.getByText('127.0.0.1').waitFor()
    await panel.getByRole('button', { name: 'Sign out: Firefox on Android' }).click()
    await shop.page.getByText('Session ended', { exact: true }).waitFor()
    await panel.getByText('Firefox on Android').waitFor({ state: 'detached' })
    expect([await isSignedIn(phone), await isSignedIn(tablet)]).toEqual([false, true])
    await panel.getByRole('button', { name: 'Sign out all others' }).click()
    await panel.getByText('Safari on iOS').waitFor({ state: 'detached' })
    expect(await panel.getByRole('listitem').count()).toBe(1)
    expect([await isSignedIn(tablet), await isSignedIn(shop.client.call)]).toEqual([false, true])
  })
})

describe('the session', () => {
  it('locks: the token goes, the user stays, the password opens again', async () => {
    await shop.signIn('/equipments/groups')
    await shop.heading('Groups')
    await shop.page.getByRole('button', { name: /profile and sign-out/ }).click()
    await shop.page.getByRole('menuitem', { name: 'Lock screen' }).click()
    await shop.heading('Screen locked')
    expect(
      await shop.page.evaluate(() => [
        localStorage.getItem('floorcast.token'),
        localStorage.getItem('floorcast.user') !== null,
      ]),
    ).toEqual([null, true])
    await shop.page.getByRole('textbox', { name: 'Password' }).fill(shop.owner.password)
    await shop.page.getByRole('button', { name: 'Unlock' }).click()
    await shop.heading('Groups')
  })

  it('that the server ended leads to /login, says so, and comes back', async () => {
    await shop.signIn('/equipments/devices')
    const token = await shop.page.evaluate(() => localStorage.getItem('floorcast.token'))
    await fetch(shop.url + endSession.path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    await shop.page.getByRole('link', { name: 'Groups', exact: true }).click()
    await shop.page.getByText('Session expired').waitFor()
    await shop.heading('Sign in to Floorcast')
    expect(await shop.page.evaluate(() => localStorage.getItem('floorcast.user'))).toBeNull()
    await shop.page.reload()
    await shop.page.getByRole('status').getByText('Your session ended. Sign in to continue.').waitFor()
  })

  it('that ends in the middle of a form loses nothing that was typed', async () => {
    await shop.signIn('/equipments/groups')
    await shop.page.getByRole('button', { name: 'Add a group' }).click()
    await shop.page.getByLabel('Name').fill('Shops by the sea')
    const token = await shop.page.evaluate(() => localStorage.getItem('floorcast.token'))
    await fetch(shop.url + endSession.path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    await shop.page.getByRole('button', { name: 'Save' }).click()
    const again = shop.page.getByRole('dialog', { name: 'Sign in again' })
    await again.getByText('Your session ended. Sign in to continue.').waitFor()
    expect(await shop.page.evaluate(() => localStorage.getItem('floorcast.user'))).toBeNull()
    await shop.page.keyboard.press('Escape')
    await again.getByRole('textbox', { name: 'Password' }).fill(shop.owner.password)
    await again.getByRole('button', { name: 'Sign in', exact: true }).click()
    await again.waitFor({ state: 'hidden' })
    expect(await shop.page.getByLabel('Name').inputValue()).toBe('Shops by the sea')
    await shop.page.getByRole('button', { name: 'Save' }).click()
    await shop.heading('Shops by the sea')
  })

  it('that ends in the middle of a form shows nothing of it to the next user', async () => {
    await shop.signIn('/equipments/groups')
    await shop.page.getByRole('row', { name: /Food shops/ }).waitFor()
    await shop.page.getByRole('button', { name: 'Add a group' }).click()
    await shop.page.getByLabel('Name').fill('Shops by the sea')
    const token = await shop.page.evaluate(() => localStorage.getItem('floorcast.token'))
    await fetch(shop.url + endSession.path, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
    })
    await shop.page.getByRole('button', { name: 'Save' }).click()
    await shop.page.getByRole('dialog', { name: 'Sign in again' }).waitFor()
    const other = await makeClient({ base: shop.url, token: () => null })(register, {
      body: {
        fullName: 'Otto Other',
        email: 'otto@example.com',
        password: 'not the password of the owner',
        terms: true,
      },
    })
    // As another tab of the browser does.
    await shop.page.evaluate(signedIn => {
      const { token: secret, ...user } = signedIn
      localStorage.setItem('floorcast.user', JSON.stringify(user))
      localStorage.setItem('floorcast.token', secret)
      dispatchEvent(new StorageEvent('storage', { key: 'floorcast.token' }))
    }, other)
    await shop.heading('Overview')
    expect(await shop.page.getByRole('dialog').count()).toBe(0)
    await shop.page.getByRole('link', { name: 'Groups', exact: true }).click()
    await shop.heading('Groups')
    await shop.page.getByText('No groups yet').waitFor()
    expect(await shop.page.getByText('Food shops').count()).toBe(0)
  })

  it('ends in every tab at once', async () => {
    await shop.signIn('/home/overview')
    const other = await shop.context.newPage()
    await other.goto(`${shop.url}/equipments/devices`)
    await other.getByText('Bakery Lane 4').waitFor()
    await shop.page.getByRole('button', { name: /profile and sign-out/ }).click()
    await shop.page.getByRole('menuitem', { name: 'Log out' }).click()
    await other.getByRole('heading', { level: 1, name: 'Sign in to Floorcast' }).waitFor()
  })
})

describe('a role', () => {
  it('that a page needs is named, and the way on is offered', async () => {
    await using _manager = await shop.page.addInitScript(() => {
      const kept: unknown = JSON.parse(localStorage.getItem('floorcast.user') ?? 'null')
      if (kept) localStorage.setItem('floorcast.user', JSON.stringify({ ...Object(kept), role: 'manager' }))
    })
    await shop.visit('/home/overview')
    await shop.page.goto(`${shop.url}/security/playTrack/${shop.deviceUid}`)
    await shop.heading('You don’t have access')
    await shop.page.getByText('Ask an admin for the role: Admin.').waitFor()
    await shop.page.getByRole('link', { name: 'Go to my start page' }).click()
    await shop.heading('Overview')
  })
})
