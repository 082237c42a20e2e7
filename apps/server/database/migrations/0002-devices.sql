-- Groups and devices.

create table groups (
  uid uuid primary key,
  client_id uuid not null references clients (uid) on delete cascade,
  kind text not null check (kind in ('audio', 'video')),
  name text not null,
  description text not null default '',
  state text not null default 'paused' check (state in ('active', 'paused')),
  created_at timestamptz not null,
  changed_at timestamptz not null,
  version integer not null default 1,
  deleted_at timestamptz,
  deleted_by uuid,
  unique (client_id, uid)
);
create index groups_name on groups (client_id, name) where deleted_at is null;
create index groups_changed on groups (client_id, changed_at) where deleted_at is null;
create index groups_bin on groups (client_id, deleted_at) where deleted_at is not null;
select fence_tenant_table('groups');
grant select, insert, update on groups to floorcast_app;
grant select, delete on groups to floorcast_jobs;

create table devices (
  uid uuid primary key,
  client_id uuid not null references clients (uid) on delete cascade,
  kind text not null check (kind in ('audio', 'video')),
  name text not null,
  description text not null default '',
  -- At most one group a device.
  group_uid uuid,
  -- Shown on the card until its first use binds it to a box.
  license_key text not null,
  license_bound_at timestamptz,
  box_uid uuid,
  -- SHA-256 of the device's token.
  token_hash bytea check (length(token_hash) = 32),
  model text,
  -- An admin's earlier day; null: the subscription's end.
  expires_at timestamptz,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  version integer not null default 1,
  deleted_at timestamptz,
  deleted_by uuid,
  foreign key (client_id, group_uid) references groups (client_id, uid),
  unique (client_id, uid)
);
create unique index devices_license_key on devices (license_key);
create unique index devices_token_hash on devices (token_hash);
create index devices_name on devices (client_id, name) where deleted_at is null;
create index devices_changed on devices (client_id, changed_at) where deleted_at is null;
create index devices_group on devices (client_id, group_uid) where group_uid is not null;
create index devices_bin on devices (client_id, deleted_at) where deleted_at is not null;
select fence_tenant_table('devices');
grant select, insert, update on devices to floorcast_app;
grant select, delete on devices to floorcast_jobs;

alter table users add foreign key (client_id, linked_device_uid) references devices (client_id, uid)
  on delete set null (linked_device_uid);
create index users_linked_device on users (client_id, linked_device_uid) where linked_device_uid is not null;

-- The newest state of a device: one narrow row, so that lists never touch history.
create table device_states (
  device_uid uuid primary key,
  client_id uuid not null,
  -- The server's clock. Null: never up, or its heartbeat was reset.
  last_contact_at timestamptz,
  -- The device's clock at that heartbeat.
  device_clock_at timestamptz,
  boot_uid uuid,
  program_version text,
  temperature_celsius real,
  memory_size_bytes bigint,
  free_memory_bytes bigint,
  ip_address text,
  mac_address text,
  volume smallint,
  -- NowPlaying of the contract; null: silent.
  now_playing jsonb,
  last_played_name text,
  last_played_at timestamptz,
  manifest_etag text,
  -- [{name, sha256}]
  quarantined jsonb not null default '[]',
  -- The session that reports; a newer one replaces it.
  reporter_uid uuid,
  foreign key (client_id, device_uid) references devices (client_id, uid) on delete cascade
) with (fillfactor = 70);
create index device_states_contact on device_states (client_id, last_contact_at);
select fence_tenant_table('device_states');
grant select, insert, update on device_states to floorcast_app;
grant select, insert, update on device_states to floorcast_ingest;
create policy all_clients on device_states to floorcast_ingest using (true) with check (true);

-- Every change of connectivity, at its true time: the moment a threshold passed, not the moment it was noticed.
create table device_transitions (
  device_uid uuid not null,
  at timestamptz not null,
  client_id uuid not null,
  state text not null check (state in ('online', 'linkdown', 'linklost', 'neverup')),
  primary key (device_uid, at),
  foreign key (client_id, device_uid) references devices (client_id, uid) on delete cascade
);
create index device_transitions_client on device_transitions (client_id, at);
select fence_tenant_table('device_transitions');
grant select, insert on device_transitions to floorcast_app, floorcast_jobs;
grant select, insert on device_transitions to floorcast_ingest;
create policy all_clients on device_transitions to floorcast_ingest using (true) with check (true);

-- Event numbers received of one boot of a device: duplicates and gaps both come from it. Locked while a batch is stored.
create table device_boots (
  device_uid uuid not null,
  boot_uid uuid not null,
  client_id uuid not null,
  received int8multirange not null default '{}',
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  primary key (device_uid, boot_uid),
  foreign key (client_id, device_uid) references devices (client_id, uid) on delete cascade
) with (fillfactor = 70);
create index device_boots_client on device_boots (client_id, device_uid, last_seen_at);
select fence_tenant_table('device_boots');
grant select on device_boots to floorcast_app;
grant select, delete on device_boots to floorcast_jobs;
grant select, insert, update on device_boots to floorcast_ingest;
create policy all_clients on device_boots to floorcast_ingest using (true) with check (true);

-- Messages to a device, in order, kept until it acknowledges them.
create table device_outbox (
  uid uuid primary key,
  client_id uuid not null,
  device_uid uuid not null,
  position bigint generated always as identity,
  type text not null check (type in ('manifest', 'alert', 'command')),
  body jsonb not null,
  created_at timestamptz not null,
  acknowledged_at timestamptz,
  foreign key (client_id, device_uid) references devices (client_id, uid) on delete cascade
);
create index device_outbox_waiting on device_outbox (client_id, device_uid, position) where acknowledged_at is null;
select fence_tenant_table('device_outbox');
grant select, insert, update on device_outbox to floorcast_app;
grant select, delete on device_outbox to floorcast_jobs;

-- The manifest as last made: a generation that only grows, so that a 304 costs one indexed read.
create table device_manifests (
  device_uid uuid primary key,
  client_id uuid not null,
  generation bigint not null,
  etag text not null,
  body text not null,
  made_at timestamptz not null,
  foreign key (client_id, device_uid) references devices (client_id, uid) on delete cascade
);
create index device_manifests_client on device_manifests (client_id);
select fence_tenant_table('device_manifests');
grant select, insert, update, delete on device_manifests to floorcast_app;
