import { z } from 'zod'
import { DeviceRow, SilentReason } from './devices.ts'
import { endpoint, readers } from './endpoint.ts'
import { Bytes, Day, Instant, Reference, Seconds, Uid } from './fields.ts'
import { LogEntry } from './logs.ts'
import { RestoredPlays } from './redelivery.ts'

/** What a line counts, the worst first. */
export const AttentionTopic = z.enum([
  'expired',
  'linklost',
  'linkdown',
  'late',
  'silent',
  'missingFiles',
  'shortAd',
  'mediaStorage',
  'statisticsStorage',
  'expiring',
  'deviceLimit',
])
export type AttentionTopic = z.infer<typeof AttentionTopic>

/** Something that a person should see to. `count` is a number of devices, of days for `expiring`, of percent for storage, of the day's missing plays for `shortAd`: an
 * ad with less than 95 % of its planned plays yesterday, in the devices' own zones. */
export const Attention = z.object({
  about: AttentionTopic,
  /**
   * Devices; days for `expiring`; percent for storage; yesterday's missing plays for `shortAd`; 0 for
   * `expired`.
   */
  count: z.int(),
  /** The reason of a `silent` line. */
  reason: SilentReason.nullable(),
  /** The seconds since the last report of the device that has been quiet longest; only in a `late` line. */
  unreportedSeconds: Seconds.nullable(),
  /** The page and filter that list what the line counts; null: there is nothing to list. */
  leadsTo: z
    .object({
      /** The page of the console. */
      page: z.enum(['devices', 'publication', 'proof']),
      /** The publication of `missingFiles`, the ad of `shortAd`. */
      item: Reference.nullable(),
      /** The filters of that list, by the names that its address has. */
      filter: z.record(z.string(), z.string()),
    })
    .nullable(),
})
export type Attention = z.infer<typeof Attention>

/** The client's rows of history and what they take on the disk. */
export const HistorySize = z.object({
  /** Such as `plays`, `device_logs`, `heartbeats`. */
  kind: z.string(),
  /** How many rows are kept. */
  rows: z.int(),
  bytes: Bytes,
  /** In UTC; null: none. */
  oldestDay: Day.nullable(),
})

export type HistorySize = z.infer<typeof HistorySize>

/** The state of the whole installation, which serves all clients. */
export const Installation = z.object({
  asOf: Instant,
  /** The newest sample of each server of the last day. */
  servers: z.array(
    z.object({
      /** The server's own name, which also charts have. */
      name: z.string(),
      at: Instant,
      /** False: its last sample is older than three minutes. */
      isReporting: z.boolean(),
      /** Over 1, 5 and 15 minutes. */
      loadAverages: z.tuple([z.number(), z.number(), z.number()]),
      freeBytes: Bytes,
      totalBytes: Bytes,
    }),
  ),
  /** PostgreSQL, which all servers share. */
  database: z.object({
    /** PostgreSQL's version. */
    version: z.string(),
    /** Up to ten minutes older than `asOf`, like those of the components. */
    sizeBytes: Bytes,
    /** The connections of all servers and programs. */
    connections: z.object({
      /** Those to this database now. */
      used: z.int(),
      /** PostgreSQL's `max_connections`. */
      limit: z.int(),
    }),
    /** The last daily maintenance that ended; null: none of the last 45 days. */
    maintainedAt: Instant.nullable(),
    /** The largest tables with their indexes and partitions. Rows are PostgreSQL's estimate. */
    components: z.array(
      z.object({
        /** The table. */
        name: z.string(),
        /** An estimate. */
        rows: z.int(),
        bytes: Bytes,
      }),
    ),
  }),
})
export type Installation = z.infer<typeof Installation>

/** How much the client's plays, device logs and heartbeats take, and how long they stay. Days are UTC. */
export const StatisticsUse = z.object({
  /** What plays, device logs and heartbeats take, and the plan's limit. */
  statisticsBytes: z.object({
    used: Bytes,
    limit: Bytes,
    /** The mean growth a day in the last seven whole days, without what goes when heartbeats are summed up after eight days. */
    perDay: Bytes,
    /** Days until the limit at this rate; 0: reached. Null: not within 400 days. */
    fullInDays: z.int().nullable(),
  }),
  /**
   * What is deleted next, the soonest first, told two weeks before and for at least seven days: from the day `from` on (today or
   * earlier: now), the daily maintenance deletes the single plays, device logs and heartbeats of the days before `before`; sums
   * by day stay. Reason `plan`: the plan's statistics storage is full by then; `age`: they are older than 400 days. With the
   * reason `sums` it deletes the sums by day of these days: beside `statisticsBytes`, sums older than 100 days may take a quarter
   * of the plan's statistics storage.
   */
  statisticsDeletions: z.array(
    z.object({
      /** `plan`: the storage is full by then; `age`: older than 400 days; `sums`: the sums by day take too much. */
      reason: z.enum(['plan', 'age', 'sums']),
      /** The deletion begins on this day. */
      from: Day,
      /** What is older than this day goes. */
      before: Day,
    }),
  ),
})
export type StatisticsUse = z.infer<typeof StatisticsUse>

export const Limits = z.object({
  /** The key of the plan. */
  plan: z.string(),
  expiresAt: Instant,
  /** True from `expiresAt` on: most changes are refused. */
  isExpired: z.boolean(),
  /** Devices that are not in the recycle bin, and how many the plan allows. */
  devices: z.object({
    /** How many there are. */
    used: z.int(),
    /** How many the plan allows. */
    limit: z.int(),
  }),
  /** Every kept file, also of the recycle bin, running uploads and updates. A gigabyte is 10^9 bytes. */
  mediaBytes: z.object({ used: Bytes, limit: Bytes }),
  ...StatisticsUse.shape,
})
export type Limits = z.infer<typeof Limits>

export const QuickMetrics = z.object({
  asOf: Instant,
  /** True: measured for an earlier call, without the changes since `asOf`. */
  isCached: z.boolean(),
  /** Seconds after which a device of `devices` has another state if it does not report; null: all stay. */
  changesInSeconds: Seconds.nullable(),
  /** Plays of the last 24 hours: of this hour (in UTC) and the 23 hours before it. */
  playedCount: z.int(),
  /** What they may lack since a restore of the server, by days in UTC; null: nothing. */
  playedRestored: RestoredPlays.nullable(),
  /** The devices by what they report. The first four are all devices of the client. */
  devices: z.object({
    /** Devices with a heartbeat in the last hour. */
    online: z.int(),
    /** Devices whose last heartbeat was in the last day, and not in the last hour. */
    linkdown: z.int(),
    /** Devices whose last heartbeat is older than a day. */
    linklost: z.int(),
    /** Devices that have never sent a heartbeat. */
    neverup: z.int(),
    /** The activities of the `online` devices. */
    playing: z.int(),
    /** Online devices that play nothing. */
    silent: z.int(),
    /** Online devices whose next report is overdue. */
    late: z.int(),
  }),
  /** The `silent` devices by reason; the filter `silent` of the device list finds them. Reasons without devices are left out. */
  silent: z.array(
    z.object({
      reason: SilentReason,
      /** How many are silent for this reason. */
      devices: z.int(),
    }),
  ),
  /** What needs a person first, the worst first. */
  attention: z.array(Attention),
  /** The media that are not in the recycle bin. */
  media: z.object({
    /** How many there are. */
    items: z.int(),
    sizeBytes: Bytes,
  }),
  /** The publications by state. */
  publications: z.object({
    /** Those that are on. */
    active: z.int(),
    /** Those that wait for their moment. */
    delayed: z.int(),
    /** Those that are off. */
    disabled: z.int(),
  }),
  /** The client's metered statistics. */
  databaseSizeBytes: Bytes,
  /** The same by kind. */
  history: z.array(HistorySize),
  /** The plan's limits and their use at `asOf`. */
  limits: Limits,
  /** Null for users who are not admins. */
  installation: Installation.nullable(),
  /** Devices that were up and are down now. */
  down: z.array(DeviceRow.pick({ uid: true, name: true, connectivity: true, lastContactAt: true })),
  /** The client's newest plays; without those of a doubtful clock. */
  latestPlays: z.array(
    LogEntry.extend({
      deviceUid: Uid,
      /** The device's name at the time. */
      deviceName: z.string(),
    }),
  ),
})
export type QuickMetrics = z.infer<typeof QuickMetrics>

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
