-- Media items, the versions of their files, uploads, and storage reserved while an upload runs.

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
  -- Of the newest file, for lists that sort by them; triggers write them.
  uploaded_at timestamptz,
  size_bytes bigint,
  duration_seconds double precision,
  -- Who made and owns a recording, as rights societies ask for it: read from the file's tags, edited by users; '' where not
  -- known. docs/decisions/0196.
  artist text not null default '',
  title text not null default '',
  isrc text not null default '' check (isrc ~ '^([A-Z]{2}[A-Z0-9]{3}[0-9]{7})?$'),
  composer text not null default '',
  publisher text not null default '',
  -- What the newest file has in the place of an ISRC and is none.
  invalid_isrc text not null default '',
  -- An ISRC is found with its hyphens too.
  search_text text not null generated always as (
    fold(name || E'\x1f' || description || E'\x1f' || original_name || E'\x1f' || artist || E'\x1f' || title || E'\x1f' || isrc
      || E'\x1f' || regexp_replace(isrc, '^(..)(...)(..)(.....)$', '\1-\2-\3-\4'))) stored,
  sort_name text collate "C" not null generated always as (sort_key(name)) stored,
  sort_original_name text collate "C" not null generated always as (sort_key(original_name)) stored,
  sort_artist text collate "C" not null generated always as (sort_key(artist)) stored,
  unique (client_id, uid)
);
-- A file of this name already exists (902): within client and kind, the bin excluded.
create unique index media_items_original_name on media_items (client_id, content_type, original_name) where deleted_at is null;
create index media_items_bin on media_items (client_id, deleted_at) where deleted_at is not null;
create index media_items_name on media_items (client_id, content_type, sort_name, uid) where deleted_at is null;
create index media_items_original_order on media_items (client_id, content_type, sort_original_name, uid)
  where deleted_at is null;
create index media_items_artist on media_items (client_id, content_type, sort_artist, uid) where deleted_at is null;
create index media_items_description on media_items (client_id, content_type, lower(description), uid) where deleted_at is null;
create index media_items_uploaded on media_items (client_id, content_type, uploaded_at, uid) where deleted_at is null;
create index media_items_size on media_items (client_id, content_type, size_bytes, uid) where deleted_at is null;
create index media_items_duration on media_items (client_id, content_type, duration_seconds, uid) where deleted_at is null;
create index media_items_version on media_items (client_id, content_type, file_version, uid) where deleted_at is null;
-- The report counts the plays of a recording's items together.
create index media_items_isrc on media_items (client_id, isrc) where isrc <> '';
create index media_items_search on media_items using gin (search_keys(client_id, search_text))
  with (gin_pending_list_limit = 256) where deleted_at is null;
grant select, insert, update, delete on media_items to floorcast_app;
grant select, delete on media_items to floorcast_jobs;
-- A queue fills empty credits.
grant update (artist, title, isrc, composer, publisher, invalid_isrc, changed_at, version) on media_items to floorcast_jobs;
create policy search on media_items for select to floorcast_search using (true);
grant select (uid, client_id, content_type, search_text, deleted_at) on media_items to floorcast_search;

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
  -- False for the files of 2.775.0, whose tags a queue reads after the upgrade.
  are_tags_read boolean not null default true,
  primary key (media_uid, file_version),
  foreign key (client_id, media_uid) references media_items (client_id, uid) on delete cascade,
  check ((loudness_state = 'measured') = (integrated_lufs is not null and true_peak_dbtp is not null))
);
create index media_files_sha256 on media_files (client_id, sha256);
-- The file that has waited longest is found without reading all that wait.
create index media_files_pending on media_files (client_id, uploaded_at) where loudness_state = 'pending';
create index media_files_unread_tags on media_files (client_id) where not are_tags_read;
grant select, insert, update, delete on media_files to floorcast_app;
-- The jobs' role measures files and removes them, and adds none.
grant select, update, delete on media_files to floorcast_jobs;

-- Files are added after their item, and an item's version grows after the file of that version came, so both are looked at.
create function note_newest_files() returns trigger language plpgsql as $$
begin
  update media_items m
     set uploaded_at = f.uploaded_at, size_bytes = f.size_bytes, duration_seconds = f.duration_seconds
    from added f where m.uid = f.media_uid and m.file_version = f.file_version;
  return null;
end
$$;
create trigger note_newest_files after insert on media_files
  referencing new table as added for each statement execute function note_newest_files();

create function take_newest_file() returns trigger language plpgsql as $$
begin
  select f.uploaded_at, f.size_bytes, f.duration_seconds
    into new.uploaded_at, new.size_bytes, new.duration_seconds
    from media_files f where f.media_uid = new.uid and f.file_version = new.file_version;
  return new;
end
$$;
create trigger take_newest_file before update of file_version on media_items
  for each row when (old.file_version <> new.file_version) execute function take_newest_file();

-- Every file that a media item has or had, with its length as the server measured it. It outlives the file: a play arrives up to
-- ninety days late, and counts only if its client had the file. docs/decisions/0253.
create table media_lengths (
  client_id uuid not null references clients (uid) on delete cascade,
  media_uid uuid not null,
  sha256 text not null,
  content_type text not null,
  duration_seconds double precision not null,
  -- The first day on which the maintenance found no such file. Null: there is one.
  gone_on date,
  primary key (client_id, media_uid, sha256)
);
create policy all_clients on media_lengths for select to floorcast_ingest using (true);
grant select on media_lengths to floorcast_ingest;
grant select, insert, update on media_lengths to floorcast_app;
grant select, insert, update, delete on media_lengths to floorcast_jobs;

create function keep_media_length() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  insert into media_lengths (client_id, media_uid, sha256, content_type, duration_seconds)
  select new.client_id, new.media_uid, new.sha256, m.content_type, new.duration_seconds
  from media_items m where m.uid = new.media_uid and m.client_id = new.client_id
  on conflict (client_id, media_uid, sha256) do update set duration_seconds = excluded.duration_seconds, gone_on = null;
  return null;
end
$$;
create trigger keep_media_length after insert or update of sha256, duration_seconds on media_files
  for each row execute function keep_media_length();

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
grant select, insert, update, delete on storage_reservations to floorcast_app, floorcast_jobs;

-- Uploads that may be interrupted and gone on with. Their bytes lie on a server's disk until the last one has come; the
-- storage that each holds is the reservation of the same uid.
create table uploads (
  uid uuid primary key,
  client_id uuid not null,
  user_uid uuid not null,
  content_type text not null check (content_type in ('videos', 'videosAds', 'ads', 'melodies')),
  original_name text not null,
  size_bytes bigint not null check (size_bytes > 0),
  -- What the sender said of the file: decoded Upload-Metadata.
  metadata jsonb not null,
  -- How it ended; kept a while for a sender that lost the last answer.
  outcome jsonb,
  created_at timestamptz not null,
  -- A day after the last byte came, or after it ended.
  expires_at timestamptz not null,
  foreign key (client_id, user_uid) references users (client_id, uid) on delete cascade
);
create index uploads_user on uploads (client_id, user_uid, expires_at);
grant select, insert, update, delete on uploads to floorcast_app;
grant select, delete on uploads to floorcast_jobs;
