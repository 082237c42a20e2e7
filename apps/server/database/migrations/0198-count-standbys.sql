-- PostgreSQL lists the connections of pg_basebackup beside those of standbys: each base backup was a standby that is lost for a day after it.
set local role floorcast_definer;
create or replace function jobs_queue_figures() returns table (
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
    from pg_stat_replication where application_name is distinct from 'pg_basebackup') s
  left join lateral (select ended_at, failures from maintenance_runs order by ended_at desc limit 1) r on true
$$;
reset role;
