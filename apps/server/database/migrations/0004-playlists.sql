-- Playlists with their items, and publications.

create table playlists (
  uid uuid primary key,
  client_id uuid not null references clients (uid) on delete cascade,
  kind text not null check (kind in ('audio', 'video')),
  form text not null default 'simple' check (form in ('simple', 'smart')),
  name text not null,
  description text not null default '',
  state text not null default 'paused' check (state in ('active', 'paused')),
  crossfade_seconds double precision not null default 0 check (crossfade_seconds between 0 and 10),
  -- Inclusive, in the device's zone; null: not limited.
  start_date date,
  end_date date,
  -- A smart playlist's draft, seed and planned blocks; null for a simple one.
  draft jsonb,
  plan jsonb,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  version integer not null default 1,
  deleted_at timestamptz,
  deleted_by uuid,
  unique (client_id, uid),
  check (start_date <= end_date)
);
create index playlists_name on playlists (client_id, name) where deleted_at is null;
create index playlists_changed on playlists (client_id, changed_at) where deleted_at is null;
create index playlists_bin on playlists (client_id, deleted_at) where deleted_at is not null;
select fence_tenant_table('playlists');
grant select, insert, update on playlists to floorcast_app;
grant select, delete on playlists to floorcast_jobs;

create table playlist_items (
  uid uuid primary key,
  client_id uuid not null,
  playlist_uid uuid not null,
  media_uid uuid not null,
  -- A smart playlist pins the file it was planned with; null: the newest.
  pinned_file_version integer,
  -- From 1, dense.
  position integer not null check (position >= 1),
  repeat_count integer check (repeat_count between 1 and 1000),
  replay_seconds double precision check (replay_seconds > 0),
  -- Once a day at the first track boundary at or after this wall time; null: part of the loop.
  start_time time,
  foreign key (client_id, playlist_uid) references playlists (client_id, uid) on delete cascade,
  foreign key (client_id, media_uid) references media_items (client_id, uid),
  check (num_nonnulls(repeat_count, replay_seconds) = 1),
  -- Deferred, so that a move may pass through positions that are taken.
  constraint playlist_items_position unique (client_id, playlist_uid, position) deferrable initially deferred
);
create index playlist_items_media on playlist_items (client_id, media_uid);
select fence_tenant_table('playlist_items');
grant select, insert, update, delete on playlist_items to floorcast_app;
grant select, delete on playlist_items to floorcast_jobs;

create table publications (
  uid uuid primary key,
  client_id uuid not null references clients (uid) on delete cascade,
  kind text not null check (kind in ('audio', 'video')),
  name text not null,
  description text not null default '',
  group_uid uuid not null,
  playlist_uid uuid not null,
  -- What the group played before the last replace.
  former_playlist_uid uuid,
  -- As stored; one that waits is in force once its moment has passed.
  state text not null default 'disabled' check (state in ('active', 'delayed', 'disabled')),
  activated_at timestamptz,
  -- A delayed one has exactly one of these: an instant, or a wall time in each device's zone.
  starts_at timestamptz,
  starts_at_wall timestamp,
  -- Grows whenever what its devices need changes; readiness is counted by it.
  revision integer not null default 1,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  version integer not null default 1,
  deleted_at timestamptz,
  deleted_by uuid,
  foreign key (client_id, group_uid) references groups (client_id, uid),
  foreign key (client_id, playlist_uid) references playlists (client_id, uid),
  foreign key (client_id, former_playlist_uid) references playlists (client_id, uid)
    on delete set null (former_playlist_uid),
  unique (client_id, uid),
  check (state <> 'delayed' or num_nonnulls(starts_at, starts_at_wall) = 1),
  check (state = 'disabled' or (activated_at is not null and deleted_at is null))
);
-- One in force and one waiting for each group.
create unique index publications_in_force on publications (client_id, group_uid) where state = 'active';
create unique index publications_waiting on publications (client_id, group_uid) where state = 'delayed';
create index publications_group on publications (client_id, group_uid);
create index publications_playlist on publications (client_id, playlist_uid);
create index publications_former_playlist on publications (client_id, former_playlist_uid)
  where former_playlist_uid is not null;
create index publications_name on publications (client_id, name) where deleted_at is null;
create index publications_changed on publications (client_id, changed_at) where deleted_at is null;
create index publications_bin on publications (client_id, deleted_at) where deleted_at is not null;
select fence_tenant_table('publications');
grant select, insert, update on publications to floorcast_app;
grant select, delete on publications to floorcast_jobs;

-- What each device holds of a publication's revision: its readiness.
create table publication_holdings (
  publication_uid uuid not null,
  device_uid uuid not null,
  client_id uuid not null,
  revision integer not null,
  -- Files still missing.
  missing integer not null check (missing >= 0),
  reported_at timestamptz not null,
  primary key (publication_uid, device_uid),
  foreign key (client_id, publication_uid) references publications (client_id, uid) on delete cascade,
  foreign key (client_id, device_uid) references devices (client_id, uid) on delete cascade
) with (fillfactor = 70);
create index publication_holdings_device on publication_holdings (client_id, device_uid);
select fence_tenant_table('publication_holdings');
grant select on publication_holdings to floorcast_app;
grant select, insert, update on publication_holdings to floorcast_ingest;
create policy all_clients on publication_holdings to floorcast_ingest using (true) with check (true);
