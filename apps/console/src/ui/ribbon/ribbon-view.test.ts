import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { rulerMarks, scrollTo, throttle, viewAt, createWheelCounter } from './ribbon-view.ts'

const day = { windowSeconds: 86_400, width: 1000 }

it('the ribbon’s view shows the whole day, or the part that was scrolled to', () => {
  expect(viewAt(0, { ...day, zoom: 1 })).toEqual({ from: 0, to: 86_400 })
  expect(viewAt(2000, { ...day, zoom: 4 })).toEqual({ from: 43_200, to: 64_800 })
  expect(viewAt(9999, { ...day, zoom: 4 })).toEqual({ from: 64_800, to: 86_400 })
})

it('the ribbon’s view scrolls a moment to its place, as far as the ends allow', () => {
  const middle = scrollTo({ seconds: 43_200, share: 0.5 }, { ...day, zoom: 8 })
  const { from, to } = viewAt(middle, { ...day, zoom: 8 })
  expect((from + to) / 2).toBeCloseTo(43_200, 6)
  expect(scrollTo({ seconds: 10, share: 0.5 }, { ...day, zoom: 8 })).toBe(0)
  expect(scrollTo({ seconds: 86_400, share: 0.5 }, { ...day, zoom: 8 })).toBe(7000)
})

it('the ribbon’s view keeps what is under the pointer there', () => {
  const { from, to } = viewAt(scrollTo({ seconds: 43_200, share: 0.25 }, { ...day, zoom: 8 }), {
    ...day,
    zoom: 8,
  })
  expect(from + (to - from) * 0.25).toBeCloseTo(43_200, 6)
})

it('the ribbon’s view zooms a step a notch, and as far as two fingers go', () => {
  const turn = createWheelCounter()
  expect(turn({ deltaY: -120, deltaMode: 0 })).toBe(1)
  expect(turn({ deltaY: 3, deltaMode: 1 })).toBe(-1)
  const pinched = Array.from({ length: 20 }, () => turn({ deltaY: -6, deltaMode: 0 }))
  expect(pinched.filter(by => by === 1)).toHaveLength(2)
  // The other direction starts from zero.
  expect(turn({ deltaY: -50, deltaMode: 0 })).toBe(0)
  expect(turn({ deltaY: 50, deltaMode: 0 })).toBe(0)
  expect(turn({ deltaY: 50, deltaMode: 0 })).toBe(-1)
})

it('the ribbon’s view marks whole wall times, as many as have room', () => {
  const ruler = { startsAtSeconds: 8.5 * 3600, width: 1000, room: 64 }
  expect(rulerMarks({ from: 0, to: 8 * 3600 }, ruler).slice(0, 3)).toEqual([1800, 5400, 9000])
  expect(rulerMarks({ from: 0, to: 86_400 }, { ...ruler, width: 300 })[0]).toBe(3.5 * 3600)
  expect(rulerMarks({ from: 0, to: 900 }, ruler).slice(0, 3)).toEqual([0, 60, 120])
})

describe('the throttle', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  it('runs at once, then at most once in its time, and the last call always', () => {
    const run = vi.fn<() => void>()
    const { call, stop } = throttle(40, run)
    call()
    expect(run).toHaveBeenCalledTimes(1)
    for (let n = 0; n < 10; n += 1) call()
    vi.advanceTimersByTime(39)
    expect(run).toHaveBeenCalledTimes(1)
    vi.advanceTimersByTime(1)
    expect(run).toHaveBeenCalledTimes(2)
    vi.advanceTimersByTime(400)
    expect(run).toHaveBeenCalledTimes(2)
    call()
    expect(run).toHaveBeenCalledTimes(3)
    call()
    stop()
    vi.advanceTimersByTime(400)
    expect(run).toHaveBeenCalledTimes(3)
  })
})
