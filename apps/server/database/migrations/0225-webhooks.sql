-- Addresses of other systems that are told what happens. docs/decisions/0368.
create table webhooks (
  uid uuid primary key,
  client_id uuid not null references clients (uid) on delete cascade,
  name text not null,
  url text not null,
  -- Null: all kinds of events.
  kinds text[],
  state text not null default 'active' check (state in ('active', 'disabled')),
  -- Sealed.
  secret bytea not null,
  -- Signs beside the new one until a moment.
  former_secret bytea,
  former_until timestamptz,
  -- No delivery has arrived since; null: the newest one did.
  failing_since timestamptz,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  version integer not null default 1,
  unique (client_id, uid),
  check ((former_secret is null) = (former_until is null))
);
select enable_tenant_rls('webhooks');
grant select, insert, update, delete on webhooks to floorcast_app;
create trigger limit_rows after insert on webhooks referencing new table as added
  for each statement execute function limit_rows('20');

-- An event on its way to a webhook. It goes with its event, after 30 days.
create table webhook_deliveries (
  client_id uuid not null,
  webhook_uid uuid not null,
  position bigint not null,
  -- Of what the event is about: an earlier event of it arrives, or is given up, first.
  topic text not null,
  state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
  attempts integer not null default 0,
  added_at timestamptz not null,
  due_at timestamptz not null,
  -- A server is at it until then.
  held_until timestamptz,
  -- Of the last attempt: the HTTP status, or why there was none.
  status integer,
  failure text,
  tried_at timestamptz,
  primary key (client_id, webhook_uid, position),
  foreign key (client_id, webhook_uid) references webhooks (client_id, uid) on delete cascade,
  foreign key (client_id, position) references client_events (client_id, position) on delete cascade
);
create index webhook_deliveries_due on webhook_deliveries (due_at) where state = 'waiting';
create index webhook_deliveries_waiting on webhook_deliveries (client_id, webhook_uid, topic, position) where state = 'waiting';
create index webhook_deliveries_event on webhook_deliveries (client_id, position);
select enable_tenant_rls('webhook_deliveries');
grant select, insert, update on webhook_deliveries to floorcast_app;

create function notify_webhook() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if exists (select from added) then
    perform pg_notify('floorcast_webhook', '');
  end if;
  return null;
end
$$;
revoke execute on function notify_webhook from public;
create trigger webhook_delivery_added after insert on webhook_deliveries referencing new table as added
  for each statement execute function notify_webhook();

create policy all_clients on webhook_deliveries to floorcast_definer using (true) with check (true);
grant select, update on webhook_deliveries to floorcast_definer;

-- Takes the next deliveries that are due: of a topic the earliest one, of a webhook at most `at_once` at a time.
create function jobs_claim_deliveries(at timestamptz, until timestamptz, at_once integer, most integer)
returns table (client_id uuid, webhook_uid uuid, "position" bigint)
language plpgsql volatile security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  return query
    update webhook_deliveries d set held_until = until, attempts = d.attempts + 1
    from (
      select l.client_id, l.webhook_uid, l.position
      from webhook_deliveries l
      join (
        select w.client_id, w.webhook_uid, w.position,
          row_number() over (partition by w.client_id, w.webhook_uid order by w.position) as turn
        from webhook_deliveries w
        where w.state = 'waiting' and w.due_at <= at and coalesce(w.held_until <= at, true)
          and not exists (
            select from webhook_deliveries e
            where e.client_id = w.client_id and e.webhook_uid = w.webhook_uid and e.topic = w.topic
              and e.position < w.position and e.state = 'waiting')
      ) turns using (client_id, webhook_uid, position)
      where l.state = 'waiting' and coalesce(l.held_until <= at, true)
        and turns.turn + (select count(*) from webhook_deliveries h
          where h.client_id = l.client_id and h.webhook_uid = l.webhook_uid and h.state = 'waiting' and h.held_until > at) <= at_once
      order by turns.turn, l.due_at limit most for update of l skip locked
    ) taken
    where d.client_id = taken.client_id and d.webhook_uid = taken.webhook_uid and d.position = taken.position
    returning d.client_id, d.webhook_uid, d.position;
end
$$;

-- When the next delivery is due; null: none waits. One that a server holds is due when that ends.
create function jobs_next_delivery_at() returns timestamptz
language sql stable security definer set search_path = public, pg_temp as $$
  select min(greatest(due_at, held_until)) from webhook_deliveries where state = 'waiting'
$$;
revoke execute on function jobs_claim_deliveries, jobs_next_delivery_at from public;
grant execute on function jobs_claim_deliveries, jobs_next_delivery_at to floorcast_jobs;
alter function jobs_claim_deliveries owner to floorcast_definer;
alter function jobs_next_delivery_at owner to floorcast_definer;
