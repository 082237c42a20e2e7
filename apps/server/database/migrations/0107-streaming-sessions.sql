-- The linked device of a streamer's session, if the page has the device's active session. A page that another player has
-- replaced finds nothing, as a device does with the token of its former session.

create function auth_device_by_streamer(
  sought bytea, reporter uuid, at timestamptz, idle_seconds integer, used_from text
)
returns table (uid uuid, client_id uuid, kind text, name text, group_uid uuid, reporter_uid uuid)
language sql security definer set search_path = public, pg_temp as $$
  select d.uid, d.client_id, d.kind, d.name, d.group_uid, st.reporter_uid
  from auth_session_by_token(sought, at, idle_seconds, used_from) s
  join devices d on d.uid = s.linked_device_uid and d.client_id = s.client_id and d.deleted_at is null
  join device_states st on st.device_uid = d.uid and st.reporter_uid = reporter
  where s.role = 'streamer'
$$;
revoke all on function auth_device_by_streamer from public;
grant execute on function auth_device_by_streamer to floorcast_auth;
alter function auth_device_by_streamer owner to floorcast_definer;
