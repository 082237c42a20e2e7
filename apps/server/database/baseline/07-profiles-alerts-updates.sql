-- Configuration profiles of devices, alerts, and updates of the player program.

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
  -- Of two profiles of one type the one that was activated later wins.
  activated_at timestamptz,
  unique (client_id, uid),
  constraint profiles_activated_check check ((activated_at is null) = (active_settings is null))
);
create index profiles_name on profiles (client_id, name);
grant select, insert, update, delete on profiles to floorcast_app;
grant select on profiles to floorcast_jobs;
-- Players of 2.775.0 do not say how often they report.
create policy all_clients on profiles for select to floorcast_ingest using (true);
grant select (uid, client_id, active_settings, activated_at) on profiles to floorcast_ingest;

create table profile_groups (
  profile_uid uuid not null,
  group_uid uuid not null,
  client_id uuid not null,
  primary key (profile_uid, group_uid),
  foreign key (client_id, profile_uid) references profiles (client_id, uid) on delete cascade,
  foreign key (client_id, group_uid) references groups (client_id, uid) on delete cascade
);
create index profile_groups_group on profile_groups (client_id, group_uid);
grant select, insert, delete on profile_groups to floorcast_app;
grant select on profile_groups to floorcast_jobs;
create policy all_clients on profile_groups for select to floorcast_ingest using (true);
grant select (profile_uid, group_uid, client_id) on profile_groups to floorcast_ingest;

-- Which media the settings of profiles name (the sounds of alerts), as drafted or in force: such a media item cannot be
-- purged, and who changes it finds the devices that must know. docs/decisions/0147.
create table profile_media (
  profile_uid uuid not null,
  media_uid uuid not null,
  client_id uuid not null,
  primary key (profile_uid, media_uid),
  foreign key (client_id, profile_uid) references profiles (client_id, uid) on delete cascade,
  foreign key (client_id, media_uid) references media_items (client_id, uid)
);
create index profile_media_media on profile_media (client_id, media_uid);
grant select, insert, delete on profile_media to floorcast_app;
grant select on profile_media to floorcast_jobs;

-- Written by the statement that writes the settings, so that the two never differ.
create function note_profile_media() returns trigger language plpgsql as $$
begin
  delete from profile_media where profile_uid = new.uid;
  insert into profile_media (profile_uid, media_uid, client_id)
  select distinct new.uid, named.media_uid::uuid, new.client_id
  from (values (new.settings), (new.active_settings)) s(settings)
  cross join lateral (
    values (s.settings->>'airMedia'), (s.settings->>'chemicalMedia'), (s.settings->>'nuclearMedia')) named(media_uid)
  where named.media_uid is not null
  order by 2;
  return null;
end
$$;
create trigger note_profile_media after insert or update of settings, active_settings on profiles
  for each row when (new.type = 'alert') execute function note_profile_media();

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
  -- The devices that it was for when it began; null for alerts of 2.775.0.
  device_count integer,
  check (num_nonnulls(device_uid, group_uid) <= 1),
  unique (client_id, uid)
);
create index alerts_open on alerts (client_id, began_at) where ended_at is null;
create index alerts_newest on alerts (client_id, began_at desc);
grant select, insert, update on alerts to floorcast_app;
grant select, delete on alerts to floorcast_jobs;
create policy all_clients on alerts for select to floorcast_ingest using (true);
grant select (uid, client_id) on alerts to floorcast_ingest;

create table alert_receipts (
  alert_uid uuid not null,
  device_uid uuid not null,
  client_id uuid not null,
  received_at timestamptz,
  started_at timestamptz,
  ended_at timestamptz,
  failed_at timestamptz,
  -- The device's own words for why it did not sound, or not with the sound that it should have.
  failure text,
  state text not null generated always as (
    case
      when ended_at is not null then 'ended'
      when started_at is not null then 'sounding'
      when failed_at is not null then 'failed'
      else 'received'
    end) stored,
  primary key (alert_uid, device_uid),
  foreign key (client_id, alert_uid) references alerts (client_id, uid) on delete cascade
);
create index alert_receipts_client on alert_receipts (client_id, device_uid);
grant select on alert_receipts to floorcast_app, floorcast_jobs;
grant select, insert, update on alert_receipts to floorcast_ingest;
create policy all_clients on alert_receipts to floorcast_ingest using (true) with check (true);

-- The counts on the pages of alerts, kept as devices report: 10,000 receipts for each line of the history would cost too much.
-- Every change adds a row and changes none, as in publication_counts; the daily maintenance merges them. docs/decisions/0240.
create table alert_counts (
  client_id uuid not null,
  alert_uid uuid not null,
  failed bigint not null,
  received bigint not null,
  sounding bigint not null,
  ended bigint not null,
  sounded bigint not null,
  foreign key (client_id, alert_uid) references alerts (client_id, uid) on delete cascade
);
create index alert_counts_sum on alert_counts (client_id, alert_uid) include (failed, received, sounding, ended, sounded);
create policy all_clients on alert_counts for insert to floorcast_ingest with check (true);
grant select on alert_counts to floorcast_app;
grant insert on alert_counts to floorcast_ingest;
grant select, insert, delete on alert_counts to floorcast_jobs;

create function count_receipts_added() returns trigger language plpgsql as $$
begin
  insert into alert_counts (client_id, alert_uid, failed, received, sounding, ended, sounded)
  select client_id, alert_uid, count(*) filter (where state = 'failed'), count(*) filter (where state = 'received'),
    count(*) filter (where state = 'sounding'), count(*) filter (where state = 'ended'), count(started_at)
  from added group by client_id, alert_uid;
  return null;
end
$$;
create trigger count_added after insert on alert_receipts referencing new table as added
  for each statement execute function count_receipts_added();

create function count_receipts_changed() returns trigger language plpgsql as $$
begin
  insert into alert_counts (client_id, alert_uid, failed, received, sounding, ended, sounded)
  select * from (
    select client_id, alert_uid, sum(n * (state = 'failed')::int) as failed, sum(n * (state = 'received')::int) as received,
      sum(n * (state = 'sounding')::int) as sounding, sum(n * (state = 'ended')::int) as ended,
      sum(n * (started_at is not null)::int) as sounded
    from (
      select client_id, alert_uid, state, started_at, 1 as n from added
      union all
      select client_id, alert_uid, state, started_at, -1 from removed
    ) as change
    group by client_id, alert_uid
  ) as sums
  where (failed, received, sounding, ended, sounded) <> (0, 0, 0, 0, 0);
  return null;
end
$$;
create trigger count_changed after update on alert_receipts referencing old table as removed new table as added
  for each statement execute function count_receipts_changed();

-- Updates: files in packages, packages put on channels, channels of groups; and how far each device has come.
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
  -- What the holder of the key says of the file (name, version, machines, counter, downgrade, size, hash), and the signature
  -- of that text. Null: the tool of 2.775.0 signed the file.
  statement text check (statement like 'floorcast player update%' and length(statement) <= 1000),
  statement_signature text check (statement_signature ~ '^[A-Za-z0-9+/]{86}==$'),
  unique (client_id, uid),
  constraint update_files_statement check ((statement is null) = (statement_signature is null))
);
create index update_files_changed on update_files (client_id, changed_at);
create index update_files_sha256 on update_files (client_id, sha256);
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
grant select on device_update_states to floorcast_app;
grant select, insert, update on device_update_states to floorcast_ingest;
create policy all_clients on device_update_states to floorcast_ingest using (true) with check (true);
