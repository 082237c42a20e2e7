import { readDevice } from '@floorcast/contract/devices.ts'
import { addGroup, readGroup } from '@floorcast/contract/groups.ts'
import { addChannel, listChannels } from '@floorcast/contract/update-channels.ts'
import { addPackage, readPackage } from '@floorcast/contract/update-packages.ts'
import { beforeAll, expect, it } from 'vitest'
import { createdUid } from './client-fixture.ts'
import { ConsolePage } from './console-page.ts'
import { testConsole } from './console-under-test.ts'

const shop = testConsole()
const params = { contentType: 'audio' } as const
const made = { group: '', package: '' }

const addTheGroup = async (name: string) =>
  createdUid(await shop.client.call(addGroup, { params, body: { name } }))
const readTheGroup = (id = made.group) => shop.client.call(readGroup, { params: { id } })

beforeAll(async () => {
  const { call } = shop.client
  made.group = await addTheGroup('Harbour')
  const body = { name: 'Player', category: 'player', version: '2.776.0' }
  made.package = createdUid(await call(addPackage, { body }))
  createdUid(await call(addChannel, { body: { name: 'Stable' } }))
})

const field = (name: string) => shop.page.getByRole('textbox', { name: `New name of ${name}` })
const press = (key: string) => shop.page.keyboard.press(key)
const undo = () => shop.page.getByRole('button', { name: 'Undo' }).last().click()
const openGroup = () => shop.visit(`/equipments/groupsOne/${made.group}`)

/** Selects what the field has, as it is after opening, and types over it. */
async function type(name: string, next: string): Promise<void> {
  await field(name).waitFor()
  await shop.page.keyboard.type(next)
}

it('the name of a page is changed by a click on it, and saved by going elsewhere', async () => {
  await openGroup()
  await shop.page.getByRole('heading', { level: 1, name: 'Harbour' }).click()
  await type('Harbour', 'Harbour south')
  await shop.page.getByRole('link', { name: 'Devices', exact: true }).click()
  await shop.heading('Devices')
  await expect.poll(async () => (await readTheGroup()).name).toBe('Harbour south')
  await undo()
  await expect.poll(async () => (await readTheGroup()).name).toBe('Harbour')
})

it('the name of a page may be that of another device, which is said', async () => {
  await shop.visit(`/equipments/devicesOne/${shop.deviceUid}`)
  await shop.heading('Bakery Lane 4')
  await press('F2')
  await type('Bakery Lane 4', 'Central Station')
  await shop.page.getByText('Another device has this name').waitFor()
  await new ConsolePage(shop.page, 'rename').screenshot('same name')
  await press('Enter')
  await shop.heading('Central Station')
  await expect.poll(() => shop.page.title()).toBe('Central Station · Floorcast')
  await undo()
  await shop.heading('Bakery Lane 4')
  expect(await shop.client.call(readDevice, { params: { id: shop.deviceUid } })).toMatchObject({
    name: 'Bakery Lane 4',
  })
})

it("the name of a page of a package is without the package's version", async () => {
  await shop.visit(`/updates/packageOne/${made.package}`)
  await shop.heading('Player 2.776.0')
  await press('F2')
  await type('Player', 'Agent')
  await press('Enter')
  await shop.heading('Agent 2.776.0')
  const read = await shop.client.call(readPackage, { params: { id: made.package } })
  expect(read).toMatchObject({ name: 'Agent', version: '2.776.0' })
})

const row = (name: string) => shop.page.getByRole('row').filter({ hasText: name })

it('the name in a row is changed where a row has no page', async () => {
  await shop.visit('/updates/channels')
  await row('Stable').focus()
  await press('F2')
  await type('Stable', 'Early')
  await press('Enter')
  await shop.page.getByRole('cell', { name: 'Early', exact: true }).waitFor()
  const { items } = await shop.client.call(listChannels, {})
  expect(items.map(({ name }) => name)).toEqual(['Early'])
})
