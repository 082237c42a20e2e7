-- The operators of the installation: docs/decisions/0329. They are users of no client, and sign in by a password and a code of an
-- authenticator app, always both. The role floorcast_operator has the functions operator_*() and no table: it counts rows of clients
-- and reads none.

create table operators (
  uid uuid primary key,
  email text not null unique check (email = lower(email)),
  -- 'none' until the link of the operator is used.
  password_hash text not null,
  -- AES-256-GCM with the key in DATA_DIR/secret.key. Null until a code of the app has shown that it holds the secret.
  sealed_secret bytea,
  pending_secret bytea,
  confirmed_at timestamptz,
  -- The 30-second step of the last code that was used: no code works twice.
  last_step integer,
  created_at timestamptz not null,
  last_sign_in_at timestamptz,
  locked_at timestamptz,
  check ((sealed_secret is null) = (confirmed_at is null))
);

-- The one link of an operator that sets the password.
create table operator_links (
  operator_uid uuid primary key references operators (uid) on delete cascade,
  -- SHA-256 of what the link holds.
  token_hash bytea not null unique check (length(token_hash) = 32),
  expires_at timestamptz not null
);

-- Sign-ins whose password was right, which wait for a code.
create table operator_steps (
  -- SHA-256 of the ticket.
  ticket_hash bytea primary key check (length(ticket_hash) = 32),
  operator_uid uuid not null references operators (uid) on delete cascade,
  tries integer not null default 0,
  expires_at timestamptz not null
);
create index operator_steps_operator on operator_steps (operator_uid);

create table operator_sessions (
  uid uuid primary key,
  operator_uid uuid not null references operators (uid) on delete cascade,
  -- SHA-256 of the token; the token itself is nowhere.
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  idle_expires_at timestamptz not null,
  expires_at timestamptz not null
);
create index operator_sessions_operator on operator_sessions (operator_uid);

-- What operators did. Nothing changes or deletes an entry but its age.
create table operator_audit (
  uid uuid primary key,
  at timestamptz not null,
  -- Null: a command on the server's machine. The email stays when the operator is removed.
  email text,
  action text not null,
  -- What it concerned: a job, the text of a notice, the email of an operator.
  subject text not null default '',
  address text,
  request_id text
);
create index operator_audit_at on operator_audit (at desc, uid desc);

grant select, insert, update, delete on operators, operator_links, operator_steps, operator_sessions to floorcast_definer;
grant select, insert, delete on operator_audit to floorcast_definer;
select let_backups_read(name::regclass)
from unnest(array['operators', 'operator_links', 'operator_steps', 'operator_sessions', 'operator_audit']) as name;

set local role floorcast_definer;

-- Records what an operator did: {uid, at, email, action, subject, address, requestId}. Every function below that changes something
-- takes such an entry, so that no act is without one.
create function note_operator_act(entry jsonb) returns void
language sql volatile security definer set search_path = public, pg_temp as $$
  insert into operator_audit (uid, at, email, action, subject, address, request_id)
  values ((entry ->> 'uid')::uuid, (entry ->> 'at')::timestamptz, entry ->> 'email', entry ->> 'action',
    coalesce(entry ->> 'subject', ''), entry ->> 'address', entry ->> 'requestId')
$$;
revoke execute on function note_operator_act from public;

-- The operator who signs in with this email; nobody while locked.
create function operator_by_email(sought text)
returns table (uid uuid, email text, password_hash text, is_enrolled boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select o.uid, o.email, o.password_hash, o.confirmed_at is not null
  from operators o where o.email = lower(sought) and o.locked_at is null
$$;

-- At most as many as `max_an_hour` are recorded for one operator: an attacker must not fill the audit.
create function operator_note_failure(entry jsonb, max_an_hour integer) returns void
language sql volatile security definer set search_path = public, pg_temp as $$
  select note_operator_act(entry) where (
    select count(*) from operator_audit a where a.email = entry ->> 'email' and a.action = entry ->> 'action'
      and a.at > (entry ->> 'at')::timestamptz - interval '1 hour') < max_an_hour
$$;

-- The email of a link that can be used.
create function operator_link_email(sought bytea, at timestamptz) returns text
language sql stable security definer set search_path = public, pg_temp as $$
  select o.email from operator_links l join operators o on o.uid = l.operator_uid
  where l.token_hash = sought and l.expires_at > at and o.locked_at is null
$$;

-- Sets the password by a link, once; the operator's sessions and sign-ins end. @returns the email; null for an unknown or expired link
create function operator_use_link(sought bytea, new_hash text, entry jsonb) returns text
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  owner_uid uuid;
  owner_email text;
begin
  delete from operator_links l using operators o
    where l.token_hash = sought and l.expires_at > (entry ->> 'at')::timestamptz and o.uid = l.operator_uid
      and o.locked_at is null
    returning o.uid, o.email into owner_uid, owner_email;
  if owner_uid is null then return null; end if;
  update operators set password_hash = new_hash where uid = owner_uid;
  delete from operator_sessions where operator_uid = owner_uid;
  delete from operator_steps where operator_uid = owner_uid;
  perform note_operator_act(entry || jsonb_build_object('email', owner_email));
  return owner_email;
end
$$;

-- Begins the second step of a sign-in, if the password is still that one. @returns false if it is not
create function operator_begin_step(ticket bytea, owner_uid uuid, seen_hash text, at timestamptz, ends_at timestamptz)
returns boolean language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  perform from operators o where o.uid = owner_uid and o.password_hash = seen_hash and o.locked_at is null for update;
  if not found then return false; end if;
  delete from operator_steps s where s.operator_uid = owner_uid and s.expires_at < at;
  insert into operator_steps (ticket_hash, operator_uid, expires_at) values (ticket, owner_uid, ends_at);
  return true;
end
$$;

-- The operator of a second step; counts a try. No row if the step has expired or has no tries left.
create function operator_step(ticket bytea, at timestamptz, max_tries integer)
returns table (uid uuid, email text, sealed_secret bytea, pending_secret bytea)
language sql volatile security definer set search_path = public, pg_temp as $$
  update operator_steps s set tries = s.tries + 1 from operators o
  where s.ticket_hash = ticket and s.expires_at > at and s.tries < max_tries and o.uid = s.operator_uid and o.locked_at is null
  returning o.uid, o.email, o.sealed_secret, o.pending_secret
$$;

-- Keeps a new secret until a code confirms it. @returns false if the operator has an app: a set-up would be a way around it
create function operator_keep_secret(owner_uid uuid, sealed bytea) returns boolean
language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  update operators set pending_secret = sealed where uid = owner_uid and confirmed_at is null;
  return found;
end
$$;

-- Ends a sign-in: uses up the code's step and the ticket, confirms the app (`confirmed`, the pending secret) or not (null), and
-- begins a session. @returns false if the code was used before, or another call has completed the sign-in
create function operator_sign_in(
  ticket bytea, owner_uid uuid, step integer, confirmed bytea, session_uid uuid, token bytea, idle_ends_at timestamptz,
  ends_at timestamptz, entry jsonb
) returns boolean language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  moment timestamptz := (entry ->> 'at')::timestamptz;
begin
  update operators o set last_step = step, last_sign_in_at = moment,
      sealed_secret = coalesce(confirmed, o.sealed_secret),
      confirmed_at = case when confirmed is null then o.confirmed_at else moment end,
      pending_secret = null
    where o.uid = owner_uid and o.locked_at is null and coalesce(o.last_step, 0) < step
      and case when confirmed is null then o.confirmed_at is not null
        else o.confirmed_at is null and o.pending_secret = confirmed end;
  if not found then return false; end if;
  delete from operator_steps s where s.ticket_hash = ticket and s.operator_uid = owner_uid;
  if not found then
    raise exception 'the step of the sign-in has ended' using errcode = 'FC002';
  end if;
  delete from operator_sessions s where s.operator_uid = owner_uid and (s.expires_at < moment or s.idle_expires_at < moment);
  insert into operator_sessions (uid, operator_uid, token_hash, created_at, last_used_at, idle_expires_at, expires_at)
  values (session_uid, owner_uid, token, moment, moment, idle_ends_at, ends_at);
  if confirmed is not null then
    perform note_operator_act(entry || jsonb_build_object('uid', gen_random_uuid(), 'action', 'add-second-factor'));
  end if;
  perform note_operator_act(entry);
  return true;
end
$$;

-- The session of a token. Its idle time restarts; at most once a minute.
create function operator_session(sought bytea, at timestamptz, idle_seconds integer)
returns table (session_uid uuid, uid uuid, email text, expires_at timestamptz)
language plpgsql volatile security definer set search_path = public, pg_temp as $$
#variable_conflict use_column
begin
  update operator_sessions s set last_used_at = at, idle_expires_at = at + make_interval(secs => idle_seconds)
   where s.token_hash = sought and s.expires_at > at and s.idle_expires_at > at and s.last_used_at < at - interval '1 minute';
  return query
    select s.uid, o.uid, o.email, s.expires_at from operator_sessions s join operators o on o.uid = s.operator_uid
    where s.token_hash = sought and s.expires_at > at and s.idle_expires_at > at and o.locked_at is null;
end
$$;

create function operator_end_session(sought uuid, entry jsonb) returns void
language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  delete from operator_sessions where uid = sought;
  if found then perform note_operator_act(entry); end if;
end
$$;

-- Entries, the newest first. `total` stops at 10,000.
create function operator_list_audit(page_size integer, skipped integer)
returns table (uid uuid, at timestamptz, email text, action text, subject text, address text, total integer)
language sql stable security definer set search_path = public, pg_temp as $$
  select a.uid, a.at, a.email, a.action, a.subject, a.address,
    (select count(*)::integer from (select from operator_audit limit 10000) counted)
  from operator_audit a order by a.at desc, a.uid desc limit page_size offset skipped
$$;

-- What npm run admin does. False: no operator has this email, or for a new one that one has it.
create function jobs_add_operator(new_uid uuid, new_email text, link bytea, link_ends_at timestamptz, entry jsonb) returns boolean
language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  insert into operators (uid, email, password_hash, created_at)
  values (new_uid, lower(new_email), 'none', (entry ->> 'at')::timestamptz) on conflict (email) do nothing;
  if not found then return false; end if;
  insert into operator_links (operator_uid, token_hash, expires_at) values (new_uid, link, link_ends_at);
  perform note_operator_act(entry);
  return true;
end
$$;

-- Password, app and sessions end; the link sets others.
create function jobs_reset_operator(sought text, link bytea, link_ends_at timestamptz, entry jsonb) returns boolean
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  owner_uid uuid;
begin
  update operators set password_hash = 'none', sealed_secret = null, pending_secret = null, confirmed_at = null
    where email = lower(sought) returning uid into owner_uid;
  if owner_uid is null then return false; end if;
  delete from operator_sessions where operator_uid = owner_uid;
  delete from operator_steps where operator_uid = owner_uid;
  insert into operator_links (operator_uid, token_hash, expires_at) values (owner_uid, link, link_ends_at)
    on conflict (operator_uid) do update set token_hash = excluded.token_hash, expires_at = excluded.expires_at;
  perform note_operator_act(entry);
  return true;
end
$$;

create function jobs_lock_operator(sought text, is_locked boolean, entry jsonb) returns boolean
language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  owner_uid uuid;
begin
  update operators set locked_at = case when is_locked then (entry ->> 'at')::timestamptz end
    where email = lower(sought) returning uid into owner_uid;
  if owner_uid is null then return false; end if;
  delete from operator_sessions where operator_uid = owner_uid;
  delete from operator_steps where operator_uid = owner_uid;
  perform note_operator_act(entry);
  return true;
end
$$;

create function jobs_remove_operator(sought text, entry jsonb) returns boolean
language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  delete from operators where email = lower(sought);
  if not found then return false; end if;
  perform note_operator_act(entry);
  return true;
end
$$;

create function jobs_operators()
returns table (email text, created_at timestamptz, last_sign_in_at timestamptz, is_enrolled boolean, is_locked boolean)
language sql stable security definer set search_path = public, pg_temp as $$
  select o.email, o.created_at, o.last_sign_in_at, o.confirmed_at is not null, o.locked_at is not null
  from operators o order by o.email
$$;

-- For the daily maintenance: entries, links, sign-ins and sessions that are over.
create function jobs_purge_operators(audited_before timestamptz, at timestamptz) returns void
language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  delete from operator_audit a where a.at < audited_before;
  delete from operator_links l where l.expires_at < jobs_purge_operators.at;
  delete from operator_steps s where s.expires_at < jobs_purge_operators.at;
  delete from operator_sessions s where s.expires_at < jobs_purge_operators.at or s.idle_expires_at < jobs_purge_operators.at;
end
$$;

revoke execute on function operator_by_email, operator_note_failure, operator_link_email, operator_use_link, operator_begin_step,
  operator_step, operator_keep_secret, operator_sign_in, operator_session, operator_end_session, operator_list_audit,
  jobs_add_operator, jobs_reset_operator, jobs_lock_operator, jobs_remove_operator, jobs_operators, jobs_purge_operators from public;
grant execute on function operator_by_email, operator_note_failure, operator_link_email, operator_use_link, operator_begin_step,
  operator_step, operator_keep_secret, operator_sign_in, operator_session, operator_end_session, operator_list_audit
  to floorcast_operator;
grant execute on function jobs_add_operator, jobs_reset_operator, jobs_lock_operator, jobs_remove_operator, jobs_operators,
  jobs_purge_operators to floorcast_jobs;
reset role;
