-- What happened to a client, for people and other systems. docs/decisions/0364.
create table event_positions (
  client_id uuid primary key references clients (uid) on delete cascade,
  -- Of the newest event. A transaction takes its positions last and holds this row until its commit: whoever sees an event sees all before it.
  last bigint not null default 0,
  -- Events up to this one were deleted.
  purged bigint not null default 0
);
select enable_tenant_rls('event_positions');
grant select, insert, update on event_positions to floorcast_app;
grant select, update on event_positions to floorcast_jobs;

create table client_events (
  client_id uuid not null references clients (uid) on delete cascade,
  position bigint not null,
  kind text not null,
  at timestamptz not null,
  -- Null but for events of devices; the list has at most 10,000 of them.
  device_count integer,
  device_uids uuid[],
  data jsonb not null,
  primary key (client_id, position)
);
create index client_events_at on client_events (client_id, at);
select enable_tenant_rls('client_events');
grant select, insert on client_events to floorcast_app;
grant select, delete on client_events to floorcast_jobs;

-- What is amiss with an item now, by the last look at it. An event is made where it begins, changes or ends.
create table conditions (
  client_id uuid not null references clients (uid) on delete cascade,
  about text not null,
  -- A device, publication, alert or ad; the client's own id for its plan.
  item_uid uuid not null,
  state text not null,
  since timestamptz not null,
  -- Null: it has lasted too short for an event.
  told_at timestamptz,
  primary key (client_id, about, item_uid)
);
select enable_tenant_rls('conditions');
grant select, insert, update, delete on conditions to floorcast_app;
-- The role that stores what devices report finds the clients with news in one statement.
create policy all_clients on conditions for select to floorcast_ingest using (true);
grant select on conditions to floorcast_ingest;
create policy look on publication_counts for select to floorcast_ingest using (true);
grant select on publication_counts to floorcast_ingest;
grant select (began_at, ended_at) on alerts to floorcast_ingest;
grant select (uid, client_id, group_uid, state, activated_at, starts_at, starts_at_wall, revision, deleted_at) on publications
  to floorcast_ingest;
grant select (client_id, group_uid, device_uid, key, value) on tags to floorcast_ingest;
grant select (uid, group_uid, deleted_at) on devices to floorcast_ingest;

-- When devices were last looked at, by any server, and since when without a pause: after one, devices need time to come back.
create table condition_looks (
  is_only boolean primary key default true check (is_only),
  looked_at timestamptz not null,
  steady_since timestamptz not null
);
select let_backups_read('condition_looks');
grant select, insert, update on condition_looks to floorcast_definer;

-- Notes a look. @returns since when there was one at least each `pause`; null if this minute has one
create function jobs_note_look(moment timestamptz, pause interval) returns timestamptz
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  steady timestamptz;
begin
  insert into condition_looks as l (looked_at, steady_since) values (moment, moment)
  on conflict (is_only) do update set looked_at = moment,
    steady_since = case when l.looked_at < moment - pause then moment else l.steady_since end
  where l.looked_at < moment
  returning steady_since into steady;
  return steady;
end
$$;
revoke execute on function jobs_note_look from public;
grant execute on function jobs_note_look to floorcast_jobs;
alter function jobs_note_look owner to floorcast_definer;

-- After a restore readers may know events that are gone: new ones get positions that nobody has seen.
create function leave_event_positions() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update event_positions set last = last + 1000000;
  return null;
end
$$;
create trigger leave_event_positions after insert on restorations
  for each statement execute function leave_event_positions();
revoke execute on function leave_event_positions from public;
alter function leave_event_positions owner to floorcast_definer;
create policy all_clients on event_positions to floorcast_definer using (true) with check (true);
grant select, update on event_positions to floorcast_definer;
