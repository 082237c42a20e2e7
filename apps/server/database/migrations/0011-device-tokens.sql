-- Device tokens are looked up many at once: a thousand heartbeats are a few queries.

drop function door_device_by_token(bytea);

create function door_devices_by_tokens(sought bytea[])
returns table (token_hash bytea, uid uuid, client_id uuid, kind text, name text, group_uid uuid)
language sql stable security definer set search_path = public, pg_temp
as $$
  select d.token_hash, d.uid, d.client_id, d.kind, d.name, d.group_uid from devices d
  where d.token_hash = any (sought) and d.deleted_at is null
$$;
grant execute on function door_devices_by_tokens to floorcast_door;
alter function door_devices_by_tokens owner to floorcast_definer;
