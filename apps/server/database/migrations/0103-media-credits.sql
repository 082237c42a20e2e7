-- Who made and owns a recording, as rights societies ask for it: read from the file's tags, edited by users; '' where not known.
-- docs/decisions/0196.

alter table media_items
  add column artist text not null default '',
  add column title text not null default '',
  add column isrc text not null default '' check (isrc ~ '^([A-Z]{2}[A-Z0-9]{3}[0-9]{7})?$'),
  add column composer text not null default '',
  add column publisher text not null default '',
  -- What the newest file has in the place of an ISRC and is none.
  add column invalid_isrc text not null default '';

-- False for the files of earlier releases, whose tags a queue reads after the start.
alter table media_files add column are_tags_read boolean not null default false;
alter table media_files alter column are_tags_read set default true;
create index media_files_unread_tags on media_files (client_id) where not are_tags_read;

-- The queue fills empty credits.
grant update (artist, title, isrc, composer, publisher, invalid_isrc, changed_at, version) on media_items to floorcast_jobs;

-- An ISRC is found with its hyphens too. PostgreSQL before 17 cannot change the expression of a generated column; the index
-- goes with the column.
revoke select (search_text) on media_items from floorcast_search;
alter table media_items drop column search_text;
alter table media_items
  add column search_text text not null generated always as (
    lower(name || E'\x1f' || description || E'\x1f' || original_name || E'\x1f' || artist || E'\x1f' || title || E'\x1f' || isrc
      || E'\x1f' || regexp_replace(isrc, '^(..)(...)(..)(.....)$', '\1-\2-\3-\4'))) stored;
create index media_items_search on media_items using gin (search_keys(client_id, search_text))
  with (gin_pending_list_limit = 256) where deleted_at is null;
grant select (search_text) on media_items to floorcast_search;

create index media_items_artist on media_items (client_id, content_type, lower(artist), uid) where deleted_at is null;
-- The report counts the plays of a recording's items together.
create index media_items_isrc on media_items (client_id, isrc) where isrc <> '';
