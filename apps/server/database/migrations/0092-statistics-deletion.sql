-- The maintenance deletes single plays, device logs and heartbeats. docs/decisions/0194.

alter table statistics_retention
  -- Since when the dashboard says that days grow older than 400. Null: it does not.
  add column age_announced_on date,
  -- The day on which the maintenance last looked at all of the client's statistics.
  add column checked_on date;
grant select on statistics_retention to floorcast_definer;
create policy auth on statistics_retention for select to floorcast_definer using (true);
grant select on history_counts to floorcast_definer;
create policy auth on history_counts for select to floorcast_definer using (true);

-- Of each device the last transition before the limit stays: its state at that time.
grant delete on device_transitions to floorcast_jobs;

-- The clients whose statistics were not looked at on this day.
create function jobs_unchecked_client_ids(today date) returns setof uuid
language sql
stable
security definer
set search_path = public, pg_temp
as $$
  select c.uid from clients c left join statistics_retention r on r.client_id = c.uid
  where r.checked_on is distinct from today order by c.uid
$$;
revoke execute on function jobs_unchecked_client_ids(date) from public;
grant execute on function jobs_unchecked_client_ids(date) to floorcast_jobs;
alter function jobs_unchecked_client_ids(date) owner to floorcast_definer;

-- The oldest day of which any client keeps rows. Null: none.
create function oldest_history_day() returns date
language sql
stable
security definer
set search_path = public, pg_temp
as $$ select min(day) from history_counts $$;
revoke execute on function oldest_history_day() from public;
alter function oldest_history_day() owner to floorcast_definer;
-- The functions below are the schema owner's.
do $$
declare
  schema_owner text := current_user;
begin
  set local role floorcast_definer;
  execute format('grant execute on function oldest_history_day() to %I', schema_owner);
  reset role;
end
$$;

-- The day partitions that are older than what any client keeps. Devices deliver events of the last 90 days, and a server that has
-- made the partition of a day once does not look for it again: partitions of the last 100 days stay.
create function jobs_old_partitions(today date) returns table (partition_name text, history text, day date)
language sql
stable
security definer
set search_path = public, pg_temp
as $$
  select c.relname::text, p.relname::text, to_date(right(c.relname, 8), 'YYYYMMDD')
  from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
  where p.oid in ('plays'::regclass, 'device_logs'::regclass, 'heartbeats'::regclass)
    and to_date(right(c.relname, 8), 'YYYYMMDD') < least(today - 100, coalesce(oldest_history_day(), today))
  order by 3, 1
$$;
revoke execute on function jobs_old_partitions(date) from public;
grant execute on function jobs_old_partitions(date) to floorcast_jobs;

-- Drops a partition of jobs_old_partitions if it is empty or older than 400 days. Waits at most a fifth of a second for readers,
-- because whoever comes later waits behind it. @returns false if it has rows. @throws lock_not_available if somebody reads long
create function jobs_drop_partition(sought text, today date) returns boolean
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
  if old.day >= today - 400 then
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
revoke execute on function jobs_drop_partition(text, date) from public;
grant execute on function jobs_drop_partition(text, date) to floorcast_jobs;
