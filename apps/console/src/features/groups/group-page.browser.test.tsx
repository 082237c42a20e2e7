import { listDevices } from '@floorcast/contract/devices.ts'
import { readGroup, type GroupCard } from '@floorcast/contract/groups.ts'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { drawComponent, signedInUser } from '../../testing/draw-component.tsx'
import { FakeServer } from '../../testing/fake-server.ts'
import { GroupPage } from './group-page.tsx'

const group: GroupCard = {
  uid: '0193a1f0-0000-7000-8000-000000000021',
  name: 'Empty shops',
  description: '',
  kind: 'audio',
  state: 'paused',
  isUsed: false,
  deviceCount: 0,
  onlineCount: 0,
  publication: null,
  changedAt: '2026-06-10T22:30:00.000Z',
  createdAt: '2026-06-10T22:30:00.000Z',
  isInForce: false,
  playlist: null,
  devices: { items: [], total: 0, page: 1, size: 10 },
  version: 1,
  permissions: { mayEdit: true, mayDelete: true },
}

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
