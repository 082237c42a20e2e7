-- A client's rows at most, where nothing else bounds them. docs/security/limits.md, docs/decisions/0263.

-- Argument: the limit, an SQL expression that may name columns of the client's plan `p`. Counting stops above the limit.
create function limit_rows() returns trigger
language plpgsql
as $$
declare
  client constant uuid := nullif(current_setting('app.client_id', true), '')::uuid;
  most bigint;
  reached boolean;
begin
  -- What the server adds without a client's call has limits elsewhere.
  if client is null then
    return null;
  end if;
  execute format('select (%s)::bigint from clients c join plans p on p.key = c.plan_key where c.uid = $1', tg_argv[0])
    into most using client;
  execute format('select count(*) > $2 from (select from %I where client_id = $1 limit $2 + 1) as counted', tg_table_name)
    into reached using client, most;
  if reached then
    raise exception using errcode = 'FC001', message = 'row limit', detail = tg_table_name, hint = most::text;
  end if;
  return null;
end
$$;

do $$
declare
  one record;
begin
  for one in
    select * from (values
      ('devices', '1000 + 3 * p.device_limit'),
      ('groups', '1000 + 2 * p.device_limit'),
      ('playlists', '5000 + 2 * p.device_limit'),
      ('publications', '5000 + 2 * p.device_limit'),
      ('users', '1000 + p.device_limit'),
      ('media_items', '300000'),
      ('profiles', '1000'),
      ('profile_groups', '50000'),
      ('profile_media', '10000'),
      ('update_files', '5000'),
      ('update_packages', '5000'),
      ('update_package_files', '20000'),
      ('update_channels', '1000'),
      ('update_channel_groups', '50000'),
      ('deploy_packages', '10000'),
      ('proof_keys', '1000')
    ) as limits (name, most)
  loop
    execute format('create trigger limit_rows after insert on %I for each statement execute function limit_rows(%L)',
      one.name, one.most);
  end loop;
end
$$;

-- Argument: how many tags a device, a group and the client have each at most.
create function limit_tags() returns trigger
language plpgsql
as $$
declare
  client constant uuid := nullif(current_setting('app.client_id', true), '')::uuid;
  most constant bigint := tg_argv[0];
begin
  if client is null then
    return null;
  end if;
  if exists (
      select from tags where client_id = client and device_uid in (select device_uid from added)
      group by device_uid having count(*) > most)
    or exists (
      select from tags where client_id = client and group_uid in (select group_uid from added)
      group by group_uid having count(*) > most)
    or exists (select from added where device_uid is null and group_uid is null) and (
      select count(*) > most from tags where client_id = client and device_uid is null and group_uid is null)
  then
    raise exception using errcode = 'FC001', message = 'row limit', detail = 'tags', hint = most::text;
  end if;
  return null;
end
$$;
create trigger limit_rows after insert on tags referencing new table as added
  for each statement execute function limit_tags('100');

-- The bytes of a client's playlists: their tracks, planned days and the wizard's notes. Every change adds a row and changes none, as
-- with the counts of lists; daily maintenance makes one row of many.
alter table list_counts no force row level security;
alter table list_counts drop constraint list_counts_list_check;
alter table list_counts add constraint list_counts_list_check
  check (list in ('devices', 'media', 'playlists', 'playlist-bytes'));

-- Argument: the bytes of a row, an SQL expression of its columns that does not depend on how PostgreSQL packs them.
create function count_playlist_bytes() returns trigger
language plpgsql
as $$
declare
  client constant uuid := nullif(current_setting('app.client_id', true), '')::uuid;
  used bigint;
  most bigint;
begin
  if tg_op = 'DELETE' then
    -- A client that goes takes its counts along.
    execute format('insert into list_counts (client_id, list, kind, change)
      select client_id, ''playlist-bytes'', %L, -sum(%s) from removed
      where client_id in (select uid from clients) group by client_id', tg_table_name, tg_argv[0]);
    return null;
  end if;
  execute format('insert into list_counts (client_id, list, kind, change)
    select client_id, ''playlist-bytes'', %L, sum(%s) from added group by client_id', tg_table_name, tg_argv[0]);
  if client is null then
    return null;
  end if;
  select sum(change) into used from list_counts where client_id = client and list = 'playlist-bytes';
  select greatest(p.media_gigabytes * 250000000, 50000000) into most
  from clients c join plans p on p.key = c.plan_key where c.uid = client;
  if used > most then
    raise exception using errcode = 'FC001', message = 'row limit', detail = 'playlist_bytes', hint = most::text;
  end if;
  return null;
end
$$;

create function count_draft_bytes() returns trigger
language plpgsql
as $$
begin
  insert into list_counts (client_id, list, kind, change)
  values (new.client_id, 'playlist-bytes', 'playlists',
    coalesce(octet_length(new.draft::text), 0) - coalesce(octet_length(old.draft::text), 0));
  return null;
end
$$;

do $$
declare
  one record;
begin
  for one in
    select * from (values
      ('playlists', '500 + coalesce(octet_length(draft::text), 0)'),
      ('playlist_items', '150'),
      ('playlist_blocks', '100 + 12 * cardinality(tracks)')
    ) as sizes (name, bytes)
  loop
    execute format('create trigger count_bytes_added after insert on %I referencing new table as added
      for each statement execute function count_playlist_bytes(%L)', one.name, one.bytes);
    execute format('create trigger count_bytes_removed after delete on %I referencing old table as removed
      for each statement execute function count_playlist_bytes(%L)', one.name, one.bytes);
    execute format('alter table %I no force row level security', one.name);
    execute format('insert into list_counts (client_id, list, kind, change)
      select client_id, ''playlist-bytes'', %L, sum(%s) from %I group by client_id', one.name, one.bytes, one.name);
    execute format('alter table %I force row level security', one.name);
  end loop;
end
$$;
create trigger count_draft_bytes after update of draft on playlists
  for each row when (old.draft is distinct from new.draft) execute function count_draft_bytes();

alter table list_counts force row level security;

-- Old alerts and programmes of a flood go.
grant delete on programmes to floorcast_app;
grant delete on alerts to floorcast_jobs;
