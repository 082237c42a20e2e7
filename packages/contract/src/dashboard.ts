import { z } from 'zod'
import { DeviceRow } from './devices.ts'
import { endpoint, readers } from './endpoint.ts'
import { Bytes, Instant, Uid } from './fields.ts'
import { LogEntry } from './logs.ts'

export const QuickMetrics = z.object({
  asOf: Instant,
  /** Plays of the last 24 hours. */
  playedCount: z.int(),
  devices: z.object({
    online: z.int(),
    linkdown: z.int(),
    linklost: z.int(),
    neverup: z.int(),
    playing: z.int(),
  }),
  media: z.object({ items: z.int(), sizeBytes: Bytes }),
  publications: z.object({ active: z.int(), delayed: z.int(), disabled: z.int() }),
  /** The client's metered statistics. */
  databaseSizeBytes: Bytes,
  /** Devices that were up and are down now. */
  down: z.array(DeviceRow.pick({ uid: true, name: true, connectivity: true, lastContactAt: true })),
  latestPlays: z.array(LogEntry.extend({ deviceUid: Uid, deviceName: z.string() })),
})
export type QuickMetrics = z.infer<typeof QuickMetrics>

export const Limits = z.object({
  plan: z.string(),
  expiresAt: Instant,
  isExpired: z.boolean(),
  devices: z.object({ used: z.int(), limit: z.int() }),
  mediaBytes: z.object({ used: Bytes, limit: Bytes }),
  statisticsBytes: z.object({ used: Bytes, limit: Bytes }),
})
export type Limits = z.infer<typeof Limits>

export const readQuickMetrics = endpoint({
  path: '/metricks/quick/cached',
  summary: 'All metrics of the dashboard, cached for some seconds; `asOf` is their time.',
  access: readers,
  answer: QuickMetrics,
})

export const readLimits = endpoint({
  path: '/metricks/limits',
  summary: "The plan's limits and their use.",
  access: readers,
  answer: Limits,
})
