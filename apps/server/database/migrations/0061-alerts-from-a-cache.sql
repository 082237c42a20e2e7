-- The server reads a client's open alerts in that client's scope and caches them (docs/decisions/0150), so heartbeats no
-- longer look into the alerts of all clients.

drop function ingest_open_alerts(uuid[]);
drop policy ingest on alerts;
revoke select on alerts from floorcast_definer;
revoke select (ended_at) on alerts from floorcast_ingest;

-- Manifests name the sound of each kind of alert now: those with sounds are to be made again.
alter table devices no force row level security;
alter table device_manifests no force row level security;
alter table profile_groups no force row level security;
alter table profile_media no force row level security;
update device_manifests m set is_stale = true
  from devices d
  where d.uid = m.device_uid and exists (
    select from profile_groups g join profile_media n on n.profile_uid = g.profile_uid where g.group_uid = d.group_uid);
alter table devices force row level security;
alter table device_manifests force row level security;
alter table profile_groups force row level security;
alter table profile_media force row level security;
