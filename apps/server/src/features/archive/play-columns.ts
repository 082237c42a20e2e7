/*
 * The columns of a play in a file of the archive, which docs/operate/archive.md describes for other programs. A change of them is a new
 * schema version: a server reads the versions up to its own.
 */

/** `instant`: microseconds by UTC; `day`: days since 1970; `flag`: true or false. */
type ColumnKind = 'uuid' | 'day' | 'instant' | 'text' | 'number' | 'integer' | 'flag'

export interface PlayColumn {
  name: string
  kind: ColumnKind
  isNullable: boolean
}

export const SCHEMA_VERSION = 1

const required = (name: string, kind: ColumnKind): PlayColumn => ({ name, kind, isNullable: false })
const nullable = (name: string, kind: ColumnKind): PlayColumn => ({ name, kind, isNullable: true })

/** As the table plays names them. */
export const PLAY_COLUMNS: readonly PlayColumn[] = [
  required('day', 'day'),
  required('device_uid', 'uuid'),
  required('boot_uid', 'uuid'),
  required('sequence', 'integer'),
  required('client_id', 'uuid'),
  required('event_uid', 'uuid'),
  required('received_at', 'instant'),
  required('is_clock_doubted', 'flag'),
  required('device_name', 'text'),
  nullable('group_uid', 'uuid'),
  nullable('group_name', 'text'),
  nullable('publication_uid', 'uuid'),
  nullable('playlist_uid', 'uuid'),
  nullable('playlist_name', 'text'),
  nullable('item_uid', 'uuid'),
  required('media_uid', 'uuid'),
  required('sha256', 'text'),
  required('track_name', 'text'),
  required('content_type', 'text'),
  required('scheduled_at', 'instant'),
  required('started_at', 'instant'),
  required('ended_at', 'instant'),
  required('seconds_played', 'number'),
  required('duration_seconds', 'number'),
  required('result', 'text'),
  nullable('why', 'text'),
  required('local_day', 'day'),
  nullable('scheduled_day', 'day'),
  nullable('left_out', 'text'),
]

export const PLAY_COLUMN_NAMES: readonly string[] = PLAY_COLUMNS.map(({ name }) => name)
