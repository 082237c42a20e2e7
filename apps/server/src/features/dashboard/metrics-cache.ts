import type { QuickMetrics } from '@floorcast/contract/dashboard.ts'
import type { RequestContext } from '../../platform/auth/request-context.ts'
import { measureClient } from './dashboard.ts'

/** Figures are this old at most, unless measuring them is dear; `asOf` says how old. */
const FRESH_MILLIS = 3000
/** Measuring takes a tenth of the time at most: what took a second is kept for ten. */
const DEARNESS = 10
const CLIENTS_KEPT = 1000

interface Measured {
  at: number
  freshMillis: number
  metrics: Promise<QuickMetrics>
}

/** Measures a client once for all who ask within seconds, however many consoles are open. */
export function makeMetricsCache() {
  const kept = new Map<string, Measured>()
  return (ctx: RequestContext): Promise<QuickMetrics> => {
    const { clientId } = ctx.scope
    const at = ctx.now.getTime()
    const known = kept.get(clientId)
    if (known && Math.abs(at - known.at) < known.freshMillis) return known.metrics
    if (kept.size >= CLIENTS_KEPT) kept.clear()
    const begun = performance.now()
    const measured = { at, freshMillis: FRESH_MILLIS, metrics: measureClient(ctx) }
    kept.set(clientId, measured)
    measured.metrics.then(
      () => {
        measured.freshMillis = Math.max(FRESH_MILLIS, DEARNESS * (performance.now() - begun))
      },
      // What failed is not kept: the next one who asks measures again.
      () => kept.delete(clientId),
    )
    return measured.metrics
  }
}
