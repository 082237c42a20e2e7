-- A heartbeat costs one index instead of two, and looks for its alerts only while one lasts.
-- Figures: docs/decisions/0135.

alter table heartbeats drop constraint heartbeats_pkey;
drop index heartbeats_device;
alter table heartbeats add primary key (device_uid, received_at, uid, day);

-- Whether any alert lasts at all, which a heartbeat asks before whose.
grant select (ended_at) on alerts to floorcast_ingest;
