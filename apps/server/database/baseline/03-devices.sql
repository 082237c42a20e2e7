-- Groups, devices, what a device reports of itself, its messages and manifests, and tags.

-- Rows in the recycle bin have deleted_at, here and in devices, media, playlists and publications. Names are searched by keys;
-- only a short list of them waits to be put into the index (gin_pending_list_limit), since a search reads it whole.
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
  -- A group that comes out of the recycle bin takes back the devices it had, those that are in no group since.
  former_members uuid[] not null default '{}',
  sort_name text collate "C" not null generated always as (sort_key(name)) stored,
  unique (client_id, uid)
);
create index groups_name on groups (client_id, name) where deleted_at is null;
create index groups_changed on groups (client_id, changed_at) where deleted_at is null;
create index groups_bin on groups (client_id, deleted_at) where deleted_at is not null;
create index groups_search on groups using gin (search_keys(client_id, fold(name))) with (gin_pending_list_limit = 256);
grant select, insert, update, delete on groups to floorcast_app;
grant select, delete on groups to floorcast_jobs;
-- Plays are stored with the name of their group, read by the statement that stores them: a query for each call cost more.
create policy all_clients on groups for select to floorcast_ingest using (true);
grant select (client_id, uid, name) on groups to floorcast_ingest;
create policy samples on groups for select to floorcast_definer using (true);
grant select (client_id, uid, deleted_at) on groups to floorcast_definer;
create policy search on groups for select to floorcast_search using (true);
grant select (uid, client_id, name) on groups to floorcast_search;

-- Lists walk an index that has their order, so a page costs what its place in the list costs and no more. Each begins with
-- the client and ends with the uid that makes the order total. Deep pages skip entries of the index alone, so what lists
-- filter by most often stands in it too. docs/decisions/0111.
create table devices (
  uid uuid primary key,
  client_id uuid not null references clients (uid) on delete cascade,
  kind text not null check (kind in ('audio', 'video')),
  name text not null,
  description text not null default '',
  -- At most one group a device.
  group_uid uuid,
  -- Shown on the card until its first use binds it to a player (box_uid).
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
  -- How its tags combine with its group's and the client's; null: as the client does.
  tag_policy text check (tag_policy in ('device', 'group', 'client')),
  -- The shop's own number of a play point; '' where it has none. Several devices of a shop may have the same. docs/decisions/0155.
  store_number text not null default '',
  -- Its digits are padded with zeros to 32, so that 'B2' comes before 'B10'; null where there is none, which comes last.
  sort_store_number text generated always as (
    regexp_replace(
      regexp_replace(nullif(lower(store_number), ''), '([0-9]+)', repeat('0', 31) || '\1', 'g'),
      '0*([0-9]{32})', '\1', 'g')) stored,
  -- The import that added it, and its line in the user's file: a line is stored once, however often the call is repeated.
  -- docs/decisions/0163.
  import_uid uuid,
  import_line integer,
  -- What a search looks into; the unit separator stands between fields and in none.
  search_text text not null
    generated always as (fold(name || E'\x1f' || description || E'\x1f' || store_number)) stored,
  sort_name text collate "C" not null generated always as (sort_key(name)) stored,
  foreign key (client_id, group_uid) references groups (client_id, uid),
  unique (client_id, uid),
  constraint devices_import_check check ((import_uid is null) = (import_line is null))
);
create unique index devices_license_key on devices (license_key);
create unique index devices_token_hash on devices (token_hash);
create unique index devices_import on devices (client_id, import_uid, import_line) where import_uid is not null;
create index devices_name on devices (client_id, sort_name, uid) include (kind, group_uid) where deleted_at is null;
create index devices_changed on devices (client_id, changed_at, uid) include (kind, group_uid) where deleted_at is null;
create index devices_kind on devices (client_id, kind, uid) where deleted_at is null;
create index devices_free on devices (client_id, changed_at, uid) include (kind) where deleted_at is null and group_uid is null;
-- One for each direction: nulls come last in both.
create index devices_store_number on devices (client_id, sort_store_number, uid)
  include (kind, group_uid) where deleted_at is null;
create index devices_store_number_down on devices (client_id, sort_store_number desc nulls last, uid desc)
  include (kind, group_uid) where deleted_at is null;
-- The devices of a group are counted, and listed by name, from the index alone.
create index devices_group on devices (client_id, group_uid, sort_name, uid) include (kind, deleted_at)
  where group_uid is not null;
create index devices_bin on devices (client_id, deleted_at) where deleted_at is not null;
create index devices_search on devices using gin (search_keys(client_id, search_text))
  with (gin_pending_list_limit = 256) where deleted_at is null;
grant select, insert, update, delete on devices to floorcast_app;
grant select, delete on devices to floorcast_jobs;
create policy auth on devices to floorcast_definer using (true) with check (true);
grant select, update (license_bound_at, box_uid, token_hash, model) on devices to floorcast_definer;
create policy all_clients on devices for select to floorcast_ingest using (true);
grant select (client_id, uid, tag_policy) on devices to floorcast_ingest;
create policy search on devices for select to floorcast_search using (true);
grant select (uid, client_id, kind, group_uid, search_text, deleted_at) on devices to floorcast_search;

alter table users add foreign key (client_id, linked_device_uid) references devices (client_id, uid)
  on delete set null (linked_device_uid);

-- The newest state of a device: one narrow row, so that lists never touch history. An update of what no index holds stays in
-- its page (HOT): no index entry, no bloat. So no index of this table or of device_boots holds what changes with every report.
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
  -- The session that reports; a newer one replaces it. docs/decisions/0216.
  reporter_uid uuid,
  -- The start of the player's program that opened it.
  reporter_run_uid uuid,
  -- The last check that the device's alerts would sound, for its card.
  alert_check jsonb,
  -- What a device claims to do now holds for a limited time: docs/decisions/0233.
  -- Seconds between its heartbeats, as it says or as its profile does.
  heartbeat_seconds real,
  -- Three heartbeats are missed then.
  overdue_at timestamptz,
  -- The first heartbeat that named the track of now_playing, by the server's clock.
  playing_since timestamptz,
  -- The end of that track and one heartbeat more: then the next report should have come.
  playing_until timestamptz,
  -- Why it sounds nothing, as it says.
  silence text,
  silent_since timestamptz,
  -- Its channel has closed then, and it has not reported since.
  channel_lost_at timestamptz,
  foreign key (client_id, device_uid) references devices (client_id, uid) on delete cascade
) with (fillfactor = 70);
create index device_states_client on device_states (client_id);
grant select, insert, update on device_states to floorcast_app, floorcast_ingest;
create policy all_clients on device_states to floorcast_ingest using (true) with check (true);
create policy auth on device_states for select to floorcast_definer using (true);
grant select (device_uid, reporter_uid, reporter_run_uid, last_contact_at) on device_states to floorcast_definer;

-- Every change of connectivity, at its true time: the moment a threshold passed, not the moment it was noticed. The
-- maintenance keeps the last one before its limit: the state at that time.
create table device_transitions (
  device_uid uuid not null,
  at timestamptz not null,
  client_id uuid not null,
  state text not null check (state in ('online', 'linkdown', 'linklost', 'neverup')),
  primary key (device_uid, at),
  foreign key (client_id, device_uid) references devices (client_id, uid) on delete cascade
);
create index device_transitions_client on device_transitions (client_id, at);
grant select, insert on device_transitions to floorcast_app, floorcast_jobs, floorcast_ingest;
grant delete on device_transitions to floorcast_jobs;
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
create index device_boots_client on device_boots (client_id, device_uid);
grant select on device_boots to floorcast_app;
grant select, delete on device_boots to floorcast_jobs;
grant select, insert, update on device_boots to floorcast_ingest;
create policy all_clients on device_boots to floorcast_ingest using (true) with check (true);

-- Why a device is silent, by the newest event of its playlist log; null: it plays.
create table device_silences (
  device_uid uuid primary key,
  client_id uuid not null,
  because text,
  since timestamptz not null,
  foreign key (client_id, device_uid) references devices (client_id, uid) on delete cascade
) with (fillfactor = 70);
create index device_silences_client on device_silences (client_id);
create policy all_clients on device_silences for all to floorcast_ingest using (true) with check (true);
grant select on device_silences to floorcast_app;
grant select, insert, update on device_silences to floorcast_ingest;

-- Until when the counted plays of a device last, and until when they did before the newest report: two servers that store plays of
-- one device wait for each other at this row. A play that begins later overlaps none. docs/decisions/0254.
create table device_timelines (
  device_uid uuid primary key,
  client_id uuid not null,
  played_until timestamptz not null,
  former_until timestamptz,
  foreign key (client_id, device_uid) references devices (client_id, uid) on delete cascade
) with (fillfactor = 70);
create index device_timelines_client on device_timelines (client_id, device_uid);
create policy all_clients on device_timelines to floorcast_ingest using (true) with check (true);
grant select, insert, update on device_timelines to floorcast_ingest;

-- Commands to a device, in order, kept until it acknowledges them.
create table device_outbox (
  uid uuid primary key,
  client_id uuid not null,
  device_uid uuid not null,
  position bigint generated always as identity,
  type text not null check (type = any (array['command'])),
  body jsonb not null,
  created_at timestamptz not null,
  acknowledged_at timestamptz,
  -- Who asked for it.
  asked_by text not null default '',
  expires_at timestamptz not null,
  sent_at timestamptz,
  outcome text check (outcome in ('received', 'followed', 'failed')),
  why text check (length(why) <= 200),
  -- How many files it has brought: a device sends one again if the answer was lost, and no more.
  files smallint not null default 0,
  foreign key (client_id, device_uid) references devices (client_id, uid) on delete cascade
);
create index device_outbox_waiting on device_outbox (client_id, device_uid, position) where acknowledged_at is null;
create index device_outbox_device on device_outbox (client_id, device_uid, position desc);
grant select, insert, update on device_outbox to floorcast_app;
grant select, insert, update, delete on device_outbox to floorcast_jobs;

-- The newest screenshot and the newest log that a device has sent. Kept here and not in the file store: there are at most two of a
-- device, they go with it, and nobody has to collect what is left over.
create table device_files (
  client_id uuid not null,
  device_uid uuid not null,
  kind text not null check (kind in ('screenshot', 'log')),
  content_type text not null check (content_type in ('image/jpeg', 'image/png', 'text/plain')),
  content bytea not null check (length(content) between 1 and 1048576),
  made_at timestamptz not null,
  primary key (device_uid, kind),
  foreign key (client_id, device_uid) references devices (client_id, uid) on delete cascade
);
-- Pictures are compressed already.
alter table device_files alter column content set storage external;
create index device_files_made on device_files (client_id, made_at);
grant select, insert, update on device_files to floorcast_app;
grant select, delete on device_files to floorcast_jobs;

-- Manifests: docs/decisions/0138, 0157. What a playlist plays is a document, the same for every device. A manifest is small and is
-- not stored: a device keeps its number, its hash and the revisions that it was made of. A change raises the revision of a
-- group or of the client, one row, whatever the number of devices.
create table programmes (
  client_id uuid not null references clients (uid) on delete cascade,
  sha256 text not null,
  -- JSON, compressed with gzip; the hash is of the JSON.
  body bytea not null,
  made_at timestamptz not null,
  primary key (client_id, sha256)
);
alter table programmes alter column body set storage external;
grant select, insert, update, delete on programmes to floorcast_app, floorcast_jobs;

create table client_manifests (
  client_id uuid primary key references clients (uid) on delete cascade,
  revision bigint not null default 1
);
grant select, insert, update on client_manifests to floorcast_app, floorcast_jobs;
grant select on client_manifests to floorcast_ingest;
create policy all_clients on client_manifests for select to floorcast_ingest using (true);

create table group_manifests (
  group_uid uuid primary key,
  client_id uuid not null,
  revision bigint not null default 1,
  -- Transactions below this id may hold changes that the group's part of the manifests lacks; 0: not known yet; null: none.
  pending_below bigint,
  foreign key (client_id, group_uid) references groups (client_id, uid) on delete cascade
);
create index group_manifests_client on group_manifests (client_id);
grant select, insert, update on group_manifests to floorcast_app, floorcast_jobs;
grant select (client_id, group_uid, revision) on group_manifests to floorcast_ingest;
create policy all_clients on group_manifests for select to floorcast_ingest using (true);

create table device_manifests (
  device_uid uuid primary key,
  client_id uuid not null,
  -- Only grows, so that a 304 costs one indexed read.
  generation bigint not null default 0,
  etag text not null default '',
  -- Grows with each change of what is the device's own.
  own_revision bigint not null default 1,
  -- The revisions and the group that the manifest was made of; null: it is to be made again.
  made_own_revision bigint,
  made_group_uid uuid,
  made_group_revision bigint,
  made_client_revision bigint,
  -- The uids of the open alerts that it names.
  made_alerts text not null default '',
  foreign key (client_id, device_uid) references devices (client_id, uid) on delete cascade
) with (fillfactor = 70);
create index device_manifests_client on device_manifests (client_id);
grant select, insert, update, delete on device_manifests to floorcast_app;
-- A job that measures loudness changes what devices must know.
grant select, insert, update on device_manifests to floorcast_jobs;
create policy all_clients on device_manifests for select to floorcast_ingest using (true);
grant select (client_id, device_uid, etag, own_revision, made_own_revision, made_group_uid, made_group_revision,
  made_client_revision, made_alerts) on device_manifests to floorcast_ingest;

-- A device has its row from the start. A transaction that added it later waited for the one that had locked the device, which
-- waited for the row: the first manifest of a device that joined a group in that instant ended in a deadlock.
create function give_manifest() returns trigger language plpgsql as $$
begin
  insert into device_manifests (device_uid, client_id) values (new.uid, new.client_id);
  return null;
end
$$;
create trigger give_manifest after insert on devices for each row execute function give_manifest();

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
-- The map reads these tags of all devices.
create index tags_place on tags (client_id, key, device_uid, group_uid) include (value)
  where key in ('latitude', 'longitude', 'country');
grant select, insert, update, delete on tags to floorcast_app;
grant select on tags to floorcast_jobs;
create policy all_clients on tags for select to floorcast_ingest using (true);
grant select (client_id, device_uid, group_uid, key, value) on tags to floorcast_ingest;
