import { beginAlert } from '@floorcast/contract/alerts.ts'
import { readDevice } from '@floorcast/contract/devices.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { beforeAll, expect, it } from 'vitest'
import { findHiddenFocus, findSmallTargets } from './accessibility.ts'
import { publishToDevice } from './client-fixture.ts'
import { testConsole } from './console-under-test.ts'
import { findAxeViolations, measureOverflow, waitUntilStill } from './page-checks.ts'

/* The parts of WCAG 2.2 AA that axe cannot tell: reflow, targets, the focus, forced colors. */

const shop = testConsole()
let addresses: string[]

beforeAll(async () => {
  const songs = await writeSongs(shop.folder, { count: 3, seconds: 3 })
  const line = await publishToDevice(shop.client, songs.slice(0, 2), songs.slice(2))
  const { group, playlist } = await shop.client.call(readDevice, { params: { id: line.deviceUid } })
  const params = { uid: group?.uid ?? '', alerttype: 'air' } as const
  const alert = await shop.client.call(beginAlert, { params, query: { drill: '1' } })
  addresses = [
    '/home/overview',
    '/equipments/devices',
    `/equipments/devicesOne/${line.deviceUid}`,
    `/equipments/groupsOne/${group?.uid}`,
    '/media/melodies',
    `/media/playlistsOne/${playlist?.uid}`,
    '/media/wizard',
    '/deployments/publications',
    '/home/reports',
    `/alerts/${alert.uid}`,
    '/security/tags',
    '/security/users',
    '/security/proofKeys',
    '/pages/profile',
  ]
})

const signIn = () => shop.visit('/pages/profile')
/** The menu is hidden in a narrow window. The banner of the alert moves what is below it. */
const open = async (address: string) => {
  await shop.page.goto(shop.url + address)
  await shop.page.getByRole('region', { name: 'Alerts that are on' }).waitFor()
  await waitUntilStill(shop.page)
}

it('the console reflows at 400 % of a window of 1280 px: nothing scrolls sideways', async () => {
  const faults: string[] = []
  await signIn()
  await shop.page.setViewportSize({ width: 320, height: 256 })
  for (const address of addresses) {
    await open(address)
    const overflow = await measureOverflow(shop.page)
    if (overflow > 0) faults.push(`${address}: ${overflow} px too wide`)
  }
  expect(faults).toEqual([])
})

it('the console keeps what it says with larger spaces between lines, letters and words', async () => {
  const faults: string[] = []
  await signIn()
  await shop.page.setViewportSize({ width: 1280, height: 900 })
  for (const address of addresses) {
    await open(address)
    // WCAG 1.4.12.
    await shop.page.addStyleTag({
      content:
        '* { line-height: 1.5 !important; letter-spacing: .12em !important; word-spacing: .16em !important }',
    })
    const overflow = await measureOverflow(shop.page)
    if (overflow > 0) faults.push(`${address}: ${overflow} px too wide`)
  }
  expect(faults).toEqual([])
})

it.each([1440, 400])('the console has controls of at least 24 px in a window of %d px', async width => {
  const faults: string[] = []
  await signIn()
  await shop.page.setViewportSize({ width, height: 900 })
  for (const address of addresses) {
    await open(address)
    faults.push(...(await findSmallTargets(shop.page)).map(fault => `${address}: ${fault}`))
  }
  expect([...new Set(faults.map(fault => fault.replace(/^[^:]*: /, '')))]).toEqual([])
})

it('the console shows where the focus is, at every stop of Tab', async () => {
  const faults: string[] = []
  await signIn()
  await shop.page.setViewportSize({ width: 1280, height: 700 })
  for (const address of addresses) {
    await open(address)
    faults.push(...(await findHiddenFocus(shop.page, 60)).map(fault => `${address}: ${fault}`))
  }
  expect([...new Set(faults)]).toEqual([])
})

it('the console is whole in forced colors, and says there which page is open', async () => {
  await signIn()
  await shop.page.emulateMedia({ forcedColors: 'active' })
  for (const address of addresses.slice(0, 4)) {
    await open(address)
    expect(await findAxeViolations(shop.page), address).toEqual([])
  }
  // A color alone would be lost: the open page of the menu has a mark of its own.
  await open('/equipments/devices')
  const lookOf = (name: string) =>
    shop.page
      .getByRole('navigation', { name: 'Menu' })
      .getByRole('link', { name, exact: true })
      .evaluate(link => {
        const { outlineStyle, borderInlineStartWidth, fontWeight, textDecorationLine } =
          getComputedStyle(link)
        return { outlineStyle, borderInlineStartWidth, fontWeight, textDecorationLine }
      })
  expect(await lookOf('Devices')).not.toEqual(await lookOf('Groups'))
  await shop.page.emulateMedia({ forcedColors: null })
})
