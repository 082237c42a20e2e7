import type { UpdateStep } from '@floorcast/contract/events.ts'
import type { ManifestUpdate } from '@floorcast/contract/manifest.ts'
import { z } from 'zod'
import type { EventStore } from '../store/event-store.ts'
import type { StateStore } from '@floorcast/device-client/state-store.ts'

/** The part of an update that its events and a later start need. */
export const UpdateHead = z.object({
  packageUid: z.string(),
  name: z.string(),
  channelName: z.string(),
  version: z.string(),
  isForced: z.boolean(),
  files: z.array(z.object({ sha256: z.string() })),
})
export type UpdateHead = z.infer<typeof UpdateHead>

export const headOf = ({
  packageUid,
  name,
  channelName,
  version,
  isForced,
  files,
}: ManifestUpdate): UpdateHead => ({
  packageUid,
  name,
  channelName,
  version,
  isForced,
  files: files.map(({ sha256 }) => ({ sha256 })),
})

const Reported = z.object({ offer: z.string(), steps: z.array(z.string()) })
const NAME = 'update-reported'
const MAX_STEPS = 50

/** Logs the steps of updates as events. */
export class UpdateLog {
  readonly #events: EventStore
  readonly #state: StateStore
  readonly #now: () => number

  constructor(events: EventStore, state: StateStore, now: () => number) {
    this.#events = events
    this.#state = state
    this.#now = now
  }

  record(update: UpdateHead, step: UpdateStep, message: string | null = null): void {
    this.#events.append({
      kind: 'update',
      at: new Date(this.#now()).toISOString(),
      packageUid: update.packageUid,
      packageName: update.name.slice(0, 200),
      channelName: update.channelName.slice(0, 200),
      version: update.version.slice(0, 60),
      step,
      message: message?.slice(0, 1000) ?? null,
    })
  }

  /** Logs a step that is the same as long as the offer is, also after a restart. */
  recordOnce(update: UpdateHead, step: UpdateStep, message: string | null = null): void {
    const offer = `${update.packageUid} ${update.version} ${update.isForced} ${update.files.map(({ sha256 }) => sha256).join()}`
    const known = Reported.safeParse(this.#state.read(NAME)).data
    const steps = known?.offer === offer ? known.steps : []
    const entry = `${step} ${message ?? ''}`
    if (steps.includes(entry)) return
    this.#state.write(NAME, { offer, steps: [...steps, entry].slice(-MAX_STEPS) })
    this.record(update, step, message)
  }
}
