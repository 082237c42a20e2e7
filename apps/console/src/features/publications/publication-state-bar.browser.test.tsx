import type { PublicationCard } from '@floorcast/contract/publications.ts'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { loadWords } from '../../platform/i18n.ts'
import { drawComponent } from '../../testing/draw-component.tsx'
import { PublicationStateBar } from './publication-state-bar.tsx'

const now = '2026-06-10T22:30:00.000Z'
const group = { uid: '0193a1f0-0000-7000-8000-000000000021', name: 'Bakery Lane 4' }
const scheduled: PublicationCard = {
  uid: '0193a1f0-0000-7000-8000-000000000031',
  name: 'Morning calm',
  description: '',
  kind: 'audio',
  state: 'delayed',
  group,
  playlist: { uid: '0193a1f0-0000-7000-8000-000000000011', name: 'Morning calm' },
  startsAt: '2099-01-01T09:00:00',
  activatedAt: null,
  changedAt: now,
  readiness: null,
  createdAt: now,
  groupState: 'active',
  playlistState: 'active',
  formerPlaylist: null,
  version: 1,
  permissions: { mayEdit: true, mayDelete: true },
}

it('says where and when a scheduled publication starts', async () => {
  await loadWords('deployments')
  await drawComponent(<PublicationStateBar publication={scheduled} />)
  await expect.element(page.getByText(/^Starts in “Bakery Lane 4”: Jan\s1,\s2099/)).toBeVisible()
})

it('says since when a publication is on the air, and where', async () => {
  await loadWords('deployments')
  const onAir: PublicationCard = {
    ...scheduled,
    state: 'active',
    startsAt: null,
    activatedAt: now,
    readiness: { devices: 1, holding: 1, missing: 0, neverReported: 0 },
  }
  await drawComponent(<PublicationStateBar publication={onAir} />)
  await expect.element(page.getByText(/on the air .*in “Bakery Lane 4”/i)).toBeVisible()
})
