import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Client, makeClient } from '@floorcast/contract/client.ts'
import { addDevice, readDevice } from '@floorcast/contract/devices.ts'
import { addToGroup } from '@floorcast/contract/groups.ts'
import { authenticate } from '@floorcast/contract/auth.ts'
import { release } from '@floorcast/contract/release.ts'
import { simulatedHardwareId } from '@floorcast/contract/simulated-hardware-id.ts'
import { type AddressParts, KnownAddresses } from '@floorcast/device-client/server-addresses.ts'
import {
  byLicense,
  DeviceSession,
  type SessionStorage,
  type StoredSession,
} from '@floorcast/device-client/session.ts'
import { z } from 'zod'
import type { Options } from './options.ts'

const KeysFile = z.array(z.string().min(1))

async function readKeys(file: string): Promise<string[]> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
  return KeysFile.parse(JSON.parse(text))
}

/** Replaces the file atomically: a key that is bound and then lost cannot be recovered. */
async function writeKeys(file: string, keys: readonly string[]): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  await writeFile(`${file}.new`, JSON.stringify(keys, null, 2), { mode: 0o600 })
  await rename(`${file}.new`, file)
}

/** The session of a device whose machine is never off. */
function storeInMemory(onOpened: () => void): SessionStorage {
  let stored: StoredSession | null = null
  return {
    read: () => stored,
    write(session) {
      stored = session
      onOpened()
    },
  }
}

/** The session of a simulated device, which it opens with its license key at any address of its server. */
export function sessionOf({
  server,
  runId,
  onOpened,
  ...parts
}: Omit<AddressParts, 'installed' | 'storage'> & { server: string; runId: string; onOpened: () => void }) {
  const { licenseKey, fetch } = parts
  const storage = storeInMemory(onOpened)
  const opening = byLicense({
    licenseKey,
    hardwareId: simulatedHardwareId(licenseKey),
    runId,
    model: 'Fleet simulator',
    version: release.version,
    storage,
    onOtherDevice: () => undefined,
  })
  const session = new DeviceSession({ server, opening, fetch })
  return { session, addresses: new KnownAddresses({ ...parts, installed: server, storage }) }
}

async function signIn(server: string, credentials: { email: string; password: string }): Promise<Client> {
  const anonymousClient = makeClient({ base: server, token: () => null })
  const { token } = await anonymousClient(authenticate, { body: credentials })
  return makeClient({ base: server, token: () => token })
}

async function registerDevice(call: Client, number: number, groupUid: string | null): Promise<string> {
  const params = { contentType: 'audio' } as const
  const { code, uid, reason } = await call(addDevice, { params, body: { name: `Fleet device ${number}` } })
  if (code !== 200 || uid === undefined) throw new Error(`The server adds no more devices: ${reason ?? code}`)
  if (groupUid !== null) {
    const joined = await call(addToGroup, { params: { device: uid, group: groupUid } })
    if (joined.code !== 200)
      throw new Error(`The device does not fit in the group: ${joined.reason ?? joined.code}`)
  }
  const { licenseKey } = await call(readDevice, { params: { id: uid } })
  if (licenseKey === null) throw new Error('The server shows no license key for a new device')
  return licenseKey
}

/**
 * Collects a license key for each device: those of the file first. For the rest, it adds devices to the user's client and
 * appends their keys to the file. @throws Error if keys are missing and there are no credentials.
 */
export async function collectLicenseKeys(options: Options): Promise<string[]> {
  const { keysFile, devices, credentials, server } = options
  const keys = await readKeys(keysFile)
  if (keys.length >= devices) return keys.slice(0, devices)
  if (!credentials)
    throw new Error(
      `${keysFile} holds ${keys.length} license keys of ${devices}: give --email and --password to add devices`,
    )
  const call = await signIn(server, credentials)
  for (let number = keys.length + 1; number <= devices; number += 1) {
    keys.push(await registerDevice(call, number, options.groupUid))
    await writeKeys(keysFile, keys)
  }
  return keys
}
