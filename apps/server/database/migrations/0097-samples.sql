-- What charts show of the past and no event tells: the load and the disk of each server, and how many devices are online. One row a
-- minute for a day, then one in ten minutes for 45 days.

create table server_samples (
  server text not null,
  at timestamptz not null,
  load_one real not null,
  load_five real not null,
  load_fifteen real not null,
  free_bytes bigint not null,
  total_bytes bigint not null,
  primary key (server, at)
);
create index server_samples_at on server_samples (at);
grant select, insert, delete on server_samples to floorcast_definer;
grant select on server_samples to floorcast_app;

-- The daily maintenance that ended, with the clients whose part failed.
create table maintenance_runs (
  ended_at timestamptz primary key,
  began_at timestamptz not null,
  failures integer not null
);
grant select, insert, delete on maintenance_runs to floorcast_definer;
grant select on maintenance_runs to floorcast_app;

create table connectivity_samples (
  client_id uuid not null references clients (uid) on delete cascade,
  at timestamptz not null,
  online integer not null,
  linkdown integer not null,
  linklost integer not null,
  neverup integer not null,
  primary key (client_id, at)
);
create index connectivity_samples_at on connectivity_samples (at);
select enable_tenant_rls('connectivity_samples');
create policy all_clients on connectivity_samples for all to floorcast_definer using (true) with check (true);
grant select on connectivity_samples to floorcast_app;
grant select, insert, delete on connectivity_samples to floorcast_definer;

grant select (last_contact_at) on device_states to floorcast_definer;

-- Counts the devices of all clients at a minute. @returns the rows added: none if another server has done it or is at it
create function jobs_sample_connectivity(moment timestamptz) returns integer
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
declare
  added integer;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('floorcast connectivity samples', 0))
     or exists (select from connectivity_samples c where c.at = moment) then
    return 0;
  end if;
  insert into connectivity_samples (client_id, at, online, linkdown, linklost, neverup)
  select client_id, moment, count(*) filter (where contact >= moment - interval '1 hour'),
    count(*) filter (where contact < moment - interval '1 hour' and contact >= moment - interval '1 day'),
    count(*) filter (where contact < moment - interval '1 day'), count(*) filter (where contact is null)
  from (
    select d.client_id, s.last_contact_at as contact
    from devices d left join device_states s on s.device_uid = d.uid where d.deleted_at is null
  ) living
  group by client_id;
  get diagnostics added = row_count;
  return added;
end
$$;
revoke execute on function jobs_sample_connectivity from public;
grant execute on function jobs_sample_connectivity to floorcast_jobs;
alter function jobs_sample_connectivity owner to floorcast_definer;

create function jobs_add_server_sample(
  name text, moment timestamptz, one real, five real, fifteen real, free bigint, total bigint
) returns void
language sql volatile security definer set search_path = public, pg_temp
as $$
  insert into server_samples (server, at, load_one, load_five, load_fifteen, free_bytes, total_bytes)
  values (name, moment, one, five, fifteen, free, total)
  on conflict do nothing
$$;
revoke execute on function jobs_add_server_sample from public;
grant execute on function jobs_add_server_sample to floorcast_jobs;
alter function jobs_add_server_sample owner to floorcast_definer;

-- Deletes samples of before `until`, which no chart shows any more, and of those before `thin` all but one in ten minutes.
create function jobs_thin_samples(until timestamptz, thin timestamptz) returns integer
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
declare
  gone integer;
  gone_servers integer;
begin
  delete from connectivity_samples where at < until or (at < thin and extract(minute from at)::integer % 10 <> 0);
  get diagnostics gone = row_count;
  delete from server_samples where at < until or (at < thin and extract(minute from at)::integer % 10 <> 0);
  get diagnostics gone_servers = row_count;
  delete from maintenance_runs where ended_at < until;
  return gone + gone_servers;
end
$$;
revoke execute on function jobs_thin_samples from public;
grant execute on function jobs_thin_samples to floorcast_jobs;
alter function jobs_thin_samples owner to floorcast_definer;

create function jobs_note_maintenance(began timestamptz, ended timestamptz, failed integer) returns void
language sql volatile security definer set search_path = public, pg_temp
as $$
  insert into maintenance_runs (ended_at, began_at, failures) values (ended, began, failed) on conflict do nothing
$$;
revoke execute on function jobs_note_maintenance from public;
grant execute on function jobs_note_maintenance to floorcast_jobs;
alter function jobs_note_maintenance owner to floorcast_definer;

-- Why a device is silent, by the newest event of its playlist log; null: it plays.
create table device_silences (
  device_uid uuid primary key,
  client_id uuid not null,
  because text,
  since timestamptz not null,
  foreign key (client_id, device_uid) references devices (client_id, uid) on delete cascade
) with (fillfactor = 70);
create index device_silences_client on device_silences (client_id);
select enable_tenant_rls('device_silences');
create policy all_clients on device_silences for all to floorcast_ingest using (true) with check (true);
grant select on device_silences to floorcast_app;
grant select, insert, update on device_silences to floorcast_ingest;

-- The map reads these tags of all devices.
create index tags_place on tags (client_id, key, device_uid, group_uid) include (value)
  where key in ('latitude', 'longitude', 'country');
