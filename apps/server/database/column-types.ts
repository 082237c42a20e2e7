import type { ReportedServer } from '@floorcast/contract/server-address.ts'
import type { AlertCheck } from '@floorcast/contract/devices.ts'
import type { Language } from '@floorcast/contract/fields.ts'
import type { MediaType } from '@floorcast/contract/media.ts'
import type { SmartDraft } from '@floorcast/contract/smart-playlists.ts'
import type { ColumnType } from 'kysely'

/*
 * Types of columns that the catalog does not know; `npm run schema` refers to them in tables.ts.
 */

/** An instant: read as an ISO 8601 string with Z, written as such or as a Date. */
export type Timestamp = ColumnType<string, string | Date, string | Date>

/** A column with a default: an insert may leave it out. Kysely's own does not take a column type inside. */
export type Generated<T> =
  T extends ColumnType<infer S, infer I, infer U>
    ? ColumnType<S, I | undefined, U>
    : ColumnType<T, T | undefined, T>

/** jsonb: read as the parsed value, written as JSON text. */
export type Json<T> = ColumnType<T, string, string>

/** The types of jsonb columns, by table and column. A new jsonb column does not compile until it is added here. */
export interface JsonColumns {
  'audit_entries.changes': Record<string, [unknown, unknown]>
  'client_events.data': object
  'device_logs.details': Record<string, unknown>
  'device_outbox.body': Record<string, unknown>
  'device_states.alert_check': AlertCheck
  'device_states.server': ReportedServer
  'device_states.now_playing': {
    name: string
    mediaUid: string | null
    contentType: MediaType | null
    startedAt: string
    /** Absent in rows of former releases. */
    offsetSeconds?: number
    durationSeconds: number | null
  }
  'device_states.quarantined': { name: string; sha256: string }[]
  'heartbeat_days.entries': HeartbeatEntry[]
  'playlists.draft': DraftRest
  'profiles.active_settings': Record<string, unknown>
  'profiles.settings': Record<string, unknown>
  'saved_views.filters': Record<string, string>
  'uploads.metadata': Record<string, string | null>
  'uploads.outcome': Record<string, unknown>
}

/** A heartbeat of a folded day for the log; its columns as in `heartbeats`, without those that are null. */
interface HeartbeatEntry {
  uid: string
  received_at: string
  device_clock_at: string
  program_version: string
  volume: number
  ip_address?: string
  now_playing_name?: string
  temperature_celsius?: number
}

/** The types of text columns whose values the contract lists, and no constraint. */
export interface TextColumns {
  'users.language': Language
}

/** The fields of a smart playlist's draft that are not in columns, items or blocks. */
type DraftRest = Omit<
  SmartDraft,
  | 'smartPlUid'
  | 'smartPlName'
  | 'smartPlDescr'
  | 'crossfade'
  | 'startDay'
  | 'endDay'
  | 'workTime'
  | 'melList'
  | 'adsList'
  | 'finishList'
  | 'version'
>

/** The columns of `TextColumns`. */
export const textColumns: readonly string[] = ['users.language'] satisfies (keyof TextColumns)[]

/** Columns that triggers write: a write of ours does not compile, though PostgreSQL would take it. */
export const triggerColumns = [
  'media_items.duration_seconds',
  'media_items.size_bytes',
  'media_items.uploaded_at',
  'publications.on_air_words',
]
