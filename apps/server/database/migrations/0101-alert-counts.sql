-- What the pages of alerts show, counted as devices report: 10,000 receipts for each line of the history would cost too much.
-- docs/decisions/0240.

-- The devices that an alert was for when it began; null for alerts of former releases.
alter table alerts add column device_count integer;

-- `failure`: the device's own words for why it did not sound, or not with the sound that it should have.
alter table alert_receipts
  add column failed_at timestamptz,
  add column failure text,
  add column state text not null generated always as (
    case
      when ended_at is not null then 'ended'
      when started_at is not null then 'sounding'
      when failed_at is not null then 'failed'
      else 'received'
    end) stored;

-- Every change adds a row and changes none, as in publication_counts; the daily maintenance merges them.
create table alert_counts (
  client_id uuid not null,
  alert_uid uuid not null,
  failed bigint not null,
  received bigint not null,
  sounding bigint not null,
  ended bigint not null,
  sounded bigint not null,
  foreign key (client_id, alert_uid) references alerts (client_id, uid) on delete cascade
);
create index alert_counts_sum on alert_counts (client_id, alert_uid)
  include (failed, received, sounding, ended, sounded);
select enable_tenant_rls('alert_counts');
create policy all_clients on alert_counts for insert to floorcast_ingest with check (true);
grant select on alert_counts to floorcast_app;
grant insert on alert_counts to floorcast_ingest;
grant select, insert, delete on alert_counts to floorcast_jobs;

create function count_receipts_added() returns trigger
language plpgsql
as $$
begin
  insert into alert_counts (client_id, alert_uid, failed, received, sounding, ended, sounded)
  select client_id, alert_uid, count(*) filter (where state = 'failed'), count(*) filter (where state = 'received'),
    count(*) filter (where state = 'sounding'), count(*) filter (where state = 'ended'), count(started_at)
  from added group by client_id, alert_uid;
  return null;
end
$$;

create function count_receipts_changed() returns trigger
language plpgsql
as $$
begin
  insert into alert_counts (client_id, alert_uid, failed, received, sounding, ended, sounded)
  select * from (
    select client_id, alert_uid, sum(n * (state = 'failed')::int) as failed, sum(n * (state = 'received')::int) as received,
      sum(n * (state = 'sounding')::int) as sounding, sum(n * (state = 'ended')::int) as ended,
      sum(n * (started_at is not null)::int) as sounded
    from (
      select client_id, alert_uid, state, started_at, 1 as n from added
      union all
      select client_id, alert_uid, state, started_at, -1 from removed
    ) as change
    group by client_id, alert_uid
  ) as sums
  where (failed, received, sounding, ended, sounded) <> (0, 0, 0, 0, 0);
  return null;
end
$$;

alter table alert_receipts no force row level security;
alter table alerts no force row level security;
alter table alert_counts no force row level security;

insert into alert_counts (client_id, alert_uid, failed, received, sounding, ended, sounded)
select client_id, alert_uid, 0, count(*) filter (where state = 'received'), count(*) filter (where state = 'sounding'),
  count(*) filter (where state = 'ended'), count(started_at)
from alert_receipts group by client_id, alert_uid;

alter table alert_receipts force row level security;
alter table alerts force row level security;
alter table alert_counts force row level security;

create trigger count_added after insert on alert_receipts referencing new table as added
  for each statement execute function count_receipts_added();
create trigger count_changed after update on alert_receipts referencing old table as removed new table as added
  for each statement execute function count_receipts_changed();
