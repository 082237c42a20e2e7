import type { Pool } from 'pg'
import { callFunction } from './auth-queries.ts'

/** An event on its way to a webhook, which this server sends now while others leave it alone. */
export interface ClaimedDelivery {
  clientId: string
  webhookUid: string
  position: number
}

/** Which deliveries of all clients are due. */
export interface DeliveryQueries {
  /** @param asked `atOnce`: the most of one webhook at a time, over all servers */
  claim(asked: { at: Date; until: Date; atOnce: number; most: number }): Promise<ClaimedDelivery[]>
  nextAt(): Promise<Date | null>
}

export const openDeliveryQueries = (pool: Pool): DeliveryQueries => ({
  claim: async ({ at, until, atOnce, most }) =>
    (
      await callFunction<Omit<ClaimedDelivery, 'position'> & { position: string }>(
        pool,
        'jobs_claim_deliveries',
        [at, until, atOnce, most],
      )
    ).map(row => ({ ...row, position: Number(row.position) })),
  nextAt: async () => {
    const [row] = await callFunction<{ jobsNextDeliveryAt: Date | string | null }>(
      pool,
      'jobs_next_delivery_at',
      [],
    )
    return row?.jobsNextDeliveryAt ? new Date(row.jobsNextDeliveryAt) : null
  },
})
