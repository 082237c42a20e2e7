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
select enable_tenant_rls('saved_views');
grant select, insert, update, delete on saved_views to floorcast_app;
