import { z } from 'zod'
import type { StateStore } from '@floorcast/device-client/state-store.ts'

const Attempts = z.object({
  /** The hashes of the update's files. */
  files: z.string(),
  failures: z.int(),
  /** Milliseconds since 1970. */
  nextAt: z.number(),
  isGivenUp: z.boolean(),
  /** The last attempt was that of a forced update. */
  wasForced: z.boolean(),
})
type Attempts = z.infer<typeof Attempts>

const NAME = 'update-attempts'
const MAX_KEPT = 20
const MAX_FAILURES = 3
const FIRST_WAIT_MS = 3_600_000

interface Attempted {
  isForced: boolean
  files: readonly { sha256: string }[]
}

const keyOf = ({ files }: Attempted): string => files.map(({ sha256 }) => sha256).join(' ')

/** The failed attempts to install updates. An update that is given up is tried again only when it is forced once more. */
export class UpdateAttempts {
  readonly #state: StateStore

  constructor(state: StateStore) {
    this.#state = state
  }

  /** The time of the next attempt; Infinity: none. */
  nextAt(update: Attempted): number {
    const attempts = this.#find(keyOf(update))
    if (!attempts || (update.isForced && !attempts.wasForced)) return -Infinity
    return attempts.isGivenUp ? Infinity : attempts.nextAt
  }

  /** Counts a failure: the next attempt is an hour later, then two; after three it is given up. */
  fail(update: Attempted, now: number): void {
    const former = this.#find(keyOf(update))
    const isAgain = former !== undefined && (former.wasForced || !update.isForced)
    const failures = (isAgain ? former.failures : 0) + 1
    const nextAt = now + FIRST_WAIT_MS * 2 ** (failures - 1)
    this.#put(update, { failures, nextAt, isGivenUp: failures >= MAX_FAILURES })
  }

  giveUp(update: Attempted): void {
    this.#put(update, { failures: MAX_FAILURES, nextAt: 0, isGivenUp: true })
  }

  /** Nothing is forced any more: what will be forced is tried again. */
  endForce(): void {
    const all = this.#read()
    if (all.some(({ wasForced }) => wasForced))
      this.#state.write(
        NAME,
        all.map(each => ({ ...each, wasForced: false })),
      )
  }

  #put(update: Attempted, rest: Pick<Attempts, 'failures' | 'nextAt' | 'isGivenUp'>): void {
    const files = keyOf(update)
    const others = this.#read().filter(each => each.files !== files)
    this.#state.write(NAME, [...others, { files, wasForced: update.isForced, ...rest }].slice(-MAX_KEPT))
  }

  #find(key: string): Attempts | undefined {
    return this.#read().find(({ files }) => files === key)
  }
  #read(): Attempts[] {
    return z.array(Attempts).catch([]).parse(this.#state.read(NAME))
  }
}
