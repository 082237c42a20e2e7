-- What devices report, partitioned by day. No DEFAULT partition: one row of 2030 would block the making of that day's.
-- A row's day is the device's if believable, else the server's (UTC). Names are those of the time, so that a play
-- outlives what it played. The primary key is the proof that an event is stored once.

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
  primary key (day, device_uid, boot_uid, sequence)
) partition by range (day);
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
  primary key (day, device_uid, received_at, uid)
) partition by range (day);
create index heartbeats_device on heartbeats (client_id, device_uid, received_at desc);

do $$
declare
  history text;
begin
  foreach history in array array['plays', 'device_logs', 'heartbeats'] loop
    perform fence_tenant_table(history::regclass);
    execute format('grant select on %I to floorcast_app', history);
    execute format('grant select, delete on %I to floorcast_jobs', history);
    execute format('grant insert on %I to floorcast_ingest', history);
    execute format('create policy any_client_in on %I for insert to floorcast_ingest with check (true)', history);
  end loop;
end
$$;

-- Metering: rows by client, kind and day; bytes are rows × a fixed size per kind.
create table history_counts (
  client_id uuid not null references clients (uid) on delete cascade,
  kind text not null check (kind in ('plays', 'device_logs', 'heartbeats')),
  day date not null,
  row_count bigint not null,
  primary key (client_id, kind, day)
) with (fillfactor = 70);
select fence_tenant_table('history_counts');
grant select on history_counts to floorcast_app;
grant select, update, delete on history_counts to floorcast_jobs;
grant select, insert, update on history_counts to floorcast_ingest;
create policy all_clients on history_counts to floorcast_ingest using (true) with check (true);

-- Makes the day partitions that are missing from one day to another; gives them no grants and fences them, because a
-- partition that is read by its own name does not know its parent's policy. Attached rather than made in place: that
-- takes no lock that stops inserts. Runs as the schema's owner.
create function make_day_partitions(from_day date, through_day date) returns integer
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
  return made;
end
$$;
grant execute on function make_day_partitions(date, date) to floorcast_jobs, floorcast_ingest;
