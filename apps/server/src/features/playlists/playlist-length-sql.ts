import { type RawBuilder, sql } from 'kysely'

export const JOIN_FILES = sql`
  join media_items m on m.uid = i.media_uid
  join media_files f on f.media_uid = m.uid and f.file_version = coalesce(i.pinned_file_version, m.file_version)`

/** Plays in a row of an item `i` of the file `f`: its repeats, or the whole plays that fit, at least one. */
const PLAYS = sql`coalesce(i.repeat_count, greatest(1, floor(i.replay_seconds / f.duration_seconds)))`

/** Seconds by which a play covers the start of the next one, as devices compute it (packages/playback/src/media.ts). */
const overlap = (next: { seconds: RawBuilder<unknown>; isAd: RawBuilder<unknown> }) => sql`
  case when x.is_ad or ${next.isAd} then 0
  else least(round(l.crossfade_seconds * 1000), floor(round(least(x.seconds, ${next.seconds}) * 1000) / 2)) / 1000 end`

const ITSELF = { seconds: sql`x.seconds`, isAd: sql`x.is_ad` }
const NEXT = { seconds: sql`x.next_seconds`, isAd: sql`x.next_is_ad` }

/**
 * The length of a playlist `l` in seconds. Of a simple one: a round as devices play it, with the repeats, less the
 * crossfades; items with a time of day are no part of the round. Of a smart one: the content of its day.
 */
export const PLAYLIST_LENGTH = sql<number>`coalesce(l.planned_seconds, (
  select sum(x.plays * x.seconds - (x.plays - 1) * ${overlap(ITSELF)} - ${overlap(NEXT)})
  from (
    select y.*, coalesce(lead(y.seconds) over w, first_value(y.seconds) over w) as next_seconds,
      coalesce(lead(y.is_ad) over w, first_value(y.is_ad) over w) as next_is_ad
    from (
      select i.position, ${PLAYS} as plays, f.duration_seconds as seconds,
        m.content_type in ('ads', 'videosAds') as is_ad
      from playlist_items i ${JOIN_FILES} where i.playlist_uid = l.uid and i.start_time is null) y
    window w as (order by y.position)) x), 0)`
