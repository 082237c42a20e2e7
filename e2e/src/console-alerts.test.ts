import { randomUUID } from 'node:crypto'
import { beginAlert, endAlert, listAlerts } from '@floorcast/contract/alerts.ts'
import { makeClient } from '@floorcast/contract/client.ts'
import { openDeviceSession, sendHeartbeat } from '@floorcast/contract/device-protocol.ts'
import { readDevice } from '@floorcast/contract/devices.ts'
import { release } from '@floorcast/contract/release.ts'
import { collectComplaints } from '@floorcast/testing/browser.ts'
import { makeHeartbeat, openChannel } from '@floorcast/testing/test-device.ts'
import type { Locator } from 'playwright-core'
import { beforeAll, expect, it, onTestFinished } from 'vitest'
import { inviteReader, type SignedInClient } from './client-fixture.ts'
import { testConsole } from './console-under-test.ts'

const shop = testConsole()
let reader: SignedInClient
beforeAll(async () => {
  reader = await inviteReader(shop.client)
})

/** More elements than any page of these tests takes the focus to. */
const MAX_TABS = 80

const boxId = randomUUID()

/** A player of the first device, which plays alerts and says so on its channel. */
async function connectPlayer(): Promise<void> {
  const uid = shop.deviceUid
  const { licenseKey } = await shop.client.call(readDevice, { params: { id: uid } })
  const body = {
    licenseKey: licenseKey ?? '',
    boxId,
    model: 'test box',
    version: release.version,
  }
  const { token } = await makeClient({ base: shop.url, token: () => null })(openDeviceSession, { body })
  await makeClient({ base: shop.url, token: () => token })(sendHeartbeat, { body: makeHeartbeat() })
  const channel = await openChannel(shop.url, uid, token)
  let isOver = false
  onTestFinished(() => void (isOver = true))
  const followAll = async () => {
    for (let followed = 0; !isOver;) {
      const heard = await channel.hear(followed + 1).catch(() => [])
      for (const message of heard.slice(followed)) {
        followed += 1
        if (message.type !== 'alert') continue
        const { alertUid, step } = message
        const steps = step === 'begin' ? (['received', 'started'] as const) : (['ended'] as const)
        for (const each of steps) channel.say({ type: 'receipt', alertUid, step: each, agoMs: 0 })
      }
    }
  }
  void followAll()
}

const isFocused = (element: Locator) => element.evaluate(node => node === document.activeElement)

/** Presses Tab until an element has the focus. */
async function tabTo(element: Locator): Promise<void> {
  await element.waitFor()
  for (let tabs = 0; tabs < MAX_TABS; tabs += 1) {
    if (await isFocused(element)) return
    await shop.page.keyboard.press('Tab')
  }
  throw new Error(`The focus does not come to ${String(element)}`)
}

const banner = () => shop.page.getByRole('region', { name: 'Alerts that are on' })
const dialog = (name: string) => shop.page.getByRole('dialog', { name })
const air = (uid: string) => ({ params: { uid, alerttype: 'air' as const } })

/** Chooses by keyboard: the kind, and drill or real, of the open dialog. */
async function chooseAir(purpose: 'Drill' | 'Real alert'): Promise<void> {
  const question = dialog('Begin an alert')
  await tabTo(question.getByRole('radio', { name: 'Air' }))
  await shop.page.keyboard.press('Space')
  await tabTo(question.getByRole('radio', { name: 'Drill' }))
  await shop.page.keyboard.press('Space')
  if (purpose === 'Real alert') await shop.page.keyboard.press('ArrowDown')
  await shop.page.keyboard.press('Enter')
}

it('an alert is begun and ended by keyboard alone, and its page shows the receipts as they come', async () => {
  const complaints = collectComplaints(shop.page)
  await connectPlayer()
  const { page } = shop
  await shop.visit('/home/overview')
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').waitFor()
  await page.keyboard.type('Alerts')
  await page.getByRole('option', { name: 'Alerts' }).first().waitFor()
  await page.keyboard.press('Enter')
  await shop.heading('Alerts')
  await tabTo(page.getByRole('main').getByRole('link', { name: 'Begin an alert', exact: true }))
  await page.keyboard.press('Enter')
  const question = dialog('Begin an alert')
  await tabTo(question.getByRole('radio', { name: 'All shops' }))
  await page.keyboard.press('Space')
  await page.keyboard.press('Enter')
  // Neither kind nor purpose is chosen beforehand.
  expect(await question.getByText('Choose one').count()).toBe(2)
  await chooseAir('Drill')
  await question.getByText('2 devices will sound it. Reachable now: 1.').waitFor()
  await question.getByText('1 device is not reachable now').waitFor()
  await page.keyboard.type('all shop')
  await page.keyboard.press('Enter')
  await question.getByText('Type “all shops”', { exact: true }).waitFor()
  await page.keyboard.type('s')
  await page.keyboard.press('Enter')
  await shop.heading('Drill: air alert')
  await banner().getByText('Drill: air alert · All shops').waitFor()
  await banner().getByText(`${shop.owner.email} began it`).waitFor()
  await page.getByText('Sounded on 1 of 2 devices').waitFor()
  const row = (name: string) => page.getByRole('row', { name })
  await row('Bakery Lane 4').getByText('Sounding').waitFor()
  await row('Central Station').getByText('Not reached yet').waitFor()
  await row('Central Station').getByText('Never connected').waitFor()
  await tabTo(page.getByRole('main').getByRole('button', { name: 'End the alert' }))
  await page.keyboard.press('Enter')
  const end = dialog('End: Drill: air alert?')
  await expect.poll(() => isFocused(end.getByRole('button', { name: 'Keep it on' }))).toBe(true)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await banner().waitFor({ state: 'hidden' })
  await row('Bakery Lane 4').getByText('Ended', { exact: true }).waitFor()
  await row('Central Station').getByText('Not reached', { exact: true }).waitFor()
  await page.getByRole('navigation', { name: 'Menu' }).getByRole('link', { name: 'Alerts' }).press('Enter')
  await shop.heading('Alerts')
  await row('Drill: air alert').getByText('1 of 2').waitFor()
  expect(complaints).toEqual([])
})

it('an alert is shown to another user at once, on every page; view-only access has no button for it', async () => {
  const { page } = shop
  await shop.visit('/equipments/devices', reader)
  await page.getByText('Central Station').waitFor()
  await shop.client.call(beginAlert, air(shop.deviceUid))
  await banner().getByText('Air alert · Bakery Lane 4').waitFor()
  await banner().getByText(`${shop.owner.email} began it`).waitFor()
  await page.getByRole('link', { name: 'Bakery Lane 4' }).first().click()
  await shop.heading('Bakery Lane 4')
  await banner().getByText('Air alert · Bakery Lane 4').waitFor()
  const chemical = { uid: shop.deviceUid, alerttype: 'chemical' } as const
  await shop.client.call(beginAlert, { params: chemical, query: { drill: '1' } })
  await banner().getByText('Drill: chemical alert · Bakery Lane 4').waitFor()
  // The real one comes first, although it is older.
  expect(await banner().innerText()).toMatch(/^Air alert/)
  await shop.client.call(endAlert, { params: chemical })
  await banner().getByText('Drill: chemical alert').waitFor({ state: 'hidden' })
  expect(await banner().getByRole('button').count()).toBe(0)
  expect(await page.getByRole('link', { name: 'Alert', exact: true }).count()).toBe(0)
  await banner().getByRole('link', { name: 'Progress' }).click()
  await shop.heading('Air alert')
  expect(await page.getByRole('button', { name: 'End the alert' }).count()).toBe(0)
  await shop.client.call(endAlert, air(shop.deviceUid))
  await banner().waitFor({ state: 'hidden' })
  await page.getByRole('main').getByText('Ended', { exact: true }).first().waitFor()
})

it('an alert has NOT ended while the server has not said so, and the dialog says that', async () => {
  const { page } = shop
  await shop.client.call(beginAlert, air(shop.deviceUid))
  await shop.visit('/equipments/groups')
  await banner().getByRole('button', { name: 'End: Air alert, Bakery Lane 4' }).click()
  const end = dialog('End: Air alert?')
  await end.getByRole('button', { name: 'End the alert' }).waitFor()
  let sent = 0
  await page.route('**/sendend/**', route => {
    sent += 1
    return sent === 1 ? route.abort('connectionrefused') : route.continue()
  })
  await end.getByRole('button', { name: 'End the alert' }).click()
  await end.getByText('The alert has NOT ended: the server has not confirmed it').waitFor()
  await banner().getByText('Air alert').waitFor()
  await end.getByRole('button', { name: 'Try again' }).dblclick()
  await Promise.all([
    banner().waitFor({ state: 'hidden' }),
    page.getByText('Air alert has ended: Bakery Lane 4').waitFor(),
  ])
  expect(sent).toBe(2)
})

it('an alert that somebody else begins meanwhile is begun once, and both are told', async () => {
  const { page } = shop
  const { total: before } = await shop.client.call(listAlerts, {})
  await shop.visit(`/equipments/devicesOne/${shop.deviceUid}`)
  await page.getByRole('link', { name: 'Alert', exact: true }).click()
  const question = dialog('Begin an alert')
  await question.getByText('Bakery Lane 4').waitFor()
  await chooseAir('Real alert')
  await question.getByText('1 device will sound it.').waitFor()
  await shop.client.call(beginAlert, air(shop.deviceUid))
  await question.getByText(`Air alert is on here already. ${shop.owner.email} began it.`).waitFor()
  await question.getByRole('button', { name: 'Sound the alert on 1 device' }).dblclick()
  await page.getByText('Air alert was on already: Bakery Lane 4').waitFor()
  await shop.heading('Air alert')
  expect((await shop.client.call(listAlerts, {})).total).toBe(before + 1)
  // The other ends it while this user is asked whether to end it.
  await banner().getByRole('button', { name: 'End: Air alert, Bakery Lane 4' }).click()
  const end = dialog('End: Air alert?')
  await end.getByRole('button', { name: 'End the alert' }).waitFor()
  await shop.client.call(endAlert, air(shop.deviceUid))
  await banner().waitFor({ state: 'hidden' })
  await end.getByRole('button', { name: 'End the alert' }).click()
  await page.getByText('Air alert had ended already: Bakery Lane 4').waitFor()
})
