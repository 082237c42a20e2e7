import { ChangeNotifier, firstOf, sleep } from '@floorcast/device-client/wait.ts'
import type { Cue, PlayCue } from '@floorcast/playback/cue-types.ts'
import { cueAt, filesOf } from '@floorcast/playback/cue.ts'
import { JOIN_FADE_MS } from '@floorcast/playback/iterate-cues.ts'
import {
  makeFile,
  makeItem,
  makeManifest,
  makePlaylist,
  makePublication,
} from '@floorcast/testing/manifest-arbitrary.ts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { NextPlay, Play, TrackOutput } from './ports.ts'
import { Sequencer } from './sequencer.ts'

/* An output that does what the test says, and songs of a minute each from eight o'clock. */

const MINUTE = 60_000
/** A cut takes its time. */
const FADE_MS = 300
const eight = Date.parse('2026-03-01T08:00:00Z')
/** The steady clock shows another number than the time of day. */
const steady = () => Date.now() - eight + 1000
const files = [0, 1, 2].map(number => makeFile(number))
const playlist = makePlaylist([0, 1, 2].map(number => makeItem(number)))
const manifest = makeManifest({ files, publications: [makePublication(playlist)] })
const held = filesOf(manifest)
const scheduled = (at: number): Cue => cueAt(manifest, at, held)

function playCueAt(at: number): PlayCue {
  const cue = scheduled(at)
  if (cue.kind !== 'play') throw new Error('Nothing plays')
  return cue
}
const first = playCueAt(eight)
const second = playCueAt(eight + MINUTE)
const closed = (at: number): Cue => ({ kind: 'silent', because: 'closed', until: at + MINUTE })

/** A play that begins and ends when the test says so. */
class ScriptedPlay implements Play {
  cue: PlayCue
  readonly entry = 'start'
  offsetSeconds = 0
  startedAt: number | null = null
  ending: Play['ending'] = null
  readonly #begun = Promise.withResolvers<void>()
  readonly #over = Promise.withResolvers<null>()
  readonly started = this.#begun.promise
  readonly ended = this.#over.promise
  readonly logged = this.#over.promise

  constructor(cue: PlayCue) {
    this.cue = cue
  }
  begin(): this {
    this.startedAt = steady()
    this.#begun.resolve()
    return this
  }
  end(kind: 'end' | 'stopped' | 'failed' | 'died'): this {
    this.ending = { kind }
    this.#over.resolve(null)
    return this
  }
}

let now: { cueAt: (at: number) => Cue; isStopping: boolean }
let did: unknown[][]
/** The next track, as the output has prepared it. */
let next: NextPlay<ScriptedPlay> & { play: ScriptedPlay }
let changes: ChangeNotifier
/** How much too early its timers ring, one after the other. */
let earlyMs: number[]
/** How the output prepares a next track, and takes what it is to end. */
let output: TrackOutput<ScriptedPlay>

function prepare(cue: PlayCue): typeof next {
  const play = new ScriptedPlay(cue)
  return {
    play,
    cue,
    dueAt: () => null,
    begin: async () => play.begin(),
    drop: async reason => {
      did.push(['drop', reason])
      return true
    },
  }
}

beforeEach(() => {
  vi.useFakeTimers({ now: eight })
  now = { cueAt: scheduled, isStopping: false }
  did = []
  earlyMs = []
  changes = new ChangeNotifier((promises, ms) =>
    firstOf(promises, ms === null ? null : ms - (earlyMs.shift() ?? 0)),
  )
  output = {
    reportingClock: { toReported: at => at + 5 },
    ready: () => null,
    start: async cue => new ScriptedPlay(cue),
    prepareNext: async (_, cue) => {
      did.push(['prepare', cue.file.name])
      next = prepare(cue)
      return next
    },
    noteCut: (play, reason) => void did.push(['note', play?.cue.file.name, reason]),
    cut: async (play, reason) => {
      did.push(['cut', play.cue.file.name, reason])
      await sleep(FADE_MS)
      play.end('stopped')
    },
    endStuck: async play => {
      did.push(['stuck', play.cue.file.name])
      play.end('died')
    },
    settle: async ({ ending }) => ending?.kind === 'end',
    stop: async () => undefined,
    stopForAlert: async () => undefined,
    close: () => undefined,
  }
})
afterEach(() => void vi.useRealTimers())

function makeSequencer(isFollowing = false) {
  return new Sequencer<ScriptedPlay>({
    clock: {
      now: Date.now,
      steady,
      instantOf: at => at + eight - 1000,
      steadyOf: at => at - eight + 1000,
      onMove: () => undefined,
    },
    log: { recordSource: (cue: PlayCue, at: number) => did.push(['source', cue.file.name, at]) } as never,
    output,
    changes,
    cueAt: at => now.cueAt(at),
    isFollowing,
    isStopping: () => now.isStopping,
    onStarted: play => void did.push(['heard', play.cue.file.name]),
  })
}

/** Runs a play until it waits. `returned` is when to ask for the next cue; null while it runs. */
async function run(play: ScriptedPlay, { isFollowing = false } = {}) {
  const sequencer = makeSequencer(isFollowing)
  const state: { returned: number | null } = { returned: null }
  const ended = sequencer.run(play, changes.count).then(at => (state.returned = at - eight))
  await vi.advanceTimersByTimeAsync(0)
  return { sequencer, state, ended }
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)
async function change(what: Partial<typeof now>): Promise<void> {
  Object.assign(now, what)
  changes.notify()
  await pass(0)
}
/** What was done since the last time. */
const done = () => did.splice(0)
/** The same without what is noted of each track that is heard, again after each wait. */
const doneElse = () => done().filter(([kind]) => kind !== 'source' && kind !== 'heard')

const HEARD = [
  ['source', 'Song 0', 1005],
  ['heard', 'Song 0'],
  ['prepare', 'Song 1'],
]

test('a track is prepared when the one before it is heard, and begins when that one has ended', async () => {
  const play = new ScriptedPlay(first)
  const { state, ended } = await run(play)
  expect(done()).toEqual([])
  play.begin()
  await pass(0)
  expect(done()).toEqual(HEARD)
  await pass(MINUTE)
  expect(state.returned).toBe(null)
  now.cueAt = closed
  play.end('end')
  await pass(0)
  expect(done()).toEqual([
    ['source', 'Song 1', MINUTE + 1005],
    ['heard', 'Song 1'],
  ])
  next.play.end('end')
  await ended
  expect(state.returned).toBe(2 * MINUTE)
})

test('a play that fails before it is heard is not heard, and nothing follows it', async () => {
  const play = new ScriptedPlay(first)
  const { state, ended } = await run(play)
  await pass(700)
  play.end('failed')
  await ended
  expect([state.returned, done()]).toEqual([700, []])
})

test('a play that has ended when it is first looked at was heard, and nothing is prepared after it', async () => {
  const { state, ended } = await run(new ScriptedPlay(first).begin().end('end'))
  await ended
  expect([state.returned, done()]).toEqual([MINUTE, HEARD.slice(0, 2)])
})

test('a play of which nothing is heard within 15 seconds is ended', async () => {
  const { state, ended } = await run(new ScriptedPlay(first))
  await pass(14_999)
  expect(done()).toEqual([])
  await pass(1)
  await ended
  expect([state.returned, done()]).toEqual([15_000, [['stuck', 'Song 0']]])
})

test('a play that was ended and gives no sign either is waited for, and nothing is prepared after it', async () => {
  output.endStuck = async () => void did.push(['stuck'])
  const play = new ScriptedPlay(first)
  const { state, ended } = await run(play)
  await pass(10 * MINUTE)
  expect([state.returned, done()]).toEqual([null, [['stuck']]])
  play.end('died')
  await ended
  expect(state.returned).toBe(10 * MINUTE)
})

test('a play that has not ended 15 seconds after the end of its file is ended', async () => {
  const play = new ScriptedPlay({ ...first, startsAt: eight - 20_000 })
  play.offsetSeconds = 20
  now.cueAt = closed
  const { state, ended } = await run(play.begin())
  await pass(54_999)
  expect(doneElse()).toEqual([])
  await pass(1)
  await ended
  expect([state.returned, doneElse()]).toEqual([55_000, [['stuck', 'Song 0']]])
})

test('an alert is noted for the play that is heard, and for none before the first', async () => {
  const play = new ScriptedPlay(first)
  makeSequencer().noteAlert()
  expect(done()).toEqual([])
  const { sequencer } = await run(play)
  sequencer.noteAlert()
  expect(done()).toEqual([['note', 'Song 0', 'alert']])
})

test('an alert gives up the next track, and leaves the end of the current one to its sound', async () => {
  const { state } = await run(new ScriptedPlay(first).begin())
  done()
  await pass(500)
  const alert: Cue = { kind: 'alert', because: 'alert' } as Cue
  await change({ cueAt: () => alert })
  expect([state.returned, done()]).toEqual([
    500,
    [
      ['note', 'Song 0', 'alert'],
      ['drop', 'alert'],
    ],
  ])
})

test.each([
  { what: 'a stop of the agent', after: { isStopping: true }, reason: 'agent-stopped' },
  { what: 'the close of the shop', after: { cueAt: closed }, reason: 'closed' },
])('$what cuts the play and gives up the next one', async ({ after, reason }) => {
  const { state } = await run(new ScriptedPlay(first).begin())
  done()
  await change(after)
  expect(state.returned).toBe(null)
  await pass(FADE_MS)
  expect([state.returned, done()]).toEqual([
    300,
    [
      ['note', 'Song 0', reason],
      ['drop', reason],
      ['cut', 'Song 0', reason],
    ],
  ])
})

test('what is given up, but has begun by itself, is the play that is cut', async () => {
  const play = new ScriptedPlay(first)
  const { state } = await run(play.begin())
  const { play: begun } = next
  Object.assign(next, { drop: async () => false, begin: async () => begun })
  done()
  begun.begin()
  await change({ isStopping: true })
  await pass(FADE_MS)
  expect([state.returned, done()]).toEqual([
    300,
    [
      ['note', 'Song 0', 'agent-stopped'],
      ['cut', 'Song 1', 'agent-stopped'],
    ],
  ])
})

/** The same play by another manifest, so much later. */
const moved = (ms: number) => (): Cue => ({ ...first, startsAt: eight + ms, itemUid: 'another' })

test.each([
  { who: 'a device', isFollowing: false, cue: moved(0), goesOn: true, has: 'another' },
  { who: 'a device', isFollowing: false, cue: moved(1), goesOn: true, has: first.itemUid },
  { who: 'a device', isFollowing: false, cue: () => second, goesOn: true, has: first.itemUid },
  { who: 'a listener', isFollowing: true, cue: moved(400), goesOn: true, has: 'another' },
  { who: 'a listener', isFollowing: true, cue: moved(-400), goesOn: true, has: 'another' },
  { who: 'a listener', isFollowing: true, cue: moved(401), goesOn: false, has: first.itemUid },
  { who: 'a listener', isFollowing: true, cue: moved(-401), goesOn: false, has: first.itemUid },
  { who: 'a listener', isFollowing: true, cue: () => second, goesOn: false, has: first.itemUid },
])('after a change to another cue $who goes on: $goesOn', async ({ isFollowing, cue, goesOn, has }) => {
  const play = new ScriptedPlay(first)
  const { state } = await run(play.begin(), { isFollowing })
  done()
  await change({ cueAt: cue })
  await pass(FADE_MS)
  expect([state.returned, play.cue.itemUid]).toEqual([goesOn ? null : 300, has])
  expect(done().filter(([kind]) => kind === 'cut')).toEqual(goesOn ? [] : [['cut', 'Song 0', 'device']])
})

test('after a change that goes on, the next track is prepared again', async () => {
  await run(new ScriptedPlay(first).begin())
  done()
  await change({})
  expect(done()).toEqual([['note', 'Song 0', null], ['drop', null], ...HEARD])
})

test.each([
  { rings: 'on time', early: 0, begins: 51_000 },
  { rings: '50 ms too early', early: 50, begins: 50_950 },
  { rings: '51 ms too early, and is set again', early: 51, begins: 51_000 },
])(
  'a crossfade begins when its timer $rings, while the play before it goes on',
  async ({ early, begins }) => {
    // It is looked at 250 ms before, too.
    earlyMs = [0, early]
    output.prepareNext = async (_, cue) => {
      next = { ...prepare(cue), dueAt: () => 52_000 }
      return next
    }
    const play = new ScriptedPlay(first)
    await run(play.begin())
    await pass(begins - 1)
    expect(next.play.startedAt).toBe(null)
    await pass(1)
    expect([next.play.startedAt, play.ending]).toEqual([begins + 1000, null])
    expect(done().slice(-2)).toEqual([
      ['source', 'Song 1', begins + 1005],
      ['heard', 'Song 1'],
    ])
  },
)

test('a track that is near its time is waited for at once', async () => {
  const waits: (number | null)[] = []
  changes = new ChangeNotifier((promises, ms) => {
    waits.push(ms)
    return firstOf(promises, ms)
  })
  output.prepareNext = async (_, cue) => ({ ...prepare(cue), dueAt: () => 1301 })
  await run(new ScriptedPlay(first).begin())
  await pass(301)
  // The first one waits for the output.
  expect(waits.slice(1, 3)).toEqual([51, 250])
  waits.splice(0)
  vi.setSystemTime(eight)
  output.prepareNext = async (_, cue) => ({ ...prepare(cue), dueAt: () => 1300 })
  await run(new ScriptedPlay(first).begin())
  await pass(300)
  expect(waits[1]).toBe(300)
})

test('what is prepared does not follow a play that ended long before its time', async () => {
  output.prepareNext = async (_, cue) => ({ ...prepare(cue), dueAt: () => 50_000 })
  const play = new ScriptedPlay(first)
  const { state, ended } = await run(play.begin())
  done()
  await pass(40_000)
  play.end('end')
  await ended
  expect([state.returned, done()]).toEqual([MINUTE, []])
})

test('what is prepared does not follow a play that was stopped', async () => {
  const play = new ScriptedPlay(first)
  const { state, ended } = await run(play.begin())
  done()
  await pass(40_000)
  play.end('stopped')
  await ended
  expect([state.returned, done()]).toEqual([40_000, []])
})

test('a play that is half a minute off its schedule is cut, to be joined again', async () => {
  const cue = { ...first, startsAt: eight - 31_000, until: eight + 29_000 }
  const { state } = await run(new ScriptedPlay(cue).begin())
  await pass(FADE_MS)
  expect([state.returned, done()]).toEqual([300, [...HEARD.slice(0, 2), ['cut', 'Song 0', 'clock']]])
})

test('a play that is cut by its schedule ends before the end of its cue, at which the next one is asked for', async () => {
  const cue: PlayCue = { ...first, until: eight + 30_000, cutBy: 'closed' }
  const { state } = await run(new ScriptedPlay(cue).begin())
  done()
  await pass(30_000 - JOIN_FADE_MS - 1)
  expect(doneElse()).toEqual([])
  await pass(1 + FADE_MS)
  expect([state.returned, doneElse()]).toEqual([30_000, [['cut', 'Song 0', 'closed']]])
})

test('while an output hangs, what ends the play is noted at once', async () => {
  const hung = Promise.withResolvers<typeof next>()
  output.prepareNext = () => hung.promise
  const { state } = await run(new ScriptedPlay(first).begin())
  done()
  await change({})
  expect(done()).toEqual([])
  await change({ cueAt: closed })
  expect([state.returned, done()]).toEqual([null, [['note', 'Song 0', 'closed']]])
  hung.resolve(prepare(second))
  await pass(FADE_MS)
  expect([state.returned, done()]).toEqual([
    300,
    [
      ['note', 'Song 0', 'closed'],
      ['drop', 'closed'],
      ['cut', 'Song 0', 'closed'],
    ],
  ])
})
