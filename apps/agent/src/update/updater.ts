import { isDeepStrictEqual } from 'node:util'
import type { DeviceManifest } from '@floorcast/contract/device-manifest.ts'
import type { ManifestUpdate } from '@floorcast/contract/manifest.ts'
import { RetryTimer } from '@floorcast/device-client/retry-timer.ts'
import type { DeviceSession } from '@floorcast/device-client/session.ts'
import { ChangeNotifier, firstOf } from '@floorcast/device-client/wait.ts'
import type { Clock } from '@floorcast/device-client/clock.ts'
import { DownloadFailed } from '@floorcast/device-client/downloads.ts'
import type { DownloadLimits } from '../sync/download-limits.ts'
import type { PendingUpdates } from './pending-update.ts'
import { type InstallCommand, runInstallCommand } from './run-install-command.ts'
import type { UpdateAttempts } from './update-attempts.ts'
import type { UpdateDownloads } from './update-downloads.ts'
import { headOf, type UpdateLog } from './update-log.ts'
import type { HighestVersion } from './signed-version.ts'
import { decideUpdate, type UpdateDecision, type UpdateTarget } from './update-rules.ts'

export interface UpdaterParts {
  session: DeviceSession
  clock: Clock
  limits: DownloadLimits
  random: () => number
  manifests: { newest: () => { manifest: DeviceManifest } | null; onChange: (listener: () => void) => void }
  downloads: UpdateDownloads
  log: UpdateLog
  attempts: UpdateAttempts
  pending: PendingUpdates
  target: Omit<UpdateTarget, 'highest'>
  highest: HighestVersion
  command: InstallCommand | null
  /** Whether the agent plays, or rightly nothing. */
  plays: () => boolean
  /** Resolves at a moment at which a restart costs the shop least. */
  quietMoment: () => Promise<void>
  /** The server refused this token. */
  onUnauthorized: (refused: string | null) => Promise<void>
  /** An update is installed: the agent must be started again. */
  onInstalled: () => void
}

const IDLE_PAUSE_MS = 600_000
const NO_SESSION_PAUSE_MS = 5000
const HOURS_PAUSE_MS = 60_000

/**
 * Installs the update that the newest manifest names: decides on it, downloads it within the hours and the rate of the profile,
 * checks hashes and signatures, runs the install command, and ends the agent at a quiet moment. Each step is an event.
 */
export class Updater {
  readonly #parts: UpdaterParts
  readonly #changes = new ChangeNotifier()
  readonly #retry: RetryTimer
  #isStopping = false

  constructor(parts: UpdaterParts) {
    this.#parts = parts
    this.#retry = new RetryTimer({ steady: () => parts.clock.steady(), random: parts.random })
    parts.manifests.onChange(() => this.#changes.notify())
  }

  stop(): void {
    this.#isStopping = true
    this.#changes.notify()
  }

  async run(): Promise<void> {
    while (!this.#isStopping) {
      const seen = this.#changes.count
      const pauseMs = await this.#advance(this.#offered()).catch((error: unknown) => this.#recordError(error))
      if (pauseMs === null) return
      await firstOf([this.#changes.after(seen)], pauseMs)
    }
  }

  #offered(): ManifestUpdate | undefined {
    return this.#parts.manifests.newest()?.manifest.update
  }

  /** Goes as far as it can now. Returns the time after which to look again; null: a restart follows. */
  async #advance(update: ManifestUpdate | undefined): Promise<number | null> {
    const { attempts, clock, downloads, limits, log, session } = this.#parts
    if (!update?.isForced) attempts.endForce()
    const decision = update ? this.#decide(update) : { kind: 'held' as const }
    downloads.keepOnly(decision.kind === 'wanted' ? update : undefined)
    if (!update) return IDLE_PAUSE_MS
    if (decision.kind === 'refused') log.recordOnce(headOf(update), 'refused', decision.why)
    if (decision.kind !== 'wanted') return IDLE_PAUSE_MS
    const waitMs = attempts.nextAt(update) - clock.now()
    if (waitMs > 0) return Math.min(waitMs, IDLE_PAUSE_MS)
    log.recordOnce(headOf(update), 'offered')
    for (const file of update.files)
      if (!(await downloads.isHeld(file))) {
        if (limits.waitMs() > 0) return Math.min(limits.waitMs(), HOURS_PAUSE_MS)
        if (session.token === null) return NO_SESSION_PAUSE_MS
        if (this.#retry.delayMs > 0) return this.#retry.delayMs
        await this.#download(update, file)
        return 0
      }
    return this.#install(update)
  }

  #decide(update: ManifestUpdate): UpdateDecision {
    const { target, highest } = this.#parts
    return decideUpdate(update, { ...target, highest: highest.read() })
  }

  async #download(update: ManifestUpdate, file: ManifestUpdate['files'][number]): Promise<void> {
    const { downloads, log, session, onUnauthorized } = this.#parts
    const { token } = session
    log.recordOnce(headOf(update), 'downloading')
    try {
      await downloads.fetch(file)
      this.#retry.reset()
    } catch (error) {
      if (!(error instanceof DownloadFailed)) throw error
      this.#retry.fail(error.retryAfterSeconds)
      // A server that does not answer, or breaks off, is asked again without a word.
      if (error.code !== 'no-answer' && error.status !== 401)
        log.recordOnce(headOf(update), 'failed', `${file.name}: ${error.message}`)
      if (error.status === 401) await onUnauthorized(token)
    }
  }

  async #install(update: ManifestUpdate): Promise<number | null> {
    const { downloads, log, pending, command, plays } = this.#parts
    const head = headOf(update)
    log.recordOnce(head, 'downloaded')
    // The files may have lain on the disk for days.
    const decision = this.#decide(update)
    const areIntact = update.files.every(file => downloads.isIntact(file))
    if (decision.kind !== 'wanted' || !areIntact || !command) return 0
    log.recordOnce(head, 'verified')
    // It may have been withdrawn since.
    if (this.#isStopping || !isDeepStrictEqual(this.#offered(), update)) return 0
    pending.begin(head, { signed: decision.signed, hasPlayed: plays() })
    log.record(head, 'installing')
    let note: string | null
    try {
      const { version, packageUid, files } = update
      note = await runInstallCommand(command, { version, packageUid, files: files.map(downloads.pathOf) })
    } catch (error) {
      pending.fail(error instanceof Error ? error.message : String(error))
      return 0
    }
    log.record(head, 'installed', note)
    await this.#parts.quietMoment()
    this.#parts.onInstalled()
    return null
  }

  #recordError(error: unknown): number {
    const update = this.#offered()
    const message = error instanceof Error ? error.message : String(error)
    if (update) this.#parts.log.recordOnce(headOf(update), 'failed', message)
    this.#retry.fail(null)
    return IDLE_PAUSE_MS
  }
}
