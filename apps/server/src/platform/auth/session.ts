import type { Kind } from '@floorcast/contract/fields.ts'
import type { Rights, Role } from '@floorcast/contract/endpoint.ts'

/** A signed-in user, found by its token. */
export interface Session {
  sessionUid: string
  clientId: string
  userUid: string
  role: Role
  rights: Rights
  email: string
  firstName: string
  lastName: string
  linkedDeviceUid: string | null
  /** ISO 8601 with Z. */
  subscriptionExpiresAt: string
  /** The end of the session, however often it is used. */
  expiresAt: string
}

export interface DeviceIdentity {
  clientId: string
  deviceUid: string
  kind: Kind
  name: string
  groupUid: string | null
}

/** A device, found by its token, with its active session (null if it never had one). */
export interface DeviceCaller extends DeviceIdentity {
  reporterUid: string | null
}
