-- What a playlist plays becomes a document of its own, the same for every device (docs/decisions/0157). A manifest is small and
-- is not stored: a device keeps its number, its hash and the revisions it was made of. A change raises the revision of a group
-- or of the client, one row, whatever the number of devices.

create table programmes (
  client_id uuid not null references clients(uid) on delete cascade,
  sha256 text not null,
  -- JSON, compressed with gzip; the hash is of the JSON.
  body bytea not null,
  made_at timestamptz not null,
  primary key (client_id, sha256)
);
alter table programmes alter column body set storage external;
select enable_tenant_rls('programmes');
grant select, insert, update on programmes to floorcast_app;
grant select, insert, update, delete on programmes to floorcast_jobs;

create table group_manifests (
  group_uid uuid primary key,
  client_id uuid not null,
  revision bigint not null default 1,
  -- Transactions below this id may hold changes that the group's part of the manifests lacks; 0: not known yet; null: none.
  pending_below bigint,
  foreign key (client_id, group_uid) references groups (client_id, uid) on delete cascade
);
create index group_manifests_client on group_manifests (client_id);
select enable_tenant_rls('group_manifests');
grant select, insert, update on group_manifests to floorcast_app, floorcast_jobs;
grant select (client_id, group_uid, revision) on group_manifests to floorcast_ingest;
create policy all_clients on group_manifests for select to floorcast_ingest using (true);

create table client_manifests (
  client_id uuid primary key references clients(uid) on delete cascade,
  revision bigint not null default 1
);
select enable_tenant_rls('client_manifests');
grant select, insert, update on client_manifests to floorcast_app, floorcast_jobs;
grant select on client_manifests to floorcast_ingest;
create policy all_clients on client_manifests for select to floorcast_ingest using (true);

-- The stored bodies go first, so that their space is free for other rows.
alter table device_manifests no force row level security;
update device_manifests set body = '', etag = '';
alter table device_manifests force row level security;
revoke select (client_id, device_uid, etag, is_stale) on device_manifests from floorcast_ingest;
alter table device_manifests
  drop column body,
  drop column made_at,
  drop column is_stale,
  drop column pending_below,
  -- Grows with each change of what is the device's own.
  add column own_revision bigint not null default 1,
  -- The revisions and the group that the manifest was made of; null: it is to be made again.
  add column made_own_revision bigint,
  add column made_group_uid uuid,
  add column made_group_revision bigint,
  add column made_client_revision bigint,
  -- The uids of the open alerts that it names.
  add column made_alerts text not null default '';
alter table device_manifests alter column etag set default '';
alter table device_manifests set (fillfactor = 70);
grant select (client_id, device_uid, etag, own_revision, made_own_revision, made_group_uid, made_group_revision,
  made_client_revision, made_alerts) on device_manifests to floorcast_ingest;

-- Notices of manifests are no longer messages that wait for an acknowledgement: a device that reconnects compares the ETag.
alter table device_outbox no force row level security;
delete from device_outbox where type <> 'command';
alter table device_outbox force row level security;
drop index device_outbox_manifest;
alter table device_outbox drop constraint device_outbox_type_check,
  add constraint device_outbox_type_check check (type = any (array['command']));
