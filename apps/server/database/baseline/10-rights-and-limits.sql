-- The isolation of every tenant table, who may call what, and how many rows a client has at most.

do $$
declare
  tenant_table regclass;
begin
  for tenant_table in
    select a.attrelid from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attname = 'client_id'
  loop
    perform enable_tenant_rls(tenant_table);
  end loop;
end
$$;

-- auth_*() belongs to floorcast_auth, jobs_*() to floorcast_jobs. They run as floorcast_definer, but for those that make and drop
-- partitions: only the schema's owner can.
do $$
declare
  entry record;
begin
  for entry in
    select p.oid::regprocedure as called, split_part(p.proname, '_', 1) as caller from pg_proc p
    where p.pronamespace = 'public'::regnamespace and p.proname ~ '^(auth|jobs)_'
  loop
    execute format('grant execute on function %s to %I', entry.called, 'floorcast_' || entry.caller);
    if entry.called::text !~ 'partition' then
      execute format('alter function %s owner to floorcast_definer', entry.called);
    end if;
  end loop;
end
$$;
grant execute on function queue_mail_to_user, queue_plan_request_mail to floorcast_app;
grant execute on function is_concerned to floorcast_ingest;
alter function queue_mail owner to floorcast_definer;
alter function queue_mail_to_user owner to floorcast_definer;
alter function queue_plan_request_mail owner to floorcast_definer;
alter function is_concerned owner to floorcast_definer;

-- A client's rows at most, where nothing else bounds them. docs/security/limits.md, docs/decisions/0263.
-- Argument: the limit, an SQL expression that may name columns of the client's plan `p`. Counting stops above the limit.
-- Rows are counted now and then: at 100,000 rows to count them takes ten milliseconds. After a count, a connection adds a
-- hundredth of the room that was left without counting, so that a hundred connections together do not pass the limit. What it
-- may still add is a setting of its session, for each client and table; it is taken back with its transaction.
create function limit_rows() returns trigger language plpgsql as $$
declare
  client constant uuid := nullif(current_setting('app.client_id', true), '')::uuid;
  setting constant text := 'row_room.' || tg_table_name || '_' || replace(client::text, '-', '');
  -- The limit's expression stands before the number: with another limit the rows are counted again.
  known constant text := current_setting(setting, true);
  most bigint;
  used bigint;
  free bigint;
begin
  -- What the server adds without a client's call has limits elsewhere.
  if client is null then
    return null;
  end if;
  if split_part(known, '|', 2) = tg_argv[0] then
    free := split_part(known, '|', 1)::bigint - (select count(*) from added);
  end if;
  if free is null or free < 0 then
    execute format('select (%s)::bigint from clients c join plans p on p.key = c.plan_key where c.uid = $1', tg_argv[0])
      into most using client;
    execute format('select count(*) from (select from %I where client_id = $1 limit $2 + 1) as counted', tg_table_name)
      into used using client, most;
    if used > most then
      raise exception using errcode = 'FC001', message = 'row limit', detail = tg_table_name, hint = most::text;
    end if;
    free := (most - used) / 100;
  end if;
  perform set_config(setting, free || '|' || tg_argv[0], false);
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
    execute format('create trigger limit_rows after insert on %I referencing new table as added
      for each statement execute function limit_rows(%L)', one.name, one.most);
  end loop;
end
$$;

-- Argument: how many tags a device, a group and the client have each at most.
create function limit_tags() returns trigger language plpgsql as $$
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
-- Argument: the bytes of a row, an SQL expression of its columns that does not depend on how PostgreSQL packs them.
create function count_playlist_bytes() returns trigger language plpgsql as $$
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

create function count_draft_bytes() returns trigger language plpgsql as $$
begin
  insert into list_counts (client_id, list, kind, change)
  values (new.client_id, 'playlist-bytes', 'playlists',
    coalesce(octet_length(new.draft::text), 0) - coalesce(octet_length(old.draft::text), 0));
  return null;
end
$$;
create trigger count_draft_bytes after update of draft on playlists
  for each row when (old.draft is distinct from new.draft) execute function count_draft_bytes();

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
  end loop;
end
$$;
