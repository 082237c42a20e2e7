import { randomUUID } from 'node:crypto'
import { makeClient } from '@floorcast/contract/client.ts'
import { ConsoleSettings } from '@floorcast/contract/console-settings.ts'
import { openDeviceSession, sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { readDevice } from '@floorcast/contract/devices.ts'
import { release } from '@floorcast/contract/release.ts'
import { collectComplaints } from '@floorcast/testing/browser.ts'
import type { Locator } from 'playwright-core'
import { expect, it } from 'vitest'
import { testConsole } from './console-under-test.ts'

/**
 * A browser treats localhost and 127.0.0.1 as two origins: one server is both the console's host and that of the
 * logs.
 */
const logsUrl = (port: number) => `http://localhost:${port}`

const shop = testConsole({
  settings: port => ({
    LOGS_URL: logsUrl(port),
    MANUAL_URL: 'https://docs.shop.example/',
    TERMS_URL: 'https://shop.example/terms',
    SUPPORT_EMAIL: 'help@shop.example',
    SUPPORT_BOT: 'https://t.me/shop_bot',
  }),
})

const addressOf = (link: Locator) => link.getAttribute('href')

async function openSettings(): Promise<Locator> {
  await shop.visit('/home/overview')
  await shop.page.getByRole('button', { name: 'Settings' }).click()
  const panel = shop.page.getByRole('dialog', { name: 'Settings' })
  await panel.getByText('Help', { exact: true }).waitFor()
  return panel
}

/** A line in the device's heartbeat log. */
async function reportOnce(): Promise<void> {
  const { licenseKey } = await shop.client.call(readDevice, { params: { id: shop.deviceUid } })
  const body = {
    licenseKey: licenseKey ?? '',
    boxId: randomUUID(),
    model: 'test box',
    version: release.version,
  }
  const { token } = await makeClient({ base: shop.url, token: () => null })(openDeviceSession, { body })
  const device = makeClient({ base: shop.url, token: () => token })
  await device(sendHeartbeat, {
    body: {
      sentAt: new Date().toISOString(),
      bootId: randomUUID(),
      programVersion: release.version,
      temperatureCelsius: 41.5,
      memorySizeBytes: null,
      freeMemoryBytes: null,
      ipAddress: null,
      macAddress: null,
      volume: 63,
      nowPlaying: null,
      manifestEtag: null,
      held: [],
      quarantined: [],
    },
  })
}

/** The check for each field of `/config.json` that the console uses it. */
const obeyed: Record<keyof ConsoleSettings, () => Promise<void>> = {
  async version() {
    await shop.page.goto(`${shop.url}/login`)
    await shop.page.getByRole('contentinfo').getByText(release.version).waitFor()
  },
  async commit() {
    await shop.page.goto(`${shop.url}/login`)
    await shop.page
      .getByRole('contentinfo')
      .getByText(/\d · [0-9a-f]{8}$/)
      .waitFor()
  },
  async apiBase() {
    // For another address: console-api-base.slow.ts.
    const called = shop.page.waitForRequest(/\/device\/qlist/)
    await shop.visit('/equipments/devices')
    expect(new URL((await called).url()).origin).toBe(shop.url)
  },
  async logsBase() {
    await reportOnce()
    const complaints = collectComplaints(shop.page)
    const hosts = { logs: new Set<string>(), others: new Set<string>() }
    shop.page.on('request', request => {
      const { origin, pathname } = new URL(request.url())
      hosts[pathname.startsWith('/device/logs/') ? 'logs' : 'others'].add(origin)
    })
    const answered = shop.page.waitForResponse(response => response.url().includes('/device/logs/'))
    await shop.visit(`/security/heartBeat/${shop.deviceUid}`)
    await shop.page.getByRole('row').getByText('63').waitFor()
    const answer = await answered
    const { authorization } = await answer.request().allHeaders()
    expect([answer.status(), authorization]).toEqual([200, `Bearer ${shop.client.token}`])
    expect([...hosts.logs]).toEqual([logsUrl(Number(new URL(shop.url).port))])
    expect([...hosts.others]).toEqual([shop.url])
    expect(complaints).toEqual([])
  },
  async manualBase() {
    await shop.page.goto(`${shop.url}/login`)
    const help = shop.page.getByRole('contentinfo').getByRole('link')
    // The settings come beside the page.
    await expect.poll(() => addressOf(help)).toBe('https://docs.shop.example/en/start')
    const panel = await openSettings()
    const documentation = panel.getByRole('link', { name: 'Documentation' })
    expect(await addressOf(documentation)).toBe('https://docs.shop.example/en/')
    await shop.page.keyboard.press('Escape')
    await shop.page.getByRole('button', { name: /Language/ }).click()
    await shop.page.getByRole('menuitem', { name: 'العربية' }).click()
    await shop.page.getByRole('button', { name: 'الإعدادات' }).click()
    await shop.page.getByRole('link', { name: 'دليل الاستخدام' }).waitFor()
    expect(await addressOf(shop.page.getByRole('link', { name: 'دليل الاستخدام' }))).toBe(
      'https://docs.shop.example/ar/',
    )
  },
  async termsUrl() {
    await shop.page.goto(`${shop.url}/login`)
    await shop.page.getByRole('tab', { name: 'Register' }).click()
    const terms = shop.page.getByRole('link', { name: 'Read the terms of use' })
    expect(await addressOf(terms)).toBe('https://shop.example/terms')
  },
  async supportEmail() {
    const panel = await openSettings()
    expect(await addressOf(panel.getByRole('link', { name: 'help@shop.example' }))).toBe(
      'mailto:help@shop.example',
    )
  },
  async supportBot() {
    const panel = await openSettings()
    expect(await addressOf(panel.getByRole('link', { name: 'Support bot' }))).toBe('https://t.me/shop_bot')
  },
  async registration() {
    await shop.page.goto(`${shop.url}/login`)
    await shop.page.getByRole('tab', { name: 'Register' }).waitFor()
  },
  async sendsMail() {
    // For a mail server: console-mail.slow.ts.
    await shop.page.goto(`${shop.url}/login`)
    await shop.page.getByRole('button', { name: 'Sign in' }).waitFor()
    expect(await shop.page.getByRole('button', { name: 'Forgot password?' }).count()).toBe(0)
  },
}

it.each(Object.keys(ConsoleSettings.shape) as (keyof ConsoleSettings)[])(
  'what /config.json tells the console %s is obeyed',
  name => obeyed[name](),
)

it('what /config.json tells the console promises nothing else: its own manual, no contacts, no registering, and the logs of its own host', async () => {
  await shop.killServer()
  await shop.startServer({ REGISTRATION: 'closed' })
  await shop.page.goto(`${shop.url}/login`)
  await shop.page.getByRole('contentinfo').getByText(/^\d/).waitFor()
  const help = shop.page.getByRole('contentinfo').getByRole('link')
  expect(await addressOf(help)).toBe('/manual/en/start')
  expect((await fetch(`${shop.url}/manual/en/start`)).status).toBe(200)
  expect(await shop.page.getByRole('tab').count()).toBe(0)
  const panel = await openSettings()
  expect(await addressOf(panel.getByRole('link'))).toBe('/manual/en/')
  const answered = shop.page.waitForResponse(response => response.url().includes('/device/logs/'))
  await shop.page.goto(`${shop.url}/security/heartBeat/${shop.deviceUid}`)
  expect(new URL((await answered).url()).origin).toBe(shop.url)
})
