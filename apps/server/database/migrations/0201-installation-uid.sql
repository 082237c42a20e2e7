-- The installation by a name that a store of files can carry: a bucket that another installation uses is refused (docs/decisions/0341).
-- A backup has it, so that what is restored finds its own bucket.
alter table installation_state add column uid uuid not null default gen_random_uuid();

set local role floorcast_definer;
create function jobs_installation_uid() returns uuid
language sql stable security definer set search_path = public, pg_temp
as $$
  select s.uid from installation_state s
$$;
revoke execute on function jobs_installation_uid from public;
grant execute on function jobs_installation_uid to floorcast_jobs;
reset role;
