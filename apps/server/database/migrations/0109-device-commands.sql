-- Who asked for a command, how long it waits, and what came of it. A former row, which no server has sent, expires now.
alter table device_outbox
  add column asked_by text not null default '',
  add column expires_at timestamptz not null default now(),
  add column sent_at timestamptz,
  add column outcome text check (outcome in ('received', 'followed', 'failed')),
  add column why text check (length(why) <= 200);
alter table device_outbox alter column expires_at drop default;
create index device_outbox_device on device_outbox (client_id, device_uid, "position" desc);

-- The newest screenshot and the newest log that a device has sent. Kept here and not in the file store: there are at most two of a
-- device, they go with it, and nobody has to collect what is left over.
create table device_files (
  client_id uuid not null,
  device_uid uuid not null,
  kind text not null check (kind in ('screenshot', 'log')),
  content_type text not null check (content_type in ('image/jpeg', 'image/png', 'text/plain')),
  content bytea not null check (length(content) between 1 and 1048576),
  made_at timestamptz not null,
  primary key (device_uid, kind),
  foreign key (client_id, device_uid) references devices (client_id, uid) on delete cascade
);
-- Pictures are compressed already.
alter table device_files alter column content set storage external;
create index device_files_made on device_files (client_id, made_at);
select enable_tenant_rls('device_files');
grant select, insert, update on device_files to floorcast_app;
grant select, delete on device_files to floorcast_jobs;
