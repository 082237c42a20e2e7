import { randomUUID } from 'node:crypto'
import { chmodSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { SessionStorage } from '@floorcast/device-client/session.ts'
import type { StateStore } from './state-store.ts'
import { foldersOf } from './store.ts'

/** Names in the state store; agents in shops have written them. */
const [LICENSE_KEY, PLAY_POINT, HARDWARE_ID] = ['license-key', 'playpointid', 'box-id'] as const

/** The player device's own uid, made at the first start; the server binds the license key to it. */
export function readHardwareId(state: StateStore): string {
  const stored = state.read(HARDWARE_ID)
  const hardwareId = typeof stored === 'string' ? stored : randomUUID()
  state.write(HARDWARE_ID, hardwareId)
  return hardwareId
}

function readToken(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim() || null
  } catch {
    return null
  }
}

function writeToken(path: string, token: string): void {
  writeFileSync(`${path}.part`, `${token}\n`, { mode: 0o600 })
  chmodSync(`${path}.part`, 0o600)
  renameSync(`${path}.part`, path)
}

/** The device's session on the disk. The token is in a file that only its owner can read. */
export function makeSessionStorage(state: StateStore, dataDir: string): SessionStorage {
  const path = foldersOf(dataDir).token
  return {
    read() {
      const [licenseKey, playPointUid] = [state.read(LICENSE_KEY), state.read(PLAY_POINT)]
      if (typeof licenseKey !== 'string' || typeof playPointUid !== 'string') return null
      return { licenseKey, playPointUid, token: readToken(path) }
    },
    write({ licenseKey, playPointUid, token }) {
      writeToken(path, token)
      state.write(PLAY_POINT, playPointUid)
      state.write(LICENSE_KEY, licenseKey)
    },
  }
}
