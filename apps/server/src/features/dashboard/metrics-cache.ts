import type { QuickMetrics } from '@floorcast/contract/dashboard.ts'
import type { Actor } from '../../platform/session/actor.ts'
import { measureClient } from './dashboard.ts'

/** Figures are this old at most; `asOf` says how old. */
const FRESH_MILLIS = 3000
const CLIENTS_KEPT = 1000

/** Measures a client once for all who ask within seconds, however many consoles are open. */
export function makeMetricsCache() {
  const kept = new Map<string, { at: number; metrics: Promise<QuickMetrics> }>()
  return (by: Actor): Promise<QuickMetrics> => {
    const { clientId } = by.scope
    const at = by.now.getTime()
    const known = kept.get(clientId)
    if (known && Math.abs(at - known.at) < FRESH_MILLIS) return known.metrics
    if (kept.size >= CLIENTS_KEPT) kept.clear()
    const metrics = measureClient(by)
    kept.set(clientId, { at, metrics })
    // What failed is not kept: the next one who asks measures again.
    metrics.catch(() => kept.delete(clientId))
    return metrics
  }
}
