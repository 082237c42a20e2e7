import { rmSync } from 'node:fs'
import type { SessionStorage } from '@floorcast/device-client/session.ts'
import type { StateStore } from '@floorcast/device-client/state-store.ts'
import { foldersOf } from './data-folder.ts'

/** Names in the state store; agents in shops have written them. */
const [LICENSE_KEY, PLAY_POINT] = ['license-key', 'playpointid'] as const

/**
 * The device's session on the disk, without its token, which belongs to one start of the agent. Former releases kept the
 * token in a file, which is removed.
 */
export function makeSessionStorage(state: StateStore, dataDir: string): SessionStorage {
  return {
    read() {
      const [licenseKey, playPointUid] = [state.read(LICENSE_KEY), state.read(PLAY_POINT)]
      if (typeof licenseKey !== 'string' || typeof playPointUid !== 'string') return null
      return { licenseKey, playPointUid }
    },
    write({ licenseKey, playPointUid }) {
      state.write(PLAY_POINT, playPointUid)
      state.write(LICENSE_KEY, licenseKey)
      try {
        rmSync(foldersOf(dataDir).token, { force: true })
      } catch (error) {
        console.error(`The former token cannot be removed: ${String(error)}`)
      }
    },
  }
}
