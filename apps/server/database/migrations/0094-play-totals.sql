-- Plays by track and by group, so that no report of tracks and no chart of a group reads sums of single devices.
-- docs/decisions/0209.

-- A number for each device that a client has or had, from 0: the place of its bit in play_media_days.
create table play_devices (
  client_id uuid not null references clients (uid) on delete cascade,
  device_uid uuid not null,
  number integer not null,
  primary key (client_id, device_uid),
  unique (client_id, number)
);

-- Sums of play_days by track, for each 1,024 devices: device_block is the device's number / 1024.
create table play_media_days (
  client_id uuid not null references clients (uid) on delete cascade,
  local_day date not null,
  media_uid uuid not null,
  content_type text not null,
  device_block integer not null,
  plays integer not null,
  complete_plays integer not null,
  played_ms bigint not null,
  first_at timestamptz not null,
  last_at timestamptz not null,
  -- The devices that played it: the bit at number % 1024 of each.
  devices bit(1024) not null,
  primary key (client_id, local_day, media_uid, content_type, device_block)
) with (fillfactor = 50);

-- Sums of plays as in play_hours, by the group in which the device was when the play was stored.
create table play_group_hours (
  client_id uuid not null references clients (uid) on delete cascade,
  group_uid uuid not null,
  hour timestamptz not null,
  content_type text not null,
  plays integer not null,
  played_ms bigint not null,
  primary key (client_id, group_uid, hour, content_type)
) with (fillfactor = 50);

do $$
declare
  counted text;
begin
  foreach counted in array array['play_devices', 'play_media_days', 'play_group_hours'] loop
    perform enable_tenant_rls(counted::regclass);
    execute format('grant select on %I to floorcast_app, floorcast_ingest', counted);
    execute format('create policy all_clients on %I to floorcast_ingest using (true) with check (true)', counted);
  end loop;
end
$$;
grant insert on play_devices to floorcast_app;
grant select, insert on play_devices to floorcast_jobs;
grant insert, update on play_media_days, play_group_hours to floorcast_ingest;
grant select, insert, update, delete on play_media_days, play_group_hours to floorcast_jobs;

-- Numbers the devices that have no number yet. The next statement of a function sees what others committed before the lock.
create function number_play_devices(owner uuid, device_uids uuid[]) returns void
language plpgsql
volatile
set search_path = public, pg_temp
as $$
begin
  perform pg_advisory_xact_lock(hashtext('numbers of devices'), hashtext(owner::text));
  insert into play_devices (client_id, device_uid, number)
  select owner, new.uid,
    (select coalesce(max(number), -1) from play_devices where client_id = owner) + row_number() over (order by new.uid)
  from (select distinct unnest(device_uids) as uid) new
  where not exists (select from play_devices p where p.client_id = owner and p.device_uid = new.uid);
end
$$;
revoke execute on function number_play_devices(uuid, uuid[]) from public;
grant execute on function number_play_devices(uuid, uuid[]) to floorcast_app, floorcast_jobs;

create function number_new_devices() returns trigger
language plpgsql
as $$
declare
  owner uuid;
begin
  for owner in select distinct client_id from added order by 1 loop
    perform number_play_devices(owner, array(select uid from added where client_id = owner));
  end loop;
  return null;
end
$$;
create trigger number_new_devices after insert on devices referencing new table as added
  for each statement execute function number_new_devices();

-- The owner is bound by row-level security too, and has no client.
do $$
declare
  source text;
  sources text[] := array['devices', 'play_days', 'play_devices', 'play_media_days', 'history_counts',
    'statistics_retention', 'uncounted_days'];
begin
  foreach source in array sources loop
    execute format('alter table %I no force row level security', source);
  end loop;

  -- One pass in the order of the disk, summed by hash: an index would read another page for each of millions of rows.
  set local enable_indexscan = off;
  set local enable_indexonlyscan = off;
  set local enable_sort = off;

  -- Also the devices that no longer exist.
  insert into play_devices (client_id, device_uid, number)
  select client_id, device_uid, row_number() over (partition by client_id order by device_uid) - 1
  from (select client_id, device_uid from play_days union select client_id, uid from devices) device;

  insert into play_media_days (client_id, local_day, media_uid, content_type, device_block, plays, complete_plays, played_ms,
    first_at, last_at, devices)
  select d.client_id, d.local_day, d.media_uid, d.content_type, n.number / 1024, sum(d.plays), sum(d.complete_plays),
    sum(d.played_ms), min(d.first_at), max(d.last_at), bit_or(set_bit(0::bit(1024), n.number % 1024, 1))
  from play_days d join play_devices n on n.client_id = d.client_id and n.device_uid = d.device_uid
  group by 1, 2, 3, 4, 5;

  set local enable_indexscan = on;
  set local enable_indexonlyscan = on;
  set local enable_sort = on;

  -- The maintenance counts the plays of these days by group, and adds what servers of the former version still store.
  insert into uncounted_days (client_id, day)
  select c.client_id, c.day
  from history_counts c left join statistics_retention r on r.client_id = c.client_id
  where c.kind = 'plays' and c.day >= coalesce(r.kept_from, c.day)
  union
  select distinct client_id, current_date + n from history_counts, generate_series(-1, 2) n where kind = 'plays'
  on conflict do nothing;

  foreach source in array sources loop
    execute format('alter table %I force row level security', source);
  end loop;
end
$$;
