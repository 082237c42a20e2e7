-- Descriptions end their lines with a line feed alone. Those that have carriage returns would be refused when their items are
-- edited.

do $$
declare
  of_items text;
begin
  foreach of_items in array array['deploy_packages', 'devices', 'groups', 'media_items', 'playlists', 'profiles', 'publications',
    'tags', 'update_channels', 'update_files', 'update_packages']
  loop
    execute format('alter table %I no force row level security', of_items);
    execute format(
      'update %I set description = replace(replace(description, chr(13) || chr(10), chr(10)), chr(13), chr(10))
        where strpos(description, chr(13)) > 0', of_items);
    execute format('alter table %I force row level security', of_items);
  end loop;
end
$$;
