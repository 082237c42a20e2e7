import { describe, expect, it } from 'vitest'
import { countPlays, timeRound } from './playlist-times.ts'

const song = (durationSeconds: number, more: object = {}) => ({
  durationSeconds,
  contentType: 'melodies' as const,
  repeatCount: 1,
  replaySeconds: null,
  startTime: null,
  ...more,
})
const ad = (durationSeconds: number, more: object = {}) => ({
  ...song(durationSeconds, more),
  contentType: 'ads' as const,
})
const starts = (items: Parameters<typeof timeRound>[0], crossfade = 0) =>
  timeRound(items, crossfade).items.map(({ startSeconds }) => startSeconds)

describe('plays of an item', () => {
  it.each([
    [song(60, { repeatCount: 3 }), 3],
    [song(60, { repeatCount: null, replaySeconds: 200 }), 3],
    [song(60, { repeatCount: null, replaySeconds: 59 }), 1],
    [song(60, { repeatCount: null, replaySeconds: 60 }), 1],
    [song(60, { repeatCount: null }), 1],
  ])('case %#', (item, plays) => {
    expect(countPlays(item)).toBe(plays)
  })
})

describe('running start times', () => {
  it('counts repeats and replay durations', () => {
    const items = [
      song(60, { repeatCount: 2 }),
      song(30, { repeatCount: null, replaySeconds: 100 }),
      song(10),
    ]
    expect(starts(items)).toEqual([0, 120, 210])
    expect(timeRound(items, 0).totalSeconds).toBe(220)
  })

  it('takes the crossfade off between songs and between their repeats', () => {
    const items = [song(60), song(60, { repeatCount: 2 }), song(60)]
    expect(starts(items, 5)).toEqual([0, 55, 165])
    expect(timeRound(items, 5).totalSeconds).toBe(225)
  })

  it('never fades over an ad', () => {
    expect(starts([song(60), ad(20, { repeatCount: 2 }), song(60)], 5)).toEqual([0, 60, 100])
  })

  it('fades no longer than a track is', () => {
    expect(starts([song(60), song(3), song(60)], 10)).toEqual([0, 57, 57])
  })

  it('leaves what has a time of day out of the round', () => {
    const items = [song(60), song(45, { startTime: '09:00' }), song(60)]
    expect(starts(items, 5)).toEqual([0, null, 55])
    expect(timeRound(items, 5).items[1]?.playSeconds).toBe(45)
  })
})
