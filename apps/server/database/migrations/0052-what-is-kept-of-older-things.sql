-- 0041 and 0042 filled what is kept of media and of totals as the owner, whom row-level security binds too and who has no client:
-- in a database that had things before, nothing was filled. Filled now; where it was, it stays the same.

alter table media_items no force row level security;
alter table media_files no force row level security;
alter table devices no force row level security;
alter table playlists no force row level security;
alter table list_counts no force row level security;

update media_items m
   set uploaded_at = f.uploaded_at, size_bytes = f.size_bytes, duration_seconds = f.duration_seconds
  from media_files f where f.media_uid = m.uid and f.file_version = m.file_version and m.uploaded_at is null;

delete from list_counts;
insert into list_counts (client_id, list, kind, change)
select client_id, 'devices', kind, count(*) from devices where deleted_at is null group by client_id, kind
union all
select client_id, 'playlists', kind, count(*) from playlists where deleted_at is null group by client_id, kind
union all
select client_id, 'media', content_type, count(*) from media_items where deleted_at is null group by client_id, content_type;

alter table media_items force row level security;
alter table media_files force row level security;
alter table devices force row level security;
alter table playlists force row level security;
alter table list_counts force row level security;
