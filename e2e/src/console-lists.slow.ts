import { addDevice } from '@floorcast/contract/devices.ts'
import { addGroup, addToGroup, deleteGroup } from '@floorcast/contract/groups.ts'
import { addSavedView } from '@floorcast/contract/saved-views.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { beforeAll, expect, it } from 'vitest'
import { inviteReader } from './client-fixture.ts'
import { ConsolePage } from './console-page.ts'
import { testConsole } from './console-under-test.ts'
import { findAxeViolations } from './page-checks.ts'

const shop = testConsole()
const params = { contentType: 'audio' } as const
const groups = { malaga: '', porto: '' }

const addTheGroup = async (name: string) =>
  (await shop.client.call(addGroup, { params, body: { name } })).uid ?? ''

/** Adds a device to a group, with the version of its program that it has reported. */
async function addTheDevice(name: string, group: string, version: string): Promise<void> {
  const { uid = '' } = await shop.client.call(addDevice, { params, body: { name } })
  await shop.client.call(addToGroup, { params: { device: uid, group } })
  await asSuperuser(shop.superuserUrl, superuser =>
    superuser.query(
      `insert into device_states (device_uid, client_id, program_version) select uid, client_id, $2 from devices where uid = $1`,
      [uid, version],
    ),
  )
}

beforeAll(async () => {
  await asSuperuser(shop.superuserUrl, superuser =>
    superuser.query("update clients set plan_key = 'professional'"),
  )
  groups.malaga = await addTheGroup('Málaga shops')
  groups.porto = await addTheGroup('Porto shops')
  for (let nr = 1; nr <= 25; nr += 1) await addTheGroup(`Region ${nr}`)
  await addTheDevice('Málaga 1', groups.malaga, '2.774.0')
  await addTheDevice('Málaga 2', groups.malaga, '2.775.0')
  await addTheDevice('Porto 1', groups.porto, '2.775.0')
})

const devices = '/equipments/devices'
const button = (name: string | RegExp) =>
  shop.page.getByRole('button', typeof name === 'string' ? { name, exact: true } : { name })
const mark = (name: string | RegExp) => shop.page.getByRole('dialog').getByRole('checkbox', { name }).click()

it('the filters of devices find groups by name, several at once, and are in the address', async () => {
  await shop.visit(devices)
  await button('Group').click()
  await shop.page.getByText('More were found: type more of the name').waitFor()
  expect(await shop.page.getByRole('dialog').getByRole('checkbox').count()).toBe(21)
  const search = shop.page.getByRole('searchbox', { name: 'Find by name: Group' })
  await search.fill('malaga')
  await mark('Málaga shops')
  await search.fill('porto')
  await mark('Porto shops')
  await search.fill('')
  await new ConsolePage(shop.page, 'lists').screenshot('group filter')
  expect(await findAxeViolations(shop.page)).toEqual([])
  await shop.page.keyboard.press('Escape')
  await shop.page.getByRole('dialog').waitFor({ state: 'hidden' })
  expect(new URL(shop.page.url()).searchParams.get('group')).toBe(`${groups.malaga},${groups.porto}`)
  await shop.page.reload()
  await button('Group: Málaga shops and Porto shops').click()
  await mark('In no group')
  await button(/^Group: Málaga shops, Porto shops,? and 1 more$/).waitFor()
  await button('Clear this filter').click()
  await button('Group').waitFor()
  expect(new URL(shop.page.url()).search).toBe('')
})

it('the filters of devices name the versions that exist with their devices', async () => {
  await shop.visit(devices)
  await button('More filters').click()
  await shop.page.getByRole('menuitem', { name: 'Program version' }).click()
  const options = shop.page.getByRole('dialog').getByRole('checkbox')
  await options.first().waitFor()
  const labels = shop.page.getByRole('dialog').locator('label')
  expect(await labels.allInnerTexts()).toEqual(['2.775.0 2', 'Not reported 2', '2.774.0 1'])
  await mark(/2\.774\.0/)
  await mark(/Not reported/)
  await shop.page.keyboard.press('Escape')
  await button('Program version: 2.774.0 and Not reported').waitFor()
  await shop.page.getByRole('link', { name: 'Bakery Lane 4' }).waitFor()
  await shop.page.getByRole('link', { name: 'Málaga 1' }).waitFor()
  expect(await shop.page.getByRole('link', { name: 'Málaga 2' }).count()).toBe(0)
})

it('the filters of devices say that a group no longer exists', async () => {
  const gone = await addTheGroup('Closed shops')
  await shop.client.call(deleteGroup, { body: { uid: gone } })
  await shop.visit(`${devices}?group=${gone}`)
  await button('Group: No longer exists').waitFor()
  await shop.page.getByText('Nothing found').waitFor()
  await button('Clear search and filters').click()
  await shop.page.getByRole('link', { name: 'Porto 1' }).waitFor()
})

const item = (name: string) => shop.page.getByRole('menuitem', { name, exact: true })
const toast = (text: string) => shop.page.getByText(text).first().waitFor()
const names = () => shop.page.locator('tbody td:nth-child(2) a').allInnerTexts()
const storeNumbers = () => shop.page.getByRole('columnheader', { name: 'Store number' })

/** Shows or hides the column of store numbers. */
async function toggleStoreNumbers(): Promise<void> {
  await button('Columns').click()
  await shop.page.getByRole('checkbox', { name: 'Store number' }).click()
  await shop.page.keyboard.press('Escape')
}
const address = () => new URL(shop.page.url()).searchParams

/** Saves what the list shows as a view. */
async function saveView(name: string): Promise<void> {
  await button(/^View: /).click()
  await item('Save as a new view').click()
  const dialog = shop.page.getByRole('dialog', { name: 'Save as a new view' })
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await button(`View: ${name}`).waitFor()
}

it('saved views keep filters, order and columns, and take changes', async () => {
  await shop.visit(`${devices}?group=${groups.malaga}&sort=name&dir=desc`)
  await toggleStoreNumbers()
  await saveView('Málaga, backwards')
  const uid = address().get('view')
  expect([...address().keys()]).toEqual(['view'])
  await button('View: Málaga, backwards').click()
  await new ConsolePage(shop.page, 'lists').screenshot('view menu')
  expect(await findAxeViolations(shop.page)).toEqual([])
  await item('All').click()
  await shop.page.getByRole('link', { name: 'Porto 1' }).waitFor()
  expect(shop.page.url().endsWith(devices)).toBe(true)
  await toggleStoreNumbers()
  await storeNumbers().waitFor({ state: 'detached' })
  await shop.page.goBack()
  await storeNumbers().waitFor()
  await shop.page.reload()
  await button('Group: Málaga shops').waitFor()
  await storeNumbers().waitFor()
  await shop.page.getByRole('link', { name: 'Málaga 1' }).waitFor()
  expect(await names()).toEqual(['Málaga 2', 'Málaga 1'])
  await button('Group: Málaga shops').click()
  await button('Clear this filter').click()
  await shop.page.keyboard.press('Escape')
  await button(/^View: Málaga, backwards ?\(changed\)$/).click()
  expect(address().get('group')).toBe('')
  await item('Save the changes').click()
  await toast('View “Málaga, backwards” saved')
  await button('View: Málaga, backwards').waitFor()
  await shop.page.goto(`${shop.url}${devices}?view=${uid}`)
  await shop.page.getByRole('link', { name: 'Porto 1' }).waitFor()
  await button('Group').waitFor()
})

it('saved views are shared with others, who open them by their address and cannot change them without the rights', async () => {
  await shop.visit(`${devices}?search=porto`)
  await saveView('Porto')
  await button('View: Porto').click()
  await item('Share with all users').click()
  await toast('All users see “Porto” now')
  const link = shop.page.url()
  await shop.openPage()
  await shop.visit(link.slice(shop.url.length), await inviteReader(shop.client))
  await button('View: Porto').waitFor()
  await shop.page.getByRole('link', { name: 'Porto 1' }).waitFor()
  expect(await shop.page.getByRole('searchbox').inputValue()).toBe('porto')
  await button('View: Porto').click()
  await item('Save as a new view').waitFor()
  expect(await item('Rename the view').count()).toBe(0)
  expect(await item('Delete the view').count()).toBe(0)
  await shop.page.keyboard.press('Escape')
  await saveView('My Porto')
})

it('saved views are renamed and deleted, and an address of one that is gone says so', async () => {
  await shop.visit(`${devices}?kind=video`)
  await saveView('Screens')
  const link = shop.page.url()
  await button('View: Screens').click()
  await item('Rename the view').click()
  const dialog = shop.page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('ab')
  await dialog.getByText('At least 3 characters').waitFor()
  await dialog.getByLabel('Name').fill('All screens')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await button('View: All screens').click()
  await item('Delete the view').click()
  await dialog.getByRole('button', { name: 'Delete the view' }).click()
  await toast('View “All screens” deleted')
  await button('View: All').waitFor()
  await shop.page.goto(link)
  await shop.page.getByText('This view does not exist any more, or it is not shared with you.').waitFor()
  await shop.page.getByRole('link', { name: 'Porto 1' }).waitFor()
  await button('Close').click()
  expect(shop.page.url().endsWith(devices)).toBe(true)
})

it('saved views open without filters that a list no longer has, and say so', async () => {
  const gone = await addTheGroup('Sold shops')
  const filters = { group: `${gone},${groups.porto}`, colour: 'red' }
  const { uid } = await shop.client.call(addSavedView, {
    body: { list: 'devices', name: 'Old view', filters },
  })
  await shop.client.call(deleteGroup, { body: { uid: gone } })
  await shop.visit(`${devices}?view=${uid}`)
  await shop.page.getByText(/This view filters by something that the list no longer has: colour\./).waitFor()
  await button('Group: No longer exists and Porto shops').waitFor()
  await shop.page.getByRole('link', { name: 'Porto 1' }).waitFor()
  await button('View: Old view').waitFor()
  await new ConsolePage(shop.page, 'lists').screenshot('gone filter')
  expect(await findAxeViolations(shop.page)).toEqual([])
})

it.each(['/equipments/groups', '/media/playlists', '/deployments/publications', '/media/melodies'])(
  'saved views exist on %s',
  async path => {
    await shop.visit(`${path}?search=nothing`)
    await saveView('Nothing here')
    await shop.page.getByText('Nothing found').waitFor()
    await shop.page.reload()
    await button('View: Nothing here').waitFor()
    expect(await shop.page.getByRole('searchbox').inputValue()).toBe('nothing')
  },
)
