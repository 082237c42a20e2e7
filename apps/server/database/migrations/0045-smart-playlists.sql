-- A smart playlist: its window, the blocks of its day, and the draft that they were planned from.

-- Nothing ever filled it: a day is kept block by block.
alter table playlists drop column plan;
alter table playlists
  -- Wall times; an end of 23:59 means midnight, an end before the start is the next day's.
  add column window_start time,
  add column window_end time,
  -- What the planned day comes to: plays, and seconds of content.
  add column planned_plays integer check (planned_plays >= 0),
  add column planned_seconds double precision check (planned_seconds >= 0),
  add constraint playlists_plan check (
    num_nonnulls(draft, window_start, window_end, planned_plays, planned_seconds) =
      case form when 'smart' then 5 else 0 end);
comment on column playlists.draft is 'What the wizard was told, but for the lists (playlist_items) and what has a column';

-- The tracks of a smart playlist's two lists, background first, are its items: what uses a media item is looked for in
-- one place. Each pins the file that it was planned with.
alter table playlist_items
  add column weight double precision check (weight > 0),
  -- In the planned day; 0: in the list, but never heard.
  add column planned_plays integer check (planned_plays >= 0),
  -- The track's length in the plan: a new file that is as long to within 0.05 s takes the pinned one's place.
  add column planned_seconds double precision check (planned_seconds > 0);

create table playlist_blocks (
  client_id uuid not null,
  playlist_uid uuid not null,
  -- From 1, dense.
  position integer not null check (position >= 1),
  kind text not null check (kind in ('melody', 'ad')),
  -- From the window's start.
  start_seconds double precision not null,
  duration_seconds double precision not null,
  -- Play by play: the item's position, and when it starts, in seconds from the window's start.
  tracks integer[] not null check (cardinality(tracks) > 0),
  starts double precision[] not null,
  primary key (client_id, playlist_uid, position),
  foreign key (client_id, playlist_uid) references playlists (client_id, uid) on delete cascade,
  check (cardinality(starts) = cardinality(tracks))
);
select fence_tenant_table('playlist_blocks');
grant select, insert, delete on playlist_blocks to floorcast_app;
grant select, delete on playlist_blocks to floorcast_jobs;
