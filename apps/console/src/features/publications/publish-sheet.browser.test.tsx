import { readDevice } from '@floorcast/contract/devices.ts'
import { listGroups, readGroup, type GroupCard, type GroupRow } from '@floorcast/contract/groups.ts'
import {
  listPlaylists,
  readPlaylist,
  type PlaylistCard,
  type PlaylistRow,
} from '@floorcast/contract/playlists.ts'
import { previewPublish, publish, type PublishPlan } from '@floorcast/contract/publish.ts'
import { Link } from 'react-router'
import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { PublishHost } from '../../app/shell/address-hosts.tsx'
import { personalize } from '../../platform/personalization.ts'
import { neverConnectedDevice } from '../../testing/device-samples.ts'
import { drawComponent } from '../../testing/draw-component.tsx'
import { FakeServer } from '../../testing/fake-server.ts'
import { findBarriers } from '../../testing/find-barriers.ts'

const uidOf = (n: number) => `0193a1f0-0000-7000-8000-0000000000${n}`
const now = '2026-06-10T22:30:00.000Z'
const common = { description: '', kind: 'audio', state: 'paused', isUsed: false, changedAt: now } as const
const playlistOf = (n: number, name: string): PlaylistRow => ({
  ...common,
  uid: uidOf(n),
  name,
  form: 'simple',
  itemCount: 1,
  durationSeconds: 4,
  planState: null,
  startDate: null,
  endDate: null,
})
const morning = playlistOf(11, 'Morning calm')
const empty = { ...playlistOf(12, 'Nothing yet'), itemCount: 0 }
const groupOf = (n: number, name: string): GroupRow => ({
  ...common,
  uid: uidOf(n),
  name,
  deviceCount: 0,
  onlineCount: 0,
  publication: null,
})
const shops = groupOf(21, 'Empty shops')
const zurich = groupOf(22, 'Zürich shops')
const branches = Array.from({ length: 30 }, (_, n) => groupOf(30 + n, `Branch ${n + 1}`))
const kiosk = { ...neverConnectedDevice, uid: uidOf(90), name: 'Kiosk' }
const onAir = { uid: uidOf(91), name: 'Evening calm' }

const plan: PublishPlan = {
  playlist: { uid: morning.uid, name: morning.name, kind: 'audio', isActivated: false, sizeBytes: 5_000_000 },
  group: { uid: shops.uid, name: shops.name, isActivated: false },
  publication: null,
  follows: null,
  turnsOff: [],
  conflicts: [],
  devices: { count: 1, offline: 0, tooSmall: 0, inGroups: 0, otherKind: 0 },
  refusals: [],
}
const noDevice = { ...plan.devices, count: 0 }

let server: FakeServer
beforeEach(() => {
  server = new FakeServer()
  server.answer(listPlaylists, () => ({ items: [morning, empty], total: 2, page: 1, size: 30 }))
  server.answer(listGroups, ({ search = '' }) =>
    search === 'zurich'
      ? { items: [zurich], total: 1, page: 1, size: 30 }
      : search === ''
        ? { items: [shops, ...branches.slice(1)], total: 37, page: 1, size: 30 }
        : { items: [], total: 0, page: 1, size: 30 },
  )
  for (const each of [morning, empty]) {
    const card: PlaylistCard = {
      ...each,
      crossfadeSeconds: 0,
      createdAt: now,
      isInForce: false,
      groups: [],
      editOf: null,
      edits: [],
      version: 1,
      smart: null,
      permissions: { mayEdit: true, mayDelete: true },
    }
    server.answer({ ...readPlaylist, path: readPlaylist.path.replace('{id}', each.uid) }, () => card)
  }
  for (const each of [shops, zurich]) {
    const card: GroupCard = {
      ...each,
      createdAt: now,
      isInForce: false,
      playlist: null,
      devices: { items: [], total: 0, page: 1, size: 10 },
      version: 1,
      permissions: { mayEdit: true, mayDelete: true },
    }
    server.answer({ ...readGroup, path: readGroup.path.replace('{id}', each.uid) }, () => card)
  }
  server.answer(publish, () => ({ code: 0, uid: uidOf(99) }))
})
const preview = (some: Partial<PublishPlan> | ((body: unknown) => Partial<PublishPlan>)) =>
  server.answer(previewPublish, (_, body) => ({
    ...plan,
    ...(typeof some === 'function' ? some(body) : some),
  }))
const sent = (path: string) => server.calls.filter(({ call }) => call === `POST ${path}`)

const sheet = page.getByRole('dialog', { name: 'Publish a playlist' })
const publishNow = sheet.getByRole('button', { name: 'Publish now' })
const combobox = (name: string) => sheet.getByRole('combobox', { name })
const option = (name: RegExp) => page.getByRole('option', { name })
const says = (text: string | RegExp) => expect.element(sheet.getByText(text)).toBeVisible()

async function choose(field: string, name: RegExp) {
  await combobox(field).click()
  await option(name).click()
}

/** Draws a page over which the sheet opens. */
function draw(publishing: string | null, more: Parameters<typeof drawComponent>[1] = {}) {
  const path = `/deployments/publications${publishing === null ? '' : `?publish=${publishing}`}`
  return drawComponent(
    <>
      <h1>{'Publications'}</h1>
      <Link to="?publish=new">{'Publish'}</Link>
      <PublishHost />
    </>,
    { path, ...more },
  )
}

it('is a part of the address: a link opens it, Back closes it, and it opens with its page', async () => {
  const { back } = await draw(null)
  await page.getByRole('link', { name: 'Publish' }).click()
  await expect.element(sheet).toBeVisible()
  await back()
  await expect.element(sheet).not.toBeInTheDocument()
  await draw('new')
  await expect.element(sheet).toBeVisible()
})

it('says beforehand that a group has no device and that a playlist is empty', async () => {
  preview(body =>
    JSON.stringify(body).includes(empty.uid)
      ? { refusals: [{ code: -2, reason: 'playlist-empty' }] }
      : { group: { ...plan.group, isActivated: true }, devices: noDevice },
  )
  await draw(`group:${shops.uid}`)
  await choose('Playlist', /Morning calm/)
  await says('Activates “Empty shops” (being edited now).')
  await says('No device is in “Empty shops”: nothing plays until you add one.')
  await expect.element(publishNow).toBeEnabled()
  await choose('Playlist', /Nothing yet/)
  await says('The playlist is empty: add tracks first')
  await expect.element(publishNow).toBeDisabled()
  expect(sent(previewPublish.path).map(({ body }) => body)).toEqual([
    { playlistUid: morning.uid, groupUid: shops.uid, turnsOff: [] },
    { playlistUid: empty.uid, groupUid: shops.uid, turnsOff: [] },
  ])
  expect(sent(publish.path)).toEqual([])
})

it('says beforehand that a device has no room for the files', async () => {
  preview({ devices: { ...plan.devices, tooSmall: 1 } })
  await draw(`playlist:${morning.uid}.group:${shops.uid}`)
  await says('1 device has less storage than the 5 MB of the playlist and cannot play all of it.')
  await expect.element(publishNow).toBeEnabled()
})

it('asks for the group once the playlist is chosen', async () => {
  preview({ devices: noDevice })
  await draw('new')
  await option(/Morning calm/).click()
  await option(/Empty shops/).click()
  await says('No device is in “Empty shops”: nothing plays until you add one.')
})

it('publishes to a free device by the keyboard alone, in a group that is made of it', async () => {
  server.answer(readDevice, () => kiosk)
  preview({ group: { uid: null, name: 'Kiosk', isActivated: false } })
  const { address } = await draw(`device:${kiosk.uid}`)
  await expect.element(combobox('Playlist')).toHaveFocus()
  await userEvent.keyboard('morn{ArrowDown}{Enter}')
  await says('Group “Kiosk” is created with 1 device.')
  await expect.element(publishNow).toBeEnabled()
  for (let presses = 0; presses < 12 && document.activeElement !== publishNow.element(); presses += 1)
    await userEvent.tab()
  await userEvent.keyboard('{Enter}')
  await expect.poll(address).toBe(`/deployments/publicationsOne/${uidOf(99)}`)
  expect(sent(publish.path).map(({ body }) => body)).toEqual([
    {
      playlistUid: morning.uid,
      newGroup: { name: 'Kiosk', devices: { uids: [kiosk.uid] } },
      turnsOff: [],
    },
  ])
})

it('says which publication is in the way, and turns it off when asked', async () => {
  preview(body =>
    JSON.stringify(body).includes(onAir.uid)
      ? { turnsOff: [onAir] }
      : {
          conflicts: [{ ...onAir, state: 'active', isSamePlaylist: false }],
          refusals: [{ code: 1, names: [onAir.name] }],
        },
  )
  await draw(`playlist:${morning.uid}`)
  await choose('Device group', /Empty shops/)
  await says(/“Empty shops” can have only one publication at a time/)
  await expect.element(publishNow).toBeDisabled()
  await sheet.getByRole('checkbox', { name: 'Deactivate Evening calm' }).click()
  await says('“Evening calm” is deactivated.')
  await publishNow.click()
  await expect
    .poll(() => sent(publish.path).map(({ body }) => body))
    .toMatchObject([{ turnsOff: [onAir.uid] }])
})

it('searches a group among any number on the server, and keeps the chosen one', async () => {
  preview({ group: { uid: zurich.uid, name: zurich.name, isActivated: true } })
  await draw(`playlist:${morning.uid}`)
  const field = combobox('Device group')
  await field.click()
  await expect.element(option(/^More match: type to narrow the list$/)).toBeInTheDocument()
  await expect.element(option(/Zürich/)).not.toBeInTheDocument()
  await userEvent.keyboard('zurich')
  await option(/Zürich shops/).click()
  await says('Activates “Zürich shops” (being edited now).')
  await expect.element(field).toHaveValue('Zürich shops · Audio · Being edited')
  await field.fill('nowhere at all')
  await says(/No group fits/)
  await userEvent.tab()
  await expect.element(field).toHaveValue('Zürich shops · Audio · Being edited')
})

it('closes when it has published, and plans nothing against what it has made', async () => {
  preview({})
  const { address, back } = await draw(null)
  await page.getByRole('link', { name: 'Publish' }).click()
  await option(/Morning calm/).click()
  await option(/Empty shops/).click()
  await says('1 device gets it.')
  await expect.element(publishNow).toBeEnabled()
  const previews = sent(previewPublish.path).length
  await publishNow.click()
  await expect.element(sheet).not.toBeInTheDocument()
  await expect.element(page.getByText('“Morning calm” is published to “Empty shops”')).toBeVisible()
  expect(sent(previewPublish.path)).toHaveLength(previews)
  expect(address()).toBe(`/deployments/publicationsOne/${uidOf(99)}`)
  await back()
  expect(address()).toBe('/deployments/publications')
  await expect.element(page.getByRole('heading', { name: 'Publications' })).toBeVisible()
  await expect.element(sheet).not.toBeInTheDocument()
})

it('schedules a start behind what is on the air', async () => {
  preview({ follows: onAir, publication: { uid: uidOf(92), name: 'Morning calm' } })
  await draw(`playlist:${morning.uid}.group:${shops.uid}`)
  await sheet.getByText('Later', { exact: true }).click()
  await sheet.getByRole('textbox', { name: 'Start' }).fill('1 Jan 2099')
  await sheet.getByRole('textbox', { name: 'Time' }).fill('9:00')
  await says('“Evening calm” plays until then.')
  await says('The publication “Morning calm” is activated again.')
  await sheet.getByRole('button', { name: 'Schedule' }).click()
  await expect.element(page.getByText('“Morning calm” is scheduled for “Empty shops”')).toBeVisible()
  expect(sent(publish.path)[0]?.body).toMatchObject({ startsAt: '2099-01-01T09:00:00' })
})

it('has choices that run from right to left in Arabic, also with a Latin name', async () => {
  await draw(`playlist:${morning.uid}`, { language: 'ar' })
  const field = page.getByRole('dialog').getByRole('combobox').first()
  const value = () => (field.element() as HTMLInputElement).value
  await expect.poll(value).toContain('\u2068Morning calm\u2069 · ')
  // The first letter that is in no isolate gives the field its direction.
  const outside = value().replaceAll(/\u2068.*?\u2069/gu, '')
  expect(/\p{L}/u.exec(outside)?.[0]).toMatch(/\p{Script=Arabic}/u)
})

it.each([
  ['light', 1440],
  ['light', 400],
  ['dark', 1440],
  ['dark', 400],
] as const)('has no barrier and fits, in the %s look at %i px', async (mode, width) => {
  preview({ group: { uid: null, name: 'Kiosk', isActivated: false } })
  server.answer(readDevice, () => kiosk)
  personalize({ mode })
  await draw(`playlist:${morning.uid}.device:${kiosk.uid}`, { width, height: 900 })
  await says('Group “Kiosk” is created with 1 device.')
  expect(await findBarriers()).toEqual([])
  expect(document.documentElement.scrollWidth).toBe(width)
  const content = document.querySelector('.mantine-Drawer-content')
  expect(content?.scrollWidth).toBe(content?.clientWidth)
})
