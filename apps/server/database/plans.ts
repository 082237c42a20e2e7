import { readFileSync } from 'node:fs'
import type { Client } from 'pg'
import { z } from 'zod'

const Plans = z.array(
  z.object({
    key: z.string(),
    mediaGigabytes: z.number(),
    statisticsGigabytes: z.number(),
    deviceLimit: z.int(),
    priceUsdPerMonth: z.int(),
    hasSupport: z.boolean(),
    hasExtendedSupport: z.boolean(),
  }),
)

/** Puts the plans of `database/plans.json` where they are missing. An operator's changed numbers stay. */
export async function seedPlans(owner: Client): Promise<void> {
  const plans = Plans.parse(JSON.parse(readFileSync(new URL('./plans.json', import.meta.url), 'utf8')))
  for (const [index, plan] of plans.entries()) {
    await owner.query(
      `insert into plans (key, position, media_gigabytes, statistics_gigabytes, device_limit, price_usd_per_month,
                          has_support, has_extended_support)
       values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (key) do nothing`,
      [
        plan.key,
        index + 1,
        plan.mediaGigabytes,
        plan.statisticsGigabytes,
        plan.deviceLimit,
        plan.priceUsdPerMonth,
        plan.hasSupport,
        plan.hasExtendedSupport,
      ],
    )
  }
}
