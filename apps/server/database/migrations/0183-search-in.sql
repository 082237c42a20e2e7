-- For a migration that changes what a search of devices, media or playlists looks into:
--   select search_in('media_items', $$fold(name || E'\x1f' || composer)$$);
-- PostgreSQL before 17 cannot change the expression of a generated column; the index and the grant go with the column. The table is
-- written again.
create function search_in(target regclass, expression text) returns void language plpgsql as $$
begin
  execute format('revoke select (search_text) on %s from floorcast_search', target);
  execute format('alter table %s drop column search_text', target);
  execute format('alter table %s add column search_text text not null generated always as (%s) stored', target, expression);
  execute format(
    'create index %I on %s using gin (search_keys(client_id, search_text)) with (gin_pending_list_limit = 256) where deleted_at is null',
    target || '_search', target);
  execute format('grant select (search_text) on %s to floorcast_search', target);
end
$$;
revoke execute on function search_in from public;
