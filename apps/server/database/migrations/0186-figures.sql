-- What monitors are told of the installation: counts and ages over all clients, and no row or name of one. docs/operate/watch.md

grant select (overdue_at, program_version) on device_states to floorcast_definer;
create policy counted on device_outbox for select to floorcast_definer using (true);
grant select (created_at, acknowledged_at, expires_at) on device_outbox to floorcast_definer;
create policy counted on media_files for select to floorcast_definer using (true);
grant select (client_id, sha256, uploaded_at, loudness_state) on media_files to floorcast_definer;
grant select (name) on migrations to floorcast_definer;

-- Queues and PostgreSQL itself: some index pages. A standby's lag is null unless floorcast_definer has pg_monitor.
create function jobs_queue_figures() returns table (
  at timestamptz, mails integer, mails_since timestamptz, media integer, media_since timestamptz,
  maintained_at timestamptz, maintenance_failures integer, connections integer, max_connections integer,
  notify_queue_usage double precision, standbys integer, replication_lag_seconds double precision)
language sql volatile security definer set search_path = public, pg_temp
as $$
  select clock_timestamp(), m.waiting, m.since, f.waiting, f.since, r.ended_at, r.failures,
    (select sum(numbackends)::integer from pg_stat_database), current_setting('max_connections')::integer,
    pg_notification_queue_usage(), s.standbys, s.lag
  from (select count(*)::integer as waiting, min(created_at) as since from mails where due_at is not null) m
  cross join (select count(*)::integer as waiting, min(uploaded_at) as since from media_files where loudness_state = 'pending') f
  cross join (
    select count(*)::integer as standbys,
      case when count(state) > 0 then coalesce(max(extract(epoch from replay_lag)), 0) end::double precision as lag
    from pg_stat_replication) s
  left join lateral (select ended_at, failures from maintenance_runs order by ended_at desc limit 1) r on true
$$;
revoke execute on function jobs_queue_figures from public;
grant execute on function jobs_queue_figures to floorcast_jobs;
alter function jobs_queue_figures owner to floorcast_definer;

-- The size of the database, commands that wait, and the devices of all clients at a moment, by the states of their lists: one look at each
-- device. `versions` counts those that were up in the last day.
create function jobs_fleet_figures(moment timestamptz) returns table (
  database_bytes bigint, commands integer, commands_since timestamptz, clients integer, clients_at_device_limit integer,
  online integer, late integer, linkdown integer, linklost integer, neverup integer, versions jsonb)
language sql volatile security definer set search_path = public, pg_temp
as $$
  with living as materialized (
    select d.client_id, s.last_contact_at as contact, s.overdue_at, s.program_version
    from devices d left join device_states s on s.device_uid = d.uid where d.deleted_at is null),
  by_client as (
    select client_id, count(*) as devices, count(*) filter (where contact is null) as neverup,
      count(*) filter (where contact >= moment - interval '1 hour' and coalesce(overdue_at, contact + interval '199 seconds') > moment) as online,
      count(*) filter (where contact >= moment - interval '1 hour' and coalesce(overdue_at, contact + interval '199 seconds') <= moment) as late,
      count(*) filter (where contact < moment - interval '1 hour' and contact >= moment - interval '1 day') as linkdown,
      count(*) filter (where contact < moment - interval '1 day') as linklost
    from living group by client_id),
  by_version as (
    select program_version, count(*) as devices from living
    where contact >= moment - interval '1 day' and program_version is not null
    group by 1 order by 2 desc, 1 limit 20),
  waiting as (
    select count(*)::integer as commands, min(created_at) as since from device_outbox
    where acknowledged_at is null and expires_at > moment)
  select pg_database_size(current_database()), w.commands, w.since, count(c.uid)::integer,
    (count(*) filter (where b.devices >= p.device_limit))::integer,
    coalesce(sum(b.online), 0)::integer, coalesce(sum(b.late), 0)::integer, coalesce(sum(b.linkdown), 0)::integer,
    coalesce(sum(b.linklost), 0)::integer, coalesce(sum(b.neverup), 0)::integer,
    coalesce((select jsonb_object_agg(program_version, devices) from by_version), '{}')
  from waiting w left join clients c on true left join plans p on p.key = c.plan_key left join by_client b on b.client_id = c.uid
  group by w.commands, w.since
$$;
revoke execute on function jobs_fleet_figures from public;
grant execute on function jobs_fleet_figures to floorcast_jobs;
alter function jobs_fleet_figures owner to floorcast_definer;

-- Some files that rows name: a server that has none of them has another folder.
create function jobs_some_files() returns table (client_uid uuid, sha256 text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select client_id, sha256 from media_files limit 5
$$;
revoke execute on function jobs_some_files from public;
grant execute on function jobs_some_files to floorcast_jobs;
alter function jobs_some_files owner to floorcast_definer;

-- A server asks each few seconds whether the database is still the one that it has migrated.
create function newest_migration() returns text
language sql stable security definer set search_path = public, pg_temp
as $$
  select max(name) from migrations
$$;
revoke execute on function newest_migration from public;
grant execute on function newest_migration to floorcast_app;
alter function newest_migration owner to floorcast_definer;
