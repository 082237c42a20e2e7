-- Delivered plays by quarter hours, so that planned against delivered reads no single plays. docs/decisions/0213.

-- The day for which a play was scheduled, in the device's effective time zone when the play was stored. Null: that of its start
-- (local_day), as of nearly all plays; so the column takes no room, and plays of former versions need no new rows.
alter table plays add column scheduled_day date;
grant update (scheduled_day) on plays to floorcast_jobs;

-- Plays that were heard whole, with a plausible clock, that began a day (UTC) before or after their schedule at most.
create table delivered_quarters (
  client_id uuid not null references clients (uid) on delete cascade,
  -- The begin of the quarter hour of the schedule. Offsets of zones are quarter hours, so each is of one day in any zone.
  quarter timestamptz not null,
  publication_uid uuid not null,
  media_uid uuid not null,
  -- By the zones of the devices.
  scheduled_day date not null,
  plays integer not null,
  -- The first and the last start: where in the plays' index those of this quarter are.
  first_at timestamptz not null,
  last_at timestamptz not null,
  primary key (client_id, quarter, publication_uid, media_uid, scheduled_day)
) with (fillfactor = 50);

select enable_tenant_rls('delivered_quarters');
create policy all_clients on delivered_quarters to floorcast_ingest using (true) with check (true);
grant select on delivered_quarters to floorcast_app;
grant select, insert, update on delivered_quarters to floorcast_ingest;
grant select, insert, update, delete on delivered_quarters to floorcast_jobs;

-- Delivered plays of these days are counted one by one.
grant select on uncounted_days to floorcast_app;

-- The maintenance counts the plays of these days, and adds what servers of the former version still store. The owner is bound by
-- row-level security too, and has no client.
do $$
declare
  source text;
  sources text[] := array['history_counts', 'statistics_retention', 'uncounted_days'];
begin
  foreach source in array sources loop
    execute format('alter table %I no force row level security', source);
  end loop;
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
