-- Plays by day and by hour, counted while they are stored, so that no report reads history for what it can read here.
-- docs/decisions/0193.

-- The day of the play at the device: in its effective time zone when the play was stored. Null: not counted yet (rows of
-- former versions; the maintenance counts them).
alter table plays add column local_day date;

-- Plays that were heard (result other than failed) and whose clock was plausible, by the device's local day.
create table play_days (
  client_id uuid not null,
  local_day date not null,
  device_uid uuid not null,
  media_uid uuid not null,
  playlist_uid uuid,
  publication_uid uuid,
  content_type text not null,
  plays integer not null,
  -- Heard whole.
  complete_plays integer not null,
  -- Thousandths of seconds: whole numbers have one sum in any order.
  played_ms bigint not null,
  -- The first and the last start.
  first_at timestamptz not null,
  last_at timestamptz not null
) partition by range (local_day);
-- Devices and their days in order. No index has a column that a further play changes, so that its update stays in its page.
create unique index play_days_key on play_days
  (client_id, device_uid, local_day, media_uid, playlist_uid, publication_uid, content_type) nulls not distinct;
create index play_days_media on play_days (client_id, media_uid, local_day);
create index play_days_publication on play_days (client_id, publication_uid, local_day);

-- The same plays by hour (UTC) of their start.
create table play_hours (
  client_id uuid not null references clients (uid) on delete cascade,
  hour timestamptz not null,
  content_type text not null,
  plays integer not null,
  played_ms bigint not null,
  primary key (client_id, hour, content_type)
) with (fillfactor = 50);

-- The newest names of what the roll-ups count, also of devices, media and playlists that no longer exist.
create table play_names (
  client_id uuid not null references clients (uid) on delete cascade,
  kind text not null check (kind in ('device', 'media', 'playlist')),
  uid uuid not null,
  name text not null,
  named_at timestamptz not null,
  primary key (client_id, kind, uid)
);

-- Days (UTC) of which plays without a local day are to be counted.
create table uncounted_days (
  client_id uuid not null references clients (uid) on delete cascade,
  day date not null,
  primary key (client_id, day)
);
-- Two more days: servers of the former version may still store plays during the upgrade.
alter table history_counts no force row level security;
insert into uncounted_days (client_id, day)
  select client_id, day from history_counts where kind = 'plays'
  union
  select distinct client_id, current_date + n from history_counts, generate_series(0, 2) n where kind = 'plays';
alter table history_counts force row level security;

do $$
declare
  counted text;
begin
  foreach counted in array array['play_days', 'play_hours', 'play_names', 'uncounted_days'] loop
    perform enable_tenant_rls(counted::regclass);
    execute format('grant select, insert, update, delete on %I to floorcast_jobs', counted);
  end loop;
  foreach counted in array array['play_days', 'play_hours', 'play_names'] loop
    execute format('grant select on %I to floorcast_app', counted);
    execute format('grant select, insert, update on %I to floorcast_ingest', counted);
    execute format('create policy all_clients on %I to floorcast_ingest using (true) with check (true)', counted);
  end loop;
end
$$;
grant update (local_day) on plays to floorcast_jobs;

-- What decides the effective time zone of a device.
grant select (uid, tag_policy) on clients to floorcast_ingest;
create policy all_clients on clients for select to floorcast_ingest using (true);
grant select (client_id, uid, tag_policy) on devices to floorcast_ingest;
create policy all_clients on devices for select to floorcast_ingest using (true);
grant select (client_id, device_uid, group_uid, key, value) on tags to floorcast_ingest;
create policy all_clients on tags for select to floorcast_ingest using (true);

-- The zone if PostgreSQL knows it, else UTC, as in manifests: a wrong tag must not keep plays out.
create function zone_or_utc(zone text) returns text
language plpgsql
stable
set search_path = public, pg_temp
as $$
begin
  perform now() at time zone zone;
  return coalesce(zone, 'UTC');
exception when invalid_parameter_value then
  return 'UTC';
end
$$;
revoke execute on function zone_or_utc(text) from public;
grant execute on function zone_or_utc(text) to floorcast_ingest, floorcast_jobs;

-- As before, and the partitions of play_days for the local days of these days: a month each, because a report reads 45 days.
create or replace function make_day_partitions(from_day date, through_day date) returns integer
language plpgsql
security definer
set search_path = public, pg_temp
as $$
declare
  history text;
  partition_name text;
  made integer := 0;
  wanted date;
begin
  if through_day - from_day > 200 or from_day < date '2020-01-01' or through_day > date '2120-01-01' then
    raise exception 'partitions are made for at most 200 days at once, not for % to %', from_day, through_day;
  end if;
  perform pg_advisory_xact_lock(hashtext('floorcast day partitions'));
  foreach history in array array['plays', 'device_logs', 'heartbeats'] loop
    for wanted in select generate_series(from_day, through_day, interval '1 day')::date loop
      partition_name := history || '_' || to_char(wanted, 'YYYYMMDD');
      continue when to_regclass(partition_name) is not null;
      execute format('create table %I (like %I including defaults including constraints)', partition_name, history);
      execute format('alter table %I enable row level security', partition_name);
      execute format('alter table %I force row level security', partition_name);
      execute format(
        'alter table %I attach partition %I for values from (%L) to (%L)', history, partition_name, wanted, wanted + 1);
      made := made + 1;
    end loop;
  end loop;
  for wanted in
    select generate_series(date_trunc('month', from_day - 1), through_day + 1, interval '1 month')::date
  loop
    partition_name := 'play_days_' || to_char(wanted, 'YYYYMM');
    continue when to_regclass(partition_name) is not null;
    execute format('create table %I (like play_days including defaults including constraints) with (fillfactor = 80)',
      partition_name);
    execute format('alter table %I enable row level security', partition_name);
    execute format('alter table %I force row level security', partition_name);
    execute format('alter table play_days attach partition %I for values from (%L) to (%L)',
      partition_name, wanted, (wanted + interval '1 month')::date);
  end loop;
  return made;
end
$$;
