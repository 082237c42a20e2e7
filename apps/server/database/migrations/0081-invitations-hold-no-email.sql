-- An email belongs to the user who accepted it. An invitation holds it within its client only, so that it neither reveals
-- nor blocks the users of other clients.

drop index users_email;
create unique index users_email on users (email) where not is_invited;
create unique index users_client_email on users (client_id, email);

set local role floorcast_definer;
create or replace function auth_user_by_email(sought text)
returns table (
  uid uuid, client_id uuid, email text, password_hash text, role text, rights text, first_name text, last_name text,
  linked_device_uid uuid, subscription_expires_at timestamptz
)
language sql stable security definer set search_path = public, pg_temp
as $$
  select u.uid, u.client_id, u.email, u.password_hash, u.role, u.rights, u.first_name, u.last_name,
         u.linked_device_uid, c.subscription_expires_at
  from users u join clients c on c.uid = u.client_id
  where u.email = lower(sought) and not u.is_invited
$$;

reset role;

-- The email of the user of a one-time link that can be used; null for any other.
create function auth_link_email(sought bytea, at timestamptz) returns text
language sql stable security definer set search_path = public, pg_temp
as $$
  select u.email from user_links l join users u on u.client_id = l.client_id and u.uid = l.user_uid
  where l.token_hash = sought and l.expires_at > at
$$;
grant execute on function auth_link_email to floorcast_auth;
alter function auth_link_email owner to floorcast_definer;

-- An operator's commands concern the user who signs in with the email; of an invitation only if it is the only one.
set local role floorcast_definer;
create or replace function jobs_set_subscription(user_email text, plan text, until timestamptz, at timestamptz)
returns boolean
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
begin
  update clients c set plan_key = plan, subscription_expires_at = until, changed_at = at
    from users u where u.email = lower(user_email) and not u.is_invited and c.uid = u.client_id;
  return found;
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
    and (not u.is_invited or 1 = (select count(*) from users o where o.email = u.email));
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
