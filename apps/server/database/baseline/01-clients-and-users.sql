-- Clients (the tenants) with their plans, users and audit.
-- platform/database/roles.ts makes the roles before. 10-rights-and-limits.sql isolates the tables and grants what roles may call.

alter default privileges revoke execute on functions from public;

-- Isolates a tenant table: row-level security that also binds the owner, and one policy for the two roles that work inside
-- one client. Every table with a client_id is isolated; grants are written where the table is made.
create function enable_tenant_rls(fenced regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', fenced);
  execute format('alter table %s force row level security', fenced);
  execute format(
    'create policy one_client on %s to floorcast_app, floorcast_jobs
       using (client_id = nullif(current_setting(''app.client_id'', true), '''')::uuid)
       with check (client_id = nullif(current_setting(''app.client_id'', true), '''')::uuid)',
    fenced);
end
$$;

-- Seeded from database/plans.json; an operator changes the numbers here.
create table plans (
  key text primary key,
  position integer not null,
  media_gigabytes numeric not null check (media_gigabytes >= 0),
  statistics_gigabytes numeric not null check (statistics_gigabytes >= 0),
  device_limit integer not null check (device_limit >= 0),
  price_usd_per_month integer not null,
  has_support boolean not null,
  has_extended_support boolean not null
);
grant select on plans to floorcast_app, floorcast_jobs, floorcast_definer;

create table clients (
  uid uuid primary key,
  client_id uuid not null generated always as (uid) stored,
  name text not null,
  plan_key text not null references plans (key),
  subscription_expires_at timestamptz not null,
  tag_policy text not null default 'device' check (tag_policy in ('device', 'group', 'client')),
  created_at timestamptz not null,
  changed_at timestamptz not null,
  -- The key that update files must be signed with; null: files without a signature are taken.
  update_public_key text check (update_public_key ~ '^[A-Za-z0-9+/]{43}=$'),
  requires_second_factor boolean not null default false
);
grant select, update (name, tag_policy, changed_at, update_public_key, requires_second_factor) on clients to floorcast_app;
grant select on clients to floorcast_jobs;
create policy auth on clients to floorcast_definer using (true) with check (true);
grant select, insert, update (plan_key, subscription_expires_at, changed_at) on clients to floorcast_definer;
-- The effective time zone of a device depends on it.
create policy all_clients on clients for select to floorcast_ingest using (true);
grant select (uid, tag_policy) on clients to floorcast_ingest;

-- An email belongs to the user who accepted it. An invitation holds it within its client only, so that it neither reveals
-- nor blocks the users of other clients.
create table users (
  uid uuid primary key,
  client_id uuid not null references clients (uid) on delete cascade,
  email text not null check (email = lower(email)),
  password_hash text not null,
  role text not null check (role in ('admin', 'manager', 'streamer')),
  rights text not null default 'full' check (rights in ('full', 'view')),
  first_name text not null default '',
  last_name text not null default '',
  linked_device_uid uuid,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  -- True until the link of the invitation is used.
  is_invited boolean not null default false,
  -- The networks from which the user signed in, the newest first: docs/decisions/0264. Empty until the next sign-in.
  networks text[] not null default '{}' check (cardinality(networks) <= 10),
  -- In which mails are written: docs/decisions/0273. Null until the first sign-in. The contract lists the languages.
  language text check (language ~ '^[a-z]{2}$'),
  unique (client_id, uid)
);
create unique index users_email on users (email) where not is_invited;
create unique index users_client_email on users (client_id, email);
create index users_linked_device on users (client_id, linked_device_uid) where linked_device_uid is not null;
grant select, insert, update, delete on users to floorcast_app;
create policy auth on users to floorcast_definer using (true) with check (true);
grant select, insert, update (password_hash, is_invited, changed_at) on users to floorcast_definer;

-- The plans that clients want: docs/decisions/0289. A client has one open request; a closed one is in the audit alone.
create table plan_requests (
  client_id uuid primary key references clients (uid) on delete cascade,
  plan_key text not null references plans (key),
  -- Who asks; null after the user was removed.
  user_uid uuid,
  requested_at timestamptz not null,
  foreign key (client_id, user_uid) references users (client_id, uid) on delete set null (user_uid)
);
grant select, insert, update, delete on plan_requests to floorcast_app;
create policy auth on plan_requests to floorcast_definer using (true) with check (true);
grant select, delete on plan_requests to floorcast_definer;

create table personalizations (
  user_uid uuid primary key,
  client_id uuid not null,
  color text not null,
  mode text not null,
  menu_type text not null,
  changed_at timestamptz not null,
  foreign key (client_id, user_uid) references users (client_id, uid) on delete cascade
);
create index personalizations_client on personalizations (client_id);
grant select, insert, update, delete on personalizations to floorcast_app;

-- Views of the console's lists: what a list is searched and filtered by, its order and its columns. docs/decisions/0236.
create table saved_views (
  uid uuid primary key,
  client_id uuid not null references clients (uid) on delete cascade,
  -- The user whose own view it is. Null: the client's users share it, also when the one who saved it is gone.
  user_uid uuid,
  list text not null check (length(list) between 1 and 40),
  name text not null,
  search text not null,
  sort text,
  dir text not null check (dir in ('asc', 'desc')),
  filters jsonb not null,
  columns text[] not null,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  version integer not null default 1,
  foreign key (client_id, user_uid) references users (client_id, uid) on delete cascade
);
create index saved_views_owner on saved_views (client_id, user_uid, list);
grant select, insert, update, delete on saved_views to floorcast_app;

-- Nobody changes an entry. The daily maintenance deletes those older than AUDIT_DAYS. Lists read the newest first; entries
-- of one transaction have one time.
create table audit_entries (
  uid uuid primary key,
  client_id uuid not null references clients (uid) on delete cascade,
  at timestamptz not null,
  -- Null: the installation itself. The name is that of the time.
  user_uid uuid,
  user_name text not null,
  action text not null,
  thing text not null,
  thing_uid uuid,
  thing_name text,
  -- {field: [before, after]}
  changes jsonb not null default '{}',
  request_id text
);
create index audit_entries_newest on audit_entries (client_id, at, uid);
create index audit_entries_thing on audit_entries (client_id, thing_uid, at desc);
create index audit_entries_user on audit_entries (client_id, user_uid, at desc);
grant select, insert on audit_entries to floorcast_app, floorcast_jobs;
grant delete on audit_entries to floorcast_jobs;
create policy operator on audit_entries for insert to floorcast_definer with check (true);
grant insert on audit_entries to floorcast_definer;

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
  -- Since when the key may have been in other hands; null: it has not. docs/decisions/0255.
  compromised_since timestamptz,
  primary key (client_id, key_id),
  check ((sealed_private_key is null) = (retired_at is not null))
);
create unique index proof_keys_active on proof_keys (client_id) where retired_at is null;
grant select, insert, update (sealed_private_key, retired_at, compromised_since) on proof_keys to floorcast_app;
create policy auth on proof_keys for select to floorcast_definer using (true);
grant select (client_id, key_id, public_key, created_at, retired_at, compromised_since) on proof_keys to floorcast_definer;
