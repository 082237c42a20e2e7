import { expect, it } from 'vitest'
import {
  differsFrom,
  emptyDraft,
  holdsTracks,
  usableEdit,
  lastPassableStep,
  windowOf,
  withMode,
  withStep,
  withTime,
  withTracks,
  withType,
  withWeight,
  withoutTrack,
} from './wizard-draft.ts'

const track = (uid: string) => ({ uid, name: uid, duration: 10, weight: 1 })
const full = withTracks('melody', [track('m')])(
  withTracks('ad', [track('a')])(withType('audio-smart')(emptyDraft)),
)

it('the wizard’s draft begins with the defaults of the specification', () => {
  expect(emptyDraft).toMatchObject({ playlistType: 'audio-smart', melTime: 360, adsTime: 900, step: null })
  expect(windowOf(emptyDraft)).toEqual({ startDay: '00:00', endDay: '23:59' })
})

it('the wizard’s draft holds nothing to lose until more than its type and step are chosen', () => {
  const begun = withStep('ads')(withType('video-smart')(emptyDraft))
  expect(differsFrom(begun, emptyDraft)).toBe(false)
  expect(differsFrom({ ...begun, melList: [...begun.melList] }, emptyDraft)).toBe(false)
  expect(differsFrom({ ...begun, endDay: '20:00' }, emptyDraft)).toBe(true)
  expect(differsFrom(full, emptyDraft)).toBe(true)
  expect(differsFrom({ ...full, melList: [track('m')] }, full)).toBe(false)
})

it('the wizard’s draft is cleared by another type, and not by the same', () => {
  const deep = withStep('check')(full)
  expect(withType('audio-smart')(deep)).toEqual(deep)
  const other = withType('video-smart')(deep)
  expect(holdsTracks(other)).toBe(false)
  expect(other).toMatchObject({ step: 'hours', reached: 1 })
})

it('the wizard’s draft takes each track once and keeps its weight', () => {
  const weighted = withWeight('ad', 'a', 7)(full)
  const again = withTracks('ad', [track('a'), track('b')])(weighted)
  expect(again.adsList.map(({ uid, weight }) => [uid, weight])).toEqual([
    ['a', 7],
    ['b', 1],
  ])
  expect(withoutTrack('ad', 'a')(again).adsList.map(({ uid }) => uid)).toEqual(['b'])
})

it('the wizard’s draft has a manual size once one is set, and the usual one when it is automatic again', () => {
  const manual = withTime('ad', 120)(full)
  expect(manual).toMatchObject({ adsMode: 'manual', adsTime: 120, melTime: 360 })
  expect(withMode('ad', 'auto')(manual)).toMatchObject({ adsMode: 'auto', adsTime: 900 })
})

it('what was kept of an edited version is used while what is on the air is as it was, and else begun anew', () => {
  const saved = { ...full, version: 3, smartPlName: 'Half done' }
  expect(usableEdit(saved, { ...full, version: 3 })).toBe(saved)
  expect(usableEdit(saved, { ...full, version: 4 })).toBeNull()
  expect(usableEdit(null, { ...full, version: 3 })).toBeNull()
})

const refuses =
  (...refused: string[]) =>
  (step: string) =>
    refused.includes(step)

it('the way through the steps is free backwards', () => {
  expect(lastPassableStep('check', 'hours', refuses('hours', 'ads', 'background'))).toBe('hours')
})

it('the way through the steps ends forward at the first step that is refused', () => {
  expect(lastPassableStep('hours', 'check', refuses())).toBe('check')
  expect(lastPassableStep('hours', 'check', refuses('background', 'ads'))).toBe('ads')
  expect(lastPassableStep('hours', 'ads', refuses('ads'))).toBe('ads')
  expect(lastPassableStep('ads', 'check', refuses('hours'))).toBe('check')
})
