-- The servers, and the newest run of each job on each of them. A run that has not ended has a lease: its server renews `beat_at` each
-- half minute, and without that for two minutes nobody is at it. Only one run of a job that an operator asks for begins.
create table servers (
  name text primary key,
  version text not null,
  role text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null
);

create table job_runs (
  name text not null,
  server text not null,
  started_at timestamptz,
  ended_at timestamptz,
  beat_at timestamptz,
  -- How the newest run that ended did; it stays while another one runs.
  outcome text check (outcome in ('done', 'failed')),
  -- When the job runs, or looks whether it has to.
  next_at timestamptz,
  primary key (name, server)
);
grant select, insert, update, delete on servers, job_runs to floorcast_definer;
select let_backups_read('servers');
select let_backups_read('job_runs');

set local role floorcast_definer;
create function jobs_note_server(server_name text, server_version text, server_role text, began_at timestamptz, at timestamptz)
returns void language sql volatile security definer set search_path = public, pg_temp as $$
  insert into servers (name, version, role, started_at, seen_at) values (server_name, server_version, server_role, began_at, at)
  on conflict (name) do update set version = excluded.version, role = excluded.role, started_at = excluded.started_at,
    seen_at = excluded.seen_at
$$;

create function jobs_begin_run(job text, server_name text, at timestamptz) returns void
language sql volatile security definer set search_path = public, pg_temp as $$
  insert into job_runs (name, server, started_at, beat_at) values (job, server_name, at, at)
  on conflict (name, server) do update set started_at = excluded.started_at, beat_at = excluded.beat_at, ended_at = null
$$;

create function jobs_beat_run(job text, server_name text, at timestamptz) returns void
language sql volatile security definer set search_path = public, pg_temp as $$
  update job_runs r set beat_at = at where r.name = job and r.server = server_name and r.ended_at is null
$$;

create function jobs_end_run(job text, server_name text, how text, at timestamptz, comes_at timestamptz) returns void
language sql volatile security definer set search_path = public, pg_temp as $$
  update job_runs r set ended_at = at, outcome = how, next_at = comes_at where r.name = job and r.server = server_name
$$;

-- Says when a job comes that has nothing to do now. Rows of servers that are gone for a week go.
create function jobs_plan_run(job text, server_name text, at timestamptz, comes_at timestamptz) returns void
language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  insert into job_runs (name, server, next_at) values (job, server_name, comes_at)
    on conflict (name, server) do update set next_at = excluded.next_at;
  delete from job_runs r where r.next_at < at - interval '7 days';
  delete from servers s where s.seen_at < at - interval '7 days';
end
$$;

-- The job on each server that has it.
create function operator_jobs(at timestamptz)
returns table (name text, server text, started_at timestamptz, ended_at timestamptz, outcome text, next_at timestamptz, is_running boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select r.name, r.server, r.started_at, r.ended_at, r.outcome, r.next_at,
    coalesce(r.ended_at is null and r.beat_at > operator_jobs.at - interval '2 minutes', false)
  from job_runs r order by r.name, r.server
$$;

-- Takes the lease for the server that has had the job last, and tells it to run. @returns `running` if some server is at it,
-- `unknown` if no server has the job
create function operator_run_job(job text, entry jsonb) returns text
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
    order by coalesce(r.ended_at, '-infinity') desc, r.server limit 1;
  if chosen is null then return 'unknown'; end if;
  update job_runs r set started_at = moment, beat_at = moment, ended_at = null where r.name = job and r.server = chosen;
  perform pg_notify('floorcast_job', job || ' ' || replace(chosen, ' ', '_'));
  perform note_operator_act(entry);
  return 'started';
end
$$;
revoke execute on function jobs_note_server, jobs_begin_run, jobs_beat_run, jobs_end_run, jobs_plan_run, operator_jobs,
  operator_run_job from public;
grant execute on function jobs_note_server, jobs_begin_run, jobs_beat_run, jobs_end_run, jobs_plan_run to floorcast_jobs;
grant execute on function operator_jobs, operator_run_job to floorcast_operator;
reset role;
