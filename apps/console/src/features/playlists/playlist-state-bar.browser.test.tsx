import type { PlaylistWithTracks } from '@floorcast/contract/playlists.ts'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { drawComponent } from '../../testing/draw-component.tsx'
import { FakeServer } from '../../testing/fake-server.ts'
import { PlaylistStateBar } from './playlist-state-bar.tsx'

const empty: PlaylistWithTracks = {
  uid: '0193a1f0-0000-7000-8000-000000000011',
  name: 'Nothing yet',
  description: '',
  kind: 'audio',
  form: 'simple',
  state: 'paused',
  isUsed: false,
  itemCount: 0,
  durationSeconds: 0,
  planState: null,
  startDate: null,
  endDate: null,
  changedAt: '2026-06-10T22:30:00.000Z',
  crossfadeSeconds: 0,
  createdAt: '2026-06-10T22:30:00.000Z',
  isInForce: false,
  groups: [],
  editOf: null,
  edits: [],
  version: 1,
  smart: null,
  permissions: { mayEdit: true, mayDelete: true },
  items: [],
  blocks: null,
}

it('does not activate an empty playlist, and says why at the button', async () => {
  const server = new FakeServer()
  await drawComponent(<PlaylistStateBar playlist={empty} />)
  const activate = page.getByRole('button', { name: 'Activate' })
  await activate.hover()
  await expect
    .element(page.getByRole('tooltip', { name: 'The playlist is empty: add tracks first' }))
    .toBeVisible()
  await expect.element(activate).toHaveAttribute('aria-disabled', 'true')
  await activate.click({ force: true })
  expect(server.calls).toEqual([])
})
