import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setImmediate as defer } from 'node:timers'
import { isOfAlert, PRIORITIES, type Priority } from '@floorcast/contract/endpoint.ts'
import type { FastifyInstance } from 'fastify'
import { CountLimit } from '../../lib/count-limit.ts'
import type { Log } from '../../log/log.ts'
import type { Metrics } from '../../metrics/metrics.ts'
import {
  AdmissionQueue,
  type AdmissionParts,
  type Caller,
  type Level,
  type QueueState,
} from './admission-queue.ts'

/*
 * Order under load (docs/decisions/0166). Each call has a priority (contract/endpoint.ts), and each priority has a queue:
 *
 *   admission.identify   bounds the authentications: the client is not known yet
 *   admission.run        waits for a place, in turns of the clients, works and frees the place
 *
 * While the beginning or the end of an alert is in work, and is sent, no call of the lower priorities enters: it would take
 * processor time and connections from the alert. This lasts a second at most, and one client's alerts do it twelve times
 * a minute, and their ends as often, so that alerts cannot stop the others. A begin takes precedence over an end: it holds the
 * others also during and just after what an end holds.
 *
 * Places bound what is in work. While the event loop is slow, the lowest priority loses places first, and the highest gets
 * its places back first; each keeps a minimum. A caller that would wait too long is told at once when to come back.
 */

/** Heartbeats and connections share transactions, so their places are the sizes of batches: few places would cost more. */
const LEVELS: Record<Priority, Level> = {
  alert: { places: 64, minPlaces: 64, maxWaiting: 1000, maxWaitMs: 10_000 },
  'alert-end': { places: 64, minPlaces: 64, maxWaiting: 1000, maxWaitMs: 10_000 },
  heartbeat: { places: 1000, minPlaces: 1000, maxWaiting: 5000, maxWaitMs: 10_000 },
  // Calls share transactions too; but one with 500 events takes milliseconds to validate.
  plays: { places: 256, minPlaces: 64, bytesAPlace: 8192, maxWaiting: 2000, maxWaitMs: 10_000 },
  console: { places: 16, minPlaces: 8, maxWaiting: 500, maxWaitMs: 10_000 },
  connect: { places: 200, minPlaces: 80, maxWaiting: 5000, maxWaitMs: 8000 },
  // Manifests are made together, two batches at a time, so that places are the size of batches.
  manifest: { places: 128, minPlaces: 32, maxWaiting: 5000, maxWaitMs: 8000 },
  // A file keeps its place to its last byte, which may take a slow line an hour; most of the time it costs nothing.
  media: { places: 1000, minPlaces: 250, keptPlaces: 100, maxWaiting: 2000, maxWaitMs: 8000 },
  // An upload keeps its place until its last byte.
  upload: { places: 200, minPlaces: 200, keptPlaces: 20, maxWaiting: 200, maxWaitMs: 8000 },
}

/** The first priorities, alerts and heartbeats, enter while an alert is in work. */
const NOT_HELD = PRIORITIES.indexOf('heartbeat') + 1
const MAX_HOLD_MS = 1000
/** The time after the commit in which the server hears of the alert and begins to send it to the open channels. */
const HEARING_MS = 150
/** After such a time, the other calls enter for at least this time. */
const MIN_OPEN_MS = 1000
/** One client's alerts hold all calls this often: more is not an emergency, and must not slow down the other clients. */
const HOLDS_OF_CLIENT = { max: 12, windowSeconds: 60 }

type AlertPriority = Extract<Priority, 'alert' | 'alert-end'>

/** The event loop is slow above this delay and fast below half of it. */
const MAX_LOOP_DELAY_MS = 50
const ADAPT_INTERVAL_MS = 200
/** The percentile of an interval's samples that two long turns of the event loop reach, and one, such as a collection of garbage, does not. */
const SUSTAINED = 90
/** The interval of the samples, which each sample includes. */
const RESOLUTION_MS = 10
/** The time of a figure for operators, and between two lines of the log. */
const WINDOW_MS = 10_000

/** Admits calls in the order of their priorities, and refuses what the server does not keep up with. */
export class Admission {
  readonly #queues: readonly AdmissionQueue[]
  readonly #steady: () => number
  /** The time since which the lower priorities are held, the priority that holds them, and the timer that lets them in. */
  #held: { since: number; by: AlertPriority; timer: NodeJS.Timeout } | null = null
  #mayHoldAt: Record<AlertPriority, number> = { alert: 0, 'alert-end': 0 }
  #alertsInWork = 0
  #beginsInCall = 0
  readonly #holds: Record<AlertPriority, CountLimit>

  constructor(parts: AdmissionParts, levels: Record<Priority, Level> = LEVELS) {
    this.#steady = parts.steady
    const count = () => new CountLimit({ ...HOLDS_OF_CLIENT, now: () => new Date(parts.steady()) })
    this.#holds = { alert: count(), 'alert-end': count() }
    this.#queues = PRIORITIES.map(priority => new AdmissionQueue(levels[priority], parts))
  }

  /**
   * Authenticates a caller. Calls with one token count once, so that one caller's flood refuses no other caller.
   * @throws ProblemError 503 if too many callers of this priority are being authenticated
   */
  identify<T>(priority: Priority, token: string | null, authenticate: () => Promise<T>): Promise<T> {
    return this.#queue(priority).identify(token, authenticate)
  }

  /** Lets a caller wait only if it will probably get a place. @throws ProblemError 503 */
  checkRoom(priority: Priority, clientId: string): void {
    this.#queue(priority).checkRoom(clientId)
  }

  /** Works when the caller has a place. @throws ProblemError 503 with the time to come back */
  run<T>(priority: Priority, caller: Caller, work: () => T | Promise<T>): Promise<T> {
    const admit = () => this.#admit(priority, caller, work)
    return isOfAlert(priority) ? this.#holdForCall(priority, caller, admit) : admit()
  }

  /** Called at intervals: refuses callers who have waited too long, and adapts the places to the event loop's delay. */
  adapt(loopDelayMs: number): void {
    for (const queue of this.#queues) queue.measure()
    if (loopDelayMs > MAX_LOOP_DELAY_MS) this.#queues.findLast(queue => queue.mayShrink)?.shrink()
    else if (loopDelayMs < MAX_LOOP_DELAY_MS / 2) this.#queues.find(queue => queue.mayGrow)?.grow()
  }

  states(): Record<Priority, QueueState> {
    const states = PRIORITIES.map(priority => [priority, this.#queue(priority).state] as const)
    return Object.fromEntries(states) as Record<Priority, QueueState>
  }

  async #admit<T>(priority: Priority, caller: Caller, work: () => T | Promise<T>): Promise<T> {
    const queue = this.#queue(priority)
    await queue.enter(caller)
    try {
      return await work()
    } finally {
      // The place is free in the next turn of the event loop, so that one turn has no more calls than places.
      defer(() => queue.leave(caller))
    }
  }

  /** Whether a call that begins an alert is in work. */
  get isAlertBeginning(): boolean {
    return this.#beginsInCall > 0
  }

  /** Holds the lower priorities while an alert is sent to the channels. */
  holdDuring(priority: AlertPriority, clientId: string, sending: Promise<void>): void {
    this.#hold(priority, clientId)
    this.#alertsInWork += 1
    const end = () => {
      this.#alertsInWork -= 1
      if (this.#alertsInWork === 0) this.#releaseIn(0)
    }
    this.#releaseIn(MAX_HOLD_MS)
    void sending.then(end, end)
  }

  /** Holds the lower priorities during an alert's call, and until the alert is heard of. A refused one has nothing to send. */
  async #holdForCall<T>(priority: AlertPriority, { clientId }: Caller, work: () => Promise<T>): Promise<T> {
    this.#hold(priority, clientId)
    this.#alertsInWork += 1
    if (priority === 'alert') this.#beginsInCall += 1
    let hearingMs = 0
    try {
      const answer = await work()
      hearingMs = HEARING_MS
      return answer
    } finally {
      if (priority === 'alert') this.#beginsInCall -= 1
      this.#alertsInWork -= 1
      if (this.#alertsInWork === 0) this.#releaseIn(hearingMs)
    }
  }

  #hold(by: AlertPriority, clientId: string): void {
    const since = this.#steady()
    const isHeld = this.#held !== null && (by === 'alert-end' || this.#held.by === 'alert')
    if (isHeld || since < this.#mayHoldAt[by] || this.#holds[by].isReached(clientId)) return
    this.#holds[by].add(clientId)
    if (this.#held) clearTimeout(this.#held.timer)
    else for (const queue of this.#queues.slice(NOT_HELD)) queue.hold()
    this.#held = { since, by, timer: setTimeout(() => this.#release(), MAX_HOLD_MS) }
  }

  #releaseIn(millis: number): void {
    if (!this.#held) return
    clearTimeout(this.#held.timer)
    const leftMs = Math.max(0, this.#held.since + MAX_HOLD_MS - this.#steady())
    this.#held.timer = setTimeout(() => this.#release(), Math.min(millis, leftMs))
  }

  #release(): void {
    const openUntil = this.#steady() + MIN_OPEN_MS
    if (this.#held?.by === 'alert') this.#mayHoldAt.alert = openUntil
    this.#mayHoldAt['alert-end'] = openUntil
    this.#held = null
    for (const queue of this.#queues.slice(NOT_HELD)) queue.release()
  }

  #queue(priority: Priority): AdmissionQueue {
    const queue = this.#queues[PRIORITIES.indexOf(priority)]
    if (!queue) throw new Error(`no queue for ${priority}`)
    return queue
  }
}

/** Orders the calls of a server, and measures how busy it is. */
export interface Load {
  admission: Admission
  /** The 99th percentile of the event loop's delay in the last ten seconds. */
  loopDelayMs: () => number
}

/** Opens the admission of calls, adapts it to the event loop's delay until the server closes, and logs when it is overloaded. */
export function openAdmission(app: FastifyInstance, log: Log): Load {
  const steady = () => performance.now()
  const admission = new Admission({ steady, random: Math.random })
  const [recent, window] = [openDelay(), openDelay()]
  let [delayMs, refusedBefore, windowEndsAt] = [0, 0, steady() + WINDOW_MS]
  const endWindow = () => {
    delayMs = window.take(99)
    const queues = admission.states()
    const refused = Object.values(queues).reduce((sum, queue) => sum + queue.refused, 0)
    const newlyRefused = refused - refusedBefore
    if (delayMs > MAX_LOOP_DELAY_MS || newlyRefused > 0)
      log.warn({ eventLoopDelayMs: Math.round(delayMs), refused: newlyRefused, queues }, 'overloaded')
    refusedBefore = refused
    windowEndsAt = steady() + WINDOW_MS
  }
  const timer = setInterval(() => {
    admission.adapt(recent.take(SUSTAINED))
    if (steady() >= windowEndsAt) endWindow()
  }, ADAPT_INTERVAL_MS)
  timer.unref()
  app.addHook('onClose', (_, done) => {
    clearInterval(timer)
    recent.stop()
    window.stop()
    done()
  })
  return { admission, loopDelayMs: () => delayMs }
}

function openDelay() {
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delay.enable()
  return {
    /** A percentile in milliseconds since the last call. */
    take: (percentile: number) => {
      const value = delay.count > 0 ? delay.percentile(percentile) / 1e6 : 0
      delay.reset()
      return Math.max(0, value - RESOLUTION_MS)
    },
    stop: () => delay.disable(),
  }
}

const QUEUE_FIGURES = [
  ['places', 'calls_places', 'Calls that may be in work.'],
  ['inWork', 'calls_in_work', 'Calls in work.'],
  ['waiting', 'calls_waiting', 'Calls that wait for a place.'],
] as const
const QUEUE_TOTALS = [
  ['admitted', 'calls_admitted_total', 'Calls admitted since the start.'],
  ['refused', 'calls_refused_total', 'Calls refused with 503 since the start.'],
] as const

/** Shows monitors how busy the process is, and the queues. */
export function showLoad(metrics: Metrics, { admission, loopDelayMs }: Load): void {
  const of = (field: keyof QueueState) => () =>
    Object.entries(admission.states()).map(([priority, state]) => [{ priority }, state[field]] as const)
  for (const [field, name, help] of QUEUE_FIGURES)
    metrics.gauges(name, { help: help, labels: ['priority'] }, of(field))
  for (const [field, name, help] of QUEUE_TOTALS)
    metrics.totals(name, { help: help, labels: ['priority'] }, of(field))
  metrics.gauge(
    'event_loop_delay_seconds',
    '99th percentile of the last ten seconds.',
    () => loopDelayMs() / 1000,
  )
  metrics.gauge('resident_memory_bytes', 'Memory of the server.', () => process.memoryUsage.rss())
  metrics.totals('cpu_seconds_total', { help: 'Processor time of the server.', labels: [] }, () => {
    const { user, system } = process.cpuUsage()
    return [[{}, (user + system) / 1e6]]
  })
}
