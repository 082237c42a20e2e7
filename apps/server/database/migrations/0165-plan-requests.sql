-- The plans that clients want: docs/decisions/0289. A client has one open request; a closed one is in the audit alone.

create table plan_requests (
  client_id uuid primary key references clients (uid) on delete cascade,
  plan_key text not null references plans (key),
  -- Who asks; null after the user was removed.
  user_uid uuid,
  requested_at timestamptz not null,
  foreign key (client_id, user_uid) references users (client_id, uid) on delete set null (user_uid)
);
select enable_tenant_rls('plan_requests');
grant select, insert, update, delete on plan_requests to floorcast_app;
create policy auth on plan_requests to floorcast_definer using (true) with check (true);
grant select, delete on plan_requests to floorcast_definer;

alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check
  check (kind in ('registration', 'forgotten-password', 'invitation', 'reset', 'plan-request'));

set local role floorcast_definer;
create or replace function jobs_set_subscription(user_email text, plan text, until timestamptz, at timestamptz)
returns boolean
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
declare
  client uuid;
begin
  update clients c set plan_key = plan, subscription_expires_at = until, changed_at = at
    from users u where u.email = lower(user_email) and not u.is_invited and c.uid = u.client_id
  returning c.uid into client;
  delete from plan_requests r where r.client_id = client;
  return client is not null;
end
$$;

-- The open requests of all clients, the oldest first. `email` is that of who asks, or of an admin if that one is gone.
create function jobs_plan_requests() returns table (
  requested_at timestamptz, client_name text, email text, plan_key text, current_key text, subscription_expires_at timestamptz,
  devices integer
)
language sql stable security definer set search_path = public, pg_temp
as $$
  select r.requested_at, c.name, coalesce(u.email, (
      select a.email from users a where a.client_id = c.uid and a.role = 'admin' and not a.is_invited
      order by a.created_at, a.uid limit 1)),
    r.plan_key, c.plan_key, c.subscription_expires_at,
    (select count(*)::integer from devices d where d.client_id = c.uid and d.deleted_at is null)
  from plan_requests r join clients c on c.uid = r.client_id
  left join users u on u.client_id = r.client_id and u.uid = r.user_uid
  order by r.requested_at, c.uid
$$;
revoke execute on function jobs_plan_requests from public;
grant execute on function jobs_plan_requests to floorcast_jobs;

-- Tells the operator of the client's request. `limits`: mails about requests of one client in an hour and in a day; above them
-- nothing is sent, so that a client who asks and withdraws in turns fills no mailbox.
create function queue_plan_request_mail(
  mail_uid uuid, recipient text, asker uuid, asker_email text, language text, at timestamptz, limits integer[]
) returns void
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
declare
  client uuid := nullif(current_setting('app.client_id', true), '')::uuid;
  an_hour bigint;
  a_day bigint;
begin
  select count(*) filter (where m.created_at > at - interval '1 hour'), count(*) into an_hour, a_day
    from mails m where m.client_id = client and m.kind = 'plan-request' and m.created_at > at - interval '1 day';
  if an_hour < limits[1] and a_day < limits[2] then
    insert into mails (uid, client_id, user_uid, kind, recipient, language, inviter, created_at, due_at)
    values (mail_uid, client, asker, 'plan-request', lower(recipient), language, asker_email, at, at);
  end if;
end
$$;
revoke execute on function queue_plan_request_mail from public;
grant execute on function queue_plan_request_mail to floorcast_app;

-- What a mail about a request says. No row if the request is no longer open: the mail is dropped.
create function jobs_prepare_plan_request(sought uuid) returns table (email text, plan_key text)
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
begin
  return query select m.inviter, r.plan_key from mails m join plan_requests r on r.client_id = m.client_id
    where m.uid = sought and m.due_at is not null;
  if not found then
    update mails m set due_at = null, outcome = 'dropped' where m.uid = sought and m.due_at is not null;
  end if;
end
$$;
revoke execute on function jobs_prepare_plan_request from public;
grant execute on function jobs_prepare_plan_request to floorcast_jobs;
reset role;
