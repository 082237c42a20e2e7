-- Counts, recycle bin and search of the lists: devices, media, playlists, groups and publications.

-- How many living things of a kind a client has, kept: counting 200,000 rows for each page costs more than the page. Every
-- change adds a row and changes none, so nobody waits for anybody; the sum is exact in every transaction's own view. Daily
-- maintenance makes one row of many. docs/decisions/0111.
create table list_counts (
  client_id uuid not null references clients (uid) on delete cascade,
  -- 'playlist-bytes': 10-rights-and-limits.sql.
  list text not null check (list in ('devices', 'media', 'playlists', 'playlist-bytes')),
  kind text not null,
  change bigint not null
);
create index list_counts_sum on list_counts (client_id, list, kind) include (change);
grant select, insert on list_counts to floorcast_app;
grant select, insert, delete on list_counts to floorcast_jobs;

-- Arguments: the list, the column of its kind.
create function count_added() returns trigger language plpgsql as $$
begin
  execute format('insert into list_counts (client_id, list, kind, change)
    select client_id, $1, %I, count(*) from added where deleted_at is null group by client_id, %1$I', tg_argv[1])
    using tg_argv[0];
  return null;
end
$$;

create function count_removed() returns trigger language plpgsql as $$
begin
  -- A client that goes takes its counts along.
  execute format('insert into list_counts (client_id, list, kind, change)
    select client_id, $1, %I, -count(*) from removed
    where deleted_at is null and client_id in (select uid from clients) group by client_id, %1$I', tg_argv[1])
    using tg_argv[0];
  return null;
end
$$;

create function count_binned() returns trigger language plpgsql as $$
begin
  insert into list_counts (client_id, list, kind, change)
  values (new.client_id, tg_argv[0], to_jsonb(new) ->> tg_argv[1], case when new.deleted_at is null then 1 else -1 end);
  return null;
end
$$;

do $$
declare
  one record;
begin
  for one in
    select * from (values ('devices', 'devices', 'kind'), ('playlists', 'playlists', 'kind'),
      ('media_items', 'media', 'content_type')) as counted (name, list, kind)
  loop
    execute format('create trigger count_added after insert on %I referencing new table as added
      for each statement execute function count_added(%L, %L)', one.name, one.list, one.kind);
    execute format('create trigger count_removed after delete on %I referencing old table as removed
      for each statement execute function count_removed(%L, %L)', one.name, one.list, one.kind);
    execute format('create trigger count_binned after update of deleted_at on %I
      for each row when ((old.deleted_at is null) <> (new.deleted_at is null))
      execute function count_binned(%L, %L)', one.name, one.list, one.kind);
  end loop;

  -- An admin empties the bin: rows go for good, but only such as lie there.
  for one in select unnest(array['groups', 'devices', 'media_items', 'playlists', 'publications']) as name loop
    execute format('create policy only_from_the_bin on %I as restrictive for delete to floorcast_app
      using (deleted_at is not null)', one.name);
  end loop;
end
$$;

-- Up to `most` living things of the client that is set, of one kind (null: of any), that have every term in their text; a
-- device also where it is in one of the groups of that term (`by_group`: for each term an array of uids).
-- No row may have its keys made again by a filter (0.2 ms each): 'berlin radio' over 100,000 devices took 3.6 s where one
-- condition held both ways to a device, its text and its group. So the index is asked for the keys of the terms that no group
-- has, and every term is compared with the text itself; where all terms have groups, the term with the fewest is asked for both ways.
create function search_list(list text, of_kind text, terms text[], by_group jsonb, most integer) returns setof uuid
language plpgsql stable security definer rows 100 set search_path = public, pg_temp as $$
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

-- For each term, by its place among them: the groups of the client that is set with it in their name; and those with it in
-- the names of a publication that is on or waits and of its playlist, with that publication. Which is in force depends
-- on the time and the group's zone: the caller asks. docs/decisions/0137.
-- Only a bitmap of the keys' index never makes a row's keys again, and the planner counts that cost either way:
-- a term that all groups have would be looked for without the index, and with `=` the id's index be read beside it.
create function search_groups(terms text[]) returns table (term_nr integer, group_uid uuid, publication_uid uuid)
language plpgsql stable security definer set search_path = public, pg_temp set enable_seqscan = off set enable_indexscan = off as $$
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

grant execute on function search_list, search_groups to floorcast_app;
alter function search_list owner to floorcast_search;
alter function search_groups owner to floorcast_search;
