import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { addToGroup, listGroups } from '@floorcast/contract/groups.ts'
import { listDeployPackages, addDeployPackage } from '@floorcast/contract/deploy-packages.ts'
import { addChannel, listChannels } from '@floorcast/contract/update-channels.ts'
import { addPackage, readPackage } from '@floorcast/contract/update-packages.ts'
import { listUpdateDevices, setUpdateKey } from '@floorcast/contract/updates.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { makeUpdateKeys } from '@floorcast/testing/update-keys.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { assertCode, createdUid, inviteViewingAdmin } from './client-fixture.ts'
import { ConsolePage } from './console-page.ts'
import { testConsole } from './console-under-test.ts'
import { chooseFromMenu, chooseOption, goByPalette, pressButton, tabTo } from './keyboard.ts'
import { findAxeViolations } from './page-checks.ts'

const shop = testConsole()
const keys = makeUpdateKeys()
const bytes = Buffer.from('export const version = "2.776.0"')

const lineOf = (name: string) => keys.signLine(bytes, { name, version: '2.776.0' })

/** A file for an upload, with its signature. */
async function writeSigned(name: string, signature = lineOf(name)): Promise<string[]> {
  const path = join(shop.folder, name)
  await writeFile(path, bytes)
  await writeFile(`${path}.sig`, `${signature}\n`)
  return [path, `${path}.sig`]
}

const dialog = () => shop.page.getByRole('dialog')
const button = (name: string) => shop.page.getByRole('button', { name, exact: true })
const inDialog = (name: string) => dialog().getByRole('button', { name, exact: true })
const newPackage = async (name: string, version = '2.776.0') =>
  createdUid(await shop.client.call(addPackage, { body: { name, category: 'Program', version } }))

beforeAll(async () => {
  const { items } = await shop.client.call(listGroups, { params: { x: 'all' } })
  const params = { device: shop.deviceUid, group: items[0]?.uid ?? '' }
  assertCode(await shop.client.call(addToGroup, { params }), 200)
})

it('a package is brought to a channel in the browser, by the keyboard alone', async () => {
  const { page, client } = shop
  await shop.visit('/updates')
  await shop.heading('Packages')
  await page.getByText('No update key is set').waitFor()
  await new ConsolePage(page, 'updates').screenshot('no key')
  expect(await findAxeViolations(page)).toEqual([])
  await pressButton(page, page.getByRole('link', { name: 'Set the update key' }))
  await shop.heading('Update files')
  await pressButton(page, button('Set the key'))
  await tabTo(page, dialog().getByLabel('Public key'))
  await page.keyboard.type('too short')
  await dialog().getByText('Enter the public key as it was printed: 44 characters').waitFor()
  await page.keyboard.press('Control+a')
  await page.keyboard.type(keys.publicKey)
  await page.keyboard.press('Enter')
  await page.getByText('Update key set').waitFor()
  await page.getByText(keys.publicKey).waitFor()

  await goByPalette(page, 'Update channels')
  await pressButton(page, button('Add a channel'))
  await tabTo(page, dialog().getByLabel('Name'))
  await page.keyboard.type('Pilot shops')
  await tabTo(page, dialog().getByRole('combobox', { name: 'Device groups' }))
  await page.keyboard.type('food')
  await chooseOption(page, /Food shops/)
  await dialog().getByRole('button', { name: 'Remove Food shops' }).waitFor()
  expect(await findAxeViolations(page)).toEqual([])
  await pressButton(page, inDialog('Save'))
  await page.getByRole('row').filter({ hasText: 'Pilot shops' }).getByText('Open').waitFor()

  await goByPalette(page, 'Packages')
  await pressButton(page, button('Add a package'))
  await tabTo(page, dialog().getByLabel('Name'))
  await page.keyboard.type('Player')
  await tabTo(page, dialog().getByLabel('Version'))
  await page.keyboard.type('2.776.0')
  await tabTo(page, dialog().getByLabel('Category'))
  await page.keyboard.type('Program')
  await page.keyboard.press('Enter')
  await shop.heading('Player 2.776.0')
  await dialog().waitFor({ state: 'hidden' })
  await pressButton(page, button('Upload files'))
  const chooser = page.waitForEvent('filechooser')
  await pressButton(page, inDialog('Choose files'))
  await (await chooser).setFiles(await writeSigned('player.mjs'))
  await dialog().getByLabel('Signature of player.mjs').waitFor()
  expect(await dialog().getByLabel('Signature of player.mjs').inputValue()).toBe(lineOf('player.mjs'))
  await new ConsolePage(page, 'updates-upload').screenshot('chosen')
  expect(await findAxeViolations(page)).toEqual([])
  await pressButton(page, inDialog('Upload'))
  await page.getByText('1 file uploaded').waitFor()
  await page.getByRole('table', { name: 'Files' }).getByText('Valid').waitFor()

  await pressButton(page, button('Begin testing'))
  await dialog().getByText('From then on it cannot be changed').waitFor()
  await pressButton(page, inDialog('Begin testing'))
  await pressButton(page, button('Release'))
  await dialog().getByText('It is on no channel yet: publish it to one next.').waitFor()
  await pressButton(page, inDialog('Release'))
  await page.getByText('“Player 2.776.0” released').waitFor()
  await tabTo(page, page.getByRole('tab', { name: 'Files' }))
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Enter')
  await pressButton(page, button('Publish a package'))
  await tabTo(page, dialog().getByRole('combobox', { name: 'Channel' }))
  await chooseOption(page, /Pilot shops/)
  await pressButton(page, inDialog('Save'))
  await page.getByText('No: it is paused').waitFor()
  await chooseFromMenu(page, button('Actions for Player 2.776.0 – Pilot shops'), 'Activate')
  await dialog().getByText('1 device is offered it at once').waitFor()
  expect(await findAxeViolations(page)).toEqual([])
  await pressButton(page, inDialog('Activate'))
  await page.getByText('“Player 2.776.0” is active on “Pilot shops”').waitFor()
  await page.getByText('0 of 1 device').waitFor()
  const { items } = await client.call(listDeployPackages, {})
  expect(items).toMatchObject([{ state: 'active', isOffered: true, deviceCount: 1 }])
  const devices = await client.call(listUpdateDevices, { query: { search: 'bakery' } })
  expect(devices.items).toMatchObject([{ offered: { name: 'Player', version: '2.776.0', isForced: false } }])
})

describe('a refusal', () => {
  beforeAll(async () => {
    await shop.client.call(setUpdateKey, { body: { publicKey: keys.publicKey } })
  })

  it('of a package without files, and of a file that another key signed, says what to do', async () => {
    const uid = await newPackage('Empty one', '3.0.0')
    const { page } = shop
    await shop.visit(`/updates/packageOne/${uid}`)
    await button('Begin testing').click()
    await inDialog('Begin testing').click()
    await dialog().getByText('The package has no files: upload one first').waitFor()
    await inDialog('Cancel').click()
    await button('Upload files').click()
    const chooser = page.waitForEvent('filechooser')
    await inDialog('Choose files').click()
    const strange = makeUpdateKeys().signFile(bytes)
    const [path = '', signature = ''] = await writeSigned('strange.mjs', strange)
    await (await chooser).setFiles([path])
    await dialog().getByText('The file is not signed').waitFor()
    expect(await inDialog('Upload').isDisabled()).toBe(true)
    const again = page.waitForEvent('filechooser')
    await inDialog('Choose files').click()
    await (await again).setFiles([signature])
    await inDialog('Upload').click()
    await dialog()
      .getByText('The signature does not fit the file and the client’s public key (strange.mjs)')
      .waitFor()
    await new ConsolePage(page, 'updates-refused').screenshot('signature')
    expect(await findAxeViolations(page)).toEqual([])
    expect((await shop.client.call(readPackage, { params: { id: uid } })).files).toEqual([])
  })

  it('of a package twice on a channel, and of a channel with packages that is deleted, stays in its dialog', async () => {
    const packageUid = await newPackage('Twice', '3.1.0')
    const { call } = shop.client
    const channelUid = createdUid(await call(addChannel, { body: { name: 'Second wave' } }))
    await call(addDeployPackage, { body: { packageUid, channelUid } })
    const { page } = shop
    await shop.visit('/updates/packagePub?search=twice')
    await page.getByRole('row').filter({ hasText: 'Second wave' }).getByText('No: it is paused').waitFor()
    await button('Publish a package').click()
    await dialog().getByRole('combobox', { name: 'Package' }).fill('twice')
    await page.getByRole('option', { name: /Twice 3\.1\.0/ }).click()
    await dialog().getByRole('combobox', { name: 'Channel' }).fill('second')
    await page.getByRole('option', { name: /Second wave/ }).click()
    await inDialog('Save').click()
    await dialog().getByText('This package is on this channel already').waitFor()
    await shop.visit('/updates/channels?search=second')
    await button('Actions for Second wave').click()
    await page.getByRole('menuitem', { name: 'Freeze' }).click()
    await dialog().getByText('Its 0 devices are offered nothing until the channel is open again.').waitFor()
    await inDialog('Freeze').click()
    await page.getByText('“Second wave” frozen').waitFor()
    await button('Actions for Second wave').click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await inDialog('Delete').click()
    await dialog().getByText('Not deleted: it is still in use by Twice 3.1.0').waitFor()
    expect((await call(listChannels, { query: { search: 'second' } })).total).toBe(1)
  })
})

it('each device says what it runs and why its update failed, and is found by its step', async () => {
  await asSuperuser(shop.superuserUrl, superuser =>
    superuser.query(
      `insert into device_update_states (device_uid, client_id, version, step, message, at, received_at)
       select uid, client_id, '2.776.0', 'failed', 'No room on the disk', now(), now() from devices where uid = $1
       on conflict (device_uid) do nothing`,
      [shop.deviceUid],
    ),
  )
  const { page } = shop
  await shop.visit('/updates/packagePub')
  await page.getByRole('tab', { name: 'Devices' }).click()
  const row = page.getByRole('row').filter({ hasText: 'Bakery Lane 4' })
  await row.getByText('No room on the disk').waitFor()
  await page.getByRole('row').filter({ hasText: 'Central Station' }).waitFor()
  // The chip; the head of the column sorts.
  await button('Last step').first().click()
  await page.getByRole('menuitemcheckbox', { name: 'Failed' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('row').filter({ hasText: 'Central Station' }).waitFor({ state: 'detached' })
  await new ConsolePage(page, 'updates-devices').screenshot('failed')
  expect(await findAxeViolations(page)).toEqual([])
  await button('Actions for Bakery Lane 4').click()
  await page.getByRole('menuitem', { name: 'Update log' }).click()
  await shop.heading('Update log')
})

it('a device that is late is late in the list of its updates too', async () => {
  await asSuperuser(shop.superuserUrl, superuser =>
    superuser.query(
      `insert into device_states (device_uid, client_id, last_contact_at)
       select uid, client_id, now() - interval '20 minutes' from devices where uid = $1
       on conflict (device_uid) do update set last_contact_at = excluded.last_contact_at`,
      [shop.deviceUid],
    ),
  )
  await shop.visit('/updates/packagePub?tab=devices')
  const row = shop.page.getByRole('row').filter({ hasText: 'Bakery Lane 4' })
  await row
    .locator('[data-tone=late]')
    .getByText(/^Seen \d+\sminutes ago$/)
    .waitFor()
})

it('a file is taken out of a draft, and deleted from the list of files', async () => {
  const uid = await newPackage('Spare', '3.2.0')
  const { page } = shop
  await shop.client.call(setUpdateKey, { body: { publicKey: keys.publicKey } })
  await shop.visit('/updates/files')
  await button('Upload files').click()
  await dialog().getByRole('combobox', { name: 'Draft package' }).fill('spare')
  await page.getByRole('option', { name: /Spare 3\.2\.0/ }).click()
  const chooser = page.waitForEvent('filechooser')
  await inDialog('Choose files').click()
  await (await chooser).setFiles(await writeSigned('spare.mjs'))
  await inDialog('Upload').click()
  await page.getByText('1 file uploaded').waitFor()
  const menu = page.getByRole('row').filter({ hasText: 'spare.mjs' }).getByRole('button')
  await menu.last().click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await inDialog('Delete').click()
  await dialog().getByText('Not deleted: it is still in use by Spare').waitFor()
  await inDialog('Cancel').click()
  await page.getByRole('link', { name: 'Spare' }).click()
  await shop.heading('Spare 3.2.0')
  await button('Take spare.mjs out of the package').click()
  await inDialog('Take out').click()
  await page.getByText('“spare.mjs” taken out of the package').waitFor()
  await page.getByText('No files yet.').waitFor()
  expect((await shop.client.call(readPackage, { params: { id: uid } })).fileCount).toBe(0)
  await shop.visit('/updates/files?search=spare')
  await menu.last().click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await inDialog('Delete').click()
  await page.getByText('Nothing found').waitFor()
})

it('admins with view-only access see the pages without a button that they may not use', async () => {
  const uid = await newPackage('Looked at', '3.3.0')
  const admin = await inviteViewingAdmin(shop.client)
  const { page } = shop
  await shop.visit('/updates/package?search=looked', admin)
  await page.getByRole('link', { name: 'Looked at' }).waitFor()
  const dead = ['Add a package', 'Actions for Looked at 3.3.0', 'Begin testing', 'Upload files', 'Edit']
  const count = async () =>
    (await Promise.all(dead.map(name => button(name).count()))).reduce((a, b) => a + b)
  expect(await count()).toBe(0)
  await shop.visit(`/updates/packageOne/${uid}`, admin)
  await page.getByText('No files yet.').waitFor()
  expect(await count()).toBe(0)
  await shop.visit('/updates/files', admin)
  await page.getByRole('heading', { level: 2, name: 'Update key' }).waitFor()
  expect(await page.getByRole('button', { name: /^(Set|Replace|Remove) the key$/ }).count()).toBe(0)
})
