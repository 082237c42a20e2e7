-- How many living things of a kind a client has, kept: counting 200,000 rows for each page costs more than the page. Every
-- change adds a row and changes none, so nobody waits for anybody; the sum is exact in every transaction's own view. Daily
-- upkeep makes one row of many. docs/decisions/0111.

create table list_counts (
  client_id uuid not null references clients (uid) on delete cascade,
  list text not null check (list in ('devices', 'media', 'playlists')),
  kind text not null,
  change bigint not null
);
create index list_counts_sum on list_counts (client_id, list, kind) include (change);
select fence_tenant_table('list_counts');
grant select, insert on list_counts to floorcast_app;
grant select, insert, delete on list_counts to floorcast_jobs;

-- Arguments: the list, the column of its kind.
create function count_added() returns trigger
language plpgsql
as $$
begin
  execute format('insert into list_counts (client_id, list, kind, change)
    select client_id, $1, %I, count(*) from added where deleted_at is null group by client_id, %1$I', tg_argv[1])
    using tg_argv[0];
  return null;
end
$$;

create function count_removed() returns trigger
language plpgsql
as $$
begin
  -- A client that goes takes its counts along.
  execute format('insert into list_counts (client_id, list, kind, change)
    select client_id, $1, %I, -count(*) from removed
    where deleted_at is null and client_id in (select uid from clients) group by client_id, %1$I', tg_argv[1])
    using tg_argv[0];
  return null;
end
$$;

create function count_binned() returns trigger
language plpgsql
as $$
begin
  insert into list_counts (client_id, list, kind, change)
  values (new.client_id, tg_argv[0], to_jsonb(new) ->> tg_argv[1], case when new.deleted_at is null then 1 else -1 end);
  return null;
end
$$;

do $$
declare
  counted record;
begin
  for counted in
    select * from (values ('devices', 'devices', 'kind'), ('playlists', 'playlists', 'kind'),
      ('media_items', 'media', 'content_type')) as c (name, list, kind)
  loop
    execute format('create trigger count_added after insert on %I referencing new table as added
      for each statement execute function count_added(%L, %L)', counted.name, counted.list, counted.kind);
    execute format('create trigger count_removed after delete on %I referencing old table as removed
      for each statement execute function count_removed(%L, %L)', counted.name, counted.list, counted.kind);
    execute format('create trigger count_binned after update of deleted_at on %I
      for each row when ((old.deleted_at is null) <> (new.deleted_at is null))
      execute function count_binned(%L, %L)', counted.name, counted.list, counted.kind);
    execute format('insert into list_counts (client_id, list, kind, change)
      select client_id, %L, %I, count(*) from %I where deleted_at is null group by client_id, %2$I',
      counted.list, counted.kind, counted.name);
  end loop;
end
$$;
