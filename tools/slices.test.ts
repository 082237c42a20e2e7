import { expect, it } from 'vitest'
import {
  bringUpToDate,
  listLongTests,
  makeSlices,
  readNextSlice,
  readRound,
  readSeconds,
  SLICES,
} from './slices.ts'

const MAX_SECONDS = 30 * 60

const files = listLongTests()
const slices = makeSlices(files, readSeconds())

it('slices of the long tests have each file once', () => {
  expect(slices.flatMap(slice => slice.files).toSorted()).toEqual(files.toSorted())
})

it('slices of the long tests take at most half an hour each', () => {
  for (const { seconds } of slices) expect(seconds).toBeLessThanOrEqual(MAX_SECONDS)
})

it('slices of the long tests put the longest files into different slices, and count half of one that shares the machine', () => {
  const times = { 'a.long.ts': 100, 'b.long.ts': 90, 'c.slow.ts': 80, 'd.slow.ts': 20 }
  expect(makeSlices(Object.keys(times), times, 2)).toEqual([
    { files: ['a.long.ts', 'd.slow.ts'], seconds: 110 },
    { files: ['b.long.ts', 'c.slow.ts'], seconds: 130 },
  ])
})

it('slices of the long tests stay the same during a round; what is new comes in the last one', () => {
  const round = [['a.long.ts', 'gone.long.ts'], ['b.slow.ts']]
  expect(bringUpToDate(round, ['a.long.ts', 'b.slow.ts', 'new.slow.ts'])).toEqual([
    ['a.long.ts'],
    ['b.slow.ts', 'new.slow.ts'],
  ])
  expect(readRound().flat().toSorted()).toEqual(files.toSorted())
  expect(readRound()).toHaveLength(SLICES)
})

it('slices of the long tests are named by the number of the next one', () => {
  expect(readNextSlice()).toBeGreaterThanOrEqual(1)
  expect(readNextSlice()).toBeLessThanOrEqual(SLICES)
})
