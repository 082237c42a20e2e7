-- Tags, configuration profiles, alerts, and tickets for what cannot carry a header.

create table tags (
  uid uuid primary key,
  client_id uuid not null references clients (uid) on delete cascade,
  -- Both null: the client's own tag.
  device_uid uuid,
  group_uid uuid,
  key text not null,
  value text not null,
  description text not null default '',
  created_at timestamptz not null,
  changed_at timestamptz not null,
  foreign key (client_id, device_uid) references devices (client_id, uid) on delete cascade,
  foreign key (client_id, group_uid) references groups (client_id, uid) on delete cascade,
  check (num_nonnulls(device_uid, group_uid) <= 1),
  unique nulls not distinct (client_id, device_uid, group_uid, key)
);
create index tags_group on tags (client_id, group_uid) where group_uid is not null;
select fence_tenant_table('tags');
grant select, insert, update, delete on tags to floorcast_app;

create table profiles (
  uid uuid primary key,
  client_id uuid not null references clients (uid) on delete cascade,
  type text not null check (type in ('audio', 'network', 'display', 'logging', 'alert')),
  name text not null,
  description text not null default '',
  state text not null default 'paused' check (state in ('active', 'paused')),
  settings jsonb not null default '{}',
  -- As last activated: what devices follow while the profile is being edited. Null: never activated.
  active_settings jsonb,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  version integer not null default 1,
  unique (client_id, uid)
);
create index profiles_name on profiles (client_id, name);
select fence_tenant_table('profiles');
grant select, insert, update, delete on profiles to floorcast_app;

create table profile_groups (
  profile_uid uuid not null,
  group_uid uuid not null,
  client_id uuid not null,
  primary key (profile_uid, group_uid),
  foreign key (client_id, profile_uid) references profiles (client_id, uid) on delete cascade,
  foreign key (client_id, group_uid) references groups (client_id, uid) on delete cascade
);
create index profile_groups_group on profile_groups (client_id, group_uid);
select fence_tenant_table('profile_groups');
grant select, insert, delete on profile_groups to floorcast_app;

create table alerts (
  uid uuid primary key,
  client_id uuid not null references clients (uid) on delete cascade,
  kind text not null check (kind in ('air', 'chemical', 'nuclear')),
  -- Both null: every device of the client.
  device_uid uuid,
  group_uid uuid,
  is_drill boolean not null default false,
  began_at timestamptz not null,
  began_by uuid,
  ended_at timestamptz,
  ended_by uuid,
  check (num_nonnulls(device_uid, group_uid) <= 1),
  unique (client_id, uid)
);
create index alerts_open on alerts (client_id, began_at) where ended_at is null;
create index alerts_newest on alerts (client_id, began_at desc);
select fence_tenant_table('alerts');
grant select, insert, update on alerts to floorcast_app;
grant select on alerts to floorcast_jobs;

create table alert_receipts (
  alert_uid uuid not null,
  device_uid uuid not null,
  client_id uuid not null,
  received_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  primary key (alert_uid, device_uid),
  foreign key (client_id, alert_uid) references alerts (client_id, uid) on delete cascade
);
create index alert_receipts_client on alert_receipts (client_id, device_uid);
select fence_tenant_table('alert_receipts');
grant select on alert_receipts to floorcast_app, floorcast_jobs;
grant select, insert, update on alert_receipts to floorcast_ingest;
create policy all_clients on alert_receipts to floorcast_ingest using (true) with check (true);

create table tickets (
  -- SHA-256 of the ticket.
  ticket_hash bytea primary key check (length(ticket_hash) = 32),
  client_id uuid not null,
  session_uid uuid not null,
  path text not null,
  is_once boolean not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  foreign key (client_id, session_uid) references sessions (client_id, uid) on delete cascade
);
create index tickets_session on tickets (client_id, session_uid);
select fence_tenant_table('tickets');
grant select, insert, delete on tickets to floorcast_app;
grant select, delete on tickets to floorcast_jobs;
