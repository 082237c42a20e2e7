import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { firstOf } from '@floorcast/device-client/wait.ts'
import { exitCodes } from './exit-codes.ts'
import { ALIVE_MS, isSign } from './health-signs.ts'
import {
  folderNameOf,
  isWhole,
  nodeOptions,
  pathOfProgram,
  type Program,
  readInstallRequest,
  readSupervisorState,
  replaceFile,
  type SupervisorState,
  updateFoldersOf,
} from './programs.ts'

export interface SupervisorOptions {
  dataDir: string
  /** The program that the installer brought. */
  installed: string
  /** The agent's arguments. */
  args: string[]
  /** The time for a new program to be healthy. */
  healthSeconds: number
  print: (line: string) => void
  /** The time between two signs of life, in milliseconds; of the agent's by default. */
  aliveMs?: number
}

/** A new program that plays nothing for this time is given up: the shop is silent meanwhile. */
const MAX_SILENCE_MS = 30_000
/** One that hangs is given up sooner: the self-test has shown that it starts on this machine. */
const MAX_START_MS = 10_000
/** Starts of a program on trial, all of which a power cut may have ended. */
const MAX_STARTS = 3
/** Unexpected ends in the probation. */
const MAX_CRASHES = 3
const PROBATION_MS = 10 * 60_000
/** Looks at signs of life in the time of one. */
const LOOKS_PER_SIGN = 10
/** An agent that hangs for six signs of life is killed: mpv has come to the end of what it was told to play. */
const MAX_MISSED_LOOKS = 6 * LOOKS_PER_SIGN
/** One on trial sends them more often. */
const MAX_MISSED_ON_TRIAL = 8
/** The pause after an unexpected end; it doubles up to the longest. */
const MIN_PAUSE_MS = 100
const MAX_PAUSE_MS = 30_000
/** After a run of this length, the next start waits no longer than the first. */
const LONG_RUN_MS = 10_000
/** After these the agent's settings or its license are at fault, and a restart does not help. */
const FINAL_CODES: readonly number[] = [
  exitCodes.wrongUse,
  exitCodes['license-bound'],
  exitCodes['license-unknown'],
]

interface Run {
  child: ChildProcess
  /** Looks since the last sign of life; null before the first one: former releases send none. */
  missedLooks: number | null
  alive: Promise<void>
  ended: Promise<number | null>
  playing: Promise<void>
  healthy: Promise<void>
}

function startRun(path: string, args: readonly string[]): Run {
  const child = spawn(process.execPath, [...nodeOptions(), path, ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const newSign = () => Promise.withResolvers<void>()
  const signs = { playing: newSign(), healthy: newSign(), alive: newSign() }
  child.on('message', message => {
    if (!isSign(message)) return
    if (message.floorcast === 'alive') run.missedLooks = 0
    signs[message.floorcast].resolve()
  })
  const ended = new Promise<number | null>(resolve => {
    child.once('error', () => resolve(null))
    child.once('exit', code => resolve(code))
  })
  const { playing, healthy, alive } = signs
  const run: Run = {
    child,
    missedLooks: null,
    alive: alive.promise,
    ended,
    playing: playing.promise,
    healthy: healthy.promise,
  }
  return run
}

/**
 * Starts the agent, starts it again when it ends, and changes to a new program when the install command has asked for it. A new
 * program must show life within ten seconds, play within half a minute and report itself healthy within `healthSeconds`; one that does not, or that ends,
 * gives way to the former one. A start is counted on the disk before it, so that power cuts are counted too.
 */
export class Supervisor {
  readonly #options: SupervisorOptions
  #state: SupervisorState
  #run: Run | null = null
  #isStopping = false
  readonly #stopped = Promise.withResolvers<void>()
  #crashes = 0
  #pauseMs = MIN_PAUSE_MS

  constructor(options: SupervisorOptions) {
    this.#options = options
    this.#state = readSupervisorState(options.dataDir)
  }

  /** Ends the agent, and with it `supervise`. */
  stop(signal: NodeJS.Signals): void {
    this.#isStopping = true
    this.#stopped.resolve()
    this.#run?.child.kill(signal)
  }

  /** Runs until the agent has ended for good. Returns its exit code. */
  async supervise(): Promise<number> {
    for (;;) {
      this.#followRequest()
      const path = this.#nextProgram()
      const { phase } = this.#state
      const startedAt = performance.now()
      const run = startRun(path, this.#options.args)
      this.#run = run
      const endLife = this.#watchLife(run)
      const watching = phase === 'good' ? null : this.#watch(run)
      const code = await run.ended
      endLife()
      await watching
      if (this.#isStopping) return code ?? 0
      if (this.#state.phase !== 'trial' && FINAL_CODES.includes(code ?? 0)) return code ?? 0
      if (phase !== 'good') this.#endOfNew(code)
      if (code !== exitCodes.restart && this.#state.phase !== 'trial' && phase !== 'trial')
        await this.#pause(performance.now() - startedAt)
      if (this.#isStopping) return 0
    }
  }

  /**
   * Kills an agent that has shown life and stops showing it. A timer counts the missed signs, not a clock: after a
   * suspension of the machine the agent has time to send one.
   */
  #watchLife(run: Run): () => void {
    const timer = setInterval(
      () => {
        const isOnTrial = this.#state.phase === 'trial' && this.#state.current?.showsLife === true
        const limit = isOnTrial ? MAX_MISSED_ON_TRIAL : MAX_MISSED_LOOKS
        if (run.missedLooks === null || (run.missedLooks += 1) <= limit) return
        clearInterval(timer)
        this.#options.print('The agent does not answer and is started again')
        run.child.kill('SIGKILL')
      },
      (this.#options.aliveMs ?? ALIVE_MS) / LOOKS_PER_SIGN,
    )
    return () => clearInterval(timer)
  }

  /** Follows a new program from its start until it is healthy, and through its probation. */
  async #watch(run: Run): Promise<void> {
    const { healthSeconds } = this.#options
    const limitMs = healthSeconds * 1000
    const silenceMs = Math.min(limitMs, MAX_SILENCE_MS)
    const over = run.ended.then(() => 'ended' as const)
    if (this.#state.phase === 'trial') {
      const startMs = Math.min(limitMs, MAX_START_MS)
      if (
        this.#state.current?.showsLife &&
        (await firstOf([over, run.alive.then(() => 'alive' as const)], startMs)) === 'time'
      )
        return this.#giveUp(`It showed no life within ${startMs / 1000} seconds`)
      const played = await firstOf([over, run.playing.then(() => 'played' as const)], silenceMs)
      if (played === 'time') return this.#giveUp(`It did not play within ${silenceMs / 1000} seconds`)
      const outcome = await firstOf([over, run.healthy.then(() => 'healthy' as const)], limitMs)
      if (outcome === 'time') return this.#giveUp(`It reached no server within ${healthSeconds} seconds`)
      if (outcome === 'ended') return
      this.#save({ phase: 'probation', starts: 0 })
      this.#crashes = 0
    }
    if ((await firstOf([over], PROBATION_MS)) === 'time') this.#confirm()
  }

  /** A new program has ended, and nobody has ended it. */
  #endOfNew(code: number | null): void {
    const how = code === null ? 'was killed' : `ended with code ${code}`
    const request = readInstallRequest(this.#options.dataDir)
    const hasNewer = request !== null && request.id !== this.#state.requestId
    if (this.#state.phase === 'good' || hasNewer) return
    if (this.#state.phase === 'trial' && code !== exitCodes.restart)
      return this.#giveUp(`It ${how} before it was healthy`)
    if (code === exitCodes.restart || code === 0) return
    this.#crashes += 1
    if (this.#crashes >= MAX_CRASHES) this.#giveUp(`It ${how}, ${this.#crashes} times`)
  }

  /** Returns to the former program. The agent reports it by this note. */
  #giveUp(why: string): void {
    const { current, former } = this.#state
    this.#run?.child.kill('SIGKILL')
    this.#options.print(`Version ${current?.version} is given up: ${why}`)
    const returned = current && { id: randomUUID(), why, ...current }
    this.#save({ current: former, former: null, phase: 'good', starts: 0, returned })
  }

  #confirm(): void {
    this.#save({ former: null, phase: 'good', starts: 0 })
    this.#removeOthers()
  }

  /** Changes to the program that the install command has asked for. */
  #followRequest(): void {
    const request = readInstallRequest(this.#options.dataDir)
    const { current, former, phase, requestId } = this.#state
    if (!request || request.id === requestId) return
    // A program on trial is not a good one to return to.
    const good = phase === 'trial' ? former : current
    this.#save({ current: request.program, former: good, phase: 'trial', starts: 0, requestId: request.id })
  }

  /** The path of the program to start. */
  #nextProgram(): string {
    const { dataDir, installed } = this.#options
    if (this.#state.phase === 'trial') {
      if (this.#state.starts >= MAX_STARTS) this.#giveUp(`It was not healthy after ${MAX_STARTS} starts`)
      // A start that the disk does not count might repeat without end.
      else if (!this.#save({ starts: this.#state.starts + 1 })) this.#giveUp('The disk takes no writes')
    }
    while (this.#state.current && !isWhole(dataDir, this.#state.current)) this.#giveUp('Its file is damaged')
    return this.#state.current ? pathOfProgram(dataDir, this.#state.current) : installed
  }

  async #pause(ranMs: number): Promise<void> {
    if (ranMs > LONG_RUN_MS) this.#pauseMs = MIN_PAUSE_MS
    await firstOf([this.#stopped.promise], this.#pauseMs)
    this.#pauseMs = Math.min(2 * this.#pauseMs, MAX_PAUSE_MS)
  }

  /** Returns whether it is on the disk. In memory it is in force in any case. */
  #save(change: Partial<SupervisorState>): boolean {
    this.#state = { ...this.#state, ...change }
    try {
      replaceFile(updateFoldersOf(this.#options.dataDir).state, JSON.stringify(this.#state))
      return true
    } catch (error) {
      this.#options.print(`The state of updates cannot be written: ${String(error)}`)
      return false
    }
  }

  #removeOthers(): void {
    const { programs } = updateFoldersOf(this.#options.dataDir)
    const kept = [this.#state.current, this.#state.former].flatMap((each: Program | null) =>
      each ? [folderNameOf(each)] : [],
    )
    try {
      for (const name of readdirSync(programs))
        if (!kept.includes(name)) rmSync(join(programs, name), { recursive: true, force: true })
    } catch (error) {
      this.#options.print(`Former programs cannot be removed: ${String(error)}`)
    }
  }
}
