import type { ReportColumn, ReportEnum } from './report-columns.ts'

/*
 * The reports as data. A report has a line in `reports` here, a query on the server (features/reports), and texts in the
 * catalogues (`reports.json`): its name and those of its columns. Routes, formats and the console's page follow from them.
 */

/** A pdf begins with a plot of sums by day. */
export interface ReportPlot {
  /** The column of the type `day`. */
  by: string
  /** Summed columns of one unit, each a bar of the day: one to three. */
  bars: readonly string[]
}

/** A filter in the path. Each may be `all`, unless it is required. */
export interface ReportFilter {
  key: 'mode' | 'uid' | 'track' | 'playpoint' | 'playlist'
  /** What is picked; `mode` picks `all`, `device` or `group`, and `uid` one of those. */
  picks: 'mode' | 'byMode' | 'media' | 'ad' | 'device' | 'playlist'
  isRequired?: true
}

export interface ReportDefinition {
  /** The path before period and zone, with a parameter for each filter. */
  path: string
  summary: string
  filters: readonly ReportFilter[]
  columns: readonly ReportColumn[]
  /** The report also answers at `path` alone: the last 7 days, in the devices' own zones. */
  answersBarePath?: true
  /** After its columns come the effective tags, a column for each key. */
  hasTagColumns?: true
  plot?: ReportPlot
}

const text = (key: string): ReportColumn => ({ key, type: 'text' })
const instant = (key: string): ReportColumn => ({ key, type: 'instant' })
const count = (key: string): ReportColumn => ({ key, type: 'count' })
const seconds = (key: string): ReportColumn => ({ key, type: 'seconds' })
const minutes = (key: string): ReportColumn => ({ key, type: 'minutes' })
const summed = (column: ReportColumn): ReportColumn => ({ ...column, isSummed: true })
const oneOf = (key: string, values: ReportEnum): ReportColumn => ({ key, type: 'enum', values })
const day: ReportColumn = { key: 'day', type: 'day' }
const device = [text('device'), text('storeNumber'), text('group')]

export const reports = {
  statetx: {
    path: '/report/statetx/{mode}/{uid}',
    summary: 'One row for each connectivity interval of a device.',
    filters: [
      { key: 'mode', picks: 'mode' },
      { key: 'uid', picks: 'byMode' },
    ],
    columns: [...device, oneOf('state', 'connectivity'), instant('from'), instant('to'), seconds('length')],
  },
  r1ext: {
    path: '/report/r1ext/{track}/{playpoint}/{playlist}',
    summary:
      'One row for each play, with its scheduled and its true start and how much of it was heard: the proof of play.',
    filters: [
      { key: 'track', picks: 'media' },
      { key: 'playpoint', picks: 'device' },
      { key: 'playlist', picks: 'playlist' },
    ],
    columns: [
      ...device,
      text('playlist'),
      text('track'),
      oneOf('contentType', 'contentType'),
      instant('scheduledAt'),
      instant('startedAt'),
      summed(seconds('secondsPlayed')),
      oneOf('result', 'result'),
    ],
  },
  r2: {
    path: '/report/r2',
    summary: 'One row for each track: its plays (without failed ones), devices, first and last play.',
    filters: [],
    columns: [
      text('track'),
      oneOf('contentType', 'contentType'),
      summed(count('plays')),
      summed(count('completePlays')),
      summed(seconds('seconds')),
      count('devices'),
      instant('firstAt'),
      instant('lastAt'),
    ],
    answersBarePath: true,
  },
  r3: {
    path: '/report/r3',
    summary:
      'One row for each device and day: its plays (without failed ones), seconds of each kind, and ads in an hour of playing.',
    filters: [],
    columns: [
      ...device,
      day,
      summed(count('plays')),
      summed(seconds('seconds')),
      summed(seconds('melodySeconds')),
      summed(seconds('adSeconds')),
      summed(seconds('videoSeconds')),
      summed(seconds('videoAdSeconds')),
      { key: 'adsAnHour', type: 'number' },
    ],
    plot: { by: 'day', bars: ['plays'] },
    answersBarePath: true,
  },
  s1ext: {
    path: '/report/s1ext',
    summary: 'One row for each publication and day: planned plays, made plays and their percentage.',
    filters: [],
    columns: [
      text('publication'),
      text('group'),
      text('playlist'),
      day,
      summed(count('plannedPlays')),
      summed(count('madePlays')),
      { key: 'percent', type: 'percent' },
      summed(count('formerPlays')),
    ],
    plot: { by: 'day', bars: ['plannedPlays', 'madePlays'] },
  },
  s2ext: {
    path: '/report/s2ext',
    summary: 'One row for each device: minutes in each connectivity state, and its availability.',
    filters: [],
    columns: [
      ...device,
      summed(minutes('onlineMinutes')),
      summed(minutes('linkdownMinutes')),
      summed(minutes('linklostMinutes')),
      summed(minutes('neverupMinutes')),
      { key: 'availability', type: 'percent' },
    ],
  },
  alert1: {
    path: '/report/alert1',
    summary: 'One row for each alert: its kind, target, begin and end, and who sent them.',
    filters: [],
    columns: [
      oneOf('alertKind', 'alertKind'),
      oneOf('purpose', 'purpose'),
      oneOf('targetKind', 'target'),
      text('target'),
      instant('beganAt'),
      text('beganBy'),
      instant('endedAt'),
      text('endedBy'),
    ],
  },
  alert2: {
    path: '/report/alert2',
    summary: 'One row for each alert and device: when it received, started and ended the alert.',
    filters: [],
    columns: [
      oneOf('alertKind', 'alertKind'),
      oneOf('purpose', 'purpose'),
      instant('beganAt'),
      ...device,
      instant('receivedAt'),
      instant('startedAt'),
      instant('endedAt'),
      seconds('secondsToStart'),
    ],
  },
  alert3: {
    path: '/report/alert3',
    summary:
      'One row for each kind of alert, drills apart, and month: alerts, devices, median and longest time to the start.',
    filters: [],
    columns: [
      oneOf('alertKind', 'alertKind'),
      oneOf('purpose', 'purpose'),
      { key: 'month', type: 'month' },
      summed(count('alerts')),
      count('devices'),
      seconds('medianSeconds'),
      seconds('longestSeconds'),
    ],
  },
  tags: {
    path: '/report/playpoints/tags',
    summary:
      'One row for each device that existed in the period, with its present effective tags, a column for each key.',
    filters: [],
    columns: device,
    answersBarePath: true,
    hasTagColumns: true,
  },
  rights: {
    path: '/report/rights',
    summary:
      'One row for each work that was played, for rights societies: a work is an ISRC, or a media item without one; those come first. Failed plays do not count.',
    filters: [],
    columns: [
      text('artist'),
      text('title'),
      text('isrc'),
      text('composer'),
      text('publisher'),
      summed(count('plays')),
      summed(seconds('seconds')),
      { key: 'firstDay', type: 'day' },
      { key: 'lastDay', type: 'day' },
      count('shops'),
    ],
  },
  proof: {
    path: '/report/proof/{track}',
    summary:
      'The proof of play of one ad: one row for each publication, device and day, with its promised, planned and delivered plays, why they differ, its ad plays, its gross impressions where an audience is known, and whether plays may be missing since a restore.',
    filters: [{ key: 'track', picks: 'ad', isRequired: true }],
    columns: [
      text('publication'),
      ...device,
      text('place'),
      oneOf('storeZone', 'storeZone'),
      day,
      summed(count('promisedPlays')),
      summed(count('plannedPlays')),
      summed(count('deliveredPlays')),
      summed(count('shortPlays')),
      { key: 'shortReasons', type: 'breakdown', values: 'gapReason' },
      summed(count('extraPlays')),
      summed(count('formerPlays')),
      summed(count('adPlays')),
      summed({ key: 'impressions', type: 'number' }),
      oneOf('restored', 'restored'),
    ],
    plot: { by: 'day', bars: ['promisedPlays', 'plannedPlays', 'deliveredPlays'] },
  },
} as const satisfies Record<string, ReportDefinition>

export type ReportName = keyof typeof reports
export const reportNames = Object.keys(reports) as ReportName[]

export const MAX_REPORT_DAYS = 45
/** `{zone}` for each device's own zone. */
export const DEVICE_ZONES = 'device'

const DAY_MS = 86_400_000

/** The number of days of a period, both inclusive; 0 or less if it ends before it begins. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1
