import { expect, it } from 'vitest'
import { draftOf, type PublishValues } from './publish-draft.ts'

const values: PublishValues = {
  playlistUid: 'p',
  target: 'group',
  groupUid: 'g',
  groupName: '',
  devices: [],
  name: null,
  isLater: false,
  start: { field: '2026-12-01T09:30', clock: 'devices' },
  turnsOff: [],
}

it('the draft of the Publish sheet is a playlist for a group, now', () => {
  expect(draftOf(values, null)).toEqual({ playlistUid: 'p', groupUid: 'g', turnsOff: [] })
})

it('the draft of the Publish sheet is for a new group of the devices chosen here, or in a list', () => {
  const fresh = {
    ...values,
    target: 'new' as const,
    groupName: ' North ',
    devices: [{ uid: 'd', name: 'D' }],
  }
  expect(draftOf(fresh, null)).toMatchObject({ newGroup: { name: 'North', devices: { uids: ['d'] } } })
  const selection = { filter: { search: 'x' }, except: [], all: true as const }
  expect(draftOf({ ...fresh, devices: [] }, { count: 3, selection })).toMatchObject({
    newGroup: { devices: selection },
  })
})

it('the draft of the Publish sheet starts later, with a name', () => {
  expect(draftOf({ ...values, isLater: true, name: 'Winter' }, null)).toMatchObject({
    startsAt: '2026-12-01T09:30:00',
    name: 'Winter',
  })
})

it.each<[string, Partial<PublishValues>]>([
  ['no playlist', { playlistUid: null }],
  ['no group', { groupUid: null }],
  ['a new group without a name', { target: 'new', devices: [{ uid: 'd', name: 'D' }] }],
  ['a new group without devices', { target: 'new', groupName: 'North' }],
  ['no moment', { isLater: true, start: { field: '', clock: 'mine' } }],
  ['a name that is too short', { name: 'ab' }],
])('the draft of the Publish sheet is not whole with %s', (_, change) => {
  expect(draftOf({ ...values, ...change }, null)).toBeNull()
})
