-- Of two links that are made at once only one is valid, and a password that a link sets ends the sessions that begin meanwhile:
-- both wait for the user's row first.

set local role floorcast_definer;
create or replace function auth_use_link(sought bytea, new_password_hash text, at timestamptz) returns text
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
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

create or replace function jobs_make_link(user_email text, link_hash bytea, entry_uid uuid, at timestamptz, until timestamptz)
returns boolean
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
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
reset role;
