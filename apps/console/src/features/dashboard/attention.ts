import type { Limits, QuickMetrics } from '@floorcast/contract/dashboard.ts'

/** The problems that need attention, the worst first. */
export type Attention =
  | { about: 'expired'; expiresAt: string }
  | { about: 'expiring'; expiresAt: string; days: number }
  | { about: 'down'; count: number }
  | { about: 'storage'; share: number; used: number; limit: number }
  | { about: 'deviceLimit'; used: number; limit: number }
  | { about: 'delayed'; count: number }

const soonDays = 7
const nearlyFull = 0.9
const dayMs = 86_400_000

/**
 * Finds the problems in the dashboard's figures.
 * @param nowMs the present, in ms since the epoch
 */
export function findAttention(metrics: QuickMetrics, limits: Limits, nowMs: number): Attention[] {
  const found: Attention[] = []
  const { expiresAt } = limits
  const days = Math.ceil((Date.parse(expiresAt) - nowMs) / dayMs)
  if (limits.isExpired) found.push({ about: 'expired', expiresAt })
  else if (days <= soonDays) found.push({ about: 'expiring', expiresAt, days: Math.max(0, days) })
  const down = metrics.devices.linkdown + metrics.devices.linklost
  if (down > 0) found.push({ about: 'down', count: down })
  const { used, limit } = limits.mediaBytes
  if (used >= limit * nearlyFull)
    found.push({ about: 'storage', share: limit === 0 ? 1 : used / limit, used, limit })
  if (limits.devices.used >= limits.devices.limit) found.push({ about: 'deviceLimit', ...limits.devices })
  if (metrics.publications.delayed > 0) found.push({ about: 'delayed', count: metrics.publications.delayed })
  return found
}
