import { randomUUID } from 'node:crypto'
import type { MediaType } from '@floorcast/contract/media.ts'
import { asSuperuser } from './test-database.ts'

/** A play as the history has it. */
export interface StoredPlay {
  deviceUid: string
  deviceName: string
  mediaUid: string
  trackName: string
  contentType: MediaType
  playlistUid: string
  playlistName: string
  startedAt: Date
  /** At the device. */
  localDay: string
  secondsPlayed: number
  result: 'complete' | 'joined' | 'cut' | 'failed'
  isClockDoubted: boolean
}

/** Writes plays into the history and their sums into the roll-ups, with the partitions that they need. */
export async function storePlays(
  superuserUrl: string,
  clientId: string,
  plays: readonly StoredPlay[],
): Promise<void> {
  const days = plays.map(({ startedAt }) => startedAt.toISOString().slice(0, 10)).toSorted()
  await asSuperuser(superuserUrl, async superuser => {
    await superuser.query('select make_day_partitions($1, $2)', [days[0], days.at(-1)])
    const rows = plays.map(play => ({
      ...play,
      startedAt: play.startedAt.toISOString(),
      day: play.startedAt.toISOString().slice(0, 10),
      eventUid: randomUUID(),
    }))
    await superuser.query(
      `insert into plays (day, device_uid, boot_uid, sequence, client_id, event_uid, received_at, is_clock_doubted, device_name,
         group_name, playlist_uid, playlist_name, media_uid, sha256, track_name, content_type, scheduled_at, started_at,
         ended_at, seconds_played, duration_seconds, result, local_day)
       select (p ->> 'day')::date, (p ->> 'deviceUid')::uuid, gen_random_uuid(), 1, $1, (p ->> 'eventUid')::uuid, now(),
         (p ->> 'isClockDoubted')::boolean, p ->> 'deviceName', 'North shops', (p ->> 'playlistUid')::uuid,
         p ->> 'playlistName', (p ->> 'mediaUid')::uuid, repeat('a', 64), p ->> 'trackName', p ->> 'contentType',
         (p ->> 'startedAt')::timestamptz, (p ->> 'startedAt')::timestamptz,
         (p ->> 'startedAt')::timestamptz + make_interval(secs => (p ->> 'secondsPlayed')::float8),
         (p ->> 'secondsPlayed')::float8, 200, p ->> 'result',
         (p ->> 'localDay')::date
       from jsonb_array_elements($2::jsonb) p`,
      [clientId, JSON.stringify(rows)],
    )
    await superuser.query(
      `insert into play_days (client_id, device_uid, local_day, media_uid, playlist_uid, content_type, plays, complete_plays,
         played_ms, first_at, last_at)
       select client_id, device_uid, local_day, media_uid, playlist_uid, content_type, count(*),
         count(*) filter (where result = 'complete'), sum(round(seconds_played * 1000)), min(started_at), max(started_at)
       from plays where client_id = $1 and result <> 'failed' and not is_clock_doubted group by 1, 2, 3, 4, 5, 6`,
      [clientId],
    )
    await superuser.query(
      `select number_play_devices($1, array(select distinct device_uid from play_days where client_id = $1))`,
      [clientId],
    )
    await superuser.query(
      `insert into play_media_days (client_id, local_day, media_uid, content_type, device_block, plays, complete_plays,
         played_ms, first_at, last_at, devices)
       select client_id, local_day, media_uid, content_type, number / 1024, sum(plays), sum(complete_plays), sum(played_ms),
         min(first_at), max(last_at), bit_or(set_bit(0::bit(1024), number % 1024, 1))
       from play_days join play_devices using (client_id, device_uid) where client_id = $1 group by 1, 2, 3, 4, 5`,
      [clientId],
    )
    await superuser.query(
      `insert into history_counts (client_id, kind, day, row_count, byte_count)
       select client_id, 'plays', day, count(*), count(*) * 700 from plays where client_id = $1 group by 1, 3`,
      [clientId],
    )
    await superuser.query(
      `insert into play_names (client_id, kind, uid, name, named_at)
       select distinct on (media_uid) client_id, 'media', media_uid, track_name, now() from plays where client_id = $1`,
      [clientId],
    )
  })
}
