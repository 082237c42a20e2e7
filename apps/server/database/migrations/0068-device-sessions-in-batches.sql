-- Ten thousand devices that connect at the same time are a few statements: sessions open in batches, and the look-up of a
-- token also returns the device's active session.

drop function auth_bind_license(text, uuid, bytea, text, timestamptz);

-- Binds in the order of the keys, so that batches of two servers lock devices in the same order. Of several bindings of one
-- key the later ones see the earlier ones.
create function auth_bind_licenses(keys text[], boxes uuid[], token_hashes bytea[], models text[], at timestamptz)
returns table (n bigint, outcome text, device_uid uuid, client_id uuid)
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
#variable_conflict use_column
declare
  asked record;
  found_device devices%rowtype;
begin
  for asked in
    select a.key, a.box, a.new_token_hash, a.device_model, a.n
    from unnest(keys, boxes, token_hashes, models) with ordinality as a(key, box, new_token_hash, device_model, n)
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
grant execute on function auth_bind_licenses to floorcast_auth;
alter function auth_bind_licenses owner to floorcast_definer;

create policy auth on device_states for select to floorcast_definer using (true);
grant select (device_uid, reporter_uid) on device_states to floorcast_definer;

drop function auth_devices_by_tokens(bytea[]);

create function auth_devices_by_tokens(sought bytea[])
returns table (
  token_hash bytea, uid uuid, client_id uuid, kind text, name text, group_uid uuid, reporter_uid uuid
)
language sql stable security definer set search_path = public, pg_temp
as $$
  select d.token_hash, d.uid, d.client_id, d.kind, d.name, d.group_uid, s.reporter_uid
  from devices d left join device_states s on s.device_uid = d.uid
  where d.token_hash = any (sought) and d.deleted_at is null
$$;
grant execute on function auth_devices_by_tokens to floorcast_auth;
alter function auth_devices_by_tokens owner to floorcast_definer;
