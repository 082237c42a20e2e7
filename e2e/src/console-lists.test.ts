import { addDevice } from '@floorcast/contract/devices.ts'
import { addGroup, addToGroup, deleteGroup } from '@floorcast/contract/groups.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { beforeAll, describe, expect, it } from 'vitest'
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

describe('the filters of devices', () => {
  it('find groups by name, several at once, and are in the address', async () => {
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

  it('name the versions that exist with their devices', async () => {
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

  it('say that a group no longer exists', async () => {
    const gone = await addTheGroup('Closed shops')
    await shop.client.call(deleteGroup, { body: { uid: gone } })
    await shop.visit(`${devices}?group=${gone}`)
    await button('Group: No longer exists').waitFor()
    await shop.page.getByText('Nothing found').waitFor()
    await button('Clear search and filters').click()
    await shop.page.getByRole('link', { name: 'Porto 1' }).waitFor()
  })
})
