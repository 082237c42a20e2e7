-- The keys with which a client's proofs of play are signed (Ed25519). Former ones stay, so that their proofs can be verified.

create table proof_keys (
  client_id uuid not null references clients (uid) on delete cascade,
  -- The first 16 hex digits of the public key's SHA-256.
  key_id text not null check (key_id ~ '^[0-9a-f]{16}$'),
  public_key bytea not null check (length(public_key) = 32),
  -- AES-256-GCM with the key in DATA_DIR/secret.key. Null once it is retired: nobody signs with it again.
  sealed_private_key bytea,
  created_at timestamptz not null,
  retired_at timestamptz,
  primary key (client_id, key_id),
  check ((sealed_private_key is null) = (retired_at is not null))
);
create unique index proof_keys_active on proof_keys (client_id) where retired_at is null;
select enable_tenant_rls('proof_keys');
grant select, insert on proof_keys to floorcast_app;
grant update (sealed_private_key, retired_at) on proof_keys to floorcast_app;

create policy auth on proof_keys for select to floorcast_definer using (true);
grant select (client_id, key_id, public_key, created_at, retired_at) on proof_keys to floorcast_definer;

-- A client's name and its public keys, the newest first, for anyone who holds one of its proofs. No row: there is no such client.
create function auth_proof_keys(sought uuid)
returns table (client_name text, key_id text, public_key bytea, created_at timestamptz, retired_at timestamptz)
language sql stable security definer set search_path = public, pg_temp
as $$
  select c.name, k.key_id, k.public_key, k.created_at, k.retired_at
  from clients c left join proof_keys k on k.client_id = c.uid
  where c.uid = sought
  order by k.created_at desc, k.key_id
$$;
revoke execute on function auth_proof_keys from public;
grant execute on function auth_proof_keys to floorcast_auth;
alter function auth_proof_keys owner to floorcast_definer;
