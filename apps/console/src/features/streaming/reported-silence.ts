import type { Silence } from '@floorcast/contract/device-protocol.ts'
import type { SilentReason } from '@floorcast/contract/devices.ts'
import type { Scene } from './scene.ts'

/** Why the page sounds no track, as it reports. */
export class ReportedSilence {
  readonly #now: () => number
  #current: Silence | null = null

  constructor(now: () => number) {
    this.#now = now
  }

  /** Null while a track plays. */
  get current(): Silence | null {
    return this.#current
  }

  note(scene: Scene): void {
    const because = reasonOf(scene)
    if (because === null) this.#current = null
    else if (this.#current?.because !== because)
      this.#current = { because, since: new Date(this.#now()).toISOString() }
  }
}

function reasonOf(scene: Scene): SilentReason | null {
  if (scene.kind === 'playing') return null
  if (scene.kind === 'silent') return scene.cue.because
  return scene.kind === 'alert' ? 'alert' : 'starting'
}
