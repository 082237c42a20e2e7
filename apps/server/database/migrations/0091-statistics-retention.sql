-- What is left of a client's single plays, device logs and heartbeats. docs/decisions/0193.
create table statistics_retention (
  client_id uuid primary key references clients (uid) on delete cascade,
  -- The first day (UTC) of which nothing was deleted. Null: nothing was deleted yet.
  kept_from date,
  -- Since when the dashboard says that the plan's limit will delete days. Null: it does not.
  announced_on date
);
select enable_tenant_rls('statistics_retention');
grant select on statistics_retention to floorcast_app;
grant select, insert, update, delete on statistics_retention to floorcast_jobs;

-- The clients with plays of former versions that are to be counted.
create policy auth on uncounted_days for select to floorcast_definer using (true);
grant select on uncounted_days to floorcast_definer;
create function jobs_uncounted_client_ids() returns setof uuid
language sql
stable
security definer
set search_path = public, pg_temp
as $$ select distinct client_id from uncounted_days order by client_id $$;
revoke execute on function jobs_uncounted_client_ids() from public;
grant execute on function jobs_uncounted_client_ids() to floorcast_jobs;
alter function jobs_uncounted_client_ids() owner to floorcast_definer;
