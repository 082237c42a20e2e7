-- An event is stored once whatever its number: the ingest looks its id up in the partition of its day.
create index plays_event on plays (event_uid);
create index device_logs_event on device_logs (event_uid);
grant select (day, device_uid, event_uid) on plays, device_logs to floorcast_ingest;
create policy any_client_ids on plays for select to floorcast_ingest using (true);
create policy any_client_ids on device_logs for select to floorcast_ingest using (true);
