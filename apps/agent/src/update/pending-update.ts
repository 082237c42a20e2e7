import { release } from '@floorcast/contract/release.ts'
import { compareVersions } from '@floorcast/contract/update-versions.ts'
import { z } from 'zod'
import type { StateStore } from '@floorcast/device-client/state-store.ts'
import { readSupervisorState } from './programs.ts'
import type { UpdateAttempts } from './update-attempts.ts'
import { type HighestVersion, SignedVersion } from './signed-version.ts'
import { UpdateHead, type UpdateLog } from './update-log.ts'

/** An update from the start of its install command on. It is kept afterwards: a program may be given up later. */
const PendingUpdate = z.object({
  update: UpdateHead,
  isDone: z.boolean(),
  /** Whether the former version played: a new one that is silent on a machine without sound is healthy. */
  hasPlayed: z.boolean(),
  /** Absent for an update that a former release began. */
  signed: SignedVersion.optional(),
})
type PendingUpdate = z.infer<typeof PendingUpdate>

const PENDING = 'update-pending'
const RETURN_REPORTED = 'update-return-reported'

const readPending = (state: StateStore): PendingUpdate | null =>
  PendingUpdate.safeParse(state.read(PENDING)).data ?? null

/** Whether this version must play to be healthy. */
export function mustPlay(state: StateStore): boolean {
  const pending = readPending(state)
  return !pending || pending.isDone || pending.hasPlayed
}

interface PendingUpdateParts {
  dataDir: string
  state: StateStore
  log: UpdateLog
  attempts: UpdateAttempts
  highest: HighestVersion
  now: () => number
}

/** The update whose installation has begun, over the restart of the agent. */
export class PendingUpdates {
  readonly #parts: PendingUpdateParts

  constructor(parts: PendingUpdateParts) {
    this.#parts = parts
  }

  begin(update: UpdateHead, facts: { signed: SignedVersion; hasPlayed: boolean }): void {
    this.#write({ update, isDone: false, ...facts })
  }

  /** The installation has failed, and the former version runs on. */
  fail(message: string): void {
    const { log, attempts, now } = this.#parts
    const pending = this.#read()
    if (!pending || pending.isDone) return
    log.record(pending.update, 'failed', message)
    attempts.fail(pending.update, now())
    this.#write({ ...pending, isDone: true })
  }

  /** This version is healthy. */
  confirm(): void {
    const pending = this.#read()
    if (!pending || pending.isDone || !this.#isRunning(pending)) return
    if (pending.signed) this.#parts.highest.write(pending.signed)
    this.#parts.log.record(pending.update, 'healthy')
    this.#write({ ...pending, isDone: true })
  }

  /** Reports at the start what has become of an installation. */
  resume(): void {
    const { dataDir, state, log, attempts } = this.#parts
    const pending = this.#read()
    const note = readSupervisorState(dataDir).returned
    if (note && state.read(RETURN_REPORTED) !== note.id) {
      state.write(RETURN_REPORTED, note.id)
      if (!pending || pending.update.files[0]?.sha256 !== note.sha256) return
      log.record(pending.update, 'returned', `${note.why}. Version ${release.version} runs again`)
      attempts.giveUp(pending.update)
      this.#write({ ...pending, isDone: true })
    } else if (pending && !pending.isDone && !this.#isRunning(pending))
      this.fail(
        `The installation was interrupted, or its command did not change the version ${release.version}`,
      )
  }

  #isRunning({ update }: PendingUpdate): boolean {
    return compareVersions(update.version, release.version) === 0
  }
  #read(): PendingUpdate | null {
    return readPending(this.#parts.state)
  }
  #write(pending: PendingUpdate): void {
    this.#parts.state.write(PENDING, pending)
  }
}
