const dayMs = 86_400_000

/** The selectable numbers of days, including today. */
export const deliveryDays = [1, 7, 30] as const
export type DeliveryDays = (typeof deliveryDays)[number]

/** The days of a period in UTC, both inclusive. @param nowMs the present, in ms since the epoch */
export function deliveryPeriod(days: DeliveryDays, nowMs: number): { from: string; to: string } {
  const day = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  return { from: day(nowMs - (days - 1) * dayMs), to: day(nowMs) }
}
