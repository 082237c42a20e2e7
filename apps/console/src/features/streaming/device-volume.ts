import type { StateStore } from '@floorcast/device-client/state-store.ts'
import { VolumeControl } from '@floorcast/device-client/volume-control.ts'
import type { PlayerVolume } from './player.ts'
import type { Sound } from './sound.ts'

interface DeviceVolumeParts {
  state: StateStore
  sound: Sound
  /** The part of the device's volume that this page plays with, from 0 to 100. */
  pageVolume: () => number
}

/** The device's volume, by its manifest or a command, and what this page plays of it. */
export class DeviceVolume implements PlayerVolume {
  readonly #parts: DeviceVolumeParts
  readonly #control: VolumeControl
  /** The device's volume, lowered under the sound that identifies the device. */
  #applied = 0

  constructor(parts: DeviceVolumeParts) {
    this.#parts = parts
    this.#control = new VolumeControl(parts.state, volume => {
      this.#applied = volume
      this.apply()
      return Promise.resolve()
    })
  }

  get tracks(): number {
    return this.#share(this.#control.volume)
  }
  /** A person who has turned the page down must hear an alert. */
  alerts(alertVolume: number): number {
    return alertVolume
  }
  followManifest(volume: number, generation: number): void {
    this.#control.followManifest(volume, generation)
  }
  followCommand(volume: number): void {
    this.#control.followCommand(volume)
  }
  /** Lowers the programme while `work` runs. */
  duckFor<T>(work: () => Promise<T>): Promise<T> {
    return this.#control.duckFor(work)
  }
  /** The volume of the page has changed. */
  apply(): void {
    this.#parts.sound.setVolume(this.#share(this.#applied))
  }

  #share(volume: number): number {
    return Math.round((volume * this.#parts.pageVolume()) / 100)
  }
}
