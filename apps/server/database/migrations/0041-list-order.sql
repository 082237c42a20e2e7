-- Lists walk an index that has their order, so a page costs what its place in the list costs and no more. Each begins
-- with the client and ends with the uid that makes the order total. Deep pages skip entries of the index alone, so what
-- lists filter by most often stands in it too. docs/decisions/0111.

drop index devices_name, devices_changed;
create index devices_name on devices (client_id, sort_name, uid) include (kind, group_uid) where deleted_at is null;
create index devices_changed on devices (client_id, changed_at, uid) include (kind, group_uid) where deleted_at is null;
create index devices_kind on devices (client_id, kind, uid) where deleted_at is null;
create index devices_free on devices (client_id, changed_at, uid) include (kind)
  where deleted_at is null and group_uid is null;

drop index playlists_name, playlists_changed;
create index playlists_name on playlists (client_id, sort_name, uid) include (kind, state, form) where deleted_at is null;
create index playlists_changed on playlists (client_id, changed_at, uid) include (kind, state, form)
  where deleted_at is null;

-- What media are sorted by, of their newest file. Files are added after their item, and an item's version grows after the
-- file of that version came, so both are looked at.
alter table media_items
  add column uploaded_at timestamptz,
  add column size_bytes bigint,
  add column duration_seconds double precision;
update media_items m
   set uploaded_at = f.uploaded_at, size_bytes = f.size_bytes, duration_seconds = f.duration_seconds
  from media_files f where f.media_uid = m.uid and f.file_version = m.file_version;

create function note_newest_files() returns trigger
language plpgsql
as $$
begin
  update media_items m
     set uploaded_at = f.uploaded_at, size_bytes = f.size_bytes, duration_seconds = f.duration_seconds
    from added f where m.uid = f.media_uid and m.file_version = f.file_version;
  return null;
end
$$;
create trigger note_newest_files after insert on media_files
  referencing new table as added for each statement execute function note_newest_files();

-- The jobs' role measures files and removes them, and adds none.
revoke insert on media_files from floorcast_jobs;

create function take_newest_file() returns trigger
language plpgsql
as $$
begin
  select f.uploaded_at, f.size_bytes, f.duration_seconds
    into new.uploaded_at, new.size_bytes, new.duration_seconds
    from media_files f where f.media_uid = new.uid and f.file_version = new.file_version;
  return new;
end
$$;
create trigger take_newest_file before update of file_version on media_items
  for each row when (old.file_version <> new.file_version) execute function take_newest_file();

drop index media_items_name, media_items_changed;
create index media_items_name on media_items (client_id, content_type, sort_name, uid) where deleted_at is null;
create index media_items_original_order on media_items (client_id, content_type, lower(original_name), uid)
  where deleted_at is null;
create index media_items_description on media_items (client_id, content_type, lower(description), uid)
  where deleted_at is null;
create index media_items_uploaded on media_items (client_id, content_type, uploaded_at, uid) where deleted_at is null;
create index media_items_size on media_items (client_id, content_type, size_bytes, uid) where deleted_at is null;
create index media_items_duration on media_items (client_id, content_type, duration_seconds, uid)
  where deleted_at is null;
create index media_items_version on media_items (client_id, content_type, file_version, uid) where deleted_at is null;

-- The audit is read newest first; entries of one transaction have one time.
drop index audit_entries_newest;
create index audit_entries_newest on audit_entries (client_id, at, uid);
