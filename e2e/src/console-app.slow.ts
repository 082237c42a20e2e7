import { listDevices, readDevice } from '@floorcast/contract/devices.ts'
import { expect, it } from 'vitest'
import { ConsolePage } from './console-page.ts'
import { testConsole } from './console-under-test.ts'
import { findAxeViolations } from './page-checks.ts'
import { waitUntilStored, whileAway } from './stored-console.ts'

/* The console as an app: it is installed, and starts while the server is away. */

const shop = testConsole({ hasServiceWorker: true, hasOwnServer: true })
const main = () => shop.page.getByRole('main')
const asOf = () => shop.page.getByText(/^As of \d\d:\d\d, the server cannot be reached$/)

/** The texts of the answers that this browser keeps. */
async function readAnswers(): Promise<string[]> {
  // Opened before the console has, the database would stay empty.
  const names = await shop.page.evaluate(async () => (await indexedDB.databases()).map(({ name }) => name))
  if (!names.includes('floorcast-answers')) return []
  return shop.page.evaluate(
    () =>
      new Promise<string[]>((resolve, reject) => {
        const opening = indexedDB.open('floorcast-answers')
        opening.addEventListener('error', () => reject(new Error('not opened')))
        opening.addEventListener('success', () => {
          const reading = opening.result.transaction('answers').objectStore('answers').getAll()
          reading.addEventListener('success', () => {
            opening.result.close()
            resolve(reading.result as string[])
          })
        })
      }),
  )
}

const countAnswers = async () => (await readAnswers()).length

/** Whether a text is among the answers that this browser keeps. */
const knows = (part: string) => async () => (await readAnswers()).some(text => text.includes(part))

it('the installed console can be installed', async () => {
  await shop.page.goto(`${shop.url}/login`)
  const devtools = await shop.context.newCDPSession(shop.page)
  const { errors, data } = await devtools.send('Page.getAppManifest')
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
  await devtools.detach()
  expect(errors).toEqual([])
  // The contexts of tests are private windows.
  expect(installabilityErrors.filter(({ errorId }) => errorId !== 'in-incognito')).toEqual([])
  const manifest = JSON.parse(data ?? '') as { start_url: string; icons: { src: string; sizes: string }[] }
  expect(manifest).toMatchObject({
    start_url: '/home',
    scope: '/',
    display: 'standalone',
    name: 'Floorcast',
  })
  const links = shop.page.locator('link[rel=apple-touch-icon], link[rel=icon]')
  const addresses = await links.evaluateAll(all => all.map(link => link.getAttribute('href') ?? ''))
  for (const address of [...addresses, ...manifest.icons.map(({ src }) => src)]) {
    const answer = await shop.page.request.get(shop.url + address)
    expect([answer.status(), answer.headers()['content-type']], address).toEqual([
      200,
      expect.stringMatching(/^image\/(?:png|svg\+xml)/),
    ])
  }
})

it('the installed console offers it in the menu of the user while the browser does', async () => {
  await shop.visit('/home/overview')
  const openMenu = () => shop.page.getByRole('button', { name: /profile and sign-out$/ }).click()
  const entry = shop.page.getByRole('menuitem', { name: 'Install the app' })
  await openMenu()
  await shop.page.getByRole('menuitem', { name: 'Log out' }).waitFor()
  expect(await entry.count()).toBe(0)
  await shop.page.keyboard.press('Escape')
  await shop.page.evaluate(() => {
    const offer = new Event('beforeinstallprompt', { cancelable: true })
    dispatchEvent(Object.assign(offer, { prompt: async () => void (document.title = 'Asked') }))
  })
  await openMenu()
  await entry.click()
  await expect.poll(() => shop.page.title()).toBe('Asked')
  await openMenu()
  await shop.page.getByRole('menuitem', { name: 'Log out' }).waitFor()
  expect(await entry.count()).toBe(0)
})

it('the installed console has a title bar in the colour that the user has chosen', async () => {
  const colors = () =>
    shop.page
      .locator('meta[name=theme-color]')
      .evaluateAll(all => all.map(meta => meta.getAttribute('content')))
  await shop.page.goto(`${shop.url}/login`)
  await shop.heading('Sign in to Floorcast')
  expect(await colors()).toEqual(['#f5f6f8', '#f5f6f8'])
  await shop.page.evaluate(() => localStorage.setItem('floorcast.personalization', '{"mode":"dark"}'))
  await shop.page.reload()
  await shop.heading('Sign in to Floorcast')
  expect(await colors()).toEqual(['#0f1319', '#0f1319'])
})

it('while the server is away a reload shows what was seen lately and as of when, and heals when the server is back', async () => {
  const shots = new ConsolePage(shop.page, 'app')
  await shop.visit('/equipments/devices')
  await expect.poll(knows('Bakery Lane 4')).toBe(true)
  await shop.visit(`/equipments/devicesOne/${shop.deviceUid}`)
  await shop.heading('Bakery Lane 4')
  await expect.poll(knows('"licenseKey":null')).toBe(true)
  await shop.visit('/home/overview')
  await main().getByText('Active publications').first().waitFor()
  await waitUntilStored(shop)
  await expect.poll(knows('databaseSizeBytes')).toBe(true)
  const { licenseKey } = await shop.client.call(readDevice, { params: { id: shop.deviceUid } })
  const secrets = await Promise.all([licenseKey ?? '', shop.client.token].map(secret => knows(secret)()))
  expect(secrets).toEqual([false, false])
  await whileAway(shop, async () => {
    await shop.page.reload()
    await asOf().waitFor()
    await main().getByText('Active publications').first().waitFor()
    await shots.screenshot('overview offline')
    expect(await findAxeViolations(shop.page)).toEqual([])
    await shop.page.goto(`${shop.url}/equipments/devices`)
    await main().getByText('Bakery Lane 4').waitFor()
    await asOf().waitFor()
    await shots.screenshot('list offline')
    await main().getByRole('link', { name: 'Bakery Lane 4' }).click()
    await shop.heading('Bakery Lane 4')
    await asOf().waitFor()
    await shop.page.goto(`${shop.url}/equipments/groups`)
    await main().getByText('this browser has not seen this lately').waitFor()
    await shop.page.getByText('The server does not answer').first().waitFor()
    expect(await asOf().count()).toBe(0)
    await shots.screenshot('never seen')
  })
  await main().getByText('Food shops').waitFor()
  await shop.page.getByText('The server does not answer').first().waitFor({ state: 'hidden' })
})

it('while the server is away nothing is saved, and the form says why', async () => {
  await shop.visit('/equipments/devices')
  await main().getByText('Bakery Lane 4').waitFor()
  await waitUntilStored(shop)
  await expect.poll(countAnswers).toBeGreaterThan(1)
  await whileAway(shop, async () => {
    await shop.page.reload()
    await main().getByText('Bakery Lane 4').waitFor()
    await shop.page.getByRole('button', { name: 'Add a device' }).click()
    const form = shop.page.getByRole('dialog')
    await form.getByLabel('Name').fill('Pier 7')
    await form.getByRole('button', { name: 'Save' }).click()
    await form
      .getByRole('alert')
      .getByText(/The server does not answer/)
      .waitFor()
  })
  expect((await shop.client.call(listDevices, { query: { search: 'Pier' } })).total).toBe(0)
})

it.each(['Log out', 'Lock screen'])(
  'while the server is away nothing is left to read after "%s"',
  async item => {
    // A session of the test's own: this one ends.
    await shop.signIn('/equipments/devices')
    await main().getByText('Bakery Lane 4').waitFor()
    await expect.poll(countAnswers).toBeGreaterThan(1)
    await shop.page.getByRole('button', { name: /profile and sign-out$/ }).click()
    await shop.page.getByRole('menuitem', { name: item }).click()
    await shop.page.waitForURL(item === 'Log out' ? '**/login' : '**/lock**')
    await expect.poll(countAnswers).toBe(0)
  },
)

it('while the server is away another user sees nothing of it', async () => {
  await shop.visit('/equipments/groups')
  await expect.poll(knows('Food shops')).toBe(true)
  await shop.page.goto(`${shop.url}/config.json`)
  await shop.page.evaluate(() => {
    const user = JSON.parse(localStorage.getItem('floorcast.user') ?? '{}') as object
    localStorage.setItem('floorcast.user', JSON.stringify({ ...user, uid: 'another' }))
  })
  await shop.page.goto(`${shop.url}/equipments/devices`)
  await expect.poll(knows('Bakery Lane 4')).toBe(true)
  expect(await knows('Food shops')()).toBe(false)
})

it('a new version leaves the files of the former one until no page of it is open', async () => {
  const former = '/assets/index-former.js'
  const names = () => shop.page.evaluate(() => caches.keys())
  await shop.visit('/equipments/groups')
  await main().getByText('Food shops').waitFor()
  const old = await shop.context.newPage()
  await old.goto(`${shop.url}/config.json`)
  await old.evaluate(async name => {
    await (await caches.open(name)).put('/index.html', new Response('former'))
    void navigator.locks.request(name, { mode: 'shared' }, () => new Promise(() => undefined))
  }, `floorcast-shell ${former}`)
  await waitUntilStored(shop)
  expect(await names()).toContain(`floorcast-shell ${former}`)
  expect(await shop.page.evaluate(async () => (await caches.match('/index.html'))?.text())).not.toBe('former')
  await old.close()
  await shop.page.reload()
  await main().getByText('Food shops').waitFor()
  await expect.poll(names, { timeout: 30_000 }).toEqual([expect.not.stringContaining(former)])
})
