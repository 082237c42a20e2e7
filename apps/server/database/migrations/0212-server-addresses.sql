-- Where the devices of a client find their server when the present address does not answer, signed by the holder of the client's update
-- key, as devices get it; and what each device does with it. docs/decisions/0353.
alter table clients
  add column address_statement text check (address_statement like 'floorcast server address%' and length(address_statement) <= 600),
  add column address_signature text check (address_signature ~ '^[A-Za-z0-9+/]{86}==$'),
  add constraint clients_address check ((address_statement is null) = (address_signature is null));
grant update (address_statement, address_signature) on clients to floorcast_jobs;
grant select (address_statement, address_signature) on clients to floorcast_ingest;

-- {address, counter, refused: {address, why}} of the newest heartbeat; null: the program does not say it.
alter table device_states add column server jsonb;
grant select (server) on device_states to floorcast_definer;

set local role floorcast_definer;
-- By what a server proves to a device that it is the device's own, and the signed address of the device's client, which it proves too.
-- The former release calls auth_license_hash.
create function auth_server_proof(sought uuid) returns table (license_hash bytea, client_id uuid, address_statement text)
language sql stable security definer set search_path = public, pg_temp as $$
  select sha256(convert_to(d.license_key, 'UTF8')), d.client_id, c.address_statement
  from devices d join clients c on c.uid = d.client_id where d.uid = sought and d.deleted_at is null
$$;
revoke execute on function auth_server_proof from public;
grant execute on function auth_server_proof to floorcast_auth;

-- The clients with their signed address, and how many of their devices keep it, report there, and go to no address that they were told.
create function jobs_server_addresses() returns table (
  client_uid uuid, client_name text, has_update_key boolean, address_statement text, devices integer, keeping integer, there integer,
  refusing integer
) language sql stable security definer set search_path = public, pg_temp as $$
  select c.uid, c.name, c.update_public_key is not null, c.address_statement, count(d.uid)::integer,
    count(*) filter (where s.server ->> 'counter' = substring(c.address_statement from '\ncounter (\d+)\n'))::integer,
    count(*) filter (where s.server ->> 'address' = substring(c.address_statement from '\naddress (\S+)\n'))::integer,
    count(*) filter (where s.server -> 'refused' <> 'null')::integer
  from clients c
  left join devices d on d.client_id = c.uid and d.deleted_at is null
  left join device_states s on s.device_uid = d.uid
  group by c.uid order by c.name, c.uid
$$;
revoke execute on function jobs_server_addresses from public;
grant execute on function jobs_server_addresses to floorcast_jobs;
reset role;
