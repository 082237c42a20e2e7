-- Media items, the versions of their files, and storage reserved while an upload runs.

create table media_items (
  uid uuid primary key,
  client_id uuid not null references clients (uid) on delete cascade,
  content_type text not null check (content_type in ('videos', 'videosAds', 'ads', 'melodies')),
  name text not null,
  description text not null default '',
  original_name text not null,
  -- The newest file's version, from 1.
  file_version integer not null default 1,
  preview_sha256 text check (preview_sha256 ~ '^[0-9a-f]{64}$'),
  preview_mime_type text,
  preview_size_bytes bigint not null default 0,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  version integer not null default 1,
  deleted_at timestamptz,
  deleted_by uuid,
  unique (client_id, uid)
);
-- A file of this name already exists (902): within client and kind, the bin excluded.
create unique index media_items_original_name on media_items (client_id, content_type, original_name)
  where deleted_at is null;
create index media_items_name on media_items (client_id, content_type, name) where deleted_at is null;
create index media_items_changed on media_items (client_id, content_type, changed_at) where deleted_at is null;
create index media_items_bin on media_items (client_id, deleted_at) where deleted_at is not null;
select fence_tenant_table('media_items');
grant select, insert, update on media_items to floorcast_app;
grant select, delete on media_items to floorcast_jobs;

create table media_files (
  media_uid uuid not null,
  file_version integer not null check (file_version >= 1),
  client_id uuid not null,
  sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
  mime_type text not null,
  size_bytes bigint not null check (size_bytes > 0),
  duration_seconds double precision not null check (duration_seconds > 0),
  bit_rate integer,
  sample_rate integer,
  channels smallint,
  width integer,
  height integer,
  -- False for an MP3 without LAME's delay and padding.
  is_gapless boolean not null default false,
  loudness_state text not null default 'pending' check (loudness_state in ('pending', 'measured', 'not-measured')),
  -- EBU R128: LUFS, dBTP.
  integrated_lufs double precision,
  true_peak_dbtp double precision,
  uploaded_at timestamptz not null,
  uploaded_by uuid,
  primary key (media_uid, file_version),
  foreign key (client_id, media_uid) references media_items (client_id, uid) on delete cascade,
  check ((loudness_state = 'measured') = (integrated_lufs is not null and true_peak_dbtp is not null))
);
create index media_files_sha256 on media_files (client_id, sha256);
create index media_files_pending on media_files (client_id) where loudness_state = 'pending';
select fence_tenant_table('media_files');
grant select, insert, update, delete on media_files to floorcast_app, floorcast_jobs;

-- Bytes held for an upload that runs (903 counts them); forgotten when it ends or expires.
create table storage_reservations (
  uid uuid primary key,
  client_id uuid not null references clients (uid) on delete cascade,
  user_uid uuid,
  size_bytes bigint not null check (size_bytes >= 0),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index storage_reservations_client on storage_reservations (client_id, expires_at);
select fence_tenant_table('storage_reservations');
grant select, insert, update, delete on storage_reservations to floorcast_app, floorcast_jobs;
