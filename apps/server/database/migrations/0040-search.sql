-- Search at size. ILIKE is not leakproof, so no index serves it behind row-level security; and pg_trgm finds no letters but
-- ASCII's in a cluster of locale C. So texts are cut into keys of our own, one to three characters each, whatever the
-- script, and a narrow role's function looks them up for the client that is set. docs/decisions/0110.

-- What a search looks into, in lower case; the unit separator stands between fields and in none.
alter table devices
  add column sort_name text not null generated always as (lower(name)) stored,
  add column search_text text not null generated always as (lower(name || E'\x1f' || description)) stored;
alter table media_items
  add column sort_name text not null generated always as (lower(name)) stored,
  add column search_text text not null
    generated always as (lower(name || E'\x1f' || description || E'\x1f' || original_name)) stored;
alter table playlists
  add column sort_name text not null generated always as (lower(name)) stored,
  add column search_text text not null generated always as (lower(name || E'\x1f' || description)) stored;

-- Every run of one, two or three characters, as numbers that another client's same text does not have. (Three arrays and
-- no distinct: the index sorts them anyway, and this takes a third of the time.)
create function search_keys(owner uuid, content text) returns bigint[]
language sql immutable strict parallel safe
as $$
  select array_agg(hashtextextended(substr(content, place, 1), uuid_hash_extended(owner, 0)))
    || array_agg(hashtextextended(substr(content, place, 2), uuid_hash_extended(owner, 0)))
    || array_agg(hashtextextended(substr(content, place, 3), uuid_hash_extended(owner, 0)))
  from generate_series(1, length(content)) place
$$;

-- The keys that a text with this term in it has, and few others do.
create function sought_keys(owner uuid, term text) returns bigint[]
language sql immutable strict parallel safe
as $$
  select array_agg(distinct hashtextextended(substr(term, place, 3), uuid_hash_extended(owner, 0)))
  from generate_series(1, greatest(length(term) - 2, 1)) place
$$;

-- Whoever writes a row writes its keys. A short list of rows waits to be put into the index, since a search reads it whole.
grant execute on function search_keys to floorcast_app, floorcast_definer, floorcast_jobs, floorcast_search;
grant execute on function sought_keys to floorcast_search;
create index devices_search on devices using gin (search_keys(client_id, search_text))
  with (gin_pending_list_limit = 256) where deleted_at is null;
create index media_items_search on media_items using gin (search_keys(client_id, search_text))
  with (gin_pending_list_limit = 256) where deleted_at is null;
create index playlists_search on playlists using gin (search_keys(client_id, search_text))
  with (gin_pending_list_limit = 256) where deleted_at is null;

create policy search on devices for select to floorcast_search using (true);
create policy search on media_items for select to floorcast_search using (true);
create policy search on playlists for select to floorcast_search using (true);
grant select (uid, client_id, kind, group_uid, search_text, deleted_at) on devices to floorcast_search;
grant select (uid, client_id, content_type, search_text, deleted_at) on media_items to floorcast_search;
grant select (uid, client_id, kind, search_text, deleted_at) on playlists to floorcast_search;

-- Up to `most` living things of the client that is set, of one kind (null: of any), that have every term in their text; a
-- device also where it is in one of the groups of that term (`by_group`: for each term an array of uids).
create function search_things(list text, of_kind text, terms text[], by_group jsonb, most integer) returns setof uuid
language plpgsql stable security definer set search_path = public, pg_temp
as $$
declare
  owner uuid := nullif(current_setting('app.client_id', true), '')::uuid;
  fenced text := case list
    when 'devices' then 'devices where ($2 is null or kind = $2)'
    when 'playlists' then 'playlists where ($2 is null or kind = $2)'
    when 'media' then 'media_items where ($2 is null or content_type = $2)' end;
  conditions text := '';
  condition text;
  term text;
  group_uids text[];
begin
  for nr in 1 .. cardinality(terms) loop
    term := lower(terms[nr]);
    condition := format('search_keys(client_id, search_text) @> %L::bigint[] and strpos(search_text, %L) > 0',
      sought_keys(owner, term), term);
    group_uids := array(select jsonb_array_elements_text(by_group -> (nr - 1)));
    if cardinality(group_uids) > 0 then
      condition := format('(%s or group_uid = any(%L::uuid[]))', condition, group_uids);
    end if;
    conditions := conditions || ' and ' || condition;
  end loop;
  return query execute format('select uid from %s and client_id = $1 and deleted_at is null %s limit $3', fenced, conditions)
    using owner, of_kind, most;
end
$$;
grant execute on function search_things to floorcast_app;
alter function search_things owner to floorcast_search;
