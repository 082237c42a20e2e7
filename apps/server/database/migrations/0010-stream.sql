-- What the streaming host needs beside: manifests made when asked for, their messages, and what ingest may look up.

-- A change only marks the manifests it concerns; the next one who asks makes them anew. Who makes one locks its row
-- first and reads afterwards, so a change that commits meanwhile marks it again.
alter table device_manifests add column is_stale boolean not null default true;
alter table device_manifests alter column generation set default 0;
alter table device_manifests alter column etag set default '';
alter table device_manifests alter column body set default '';
alter table device_manifests alter column made_at set default now();

-- One waiting word of a new manifest is enough for a device: a newer takes its place.
create unique index device_outbox_manifest on device_outbox (client_id, device_uid)
  where type = 'manifest' and acknowledged_at is null;

-- A job that measures loudness changes what devices must know.
grant select, insert, update on device_manifests to floorcast_jobs;
grant insert, update on device_outbox to floorcast_jobs;
grant select on tags, profiles, profile_groups to floorcast_jobs;

-- The answer to a heartbeat: the newest ETag and the open alerts.
grant select (device_uid, client_id, etag, is_stale) on device_manifests to floorcast_ingest;
create policy all_clients on device_manifests for select to floorcast_ingest using (true);

-- Whether what a device reports about still exists: a foreign key that fails would refuse the whole report.
grant select (uid, client_id) on publications, alerts to floorcast_ingest;
create policy all_clients on publications for select to floorcast_ingest using (true);
create policy all_clients on alerts for select to floorcast_ingest using (true);

grant select on alerts to floorcast_definer;
create policy ingest on alerts for select to floorcast_definer using (true);

create function ingest_open_alerts(device_uids uuid[])
returns table (device_uid uuid, uid uuid, kind text, began_at timestamptz)
language sql stable security definer set search_path = public, pg_temp
as $$
  select d.uid, a.uid, a.kind, a.began_at
  from devices d
  join alerts a on a.client_id = d.client_id and a.ended_at is null
  where d.uid = any (device_uids)
    and (a.device_uid = d.uid or a.group_uid = d.group_uid or (a.device_uid is null and a.group_uid is null))
  order by a.began_at desc, a.uid
$$;
revoke execute on function ingest_open_alerts from public;
grant execute on function ingest_open_alerts to floorcast_ingest;
alter function ingest_open_alerts owner to floorcast_definer;
