import type { LogEntry } from '@floorcast/contract/logs.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Reads } from '../../platform/database/client-scope.ts'
import { readPage, type ListPage, type ListRequest } from '../../platform/database/list.ts'

/** A page of one device's log, between two moments if given. */
export interface LogList extends ListRequest {
  deviceUid: string
  from?: string | undefined
  to?: string | undefined
}

export interface PlayEntry extends LogEntry {
  deviceUid: string
  deviceName: string
}

type Field = Exclude<keyof LogEntry, 'uid' | 'eventTime' | 'receiveTime'>
const FIELDS: readonly (readonly [Field, RawBuilder<unknown>])[] = [
  ['playlist', sql`null::text`],
  ['version', sql`null::text`],
  ['track', sql`null::text`],
  ['status', sql`null::text`],
  ['description', sql`null::text`],
  ['type', sql`null::text`],
  ['code', sql`null::int`],
  ['class', sql`null::text`],
  ['channel', sql`null::text`],
  ['updatePackage', sql`null::text`],
  ['request', sql`null::text`],
  ['comment', sql`null::text`],
  ['plannedTime', sql`null::timestamptz`],
  ['secondsPlayed', sql`null::float8`],
  ['volume', sql`null::int`],
  ['temperatureCelsius', sql`null::float8`],
]

/** The columns of a log entry; what a kind lacks is null. */
function entryColumns(
  head: RawBuilder<unknown>,
  fields: Partial<Record<Field, RawBuilder<unknown>>>,
): RawBuilder<unknown> {
  const columns = FIELDS.map(([name, none]) => sql`${fields[name] ?? none} as ${sql.id(snake(name))}`)
  return sql`${head}, ${sql.join(columns)}`
}
const snake = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** A doubted clock's rows lie in the day they were received; its own time is only shown. */
const DOUBT = sql`case when is_clock_doubted then 'clock-doubted' end`

const PLAY_COLUMNS = entryColumns(
  sql`event_uid as uid, started_at as event_time, received_at as receive_time, device_uid, device_name`,
  {
    playlist: sql`playlist_name`,
    track: sql`track_name`,
    status: sql`result`,
    description: sql`why`,
    type: sql`content_type`,
    comment: DOUBT,
    plannedTime: sql`scheduled_at`,
    secondsPlayed: sql`seconds_played`,
  },
)

function between(moment: RawBuilder<unknown>, { from, to }: LogList): RawBuilder<unknown> {
  const after = from === undefined ? sql`true` : sql`${moment} >= ${from}::timestamptz`
  const before = to === undefined ? sql`true` : sql`${moment} <= ${to}::timestamptz`
  return sql`${after} and ${before}`
}

const sortsBy = (moment: RawBuilder<unknown>) => ({
  eventTime: moment,
  receiveTime: sql`received_at`,
})

export function listPlays(reads: Reads, list: LogList): Promise<ListPage<PlayEntry>> {
  return readPage(reads, list, {
    columns: PLAY_COLUMNS,
    from: sql`from plays`,
    where: sql`device_uid = ${list.deviceUid} and ${between(sql`started_at`, list)}`,
    searched: [sql`track_name`, sql`playlist_name`, sql`result`, sql`why`],
    sorts: { ...sortsBy(sql`started_at`), track: sql`lower(track_name)`, status: sql`result` },
    newest: sql`started_at`,
    uid: sql`event_uid`,
    isEndless: true,
  })
}

const SEARCHED = [
  'playlistName',
  'status',
  'step',
  'level',
  'message',
  'why',
  'code',
  'version',
  'packageName',
  'channelName',
] as const

const detail = (name: string) => sql`details->>${sql.lit(name)}`

export function listDeviceLogs(
  reads: Reads,
  kind: 'debug' | 'update' | 'playlist',
  list: LogList,
): Promise<ListPage<LogEntry>> {
  return readPage(reads, list, {
    columns: entryColumns(sql`event_uid as uid, at as event_time, received_at as receive_time`, {
      playlist: detail('playlistName'),
      version: sql`coalesce(${detail('version')}, ${detail('revision')})`,
      status: sql`coalesce(${detail('status')}, ${detail('step')}, ${detail('level')})`,
      description: sql`coalesce(${detail('message')}, ${detail('why')})`,
      type: sql`kind`,
      class: detail('code'),
      channel: detail('channelName'),
      updatePackage: sql`coalesce(${detail('packageName')}, ${detail('packageUid')})`,
      comment: DOUBT,
    }),
    from: sql`from device_logs`,
    where: sql`device_uid = ${list.deviceUid} and kind = ${kind} and ${between(sql`at`, list)}`,
    searched: SEARCHED.map(detail),
    sorts: sortsBy(sql`at`),
    newest: sql`at`,
    uid: sql`event_uid`,
    isEndless: true,
  })
}

export function listHeartbeats(reads: Reads, list: LogList): Promise<ListPage<LogEntry>> {
  const { deviceUid } = list
  return readPage(reads, list, {
    columns: entryColumns(sql`uid, device_clock_at as event_time, received_at as receive_time`, {
      version: sql`program_version`,
      track: sql`now_playing_name`,
      status: sql`case when now_playing_name is null then 'silent' else 'playing' end`,
      request: sql`ip_address`,
      volume: sql`volume`,
      temperatureCelsius: sql`temperature_celsius`,
    }),
    from: sql`from heartbeats`,
    where: sql`device_uid = ${deviceUid} and ${between(sql`received_at`, list)}`,
    searched: [sql`program_version`, sql`now_playing_name`, sql`ip_address`],
    sorts: sortsBy(sql`device_clock_at`),
    newest: sql`received_at`,
    uid: sql`uid`,
    isEndless: true,
  })
}

/** A play that a wrong clock dates in the future is left out: it would stay the newest for years. */
export async function findLatestPlays(
  reads: Reads,
  { deviceUid, count }: { deviceUid?: string; count: number },
): Promise<PlayEntry[]> {
  const where = deviceUid === undefined ? sql`true` : sql`device_uid = ${deviceUid}`
  const { rows } = await sql<PlayEntry>`
    select ${PLAY_COLUMNS} from plays
    where ${where} and started_at <= received_at + interval '1 day'
    order by started_at desc, event_uid desc limit ${count}
  `.execute(reads)
  return rows
}

export async function countPlaysSince(reads: Reads, since: Date): Promise<number> {
  const { rows } = await sql<{ played: number }>`
    select count(*) as played from plays
    where started_at >= ${since} and day >= (${since}::timestamptz at time zone 'UTC')::date and result <> 'failed'
  `.execute(reads)
  return rows[0]?.played ?? 0
}
