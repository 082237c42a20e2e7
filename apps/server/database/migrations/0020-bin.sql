-- An admin empties the bin: rows go for good, but only such as lie there.

do $$
declare
  binned text;
begin
  foreach binned in array array['groups', 'devices', 'media_items', 'playlists', 'publications'] loop
    execute format('grant delete on %I to floorcast_app', binned);
    execute format('create policy only_from_the_bin on %I as restrictive for delete to floorcast_app
      using (deleted_at is not null)', binned);
  end loop;
end
$$;
