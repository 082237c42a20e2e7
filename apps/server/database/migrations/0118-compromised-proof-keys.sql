-- Since when the key of a client's proofs of play may have been in other hands; null: it has not. docs/decisions/0255.
alter table proof_keys add column compromised_since timestamptz;
grant update (compromised_since) on proof_keys to floorcast_app;
grant select (compromised_since) on proof_keys to floorcast_definer;

drop function auth_proof_keys(uuid);
create function auth_proof_keys(sought uuid)
returns table (
  client_name text, key_id text, public_key bytea, created_at timestamptz, retired_at timestamptz, compromised_since timestamptz)
language sql stable security definer set search_path = public, pg_temp
as $$
  select c.name, k.key_id, k.public_key, k.created_at, k.retired_at, k.compromised_since
  from clients c left join proof_keys k on k.client_id = c.uid
  where c.uid = sought
  order by k.created_at desc, k.key_id
$$;
revoke execute on function auth_proof_keys from public;
grant execute on function auth_proof_keys to floorcast_auth;
alter function auth_proof_keys owner to floorcast_definer;
