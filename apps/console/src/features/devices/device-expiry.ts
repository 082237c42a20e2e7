import { localDay } from '../../platform/local-day.ts'

/** The last moment of a day by the browser's clock. @param day YYYY-MM-DD; empty: no expiry of the device's own */
export const expiryOf = (day: string): string | null =>
  day === '' ? null : new Date(`${day}T23:59:59.999`).toISOString()

/** The day of a device's own expiry for its field; empty where there is none, or where it is after the subscription's end and counts for nothing. */
export function expiryDay(ownExpiresAt: string | null, subscriptionExpiresAt: string): string {
  if (ownExpiresAt === null || ownExpiresAt >= subscriptionExpiresAt) return ''
  return localDay(ownExpiresAt)
}
