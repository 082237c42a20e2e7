import { readDevice } from '@floorcast/contract/devices.ts'
import {
  addGroup,
  addToGroup,
  changeGroupState,
  deleteGroup,
  listGroups,
  removeFromGroup,
} from '@floorcast/contract/groups.ts'
import { listProfiles, readProfileCard } from '@floorcast/contract/device-profiles.ts'
import { readEffectiveTags } from '@floorcast/contract/tag-calls.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { expect, it } from 'vitest'
import { ConsolePage } from './console-page.ts'
import { testConsole } from './console-under-test.ts'
import { findAxeViolations } from './page-checks.ts'

const shop = testConsole()

const dialog = () => shop.page.getByRole('dialog')
const button = (name: string | RegExp) => shop.page.getByRole('button', { name, exact: true })
const toast = (text: string | RegExp) => shop.page.getByRole('status').getByText(text).waitFor()

it('tags of a device are set with the input that fits the key, and say where each comes from', async () => {
  const look = new ConsolePage(shop.page, 'tags')
  await shop.visit('/security/tags')
  await shop.heading('Tags')
  await shop.page.getByText('The client has no tags.').waitFor()
  await button('Add a tag').click()
  await dialog().getByLabel('Key').first().fill('timeZone')
  await dialog().getByRole('combobox', { name: 'Value' }).fill('oslo')
  await shop.page.getByRole('option', { name: 'Europe/Oslo' }).click()
  await dialog().getByRole('button', { name: 'Save' }).click()
  await shop.page.getByRole('cell', { name: 'Europe/Oslo' }).waitFor()

  await shop.page.getByText('Device', { exact: true }).first().click()
  await shop.page.getByText('Choose a device').first().waitFor()
  await shop.page.getByRole('combobox', { name: 'Device' }).click()
  await shop.page.getByRole('option', { name: 'Bakery Lane 4' }).click()
  await shop.page.waitForURL(/device=[0-9a-f-]+/)
  await button('Add a tag').click()
  await dialog().getByLabel('Key').first().fill('volume')
  const slider = dialog().getByRole('slider')
  await slider.focus()
  for (let n = 0; n < 5; n += 1) await slider.press('ArrowLeft')
  await look.screenshot('volume')
  expect(await findAxeViolations(shop.page)).toEqual([])
  await dialog().getByRole('button', { name: 'Save' }).click()
  const inForce = shop.page.getByRole('table', { name: 'Tags in force' })
  await inForce.getByRole('row', { name: 'Volume 65 Device' }).waitFor()
  await inForce.getByRole('row', { name: 'Time zone Europe/Oslo Client' }).waitFor()
  await look.screenshot('of a device')
  expect(await findAxeViolations(shop.page)).toEqual([])
  const params = { uid: shop.deviceUid }
  expect((await shop.client.call(readEffectiveTags, { params })).tags).toMatchObject([
    { key: 'timeZone', value: 'Europe/Oslo', level: 'client' },
    { key: 'volume', value: '65', level: 'device' },
  ])
})

it('tags that win are chosen, and a tag is changed and deleted', async () => {
  await shop.visit(`/security/tags?device=${shop.deviceUid}`)
  await shop.page.getByRole('radio', { name: 'The client' }).check()
  await toast('Saved')
  const params = { uid: shop.deviceUid }
  expect((await shop.client.call(readEffectiveTags, { params })).policy).toBe('client')
  await button('Actions for Volume').click()
  await shop.page.getByRole('menuitem', { name: 'Delete' }).click()
  await dialog().getByRole('button', { name: 'Delete' }).click()
  await toast('“Volume” deleted')
  await shop.page.getByText('The device has no tags of its own.').waitFor()
})

it('tags are imported from JSON: faults are named by entry, and nothing is saved until all is right', async () => {
  await shop.visit('/security/tags')
  await button('Import tags').click()
  const choose = async (entries: unknown) => {
    const chooser = shop.page.waitForEvent('filechooser')
    await dialog()
      .getByRole('button', { name: /^Choose (a JSON|another) file$/ })
      .click()
    const text = typeof entries === 'string' ? entries : JSON.stringify(entries)
    const buffer = Buffer.from(text)
    await (await chooser).setFiles({ name: 'tags.json', mimeType: 'application/json', buffer })
  }
  await choose('[\n  {"key": 1,\n  }\n]')
  await dialog().getByText('look at line 3').waitFor()
  const right = { contentType: 'device', name: 'Bakery Lane 4', key: 'city', value: 'Oslo' }
  await choose([right, { ...right, key: 'volume', value: '101' }])
  await dialog().getByText('entry 2, Bakery Lane 4 and volume: value: Enter a whole number').waitFor()
  await choose([right, { ...right, name: 'Nowhere', key: 'district' }])
  await dialog().getByRole('button', { name: 'Set 2 tags' }).click()
  await dialog().getByText('entry 2, Nowhere and district: name: There is no such thing').waitFor()
  await new ConsolePage(shop.page, 'tag-import').screenshot('fault')
  expect(await findAxeViolations(shop.page)).toEqual([])
  await choose([right, { ...right, key: 'district', value: 'Sentrum' }])
  await dialog().getByRole('button', { name: 'Set 2 tags' }).click()
  await toast('2 tags added, 0 changed')
  await shop.page.goto(`${shop.url}/equipments/devicesOne/${shop.deviceUid}`)
  await shop.page.getByRole('row', { name: 'City Oslo Device' }).waitFor()
})

it('configuration profiles are made with the settings of their type, checked, activated, given groups, and deleted', async () => {
  const look = new ConsolePage(shop.page, 'profiles')
  await shop.visit('/security/profile')
  await button('Add a profile').first().click()
  await dialog().getByText('Network', { exact: true }).click()
  await dialog().getByLabel('Name').fill('Slow lines')
  await dialog().getByLabel('Heartbeat interval').fill('5')
  await dialog().getByLabel('Downloads from').fill('22:00')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await dialog().getByText('This value is not valid').waitFor()
  await look.screenshot('wrong')
  expect(await findAxeViolations(shop.page)).toEqual([])
  await dialog().getByLabel('Heartbeat interval').fill('60')
  await dialog().getByLabel('Downloads until').fill('06:00')
  await dialog().getByRole('combobox', { name: 'Groups' }).click()
  await shop.page.getByRole('option', { name: 'Food shops' }).click()
  await dialog().getByRole('button', { name: 'Save' }).click()
  await shop.heading('Slow lines')
  await shop.page.getByRole('row', { name: 'Heartbeat interval 60 s' }).waitFor()
  await button('Activate').click()
  await shop.page.getByRole('row', { name: 'Heartbeat interval 60 s 60 s' }).waitFor()
  await look.screenshot('active')
  expect(await findAxeViolations(shop.page)).toEqual([])
  const { items } = await shop.client.call(listProfiles, { query: {} })
  const card = await shop.client.call(readProfileCard, { params: { id: items[0]?.uid ?? '' } })
  expect(card).toMatchObject({
    name: 'Slow lines',
    state: 'active',
    activeSettings: { heartbeatSeconds: 60, downloadFrom: '22:00', downloadTo: '06:00' },
    groups: [{ name: 'Food shops' }],
  })
  await button('Edit').click()
  await button('More actions').click()
  await shop.page.getByRole('menuitem', { name: 'Delete' }).click()
  await dialog().getByRole('button', { name: 'Delete' }).click()
  await shop.page.getByText('No profiles yet').waitFor()
})

it("the audit of an item is a link on the item's page, and shows each field before and after", async () => {
  const { items } = await shop.client.call(listGroups, { params: { x: 'all' }, query: {} })
  const group = items[0]?.uid ?? ''
  await shop.visit(`/equipments/groupsOne/${group}`)
  await button('Edit').click()
  await dialog().getByLabel('Name').fill('Food and drink')
  await dialog().getByRole('button', { name: 'Save' }).click()
  await shop.heading('Food and drink')
  await shop.page.getByRole('link', { name: 'Change history' }).click()
  await shop.heading('Audit')
  await shop.page.getByText('The history of Food and drink').waitFor()
  const newest = shop.page.getByRole('row').filter({ hasText: 'Food shops' }).first()
  await newest.getByText('Food and drink').first().waitFor()
  await new ConsolePage(shop.page, 'audit').screenshot('of a group')
  expect(await findAxeViolations(shop.page)).toEqual([])
  await newest.getByRole('button', { name: 'Show the change' }).click()
  const fields = dialog().getByRole('table', { name: 'Changes' })
  await fields.getByRole('row', { name: 'Name Food shops Food and drink' }).waitFor()
  await new ConsolePage(shop.page, 'audit-change').screenshot('whole')
  expect(await findAxeViolations(shop.page)).toEqual([])
})

it('the audit filters by kind, user and item in its address', async () => {
  await shop.visit('/security/audit')
  const rows = shop.page.getByRole('table', { name: 'Audit' }).getByRole('row')
  await rows.nth(1).waitFor()
  await button(/^Kind/).first().click()
  await shop.page.getByRole('menuitemcheckbox', { name: 'Device', exact: true }).click()
  await shop.page.waitForURL(/type=device/)
  await shop.page.keyboard.press('Escape')
  await rows.filter({ hasText: 'Central Station' }).first().waitFor()
  await rows.filter({ hasText: 'Food' }).first().waitFor({ state: 'hidden' })
  await button(/^Actions for Central Station/)
    .first()
    .click()
  await shop.page.getByRole('menuitem', { name: 'Only this item' }).click()
  await shop.page.getByText('The history of Central Station').waitFor()
  expect(await rows.filter({ hasText: 'Bakery Lane 4' }).count()).toBe(0)
  await button('Show everything').click()
  await rows.filter({ hasText: 'Bakery Lane 4' }).first().waitFor()
})

it('the audit says codes in words', async () => {
  const { items } = await shop.client.call(listGroups, { params: { x: 'all' }, query: {} })
  const uid = items[0]?.uid ?? ''
  await shop.client.call(changeGroupState, { params: { id: uid } })
  await shop.visitIn('ru', `/security/audit?item=${uid}`)
  const newest = shop.page.getByRole('table', { name: 'Аудит' }).getByRole('row').nth(1)
  await newest.getByText(/^Статус: \s*Редактируется/).waitFor()
  await newest.getByRole('button', { name: 'Показать изменение' }).click()
  await dialog().getByRole('row', { name: 'Статус Редактируется Активна' }).waitFor()
})

it('the audit has the names of items in place of their uids, as long as they are there', async () => {
  const { call } = shop.client
  const add = (name: string) => call(addGroup, { params: { contentType: 'audio' }, body: { name } })
  const [here, gone] = [await add('High street'), await add('Old street')]
  const uids = [here.uid ?? '', gone.uid ?? ''] as const
  for (const group of uids) {
    await call(addToGroup, { params: { device: shop.deviceUid, group } })
    await call(removeFromGroup, { params: { device: shop.deviceUid, group } })
  }
  await call(deleteGroup, { body: { uid: uids[1] } })
  await shop.visit(`/security/audit?item=${shop.deviceUid}`)
  const rows = shop.page.getByRole('table', { name: 'Audit' }).getByRole('row')
  const short = rows.nth(1).getByRole('button', { name: `Copy: ${uids[1]}` })
  expect(await short.innerText()).toBe(`${uids[1].slice(0, 8)}…`)
  await new ConsolePage(shop.page, 'audit').screenshot('names')
  expect(await findAxeViolations(shop.page)).toEqual([])
  await shop.context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await short.click()
  await rows.nth(1).getByRole('button', { name: 'Copied' }).getByText('Copied').waitFor()
  await expect.poll(() => shop.page.evaluate(() => navigator.clipboard.readText())).toBe(uids[1])
  await rows.nth(3).getByRole('button', { name: 'Show the change' }).click()
  await dialog().getByRole('link', { name: 'High street' }).click()
  await shop.heading('High street')
})

it('the audit tells its times by the clock of the reader, and in UTC on hover', async () => {
  const devtools = await shop.context.newCDPSession(shop.page)
  await devtools.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Kathmandu' })
  await shop.visit('/security/audit')
  const time = shop.page.getByRole('table', { name: 'Audit' }).locator('time').first()
  const instant = (await time.getAttribute('datetime')) ?? ''
  const inZone = (timeZone: string) =>
    new Date(instant).toLocaleTimeString('en-GB', { timeZone, timeStyle: 'medium' })
  expect(await time.innerText()).toContain(inZone('Asia/Kathmandu'))
  expect(await time.getAttribute('title')).toContain(`${inZone('UTC')} UTC`)
  await shop.page.getByRole('columnheader', { name: 'Time in GMT+5:45' }).waitFor()
  await devtools.detach()
})

it('the audit has what changed in view beside the menu at 1024 px', async () => {
  await shop.page.setViewportSize({ width: 1024, height: 900 })
  await shop.visitIn('ru', '/security/audit')
  const rows = shop.page.getByRole('table', { name: 'Аудит' }).getByRole('row')
  const menu = await rows.nth(1).getByRole('cell').last().boundingBox()
  const changes = await shop.page.getByRole('columnheader', { name: 'Изменения' }).boundingBox()
  expect((changes?.x ?? Infinity) + (changes?.width ?? 0)).toBeLessThanOrEqual((menu?.x ?? 0) + 1)
})

it('a device that is late is late in the list of logs too', async () => {
  await asSuperuser(shop.superuserUrl, superuser =>
    superuser.query(
      `insert into device_states (device_uid, client_id, last_contact_at)
       select uid, client_id, now() - interval '20 minutes' from devices where uid = $1`,
      [shop.deviceUid],
    ),
  )
  for (const path of ['/equipments/devices', '/security/logs']) {
    await shop.visit(path)
    const row = shop.page.getByRole('row').filter({ hasText: 'Bakery Lane 4' })
    await row.getByText(/^Seen \d+\sminutes ago$/).waitFor()
    expect(await row.getByText('Online', { exact: true }).count(), path).toBe(0)
  }
})

it('the logs of each device are found by its name', async () => {
  await shop.visit('/security/logs')
  await shop.page.getByRole('link', { name: 'Heartbeats of Bakery Lane 4' }).click()
  await shop.page.waitForURL(`**/security/heartBeat/${shop.deviceUid}`)
  const { name } = await shop.client.call(readDevice, { params: { id: shop.deviceUid } })
  await shop.page.getByRole('link', { name }).first().waitFor()
})

it('the plans say which is yours, and are linked from the profile', async () => {
  await shop.visit('/pages/profile')
  await shop.page.getByRole('link', { name: 'Compare plans' }).click()
  await shop.heading('Plans')
  await shop.page.getByText('Your plan').waitFor()
  await shop.page.getByText('Up to 10,000 devices').waitFor()
})
