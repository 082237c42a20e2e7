import { editDevice, readDevice } from '@floorcast/contract/devices.ts'
import { addGroup, changeGroupState, editGroup, readGroup } from '@floorcast/contract/groups.ts'
import { addChannel, listChannels } from '@floorcast/contract/update-channels.ts'
import { addPackage, readPackage } from '@floorcast/contract/update-packages.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { createdUid, inviteReader } from './client-fixture.ts'
import { ConsolePage } from './console-page.ts'
import { testConsole } from './console-under-test.ts'
import { chooseFromMenu, tabTo } from './keyboard.ts'
import { findAxeViolations } from './page-checks.ts'

const shop = testConsole()
const params = { contentType: 'audio' } as const
const made = { group: '', active: '', package: '' }

const addTheGroup = async (name: string) =>
  createdUid(await shop.client.call(addGroup, { params, body: { name } }))
const readTheGroup = (id = made.group) => shop.client.call(readGroup, { params: { id } })

beforeAll(async () => {
  const { call } = shop.client
  made.group = await addTheGroup('Harbour')
  made.active = await addTheGroup('City shops')
  await call(changeGroupState, { params: { id: made.active }, query: { from: 'paused' } })
  const body = { name: 'Player', category: 'player', version: '2.776.0' }
  made.package = createdUid(await call(addPackage, { body }))
  createdUid(await call(addChannel, { body: { name: 'Stable' } }))
})

const pencil = () => shop.page.getByRole('button', { name: 'Rename', exact: true })
const field = (name: string) => shop.page.getByRole('textbox', { name: `New name of ${name}` })
const press = (key: string) => shop.page.keyboard.press(key)
const undo = () => shop.page.getByRole('button', { name: 'Undo' }).last().click()
const openGroup = () => shop.visit(`/equipments/groupsOne/${made.group}`)

/** Selects what the field has, as it is after opening, and types over it. */
async function type(name: string, next: string): Promise<void> {
  await field(name).waitFor()
  await shop.page.keyboard.type(next)
}

describe('the name of a page', () => {
  it('is changed by the keyboard alone: by its pencil or F2, Enter saves, Escape restores', async () => {
    await openGroup()
    await shop.heading('Harbour')
    await tabTo(shop.page, pencil())
    await press('Enter')
    await type('Harbour', 'No')
    await shop.page.getByText('At least 3 characters').waitFor()
    await new ConsolePage(shop.page, 'rename').screenshot('rule')
    expect(await findAxeViolations(shop.page)).toEqual([])
    await press('Escape')
    await shop.heading('Harbour')
    await expect.poll(() => pencil().evaluate(element => element === document.activeElement)).toBe(true)
    await press('F2')
    await type('Harbour', 'Harbour north')
    await press('Enter')
    await shop.heading('Harbour north')
    expect((await readTheGroup()).name).toBe('Harbour north')
    await expect.poll(() => shop.page.title()).toBe('Harbour north · Floorcast')
    await undo()
    await shop.heading('Harbour')
    expect((await readTheGroup()).name).toBe('Harbour')
  })

  it('is changed by a click on it, and saved by going elsewhere', async () => {
    await openGroup()
    await shop.page.getByRole('heading', { level: 1, name: 'Harbour' }).click()
    await type('Harbour', 'Harbour south')
    await shop.page.getByRole('link', { name: 'Devices', exact: true }).click()
    await shop.heading('Devices')
    await shop.page.getByText('The name is now “Harbour south”').waitFor()
    await expect.poll(async () => (await readTheGroup()).name).toBe('Harbour south')
    await undo()
    await expect.poll(async () => (await readTheGroup()).name).toBe('Harbour')
  })

  it('is not overwritten when somebody else has changed it, and Undo overwrites nothing either', async () => {
    await openGroup()
    await shop.heading('Harbour')
    await press('F2')
    await type('Harbour', 'Mine')
    await shop.client.call(editGroup, { body: { uid: made.group, name: 'Theirs' } })
    await shop.page.waitForTimeout(1_500)
    expect(await field('Theirs').inputValue()).toBe('Mine')
    await press('Enter')
    await shop.page.getByRole('alert').getByText('Its name is now “Theirs”').waitFor()
    expect((await readTheGroup()).name).toBe('Theirs')
    await new ConsolePage(shop.page, 'rename').screenshot('conflict')
    await press('Enter')
    await shop.heading('Mine')
    await shop.client.call(editGroup, { body: { uid: made.group, name: 'Harbour' } })
    await undo()
    await shop.page.getByText('Someone else changed this').waitFor()
    expect((await readTheGroup()).name).toBe('Harbour')
  })

  it('stays while a group is active or its reader may not change it', async () => {
    await shop.visit(`/equipments/groupsOne/${made.active}`)
    await shop.heading('City shops')
    await press('F2')
    await shop.page.getByRole('heading', { level: 1 }).click()
    expect(await pencil().count()).toBe(0)
    expect(await field('City shops').count()).toBe(0)
  })

  it('is shown to a reader only', async () => {
    await shop.visit(`/equipments/groupsOne/${made.group}`, await inviteReader(shop.client))
    await shop.heading('Harbour')
    await press('F2')
    expect(await pencil().count()).toBe(0)
    expect(await field('Harbour').count()).toBe(0)
  })

  it('may be that of another device, which is said', async () => {
    await shop.visit(`/equipments/devicesOne/${shop.deviceUid}`)
    await shop.heading('Bakery Lane 4')
    await press('F2')
    await type('Bakery Lane 4', 'Central Station')
    await shop.page.getByText('Another device has this name').waitFor()
    await new ConsolePage(shop.page, 'rename').screenshot('same name')
    await press('Enter')
    await shop.heading('Central Station')
    await undo()
    await shop.heading('Bakery Lane 4')
    expect(await shop.client.call(readDevice, { params: { id: shop.deviceUid } })).toMatchObject({
      name: 'Bakery Lane 4',
    })
  })

  it("of a package is without the package's version", async () => {
    await shop.visit(`/updates/packageOne/${made.package}`)
    await shop.heading('Player 2.776.0')
    await press('F2')
    await type('Player', 'Agent')
    await press('Enter')
    await shop.heading('Agent 2.776.0')
    const read = await shop.client.call(readPackage, { params: { id: made.package } })
    expect(read).toMatchObject({ name: 'Agent', version: '2.776.0' })
  })

  it('has the width of a phone', async () => {
    await openGroup()
    await shop.page.setViewportSize({ width: 400, height: 860 })
    await pencil().click()
    await field('Harbour').waitFor()
    const box = await field('Harbour').boundingBox()
    expect(box?.width).toBeGreaterThan(240)
    await new ConsolePage(shop.page, 'rename').screenshot('phone')
    await shop.page.getByRole('button', { name: 'Cancel' }).click()
    await shop.heading('Harbour')
  })
})

describe('the name in a row', () => {
  const row = (name: string) => shop.page.getByRole('row').filter({ hasText: name })

  it('is changed by F2, and the row has the focus again', async () => {
    await shop.visit('/equipments/groups')
    await row('Harbour').focus()
    await press('F2')
    await type('Harbour', 'Harbour west')
    await new ConsolePage(shop.page, 'rename').screenshot('row')
    expect(await findAxeViolations(shop.page)).toEqual([])
    await press('Enter')
    await shop.page.getByRole('link', { name: 'Harbour west' }).waitFor()
    await expect.poll(() => row('Harbour west').evaluate(one => one === document.activeElement)).toBe(true)
    await undo()
    await shop.page.getByRole('link', { name: 'Harbour', exact: true }).waitFor()
  })

  it('is changed by the menu of the row, not where the group is active', async () => {
    await shop.visit('/equipments/groups')
    await chooseFromMenu(shop.page, row('Harbour').locator('[aria-haspopup=menu]'), 'Rename')
    await type('Harbour', 'Harbour east')
    await press('Enter')
    await shop.page.getByRole('link', { name: 'Harbour east' }).waitFor()
    await undo()
    await shop.page.getByRole('link', { name: 'Harbour', exact: true }).waitFor()
    await row('City shops').locator('[aria-haspopup=menu]').click()
    await shop.page.getByRole('menuitem', { name: 'Move to the recycle bin' }).waitFor()
    expect(await shop.page.getByRole('menuitem', { name: 'Rename' }).count()).toBe(0)
  })

  it('is not overwritten when somebody else has changed it', async () => {
    await shop.visit('/equipments/devices')
    await row('Bakery Lane 4').focus()
    const isRead = shop.page.waitForResponse(/\/device\/qcard\//)
    await press('F2')
    await type('Bakery Lane 4', 'Bakery Lane 5')
    await isRead
    await shop.client.call(editDevice, { body: { uid: shop.deviceUid, description: 'Moved' } })
    await press('Enter')
    await shop.page.getByRole('alert').getByText('Its name is now “Bakery Lane 4”').waitFor()
    await press('Escape')
    await shop.page.getByRole('link', { name: 'Bakery Lane 4' }).waitFor()
    const read = await shop.client.call(readDevice, { params: { id: shop.deviceUid } })
    expect(read).toMatchObject({ name: 'Bakery Lane 4', description: 'Moved' })
  })

  it('is changed where a row has no page', async () => {
    await shop.visit('/updates/channels')
    await row('Stable').focus()
    await press('F2')
    await type('Stable', 'Early')
    await press('Enter')
    await shop.page.getByRole('cell', { name: 'Early', exact: true }).waitFor()
    const { items } = await shop.client.call(listChannels, {})
    expect(items.map(({ name }) => name)).toEqual(['Early'])
  })
})
