-- What operators see of the installation and its clients: names and counts. Devices are counted once a minute for all clients
-- (connectivity_samples), so that a list of clients does not look at devices.

-- Null in samples of former versions.
alter table connectivity_samples add column silent integer;
grant update (silent) on connectivity_samples to floorcast_definer;
-- Silent devices are counted where the rule of silence is, by the role that reads states of all clients.
grant select (deleted_at) on devices to floorcast_ingest;

alter table users add column last_sign_in_at timestamptz;
grant update (last_sign_in_at) on users to floorcast_definer;
set local role floorcast_definer;
update users u set last_sign_in_at = s.at
from (select user_uid, max(created_at) as at from sessions group by user_uid) s where s.user_uid = u.uid;
reset role;
revoke update (last_sign_in_at) on users from floorcast_definer;

create policy operator on list_counts for select to floorcast_definer using (true);
grant select on list_counts to floorcast_definer;
create policy operator on media_files for select to floorcast_definer using (true);
grant select (client_id, size_bytes, loudness_state, uploaded_at) on media_files to floorcast_definer;
create policy operator on media_items for select to floorcast_definer using (true);
grant select (client_id, preview_size_bytes) on media_items to floorcast_definer;
create policy operator on update_files for select to floorcast_definer using (true);
grant select (client_id, size_bytes) on update_files to floorcast_definer;
create policy operator on storage_reservations for select to floorcast_definer using (true);
grant select (client_id, size_bytes, expires_at) on storage_reservations to floorcast_definer;
create policy operator on device_outbox for select to floorcast_definer using (true);
grant select (acknowledged_at, expires_at, created_at) on device_outbox to floorcast_definer;
grant select (program_version) on device_states to floorcast_definer;

set local role floorcast_definer;
-- Adds to the samples of a minute how many online devices of each client are silent.
create function jobs_note_silent(minute timestamptz, clients uuid[], counts integer[]) returns void
language sql volatile security definer set search_path = public, pg_temp as $$
  update connectivity_samples c set silent = coalesce(n.silent, 0)
  from connectivity_samples s left join unnest(clients, counts) as n (client_id, silent) on n.client_id = s.client_id
  where s.at = minute and c.at = s.at and c.client_id = s.client_id
$$;

-- The clients by name or by the email of a user, one page. Bytes are summed for this page alone.
create function operator_clients(
  sought text, sort_by text, is_descending boolean, page_size integer, skipped integer, at timestamptz
) returns table (
  uid uuid, name text, plan_key text, subscription_expires_at timestamptz, created_at timestamptz, last_sign_in_at timestamptz,
  devices integer, device_limit integer, online integer, silent integer, down integer, media_bytes bigint, media_limit_bytes bigint,
  statistics_bytes bigint, statistics_limit_bytes bigint, total integer
) language plpgsql stable security definer set search_path = public, pg_temp as $$
declare
  wanted text := case sort_by when 'name' then 'lower(f.name)' when 'plan' then 'f.position'
    when 'expires' then 'f.subscription_expires_at' when 'created' then 'f.created_at'
    when 'lastSignIn' then 'f.last_sign_in_at' when 'devices' then 'f.devices' when 'online' then 'f.online'
    when 'silent' then 'f.silent' when 'down' then 'f.down' end;
begin
  if wanted is null then
    raise exception 'clients are not sorted by %', sort_by;
  end if;
  return query execute format($query$
    with sampled as (
      select s.* from connectivity_samples s where s.at = (
        select max(m.at) from connectivity_samples m where m.at > $4 - interval '10 minutes' and m.at <= $4)),
    counted as (select l.client_id, sum(l.change)::integer as devices from list_counts l where l.list = 'devices' group by 1),
    signed_in as (select u.client_id, max(u.last_sign_in_at) as last_sign_in_at from users u group by 1),
    f as (
      select c.uid, c.name, c.plan_key, c.subscription_expires_at, c.created_at, i.last_sign_in_at, p.position,
        coalesce(d.devices, 0) as devices, p.device_limit, coalesce(s.online, 0) as online, coalesce(s.silent, 0) as silent,
        coalesce(s.linkdown + s.linklost, 0) as down, (p.media_gigabytes * 1e9)::bigint as media_limit_bytes,
        (p.statistics_gigabytes * 1e9)::bigint as statistics_limit_bytes
      from clients c join plans p on p.key = c.plan_key
      left join counted d on d.client_id = c.uid left join signed_in i on i.client_id = c.uid
      left join sampled s on s.client_id = c.uid
      where $1 = '' or position(lower($1) in lower(c.name)) > 0
        or exists (select from users u where u.client_id = c.uid and u.email = lower($1)))
    select f.uid, f.name, f.plan_key, f.subscription_expires_at, f.created_at, f.last_sign_in_at, f.devices, f.device_limit,
      f.online, f.silent, f.down,
      ((select coalesce(sum(m.size_bytes), 0) from media_files m where m.client_id = f.uid)
        + (select coalesce(sum(m.preview_size_bytes), 0) from media_items m where m.client_id = f.uid)
        + (select coalesce(sum(m.size_bytes), 0) from update_files m where m.client_id = f.uid)
        + (select coalesce(sum(m.size_bytes), 0) from storage_reservations m where m.client_id = f.uid and m.expires_at > $4))::bigint,
      f.media_limit_bytes,
      (select coalesce(sum(h.byte_count), 0)::bigint from history_counts h where h.client_id = f.uid),
      f.statistics_limit_bytes, (select count(*)::integer from f)
    from (select f.* from f order by %1$s %2$s nulls last, f.uid limit $2 offset $3) f order by %1$s %2$s nulls last, f.uid
  $query$, wanted, case when is_descending then 'desc' else 'asc' end) using trim(sought), page_size, skipped, at;
end
$$;

-- All clients together.
create function operator_totals(moment timestamptz)
returns table (clients integer, devices integer, online integer, silent integer, down integer, never integer, sampled_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select (select count(*)::integer from clients),
    (select coalesce(sum(change), 0)::integer from list_counts where list = 'devices'),
    coalesce(sum(s.online), 0)::integer, coalesce(sum(s.silent), 0)::integer,
    coalesce(sum(s.linkdown + s.linklost), 0)::integer, coalesce(sum(s.neverup), 0)::integer, max(s.at)
  from connectivity_samples s where s.at = (
    select max(m.at) from connectivity_samples m where m.at > moment - interval '10 minutes' and m.at <= moment)
$$;

-- Agents' versions. Every state is read, so the server keeps the answer for a while.
create function operator_versions(moment timestamptz) returns table (version text, devices integer, online integer)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.program_version, count(*)::integer, (count(*) filter (where s.last_contact_at >= moment - interval '1 hour'))::integer
  from device_states s where s.last_contact_at is not null
    and s.device_uid not in (select d.uid from devices d where d.deleted_at is not null)
  group by 1 order by 2 desc, 1 limit 50
$$;

-- What waits, and since when.
create function operator_queues(moment timestamptz) returns table (name text, waiting integer, oldest_at timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select 'mails', count(*)::integer, min(m.created_at) from mails m where m.due_at is not null
  union all
  select 'loudness', count(*)::integer, min(f.uploaded_at) from media_files f where f.loudness_state = 'pending'
  union all
  select 'commands', count(*)::integer, min(o.created_at) from device_outbox o
  where o.acknowledged_at is null and o.expires_at > moment
  union all
  select 'statistics', count(*)::integer, min(u.day)::timestamptz from uncounted_days u
$$;

-- The servers of the last day with their newest sample.
create function operator_servers(moment timestamptz)
returns table (
  name text, at timestamptz, load_one real, load_five real, load_fifteen real, free_bytes bigint, total_bytes bigint, version text,
  role text, started_at timestamptz
) language sql stable security definer set search_path = public, pg_temp as $$
  select distinct on (s.server) s.server, s.at, s.load_one, s.load_five, s.load_fifteen, s.free_bytes, s.total_bytes, v.version,
    v.role, v.started_at
  from server_samples s left join servers v on v.name = s.server
  where s.at > moment - interval '1 day' and s.at <= moment order by s.server, s.at desc
$$;

create function operator_database()
returns table (version text, size_bytes bigint, connections integer, max_connections integer, maintained_at timestamptz, failures integer)
language sql stable security definer set search_path = public, pg_temp as $$
  select current_setting('server_version'), pg_database_size(current_database()),
    (select count(*)::integer from pg_stat_activity where datname = current_database()),
    current_setting('max_connections')::integer, m.ended_at, m.failures
  from (select) one left join lateral (select * from maintenance_runs order by ended_at desc limit 1) m on true
$$;

create function operator_plan_requests() returns table (
  requested_at timestamptz, client_name text, email text, plan_key text, current_key text, subscription_expires_at timestamptz,
  devices integer
) language sql stable security definer set search_path = public, pg_temp as $$
  select * from jobs_plan_requests() limit 500
$$;
revoke execute on function jobs_note_silent, operator_clients, operator_totals, operator_versions, operator_queues, operator_servers,
  operator_database, operator_plan_requests from public;
grant execute on function jobs_note_silent to floorcast_jobs;
grant execute on function operator_clients, operator_totals, operator_versions, operator_queues, operator_servers, operator_database,
  operator_plan_requests to floorcast_operator;
reset role;
