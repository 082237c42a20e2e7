-- Heartbeats of days that are older than eight are folded into a row for each device and day (UTC), which says what their rows said to a
-- device's day; the log keeps those that changed something. docs/decisions/0352.
create table heartbeat_days (
  client_id uuid not null,
  device_uid uuid not null,
  day date not null,
  -- By the day's 96 quarters of an hour: how many heartbeats, the highest and the least of them. Null: none. A whole column is null
  -- where no heartbeat of the day had a value.
  reports smallint[] not null check (cardinality(reports) = 96),
  temperature_celsius real[] check (cardinality(temperature_celsius) = 96),
  free_memory_bytes bigint[] check (cardinality(free_memory_bytes) = 96),
  -- From a heartbeat to the last one before three were missed, and so on.
  reported tstzmultirange not null,
  -- Of the day's last heartbeat: with it three missed ones show between this day and the next.
  heartbeat_seconds real,
  -- For the log: the first heartbeat of the day, and those that changed version, address, volume, or silent to playing.
  entries jsonb not null,
  primary key (client_id, device_uid, day),
  foreign key (client_id, device_uid) references devices (client_id, uid) on delete cascade
);
select enable_tenant_rls('heartbeat_days');
grant select on heartbeat_days to floorcast_app;
grant select, insert, update, delete on heartbeat_days to floorcast_jobs;

-- What came of a day after its last row is in the next row or in the device's state. The fold moves it into the day.
grant update (omitted_reports, omitted_until, omitted_temperature_celsius, omitted_free_memory_bytes) on heartbeats, device_states
  to floorcast_jobs;
grant select on device_states to floorcast_jobs;

-- Of a day's rows and bytes of heartbeats, those of heartbeat_days. The rest is to be folded.
alter table history_counts
  add column folded_rows bigint not null default 0,
  add column folded_bytes bigint not null default 0;

-- The oldest day of which any client keeps single heartbeats. Null: none.
create function oldest_heartbeats_day() returns date language sql stable security definer set search_path = public, pg_temp
as $$ select min(day) from history_counts where kind = 'heartbeats' and row_count > folded_rows $$;
revoke execute on function oldest_heartbeats_day() from public;
alter function oldest_heartbeats_day owner to floorcast_definer;
do $$
declare
  schema_owner text := current_user;
begin
  set local role floorcast_definer;
  execute format('grant execute on function oldest_heartbeats_day to %I', schema_owner);
  reset role;
end
$$;

-- As in 08-history.sql, but partitions of heartbeats are old when all of their rows are folded.
create or replace function jobs_old_partitions(today date) returns table (partition_name text, history text, day date)
language sql stable security definer set search_path = public, pg_temp as $$
  select c.relname::text, p.relname::text, to_date(right(c.relname, 8), 'YYYYMMDD')
  from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
  where p.oid in ('plays'::regclass, 'device_logs'::regclass)
    and to_date(right(c.relname, 8), 'YYYYMMDD') < least(today - 100, coalesce(oldest_history_day(), today))
  union all
  select c.relname::text, 'heartbeats', to_date(right(c.relname, 8), 'YYYYMMDD')
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'heartbeats'::regclass
    and to_date(right(c.relname, 8), 'YYYYMMDD') < least(today - 100, coalesce(oldest_heartbeats_day(), today))
  union all
  select c.relname::text, 'play_days', (to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month')::date - 1
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'play_days'::regclass
    and to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month' <= least(today - 101, coalesce(oldest_sums_day(), today))
  order by 3, 1
$$;

-- Partitions of heartbeats whose rows are folded: vacuum has given back their pages, which no snapshot of before the fold needs any more,
-- such as a backup's. The pages of their index are still there.
create function jobs_folded_partitions(today date) returns setof text
language sql stable security definer set search_path = public, pg_temp as $$
  select c.relname::text from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'heartbeats'::regclass and pg_relation_size(c.oid) = 0 and pg_indexes_size(c.oid) > 65536
    and to_date(right(c.relname, 8), 'YYYYMMDD') < least(today - 8, coalesce(oldest_heartbeats_day(), today))
  order by 1
$$;

-- Frees these pages, if no row has come since. Waits at most a fifth of a second for readers, because later
-- calls wait behind it. @returns false if it has rows. @throws lock_not_available if somebody reads long
create function jobs_clear_partition(sought text, today date) returns boolean
language plpgsql volatile security definer set search_path = public, pg_temp set lock_timeout = '200ms' as $$
declare
  has_rows boolean;
begin
  if sought not in (select jobs_folded_partitions(today)) then
    return false;
  end if;
  -- Without its policies the owner sees the rows of all clients.
  execute format('alter table %I no force row level security', sought);
  execute format('select exists (select from %I)', sought) into has_rows;
  execute format('alter table %I force row level security', sought);
  if not has_rows then
    execute format('truncate %I', sought);
  end if;
  return not has_rows;
end
$$;
revoke execute on function jobs_folded_partitions, jobs_clear_partition from public;
grant execute on function jobs_folded_partitions, jobs_clear_partition to floorcast_jobs;
