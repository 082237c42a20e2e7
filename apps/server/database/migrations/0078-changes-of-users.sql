-- What stands on a user's session, role, rights or password ends with it. Triggers report every way of changing them, so that
-- no rule, command or statement of an operator can forget it. docs/decisions/0179.

-- Every server compares the connections of the user with the database.
create function notify_user_changed() returns trigger
language plpgsql set search_path to public, pg_temp
as $$
begin
  perform pg_notify('floorcast_user', to_jsonb(old) ->> tg_argv[0]);
  return null;
end
$$;

create trigger session_revoked after update of revoked_at on sessions for each row
  when (old.revoked_at is distinct from new.revoked_at) execute function notify_user_changed('user_uid');
create trigger session_deleted after delete on sessions for each row
  execute function notify_user_changed('user_uid');
create trigger user_changed after update of role, rights, linked_device_uid on users for each row
  when ((old.role, old.rights, old.linked_device_uid) is distinct from (new.role, new.rights, new.linked_device_uid))
  execute function notify_user_changed('uid');

-- A link sets a password: it must not outlive the password that it was made to replace.
create function end_links() returns trigger
language plpgsql set search_path to public, pg_temp
as $$
begin
  delete from user_links l where l.user_uid = new.uid;
  return null;
end
$$;

create trigger password_changed after update of password_hash on users for each row
  when (old.password_hash is distinct from new.password_hash) execute function end_links();

-- Of these sessions, those that are valid at a moment, with what their connections depend on.
create function auth_session_states(sought uuid[], at timestamptz)
returns table (session_uid uuid, role text, rights text, linked_device_uid uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select s.uid, u.role, u.rights, u.linked_device_uid
  from sessions s join users u on u.uid = s.user_uid
  where s.uid = any (sought) and s.revoked_at is null and s.expires_at > at and s.idle_expires_at > at
$$;
grant execute on function auth_session_states to floorcast_auth;
alter function auth_session_states owner to floorcast_definer;
