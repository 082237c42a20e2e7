-- The role floorcast_backup reads every row of every client, and writes none: docs/decisions/0322. No pool of the server takes it.

-- Each new table is let out to it, as 0184 does for those of before; a test names one that is not.
create function let_backups_read(target regclass) returns void language plpgsql as $$
begin
  execute format('grant select on %s to floorcast_backup', target);
  if (select relrowsecurity from pg_class where oid = target) then
    execute format('create policy backup on %s for select to floorcast_backup using (true)', target);
  end if;
end
$$;
revoke execute on function let_backups_read from public;

create or replace function enable_tenant_rls(fenced regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', fenced);
  execute format('alter table %s force row level security', fenced);
  execute format(
    'create policy one_client on %s to floorcast_app, floorcast_jobs
       using (client_id = nullif(current_setting(''app.client_id'', true), '''')::uuid)
       with check (client_id = nullif(current_setting(''app.client_id'', true), '''')::uuid)',
    fenced);
  perform let_backups_read(fenced);
end
$$;

-- As in 08-history.sql, and a partition is read by itself.
create or replace function make_day_partitions(from_day date, through_day date) returns integer
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
      perform let_backups_read(partition_name);
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
    perform let_backups_read(partition_name);
    execute format('alter table play_days attach partition %I for values from (%L) to (%L)',
      partition_name, wanted, (wanted + interval '1 month')::date);
  end loop;
  return made;
end
$$;

grant usage on schema public to floorcast_backup;
grant select on sequence device_outbox_position_seq to floorcast_backup;
select let_backups_read(oid::regclass) from pg_class
where relnamespace = 'public'::regnamespace and relkind in ('r', 'p');
