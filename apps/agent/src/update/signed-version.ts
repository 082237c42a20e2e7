import { compareVersions, UpdateVersion } from '@floorcast/contract/update-versions.ts'
import type { StateStore } from '@floorcast/device-client/state-store.ts'
import { z } from 'zod'

/** A version and the counter of its signed statement. */
export const SignedVersion = z.object({ version: UpdateVersion, counter: z.int().nonnegative() })
export type SignedVersion = z.infer<typeof SignedVersion>

const NAME = 'update-highest'

/** The newest signed version that ran well on this device. An update goes below it by a signed downgrade only. */
export class HighestVersion {
  readonly #state: StateStore
  readonly #running: string

  /** @param running the version of this program, which counts without a statement too */
  constructor(state: StateStore, running: string) {
    this.#state = state
    this.#running = running
  }

  read(): SignedVersion {
    const kept = SignedVersion.safeParse(this.#state.read(NAME)).data ?? {
      version: this.#running,
      counter: 0,
    }
    return compareVersions(this.#running, kept.version) > 0 ? { ...kept, version: this.#running } : kept
  }

  write({ version, counter }: SignedVersion): void {
    this.#state.write(NAME, { version, counter })
  }
}
