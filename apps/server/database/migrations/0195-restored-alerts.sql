-- A restore ends the alerts that were open at the moment of the backup, so that no siren sounds again that somebody has ended since.
-- docs/decisions/0336.
grant select (uid, client_id, kind, device_uid, group_uid, is_drill, began_at, ended_at), update (ended_at) on alerts to floorcast_definer;
create policy restored on alerts for select to floorcast_definer using (true);
create policy ended_by_restore on alerts for update to floorcast_definer using (ended_at is null) with check (true);
grant select (name) on groups to floorcast_definer;
