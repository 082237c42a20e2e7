import { expect, onTestFinished, test, vi } from 'vitest'
import { Clock, openClock, type SavedClock } from './clock.ts'
import type { StateStore } from './state-store.ts'

const HOUR = 3_600_000
const builtAt = Date.parse('2026-11-21T00:00:00Z')
const noon = Date.parse('2026-12-01T12:00:00Z')

/** A machine with a system clock and a steady clock that are set by hand. */
function makeMachine(system: number, saved: SavedClock | null = null) {
  const machine = { system, steady: 5000 }
  const sources = { system: () => machine.system, steady: () => machine.steady }
  const clock = new Clock(sources, builtAt, saved)
  const moves: number[] = []
  clock.onMove(by => moves.push(by))
  const pass = (ms: number) => {
    machine.system += ms
    machine.steady += ms
  }
  return { machine, clock, moves, pass }
}

test("Time follows the steady clock; after an answer of the server, a jump of the machine's clock changes nothing", () => {
  const { machine, clock, moves, pass } = makeMachine(noon)
  pass(1000)
  expect(clock.now()).toBe(noon + 1000)
  clock.applyServerTime(noon + 1000 + HOUR, machine.steady - 10, machine.steady + 10)
  expect(clock.now()).toBe(noon + 1000 + HOUR)
  machine.system -= 400 * 24 * HOUR
  clock.watchSystem()
  pass(5000)
  expect(clock.now()).toBe(noon + 6000 + HOUR)
  expect(moves).toEqual([HOUR])
})

test("The server's offset survives a restart", () => {
  const first = makeMachine(noon)
  first.clock.applyServerTime(noon + HOUR, 5000, 5000)
  const second = makeMachine(noon + 60_000, first.clock.saved())
  expect(second.clock.now()).toBe(noon + 60_000 + HOUR)
  expect(second.clock.isTrusted).toBe(true)
})

test('A clock before the build date or the last known time is not trusted: time continues from the later of them', () => {
  const reset = makeMachine(Date.parse('1970-01-01T00:01:00Z'))
  expect(reset.clock.isTrusted).toBe(false)
  expect(reset.clock.now()).toBe(builtAt)
  const flat = makeMachine(noon - 48 * HOUR, { offset: 0, lastKnown: noon })
  expect(flat.clock.isTrusted).toBe(false)
  flat.pass(1000)
  expect(flat.clock.now()).toBe(noon + 1000)
  flat.clock.applyServerTime(noon + 24 * HOUR, 6000, 6000)
  expect(flat.clock.now()).toBe(noon + 24 * HOUR)
  expect(flat.clock.isTrusted).toBe(true)
})

test("Before an answer of the server, a correction of the machine's clock is followed, except to an implausible time", () => {
  const { machine, clock, moves } = makeMachine(Date.parse('1970-01-01T00:01:00Z'))
  machine.system = noon
  clock.watchSystem()
  expect(clock.now()).toBe(noon)
  machine.system = Date.parse('1980-01-01T00:00:00Z')
  clock.watchSystem()
  expect(clock.now()).toBe(noon)
  machine.system = noon - HOUR
  clock.watchSystem()
  expect(clock.now()).toBe(noon - HOUR)
  expect(moves).toEqual([noon - builtAt, -HOUR])
})

test('A slow answer does not change the time within its uncertainty', () => {
  const { machine, clock, moves } = makeMachine(noon)
  clock.applyServerTime(noon + 300, machine.steady - 1000, machine.steady + 1000)
  expect(clock.now()).toBe(noon)
  clock.applyServerTime(noon + 300, machine.steady - 100, machine.steady + 100)
  expect(clock.now()).toBe(noon + 300)
  expect(moves).toEqual([300])
})

test('A stalled line does not move the clock, nor the offset that a restart uses', () => {
  const { machine, clock, moves } = makeMachine(noon)
  clock.applyServerTime(noon, machine.steady, machine.steady)
  for (const stallMs of [1500, 3000, 60_000]) {
    const askedAt = machine.steady
    const serverTime = machine.system
    machine.steady += stallMs
    machine.system += stallMs
    clock.applyServerTime(serverTime, askedAt, machine.steady)
  }
  expect(moves).toEqual([])
  expect(clock.saved().offset).toBe(0)
})

test('Of several answers the one with the shortest round trip counts, until the server sets its clock', () => {
  const { machine, clock, pass } = makeMachine(noon)
  const answer = (error: number, roundTripMs: number) => {
    pass(60_000)
    clock.applyServerTime(
      machine.system + error,
      machine.steady - roundTripMs / 2,
      machine.steady + roundTripMs / 2,
    )
    return clock.now() - machine.system
  }
  expect(answer(400, 900)).toBe(0)
  expect(answer(100, 20)).toBe(100)
  // A stall of one direction makes the middle wrong by up to half the round trip.
  expect(answer(-300, 900)).toBe(100)
  expect(answer(480, 800)).toBe(100)
  expect(answer(HOUR, 800)).toBe(HOUR)
  expect(answer(HOUR + 120, 100)).toBe(HOUR + 120)
})

test('Over a line that is always slow, a clock of 1970 is corrected', () => {
  const { machine, clock } = makeMachine(Date.parse('1970-01-01T00:01:00Z'))
  clock.applyServerTime(noon, machine.steady - 1500, machine.steady)
  expect(clock.now()).toBe(noon + 750)
})

test("A machine that was online in 1970 shows the machine's time when that was set since, not twice the distance", () => {
  const saved = { offset: noon, lastKnown: noon }
  const set = makeMachine(noon + 24 * HOUR, saved)
  expect(set.clock.now()).toBe(noon + 24 * HOUR)
  expect(set.clock.saved().offset).toBe(0)
  const again = makeMachine(60_000, saved)
  expect(again.clock.now()).toBe(noon + 60_000)
  const setLater = makeMachine(1000, { offset: noon - 5000, lastKnown: noon })
  expect(setLater.clock.now()).toBe(noon)
  setLater.machine.system = noon + 2 * HOUR
  setLater.clock.watchSystem()
  expect(setLater.clock.now()).toBe(noon + 2 * HOUR)
})

test("Without the server, a clock a year after the last good time is not believed; the shop's last good time goes on", () => {
  const { clock, pass } = makeMachine(noon + 365 * 24 * HOUR, { offset: 0, lastKnown: noon })
  expect(clock.isTrusted).toBe(false)
  pass(1000)
  clock.watchSystem()
  expect(clock.now()).toBe(noon + 1000)
  const weekend = makeMachine(noon + 62 * HOUR, { offset: 0, lastKnown: noon })
  expect(weekend.clock.now()).toBe(noon + 62 * HOUR)
})

test('Dates are reportable when the server has told the time to 0.2 s; until then each move corrects them', () => {
  for (const system of [noon, noon - 2 * HOUR, noon + 62 * HOUR]) {
    const { machine, clock, pass } = makeMachine(system, { offset: 0, lastKnown: noon })
    const corrections: number[] = []
    let confirmed = 0
    clock.onMove((by, isCorrection) => isCorrection && corrections.push(by))
    clock.onConfirmed(() => (confirmed += 1))
    const answer = (serverTime: number, tookMs: number) =>
      clock.applyServerTime(serverTime, machine.steady - tookMs, machine.steady)
    expect(clock.isReportable).toBe(false)
    const before = clock.now()
    // It took ten seconds: the clock is right to five.
    answer(noon + HOUR, 10_000)
    expect(clock.isReportable).toBe(false)
    pass(2000)
    answer(noon + HOUR + 2000, 100)
    expect([clock.isReportable, confirmed]).toEqual([true, 1])
    expect(before + corrections.reduce((sum, by) => sum + by, 0) + 2000).toBe(noon + HOUR + 2050)
    answer(noon + 2 * HOUR, 0)
    expect([corrections.length, confirmed]).toEqual([2, 1])
  }
})

test('On a line that is always slow dates are reportable after three answers', () => {
  const { machine, clock, pass } = makeMachine(noon)
  const states = [1, 2, 3].map(() => {
    pass(2000)
    clock.applyServerTime(machine.system, machine.steady - 900, machine.steady)
    return clock.isReportable
  })
  expect(states).toEqual([false, false, true])
})

test('The time is no earlier than the last one that a server told, over restarts without one, and than the release', () => {
  const first = makeMachine(noon)
  expect(first.clock.earliest()).toBe(builtAt)
  first.clock.applyServerTime(noon + HOUR, first.machine.steady, first.machine.steady)
  first.pass(1000)
  expect(first.clock.earliest()).toBe(noon + HOUR + 1000)
  const second = makeMachine(noon + 20 * 24 * HOUR, first.clock.saved())
  second.pass(5000)
  const third = makeMachine(60_000, second.clock.saved())
  expect(third.clock.earliest()).toBe(noon + HOUR + 6000)
})

test('A clock that goes on as saved is saved every five minutes, one that was corrected at the next look', () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const { machine } = makeMachine(noon)
  const saved: SavedClock[] = []
  const state = { read: () => null, write: (_: string, value: SavedClock) => saved.push(value) > 0 }
  const sources = { system: () => machine.system, steady: () => machine.steady }
  const { clock } = openClock(state as unknown as StateStore, sources)
  const look = () => {
    machine.system += 30_000
    machine.steady += 30_000
    vi.advanceTimersByTime(30_000)
  }
  for (let looks = 0; looks < 11; looks += 1) look()
  expect(saved.map(({ lastKnown }) => lastKnown)).toEqual([noon + 30_000, noon + 330_000])
  clock.applyServerTime(noon + HOUR, machine.steady, machine.steady)
  look()
  look()
  expect(saved.at(-1)).toMatchObject({ lastKnown: noon + HOUR + 30_000 })
  expect(saved).toHaveLength(3)
})

test('A time that a play was heard at is later than the saved one, unless its clock was wrong', () => {
  const lastKnown = noon
  const read = () => ({ offset: 0, lastKnown })
  const sources = { system: () => 0, steady: () => 0 }
  const state = { read, write: () => true } as unknown as StateStore
  const startAt = (heardAt: number | null) => {
    const { clock, stop } = openClock(state, sources, heardAt)
    stop()
    return clock.now()
  }
  expect([null, noon + 200_000, noon - 1000, noon + HOUR].map(startAt)).toEqual([
    noon,
    noon + 200_000,
    noon,
    noon,
  ])
})
