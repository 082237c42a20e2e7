import { listDevices } from '@floorcast/contract/devices.ts'
import { readGroup } from '@floorcast/contract/groups.ts'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { drawComponent, signedInUser } from '../../testing/draw-component.tsx'
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
