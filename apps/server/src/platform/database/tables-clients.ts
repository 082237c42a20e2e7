import type { Generated, GeneratedAlways, JSONColumnType } from 'kysely'
import type { Moment, OptionalMoment, Optional, Bytes, Recorded } from './table-columns.ts'

export interface PlansTable {
  key: string
  position: number
  mediaGigabytes: number
  statisticsGigabytes: number
  deviceLimit: number
  priceUsdPerMonth: number
  hasSupport: boolean
  hasExtendedSupport: boolean
}

export interface ClientsTable extends Recorded {
  uid: string
  clientId: GeneratedAlways<string>
  name: string
  planKey: string
  subscriptionExpiresAt: Moment
  tagPolicy: Generated<'device' | 'group' | 'client'>
  updatePublicKey: Optional<string>
}

export interface UsersTable extends Recorded {
  uid: string
  clientId: string
  email: string
  passwordHash: string
  role: 'admin' | 'manager' | 'streamer'
  rights: Generated<'full' | 'view'>
  firstName: Generated<string>
  lastName: Generated<string>
  linkedDeviceUid: Optional<string>
  isInvited: Generated<boolean>
}

export interface UserLinksTable {
  tokenHash: Bytes
  clientId: string
  userUid: string
  createdAt: Moment
  expiresAt: Moment
}

export interface SessionsTable {
  uid: string
  clientId: string
  userUid: string
  tokenHash: Bytes
  createdAt: Moment
  lastUsedAt: Moment
  idleExpiresAt: Moment
  expiresAt: Moment
  revokedAt: OptionalMoment
}

export interface PersonalizationsTable {
  userUid: string
  clientId: string
  color: string
  mode: string
  menuType: string
  changedAt: Moment
}

export interface AuditEntriesTable {
  uid: string
  clientId: string
  at: Moment
  userUid: Optional<string>
  userName: string
  action: string
  thing: string
  thingUid: Optional<string>
  thingName: Optional<string>
  changes: JSONColumnType<Record<string, [unknown, unknown]>, string | undefined, never>
  requestId: Optional<string>
}

export interface TicketsTable {
  ticketHash: Bytes
  clientId: string
  sessionUid: string
  path: string
  isOnce: boolean
  expiresAt: Moment
  usedAt: OptionalMoment
}
