import type { Connectivity } from '@floorcast/contract/devices.ts'
import { type RawBuilder, sql } from 'kysely'

/** In SQL: whether a device is online, which it is for an hour after its last contact. */
export const isOnlineAt = (now: Date) => sql`(s.last_contact_at >= ${now}::timestamptz - interval '1 hour')`

/**
 * In SQL: the connectivity by the age of the last contact: up to one hour, up to a day, longer, or never. `s` is the alias of
 * `device_states`, whose row may be missing.
 */
export const connectivityAt = (now: Date): RawBuilder<Connectivity> => sql<Connectivity>`
  case
    when s.last_contact_at is null then 'neverup'
    when ${isOnlineAt(now)} then 'online'
    when s.last_contact_at >= ${now}::timestamptz - interval '1 day' then 'linkdown'
    else 'linklost'
  end`
