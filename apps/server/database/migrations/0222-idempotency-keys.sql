-- Calls with an Idempotency-Key, for a day: each is done once. docs/decisions/0363.
create table idempotency_keys (
  client_id uuid not null references clients (uid) on delete cascade,
  -- The caller; another one may use the same key.
  user_uid uuid not null,
  key text not null check (length(key) between 1 and 255),
  -- SHA-256 of the method, the address and the body.
  fingerprint bytea not null,
  -- The run of the call that may change something and store its answer. Another run takes the call over from one that has ended without.
  run_uid uuid not null,
  begun_at timestamptz not null,
  -- A run that is killed is taken for ended then.
  held_until timestamptz not null,
  -- Set in each transaction of the call: a run that has changed something is not taken over.
  has_changed boolean not null default false,
  -- Null: none yet. Sealed, since an answer may have a secret.
  answer bytea,
  primary key (client_id, user_uid, key)
);
create index idempotency_keys_begun on idempotency_keys (client_id, begun_at);
select enable_tenant_rls('idempotency_keys');
grant select, insert, update, delete on idempotency_keys to floorcast_app;
grant select, delete on idempotency_keys to floorcast_jobs;
create trigger limit_rows after insert on idempotency_keys referencing new table as added
  for each statement execute function limit_rows('200000');
