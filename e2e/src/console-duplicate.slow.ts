import { editProfile, readProfileCard } from '@floorcast/contract/device-profiles.ts'
import { addGroup, addToGroup, readGroup } from '@floorcast/contract/groups.ts'
import { addPlaylist, addTrack, readPlaylistWithTracks } from '@floorcast/contract/playlists.ts'
import { addPublication, readPublication } from '@floorcast/contract/publications.ts'
import { addTag, listTags } from '@floorcast/contract/tag-calls.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { beforeAll, expect, it } from 'vitest'
import { createdUid, uploadFile } from './client-fixture.ts'
import { ConsolePage } from './console-page.ts'
import { testConsole } from './console-under-test.ts'
import { chooseFromMenu } from './keyboard.ts'
import { findAxeViolations } from './page-checks.ts'

const shop = testConsole()
const params = { contentType: 'audio' } as const
const made = { group: '', playlist: '', publication: '', profile: '' }

beforeAll(async () => {
  const { call } = shop.client
  const [song] = await writeSongs(shop.folder, { count: 1, seconds: 3 })
  const track = await uploadFile(shop.client, 'melodies', song?.path ?? '')
  made.group = createdUid(await call(addGroup, { params, body: { name: 'Harbour' } }))
  await call(addToGroup, { params: { device: shop.deviceUid, group: made.group } })
  const tag = { key: 'city', value: 'Porto' }
  await call(addTag, { params: { contentType: 'group', uid: made.group }, body: tag })
  made.playlist = createdUid(await call(addPlaylist, { params, body: { name: 'Calm' } }))
  await call(addTrack, { params: { track, playlist: made.playlist } })
  const body = { name: 'Spring', groupUid: made.group, playlistUid: made.playlist }
  made.publication = createdUid(await call(addPublication, { params, body }))
  const settings = { defaultVolume: 40 }
  const profile = { name: 'Quiet', type: 'audio' as const, settings, groupUids: [made.group] }
  made.profile = createdUid(await call(editProfile, { body: profile }))
})

const dialog = () => shop.page.getByRole('dialog', { name: /^Duplicate / })
const nameField = () => dialog().getByRole('textbox', { name: 'Name' })
const rowMenu = (name: string) =>
  shop.page.getByRole('row').filter({ hasText: name }).first().locator('[aria-haspopup=menu]')
const uidOnPage = () => new URL(shop.page.url()).pathname.split('/').at(-1) ?? ''

/** Opens the dialog from the menu of the page that is open. */
async function duplicate(): Promise<void> {
  await shop.page.getByRole('button', { name: 'More actions' }).click()
  await shop.page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await nameField().waitFor()
}

/** Makes the copy. @returns its uid */
async function confirm(name: string): Promise<string> {
  await dialog().getByRole('button', { name: 'Duplicate' }).click()
  await shop.heading(name)
  return uidOnPage()
}

it('a copy of a group has its tags and no devices, under a free name, by the keyboard alone', async () => {
  await shop.visit('/equipments/groups')
  await chooseFromMenu(shop.page, rowMenu('Harbour'), 'Duplicate')
  await nameField().waitFor()
  expect(await nameField().inputValue()).toBe('Harbour - copy')
  await dialog().getByText('It has no devices').waitFor()
  await new ConsolePage(shop.page, 'duplicate').screenshot('group')
  expect(await findAxeViolations(shop.page)).toEqual([])
  await expect.poll(() => nameField().evaluate(field => field === document.activeElement)).toBe(true)
  await shop.page.keyboard.press('Enter')
  await shop.heading('Harbour - copy')
  const uid = uidOnPage()
  const read = await shop.client.call(readGroup, { params: { id: uid } })
  expect(read).toMatchObject({ state: 'paused', deviceCount: 0 })
  const tags = await shop.client.call(listTags, { params: { contentType: 'group', uid } })
  expect(tags).toMatchObject([{ key: 'city', value: 'Porto' }])
  await duplicate()
  expect(await nameField().inputValue()).toBe('Harbour - copy 2')
  await nameField().fill('a')
  await dialog().getByText('At least 3 characters').waitFor()
  await nameField().fill('Harbour east')
  await confirm('Harbour east')
})

it('a copy of a playlist has its tracks; while it is made, a message says so', async () => {
  await shop.visit(`/media/playlistsOne/${made.playlist}`)
  await duplicate()
  expect(await nameField().inputValue()).toBe('Calm - copy')
  await shop.page.route('**/playlist/clone/**', async route => {
    await new Promise(resolve => setTimeout(resolve, 2_000))
    await route.continue()
  })
  await nameField().fill('Calm evening')
  await dialog().getByRole('button', { name: 'Duplicate' }).click()
  await dialog().getByText('Making the copy…').waitFor()
  await new ConsolePage(shop.page, 'duplicate').screenshot('waiting')
  await shop.heading('Calm evening')
  const read = await shop.client.call(readPlaylistWithTracks, { params: { id: uidOnPage() }, query: {} })
  expect(read).toMatchObject({ name: 'Calm evening', state: 'paused' })
  expect(read.items).toHaveLength(1)
})

it('a copy of a publication is turned off; of a profile it has its settings and no groups', async () => {
  await shop.visit(`/deployments/publicationsOne/${made.publication}`)
  await duplicate()
  const publication = await confirm('Spring - copy')
  expect(await shop.client.call(readPublication, { params: { id: publication } })).toMatchObject({
    state: 'disabled',
    group: { uid: made.group },
    playlist: { uid: made.playlist },
  })
  await shop.visit(`/security/profileOne/${made.profile}`)
  await duplicate()
  const profile = await confirm('Quiet - copy')
  expect(await shop.client.call(readProfileCard, { params: { id: profile } })).toMatchObject({
    state: 'paused',
    settings: { defaultVolume: 40 },
    groups: [],
  })
})

it('a copy that is refused says so in the dialog, and nothing is lost', async () => {
  await shop.visit('/deployments/publications')
  await rowMenu('Spring').click()
  await shop.page.getByRole('menuitem', { name: 'Duplicate' }).click()
  await nameField().fill('Summer')
  await shop.page.route('**/deploy/add/**', route => route.abort())
  await dialog().getByRole('button', { name: 'Duplicate' }).click()
  await dialog().getByRole('alert').waitFor()
  expect(await nameField().inputValue()).toBe('Summer')
  await shop.page.unroute('**/deploy/add/**')
  await confirm('Summer')
})
