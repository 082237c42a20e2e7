-- no-transaction
-- An event is stored once whatever its number: the ingest looks its id up in the partition of its day. The index has every
-- column of that question, so that PostgreSQL takes it for a partition without statistics too.
create index if not exists plays_event on only plays (device_uid, event_uid, day);
create index if not exists device_logs_event on only device_logs (device_uid, event_uid, day);

-- run each row
-- Partitions are indexed one by one, while devices report. Those that are made meanwhile have the index already.
select unnest(array[
  format('drop index concurrently if exists %I', part || '_event'),
  format('create index concurrently %I on %I (device_uid, event_uid, day)', part || '_event', part),
  format('alter index %I attach partition %I', history || '_event', part || '_event')])
from (
  select h.relname::text as history, p.relname::text as part, p.oid as part_oid, (h.relname || '_event')::regclass as parent_index
  from pg_inherits i join pg_class h on h.oid = i.inhparent join pg_class p on p.oid = i.inhrelid
  where i.inhparent in ('plays'::regclass, 'device_logs'::regclass)) as parts
where not exists (
  select from pg_inherits a join pg_index x on x.indexrelid = a.inhrelid
  where a.inhparent = parent_index and x.indrelid = part_oid)
order by history, part;

grant select (day, device_uid, event_uid) on plays, device_logs to floorcast_ingest;
drop policy if exists any_client_ids on plays;
create policy any_client_ids on plays for select to floorcast_ingest using (true);
drop policy if exists any_client_ids on device_logs;
create policy any_client_ids on device_logs for select to floorcast_ingest using (true);
