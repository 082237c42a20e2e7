-- Uploads that may be interrupted and gone on with. Their bytes lie on a server's disk until the last one has come; the
-- storage that each holds is the reservation of the same uid.

create table uploads (
  uid uuid primary key,
  client_id uuid not null,
  user_uid uuid not null,
  content_type text not null check (content_type in ('videos', 'videosAds', 'ads', 'melodies')),
  original_name text not null,
  size_bytes bigint not null check (size_bytes > 0),
  -- What the sender said of the file: decoded Upload-Metadata.
  metadata jsonb not null,
  -- How it ended; kept a while for a sender that lost the last answer.
  outcome jsonb,
  created_at timestamptz not null,
  -- A day after the last byte came, or after it ended.
  expires_at timestamptz not null,
  foreign key (client_id, user_uid) references users (client_id, uid) on delete cascade
);
create index uploads_user on uploads (client_id, user_uid, expires_at);
select fence_tenant_table('uploads');
grant select, insert, update, delete on uploads to floorcast_app;
grant select, delete on uploads to floorcast_jobs;
