import { z } from 'zod'
import type { StateStore } from './state-store.ts'

/** A volume that a command has set, and the manifest of that time. */
const CommandedVolume = z.object({ volume: z.int().min(0).max(100), generation: z.int().nullable() })
type CommandedVolume = z.infer<typeof CommandedVolume>
const COMMANDED = 'commanded-volume'

/** Under a sound that identifies the device, the programme has this share of its volume: a quarter as loud. */
const DUCKED_SHARE = 0.25

/**
 * The volume of the programme. A command sets it at once; the next manifest, which has the same volume and whose
 * number the command raised, takes over. Until it comes, also after a restart, the command's volume holds.
 */
export class VolumeControl {
  readonly #state: Pick<StateStore, 'read' | 'write' | 'remove'>
  readonly #apply: (volume: number) => Promise<void>
  #manifest: CommandedVolume | null = null
  #commanded: CommandedVolume | null
  #isDucked = false
  #applied: number | null = null

  constructor(
    state: Pick<StateStore, 'read' | 'write' | 'remove'>,
    apply: (volume: number) => Promise<void>,
  ) {
    this.#state = state
    this.#apply = apply
    this.#commanded = CommandedVolume.safeParse(state.read(COMMANDED)).data ?? null
  }

  /** From 0 to 100; 0 before the first manifest. */
  get volume(): number {
    return this.#commanded?.volume ?? this.#manifest?.volume ?? 0
  }

  /** Follows the manifest of this number. */
  followManifest(volume: number, generation: number): void {
    this.#manifest = { volume, generation }
    if (this.#commanded && this.#commanded.generation !== generation) {
      this.#commanded = null
      this.#state.remove(COMMANDED)
    }
    this.#update()
  }

  followCommand(volume: number): void {
    this.#commanded = { volume, generation: this.#manifest?.generation ?? null }
    this.#state.write(COMMANDED, this.#commanded)
    this.#update()
  }

  /** Lowers the programme while `work` runs. */
  async duckFor<T>(work: () => Promise<T>): Promise<T> {
    this.#isDucked = true
    this.#update()
    try {
      return await work()
    } finally {
      this.#isDucked = false
      this.#update()
    }
  }

  #update(): void {
    const volume = this.#isDucked ? this.volume * DUCKED_SHARE : this.volume
    if (volume === this.#applied) return
    this.#applied = volume
    void this.#apply(volume)
  }
}
