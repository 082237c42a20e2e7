-- Plays, logs and heartbeats of devices, partitioned by day; their sums for reports; their retention; and samples for charts.

-- No DEFAULT partition: one row of 2030 would block the making of that day's. A row's day is the device's if believable, else
-- the server's (UTC). Names are those of the time, so that a play outlives what it played. The primary key is the proof
-- that an event is stored once.
create table plays (
  day date not null,
  device_uid uuid not null,
  boot_uid uuid not null,
  sequence bigint not null,
  client_id uuid not null,
  event_uid uuid not null,
  received_at timestamptz not null,
  -- The device's time is over a day ahead or 90 days old.
  is_clock_doubted boolean not null default false,
  device_name text not null,
  group_uid uuid,
  group_name text,
  publication_uid uuid,
  playlist_uid uuid,
  playlist_name text,
  item_uid uuid,
  media_uid uuid not null,
  sha256 text not null,
  track_name text not null,
  content_type text not null,
  scheduled_at timestamptz not null,
  started_at timestamptz not null,
  ended_at timestamptz not null,
  seconds_played double precision not null,
  duration_seconds double precision not null,
  result text not null check (result in ('complete', 'joined', 'cut', 'failed')),
  why text,
  -- The day of the play at the device: in its effective time zone when the play was stored. Null: not counted yet (rows of
  -- 2.775.0; the maintenance counts them).
  local_day date,
  -- The day for which it was scheduled, in the same zone. Null: local_day, as of nearly all plays; so it takes no room.
  scheduled_day date,
  -- Why it counts nowhere: docs/decisions/0253, 0254. Null, as of nearly all: it counts, if it was heard and its clock is plausible.
  left_out text,
  primary key (day, device_uid, boot_uid, sequence)
) partition by range (day);
-- Not valid: PostgreSQL would read all plays of 2.775.0, whose column is null.
alter table plays add constraint plays_left_out_check
  check (left_out in ('unknown-media', 'unknown-file', 'other-kind', 'too-long', 'overlap', 'too-many')) not valid;
create index plays_client on plays (client_id, started_at desc);
create index plays_device on plays (client_id, device_uid, started_at desc);
create index plays_media on plays (client_id, media_uid, started_at desc);

create table device_logs (
  day date not null,
  device_uid uuid not null,
  boot_uid uuid not null,
  sequence bigint not null,
  client_id uuid not null,
  event_uid uuid not null,
  kind text not null check (kind in ('playlist', 'debug', 'update', 'alert')),
  at timestamptz not null,
  received_at timestamptz not null,
  is_clock_doubted boolean not null default false,
  device_name text not null,
  -- The event's other fields, as the contract names them.
  details jsonb not null,
  primary key (day, device_uid, boot_uid, sequence)
) partition by range (day);
create index device_logs_device on device_logs (client_id, device_uid, kind, at desc);

-- An event is stored once whatever its number: the ingest looks its id up in the partition of its day. The index has every
-- column of that question, so that PostgreSQL takes it for a partition without statistics too.
create index plays_event on plays (device_uid, event_uid, day);
create index device_logs_event on device_logs (device_uid, event_uid, day);

-- A heartbeat costs one index. Figures: docs/decisions/0135.
create table heartbeats (
  day date not null,
  device_uid uuid not null,
  received_at timestamptz not null,
  client_id uuid not null,
  uid uuid not null,
  boot_uid uuid not null,
  device_clock_at timestamptz not null,
  program_version text not null,
  temperature_celsius real,
  memory_size_bytes bigint,
  free_memory_bytes bigint,
  ip_address text,
  mac_address text,
  volume smallint not null,
  now_playing_name text,
  -- How often the player meant to report when it sent this: a device's day shows where three were missed. Null for players
  -- that do not say; these take the newest one of the device.
  heartbeat_seconds real,
  primary key (device_uid, received_at, uid, day)
) partition by range (day);

do $$
declare
  history text;
begin
  foreach history in array array['plays', 'device_logs', 'heartbeats'] loop
    execute format('grant select on %I to floorcast_app', history);
    execute format('grant select, delete on %I to floorcast_jobs', history);
    execute format('grant insert on %I to floorcast_ingest', history);
    execute format('create policy any_client_in on %I for insert to floorcast_ingest with check (true)', history);
  end loop;
end
$$;
grant update (local_day, scheduled_day) on plays to floorcast_jobs;
create policy any_client_ids on plays for select to floorcast_ingest using (true);
create policy any_client_ids on device_logs for select to floorcast_ingest using (true);
grant select (day, device_uid, event_uid) on plays, device_logs to floorcast_ingest;
-- The search for overlapping plays reads these.
grant select (client_id, content_type, duration_seconds, started_at, ended_at, seconds_played, result, is_clock_doubted, left_out)
  on plays to floorcast_ingest;

-- Metering: rows and their bytes by client, kind and day. Rows of 2.775.0 count with a fixed size of their kind.
create table history_counts (
  client_id uuid not null references clients (uid) on delete cascade,
  kind text not null check (kind in ('plays', 'device_logs', 'heartbeats')),
  day date not null,
  row_count bigint not null,
  byte_count bigint not null,
  primary key (client_id, kind, day)
) with (fillfactor = 70);
grant select on history_counts to floorcast_app, floorcast_definer;
grant select, update, delete on history_counts to floorcast_jobs;
grant select, insert, update on history_counts to floorcast_ingest;
create policy all_clients on history_counts to floorcast_ingest using (true) with check (true);
create policy auth on history_counts for select to floorcast_definer using (true);

-- Plays by day and by hour, counted while they are stored, so that no report reads history for what it can read here.
-- docs/decisions/0193.
-- These are plays that were heard (result other than failed) and whose clock was plausible, by the device's local day.
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

-- The same as in play_hours, by the group in which the device was when the play was stored. docs/decisions/0209.
create table play_group_hours (
  client_id uuid not null references clients (uid) on delete cascade,
  group_uid uuid not null,
  hour timestamptz not null,
  content_type text not null,
  plays integer not null,
  played_ms bigint not null,
  primary key (client_id, group_uid, hour, content_type)
) with (fillfactor = 50);

-- A number for each device that a client has or had, from 0: the place of its bit in play_media_days.
create table play_devices (
  client_id uuid not null references clients (uid) on delete cascade,
  device_uid uuid not null,
  number integer not null,
  primary key (client_id, device_uid),
  unique (client_id, number)
);

-- Sums of play_days by track, for each 1,024 devices: device_block is the device's number / 1024.
create table play_media_days (
  client_id uuid not null references clients (uid) on delete cascade,
  local_day date not null,
  media_uid uuid not null,
  content_type text not null,
  device_block integer not null,
  plays integer not null,
  complete_plays integer not null,
  played_ms bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- The devices that played it: the bit at number % 1024 of each.
  devices bit(1024) not null,
  primary key (client_id, local_day, media_uid, content_type, device_block)
) with (fillfactor = 50);

-- Plays that were heard whole, with a plausible clock, that began a day (UTC) before or after their schedule at most: planned
-- against delivered reads no single plays. docs/decisions/0213.
create table delivered_quarters (
  client_id uuid not null references clients (uid) on delete cascade,
  -- The begin of the quarter hour of the schedule. Offsets of zones are quarter hours, so each is of one day in any zone.
  quarter timestamptz not null,
  publication_uid uuid not null,
  media_uid uuid not null,
  -- By the zones of the devices.
  scheduled_day date not null,
  plays integer not null,
  -- The first and the last start: where in the plays' index those of this quarter are.
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (client_id, quarter, publication_uid, media_uid, scheduled_day)
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

-- Days (UTC) of which plays without a local day are to be counted, and delivered plays one by one: after the upgrade from 2.775.0.
create table uncounted_days (
  client_id uuid not null references clients (uid) on delete cascade,
  day date not null,
  primary key (client_id, day)
);

do $$
declare
  counted text;
  roll_ups text[] := array['play_days', 'play_hours', 'play_group_hours', 'play_media_days', 'delivered_quarters', 'play_names'];
begin
  foreach counted in array roll_ups || array['play_devices', 'uncounted_days'] loop
    execute format('grant select on %I to floorcast_app', counted);
  end loop;
  foreach counted in array roll_ups loop
    execute format('grant select, insert, update, delete on %I to floorcast_jobs', counted);
    execute format('grant select, insert, update on %I to floorcast_ingest', counted);
  end loop;
  foreach counted in array roll_ups || array['play_devices'] loop
    execute format('create policy all_clients on %I to floorcast_ingest using (true) with check (true)', counted);
  end loop;
end
$$;
grant select on play_devices to floorcast_ingest;
grant insert on play_devices to floorcast_app;
grant select, insert on play_devices to floorcast_jobs;
grant select, insert, update, delete on uncounted_days to floorcast_jobs;
create policy auth on uncounted_days for select to floorcast_definer using (true);
grant select on uncounted_days to floorcast_definer;

-- Numbers the devices that have no number yet. The next statement of a function sees what others committed before the lock.
create function number_play_devices(owner uuid, device_uids uuid[]) returns void
language plpgsql volatile set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(hashtext('numbers of devices'), hashtext(owner::text));
  insert into play_devices (client_id, device_uid, number)
  select owner, new.uid,
    (select coalesce(max(number), -1) from play_devices where client_id = owner) + row_number() over (order by new.uid)
  from (select distinct unnest(device_uids) as uid) new
  where not exists (select from play_devices p where p.client_id = owner and p.device_uid = new.uid);
end
$$;
grant execute on function number_play_devices to floorcast_app, floorcast_jobs;

create function number_new_devices() returns trigger language plpgsql as $$
declare
  owner uuid;
begin
  for owner in select distinct client_id from added order by 1 loop
    perform number_play_devices(owner, array(select uid from added where client_id = owner));
  end loop;
  return null;
end
$$;
create trigger number_new_devices after insert on devices referencing new table as added
  for each statement execute function number_new_devices();

-- The zone if PostgreSQL knows it, else UTC, as in manifests: a wrong tag must not keep plays out.
create function zone_or_utc(zone text) returns text language plpgsql stable set search_path = public, pg_temp as $$
begin
  perform now() at time zone zone;
  return coalesce(zone, 'UTC');
exception when invalid_parameter_value then
  return 'UTC';
end
$$;
grant execute on function zone_or_utc to floorcast_ingest, floorcast_jobs, floorcast_app;

-- How much is left of a client's single plays, device logs and heartbeats. docs/decisions/0193, 0194.
create table statistics_retention (
  client_id uuid primary key references clients (uid) on delete cascade,
  -- The first day (UTC) of which nothing was deleted. Null: nothing was deleted yet.
  kept_from date,
  -- Since when the dashboard says that the plan's limit will delete days. Null: it does not.
  announced_on date,
  -- Since when the dashboard says that days grow older than 400. Null: it does not.
  age_announced_on date,
  -- The day on which the maintenance last looked at all of the client's statistics.
  checked_on date,
  -- Since when the dashboard says that sums will be deleted. Null: it does not.
  sums_announced_on date,
  -- The first local day of which no sums were deleted. Null: no sums were deleted yet.
  sums_kept_from date
);
grant select on statistics_retention to floorcast_app, floorcast_definer;
grant select, insert, update, delete on statistics_retention to floorcast_jobs;
create policy auth on statistics_retention for select to floorcast_definer using (true);

-- How many sums by day (rows of play_days) a client has of each local day. A day is counted once, when it is 100 days old and no
-- late play reaches it any more.
create table play_day_counts (
  client_id uuid not null references clients (uid) on delete cascade,
  local_day date not null,
  row_count bigint not null,
  primary key (client_id, local_day)
);
grant select on play_day_counts to floorcast_app, floorcast_definer;
grant select, insert, delete on play_day_counts to floorcast_jobs;
create policy auth on play_day_counts for select to floorcast_definer using (true);

-- The clients with plays of 2.775.0 that are to be counted.
create function jobs_uncounted_client_ids() returns setof uuid
language sql stable security definer set search_path = public, pg_temp
as $$ select distinct client_id from uncounted_days order by client_id $$;

-- The clients whose statistics were not looked at on this day.
create function jobs_unchecked_client_ids(today date) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select c.uid from clients c left join statistics_retention r on r.client_id = c.uid
  where r.checked_on is distinct from today order by c.uid
$$;

-- The oldest day of which any client keeps rows, and the oldest local day of which any keeps counted sums. Null: none.
create function oldest_history_day() returns date language sql stable security definer set search_path = public, pg_temp
as $$ select min(day) from history_counts $$;
create function oldest_sums_day() returns date language sql stable security definer set search_path = public, pg_temp
as $$ select min(local_day) from play_day_counts $$;
alter function oldest_history_day owner to floorcast_definer;
alter function oldest_sums_day owner to floorcast_definer;
-- The functions of partitions below are the schema owner's.
do $$
declare
  schema_owner text := current_user;
begin
  set local role floorcast_definer;
  execute format('grant execute on function oldest_history_day, oldest_sums_day to %I', schema_owner);
  reset role;
end
$$;

-- Makes the day partitions that are missing from one day to another; gives them no grants and isolates them, because a
-- partition that is read by its own name does not know its parent's policy. Attached rather than made in place: that
-- takes no lock that stops inserts. Makes the partitions of play_days for the local days of these days, too: a month each,
-- because a report reads 45 days. Runs as the schema's owner.
create function make_day_partitions(from_day date, through_day date) returns integer
language plpgsql security definer set search_path = public, pg_temp as $$
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
grant execute on function make_day_partitions to floorcast_jobs, floorcast_ingest;

-- The partitions that are older than what any client keeps: days, and the months of play_days. Devices deliver events of the last
-- 90 days, and a server that has made the partition of a day once does not look for it again: partitions of the last 100 days stay.
create function jobs_old_partitions(today date) returns table (partition_name text, history text, day date)
language sql stable security definer set search_path = public, pg_temp as $$
  select c.relname::text, p.relname::text, to_date(right(c.relname, 8), 'YYYYMMDD')
  from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
  where p.oid in ('plays'::regclass, 'device_logs'::regclass, 'heartbeats'::regclass)
    and to_date(right(c.relname, 8), 'YYYYMMDD') < least(today - 100, coalesce(oldest_history_day(), today))
  union all
  select c.relname::text, 'play_days', (to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month')::date - 1
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'play_days'::regclass
    and to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month' <= least(today - 101, coalesce(oldest_sums_day(), today))
  order by 3, 1
$$;

-- Drops a partition of jobs_old_partitions if it is empty or older than 400 days, a month of play_days only if it is empty. Waits at
-- most a fifth of a second for readers, because later calls wait behind it. @returns false if it has rows.
-- @throws lock_not_available if somebody reads long
create function jobs_drop_partition(sought text, today date) returns boolean
language plpgsql volatile security definer set search_path = public, pg_temp set lock_timeout = '200ms' as $$
declare
  old record;
  has_rows boolean;
begin
  select * into old from jobs_old_partitions(today) o where o.partition_name = sought;
  if not found then
    return false;
  end if;
  execute format('lock table only %I in access exclusive mode', old.history);
  if old.day >= today - 400 or old.history = 'play_days' then
    -- Without its policies the owner sees the rows of all clients.
    execute format('alter table %I no force row level security', sought);
    execute format('select exists (select from %I)', sought) into has_rows;
    if has_rows then
      execute format('alter table %I force row level security', sought);
      return false;
    end if;
  end if;
  execute format('drop table %I', sought);
  return true;
end
$$;

-- Samples for charts, of what no event tells: the load and the disk of each server, and how many devices are online. One row a
-- minute for a day, then one in ten minutes for 45 days.
create table server_samples (
  -- No name of a machine: 'server ' and four hex digits.
  server text not null,
  at timestamptz not null,
  load_one real not null,
  load_five real not null,
  load_fifteen real not null,
  free_bytes bigint not null,
  total_bytes bigint not null,
  primary key (server, at)
);
create index server_samples_at on server_samples (at);
grant select, insert, delete on server_samples to floorcast_definer;
grant select on server_samples to floorcast_app;

create table connectivity_samples (
  client_id uuid not null references clients (uid) on delete cascade,
  at timestamptz not null,
  online integer not null,
  linkdown integer not null,
  linklost integer not null,
  neverup integer not null,
  primary key (client_id, at)
);
create index connectivity_samples_at on connectivity_samples (at);
create policy all_clients on connectivity_samples for all to floorcast_definer using (true) with check (true);
grant select on connectivity_samples to floorcast_app;
grant select, insert, delete on connectivity_samples to floorcast_definer;

-- How many devices of each group were online: one row a group and ten minutes, for 45 days. Charts of a group read them: for a
-- thousand devices and 45 days 6,480 rows instead of 405,000 transitions (docs/decisions/0210).
create table group_connectivity_samples (
  client_id uuid not null,
  group_uid uuid not null,
  at timestamptz not null,
  online integer not null,
  linkdown integer not null,
  linklost integer not null,
  neverup integer not null,
  -- With the counts, a chart of 45 days reads some sixty pages of this index instead of 6,480 of the table.
  primary key (client_id, group_uid, at) include (online, linkdown, linklost, neverup),
  foreign key (client_id, group_uid) references groups (client_id, uid) on delete cascade
);
create index group_connectivity_samples_at on group_connectivity_samples (at);
create policy all_clients on group_connectivity_samples for all to floorcast_definer using (true) with check (true);
grant select on group_connectivity_samples to floorcast_app;
grant select, insert, delete on group_connectivity_samples to floorcast_definer;

-- The daily maintenance that ended, with the clients whose part failed.
create table maintenance_runs (
  ended_at timestamptz primary key,
  began_at timestamptz not null,
  failures integer not null
);
grant select, insert, delete on maintenance_runs to floorcast_definer;
grant select on maintenance_runs to floorcast_app;

create function jobs_add_server_sample(
  name text, moment timestamptz, one real, five real, fifteen real, free bigint, total bigint
) returns void language sql volatile security definer set search_path = public, pg_temp as $$
  insert into server_samples (server, at, load_one, load_five, load_fifteen, free_bytes, total_bytes)
  values (name, moment, one, five, fifteen, free, total)
  on conflict do nothing
$$;

-- Counts the devices of all clients at a minute. @returns the rows added: none if another server has done it or is at it
create function jobs_sample_connectivity(moment timestamptz) returns integer
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  added integer;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('floorcast connectivity samples', 0))
     or exists (select from connectivity_samples c where c.at = moment) then
    return 0;
  end if;
  insert into connectivity_samples (client_id, at, online, linkdown, linklost, neverup)
  select client_id, moment, count(*) filter (where contact >= moment - interval '1 hour'),
    count(*) filter (where contact < moment - interval '1 hour' and contact >= moment - interval '1 day'),
    count(*) filter (where contact < moment - interval '1 day'), count(*) filter (where contact is null)
  from (
    select d.client_id, s.last_contact_at as contact
    from devices d left join device_states s on s.device_uid = d.uid where d.deleted_at is null
  ) living
  group by client_id;
  get diagnostics added = row_count;
  return added;
end
$$;

-- Counts the devices of all groups at a minute, also of groups without devices, in one pass over the devices. @returns as above
create function jobs_sample_groups(moment timestamptz) returns integer
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  added integer;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('floorcast group samples', 0))
     or exists (select from group_connectivity_samples c where c.at = moment) then
    return 0;
  end if;
  insert into group_connectivity_samples (client_id, group_uid, at, online, linkdown, linklost, neverup)
  select g.client_id, g.uid, moment, coalesce(c.online, 0), coalesce(c.linkdown, 0), coalesce(c.linklost, 0), coalesce(c.neverup, 0)
  from groups g left join (
    select d.client_id, d.group_uid, count(*) filter (where s.last_contact_at >= moment - interval '1 hour') as online,
      count(*) filter (where s.last_contact_at < moment - interval '1 hour' and s.last_contact_at >= moment - interval '1 day')
        as linkdown,
      count(*) filter (where s.last_contact_at < moment - interval '1 day') as linklost,
      count(*) filter (where s.last_contact_at is null) as neverup
    from devices d left join device_states s on s.device_uid = d.uid where d.deleted_at is null and d.group_uid is not null
    group by d.client_id, d.group_uid
  ) c on c.client_id = g.client_id and c.group_uid = g.uid
  where g.deleted_at is null;
  get diagnostics added = row_count;
  return added;
end
$$;

-- Deletes the samples of groups of before `until`, which no chart shows any more.
create function jobs_purge_group_samples(until timestamptz) returns integer
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  gone integer;
begin
  delete from group_connectivity_samples where at < until;
  get diagnostics gone = row_count;
  return gone;
end
$$;

-- Deletes samples of before `until`, which no chart shows any more, and of those before `thin` all but one in ten minutes.
create function jobs_thin_samples(until timestamptz, thin timestamptz) returns integer
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  gone integer;
  gone_servers integer;
begin
  delete from connectivity_samples where at < until or (at < thin and extract(minute from at)::integer % 10 <> 0);
  get diagnostics gone = row_count;
  delete from server_samples where at < until or (at < thin and extract(minute from at)::integer % 10 <> 0);
  get diagnostics gone_servers = row_count;
  delete from maintenance_runs where ended_at < until;
  return gone + gone_servers;
end
$$;

create function jobs_note_maintenance(began timestamptz, ended timestamptz, failed integer) returns void
language sql volatile security definer set search_path = public, pg_temp as $$
  insert into maintenance_runs (ended_at, began_at, failures) values (ended, began, failed) on conflict do nothing
$$;
