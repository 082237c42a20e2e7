import { addPublication } from '@floorcast/contract/publications.ts'
import { addDevice } from '@floorcast/contract/devices.ts'
import { addGroup, addToGroup } from '@floorcast/contract/groups.ts'
import { addPlaylist } from '@floorcast/contract/playlists.ts'
import { it } from 'vitest'
import { testConsole } from './console-under-test.ts'

const shop = testConsole()
const audio = { contentType: 'audio' } as const

const addGroups = (names: readonly string[]) =>
  Promise.all(
    names.map(async name => (await shop.client.call(addGroup, { params: audio, body: { name } })).uid ?? ''),
  )
const row = (name: string) => shop.page.getByRole('link', { name, exact: true })
const confirm = () =>
  shop.page.getByRole('dialog').getByRole('button', { name: 'Move to the recycle bin' }).click()
const undo = () => shop.page.getByRole('status').getByRole('button', { name: 'Undo' }).click()

it('moving to the recycle bin is undone from the toast: a group comes back with its devices', async () => {
  const [group = ''] = await addGroups(['Harbour shops'])
  const device = await shop.client.call(addDevice, { params: audio, body: { name: 'Pier 1' } })
  await shop.client.call(addToGroup, { params: { device: device.uid ?? '', group } })
  await shop.visit(`/equipments/groupsOne/${group}`)
  await shop.page.getByRole('button', { name: 'More actions' }).click()
  await shop.page.getByRole('menuitem', { name: 'Move to the recycle bin' }).click()
  await confirm()
  await shop.heading('Groups')
  await row('Harbour shops').waitFor({ state: 'detached' })
  await undo()
  await shop.page.getByText('1 item restored').waitFor()
  await row('Harbour shops').click()
  await row('Pier 1').waitFor()
})

it('moving to the recycle bin does what it can of a selection, names what stays, and is undone whole', async () => {
  const [used = ''] = await addGroups(['Airport shops', 'Airport lounges', 'Airport kiosks'])
  const playlist = await shop.client.call(addPlaylist, { params: audio, body: { name: 'Departures' } })
  const body = { name: 'At the gates', groupUid: used, playlistUid: playlist.uid ?? '' }
  await shop.client.call(addPublication, { params: audio, body })
  await shop.visit('/equipments/groups?search=airport')
  await row('Airport kiosks').waitFor()
  await shop.page.getByRole('checkbox', { name: 'Select every row of this page' }).check()
  const actions = shop.page.getByRole('region', { name: 'Actions for the selection' })
  await actions.getByRole('button', { name: 'Move to the recycle bin' }).click()
  await shop.page.getByRole('dialog', { name: 'Delete 3 groups?' }).waitFor()
  const dialog = shop.page.getByRole('dialog')
  await dialog.getByText('2 items go to the recycle bin and can be restored for 30 days.').waitFor()
  await dialog.getByText('1 is in use and stays.').waitFor()
  await confirm()
  await dialog.getByText('2 groups moved to the recycle bin').waitFor()
  const stayed = dialog.getByRole('listitem').filter({ hasText: 'Airport shops' })
  await stayed.getByText('Not deleted: it is still in use by At the gates').waitFor()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await row('Airport kiosks').waitFor({ state: 'detached' })
  await row('Airport shops').waitFor()
  await undo()
  await shop.page.getByText('2 items restored').waitFor()
  await row('Airport kiosks').waitFor()
  await row('Airport lounges').waitFor()
})

it('moving to the recycle bin takes all that match, on every page', async () => {
  await addGroups(Array.from({ length: 12 }, (_, at) => `Market hall ${at + 1}`))
  await shop.visit('/equipments/groups?search=%22market%20hall%22')
  await row('Market hall 1').waitFor()
  await shop.page.getByRole('checkbox', { name: 'Select every row of this page' }).check()
  await shop.page.getByRole('button', { name: 'Select all 12 that match' }).click()
  const actions = shop.page.getByRole('region', { name: 'Actions for the selection' })
  await actions.getByRole('button', { name: 'Move to the recycle bin' }).click()
  await confirm()
  await shop.page.getByText('12 groups moved to the recycle bin').waitFor()
  await shop.page.getByText('Nothing found').waitFor()
})
