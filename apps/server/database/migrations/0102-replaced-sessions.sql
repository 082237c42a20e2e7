-- A token belongs to one running player. A player whose session a newer one has replaced does not take it back:
-- docs/decisions/0216.

-- The start of the player's program that opened the active session.
alter table device_states add column reporter_run_uid uuid;
grant select (reporter_run_uid) on device_states to floorcast_definer;

drop function auth_bind_licenses(text[], uuid[], bytea[], text[], timestamptz);

-- As before. A player that names the session that it had is refused if another player has opened a newer one. Sessions are
-- UUIDs of version 7, so the newer one is greater: after a restore of the database the former one counts again.
create function auth_bind_licenses(
  keys text[], boxes uuid[], token_hashes bytea[], models text[], runs uuid[], former_sessions uuid[], at timestamptz
)
returns table (n bigint, outcome text, device_uid uuid, client_id uuid)
language plpgsql volatile security definer set search_path = public, pg_temp
as $$
#variable_conflict use_column
declare
  asked record;
  found_device devices%rowtype;
begin
  for asked in
    select a.key, a.box, a.new_token_hash, a.device_model, a.run, a.former_session, a.n
    from unnest(keys, boxes, token_hashes, models, runs, former_sessions)
      with ordinality as a(key, box, new_token_hash, device_model, run, former_session, n)
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
    elsif found_device.token_hash is not null and exists (
      select from device_states s
      where s.device_uid = found_device.uid and s.reporter_uid > asked.former_session
        and s.reporter_run_uid is distinct from asked.run
    ) then
      outcome := 'replaced';
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
