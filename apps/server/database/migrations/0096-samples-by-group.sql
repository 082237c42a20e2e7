-- How many devices of each group were online: one row a group and ten minutes, for 45 days. Charts of a group read them: for a
-- thousand devices and 45 days 6,480 rows instead of 405,000 transitions (docs/decisions/0210).

create table group_connectivity_samples (
  client_id uuid not null,
  group_uid uuid not null,
  at timestamptz not null,
  online integer not null,
  linkdown integer not null,
  linklost integer not null,
  neverup integer not null,
  -- With the counts, a chart of 45 days reads some sixty pages of this index instead of 6,480 of the table.
  primary key (client_id, group_uid, at) include (online, linkdown, linklost, neverup),
  foreign key (client_id, group_uid) references groups (client_id, uid) on delete cascade
);
create index group_connectivity_samples_at on group_connectivity_samples (at);
select enable_tenant_rls('group_connectivity_samples');
create policy all_clients on group_connectivity_samples for all to floorcast_definer using (true) with check (true);
grant select on group_connectivity_samples to floorcast_app;
grant select, insert, delete on group_connectivity_samples to floorcast_definer;

create policy samples on groups for select to floorcast_definer using (true);
grant select (client_id, uid, deleted_at) on groups to floorcast_definer;
grant select (last_contact_at) on device_states to floorcast_definer;

-- Counts the devices of all groups at a minute, also of groups without devices, in one pass over the devices. @returns the rows added:
-- none if another server has done it or is at it
create function jobs_sample_groups(moment timestamptz) returns integer
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
declare
  added integer;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('floorcast group samples', 0))
     or exists (select from group_connectivity_samples c where c.at = moment) then
    return 0;
  end if;
  insert into group_connectivity_samples (client_id, group_uid, at, online, linkdown, linklost, neverup)
  select g.client_id, g.uid, moment, coalesce(c.online, 0), coalesce(c.linkdown, 0), coalesce(c.linklost, 0), coalesce(c.neverup, 0)
  from groups g left join (
    select d.client_id, d.group_uid, count(*) filter (where s.last_contact_at >= moment - interval '1 hour') as online,
      count(*) filter (where s.last_contact_at < moment - interval '1 hour' and s.last_contact_at >= moment - interval '1 day')
        as linkdown,
      count(*) filter (where s.last_contact_at < moment - interval '1 day') as linklost,
      count(*) filter (where s.last_contact_at is null) as neverup
    from devices d left join device_states s on s.device_uid = d.uid where d.deleted_at is null and d.group_uid is not null
    group by d.client_id, d.group_uid
  ) c on c.client_id = g.client_id and c.group_uid = g.uid
  where g.deleted_at is null;
  get diagnostics added = row_count;
  return added;
end
$$;
revoke execute on function jobs_sample_groups from public;
grant execute on function jobs_sample_groups to floorcast_jobs;
alter function jobs_sample_groups owner to floorcast_definer;

-- Deletes the samples of groups of before `until`, which no chart shows any more.
create function jobs_purge_group_samples(until timestamptz) returns integer
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
declare
  gone integer;
begin
  delete from group_connectivity_samples where at < until;
  get diagnostics gone = row_count;
  return gone;
end
$$;
revoke execute on function jobs_purge_group_samples from public;
grant execute on function jobs_purge_group_samples to floorcast_jobs;
alter function jobs_purge_group_samples owner to floorcast_definer;
