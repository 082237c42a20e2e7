-- Who changes a thing marks the manifests of the devices that play it, but does not see a device that joins, or a publication
-- that is turned on, in a transaction of the same instant; who makes that device's manifest right afterwards does not
-- see the change yet, and it would be kept as it is. So a manifest made after a new bond stays marked until the
-- transactions that were running when it was made have ended. docs/decisions/0138.

-- Null: nothing is waited for. 0: never made since it was bound anew. Else: made while transactions below this number ran.
alter table device_manifests add column unsettled_below bigint;
alter table device_manifests alter column unsettled_below set default 0;

-- A device has its row from the start. To add one later is to wait for whoever has locked the device, and who has locked it
-- waits for the row: the first manifest of a device that joined a group in that instant ended in a deadlock.
create function give_manifest() returns trigger
language plpgsql
as $$
begin
  insert into device_manifests (device_uid, client_id) values (new.uid, new.client_id);
  return null;
end
$$;
create trigger give_manifest after insert on devices for each row execute function give_manifest();

-- The owner is bound by row-level security too, and has no client.
alter table devices no force row level security;
alter table device_manifests no force row level security;
insert into device_manifests (device_uid, client_id)
select d.uid, d.client_id from devices d on conflict do nothing;
alter table devices force row level security;
alter table device_manifests force row level security;
