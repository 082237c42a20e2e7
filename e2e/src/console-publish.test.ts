import { addDevice } from '@floorcast/contract/devices.ts'
import { addGroup, listGroups } from '@floorcast/contract/groups.ts'
import { addPlaylist, addTrack } from '@floorcast/contract/playlists.ts'
import { listPublications } from '@floorcast/contract/publications.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { uploadFile } from './client-fixture.ts'
import { ConsolePage } from './console-page.ts'
import { testConsole } from './console-under-test.ts'
import { findAxeViolations, measureOverflow } from './page-checks.ts'

const shop = testConsole()
const made = { playlist: '', other: '', empty: '', group: '' }
const params = { contentType: 'audio' } as const

async function addList(name: string, track: string): Promise<string> {
  const { call } = shop.client
  const { uid = '' } = await call(addPlaylist, { params, body: { name } })
  if (track) await call(addTrack, { params: { track, playlist: uid } })
  return uid
}

beforeAll(async () => {
  const [song] = await writeSongs(shop.folder, { count: 1, seconds: 4 })
  const track = await uploadFile(shop.client, 'melodies', song?.path ?? '')
  made.playlist = await addList('Morning calm', track)
  made.other = await addList('Evening calm', track)
  made.empty = await addList('Nothing yet', '')
  made.group = (await shop.client.call(addGroup, { params, body: { name: 'Empty shops' } })).uid ?? ''
})

const sheet = () => shop.page.getByRole('dialog', { name: 'Publish a playlist' })
const publishNow = () => sheet().getByRole('button', { name: 'Publish now' })
const choose = async (field: string, option: RegExp) => {
  await sheet().getByRole('combobox', { name: field }).click()
  await shop.page.getByRole('option', { name: option }).click()
}
const publications = async () =>
  (await shop.client.call(listPublications, { params: { x: 'all' } })).items.map(({ name }) => name)

describe('the Publish sheet', () => {
  it('is a part of the address: it opens again after a reload, and Back closes it', async () => {
    await shop.visit('/deployments/publications')
    await shop.page.getByRole('link', { name: 'Publish' }).first().click()
    await sheet().waitFor()
    await shop.page.reload()
    await sheet().waitFor()
    await shop.page.goBack()
    await sheet().waitFor({ state: 'hidden' })
  })

  it('says beforehand that a group has no device and that a playlist is empty', async () => {
    await shop.visit(`/equipments/groupsOne/${made.group}`)
    await shop.page.getByRole('link', { name: 'Publish' }).click()
    await choose('Playlist', /Morning calm/)
    await sheet().getByText('Activates “Empty shops” (being edited now).').waitFor()
    await sheet().getByText('No device is in “Empty shops”: nothing plays until you add one.').waitFor()
    expect(await publishNow().isEnabled()).toBe(true)
    await choose('Playlist', /Nothing yet/)
    await sheet().getByText('The playlist is empty: add tracks first').waitFor()
    expect(await publishNow().isDisabled()).toBe(true)
    expect(await publications()).toEqual([])
  })

  it('says beforehand that a device has no room for the files', async () => {
    const device = await asSuperuser(shop.superuserUrl, async superuser => {
      const { rows } = await superuser.query<{ uid: string }>(
        `insert into device_states (device_uid, client_id, last_contact_at, memory_size_bytes)
         select uid, client_id, now(), 1000 from devices where name = 'Central Station' and client_id = $1
         returning device_uid as uid`,
        [shop.clientId],
      )
      return rows[0]?.uid
    })
    await shop.visit(`/equipments/devicesOne/${device}`)
    await shop.page.getByRole('link', { name: 'Publish' }).click()
    await choose('Playlist', /Morning calm/)
    await sheet()
      .getByText(/1 device has less storage than the .+ of the playlist/)
      .waitFor()
    expect(await publications()).toEqual([])
  })

  it('asks for the group once the playlist is chosen', async () => {
    await shop.visit('/deployments/publications')
    await shop.page.getByRole('link', { name: 'Publish' }).first().click()
    await shop.page.getByRole('option', { name: /Morning calm/ }).click()
    await shop.page.getByRole('option', { name: /Empty shops/ }).click()
    await sheet().getByText('No device is in “Empty shops”: nothing plays until you add one.').waitFor()
    expect(await publications()).toEqual([])
  })

  it('publishes from the page of a free device, by the keyboard alone', async () => {
    await shop.visit(`/equipments/devicesOne/${shop.deviceUid}`)
    await shop.page.getByRole('link', { name: 'Publish' }).focus()
    await shop.page.keyboard.press('Enter')
    const playlist = sheet().getByRole('combobox', { name: 'Playlist' })
    await playlist.waitFor()
    await expect.poll(() => playlist.evaluate(field => field === document.activeElement)).toBe(true)
    await shop.page.keyboard.type('morn')
    await shop.page.keyboard.press('ArrowDown')
    await shop.page.keyboard.press('Enter')
    await sheet().getByText('Group “Bakery Lane 4” is created with 1 device.').waitFor()
    await expect.poll(() => publishNow().isEnabled()).toBe(true)
    for (let presses = 0; presses < 12; presses += 1) {
      await shop.page.keyboard.press('Tab')
      if (await publishNow().evaluate(button => button === document.activeElement)) break
    }
    await shop.page.keyboard.press('Enter')
    await shop.page.getByText(/on the air .*in “Bakery Lane 4”/i).waitFor()
    expect(await publications()).toEqual(['Morning calm'])
    const groups = await shop.client.call(listGroups, { params: { x: 'all' } })
    expect(groups.items.find(({ name }) => name === 'Bakery Lane 4')).toMatchObject({
      state: 'active',
      deviceCount: 1,
    })
  })

  it('says which publication is in the way, and turns it off when asked', async () => {
    await shop.visit(`/media/playlistsOne/${made.other}`)
    await shop.page.getByRole('link', { name: 'Publish' }).click()
    await choose('Device group', /Bakery Lane 4/)
    await sheet().getByText('can have only one publication at a time').waitFor()
    expect(await publishNow().isDisabled()).toBe(true)
    await sheet().getByLabel('Deactivate Morning calm').check()
    await sheet().getByText('“Morning calm” is deactivated.').waitFor()
    await publishNow().click()
    await shop.page.getByText(/on the air .*in “Bakery Lane 4”/i).waitFor()
    await shop.page.getByRole('heading', { name: 'Evening calm' }).waitFor()
  })

  it('finds a group among any number on the server, also without its accents', async () => {
    for (let n = 1; n <= 35; n += 1)
      await shop.client.call(addGroup, { params, body: { name: `Branch ${n}` } })
    await shop.client.call(addGroup, { params, body: { name: 'Zürich shops' } })
    await shop.visit(`/media/playlistsOne/${made.other}`)
    await shop.page.getByRole('link', { name: 'Publish' }).click()
    const field = sheet().getByRole('combobox', { name: 'Device group' })
    await field.click()
    await shop.page.getByRole('option', { name: 'More match: type to narrow the list' }).waitFor()
    expect(await shop.page.getByRole('option', { name: /Zürich/ }).count()).toBe(0)
    await field.pressSequentially('zurich')
    await shop.page.getByRole('option', { name: /Zürich shops/ }).click()
    await sheet().getByText('Activates “Zürich shops” (being edited now).').waitFor()
    expect(await field.inputValue()).toBe('Zürich shops · Audio · Being edited')
    await field.fill('nowhere at all')
    await sheet().getByText('No group fits').waitFor()
    await field.blur()
    expect(await field.inputValue()).toBe('Zürich shops · Audio · Being edited')
  })

  it('closes when it has published, and plans nothing against what it has made', async () => {
    await shop.visit(`/media/playlistsOne/${made.other}`)
    await shop.page.getByRole('link', { name: 'Publish' }).click()
    await sheet().getByRole('combobox', { name: 'Device group' }).fill('Branch 7')
    await shop.page.getByRole('option', { name: /Branch 7/ }).click()
    await sheet().getByText('No device is in “Branch 7”').waitFor()
    await expect.poll(() => publishNow().isEnabled()).toBe(true)
    const released = Promise.withResolvers<void>()
    await shop.page.route('**/deploy/qcard/**', async route => {
      await released.promise
      await route.continue()
    })
    const previews: string[] = []
    shop.page.on('request', request => request.url().includes('/preview') && previews.push(request.url()))
    await publishNow().click()
    await sheet().waitFor({ state: 'hidden' })
    await shop.page.getByText('“Evening calm” is published to “Branch 7”').waitFor()
    expect(previews).toEqual([])
    released.resolve()
    await shop.page.getByRole('heading', { name: 'Evening calm', level: 1 }).waitFor()
    await shop.page.goBack()
    await shop.heading('Evening calm')
    expect(await sheet().isVisible()).toBe(false)
  })

  it('schedules a start behind what is on the air', async () => {
    await shop.visit(`/media/playlistsOne/${made.playlist}`)
    await shop.page.getByRole('link', { name: 'Publish' }).click()
    await choose('Device group', /Bakery Lane 4/)
    await sheet().getByText('Later', { exact: true }).click()
    await sheet().getByRole('textbox', { name: 'Start' }).fill('1 Jan 2099')
    await sheet().getByRole('textbox', { name: 'Time' }).fill('9:00')
    await sheet().getByText('“Evening calm” plays until then.').waitFor()
    await sheet().getByText('The publication “Morning calm” is activated again.').waitFor()
    await sheet().getByRole('button', { name: 'Schedule' }).click()
    await shop.page.getByText(/^Starts in “Bakery Lane 4”: 1\sJan\s2099/).waitFor()
  })

  it('has choices that run from right to left in Arabic, also with a Latin name', async () => {
    await shop.visitIn('ar', `/media/playlists?publish=playlist:${made.playlist}`)
    const field = shop.page.getByRole('dialog').getByRole('combobox').first()
    await expect.poll(() => field.inputValue()).toContain('\u2068Morning calm\u2069 · ')
    // The first letter that is in no isolate gives the field its direction.
    const outside = (await field.inputValue()).replaceAll(/\u2068.*?\u2069/gu, '')
    expect(/\p{L}/u.exec(outside)?.[0]).toMatch(/\p{Script=Arabic}/u)
  })

  it('passes axe and fits, wide and narrow, light and dark', async () => {
    const { uid = '' } = await shop.client.call(addDevice, { params, body: { name: 'Kiosk' } })
    await shop.visit(`/equipments/devicesOne/${uid}`)
    await shop.page.getByRole('link', { name: 'Publish' }).click()
    await choose('Playlist', /Morning calm/)
    await sheet().getByText('Group “Kiosk” is created with 1 device.').waitFor()
    for (const colorScheme of ['light', 'dark'] as const)
      for (const width of [1440, 400]) {
        await shop.page.emulateMedia({ colorScheme })
        await shop.page.setViewportSize({ width, height: 900 })
        await new ConsolePage(shop.page, `publish-${colorScheme}-${width}`).screenshot('sheet')
        expect(await findAxeViolations(shop.page)).toEqual([])
        expect(await measureOverflow(shop.page)).toBe(0)
      }
    await shop.page.emulateMedia({ colorScheme: null })
  })
})

it('an empty playlist is not activated: the button says why', async () => {
  await shop.visit(`/media/playlistsOne/${made.empty}`)
  const activate = shop.page.getByRole('button', { name: 'Activate' })
  await activate.hover()
  await shop.page.getByRole('tooltip', { name: 'The playlist is empty: add tracks first' }).waitFor()
  expect(await activate.getAttribute('aria-disabled')).toBe('true')
})
