-- Updates of the player program: files in packages, packages put on channels, channels of groups; and how far each device
-- has come.

-- What update files must be signed for; null: they are taken as they are.
alter table clients add column update_public_key text check (update_public_key ~ '^[A-Za-z0-9+/]{43}=$');
grant update (update_public_key) on clients to floorcast_app;

create table update_files (
  uid uuid primary key,
  client_id uuid not null references clients (uid) on delete cascade,
  name text not null,
  description text not null default '',
  original_name text not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  size_bytes bigint not null check (size_bytes > 0),
  -- Ed25519, in base64. Null: it came without.
  signature text check (signature ~ '^[A-Za-z0-9+/]{86}==$'),
  uploaded_by uuid,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  version integer not null default 1,
  unique (client_id, uid)
);
create index update_files_changed on update_files (client_id, changed_at);
create index update_files_sha256 on update_files (client_id, sha256);
select fence_tenant_table('update_files');
grant select, insert, update, delete on update_files to floorcast_app;
-- Whether stored bytes are still named by a row.
grant select on update_files to floorcast_jobs;

create table update_packages (
  uid uuid primary key,
  client_id uuid not null references clients (uid) on delete cascade,
  name text not null,
  description text not null default '',
  category text not null,
  -- The program's, such as 2.776.0-rc.1.
  version text not null,
  state text not null default 'draft' check (state in ('draft', 'testing', 'released')),
  created_at timestamptz not null,
  changed_at timestamptz not null,
  record_version integer not null default 1,
  unique (client_id, uid)
);
create index update_packages_changed on update_packages (client_id, changed_at);
select fence_tenant_table('update_packages');
grant select, insert, update, delete on update_packages to floorcast_app;

create table update_package_files (
  uid uuid primary key,
  client_id uuid not null,
  package_uid uuid not null,
  file_uid uuid not null,
  added_at timestamptz not null,
  foreign key (client_id, package_uid) references update_packages (client_id, uid) on delete cascade,
  foreign key (client_id, file_uid) references update_files (client_id, uid),
  unique (package_uid, file_uid)
);
create index update_package_files_package on update_package_files (client_id, package_uid);
create index update_package_files_file on update_package_files (client_id, file_uid);
select fence_tenant_table('update_package_files');
grant select, insert, delete on update_package_files to floorcast_app;

create table update_channels (
  uid uuid primary key,
  client_id uuid not null references clients (uid) on delete cascade,
  name text not null,
  description text not null default '',
  state text not null default 'open' check (state in ('open', 'frozen')),
  created_at timestamptz not null,
  changed_at timestamptz not null,
  version integer not null default 1,
  unique (client_id, uid)
);
create index update_channels_changed on update_channels (client_id, changed_at);
select fence_tenant_table('update_channels');
grant select, insert, update, delete on update_channels to floorcast_app;

create table update_channel_groups (
  channel_uid uuid not null,
  group_uid uuid not null,
  client_id uuid not null,
  primary key (channel_uid, group_uid),
  foreign key (client_id, channel_uid) references update_channels (client_id, uid) on delete cascade,
  foreign key (client_id, group_uid) references groups (client_id, uid) on delete cascade
);
create index update_channel_groups_group on update_channel_groups (client_id, group_uid);
select fence_tenant_table('update_channel_groups');
grant select, insert, delete on update_channel_groups to floorcast_app;

create table deploy_packages (
  uid uuid primary key,
  client_id uuid not null references clients (uid) on delete cascade,
  package_uid uuid not null,
  channel_uid uuid not null,
  description text not null default '',
  state text not null default 'paused' check (state in ('paused', 'active', 'forced')),
  created_at timestamptz not null,
  changed_at timestamptz not null,
  version integer not null default 1,
  foreign key (client_id, package_uid) references update_packages (client_id, uid),
  foreign key (client_id, channel_uid) references update_channels (client_id, uid),
  unique (client_id, uid),
  constraint deploy_packages_pair unique (package_uid, channel_uid)
);
create index deploy_packages_changed on deploy_packages (client_id, changed_at);
create index deploy_packages_package on deploy_packages (client_id, package_uid);
create index deploy_packages_channel on deploy_packages (client_id, channel_uid);
select fence_tenant_table('deploy_packages');
grant select, insert, update, delete on deploy_packages to floorcast_app;

-- The newest step of a device with an update, so that its list never touches history.
create table device_update_states (
  device_uid uuid primary key,
  client_id uuid not null,
  package_uid uuid,
  version text not null,
  step text not null,
  message text,
  at timestamptz not null,
  received_at timestamptz not null,
  foreign key (client_id, device_uid) references devices (client_id, uid) on delete cascade
) with (fillfactor = 70);
create index device_update_states_client on device_update_states (client_id);
select fence_tenant_table('device_update_states');
grant select on device_update_states to floorcast_app;
grant select, insert, update on device_update_states to floorcast_ingest;
create policy all_clients on device_update_states to floorcast_ingest using (true) with check (true);
