-- What a device claims to do now holds for a limited time: docs/decisions/0233.

alter table device_states
  -- Seconds between its heartbeats, as it says or as its profile does.
  add column heartbeat_seconds real,
  -- Three heartbeats are missed then.
  add column overdue_at timestamptz,
  -- The first heartbeat that named the track of now_playing, by the server's clock.
  add column playing_since timestamptz,
  -- The end of that track and one heartbeat more: then the next report should have come.
  add column playing_until timestamptz,
  -- Why it sounds nothing, as it says.
  add column silence text,
  add column silent_since timestamptz,
  -- Its channel has closed then, and it has not reported since.
  add column channel_lost_at timestamptz;

-- Players of former releases do not say how often they report.
grant select (uid, client_id, active_settings, activated_at) on profiles to floorcast_ingest;
grant select (profile_uid, group_uid, client_id) on profile_groups to floorcast_ingest;
create policy all_clients on profiles for select to floorcast_ingest using (true);
create policy all_clients on profile_groups for select to floorcast_ingest using (true);
