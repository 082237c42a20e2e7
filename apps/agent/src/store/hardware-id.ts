import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import type { StateStore } from '@floorcast/device-client/state-store.ts'

/** Its name in the state store; agents in shops have written it. */
const HARDWARE_ID = 'box-id'

/**
 * The player device's permanent uid, to which the server binds the license key. It is on the disk. A disk without one gets the
 * uid that follows from the machine, so that a machine that lost its data folder is known again.
 */
export function readHardwareId(state: StateStore, root = '/'): string {
  const stored = state.read(HARDWARE_ID)
  const hardwareId = typeof stored === 'string' ? stored : (deriveHardwareId(root) ?? randomUUID())
  state.write(HARDWARE_ID, hardwareId)
  return hardwareId
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').replaceAll('\0', '').trim()
  } catch {
    return ''
  }
}

/** The address of the first network card that is built in: a dongle may be in another port or machine tomorrow. */
function readBuiltInMac(root: string): string {
  const folder = join(root, 'sys/class/net')
  try {
    for (const name of readdirSync(folder).toSorted()) {
      const device = join(folder, name, 'device')
      const isBuiltIn = existsSync(device) && !realpathSync(device).includes('/usb')
      if (isBuiltIn && readText(join(folder, name, 'addr_assign_type')) === '0')
        return readText(join(folder, name, 'address'))
    }
  } catch {
    // No network, or another system than Linux.
  }
  return ''
}

/**
 * Derives a uid from the installation (`/etc/machine-id`), the board's serial number where every user can read it, and the
 * address of the network card. It is a hash, so that none of them leaves the machine. Null if the machine names none of them.
 */
function deriveHardwareId(root: string): string | null {
  const machineId = /^[0-9a-f]{32}$/.exec(readText(join(root, 'etc/machine-id')))?.[0] ?? ''
  const serial = readText(join(root, 'proc/device-tree/serial-number'))
  const parts = [machineId, serial, readBuiltInMac(root)]
  if (parts.every(part => part === '')) return null
  const hex = createHash('sha256')
    .update(`floorcast-agent ${parts.join(' ')}`)
    .digest('hex')
  // Version 8, variant 1: a uid of the application's own making.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
