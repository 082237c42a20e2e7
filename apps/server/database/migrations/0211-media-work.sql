-- Which server works on a stored file: loudness, tags. Before `work_until` no other server begins, so it is the lease of the one that has
-- begun, and after a failure the wait before the next try. A server that is killed leaves the file to the others. docs/decisions/0349.
alter table media_files
  add column work_until timestamptz,
  -- How often it was begun since it last succeeded; a stop of the server does not count.
  add column work_tries smallint not null default 0;
grant select (are_tags_read, work_until, work_tries) on media_files to floorcast_definer;

set local role floorcast_definer;
-- The clients with files that a server may begin now.
create function jobs_clients_with_media_work(kind text, at timestamptz, max_tries integer) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select f.client_id from media_files f where kind = 'loudness' and f.loudness_state = 'pending'
    and f.work_tries < max_tries and (f.work_until is null or f.work_until <= jobs_clients_with_media_work.at)
  union
  select f.client_id from media_files f where kind = 'tags' and not f.are_tags_read
    and f.work_tries < max_tries and (f.work_until is null or f.work_until <= jobs_clients_with_media_work.at)
$$;
revoke execute on function jobs_clients_with_media_work from public;
grant execute on function jobs_clients_with_media_work to floorcast_jobs;

-- What waits, and since when. `media-failed` is tried no more until the next daily maintenance, or until an operator runs it.
create or replace function operator_queues(moment timestamptz) returns table (name text, waiting integer, oldest_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select 'mails', count(*)::integer, min(m.created_at) from mails m where m.due_at is not null
  union all
  select 'loudness', count(*)::integer, min(f.uploaded_at) from media_files f where f.loudness_state = 'pending' and f.work_tries < 5
  union all
  select 'media-failed', count(*)::integer, min(f.uploaded_at) from media_files f
  where (f.loudness_state = 'pending' or not f.are_tags_read) and f.work_tries >= 5
    and (f.work_until is null or f.work_until <= moment)
  union all
  select 'commands', count(*)::integer, min(o.created_at) from device_outbox o
  where o.acknowledged_at is null and o.expires_at > moment
  union all
  select 'statistics', count(*)::integer, min(u.day)::timestamptz from uncounted_days u
$$;
reset role;
