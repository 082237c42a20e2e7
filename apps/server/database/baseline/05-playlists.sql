-- Playlists with their items, and publications with what devices hold of them.

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
  draft jsonb,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  version integer not null default 1,
  deleted_at timestamptz,
  deleted_by uuid,
  -- Of a smart playlist. Wall times; an end of 23:59 means midnight, an end before the start is the next day's.
  window_start time,
  window_end time,
  -- What the planned day comes to: plays, and seconds of content.
  planned_plays integer check (planned_plays >= 0),
  planned_seconds double precision check (planned_seconds >= 0),
  -- A playlist that is on the air is edited as a copy, which takes its place when it is done.
  edit_of_uid uuid,
  search_text text not null generated always as (fold(name || E'\x1f' || description)) stored,
  sort_name text collate "C" not null generated always as (sort_key(name)) stored,
  unique (client_id, uid),
  check (start_date <= end_date),
  foreign key (client_id, edit_of_uid) references playlists (client_id, uid) on delete set null (edit_of_uid),
  constraint playlists_plan check (
    num_nonnulls(draft, window_start, window_end, planned_plays, planned_seconds) =
      case form when 'smart' then 5 else 0 end)
);
comment on column playlists.draft is 'What the wizard was told, but for the lists (playlist_items) and what has a column';
comment on column playlists.edit_of_uid is 'The playlist that this one was made of to take its place';
create index playlists_name on playlists (client_id, sort_name, uid) include (kind, state, form) where deleted_at is null;
create index playlists_changed on playlists (client_id, changed_at, uid) include (kind, state, form) where deleted_at is null;
create index playlists_edit_of on playlists (client_id, edit_of_uid) where edit_of_uid is not null;
create index playlists_bin on playlists (client_id, deleted_at) where deleted_at is not null;
create index playlists_search on playlists using gin (search_keys(client_id, search_text))
  with (gin_pending_list_limit = 256) where deleted_at is null;
grant select, insert, update, delete on playlists to floorcast_app;
grant select, delete on playlists to floorcast_jobs;
create policy search on playlists for select to floorcast_search using (true);
grant select (uid, client_id, kind, search_text, deleted_at) on playlists to floorcast_search;

-- The tracks of a smart playlist's two lists, background first, are its items: what uses a media item is looked for in
-- one place.
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
  weight double precision check (weight > 0),
  -- In the planned day; 0: in the list, but never heard.
  planned_plays integer check (planned_plays >= 0),
  -- The track's length in the plan: a new file that is as long to within 0.05 s takes the pinned one's place.
  planned_seconds double precision check (planned_seconds > 0),
  foreign key (client_id, playlist_uid) references playlists (client_id, uid) on delete cascade,
  foreign key (client_id, media_uid) references media_items (client_id, uid),
  check (num_nonnulls(repeat_count, replay_seconds) = 1),
  -- Deferred, so that a move may pass through positions that are taken.
  constraint playlist_items_position unique (client_id, playlist_uid, position) deferrable initially deferred
);
create index playlist_items_media on playlist_items (client_id, media_uid);
grant select, insert, update, delete on playlist_items to floorcast_app;
grant select, delete on playlist_items to floorcast_jobs;

-- The blocks of a smart playlist's day.
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
grant select, insert, delete on playlist_blocks to floorcast_app;
grant select, delete on playlist_blocks to floorcast_jobs;

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
  -- While it is on or waits: its name and its playlist's, folded; null while it is off. A transaction that turns one on or gives
  -- it another playlist has locked that playlist (publication-states.ts), so a new name of it cannot slip between. Nothing
  -- that a heartbeat or a revision changes is in here, so that such an update stays in its page.
  on_air_words text,
  sort_name text collate "C" not null generated always as (sort_key(name)) stored,
  foreign key (client_id, group_uid) references groups (client_id, uid),
  foreign key (client_id, playlist_uid) references playlists (client_id, uid),
  foreign key (client_id, former_playlist_uid) references playlists (client_id, uid) on delete set null (former_playlist_uid),
  unique (client_id, uid),
  check (state <> 'delayed' or num_nonnulls(starts_at, starts_at_wall) = 1),
  check (state = 'disabled' or (activated_at is not null and deleted_at is null))
);
-- One in force and one waiting for each group.
create unique index publications_in_force on publications (client_id, group_uid) where state = 'active';
create unique index publications_waiting on publications (client_id, group_uid) where state = 'delayed';
create index publications_group on publications (client_id, group_uid);
create index publications_playlist on publications (client_id, playlist_uid);
create index publications_former_playlist on publications (client_id, former_playlist_uid) where former_playlist_uid is not null;
create index publications_name on publications (client_id, name) where deleted_at is null;
create index publications_changed on publications (client_id, changed_at) where deleted_at is null;
create index publications_bin on publications (client_id, deleted_at) where deleted_at is not null;
create index publications_search on publications using gin (search_keys(client_id, on_air_words))
  with (gin_pending_list_limit = 256) where on_air_words is not null;
grant select, insert, update, delete on publications to floorcast_app;
grant select, delete on publications to floorcast_jobs;
-- Whether what a device reports about still exists: a foreign key that fails would refuse the whole report.
create policy all_clients on publications for select to floorcast_ingest using (true);
grant select (uid, client_id) on publications to floorcast_ingest;
create policy concerned on publications for select to floorcast_definer using (true);
grant select (client_id, group_uid, uid) on publications to floorcast_definer;
create policy search on publications for select to floorcast_search using (true);
grant select (uid, client_id, group_uid, on_air_words) on publications to floorcast_search;

create function take_on_air_words() returns trigger language plpgsql as $$
begin
  new.on_air_words := case when new.state <> 'disabled' then fold(new.name) || E'\x1f'
    || (select fold(l.name) from playlists l where l.client_id = new.client_id and l.uid = new.playlist_uid) end;
  return new;
end
$$;
create trigger take_on_air_words before insert or update of name, state, playlist_uid on publications
  for each row execute function take_on_air_words();

create function pass_playlist_name_on() returns trigger language plpgsql as $$
begin
  update publications p set on_air_words = fold(p.name) || E'\x1f' || fold(new.name)
   where p.client_id = new.client_id and p.playlist_uid = new.uid and p.state <> 'disabled';
  return null;
end
$$;
create trigger pass_playlist_name_on after update of name on playlists
  for each row when (old.name <> new.name) execute function pass_playlist_name_on();

-- How far each device has a publication's revision: its readiness.
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
grant select, delete on publication_holdings to floorcast_app, floorcast_jobs;
grant select, insert, update on publication_holdings to floorcast_ingest;
create policy all_clients on publication_holdings to floorcast_ingest using (true) with check (true);

-- How many devices hold a publication, counted as they report: counting a group of 50,000 for each look took half a second.
-- Every change adds a row and changes none, as in list_counts. docs/decisions/0164.
create table publication_counts (
  client_id uuid not null,
  publication_uid uuid not null,
  revision integer not null,
  holding bigint not null,
  reported bigint not null,
  foreign key (client_id, publication_uid) references publications (client_id, uid) on delete cascade
);
create index publication_counts_sum on publication_counts (client_id, publication_uid, revision) include (holding, reported);
create policy all_clients on publication_counts for insert to floorcast_ingest with check (true);
grant select, insert on publication_counts to floorcast_app;
grant insert on publication_counts to floorcast_ingest;
grant select, insert, delete on publication_counts to floorcast_jobs;

-- Only devices of the publication's group hold it: a device that left the group reports it until it has a new manifest.
create function is_concerned(device uuid, publication uuid) returns boolean
language sql stable security definer set search_path = public, pg_temp as $$
  select exists (select from devices d join publications p on p.uid = publication and p.group_uid = d.group_uid
    where d.uid = device and p.client_id = d.client_id)
$$;

create function skip_unconcerned() returns trigger language plpgsql as $$
begin
  return case when is_concerned(new.device_uid, new.publication_uid) then new end;
end
$$;
create trigger skip_unconcerned before insert on publication_holdings for each row execute function skip_unconcerned();

create function count_holdings_added() returns trigger language plpgsql as $$
begin
  insert into publication_counts (client_id, publication_uid, revision, holding, reported)
  select client_id, publication_uid, revision, count(*) filter (where missing = 0), count(*)
  from added group by client_id, publication_uid, revision;
  return null;
end
$$;
create trigger count_added after insert on publication_holdings referencing new table as added
  for each statement execute function count_holdings_added();

create function count_holdings_removed() returns trigger language plpgsql as $$
begin
  -- A publication that goes takes its counts along.
  insert into publication_counts (client_id, publication_uid, revision, holding, reported)
  select r.client_id, r.publication_uid, r.revision, -count(*) filter (where r.missing = 0), -count(*)
  from removed r where exists (select from publications p where p.uid = r.publication_uid)
  group by r.client_id, r.publication_uid, r.revision;
  return null;
end
$$;
create trigger count_removed after delete on publication_holdings referencing old table as removed
  for each statement execute function count_holdings_removed();

create function count_holdings_changed() returns trigger language plpgsql as $$
begin
  insert into publication_counts (client_id, publication_uid, revision, holding, reported)
  select client_id, publication_uid, revision, sum(holding), sum(reported)
  from (
    select client_id, publication_uid, revision, (missing = 0)::int as holding, 1 as reported from added
    union all
    select client_id, publication_uid, revision, -(missing = 0)::int, -1 from removed
  ) as change
  group by client_id, publication_uid, revision having sum(holding) <> 0 or sum(reported) <> 0;
  return null;
end
$$;
create trigger count_changed after update on publication_holdings referencing old table as removed new table as added
  for each statement execute function count_holdings_changed();
