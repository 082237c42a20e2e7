-- The second factor of users: the secret of an authenticator app, recovery codes, and sign-ins that wait for it.

alter table clients add column requires_second_factor boolean not null default false;
grant update (requires_second_factor) on clients to floorcast_app;

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
select enable_tenant_rls('totp_secrets');
grant select, insert, update, delete on totp_secrets to floorcast_app;

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
select enable_tenant_rls('recovery_codes');
grant select, insert, update, delete on recovery_codes to floorcast_app;

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
  foreign key (client_id, user_uid) references users (client_id, uid) on delete cascade
);
create index sign_in_steps_user on sign_in_steps (client_id, user_uid);
select enable_tenant_rls('sign_in_steps');
grant select, insert, delete on sign_in_steps to floorcast_app;

create policy auth on sign_in_steps to floorcast_definer using (true) with check (true);
grant select, delete on sign_in_steps to floorcast_definer;
grant update (tries) on sign_in_steps to floorcast_definer;
create policy operator on totp_secrets for delete to floorcast_definer using (true);
create policy operator_reads on totp_secrets for select to floorcast_definer using (true);
grant select (user_uid), delete on totp_secrets to floorcast_definer;
create policy operator on recovery_codes for delete to floorcast_definer using (true);
create policy operator_reads on recovery_codes for select to floorcast_definer using (true);
grant select (user_uid), delete on recovery_codes to floorcast_definer;

-- The user of a step that has neither expired nor used up its tries. Each call is a try.
create function auth_sign_in_step(sought bytea, at timestamptz, max_tries integer)
returns table (
  uid uuid, client_id uuid, email text, password_hash text, role text, rights text, first_name text, last_name text,
  linked_device_uid uuid, subscription_expires_at timestamptz
)
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
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
grant execute on function auth_sign_in_step to floorcast_auth;
alter function auth_sign_in_step owner to floorcast_definer;

-- An operator removes the second factor of a user who has lost it, recorded in the client's audit. False: nobody has this
-- email.
create function jobs_remove_second_factor(user_email text, entry_uid uuid, at timestamptz) returns boolean
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
declare
  holder users%rowtype;
begin
  select * into holder from users u where u.email = lower(user_email) and not u.is_invited;
  if not found then
    return false;
  end if;
  delete from totp_secrets t where t.user_uid = holder.uid;
  delete from recovery_codes r where r.user_uid = holder.uid;
  delete from sign_in_steps s where s.user_uid = holder.uid;
  update sessions s set revoked_at = at where s.user_uid = holder.uid and s.revoked_at is null;
  insert into audit_entries (uid, client_id, at, user_name, action, thing, thing_uid, thing_name)
  values (entry_uid, holder.client_id, at, 'operator', 'remove-second-factor', 'user', holder.uid, holder.email);
  return true;
end
$$;
grant execute on function jobs_remove_second_factor to floorcast_jobs;
alter function jobs_remove_second_factor owner to floorcast_definer;
