-- How users and devices sign in, and mails. auth_*() is what can be asked before a client is known: role floorcast_auth has these
-- functions and no table. They run as floorcast_definer, which nobody can sign in as, with the columns granted to it and no more.

create table sessions (
  uid uuid primary key,
  client_id uuid not null,
  user_uid uuid not null,
  -- SHA-256 of the token; the token itself is nowhere.
  token_hash bytea not null check (length(token_hash) = 32),
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  idle_expires_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  -- Users recognize their sessions by the browser and by the address of the last use, which is stored with its time, once a
  -- minute at most. Null in sessions of 2.775.0 until then.
  address text,
  user_agent text,
  foreign key (client_id, user_uid) references users (client_id, uid) on delete cascade,
  unique (client_id, uid)
);
create unique index sessions_token_hash on sessions (token_hash);
create index sessions_user on sessions (client_id, user_uid);
grant select, insert, update, delete on sessions to floorcast_app;
grant select, delete on sessions to floorcast_jobs;
create policy auth on sessions to floorcast_definer using (true) with check (true);
grant select, update (last_used_at, idle_expires_at, revoked_at, address) on sessions to floorcast_definer;

-- Tickets for what cannot carry a header.
create table tickets (
  -- SHA-256 of the ticket.
  ticket_hash bytea primary key check (length(ticket_hash) = 32),
  client_id uuid not null,
  session_uid uuid not null,
  path text not null,
  is_once boolean not null,
  expires_at timestamptz not null,
  used_at timestamptz,
  foreign key (client_id, session_uid) references sessions (client_id, uid) on delete cascade
);
create index tickets_session on tickets (client_id, session_uid);
grant select, insert, delete on tickets to floorcast_app;
grant select, delete on tickets to floorcast_jobs;
create policy auth on tickets to floorcast_definer using (true) with check (true);
grant select, update (used_at) on tickets to floorcast_definer;

-- One-time links by which a user sets a password: an invitation, or a reset.
create table user_links (
  -- SHA-256 of what the link holds.
  token_hash bytea primary key check (length(token_hash) = 32),
  client_id uuid not null,
  user_uid uuid not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  foreign key (client_id, user_uid) references users (client_id, uid) on delete cascade
);
create index user_links_user on user_links (client_id, user_uid);
grant select, insert, delete on user_links to floorcast_app;
create policy auth on user_links to floorcast_definer using (true) with check (true);
grant select, insert, delete on user_links to floorcast_definer;

-- The second factor of users: the secret of an authenticator app, recovery codes, passkeys, and sign-ins that wait for it.
create table totp_secrets (
  user_uid uuid primary key,
  client_id uuid not null,
  -- AES-256-GCM with the key in DATA_DIR/secret.key. Null until a code of the app has shown that it holds the secret.
  sealed_secret bytea,
  -- Another one that no code has confirmed yet: the first, or that of a new phone.
  pending_secret bytea,
  created_at timestamptz not null,
  confirmed_at timestamptz,
  -- The 30-second step of the last code that was used: no code works twice.
  last_step integer,
  check ((sealed_secret is null) = (confirmed_at is null)),
  foreign key (client_id, user_uid) references users (client_id, uid) on delete cascade
);
create index totp_secrets_user on totp_secrets (client_id, user_uid);
grant select, insert, update, delete on totp_secrets to floorcast_app;
create policy operator on totp_secrets for delete to floorcast_definer using (true);
create policy operator_reads on totp_secrets for select to floorcast_definer using (true);
grant select (user_uid), delete on totp_secrets to floorcast_definer;

create table recovery_codes (
  client_id uuid not null,
  user_uid uuid not null,
  -- HMAC-SHA-256 with a key of DATA_DIR/secret.key.
  code_hash bytea not null check (length(code_hash) = 32),
  created_at timestamptz not null,
  used_at timestamptz,
  primary key (client_id, user_uid, code_hash),
  foreign key (client_id, user_uid) references users (client_id, uid) on delete cascade
);
grant select, insert, update, delete on recovery_codes to floorcast_app;
create policy operator on recovery_codes for delete to floorcast_definer using (true);
create policy operator_reads on recovery_codes for select to floorcast_definer using (true);
grant select (user_uid), delete on recovery_codes to floorcast_definer;

-- WebAuthn: a second factor, and a way to sign in without a password.
create table passkeys (
  uid uuid primary key,
  client_id uuid not null,
  user_uid uuid not null,
  -- base64url, of the authenticator's choice.
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  -- When the challenge was made that the passkey answered: each makes one passkey.
  challenge_at timestamptz not null,
  name text not null,
  created_at timestamptz not null,
  last_used_at timestamptz,
  -- When the challenge of the last sign-in was made: no answer signs in twice.
  last_challenge_at timestamptz,
  foreign key (client_id, user_uid) references users (client_id, uid) on delete cascade
);
create unique index passkeys_challenge on passkeys (client_id, user_uid, challenge_at);
grant select, insert, update, delete on passkeys to floorcast_app;
create policy auth on passkeys to floorcast_definer using (true) with check (true);
grant select, delete on passkeys to floorcast_definer;

create table sign_in_steps (
  -- SHA-256 of the ticket.
  ticket_hash bytea primary key check (length(ticket_hash) = 32),
  client_id uuid not null,
  user_uid uuid not null,
  -- SHA-256 of the password's hash: the step ends when the password changes.
  password_mark bytea not null,
  tries integer not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- A link of a user with a second factor waits for the factor: the password changes, and the sessions end, when it was right.
  link_hash bytea check (length(link_hash) = 32),
  new_password_hash text,
  foreign key (client_id, user_uid) references users (client_id, uid) on delete cascade,
  constraint sign_in_steps_link check ((link_hash is null) = (new_password_hash is null))
);
create index sign_in_steps_user on sign_in_steps (client_id, user_uid);
grant select, insert, delete on sign_in_steps to floorcast_app;
create policy auth on sign_in_steps to floorcast_definer using (true) with check (true);
grant select, delete, update (tries) on sign_in_steps to floorcast_definer;

-- Connections end with the user's session, role or rights that they depend on. Triggers report every way of changing them, so that
-- no rule, command or statement of an operator can forget it. docs/decisions/0179.
-- Every server compares the connections of the user with the database.
create function notify_user_changed() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_notify('floorcast_user', to_jsonb(old) ->> tg_argv[0]);
  return null;
end
$$;
create trigger session_revoked after update of revoked_at on sessions for each row
  when (old.revoked_at is distinct from new.revoked_at) execute function notify_user_changed('user_uid');
create trigger session_deleted after delete on sessions for each row execute function notify_user_changed('user_uid');
create trigger user_changed after update of role, rights, linked_device_uid on users for each row
  when ((old.role, old.rights, old.linked_device_uid) is distinct from (new.role, new.rights, new.linked_device_uid))
  execute function notify_user_changed('uid');

-- A link sets a password: it must not outlive the password that it was made to replace.
create function end_links() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  delete from user_links l where l.user_uid = new.uid;
  return null;
end
$$;
create trigger password_changed after update of password_hash on users for each row
  when (old.password_hash is distinct from new.password_hash) execute function end_links();

create function auth_has_clients() returns boolean language sql stable security definer set search_path = public, pg_temp
as $$ select exists (select from clients) $$;

create function auth_user_by_email(sought text)
returns table (
  uid uuid, client_id uuid, email text, password_hash text, role text, rights text, first_name text, last_name text,
  linked_device_uid uuid, subscription_expires_at timestamptz
) language sql stable security definer set search_path = public, pg_temp as $$
  select u.uid, u.client_id, u.email, u.password_hash, u.role, u.rights, u.first_name, u.last_name,
         u.linked_device_uid, c.subscription_expires_at
  from users u join clients c on c.uid = u.client_id
  where u.email = lower(sought) and not u.is_invited
$$;

-- The session of a token that is neither revoked nor expired. Its idle time begins again, at most once a minute.
create function auth_session_by_token(sought bytea, at timestamptz, idle_seconds integer, used_from text)
returns table (
  session_uid uuid, uid uuid, client_id uuid, email text, role text, rights text, first_name text, last_name text,
  linked_device_uid uuid, subscription_expires_at timestamptz, expires_at timestamptz
) language plpgsql volatile security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  update sessions s
     set last_used_at = at, idle_expires_at = at + make_interval(secs => idle_seconds), address = used_from
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

-- Of these sessions, those that are valid at a moment, with what their connections depend on.
create function auth_session_states(sought uuid[], at timestamptz)
returns table (session_uid uuid, role text, rights text, linked_device_uid uuid)
language sql stable security definer set search_path = public, pg_temp as $$
  select s.uid, u.role, u.rights, u.linked_device_uid
  from sessions s join users u on u.uid = s.user_uid
  where s.uid = any (sought) and s.revoked_at is null and s.expires_at > at and s.idle_expires_at > at
$$;

-- The session of a ticket for this path; a one-use ticket is used up by it.
create function auth_redeem_ticket(sought bytea, asked_path text, at timestamptz)
returns table (
  session_uid uuid, uid uuid, client_id uuid, email text, role text, rights text, first_name text, last_name text,
  linked_device_uid uuid, subscription_expires_at timestamptz, expires_at timestamptz
) language plpgsql volatile security definer set search_path = public, pg_temp as $$
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

-- The user of a step that has neither expired nor used up its tries. Each call is a try.
create function auth_sign_in_step(sought bytea, at timestamptz, max_tries integer)
returns table (
  uid uuid, client_id uuid, email text, password_hash text, role text, rights text, first_name text, last_name text,
  linked_device_uid uuid, subscription_expires_at timestamptz
) language plpgsql volatile security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  holder uuid;
  mark bytea;
begin
  update sign_in_steps s set tries = s.tries + 1
   where s.ticket_hash = sought and s.expires_at > at and s.tries < max_tries
  returning s.user_uid, s.password_mark into holder, mark;
  return query
    select u.uid, u.client_id, u.email, u.password_hash, u.role, u.rights, u.first_name, u.last_name,
           u.linked_device_uid, c.subscription_expires_at
    from users u join clients c on c.uid = u.client_id
    where u.uid = holder and mark = sha256(convert_to(u.password_hash, 'UTF8'));
end
$$;

-- The user of a passkey, with what verifies its answers.
create function auth_passkey(sought text)
returns table (
  passkey_uid uuid, public_key bytea, counter bigint,
  uid uuid, client_id uuid, email text, password_hash text, role text, rights text, first_name text, last_name text,
  linked_device_uid uuid, subscription_expires_at timestamptz
) language sql stable security definer set search_path = public, pg_temp as $$
  select p.uid, p.public_key, p.counter,
         u.uid, u.client_id, u.email, u.password_hash, u.role, u.rights, u.first_name, u.last_name,
         u.linked_device_uid, c.subscription_expires_at
  from passkeys p
  join users u on u.client_id = p.client_id and u.uid = p.user_uid
  join clients c on c.uid = p.client_id
  where p.credential_id = sought and not u.is_invited
$$;

-- The email of the user of a one-time link that can be used; null for any other.
create function auth_link_email(sought bytea, at timestamptz) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select u.email from user_links l join users u on u.client_id = l.client_id and u.uid = l.user_uid
  where l.token_hash = sought and l.expires_at > at
$$;

-- The user of a one-time link: another client may have a user of the same email.
create function auth_link_user(sought bytea, at timestamptz) returns uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select l.user_uid from user_links l where l.token_hash = sought and l.expires_at > at
$$;

-- Sets the password of a link's user and uses the link up, with all others of that user; former sessions end. Null: no
-- such link, or too late. Waits for the user's row first: the password ends the sessions that begin meanwhile.
create function auth_use_link(sought bytea, new_password_hash text, at timestamptz) returns text
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  holder uuid;
  holder_email text;
begin
  delete from user_links l where l.token_hash = sought and l.expires_at > at returning l.user_uid into holder;
  if holder is null then
    return null;
  end if;
  update users u set password_hash = new_password_hash, is_invited = false, changed_at = at
   where u.uid = holder returning u.email into holder_email;
  delete from user_links l where l.user_uid = holder;
  update sessions s set revoked_at = at where s.user_uid = holder and s.revoked_at is null;
  return holder_email;
end
$$;

-- A new client with its first user. False: the email is taken.
create function auth_register(
  new_client uuid, client_name text, plan text, plan_expires_at timestamptz,
  new_user uuid, user_email text, user_password_hash text, user_first_name text, user_last_name text, at timestamptz
) returns boolean language plpgsql volatile security definer set search_path = public, pg_temp as $$
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

-- A client's name and its public keys, the newest first, for anyone who holds one of its proofs. No row: there is no such client.
create function auth_proof_keys(sought uuid)
returns table (
  client_name text, key_id text, public_key bytea, created_at timestamptz, retired_at timestamptz, compromised_since timestamptz)
language sql stable security definer set search_path = public, pg_temp as $$
  select c.name, k.key_id, k.public_key, k.created_at, k.retired_at, k.compromised_since
  from clients c left join proof_keys k on k.client_id = c.uid
  where c.uid = sought
  order by k.created_at desc, k.key_id
$$;

-- Binds license keys to players at their first use, and gives their devices tokens. The same player may come again, which ends
-- its former token. Outcomes: bound, taken (another player has it), unknown, replaced.
-- Ten thousand devices that connect at the same time are a few statements. Binds in the order of the keys, so that batches of
-- two servers lock devices in the same order. Of several bindings of one key the later ones see the earlier ones.
-- A player that names the session that it had is refused if another player has opened a newer one: docs/decisions/0216. Sessions
-- are UUIDs of version 7, so the newer one is greater: after a restore of the database the former one counts again.
create function auth_bind_licenses(
  keys text[], boxes uuid[], token_hashes bytea[], models text[], runs uuid[], former_sessions uuid[], at timestamptz
)
returns table (n bigint, outcome text, device_uid uuid, client_id uuid)
language plpgsql volatile security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
declare
  asked record;
  found_device devices%rowtype;
begin
  for asked in
    select a.key, a.box, a.new_token_hash, a.device_model, a.run, a.former_session, a.n
    from unnest(keys, boxes, token_hashes, models, runs, former_sessions)
      with ordinality as a(key, box, new_token_hash, device_model, run, former_session, n)
    order by a.key, a.n
  loop
    n := asked.n;
    device_uid := null;
    client_id := null;
    select d.* into found_device from devices d where d.license_key = asked.key and d.deleted_at is null for update;
    if not found then
      outcome := 'unknown';
    elsif found_device.box_uid is not null and found_device.box_uid <> asked.box then
      outcome := 'taken';
    elsif found_device.token_hash is not null and exists (
      select from device_states s
      where s.device_uid = found_device.uid and s.reporter_uid > asked.former_session
        and s.reporter_run_uid is distinct from asked.run
    ) then
      outcome := 'replaced';
    else
      update devices d
         set box_uid = asked.box, token_hash = asked.new_token_hash, model = asked.device_model,
             license_bound_at = coalesce(d.license_bound_at, at)
       where d.uid = found_device.uid;
      outcome := 'bound';
      device_uid := found_device.uid;
      client_id := found_device.client_id;
    end if;
    return next;
  end loop;
end
$$;

-- Looked up many at once: a thousand heartbeats are a few queries. Returns the devices' active sessions too.
create function auth_devices_by_tokens(sought bytea[])
returns table (
  token_hash bytea, uid uuid, client_id uuid, kind text, name text, group_uid uuid, reporter_uid uuid
) language sql stable security definer set search_path = public, pg_temp as $$
  select d.token_hash, d.uid, d.client_id, d.kind, d.name, d.group_uid, s.reporter_uid
  from devices d left join device_states s on s.device_uid = d.uid
  where d.token_hash = any (sought) and d.deleted_at is null
$$;

-- The linked device of a streamer's session, if the page has the device's active session. A page that another player has
-- replaced finds nothing, as a device does with the token of its former session.
create function auth_device_by_streamer(sought bytea, reporter uuid, at timestamptz, idle_seconds integer, used_from text)
returns table (uid uuid, client_id uuid, kind text, name text, group_uid uuid, reporter_uid uuid)
language sql security definer set search_path = public, pg_temp as $$
  select d.uid, d.client_id, d.kind, d.name, d.group_uid, st.reporter_uid
  from auth_session_by_token(sought, at, idle_seconds, used_from) s
  join devices d on d.uid = s.linked_device_uid and d.client_id = s.client_id and d.deleted_at is null
  join device_states st on st.device_uid = d.uid and st.reporter_uid = reporter
  where s.role = 'streamer'
$$;

-- A server proves to a device that it is the device's own by the hash of the license key: docs/decisions/0286.
create function auth_license_hash(sought uuid) returns bytea
language sql stable security definer set search_path = public, pg_temp as $$
  select sha256(convert_to(d.license_key, 'UTF8')) from devices d where d.uid = sought and d.deleted_at is null
$$;

-- For jobs, which then open each client in turn.
create function jobs_client_ids() returns setof uuid language sql stable security definer set search_path = public, pg_temp
as $$ select uid from clients order by uid $$;

-- An operator's commands concern the user who signs in with the email; of an invitation only if it is the only one. They are
-- recorded in the client's audit. False: nobody has this email.
-- This changes a subscription, which closes the client's request for a plan.
create function jobs_set_subscription(user_email text, plan text, until timestamptz, at timestamptz)
returns boolean language plpgsql volatile security definer set search_path = public, pg_temp as $$
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
) language sql stable security definer set search_path = public, pg_temp as $$
  select r.requested_at, c.name, coalesce(u.email, (
      select a.email from users a where a.client_id = c.uid and a.role = 'admin' and not a.is_invited
      order by a.created_at, a.uid limit 1)),
    r.plan_key, c.plan_key, c.subscription_expires_at,
    (select count(*)::integer from devices d where d.client_id = c.uid and d.deleted_at is null)
  from plan_requests r join clients c on c.uid = r.client_id
  left join users u on u.client_id = r.client_id and u.uid = r.user_uid
  order by r.requested_at, c.uid
$$;

-- A one-time link for a user who cannot sign in. A former link of the user is good no more: of two that are made at once only
-- one is valid.
create function jobs_make_link(user_email text, link_hash bytea, entry_uid uuid, at timestamptz, until timestamptz)
returns boolean language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  holder users%rowtype;
begin
  select * into holder from users u where u.email = lower(user_email)
    and (not u.is_invited or 1 = (select count(*) from users o where o.email = u.email)) for no key update;
  if not found then
    return false;
  end if;
  delete from user_links l where l.user_uid = holder.uid;
  insert into user_links (token_hash, client_id, user_uid, created_at, expires_at)
  values (link_hash, holder.client_id, holder.uid, at, until);
  insert into audit_entries (uid, client_id, at, user_name, action, thing, thing_uid, thing_name)
  values (entry_uid, holder.client_id, at, 'operator', 'reset-password', 'user', holder.uid, holder.email);
  return true;
end
$$;

-- Removes the second factor of a user who has lost it.
create function jobs_remove_second_factor(user_email text, entry_uid uuid, at timestamptz) returns boolean
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  holder users%rowtype;
begin
  select * into holder from users u where u.email = lower(user_email) and not u.is_invited;
  if not found then
    return false;
  end if;
  delete from totp_secrets t where t.user_uid = holder.uid;
  delete from recovery_codes r where r.user_uid = holder.uid;
  delete from passkeys p where p.user_uid = holder.uid;
  delete from sign_in_steps s where s.user_uid = holder.uid;
  update sessions s set revoked_at = at where s.user_uid = holder.uid and s.revoked_at is null;
  insert into audit_entries (uid, client_id, at, user_name, action, thing, thing_uid, thing_name)
  values (entry_uid, holder.client_id, at, 'operator', 'remove-second-factor', 'user', holder.uid, holder.email);
  return true;
end
$$;

-- Mails that wait for the mail server and, for a day, those that have ended: the limits count them. No row has a secret. The
-- token of a link is made when its mail is sent; the database stores its hash. docs/decisions/0190.

-- People who asked for an account and have not opened their link.
create table registrations (
  uid uuid primary key,
  email text not null check (email = lower(email)),
  client_name text not null,
  first_name text not null,
  last_name text not null,
  -- SHA-256 of the newest link's token. Null until the mail is sent.
  token_hash bytea unique check (length(token_hash) = 32),
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index registrations_email on registrations (email);
create index registrations_expires on registrations (expires_at);
grant select, insert, update, delete on registrations to floorcast_definer;

-- No foreign keys: the limits count mails to users who were removed meanwhile. Otherwise an admin who invites and removes in
-- turns could send any number.
create table mails (
  uid uuid primary key,
  -- The client on whose behalf it is sent; null for strangers.
  client_id uuid,
  user_uid uuid,
  registration_uid uuid,
  kind text not null check (kind in ('registration', 'forgotten-password', 'invitation', 'reset', 'plan-request')),
  recipient text not null check (recipient = lower(recipient)),
  language text not null,
  -- The email of the admin who invites.
  inviter text,
  created_at timestamptz not null,
  -- When it is sent, or sent again. Null: it has ended.
  due_at timestamptz,
  attempts integer not null default 0,
  -- `dropped`: there was no user to write to. `refused`: the mail server refused the recipient or the mail.
  outcome text check (outcome in ('sent', 'dropped', 'refused', 'expired')),
  -- The network that asked for the mail; null for a mail of a client.
  asked_from text,
  -- Set when the mail is sent: true if its reader has signed in from that network.
  is_from_reader boolean,
  check ((due_at is null) = (outcome is not null))
);
create index mails_due on mails (due_at) where due_at is not null;
create index mails_recipient on mails (recipient, created_at);
create index mails_created on mails (created_at);
create policy auth on mails to floorcast_definer using (true) with check (true);
grant select, insert, update, delete on mails to floorcast_definer;

create function notify_mail() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_notify('floorcast_mail', '');
  return null;
end
$$;
create trigger mail_added after insert on mails for each statement execute function notify_mail();

-- Queues a mail. `limits`: mails of a kind to one recipient in an hour and in a day, mails of one client that wait, and of
-- all strangers. A stranger's hour, and for a forgotten password the day, count what the same network asked for. The hour and
-- the day of an admin count what this admin asked for. Above the day's number of invitations by all clients, each client
-- sends its first. docs/decisions/0264, 0284.
-- @returns `queued`, `recipient` where the recipient has had enough of them, or `full`
create function queue_mail(mail mails, limits integer[]) returns text
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  an_hour bigint;
  a_day bigint;
  in_all bigint;
  of_client bigint;
begin
  -- Two calls at once must not pass the limits together.
  perform pg_advisory_xact_lock(hashtextextended('mail ' || mail.recipient, 0));
  select count(*) filter (where is_same and m.created_at > mail.created_at - interval '1 hour'),
         count(*) filter (where is_same or mail.kind = 'registration'),
         count(*),
         count(*) filter (where m.client_id = mail.client_id)
    into an_hour, a_day, in_all, of_client
    from mails m,
         lateral (select (m.asked_from, m.client_id, m.inviter) is not distinct from
                         (mail.asked_from, mail.client_id, mail.inviter) as is_same) same
   where m.recipient = mail.recipient and m.kind = mail.kind and m.created_at > mail.created_at - interval '1 day';
  if an_hour >= limits[1] or a_day >= limits[2]
     or mail.kind = 'invitation' and in_all >= limits[2] and of_client > 0 then
    return 'recipient';
  end if;
  if limits[case when mail.client_id is null then 4 else 3 end] <=
     (select count(*) from mails m where m.due_at is not null and m.client_id is not distinct from mail.client_id) then
    return 'full';
  end if;
  insert into mails values (mail.*);
  return 'queued';
end
$$;

-- A mail with a link to a user of the client: an invitation, or a new password. Null: the client has no such user.
create function queue_mail_to_user(mail_uid uuid, holder uuid, inviter text, language text, at timestamptz, limits integer[])
returns table (result text, recipient text) language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  client uuid := nullif(current_setting('app.client_id', true), '')::uuid;
  to_user users%rowtype;
begin
  select * into to_user from users u where u.client_id = client and u.uid = holder;
  if not found then
    return;
  end if;
  return query select queue_mail(
    row(mail_uid, client, holder, null, case when to_user.is_invited then 'invitation' else 'reset' end, to_user.email,
        language, inviter, at, at, 0, null, null, null)::mails, limits), to_user.email;
end
$$;

-- Tells the operator of the client's request. `limits`: mails about requests of one client in an hour and in a day; above them
-- nothing is sent, so that a client who asks and withdraws in turns fills no mailbox.
create function queue_plan_request_mail(
  mail_uid uuid, recipient text, asker uuid, asker_email text, language text, at timestamptz, limits integer[]
) returns void language plpgsql volatile security definer set search_path = public, pg_temp as $$
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

-- The answer and its time do not depend on whether the email is taken: nothing here looks at users.
create function auth_request_registration(
  new_uid uuid, mail_uid uuid, new_email text, new_client_name text, new_first_name text, new_last_name text, language text,
  asked_from text, at timestamptz, limits integer[]
) returns text language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  result text := queue_mail(
    row(mail_uid, null, null, new_uid, 'registration', lower(new_email), language, null, at, at, 0, null, asked_from,
        null)::mails, limits);
begin
  if result = 'queued' then
    insert into registrations (uid, email, client_name, first_name, last_name, created_at, expires_at)
    values (new_uid, lower(new_email), new_client_name, new_first_name, new_last_name, at, at + interval '2 days');
  end if;
  return result;
end
$$;

create function auth_request_reset(
  mail_uid uuid, email text, language text, asked_from text, at timestamptz, limits integer[]
) returns text language sql volatile security definer set search_path = public, pg_temp as $$
  select queue_mail(
    row(mail_uid, null, null, null, 'forgotten-password', lower(email), language, null, at, at, 0, null, asked_from,
        null)::mails, limits)
$$;

-- The email of a registration whose link can be used; null for any other.
create function auth_registration_email(sought bytea, at timestamptz) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select r.email from registrations r where r.token_hash = sought and r.expires_at > at
$$;

-- Makes the client and its first user of a registration, and uses up all links of this email. The email; null: no such link,
-- or too late; empty: another user has it meanwhile.
create function auth_confirm_registration(
  sought bytea, new_client uuid, new_user uuid, plan text, plan_expires_at timestamptz, user_password_hash text,
  at timestamptz
) returns text language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  confirmed registrations%rowtype;
begin
  delete from registrations r where r.token_hash = sought and r.expires_at > at returning * into confirmed;
  if not found then
    return null;
  end if;
  delete from registrations r where r.email = confirmed.email;
  if not auth_register(new_client, confirmed.client_name, plan, plan_expires_at, new_user, confirmed.email,
                       user_password_hash, confirmed.first_name, confirmed.last_name, at) then
    return '';
  end if;
  return confirmed.email;
end
$$;

-- Due mails for one server to send; others leave them alone until the lease ends. Clients and kinds take turns. Deletes what
-- is older than a day.
create function jobs_claim_mails(at timestamptz, lease_ends_at timestamptz, max_mails integer)
returns table (uid uuid, kind text, recipient text, language text, created_at timestamptz, attempts integer)
language plpgsql volatile security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  delete from registrations r where r.expires_at < at;
  delete from mails m where m.created_at < at - interval '1 day' and m.due_at is null;
  return query
    update mails m set due_at = lease_ends_at, attempts = m.attempts + 1
     where m.uid in (
       select l.uid from mails l join (
         select d.uid, row_number() over (partition by d.client_id, d.kind order by d.due_at, d.uid) as turn
         from mails d where d.due_at <= at) turns on turns.uid = l.uid
       where l.due_at <= at
       order by turns.turn, l.due_at, l.uid limit max_mails for update of l skip locked)
    returning m.uid, m.kind, m.recipient, m.language, m.created_at, m.attempts;
end
$$;

-- When the next mail is due; null: none waits.
create function jobs_next_mail_at() returns timestamptz
language sql stable security definer set search_path = public, pg_temp as $$
  select min(m.due_at) from mails m where m.due_at is not null
$$;

-- The language of the user who reads a mail; null where the recipient is no user or has none yet.
create function jobs_mail_language(sought uuid) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select u.language from mails m
    join users u on u.client_id = m.client_id and u.uid = m.user_uid and u.email = m.recipient
   where m.uid = sought and m.kind in ('invitation', 'reset')
  union all
  select u.language from mails m join users u on u.email = m.recipient and not u.is_invited
   where m.uid = sought and m.kind not in ('invitation', 'reset')
$$;

-- Stores the hash of the link of a mail that is sent now; of links that are made at once only one is valid. @returns which text
-- the mail has (`registration`, `taken`, `invitation`, `forgotten`, `reset`) and the admin who invites; no row if there is nobody
-- to write to, or if strangers have caused as many mails for a forgotten password in a day as they may: the mail is dropped
create function jobs_prepare_mail(
  sought uuid, link_hash bytea, entry_uid uuid, at timestamptz, registration_until timestamptz, forgotten_until timestamptz,
  link_until timestamptz, max_of_strangers integer
) returns table (variant text, inviter text) language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  mail mails%rowtype;
  holder users%rowtype;
  is_reader boolean;
begin
  select * into mail from mails m where m.uid = sought and m.due_at is not null;
  if mail.kind in ('invitation', 'reset') then
    select * into holder from users u
     where u.client_id = mail.client_id and u.uid = mail.user_uid and u.email = mail.recipient
       for no key update;
  else
    select * into holder from users u where u.email = mail.recipient and not u.is_invited for no key update;
  end if;

  if mail.kind = 'registration' and holder.uid is not null then
    return query select 'taken', null::text;
    return;
  end if;
  if mail.kind = 'registration' then
    update registrations r set token_hash = link_hash, expires_at = registration_until where r.uid = mail.registration_uid;
    if found then
      return query select 'registration', null::text;
      return;
    end if;
  end if;
  if mail.kind = 'forgotten-password' and holder.uid is not null then
    is_reader := coalesce(mail.asked_from = any (holder.networks), false);
    update mails m set is_from_reader = is_reader where m.uid = sought;
  end if;
  -- The row of the user is locked: of mails that are prepared at once each sees the ones before it.
  if holder.uid is null or not is_reader and max_of_strangers <= (
    select count(*) from mails m
     where m.recipient = mail.recipient and m.kind = mail.kind and m.uid <> sought and not m.is_from_reader
       and m.outcome is distinct from 'dropped' and m.created_at > at - interval '1 day') then
    update mails m set due_at = null, outcome = 'dropped' where m.uid = sought and m.due_at is not null;
    return;
  end if;
  if mail.kind = 'forgotten-password' then
    -- Former links stay: a stranger who asks in the name of a user must not end them.
    insert into audit_entries (uid, client_id, at, user_name, action, thing, thing_uid, thing_name)
    values (entry_uid, holder.client_id, at, holder.email, 'ask-for-reset', 'user', holder.uid, holder.email);
  else
    delete from user_links l where l.user_uid = holder.uid;
  end if;
  insert into user_links (token_hash, client_id, user_uid, created_at, expires_at)
  values (link_hash, holder.client_id, holder.uid, at,
          case when mail.kind = 'forgotten-password' then forgotten_until else link_until end);
  return query select case when holder.is_invited then 'invitation' when mail.kind = 'forgotten-password' then 'forgotten'
                      else 'reset' end, mail.inviter;
end
$$;

-- The content of a mail about a request. No row if the request is no longer open: the mail is dropped.
create function jobs_prepare_plan_request(sought uuid) returns table (email text, plan_key text)
language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  return query select m.inviter, r.plan_key from mails m join plan_requests r on r.client_id = m.client_id
    where m.uid = sought and m.due_at is not null;
  if not found then
    update mails m set due_at = null, outcome = 'dropped' where m.uid = sought and m.due_at is not null;
  end if;
end
$$;

-- Ends a mail, or has it sent again at `again_at`. The audit of the client on whose behalf it was sent records a failure.
create function jobs_end_mail(sought uuid, new_outcome text, again_at timestamptz, reason text, entry_uid uuid, at timestamptz)
returns void language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  mail mails%rowtype;
begin
  update mails m set due_at = again_at, outcome = new_outcome where m.uid = sought and m.due_at is not null
  returning * into mail;
  if mail.outcome in ('refused', 'expired') and mail.client_id is not null then
    insert into audit_entries (uid, client_id, at, user_name, action, thing, thing_uid, thing_name, changes)
    values (entry_uid, mail.client_id, at, 'mail', 'mail-failed', 'user', mail.user_uid, mail.recipient,
            jsonb_build_object('reason', jsonb_build_array(null, reason)));
  end if;
end
$$;
