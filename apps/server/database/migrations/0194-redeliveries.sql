-- A row for each device that has not yet delivered again what the server has lost by a restore: plays that began in this period may be
-- missing. The device's answer deletes it, or leaves the part that the device holds no more. docs/decisions/0331.
create table redeliveries (
  client_id uuid not null references clients (uid) on delete cascade,
  -- Not of `devices`: the plays of a deleted device are missing too.
  device_uid uuid not null,
  epoch uuid not null references restorations (epoch),
  -- The last play that the backup has of it: a device that was offline has delivered earlier days since.
  played_since timestamptz not null,
  played_until timestamptz not null,
  -- The backup has no event of it: it holds whatever it has played.
  is_new boolean not null,
  -- The rest of the period is lost, because the device does not hold it. Null: no answer yet.
  answered_at timestamptz,
  primary key (client_id, device_uid, epoch)
);
create index redeliveries_device on redeliveries (device_uid);
select enable_tenant_rls('redeliveries');
grant select on redeliveries, restorations to floorcast_app;
grant select, delete, update (played_until, answered_at) on redeliveries to floorcast_ingest;
create policy all_clients on redeliveries to floorcast_ingest using (true) with check (true);

-- A restore notes them as this role: the rows of clients are hidden from the owner.
grant select, insert on restorations to floorcast_definer;
grant insert on redeliveries to floorcast_definer;
create policy restored on redeliveries for insert to floorcast_definer with check (true);
grant select (device_uid, first_seen_at) on device_boots to floorcast_definer;
create policy restored on device_boots for select to floorcast_definer using (true);
grant select (device_uid, last_at) on play_days to floorcast_definer;
create policy restored on play_days for select to floorcast_definer using (true);
