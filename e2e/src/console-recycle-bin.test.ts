import { addDevice, deleteDevice } from '@floorcast/contract/devices.ts'
import { addGroup, deleteGroup, listGroups } from '@floorcast/contract/groups.ts'
import { deleteMedia } from '@floorcast/contract/media.ts'
import { addPlaylist, addTrack, deletePlaylist } from '@floorcast/contract/playlists.ts'
import { addPublication, deletePublication } from '@floorcast/contract/publications.ts'
import { listBin } from '@floorcast/contract/recycle-bin.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { describe, expect, it } from 'vitest'
import { createdUid, inviteViewingAdmin, uploadFile } from './client-fixture.ts'
import { ConsolePage } from './console-page.ts'
import { testConsole } from './console-under-test.ts'
import { chooseFromMenu, goByPalette, pressButton } from './keyboard.ts'
import { findAxeViolations } from './page-checks.ts'

const shop = testConsole()
const params = { contentType: 'audio' } as const

const addGroups = (names: readonly string[]) =>
  Promise.all(
    names.map(async name => createdUid(await shop.client.call(addGroup, { params, body: { name } }))),
  )
const binGroups = async (names: readonly string[]) => {
  const uids = await addGroups(names)
  for (const uid of uids) await shop.client.call(deleteGroup, { body: { uid } })
  return uids
}

/** A publication in the bin, with its group and its playlist. */
async function binPublication(name: string) {
  const { call } = shop.client
  const [groupUid = ''] = await addGroups([`${name} group`])
  const playlistUid = createdUid(await call(addPlaylist, { params, body: { name: `${name} playlist` } }))
  const uid = createdUid(await call(addPublication, { params, body: { name, groupUid, playlistUid } }))
  await call(deletePublication, { body: { uid } })
  await call(deletePlaylist, { body: { uid: playlistUid } })
  await call(deleteGroup, { body: { uid: groupUid } })
  return { uid, groupUid, playlistUid }
}

const row = (name: string) => shop.page.getByRole('row').filter({ hasText: name })
const menuOf = (name: string) => shop.page.getByRole('button', { name: `Actions for ${name}`, exact: true })
const dialog = () => shop.page.getByRole('dialog')
const choose = async (name: string, entry: string) => {
  await menuOf(name).click()
  await shop.page.getByRole('menuitem', { name: entry }).click()
}
const groupNames = async (search: string) => {
  const { items } = await shop.client.call(listGroups, {
    params: { x: 'all' },
    query: { search, sort: 'name', size: 50 },
  })
  return items.map(({ name }) => name)
}

describe('the recycle bin', () => {
  it('gives back by the keyboard alone what was deleted by it', async () => {
    await addGroups(['Harbour shops'])
    const { page } = shop
    await shop.visit('/equipments/groups?search=harbour')
    await chooseFromMenu(page, menuOf('Harbour shops'), 'Move to the recycle bin')
    await pressButton(page, dialog().getByRole('button', { name: 'Move to the recycle bin' }))
    await page.getByText('Nothing found').waitFor()
    await dialog().waitFor({ state: 'hidden' })
    await goByPalette(page, 'Deleted groups')
    await row('Harbour shops').getByText(shop.owner.email).waitFor()
    await row('Harbour shops').getByText('30 days').waitFor()
    await new ConsolePage(page, 'recycle-bin').screenshot('groups')
    expect(await findAxeViolations(page)).toEqual([])
    await chooseFromMenu(page, menuOf('Harbour shops'), 'Restore')
    await page.getByText('“Harbour shops” restored').waitFor()
    await menuOf('Harbour shops').waitFor({ state: 'detached' })
    expect(await groupNames('harbour')).toEqual(['Harbour shops'])
  })

  it('is a click away from what was deleted', async () => {
    await addGroups(['Ferry shops'])
    await shop.visit('/equipments/groups?search=ferry')
    await choose('Ferry shops', 'Move to the recycle bin')
    await dialog().getByRole('button', { name: 'Move to the recycle bin' }).click()
    await shop.page.getByRole('status').getByRole('button', { name: 'Recycle bin' }).click()
    await shop.heading('Deleted groups')
    await row('Ferry shops').waitFor()
  })

  it('leads from the message to the restored item, whose name was taken', async () => {
    const [uid] = await binGroups(['Airport shops'])
    await addGroups(['Airport shops'])
    await shop.visit('/trash/groupsTrash?search=airport')
    await choose('Airport shops', 'Restore')
    const told = shop.page.getByRole('status').filter({
      hasText:
        '“Airport shops” restored as “Airport shops - restored”, because another one has that name now',
    })
    await told.getByRole('button', { name: 'Open' }).click()
    await shop.heading('Airport shops - restored')
    expect(new URL(shop.page.url()).pathname).toBe(`/equipments/groupsOne/${uid}`)
  })

  it('keeps what another item in it needs, names that one and leads to it', async () => {
    await binPublication('Summer sale')
    await shop.visit('/trash/groupsTrash?search=summer')
    await choose('Summer sale group', 'Delete for good')
    await dialog().getByText('1 is needed by another item in the recycle bin and stays').waitFor()
    expect(await dialog().getByRole('button', { name: 'Delete for good' }).count()).toBe(0)
    await new ConsolePage(shop.page, 'recycle-bin-needed').screenshot('group')
    expect(await findAxeViolations(shop.page)).toEqual([])
    await dialog().getByRole('link', { name: 'Summer sale' }).click()
    await shop.heading('Deleted publications')
    await choose('Summer sale', 'Delete for good')
    await dialog().getByText('This cannot be undone').waitFor()
    await dialog().getByRole('button', { name: 'Delete for good' }).click()
    await shop.page.getByText('“Summer sale” deleted for good').waitFor()
    await shop.page.goBack()
    await shop.heading('Deleted groups')
    await choose('Summer sale group', 'Delete for good')
    await dialog().getByRole('button', { name: 'Delete for good' }).click()
    await shop.page.getByText('“Summer sale group” deleted for good').waitFor()
    await shop.page.getByText('Nothing found').waitFor()
  })

  it('restores a publication together with the group and the playlist that it needs', async () => {
    const { uid } = await binPublication('Winter sale')
    await shop.visit('/trash/publicationsTrash?search=winter')
    await choose('Winter sale', 'Restore')
    await dialog().getByRole('link', { name: 'Winter sale group' }).waitFor()
    await dialog().getByRole('link', { name: 'Winter sale playlist' }).waitFor()
    expect(await findAxeViolations(shop.page)).toEqual([])
    await dialog().getByRole('button', { name: 'Restore all' }).click()
    await shop.page.getByRole('status').getByRole('button', { name: 'Open' }).click()
    await shop.heading('Winter sale')
    expect(new URL(shop.page.url()).pathname).toBe(`/deployments/publicationsOne/${uid}`)
    expect(await groupNames('winter')).toEqual(['Winter sale group'])
  })

  it('says how much storage a purge of media frees, and what of a selection stays and why', async () => {
    const { call } = shop.client
    const songs = await writeSongs(shop.folder, { count: 2, seconds: 3 })
    const uids: string[] = []
    for (const { path } of songs) uids.push(await uploadFile(shop.client, 'melodies', path))
    const playlist = createdUid(await call(addPlaylist, { params, body: { name: 'Old mix' } }))
    await call(addTrack, { params: { track: uids[0] ?? '', playlist } })
    await call(deletePlaylist, { body: { uid: playlist } })
    for (const uid of uids) await call(deleteMedia, { params: { contentType: 'melodies' }, body: { uid } })
    await shop.visit('/trash')
    await shop.heading('Deleted media')
    await shop.page.getByRole('button', { name: 'Empty this bin' }).click()
    await dialog().getByText('1 item will be deleted for good.').waitFor()
    await dialog()
      .getByText(/^This frees .+ of storage\.$/)
      .waitFor()
    await dialog().getByText('1 is needed by another item in the recycle bin and stays').waitFor()
    await dialog().getByRole('button', { name: 'Delete for good' }).click()
    const stayed = dialog().getByRole('listitem')
    await stayed.getByText('Not deleted: it is in Old mix').waitFor()
    await dialog().getByRole('button', { name: 'Close' }).last().click()
    const left = await call(listBin, { params: { x: 'media' } })
    expect(left.items.map(({ uid }) => uid)).toEqual([uids[0]])
  })

  it('restores a selection, names what the plan does not allow, and leads to the plans', async () => {
    const { call } = shop.client
    for (const name of ['Quay 1', 'Quay 2']) {
      const uid = createdUid(await call(addDevice, { params, body: { name } }))
      await call(deleteDevice, { body: { uid } })
    }
    await shop.visit('/trash/devicesTrash?search=quay')
    await shop.page.getByRole('checkbox', { name: 'Select every row of this page' }).check()
    const actions = shop.page.getByRole('region', { name: 'Actions for the selection' })
    await actions.getByRole('button', { name: 'Restore' }).click()
    await dialog().getByText('1 item will be restored.').waitFor()
    const line = dialog().getByRole('listitem')
    await line.getByText('Over your plan’s limit: 1 device.').waitFor()
    await line.getByRole('link', { name: 'Compare plans' }).waitFor()
    await dialog().getByRole('button', { name: 'Restore' }).click()
    await line.getByText('Your plan allows 3 devices, and you have them all').waitFor()
    const { items, total } = await call(listBin, { params: { x: 'devices' } })
    expect(total).toBe(1)
    await line.getByRole('link', { name: 'Compare plans' }).click()
    await shop.heading('Plans')
    // One by one, a toast says it.
    await shop.visit('/trash/devicesTrash?search=quay')
    await choose(items[0]?.name ?? '', 'Restore')
    await shop.page.getByRole('alert').getByRole('button', { name: 'Compare plans' }).click()
    await shop.heading('Plans')
  })

  it('is shown to admins with view-only access without a button that they may not use', async () => {
    await binGroups(['Station shops'])
    const admin = await inviteViewingAdmin(shop.client)
    await shop.visit('/trash/groupsTrash?search=station', admin)
    await row('Station shops').waitFor()
    expect(await menuOf('Station shops').count()).toBe(0)
    expect(await shop.page.getByRole('checkbox').count()).toBe(0)
    await shop.visit('/trash/groupsTrash', admin)
    await row('Station shops').waitFor()
    expect(await shop.page.getByRole('button', { name: 'Empty this bin' }).count()).toBe(0)
  })
})
