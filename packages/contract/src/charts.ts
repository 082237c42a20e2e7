import { z } from 'zod'
import { Connectivity, MapPlace } from './devices.ts'
import { adminReaders, endpoint, readers } from './endpoint.ts'
import { Instant, queryInt, Reference, Uid } from './fields.ts'
import { RestoredPlays } from './redelivery.ts'

/** How far back from now a chart goes: an hour, a day, 7 or 45 days. */
export const ChartRange = z.enum(['1h', '24h', '7d', '45d'])
export type ChartRange = z.infer<typeof ChartRange>

/** `load` is a load average; `percent` is 0 to 100. */
export const ChartUnit = z.enum(['plays', 'devices', 'percent', 'bytes', 'load'])

/**
 * A series. `uid` is the media type, the connectivity or the server's name; its text is the reader's language's. Points are in the
 * order of time; null: nothing was measured then.
 */
const seriesOf = <Time extends z.ZodType>(time: Time) =>
  z.object({
    uid: z.string(),
    /** The same as `uid`. */
    name: z.string(),
    points: z.array(z.tuple([time, z.number().nullable()])),
  })

/** What plays may lack since a restore of the server, by days in UTC. Missing: nothing, or the chart is not one of plays. */
const restored = RestoredPlays.optional()

/**
 * A chart over time, cached for some seconds; `asOf` is the time of its figures. Plays and availability: the value of a point is
 * that of the `stepSeconds` from its time on, the last point's until `asOf`. The others: the value at its time, or the mean of the
 * `stepSeconds` before.
 */
export const Chart = z.object({
  asOf: Instant,
  unit: ChartUnit,
  /** The seconds from one point to the next. */
  stepSeconds: z.int(),
  /** One for each media type, connectivity or server. A media type without plays has none. */
  series: z.array(seriesOf(Instant)),
  /**
   * What plays may lack since a restore of the server, by days in UTC. Missing: nothing, or the chart is
   * not one of plays.
   */
  restored,
})
export type Chart = z.infer<typeof Chart>

/** A sum by hour of day, 0 to 23, over a whole range. */
export const HourChart = z.object({
  asOf: Instant,
  unit: ChartUnit,
  /** One for each media type that was played, with 24 points. */
  series: z.array(seriesOf(z.int().min(0).max(23))),
  /** What plays may lack since a restore of the server, by days in UTC. Missing: nothing. */
  restored,
})
export type HourChart = z.infer<typeof HourChart>

const ranged = z.object({ range: ChartRange.default('24h') })

/**
 * The chart covers one device, the devices of a group, or all. Plays of a group are those of the devices that were in it when
 * they reported them. An unknown device or group: 404.
 */
export const ChartQuery = ranged.extend({
  /** The chart of this device alone. */
  device: Uid.optional(),
  /** The chart of the devices of this group alone. */
  group: Uid.optional(),
})
export type ChartQuery = z.infer<typeof ChartQuery>

const TimeZone = z
  .string()
  .max(60)
  .regex(/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/, 'time-zone')

export const readPlaysChart = endpoint({
  path: '/chart/playtrack-detailed/cached',
  summary:
    "Plays by media type over time. Failed plays, those of a doubtful clock and those that cannot have been do not count. Those of a group are by the group in which the device was when it reported them. Those of a device over 7 and 45 days are by the device's own day, whose time is given as if it were in UTC.",
  access: readers,
  query: ChartQuery,
  answer: Chart,
})

export const readActiveDevicesChart = endpoint({
  path: '/chart/active-devices/cached',
  summary:
    'Devices by connectivity over time. Of a group: over an hour the devices that are in it now, over longer ranges those that were in it at the time, as sampled each ten minutes (where samples do not reach back so far, those that are in it now).',
  access: readers,
  query: ChartQuery,
  answer: Chart,
})

export const readAvailabilityChart = endpoint({
  path: '/chart/availability/cached',
  summary:
    'The share of the time that devices were online, by day in UTC, without the time before their first contact: of a device exactly, of all devices and of those that were in a group at the time as sampled each ten minutes (where samples of the group do not reach back so far, exactly of those that are in it now).',
  access: readers,
  query: ChartQuery.extend({
    /** How far back from now it goes. */
    range: z.enum(['7d', '45d']).default('7d'),
  }),
  answer: Chart,
})

export const readPlaysByHour = endpoint({
  path: '/chart/plays-by-hour/cached',
  summary:
    "Plays by media type and hour of day in a zone, over 24 hours, 7 or 45 days. Where a zone's hours begin at another minute than those of UTC, plays count in the hour in which their hour in UTC begins.",
  access: readers,
  query: z.object({
    /** How far back from now it goes. */
    range: z.enum(['24h', '7d', '45d']).default('7d'),
    /** Whose hours: an IANA time zone such as `Europe/Berlin`. */
    zone: TimeZone.default('UTC'),
  }),
  answer: HourChart,
})

export const readFreeSpaceChart = endpoint({
  path: '/chart/free-space/cached',
  summary: "Free bytes of each server's data disk.",
  access: adminReaders,
  query: ranged,
  answer: Chart,
})

export const readLoadChart1 = endpoint({
  path: '/chart/la-1min/cached',
  summary: 'The load average of each server over one minute.',
  access: adminReaders,
  query: ranged,
  answer: Chart,
})

export const readLoadChart5 = endpoint({
  path: '/chart/la-5min/cached',
  summary: 'The load average of each server over five minutes.',
  access: adminReaders,
  query: ranged,
  answer: Chart,
})

export const readLoadChart15 = endpoint({
  path: '/chart/la-15min/cached',
  summary: 'The load average of each server over fifteen minutes.',
  access: adminReaders,
  query: ranged,
  answer: Chart,
})

/** Devices by connectivity. */
export const StateCounts = z.object({
  /** Devices with a heartbeat in the last hour. */
  online: z.int(),
  /** Devices whose last heartbeat was in the last day, and not in the last hour. */
  linkdown: z.int(),
  /** Devices whose last heartbeat is older than a day. */
  linklost: z.int(),
  /** Devices that have never sent a heartbeat. */
  neverup: z.int(),
})

/** Devices near each other. */
export const MapCluster = StateCounts.extend({
  /** The mean of its devices', in degrees, north positive; of a country its centre. */
  latitude: z.number(),
  /** The mean of its devices', in degrees, east positive; of a country its centre. */
  longitude: z.number(),
  /** All devices of the cluster. */
  devices: z.int(),
  /** The filter `place` of the device list that finds the same devices. */
  place: MapPlace,
  /** The ISO 3166 code of devices that only have the tag `country`. */
  country: z.string().nullable(),
  /** The only device. */
  device: Reference.extend({ connectivity: Connectivity }).nullable(),
})
export type MapCluster = z.infer<typeof MapCluster>

export const DeviceMap = z.object({
  asOf: Instant,
  /** At most 500. At larger counts the cells are larger than the zoom says. */
  clusters: z.array(MapCluster),
  /** The devices without coordinates and without a known country. */
  notOnMap: StateCounts.extend({
    /** How many they are. */
    devices: z.int(),
    place: MapPlace,
    /** The first 20 by name. */
    first: z.array(Reference.extend({ connectivity: Connectivity })),
  }),
})
export type DeviceMap = z.infer<typeof DeviceMap>

export const readDeviceMap = endpoint({
  path: '/chart/device-map/cached',
  summary:
    "The client's devices on the map, in clusters: by the effective tags `latitude` and `longitude`, else by the country of the tag `country`, else not on the map. A cell has 8 degrees at zoom 0 and half of it at each further zoom.",
  access: readers,
  query: z.object({
    /** The size of the cells: 8 degrees at 0, and half of it at each further number. */
    zoom: queryInt(0, 10).default(0),
    /** The devices of this group alone. */
    group: Uid.optional(),
  }),
  answer: DeviceMap,
})
