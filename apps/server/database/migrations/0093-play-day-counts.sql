-- How many sums by day (rows of play_days) a client has of each local day. A day is counted once, when it is 100 days old and no late
-- play reaches it any more. docs/decisions/0194.
create table play_day_counts (
  client_id uuid not null references clients (uid) on delete cascade,
  local_day date not null,
  row_count bigint not null,
  primary key (client_id, local_day)
);
select enable_tenant_rls('play_day_counts');
grant select on play_day_counts to floorcast_app;
grant select, insert, delete on play_day_counts to floorcast_jobs;

alter table statistics_retention
  -- Since when the dashboard says that sums will be deleted. Null: it does not.
  add column sums_announced_on date,
  -- The first local day of which no sums were deleted. Null: no sums were deleted yet.
  add column sums_kept_from date;

-- The oldest local day of which any client keeps counted sums. Null: none.
grant select on play_day_counts to floorcast_definer;
create policy auth on play_day_counts for select to floorcast_definer using (true);
create function oldest_sums_day() returns date
language sql
stable
security definer
set search_path = public, pg_temp
as $$ select min(local_day) from play_day_counts $$;
revoke execute on function oldest_sums_day() from public;
alter function oldest_sums_day() owner to floorcast_definer;
do $$
declare
  schema_owner text := current_user;
begin
  set local role floorcast_definer;
  execute format('grant execute on function oldest_sums_day() to %I', schema_owner);
  reset role;
end
$$;

-- As before, and the months of play_days.
create or replace function jobs_old_partitions(today date) returns table (partition_name text, history text, day date)
language sql
stable
security definer
set search_path = public, pg_temp
as $$
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

-- As before. A month of play_days is dropped only if it is empty.
create or replace function jobs_drop_partition(sought text, today date) returns boolean
language plpgsql
volatile
security definer
set search_path = public, pg_temp
set lock_timeout = '200ms'
as $$
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
