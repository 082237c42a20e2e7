import { uuidV7 } from '@floorcast/server/platform/lib/uuid-v7.ts'
import { TEST_NOW } from './factories.ts'

/** The day that history rows of `seedEveryTable` lie on. */
export const SEEDED_DAY = '2026-11-21'

const FOLDED = {
  reports: `{${Array.from({ length: 96 }, () => 1).join()}}`,
  reported: `{[${SEEDED_DAY}T08:00:00Z,${SEEDED_DAY}T20:00:00Z]}`,
  entries: '[]',
}

/** A file that is in no store. */
const ARCHIVED = {
  day: SEEDED_DAY,
  part: 1,
  sha256: 'a'.repeat(64),
  size_bytes: 3000,
  row_count: 1,
  rows_hash: 1,
  schema_version: 1,
  archived_at: TEST_NOW,
}

/** The rows of a client's history for `seedEveryTable`. */
export function rowsOfHistory({
  groupUid,
  deviceUid,
  mediaUid,
}: Record<'groupUid' | 'deviceUid' | 'mediaUid', string>): [string, Record<string, unknown>][] {
  const at = { day: SEEDED_DAY, device_uid: deviceUid, boot_uid: uuidV7(), received_at: TEST_NOW }
  const event = { ...at, event_uid: uuidV7(), device_name: 'Till radio' }
  const times = { scheduled_at: TEST_NOW, started_at: TEST_NOW, ended_at: TEST_NOW }
  const track = { media_uid: mediaUid, sha256: 'a'.repeat(64), track_name: 'Tune', content_type: 'melodies' }
  const counted = { content_type: 'melodies', plays: 1, played_ms: 3000 }
  const heardOnce = { complete_plays: 1, first_at: TEST_NOW, last_at: TEST_NOW }
  const delivered = {
    quarter: TEST_NOW,
    scheduled_day: SEEDED_DAY,
    plays: 1,
    first_at: TEST_NOW,
    last_at: TEST_NOW,
  }
  const heard = { seconds_played: 3, duration_seconds: 3, result: 'complete' }
  const sample = { at: TEST_NOW, online: 1, linkdown: 0, linklost: 0, neverup: 0 }
  return [
    ['plays', { ...event, sequence: 1, ...times, ...track, ...heard }],
    ['device_logs', { ...event, sequence: 2, kind: 'debug', at: TEST_NOW, details: '{}' }],
    ['heartbeats', { ...at, uid: uuidV7(), device_clock_at: TEST_NOW, program_version: '1', volume: 70 }],
    ['heartbeat_days', { day: SEEDED_DAY, device_uid: deviceUid, ...FOLDED }],
    ['connectivity_samples', sample],
    ['group_connectivity_samples', { ...sample, group_uid: groupUid }],
    ['device_silences', { device_uid: deviceUid, because: 'closed', since: TEST_NOW }],
    ['history_counts', { kind: 'plays', day: SEEDED_DAY, row_count: 1, byte_count: 700 }],
    [
      'play_days',
      { ...counted, local_day: SEEDED_DAY, device_uid: deviceUid, media_uid: mediaUid, ...heardOnce },
    ],
    [
      'play_media_days',
      {
        ...counted,
        local_day: SEEDED_DAY,
        media_uid: mediaUid,
        device_block: 0,
        devices: '1'.padEnd(1024, '0'),
        ...heardOnce,
      },
    ],
    ['play_hours', { ...counted, hour: TEST_NOW }],
    ['play_group_hours', { ...counted, group_uid: groupUid, hour: TEST_NOW }],
    ['delivered_quarters', { ...delivered, media_uid: mediaUid, publication_uid: uuidV7() }],
    ['play_names', { kind: 'media', uid: mediaUid, name: 'Tune', named_at: TEST_NOW }],
    ['uncounted_days', { day: SEEDED_DAY }],
    ['statistics_retention', { kept_from: SEEDED_DAY }],
    ['play_archives', { ...ARCHIVED, first_device_uid: deviceUid, last_device_uid: deviceUid }],
    ['play_day_counts', { local_day: SEEDED_DAY, row_count: 1 }],
  ]
}
