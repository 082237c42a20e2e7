import { expect, it } from 'vitest'
import { airTimes } from './track-list.ts'
import type { PlanInput } from './plan-types.ts'

const input: PlanInput = {
  type: 'audio-smart',
  startDay: '08:00',
  endDay: '09:00',
  melTime: 360,
  adsTime: 900,
  melMode: 'auto',
  adsMode: 'auto',
  melList: [{ uid: 'm', duration: 400 }],
  adsList: [{ uid: 'a', duration: 300 }],
  seed: 1,
}

it('the air time of each kind follows from the sizes of the blocks, the last of them cut by the window', () => {
  expect(airTimes({ ...input, adsMode: 'manual' })).toEqual({ melody: 2 * 360 + 360, ad: 2 * 900 + 720 })
})

it('the air time of each kind counts an automatic block of a short list as the list', () => {
  expect(airTimes(input)).toEqual({ melody: 5 * 360 + 300, ad: 5 * 300 })
})

it('the air time of each kind takes the target where nothing is chosen yet, and is nothing without a window or a size', () => {
  expect(airTimes({ ...input, adsList: [] })).toEqual({ melody: 1080, ad: 2520 })
  expect(airTimes({ ...input, endDay: '08:00' })).toEqual({ melody: 0, ad: 0 })
  expect(airTimes({ ...input, melTime: 0 })).toEqual({ melody: 0, ad: 0 })
})
