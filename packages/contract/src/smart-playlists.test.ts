import { expect, test } from 'vitest'
import { importSmartPlaylist, SmartDraft } from './smart-playlists.ts'

const UID = '01933d4e-0000-7000-8000-000000000001'
const least = { smartPlName: 'Spring', melList: [], adsList: [], finishList: [], seed: 1 }

/** The places of a draft's faults, and their words. */
const faultsOf = (change: object) =>
  Object.fromEntries(
    (SmartDraft.safeParse({ ...least, ...change }).error?.issues ?? []).map(({ path, message }) => [
      path.join('.'),
      message,
    ]),
  )

test('A draft has the defaults of the specification', () => {
  expect(importSmartPlaylist.body.parse(least)).toMatchObject({
    playlistType: 'audio-smart',
    melTime: 360,
    adsTime: 900,
    startDay: '00:00',
    endDay: '23:59',
    melMode: 'auto',
    adsMode: 'auto',
    crossfade: 0,
    smartPlUid: null,
    smartPlDescr: '',
  })
})

test('A fault is named by its place', () => {
  expect(Object.keys(faultsOf({ melList: [{ uid: UID, duration: 3 }, { uid: UID }] }))).toEqual([
    'melList.1.duration',
  ])
  const block = { kind: 'melody', start: 0, duration: 3, items: [{ uid: 'x', start: 0, duration: 3 }] }
  expect(Object.keys(faultsOf({ finishList: [block] }))).toEqual(['finishList.0.items.0.uid'])
  expect(faultsOf({ smartPlName: 'ab', endDay: '24:00', crossfade: 11 })).toEqual({
    smartPlName: 'too-short',
    endDay: 'time-of-day',
    crossfade: 'crossfade',
  })
})

test('The notes of the editor are kept as they are, unless they nest without end', () => {
  const deviceFilter = { groups: [{ uid: UID, open: true }], search: 'north' }
  expect(SmartDraft.parse({ ...least, deviceFilter }).deviceFilter).toEqual(deviceFilter)
  let deep: unknown = 1
  for (let depth = 0; depth < 1000; depth++) deep = [deep]
  expect(faultsOf({ playlistFilter: deep })).toEqual({ playlistFilter: 'too-deep' })
})
