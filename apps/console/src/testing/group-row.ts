import type { GroupCard, GroupRow } from '@floorcast/contract/groups.ts'

const at = '2026-06-10T22:30:00.000Z'

/** A paused group of audio devices that has none yet, but for what a test says of it. */
export const groupRow = (group: Pick<GroupRow, 'uid' | 'name'> & Partial<GroupRow>): GroupRow => ({
  description: '',
  kind: 'audio',
  state: 'paused',
  isUsed: false,
  deviceCount: 0,
  onlineCount: 0,
  publication: null,
  changedAt: at,
  ...group,
})

/** The same on its page. */
export const groupCard = (group: Pick<GroupCard, 'uid' | 'name'> & Partial<GroupCard>): GroupCard => ({
  ...groupRow(group),
  createdAt: at,
  isInForce: false,
  playlist: null,
  devices: { items: [], total: 0, page: 1, size: 10 },
  version: 1,
  permissions: { mayEdit: true, mayDelete: true },
  ...group,
})
