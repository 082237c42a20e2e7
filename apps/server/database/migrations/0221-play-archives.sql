-- Files of the archive: each has plays of a client and day that are in no partition any more. A row is added in the transaction that
-- takes its plays out. docs/decisions/0359, 0360.
create table play_archives (
  client_id uuid not null references clients (uid) on delete cascade,
  -- Of the plays, as in plays.
  day date not null,
  -- From 1. Plays that come late make a further one.
  part integer not null check (part >= 1),
  sha256 text not null,
  size_bytes bigint not null check (size_bytes > 0),
  row_count bigint not null check (row_count > 0),
  -- The sum of hashes of its rows, which are those that were taken out.
  rows_hash numeric not null,
  schema_version smallint not null,
  first_device_uid uuid not null,
  last_device_uid uuid not null,
  archived_at timestamptz not null,
  primary key (client_id, day, part)
);
create index play_archives_sha256 on play_archives (client_id, sha256);
select enable_tenant_rls('play_archives');
grant select on play_archives to floorcast_app;
grant select, insert, delete on play_archives to floorcast_jobs;

-- The days before `before` whose partition of plays takes room, the oldest first.
create function jobs_play_days_before(before date) returns table (day date, bytes bigint)
language sql stable security definer set search_path = public, pg_temp as $$
  select d.day, pg_relation_size(d.oid) from (
    -- PostgreSQL may look at the name before it knows that it is a partition's.
    select c.oid, case when c.relname ~ '^plays_\d{8}$' then to_date(right(c.relname, 8), 'YYYYMMDD') end as day
    from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'plays'::regclass) d
  where d.day < before and pg_relation_size(d.oid) > 0 order by d.day
$$;

-- Gives back the room of a day's partition if no client has plays in it. Waits at most a fifth of a second for readers, because later
-- calls wait behind it. @returns false if it has rows @throws lock_not_available if somebody reads long
create function jobs_free_play_day(wanted date) returns boolean
language plpgsql volatile security definer set search_path = public, pg_temp set lock_timeout = '200ms' as $$
declare
  sought text := 'plays_' || to_char(wanted, 'YYYYMMDD');
  has_rows boolean;
begin
  if to_regclass(sought) is null then
    return false;
  end if;
  execute format('lock table only %I in access exclusive mode', sought);
  -- Without its policies the owner sees the rows of all clients.
  execute format('alter table %I no force row level security', sought);
  execute format('select exists (select from %I)', sought) into has_rows;
  if not has_rows then
    execute format('truncate table %I', sought);
  end if;
  execute format('alter table %I force row level security', sought);
  return not has_rows;
end
$$;
revoke execute on function jobs_play_days_before, jobs_free_play_day from public;
grant execute on function jobs_play_days_before, jobs_free_play_day to floorcast_jobs;
