-- The bytes of an unfinished upload that are in the bucket, piece after piece, so that any server goes on with it. Each is an object
-- `uploads/client/upload/piece`. docs/decisions/0342
-- contracts constraint uploads.uploads_client_id_uid_key: the uid alone is unique
alter table uploads add unique (client_id, uid);

create table upload_pieces (
  uid uuid primary key,
  client_id uuid not null references clients (uid) on delete cascade,
  upload_uid uuid not null,
  start_byte bigint not null check (start_byte >= 0),
  size_bytes bigint not null check (size_bytes > 0),
  foreign key (client_id, upload_uid) references uploads (client_id, uid) on delete cascade,
  -- Of two servers that append at once, one is refused.
  unique (upload_uid, start_byte)
);
create index upload_pieces_client on upload_pieces (client_id);
select enable_tenant_rls('upload_pieces');
grant select, insert, delete on upload_pieces to floorcast_app;
grant select on upload_pieces to floorcast_jobs;

-- The server that works on an upload, and until when it does so unless it renews it.
alter table uploads add column busy_by uuid, add column busy_until timestamptz;
