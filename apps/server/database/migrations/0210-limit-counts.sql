-- What is counted to protect secrets, by all servers together: wrong passwords, wrong codes, license keys, links and mails. A row is a key
-- of a limit and its count until `ends_at`; then the next event begins another time. docs/decisions/0350.
create table limit_counts (
  -- SHA-256 of the limit's name and the key, such as an account and a network.
  key_hash bytea primary key check (length(key_hash) = 32),
  count integer not null,
  ends_at timestamptz not null
);
create index limit_counts_ends_at on limit_counts (ends_at);
grant select, insert, update, delete on limit_counts to floorcast_definer;
select let_backups_read('limit_counts');

set local role floorcast_definer;
-- Counts one event, if the count is below `max_count`. @returns when the time of a limit ends that is reached; null: counted.
-- The commit does not wait for the disk: a crash of PostgreSQL forgets the counts of its last half second.
create function auth_take_count(sought bytea, max_count integer, window_seconds integer, at timestamptz) returns timestamptz
language plpgsql volatile security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  reached_until timestamptz;
begin
  perform set_config('synchronous_commit', 'off', true);
  insert into limit_counts as c (key_hash, count, ends_at)
  values (sought, 1, auth_take_count.at + make_interval(secs => window_seconds))
  on conflict (key_hash) do update set
    count = case when c.ends_at > auth_take_count.at then c.count + 1 else 1 end,
    ends_at = case when c.ends_at > auth_take_count.at then c.ends_at else excluded.ends_at end
  where c.ends_at <= auth_take_count.at or c.count < max_count;
  if found then return null; end if;
  select c.ends_at into reached_until from limit_counts c where c.key_hash = sought;
  return reached_until;
end
$$;

-- Takes back an event that was counted in advance. A count of nothing needs no row.
create function auth_give_back_count(sought bytea, at timestamptz) returns void
language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  delete from limit_counts c where c.key_hash = sought and c.count <= 1;
  if found then return; end if;
  update limit_counts c set count = c.count - 1 where c.key_hash = sought and c.ends_at > auth_give_back_count.at;
end
$$;

-- The counts of keys whose time has not ended.
create function auth_counts(sought bytea[], at timestamptz) returns table (key_hash bytea, count integer, ends_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select c.key_hash, c.count, c.ends_at from limit_counts c
  where c.key_hash = any (sought) and c.ends_at > auth_counts.at
$$;

-- Deletes counts whose time has ended, and of more than `max_rows` those that end first. @returns how many
create function jobs_purge_counts(at timestamptz, max_rows integer) returns integer
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  ended integer;
  beyond integer;
begin
  delete from limit_counts c where c.ends_at <= jobs_purge_counts.at;
  get diagnostics ended = row_count;
  delete from limit_counts c where c.ends_at <= (
    select o.ends_at from limit_counts o order by o.ends_at desc offset max_rows limit 1);
  get diagnostics beyond = row_count;
  return ended + beyond;
end
$$;
revoke execute on function auth_take_count, auth_give_back_count, auth_counts, jobs_purge_counts from public;
grant execute on function auth_take_count, auth_give_back_count, auth_counts to floorcast_auth;
grant execute on function jobs_purge_counts to floorcast_jobs;
reset role;
