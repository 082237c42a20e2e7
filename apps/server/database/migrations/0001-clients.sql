-- Clients (the tenants), their plans, users and sessions; and the fence around every tenant table.
-- Roles are made before any migration runs (platform/database/roles.ts).

alter default privileges revoke execute on functions from public;

-- Puts the fence around a tenant table: row-level security that also binds the owner, and one policy for the two
-- roles that work inside one client. Grants are written where the table is made.
create function fence_tenant_table(fenced regclass) returns void
language plpgsql
as $$
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
  changed_at timestamptz not null
);
select fence_tenant_table('clients');
grant select, update (name, tag_policy, changed_at) on clients to floorcast_app;
grant select on clients to floorcast_jobs;

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
  unique (client_id, uid)
);
create unique index users_email on users (email);
select fence_tenant_table('users');
grant select, insert, update, delete on users to floorcast_app;

create table sessions (
  uid uuid primary key,
  client_id uuid not null,
  user_uid uuid not null,
  -- SHA-256 of the token; the token itself is nowhere.
  token_hash bytea not null check (length(token_hash) = 32),
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  idle_expires_at timestamptz not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  foreign key (client_id, user_uid) references users (client_id, uid) on delete cascade,
  unique (client_id, uid)
);
create unique index sessions_token_hash on sessions (token_hash);
create index sessions_user on sessions (client_id, user_uid);
select fence_tenant_table('sessions');
grant select, insert, update, delete on sessions to floorcast_app;
grant select, delete on sessions to floorcast_jobs;

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
select fence_tenant_table('personalizations');
grant select, insert, update, delete on personalizations to floorcast_app;

-- Append-only: nobody may change or remove a row.
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
create index audit_entries_newest on audit_entries (client_id, at desc);
create index audit_entries_thing on audit_entries (client_id, thing_uid, at desc);
create index audit_entries_user on audit_entries (client_id, user_uid, at desc);
select fence_tenant_table('audit_entries');
grant select, insert on audit_entries to floorcast_app, floorcast_jobs;
