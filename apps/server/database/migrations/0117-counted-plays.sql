-- A play counts only if it can have been: of a file that the client had, and beside no other play of its device.
-- docs/decisions/0253, 0254.

-- Every file that a media item has or had, with its length as the server measured it. It outlives the file: a play arrives up to
-- ninety days late.
create table media_lengths (
  client_id uuid not null references clients (uid) on delete cascade,
  media_uid uuid not null,
  sha256 text not null,
  content_type text not null,
  duration_seconds double precision not null,
  -- The first day on which the maintenance found no such file. Null: there is one.
  gone_on date,
  primary key (client_id, media_uid, sha256)
);
select enable_tenant_rls('media_lengths');
create policy all_clients on media_lengths for select to floorcast_ingest using (true);
grant select on media_lengths to floorcast_ingest;
grant select, insert, update on media_lengths to floorcast_app;
grant select, insert, update, delete on media_lengths to floorcast_jobs;

create function keep_media_length() returns trigger
language plpgsql
set search_path = public, pg_temp
as $$
begin
  insert into media_lengths (client_id, media_uid, sha256, content_type, duration_seconds)
  select new.client_id, new.media_uid, new.sha256, m.content_type, new.duration_seconds
  from media_items m where m.uid = new.media_uid and m.client_id = new.client_id
  on conflict (client_id, media_uid, sha256) do update set duration_seconds = excluded.duration_seconds, gone_on = null;
  return null;
end
$$;
create trigger keep_media_length after insert or update of sha256, duration_seconds on media_files
  for each row execute function keep_media_length();

-- Until when the counted plays of a device last, and until when they did before the newest report: two servers that store plays of
-- one device wait for each other at this row. A play that begins later overlaps none.
create table device_timelines (
  device_uid uuid primary key,
  client_id uuid not null,
  played_until timestamptz not null,
  former_until timestamptz,
  foreign key (client_id, device_uid) references devices (client_id, uid) on delete cascade
) with (fillfactor = 70);
create index device_timelines_client on device_timelines (client_id, device_uid);
select enable_tenant_rls('device_timelines');
create policy all_clients on device_timelines to floorcast_ingest using (true) with check (true);
grant select, insert, update on device_timelines to floorcast_ingest;

-- Why a play counts nowhere. Null: it counts, if it was heard and its clock is plausible. As of nearly all plays; so it takes no room.
alter table plays add column left_out text;
-- Not valid: PostgreSQL would read all plays that are there, whose column is null.
alter table plays add constraint plays_left_out_check
  check (left_out in ('unknown-media', 'unknown-file', 'other-kind', 'too-long', 'overlap', 'too-many')) not valid;
-- What the search for overlapping plays reads.
grant select (client_id, content_type, duration_seconds, started_at, ended_at, seconds_played, result, is_clock_doubted, left_out)
  on plays to floorcast_ingest;

-- Files of today, and former ones by the audit: each upload has the hash and the length of the file. The owner is bound by
-- row-level security too, and has no client.
do $$
declare
  source text;
  sources text[] := array['media_items', 'media_files', 'audit_entries', 'media_lengths', 'clients'];
begin
  foreach source in array sources loop
    execute format('alter table %I no force row level security', source);
  end loop;
  insert into media_lengths (client_id, media_uid, sha256, content_type, duration_seconds)
  select distinct on (f.client_id, f.media_uid, f.sha256) f.client_id, f.media_uid, f.sha256, m.content_type, f.duration_seconds
  from media_files f join media_items m on m.uid = f.media_uid
  order by f.client_id, f.media_uid, f.sha256, f.file_version desc;
  with file as (
    select client_id, thing_uid as media_uid, at, changes #>> '{contentType,1}' as content_type,
      changes #>> '{hash,1}' as sha256, (changes #>> '{durationSeconds,1}')::float8 as duration_seconds
    from audit_entries
    where thing = 'media' and action in ('add', 'replace') and thing_uid is not null
  ),
  -- A replaced file of the same length says no length, and only the first says the kind: they are those of before.
  run as (
    select *, count(content_type) over w as kinds, count(duration_seconds) over w as lengths
    from file window w as (partition by client_id, media_uid order by at)
  ),
  filled as (
    select client_id, media_uid, sha256,
      max(content_type) over (partition by client_id, media_uid, kinds) as content_type,
      max(duration_seconds) over (partition by client_id, media_uid, lengths) as duration_seconds
    from run
  )
  insert into media_lengths (client_id, media_uid, sha256, content_type, duration_seconds)
  select distinct on (f.client_id, f.media_uid, f.sha256) f.client_id, f.media_uid, f.sha256,
    coalesce(f.content_type, m.content_type), f.duration_seconds
  from filled f left join media_items m on m.uid = f.media_uid and m.client_id = f.client_id
  where f.sha256 is not null and f.duration_seconds is not null and coalesce(f.content_type, m.content_type) is not null
  on conflict do nothing;
  foreach source in array sources loop
    execute format('alter table %I force row level security', source);
  end loop;
end
$$;
