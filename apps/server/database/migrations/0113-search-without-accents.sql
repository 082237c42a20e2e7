-- A search finds 'Málaga' by 'malaga': it compares texts without case, accents and the forms of letters. docs/decisions/0235.

-- Texts of ASCII letters, which are most, need no more than lower().
create function fold(content text) returns text
language sql immutable parallel safe
as $$
  select lower(case
    when octet_length(content) = char_length(content) then content
    else regexp_replace(normalize(content, NFKD), '[\u0300-\u036F\u064B-\u065F\u0670]', '', 'g')
  end)
$$;
grant execute on function fold to floorcast_app, floorcast_definer, floorcast_jobs, floorcast_search;

-- PostgreSQL before 17 cannot change the expression of a generated column; the index goes with the column.
revoke select (search_text) on devices from floorcast_search;
revoke select (search_text) on media_items from floorcast_search;
revoke select (search_text) on playlists from floorcast_search;
alter table devices drop column search_text;
alter table devices
  add column search_text text not null
    generated always as (fold(name || E'\x1f' || description || E'\x1f' || store_number)) stored;
alter table media_items drop column search_text;
alter table media_items
  add column search_text text not null generated always as (
    fold(name || E'\x1f' || description || E'\x1f' || original_name || E'\x1f' || artist || E'\x1f' || title || E'\x1f' || isrc
      || E'\x1f' || regexp_replace(isrc, '^(..)(...)(..)(.....)$', '\1-\2-\3-\4'))) stored;
alter table playlists drop column search_text;
alter table playlists
  add column search_text text not null generated always as (fold(name || E'\x1f' || description)) stored;
create index devices_search on devices using gin (search_keys(client_id, search_text))
  with (gin_pending_list_limit = 256) where deleted_at is null;
create index media_items_search on media_items using gin (search_keys(client_id, search_text))
  with (gin_pending_list_limit = 256) where deleted_at is null;
create index playlists_search on playlists using gin (search_keys(client_id, search_text))
  with (gin_pending_list_limit = 256) where deleted_at is null;
grant select (search_text) on devices to floorcast_search;
grant select (search_text) on media_items to floorcast_search;
grant select (search_text) on playlists to floorcast_search;

drop index groups_search;
create index groups_search on groups using gin (search_keys(client_id, fold(name)))
  with (gin_pending_list_limit = 256);

create or replace function pass_playlist_name_on() returns trigger
language plpgsql
as $$
begin
  update publications p set on_air_words = fold(p.name) || E'\x1f' || fold(new.name)
   where p.client_id = new.client_id and p.playlist_uid = new.uid and p.state <> 'disabled';
  return null;
end
$$;

create or replace function take_on_air_words() returns trigger
language plpgsql
as $$
begin
  new.on_air_words := case when new.state <> 'disabled' then fold(new.name) || E'\x1f'
    || (select fold(l.name) from playlists l where l.client_id = new.client_id and l.uid = new.playlist_uid) end;
  return new;
end
$$;

set local role floorcast_search;
create or replace function search_groups(terms text[]) returns table (term_nr integer, group_uid uuid, publication_uid uuid)
language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off set enable_indexscan = off
as $$
declare
  owner uuid := nullif(current_setting('app.client_id', true), '')::uuid;
  term text;
  keys bigint[];
begin
  for nr in 1 .. cardinality(terms) loop
    term := fold(terms[nr]);
    keys := sought_keys(owner, term);
    return query
      select nr, g.uid, null::uuid from groups g
      where g.client_id is not distinct from owner
        and search_keys(g.client_id, fold(g.name)) @> keys and strpos(fold(g.name), term) > 0
      union all
      select nr, p.group_uid, p.uid from publications p
      where p.client_id is not distinct from owner and p.on_air_words is not null
        and search_keys(p.client_id, p.on_air_words) @> keys and strpos(p.on_air_words, term) > 0;
  end loop;
end
$$;

create or replace function search_list(list text, of_kind text, terms text[], by_group jsonb, most integer) returns setof uuid
language plpgsql stable security definer rows 100 set search_path = public, pg_temp
as $$
declare
  owner uuid := nullif(current_setting('app.client_id', true), '')::uuid;
  living text := case list
    when 'devices' then 'from devices where ($2 is null or kind = $2)'
    when 'playlists' then 'from playlists where ($2 is null or kind = $2)'
    when 'media' then 'from media_items where ($2 is null or content_type = $2)' end
    || ' and client_id = $1 and deleted_at is null';
  comparisons text := '';
  keys bigint[] := '{}';
  term text;
  group_uids text[];
  fewest_groups text[];
  fewest_keys bigint[];
  sought text;
begin
  for nr in 1 .. cardinality(terms) loop
    term := fold(terms[nr]);
    group_uids := array(select jsonb_array_elements_text(by_group -> (nr - 1)));
    if cardinality(group_uids) = 0 then
      keys := keys || sought_keys(owner, term);
      comparisons := comparisons || format(' and strpos(search_text, %L) > 0', term);
    else
      comparisons := comparisons || format(' and (strpos(search_text, %L) > 0 or group_uid = any(%L::uuid[]))', term, group_uids);
      if fewest_groups is null or cardinality(group_uids) < cardinality(fewest_groups) then
        fewest_groups := group_uids;
        fewest_keys := sought_keys(owner, term);
      end if;
    end if;
  end loop;
  if cardinality(keys) > 0 then
    sought := format('select uid %s and search_keys(client_id, search_text) @> %L::bigint[] %s limit $3', living, keys, comparisons);
  else
    sought := format('select uid from (
        select uid, search_text, group_uid %1$s and search_keys(client_id, search_text) @> %2$L::bigint[]
        union select uid, search_text, group_uid %1$s and group_uid = any(%3$L::uuid[])) found
      where true %4$s limit $3', living, fewest_keys, fewest_groups, comparisons);
  end if;
  return query execute sought using owner, of_kind, most;
end
$$;
reset role;

-- The owner is bound by row-level security too, and has no client.
alter table publications no force row level security;
alter table playlists no force row level security;
update publications p
   set on_air_words = fold(p.name) || E'\x1f' || (select fold(l.name) from playlists l where l.client_id = p.client_id and l.uid = p.playlist_uid)
 where on_air_words is not null;
alter table publications force row level security;
alter table playlists force row level security;
