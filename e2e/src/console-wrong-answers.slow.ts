import { followLive } from '@floorcast/contract/change-feed.ts'
import { editProfile, listProfileTypes } from '@floorcast/contract/device-profiles.ts'
import { addDevice, listDevices, listFreeDevices, readDevice } from '@floorcast/contract/devices.ts'
import type { Endpoint } from '@floorcast/contract/endpoint.ts'
import { listGroups } from '@floorcast/contract/groups.ts'
import { listMediaPlaylists } from '@floorcast/contract/media.ts'
import { listPublications, selectGroups } from '@floorcast/contract/publications.ts'
import { readEffectiveTags } from '@floorcast/contract/tag-calls.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createdUid, publishToDevice } from './client-fixture.ts'
import { testConsole } from './console-under-test.ts'

/*
 * Parts of the console whose calls are answered by something else than the server: the sign-in page of a network, a proxy, a fault.
 * Every page in each of these states: console-wrong-pages.slow.ts.
 */

const shop = testConsole()
const created = { profile: '' }

beforeEach(() => shop.page.setDefaultTimeout(20_000))

beforeAll(async () => {
  await asSuperuser(shop.superuserUrl, superuser =>
    superuser.query("update clients set plan_key = 'professional'"),
  )
  await publishToDevice(shop.client, await writeSongs(shop.folder, { count: 1, seconds: 3 }))
  const settings = { downloadFrom: '22:00', downloadTo: '06:00' }
  const body = { name: 'Night downloads', type: 'network', settings } as const
  created.profile = createdUid(await shop.client.call(editProfile, { body }))
})

const portal = { status: 200, contentType: 'text/html', body: '<!doctype html><p>Room number?</p>' }
const gateway = { status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' }
const fault = { status: 500, contentType: 'application/json', body: '' }
const wrongAnswers = [
  { name: 'HTML of a network', answer: portal },
  { name: 'HTML of a proxy', answer: gateway },
  { name: 'an empty fault', answer: fault },
  {
    name: 'JSON of another form',
    answer: { status: 200, contentType: 'application/json', body: '{"data":[]}' },
  },
]

/** Answers a call in place of the server. @returns what lets the server answer again */
async function answerInstead(
  { path, method }: Endpoint,
  answer: typeof portal,
): Promise<() => Promise<void>> {
  const address = new RegExp(`^${shop.url}${path.replaceAll(/\{\w+\}/g, '[^/?]+')}(\\?.*)?$`)
  await shop.page.route(address, call =>
    call.request().method() === method ? call.fulfill(answer) : call.fallback(),
  )
  return () => shop.page.unroute(address)
}

const main = () => shop.page.getByRole('main')
const dialog = () => shop.page.getByRole('dialog')
const tryAgain = () => shop.page.getByRole('button', { name: 'Try again' })
const failed = () => shop.page.getByText('This could not be loaded').filter({ visible: true })

describe.each(wrongAnswers)('answered with $name', ({ answer }) => {
  // A change of the device would bring the list before the click: the change feed gets no answer.
  const feed = `**${followLive.path}*`
  beforeEach(() => shop.page.route(feed, () => undefined))
  afterEach(() => shop.page.unroute(feed))

  it('a list says that it could not be loaded, and comes by "Try again"', async () => {
    await shop.visit('/media/wizard')
    const stop = await answerInstead(listDevices, answer)
    await shop.page.getByRole('link', { name: 'Devices', exact: true }).click()
    await tryAgain().waitFor()
    expect(await main().innerText()).not.toMatch(/Room number|Bad Gateway|undefined|No devices/)
    await stop()
    await tryAgain().click()
    await main().getByText('Bakery Lane 4').waitFor()
  })

  it('an item\'s page says so, and comes by "Try again"', async () => {
    const stop = await answerInstead(readDevice, answer)
    await shop.visit(`/equipments/devicesOne/${shop.deviceUid}`)
    await tryAgain().waitFor()
    expect(await main().innerText()).not.toMatch(/Room number|Bad Gateway|undefined/)
    await stop()
    await tryAgain().click()
    await shop.heading('Bakery Lane 4')
  })

  it('a form says so, keeps what was typed, and is saved once by the next click', async () => {
    await shop.visit('/equipments/devices')
    await shop.page.getByRole('button', { name: 'Add a device' }).click()
    await dialog().getByLabel('Name').fill(`Pier ${answer.status} ${answer.body.length}`)
    const stop = await answerInstead(addDevice, answer)
    const save = dialog().getByRole('button', { name: 'Save' })
    await save.click()
    await dialog().getByRole('alert').waitFor()
    expect(await dialog().innerText()).not.toMatch(/Room number|Bad Gateway|undefined/)
    const name = await dialog().getByLabel('Name').inputValue()
    await stop()
    await save.click()
    await shop.heading(name)
    const found = await shop.client.call(listDevices, { query: { search: `"${name}"` } })
    expect(found.total).toBe(1)
  })
})

it('a part of a page that could not be loaded says so in the tags of a device', async () => {
  const stop = await answerInstead(readEffectiveTags, fault)
  await shop.visit(`/equipments/devicesOne/${shop.deviceUid}`)
  const tags = shop.page.getByRole('region', { name: 'Tags in force' })
  await tags.getByRole('button', { name: 'Try again' }).waitFor()
  await stop()
  await tags.getByRole('button', { name: 'Try again' }).click()
  await tags.getByText('No tag applies to this device.').waitFor()
})

it('a part of a page that could not be loaded says so in the settings of a profile and in its form', async () => {
  const stop = await answerInstead(listProfileTypes, fault)
  await shop.visit(`/security/profileOne/${created.profile}`)
  await main().getByRole('button', { name: 'Try again' }).waitFor()
  await shop.page.getByRole('button', { name: 'Edit' }).click()
  await dialog().getByRole('button', { name: 'Try again' }).waitFor()
  await stop()
  await dialog().getByRole('button', { name: 'Try again' }).click()
  const from = dialog().getByLabel('Downloads from')
  await expect.poll(() => from.inputValue()).toBe('22:00')
})

it('a part of a page that could not be loaded says so where it would tell what uses a media item that is to be deleted', async () => {
  const stop = await answerInstead(listMediaPlaylists, fault)
  await shop.visit('/media/melodies')
  await shop.page.getByRole('button', { name: 'Actions for song-1' }).click()
  await shop.page.getByRole('menuitem', { name: 'Move to the recycle bin' }).click()
  await dialog().getByRole('button', { name: 'Try again' }).waitFor()
  await stop()
  await dialog().getByRole('button', { name: 'Try again' }).click()
  await dialog().getByText('Shop floor').waitFor()
})

it('a part of a page that could not be loaded says so where it would tell what uses a playlist that is to be deleted', async () => {
  const stop = await answerInstead(listPublications, fault)
  await shop.visit('/media/playlists')
  await shop.page.getByRole('button', { name: 'Actions for Shop floor' }).click()
  await shop.page.getByRole('menuitem', { name: 'Move to the recycle bin' }).click()
  await dialog().getByRole('button', { name: 'Try again' }).waitFor()
  await stop()
  await dialog().getByRole('button', { name: 'Try again' }).click()
  await dialog().getByText('On air').waitFor()
})

it('a part of a page that could not be loaded is not said to be gone in a filter of a report', async () => {
  await answerInstead(readDevice, fault)
  await shop.visit(`/home/reports?report=r1ext&playpoint=${shop.deviceUid}`)
  await failed().first().waitFor()
  expect(await main().getByText('No longer exists').count()).toBe(0)
})

it('a choice that could not be loaded of devices says so, and not that there is none', async () => {
  await answerInstead(listFreeDevices, fault)
  await shop.visit('/deployments/publications?publish=1')
  const playlists = shop.page.locator('div[role=option]')
  await playlists.first().waitFor()
  await shop.page.keyboard.press('Tab')
  await playlists.first().waitFor({ state: 'hidden' })
  await dialog().getByText('New group', { exact: true }).click()
  await dialog().getByRole('combobox', { name: 'Devices' }).click()
  await failed().first().waitFor()
})

it('a choice that could not be loaded of the palette says so, and not that nothing was found', async () => {
  await shop.visit('/equipments/devices')
  await answerInstead(listGroups, fault)
  await main().getByText('Bakery Lane 4').waitFor()
  await shop.page.keyboard.press('Control+k')
  await shop.page.getByRole('combobox', { name: /^Find a page/ }).fill('bakery lane')
  await dialog().getByRole('status').getByText('This could not be loaded').waitFor()
})

it('the sign-in page of a network in place of the change feed tells that the server is away, and is not asked each second', async () => {
  let asked = 0
  await shop.visit('/equipments/devices')
  await main().getByText('Bakery Lane 4').waitFor()
  await shop.page.route(`**${followLive.path}*`, call => {
    asked += 1
    return call.fulfill(portal)
  })
  await shop.page.reload()
  await shop.page.getByText(/^As of .*, the server cannot be reached$/).waitFor()
  const before = asked
  await shop.page.waitForTimeout(6000)
  expect(asked - before).toBeLessThan(3)
  await shop.page.unrouteAll()
  await shop.page.getByText(/^As of .*, the server cannot be reached$/).waitFor({ state: 'hidden' })
})

it('a list of many devices says that it waits for the groups', async () => {
  const answered = Promise.withResolvers<void>()
  await shop.page.route(`**${selectGroups.path.replace('{x}', 'all')}`, async call => {
    await answered.promise
    await call.continue()
  })
  await shop.visit('/equipments/devicesImport')
  const waiting = main().locator('[aria-busy=true]')
  expect(await waiting.count()).toBe(0)
  await main().getByLabel('Lines').fill('Slow Lane 1')
  await waiting.waitFor()
  answered.resolve()
  await main().getByRole('button', { name: 'Add 1 device' }).waitFor()
  await waiting.waitFor({ state: 'detached' })
  await shop.page.unrouteAll()
})

it('the log of a device that cannot be read does not stand without a name', async () => {
  await answerInstead(readDevice, fault)
  await shop.visit(`/security/playTrack/${shop.deviceUid}`)
  await main().getByRole('heading', { name: 'Device', exact: true }).waitFor()
  await shop.page.unrouteAll()
})
