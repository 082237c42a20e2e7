-- A run that had nothing to do because another server or command was at the job ends as 'skipped', and a server that does not have a
-- job any more takes its row away, so that 'run now' goes to one that does the job. An operator is known on a network.
alter table job_runs drop constraint job_runs_outcome_check;
alter table job_runs add constraint job_runs_outcome_check check (outcome in ('done', 'failed', 'skipped'));

set local role floorcast_definer;

create function jobs_drop_run(job text, server_name text) returns void
language sql volatile security definer set search_path = public, pg_temp as $$
  delete from job_runs r where r.name = job and r.server = server_name
$$;

-- Takes the lease for a server whose last run was done, or else failed, the newest first, and tells it to run. One that skipped its
-- last run comes last. @returns `running` if some server is at it, `unknown` if no server has the job
create or replace function operator_run_job(job text, entry jsonb) returns text
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  moment timestamptz := (entry ->> 'at')::timestamptz;
  chosen text;
begin
  perform pg_advisory_xact_lock(hashtextextended('floorcast job ' || job, 0));
  if exists (select from job_runs r where r.name = job and r.ended_at is null and r.beat_at > moment - interval '2 minutes') then
    return 'running';
  end if;
  -- A server that is gone stores no sample any more, and lets the next moment pass.
  select r.server into chosen from job_runs r left join servers s on s.name = r.server
    where r.name = job and r.next_at > moment - interval '2 minutes' and coalesce(s.seen_at, moment) > moment - interval '3 minutes'
    order by array_position(array['done', 'failed', 'skipped'], coalesce(r.outcome, 'failed')),
      coalesce(r.ended_at, '-infinity') desc, r.server limit 1;
  if chosen is null then return 'unknown'; end if;
  update job_runs r set started_at = moment, beat_at = moment, ended_at = null where r.name = job and r.server = chosen;
  perform pg_notify('floorcast_job', job || ' ' || replace(chosen, ' ', '_'));
  perform note_operator_act(entry);
  return 'started';
end
$$;

-- The addresses from which an operator has signed in since a moment, the newest first.
create function operator_sign_in_addresses(whose text, since timestamptz) returns table (address text)
language sql stable security definer set search_path = public, pg_temp as $$
  select a.address from operator_audit a
  where a.email = whose and a.action = 'sign-in' and a.at > since and a.address is not null
  group by a.address order by max(a.at) desc limit 100
$$;

revoke execute on function jobs_drop_run, operator_sign_in_addresses from public;
grant execute on function jobs_drop_run to floorcast_jobs;
grant execute on function operator_sign_in_addresses to floorcast_operator;
reset role;
