-- A stored file that may have no row: it is on its way into the store, or has lost a row. Who works on it renews `due_at`. From then on any
-- server deletes the file, unless a row or another note that is not due needs it. docs/decisions/0340
create table file_notes (
  uid uuid primary key,
  client_id uuid not null references clients (uid) on delete cascade,
  sha256 text not null,
  due_at timestamptz not null
);
create index file_notes_file on file_notes (client_id, sha256);
create index file_notes_due on file_notes (due_at);
select enable_tenant_rls('file_notes');
grant select, insert, update, delete on file_notes to floorcast_app, floorcast_jobs;
grant select on file_notes to floorcast_definer;
create policy due on file_notes for select to floorcast_definer using (true);

set local role floorcast_definer;
create function jobs_due_files() returns table (uid uuid, client_uid uuid, sha256 text)
language sql stable security definer set search_path = public, pg_temp
as $$
  select n.uid, n.client_id, n.sha256 from file_notes n where n.due_at <= now() order by n.due_at limit 1000
$$;
revoke execute on function jobs_due_files from public;
grant execute on function jobs_due_files to floorcast_jobs;
reset role;
