-- How many devices hold a publication, counted as they report: counting a group of 50,000 for each look took half a second.
-- Every change adds a row and changes none, as in list_counts. docs/decisions/0164.

create table publication_counts (
  client_id uuid not null,
  publication_uid uuid not null,
  revision integer not null,
  holding bigint not null,
  reported bigint not null,
  foreign key (client_id, publication_uid) references publications (client_id, uid) on delete cascade
);
create index publication_counts_sum on publication_counts (client_id, publication_uid, revision)
  include (holding, reported);
select enable_tenant_rls('publication_counts');
create policy all_clients on publication_counts for insert to floorcast_ingest with check (true);
grant select, insert on publication_counts to floorcast_app;
grant insert on publication_counts to floorcast_ingest;
grant select, insert, delete on publication_counts to floorcast_jobs;

-- Only devices of the publication's group hold it: a device that left the group reports it until it has a new manifest.
create function is_concerned(device uuid, publication uuid) returns boolean
language sql stable security definer set search_path to public, pg_temp
as $$
  select exists (select from devices d join publications p on p.uid = publication and p.group_uid = d.group_uid
    where d.uid = device and p.client_id = d.client_id)
$$;
grant select (client_id, group_uid, uid) on publications to floorcast_definer;
create policy concerned on publications for select to floorcast_definer using (true);
revoke execute on function is_concerned(uuid, uuid) from public;
grant execute on function is_concerned(uuid, uuid) to floorcast_ingest;
alter function is_concerned(uuid, uuid) owner to floorcast_definer;

create function skip_unconcerned() returns trigger
language plpgsql
as $$
begin
  return case when is_concerned(new.device_uid, new.publication_uid) then new end;
end
$$;

create function count_holdings_added() returns trigger
language plpgsql
as $$
begin
  insert into publication_counts (client_id, publication_uid, revision, holding, reported)
  select client_id, publication_uid, revision, count(*) filter (where missing = 0), count(*)
  from added group by client_id, publication_uid, revision;
  return null;
end
$$;

create function count_holdings_removed() returns trigger
language plpgsql
as $$
begin
  -- A publication that goes takes its counts along.
  insert into publication_counts (client_id, publication_uid, revision, holding, reported)
  select r.client_id, r.publication_uid, r.revision, -count(*) filter (where r.missing = 0), -count(*)
  from removed r where exists (select from publications p where p.uid = r.publication_uid)
  group by r.client_id, r.publication_uid, r.revision;
  return null;
end
$$;

create function count_holdings_changed() returns trigger
language plpgsql
as $$
begin
  insert into publication_counts (client_id, publication_uid, revision, holding, reported)
  select client_id, publication_uid, revision, sum(holding), sum(reported)
  from (
    select client_id, publication_uid, revision, (missing = 0)::int as holding, 1 as reported from added
    union all
    select client_id, publication_uid, revision, -(missing = 0)::int, -1 from removed
  ) as change
  group by client_id, publication_uid, revision having sum(holding) <> 0 or sum(reported) <> 0;
  return null;
end
$$;

alter table publication_holdings no force row level security;
alter table publications no force row level security;
alter table devices no force row level security;
alter table publication_counts no force row level security;

-- Nobody reads what was reported of former revisions, or by devices that have left the group since.
delete from publication_holdings h
where not exists (
  select from publications p join devices d on d.uid = h.device_uid and d.group_uid = p.group_uid
  where p.uid = h.publication_uid and p.revision = h.revision);
insert into publication_counts (client_id, publication_uid, revision, holding, reported)
select client_id, publication_uid, revision, count(*) filter (where missing = 0), count(*)
from publication_holdings group by client_id, publication_uid, revision;

alter table publication_holdings force row level security;
alter table publications force row level security;
alter table devices force row level security;
alter table publication_counts force row level security;

create trigger skip_unconcerned before insert on publication_holdings
  for each row execute function skip_unconcerned();
create trigger count_added after insert on publication_holdings referencing new table as added
  for each statement execute function count_holdings_added();
create trigger count_removed after delete on publication_holdings referencing old table as removed
  for each statement execute function count_holdings_removed();
create trigger count_changed after update on publication_holdings referencing old table as removed new table as added
  for each statement execute function count_holdings_changed();
grant delete on publication_holdings to floorcast_app;
grant select, delete on publication_holdings to floorcast_jobs;

-- The devices of a group are counted, and listed by name, from the index alone.
drop index devices_group;
create index devices_group on devices (client_id, group_uid, sort_name, uid) include (kind, deleted_at)
  where group_uid is not null;
