-- What can be asked before a client is known. The role `floorcast_door` has these functions and no table. They run as
-- `floorcast_definer`, which nobody can sign in as, with the columns granted here and no more.

create policy door on clients to floorcast_definer using (true) with check (true);
create policy door on users to floorcast_definer using (true) with check (true);
create policy door on sessions to floorcast_definer using (true) with check (true);
create policy door on devices to floorcast_definer using (true) with check (true);
create policy door on tickets to floorcast_definer using (true) with check (true);
grant select on clients, users, sessions, devices, tickets to floorcast_definer;
grant insert on clients, users to floorcast_definer;
grant update (plan_key, subscription_expires_at, changed_at) on clients to floorcast_definer;
grant update (last_used_at, idle_expires_at) on sessions to floorcast_definer;
grant update (used_at) on tickets to floorcast_definer;
grant update (license_bound_at, box_uid, token_hash, model) on devices to floorcast_definer;

create function door_has_clients() returns boolean
language sql stable security definer set search_path = public, pg_temp
as $$ select exists (select from clients) $$;

create function door_user_by_email(sought text)
returns table (
  uid uuid, client_id uuid, email text, password_hash text, role text, rights text, first_name text, last_name text,
  linked_device_uid uuid, subscription_expires_at timestamptz
)
language sql stable security definer set search_path = public, pg_temp
as $$
  select u.uid, u.client_id, u.email, u.password_hash, u.role, u.rights, u.first_name, u.last_name,
         u.linked_device_uid, c.subscription_expires_at
  from users u join clients c on c.uid = u.client_id
  where u.email = lower(sought)
$$;

-- The session of a token that is neither revoked nor expired. Its idle time is set anew, at most once a minute.
create function door_session_by_token(sought bytea, at timestamptz, idle_seconds integer)
returns table (
  session_uid uuid, uid uuid, client_id uuid, email text, role text, rights text, first_name text, last_name text,
  linked_device_uid uuid, subscription_expires_at timestamptz, expires_at timestamptz
)
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
#variable_conflict use_column
begin
  update sessions s
     set last_used_at = at, idle_expires_at = at + make_interval(secs => idle_seconds)
   where s.token_hash = sought and s.revoked_at is null and s.expires_at > at and s.idle_expires_at > at
     and s.last_used_at < at - interval '1 minute';
  return query
    select s.uid, u.uid, u.client_id, u.email, u.role, u.rights, u.first_name, u.last_name, u.linked_device_uid,
           c.subscription_expires_at, s.expires_at
    from sessions s
    join users u on u.uid = s.user_uid
    join clients c on c.uid = s.client_id
    where s.token_hash = sought and s.revoked_at is null and s.expires_at > at and s.idle_expires_at > at;
end
$$;

-- A new client with its first user. False: the email is taken.
create function door_register(
  new_client uuid, client_name text, plan text, plan_expires_at timestamptz,
  new_user uuid, user_email text, user_password_hash text, user_first_name text, user_last_name text, at timestamptz
) returns boolean
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
begin
  insert into clients (uid, name, plan_key, subscription_expires_at, created_at, changed_at)
  values (new_client, client_name, plan, plan_expires_at, at, at);
  insert into users (uid, client_id, email, password_hash, role, first_name, last_name, created_at, changed_at)
  values (new_user, new_client, lower(user_email), user_password_hash, 'admin', user_first_name, user_last_name, at, at);
  return true;
exception when unique_violation then
  return false;
end
$$;

-- Binds a licence key to a box at its first use, and gives that box's device its token. The same box may come again,
-- which ends its former token. Outcome: bound, taken (another box has it) or unknown.
create function door_bind_license(
  key text, box uuid, new_token_hash bytea, device_model text, at timestamptz,
  out outcome text, out device_uid uuid, out client_id uuid
)
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
declare
  found_device devices%rowtype;
begin
  select d.* into found_device from devices d where d.license_key = key and d.deleted_at is null for update;
  if not found then
    outcome := 'unknown';
  elsif found_device.box_uid is not null and found_device.box_uid <> box then
    outcome := 'taken';
  else
    update devices d
       set box_uid = box, token_hash = new_token_hash, model = device_model,
           license_bound_at = coalesce(d.license_bound_at, at)
     where d.uid = found_device.uid;
    outcome := 'bound';
    device_uid := found_device.uid;
    client_id := found_device.client_id;
  end if;
end
$$;

create function door_device_by_token(sought bytea)
returns table (uid uuid, client_id uuid, kind text, name text, group_uid uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select d.uid, d.client_id, d.kind, d.name, d.group_uid from devices d
  where d.token_hash = sought and d.deleted_at is null
$$;

-- The session of a ticket for this path; a one-use ticket is used up by it.
create function door_redeem_ticket(sought bytea, asked_path text, at timestamptz)
returns table (
  session_uid uuid, uid uuid, client_id uuid, email text, role text, rights text, first_name text, last_name text,
  linked_device_uid uuid, subscription_expires_at timestamptz, expires_at timestamptz
)
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
#variable_conflict use_column
declare
  holder uuid;
begin
  update tickets t set used_at = at
   where t.ticket_hash = sought and t.path = asked_path and t.expires_at > at and not (t.is_once and t.used_at is not null)
  returning t.session_uid into holder;
  return query
    select s.uid, u.uid, u.client_id, u.email, u.role, u.rights, u.first_name, u.last_name, u.linked_device_uid,
           c.subscription_expires_at, s.expires_at
    from sessions s
    join users u on u.uid = s.user_uid
    join clients c on c.uid = s.client_id
    where s.uid = holder and s.revoked_at is null and s.expires_at > at;
end
$$;

-- For jobs, which then open each client in turn.
create function jobs_client_ids() returns setof uuid
language sql stable security definer set search_path = public, pg_temp
as $$ select uid from clients order by uid $$;

-- An operator's change of a subscription. False: nobody has this email.
create function jobs_set_subscription(user_email text, plan text, until timestamptz, at timestamptz) returns boolean
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
begin
  update clients c set plan_key = plan, subscription_expires_at = until, changed_at = at
    from users u where u.email = lower(user_email) and c.uid = u.client_id;
  return found;
end
$$;

do $$
declare
  entry regprocedure;
begin
  for entry in
    select p.oid::regprocedure from pg_proc p
    where p.pronamespace = 'public'::regnamespace and (p.proname like 'door\_%' or p.proname like 'jobs\_%')
  loop
    execute format('grant execute on function %s to %I', entry,
      case when entry::text like 'door\_%' then 'floorcast_door' else 'floorcast_jobs' end);
    execute format('alter function %s owner to floorcast_definer', entry);
  end loop;
end
$$;
