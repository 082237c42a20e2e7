-- A device is found by the names of its group and of the publication and playlist that it plays, too. These were read anew for
-- each search: 3,000 names and 3,000 pages for 100,000 devices, 6 of its 8 ms. Now keys of them are kept, as of devices'
-- own texts, and only groups that a term finds are looked up. docs/decisions/0137.

-- Of a publication that is on or waits: its name and its playlist's, in lower case; null while it is off. Whoever turns one
-- on or gives it another playlist has locked that playlist (deployments/publication-states.ts), so a new name of it
-- cannot slip between; and what a heartbeat or a revision changes is not in here, so that such an update stays in its page.
alter table publications add column on_air_words text;

create function take_on_air_words() returns trigger
language plpgsql
as $$
begin
  new.on_air_words := case when new.state <> 'disabled' then lower(new.name) || E'\x1f'
    || (select l.sort_name from playlists l where l.client_id = new.client_id and l.uid = new.playlist_uid) end;
  return new;
end
$$;
create trigger take_on_air_words before insert or update of name, state, playlist_uid on publications
  for each row execute function take_on_air_words();

create function pass_playlist_name_on() returns trigger
language plpgsql
as $$
begin
  update publications p set on_air_words = lower(p.name) || E'\x1f' || new.sort_name
   where p.client_id = new.client_id and p.playlist_uid = new.uid and p.state <> 'disabled';
  return null;
end
$$;
create trigger pass_playlist_name_on after update of name on playlists
  for each row when (old.name <> new.name) execute function pass_playlist_name_on();

-- The owner is bound by row-level security too, and has no client.
alter table publications no force row level security;
alter table playlists no force row level security;
update publications p set on_air_words = lower(p.name) || E'\x1f' || l.sort_name
  from playlists l where l.uid = p.playlist_uid and p.state <> 'disabled';
alter table publications force row level security;
alter table playlists force row level security;

create index publications_search on publications using gin (search_keys(client_id, on_air_words))
  with (gin_pending_list_limit = 256) where on_air_words is not null;
create index groups_search on groups using gin (search_keys(client_id, lower(name)))
  with (gin_pending_list_limit = 256);

create policy search on publications for select to floorcast_search using (true);
create policy search on groups for select to floorcast_search using (true);
grant select (uid, client_id, group_uid, on_air_words) on publications to floorcast_search;
grant select (uid, client_id, name) on groups to floorcast_search;

-- For each term, by its place among them: the groups of the client that is set with it in their name; and those with it in
-- the names of a publication that is on or waits and of its playlist, with that publication. Which is in force depends
-- on the time and the group's zone: the caller asks.
-- Only a bitmap of the keys' index never makes a row's keys anew (0.2 ms each), and the planner counts that cost either way:
-- a term that all groups have would be looked for without the index, and with `=` the id's index be read beside it.
create function search_groups(terms text[])
returns table (term_nr integer, group_uid uuid, publication_uid uuid)
language plpgsql stable security definer
set search_path = public, pg_temp set enable_seqscan = off set enable_indexscan = off
as $$
declare
  owner uuid := nullif(current_setting('app.client_id', true), '')::uuid;
  term text;
  keys bigint[];
begin
  for nr in 1 .. cardinality(terms) loop
    term := lower(terms[nr]);
    keys := sought_keys(owner, term);
    return query
      select nr, g.uid, null::uuid from groups g
      where g.client_id is not distinct from owner
        and search_keys(g.client_id, lower(g.name)) @> keys and strpos(lower(g.name), term) > 0
      union all
      select nr, p.group_uid, p.uid from publications p
      where p.client_id is not distinct from owner and p.on_air_words is not null
        and search_keys(p.client_id, p.on_air_words) @> keys and strpos(p.on_air_words, term) > 0;
  end loop;
end
$$;
grant execute on function search_groups to floorcast_app;
alter function search_groups owner to floorcast_search;
