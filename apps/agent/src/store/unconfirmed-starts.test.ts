import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PlayEvent } from '@floorcast/contract/events.ts'
import { Clock, SavedClock } from '@floorcast/device-client/clock.ts'
import { makeStateProgress, PlayLog } from '@floorcast/device-client/play-log.ts'
import { ReportingClock } from '@floorcast/device-client/reporting-clock.ts'
import { makeFile, makePlaylist, makePublication } from '@floorcast/testing/manifest-arbitrary.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { EventStore } from './event-store.ts'
import { LastNumber } from './last-number.ts'
import { ProgressFile } from './progress-file.ts'
import { makeStateStore } from './state-store.ts'
import { openStore } from './store.ts'
import { UnconfirmedStarts } from './unconfirmed-starts.ts'

let folder: string
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'floorcast-starts-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const NOON = Date.UTC(2026, 10, 28, 12)
const SECOND = 1000

/** A machine with a right time, a clock that is wrong by an error, and a start. */
class Machine {
  now = NOON
  errorMs = 0
  #upSince = NOON - HOUR_MS
  #starts = 1

  pass(ms: number): void {
    this.now += ms
  }
  /** A power cut: the agent's process and the machine's uptime begin again, a clock without a battery in 1970. */
  cutPower(offMs: number, hasBattery = true): void {
    this.pass(offMs)
    this.#upSince = this.now
    this.#starts += 1
    if (!hasBattery) this.errorMs = -this.now + 15_000
  }
  readonly time = {
    startId: () => String(this.#starts),
    upMs: () => this.now - this.#upSince,
    clockMs: () => this.now + this.errorMs,
  }
}

/** A start of the agent on a machine. */
function startAgent(machine: Machine) {
  const begun = machine.now
  const store = openStore(folder)
  const state = makeStateStore(store)
  const sources = { system: machine.time.clockMs, steady: () => machine.now - begun }
  const clock = new Clock(
    sources,
    Date.UTC(2026, 10, 1),
    SavedClock.safeParse(state.read('clock')).data ?? null,
  )
  const events = new EventStore(store, { lastNumber: new LastNumber(folder) })
  const log = new PlayLog(
    events,
    { ...state, progress: new ProgressFile(folder, null, makeStateProgress(state)) },
    () => clock.now(),
  )
  const reporting = new ReportingClock(clock)
  new UnconfirmedStarts({ state, events, log, clock, machine: machine.time })
  log.recoverInterrupted()
  const save = () => {
    clock.watchSystem()
    if (clock.isTrusted) state.write('clock', clock.saved())
  }
  const begin = () => {
    const file = makeFile(1, { durationSeconds: 10, name: new Date(machine.now).toISOString() })
    const [steady, startedAt] = [clock.steady(), reporting.toReported(clock.steady())]
    const publication = { ...makePublication(makePlaylist([])), files: [] }
    const rest = { because: 'loop', itemUid: null, offsetSeconds: 0, overlapMs: 0, cutBy: null } as const
    const until = startedAt + 10 * SECOND
    const cue = { kind: 'play', publication, file, startsAt: startedAt, until, ...rest } as const
    const eventId = crypto.randomUUID()
    const play = () => {
      const at = startedAt + reporting.correctionOf(steady)
      return {
        eventId,
        cue: { ...cue, startsAt: at },
        entry: 'start' as const,
        offsetSeconds: 0,
        startedAt: at,
      }
    }
    const progress = () => log.recordProgress(play(), reporting.toReported(clock.steady()))
    progress()
    return { play, progress }
  }
  return {
    events,
    begin,
    /** Plays a song of ten seconds, whose name is the right time of its beginning. */
    play() {
      const { play } = begin()
      machine.pass(10 * SECOND)
      const endedAt = reporting.toReported(clock.steady())
      log.recordEnd(play(), { endedAt, secondsHeard: 10, failure: null, cutBy: null })
      save()
    },
    save,
    /** The server's answer, which took `tookMs` on its way back. */
    answer(tookMs = 40) {
      const askedAt = clock.steady()
      machine.pass(tookMs)
      clock.applyServerTime(machine.now - tookMs, askedAt, clock.steady())
      return clock.isReportable
    },
    /** The errors in the dates of the plays that it may report. */
    errors() {
      expect(clock.isReportable).toBe(true)
      const plays = events
        .readUnsent(1000)
        .map(({ body }) => body as PlayEvent)
        .filter(({ kind }) => kind === 'playtrack')
      return plays.map(({ trackName, startedAt, scheduledAt, endedAt, at, secondsPlayed }) => {
        const right = Date.parse(trackName)
        expect(Date.parse(endedAt) - Date.parse(startedAt)).toBe(Math.round(secondsPlayed * SECOND))
        expect(at).toBe(endedAt)
        return Math.max(...[startedAt, scheduledAt].map(date => Math.abs(Date.parse(date) - right)))
      })
    },
  }
}
type Agent = ReturnType<typeof startAgent>

const twoPlays = (agent: Agent) => [1, 2].forEach(() => agent.play())
/** A first start that the server confirms and that leaves nothing unsent. */
function runConfirmed(machine: Machine): void {
  const agent = startAgent(machine)
  agent.answer()
  agent.save()
}

const cases: Record<string, { plays: number; run: (machine: Machine) => Agent }> = {
  "+20 days, the machine's clock is set right, then online": {
    plays: 4,
    run(machine) {
      machine.errorMs = 20 * DAY_MS
      const agent = startAgent(machine)
      twoPlays(agent)
      machine.errorMs = 0
      agent.save()
      twoPlays(agent)
      agent.answer()
      return agent
    },
  },
  '+20 days, killed in a play, started with the right clock, online': {
    plays: 4,
    run(machine) {
      machine.errorMs = 20 * DAY_MS
      const agent = startAgent(machine)
      twoPlays(agent)
      agent.begin()
      machine.pass(30 * SECOND)
      machine.errorMs = 0
      const next = startAgent(machine)
      next.play()
      next.answer()
      return next
    },
  },
  '+2 hours, within a day of the last good time': {
    plays: 3,
    run(machine) {
      runConfirmed(machine)
      machine.errorMs = 2 * HOUR_MS
      const agent = startAgent(machine)
      twoPlays(agent)
      expect(() => agent.errors()).toThrow('expected false to be true')
      agent.answer()
      agent.play()
      return agent
    },
  },
  '-45 minutes, and the first answer is slow': {
    plays: 4,
    run(machine) {
      machine.errorMs = -45 * 60 * SECOND
      const agent = startAgent(machine)
      twoPlays(agent)
      expect(agent.answer(11 * SECOND)).toBe(false)
      twoPlays(agent)
      expect(agent.answer(100)).toBe(true)
      return agent
    },
  },
  'a power cut in a play, and the machine starts in 1970': {
    plays: 3,
    run(machine) {
      const agent = startAgent(machine)
      agent.answer()
      agent.play()
      const { progress } = agent.begin()
      machine.pass(7 * SECOND)
      progress()
      machine.cutPower(217 * SECOND, false)
      const next = startAgent(machine)
      next.play()
      next.answer()
      return next
    },
  },
  '40 days ahead, killed, and again': {
    plays: 4,
    run(machine) {
      runConfirmed(machine)
      machine.errorMs = 40 * DAY_MS
      twoPlays(startAgent(machine))
      machine.pass(25 * SECOND)
      const next = startAgent(machine)
      twoPlays(next)
      next.answer()
      return next
    },
  },
  'a clock with a battery, wrong over a power cut': {
    plays: 3,
    run(machine) {
      machine.errorMs = 3 * DAY_MS
      twoPlays(startAgent(machine))
      machine.cutPower(8 * HOUR_MS)
      const next = startAgent(machine)
      next.play()
      next.answer()
      return next
    },
  },
  'off by four seconds': {
    plays: 2,
    run(machine) {
      machine.errorMs = -4 * SECOND
      const agent = startAgent(machine)
      twoPlays(agent)
      agent.answer()
      return agent
    },
  },
}

test.each(Object.entries(cases))('Dates are right to 0.2 s: %s', (_, { run, plays }) => {
  const errors = run(new Machine()).errors()
  expect(errors).toHaveLength(plays)
  expect(Math.max(...errors)).toBeLessThanOrEqual(200)
})

test('Dates of before a power cut that cannot be known lie before this start, and the log says so', () => {
  const machine = new Machine()
  machine.errorMs = 20 * DAY_MS
  twoPlays(startAgent(machine))
  machine.cutPower(HOUR_MS)
  machine.errorMs = 0
  const begun = machine.now
  const next = startAgent(machine)
  next.answer()
  const events = next.events.readUnsent(100).map(({ body }) => body as PlayEvent)
  for (const { at, kind } of events)
    if (kind === 'playtrack') expect(Date.parse(at)).toBeLessThanOrEqual(begun)
  expect(events).toContainEqual(expect.objectContaining({ code: 'dates-uncertain' }))
})
