import { listDevices, listFreeDevices } from '@floorcast/contract/devices.ts'
import { readGroup } from '@floorcast/contract/groups.ts'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { drawComponent, signedInUser } from '../../testing/draw-component.tsx'
import { neverConnectedDevice } from '../../testing/device-samples.ts'
import { FakeServer } from '../../testing/fake-server.ts'
import { groupCard } from '../../testing/group-row.ts'
import { GroupPage } from './group-page.tsx'

const group = groupCard({ uid: '0193a1f0-0000-7000-8000-000000000021', name: 'Empty shops' })

async function draw(rights: 'full' | 'view') {
  const server = new FakeServer()
  server.answer(readGroup, () => group)
  server.answer(listDevices, () => group.devices)
  await drawComponent(<GroupPage />, {
    path: `/equipments/groupsOne/${group.uid}`,
    route: '/equipments/groupsOne/:uid',
    user: { ...signedInUser, rights },
  })
  await expect.element(page.getByText('Being edited').first()).toBeVisible()
}
const publish = page.getByRole('link', { name: 'Publish' })

it('offers to publish to its group', async () => {
  await draw('full')
  const start = encodeURIComponent(`group:${group.uid}`)
  await expect.element(publish).toHaveAttribute('href', `/equipments/groupsOne/${group.uid}?publish=${start}`)
})

it('offers nothing to publish to a user who may only view', async () => {
  await draw('view')
  await expect.element(publish).not.toBeInTheDocument()
})

it('keeps the list of free devices open that was opened while the devices of the group were on their way', async () => {
  const server = new FakeServer()
  const devices = Promise.withResolvers<typeof group.devices>()
  server.answer(readGroup, () => group)
  server.answer(listDevices, () => devices.promise as never)
  server.answer(listFreeDevices, () => ({
    ...group.devices,
    items: [{ ...neverConnectedDevice, name: 'Till 1' }],
    total: 1,
  }))
  await drawComponent(<GroupPage />, {
    path: `/equipments/groupsOne/${group.uid}`,
    route: '/equipments/groupsOne/:uid',
    user: signedInUser,
  })
  await page.getByRole('button', { name: 'Add to the group' }).click()
  await expect.element(page.getByRole('option', { name: 'Till 1' })).toBeVisible()
  devices.resolve(group.devices)
  await expect.element(page.getByText('No devices yet')).toBeVisible()
  await expect.element(page.getByRole('option', { name: 'Till 1' })).toBeVisible()
})
