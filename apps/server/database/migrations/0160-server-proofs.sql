-- A server proves to a device that it is the device's own by the hash of the license key: docs/decisions/0286.
set local role floorcast_definer;
create function auth_license_hash(sought uuid) returns bytea
language sql stable security definer set search_path = public, pg_temp
as $$
  select sha256(convert_to(d.license_key, 'UTF8')) from devices d where d.uid = sought and d.deleted_at is null
$$;
revoke execute on function auth_license_hash from public;
grant execute on function auth_license_hash to floorcast_auth;
reset role;
