-- Users recognize their sessions by the browser and by the address of the last use, which is stored with its time, once a
-- minute at most. Sessions of earlier releases have none until then.

alter table sessions add column address text, add column user_agent text;
grant update (address) on sessions to floorcast_definer;

drop function auth_session_by_token(bytea, timestamptz, integer);

create function auth_session_by_token(sought bytea, at timestamptz, idle_seconds integer, used_from text)
returns table (
  session_uid uuid, uid uuid, client_id uuid, email text, role text, rights text, first_name text, last_name text,
  linked_device_uid uuid, subscription_expires_at timestamptz, expires_at timestamptz
)
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
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
grant execute on function auth_session_by_token to floorcast_auth;
alter function auth_session_by_token owner to floorcast_definer;
