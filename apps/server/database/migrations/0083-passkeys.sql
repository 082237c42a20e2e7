-- Passkeys (WebAuthn): a second factor, and a way to sign in without a password.

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
select enable_tenant_rls('passkeys');
grant select, insert, update, delete on passkeys to floorcast_app;

create policy auth on passkeys to floorcast_definer using (true) with check (true);
grant select, delete on passkeys to floorcast_definer;

-- The user of a passkey, with what verifies its answers.
create function auth_passkey(sought text)
returns table (
  passkey_uid uuid, public_key bytea, counter bigint,
  uid uuid, client_id uuid, email text, password_hash text, role text, rights text, first_name text, last_name text,
  linked_device_uid uuid, subscription_expires_at timestamptz
)
language sql stable security definer set search_path = public, pg_temp
as $$
  select p.uid, p.public_key, p.counter,
         u.uid, u.client_id, u.email, u.password_hash, u.role, u.rights, u.first_name, u.last_name,
         u.linked_device_uid, c.subscription_expires_at
  from passkeys p
  join users u on u.client_id = p.client_id and u.uid = p.user_uid
  join clients c on c.uid = p.client_id
  where p.credential_id = sought and not u.is_invited
$$;
grant execute on function auth_passkey to floorcast_auth;
alter function auth_passkey owner to floorcast_definer;

set local role floorcast_definer;
create or replace function jobs_remove_second_factor(user_email text, entry_uid uuid, at timestamptz) returns boolean
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
  delete from passkeys p where p.user_uid = holder.uid;
  delete from sign_in_steps s where s.user_uid = holder.uid;
  update sessions s set revoked_at = at where s.user_uid = holder.uid and s.revoked_at is null;
  insert into audit_entries (uid, client_id, at, user_name, action, thing, thing_uid, thing_name)
  values (entry_uid, holder.client_id, at, 'operator', 'remove-second-factor', 'user', holder.uid, holder.email);
  return true;
end
$$;
reset role;
