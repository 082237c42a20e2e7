-- The schema after every migration, written by `npm run schema`. To read, not to run.

create table alert_counts (
  client_id uuid not null,
  alert_uid uuid not null,
  failed bigint not null,
  received bigint not null,
  sounding bigint not null,
  ended bigint not null,
  sounded bigint not null,
  constraint alert_counts_client_id_alert_uid_fkey FOREIGN KEY (client_id, alert_uid) REFERENCES alerts(client_id, uid) ON DELETE CASCADE
);
alter table alert_counts enable row level security;
alter table alert_counts force row level security;
CREATE INDEX alert_counts_sum ON public.alert_counts USING btree (client_id, alert_uid) INCLUDE (failed, received, sounding, ended, sounded);
create policy all_clients on alert_counts for insert to floorcast_ingest
  with check (true);
create policy one_client on alert_counts for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant select on alert_counts to floorcast_app;
grant insert on alert_counts to floorcast_ingest;
grant delete, insert, select on alert_counts to floorcast_jobs;

create table alert_receipts (
  alert_uid uuid not null,
  device_uid uuid not null,
  client_id uuid not null,
  received_at timestamp with time zone,
  started_at timestamp with time zone,
  ended_at timestamp with time zone,
  failed_at timestamp with time zone,
  failure text,
  state text generated always as (
CASE
    WHEN (ended_at IS NOT NULL) THEN 'ended'::text
    WHEN (started_at IS NOT NULL) THEN 'sounding'::text
    WHEN (failed_at IS NOT NULL) THEN 'failed'::text
    ELSE 'received'::text
END) stored not null,
  constraint alert_receipts_client_id_alert_uid_fkey FOREIGN KEY (client_id, alert_uid) REFERENCES alerts(client_id, uid) ON DELETE CASCADE,
  constraint alert_receipts_pkey PRIMARY KEY (alert_uid, device_uid)
);
alter table alert_receipts enable row level security;
alter table alert_receipts force row level security;
CREATE INDEX alert_receipts_client ON public.alert_receipts USING btree (client_id, device_uid);
create policy all_clients on alert_receipts for all to floorcast_ingest
  using (true)
  with check (true);
create policy one_client on alert_receipts for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant select on alert_receipts to floorcast_app;
grant insert, select, update on alert_receipts to floorcast_ingest;
grant select on alert_receipts to floorcast_jobs;

create table alerts (
  uid uuid not null,
  client_id uuid not null,
  kind text not null,
  device_uid uuid,
  group_uid uuid,
  is_drill boolean default false not null,
  began_at timestamp with time zone not null,
  began_by uuid,
  ended_at timestamp with time zone,
  ended_by uuid,
  device_count integer,
  constraint alerts_check CHECK ((num_nonnulls(device_uid, group_uid) <= 1)),
  constraint alerts_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint alerts_client_id_uid_key UNIQUE (client_id, uid),
  constraint alerts_kind_check CHECK ((kind = ANY (ARRAY['air'::text, 'chemical'::text, 'nuclear'::text]))),
  constraint alerts_pkey PRIMARY KEY (uid)
);
alter table alerts enable row level security;
alter table alerts force row level security;
CREATE INDEX alerts_newest ON public.alerts USING btree (client_id, began_at DESC);
CREATE INDEX alerts_open ON public.alerts USING btree (client_id, began_at) WHERE (ended_at IS NULL);
create policy all_clients on alerts for select to floorcast_ingest
  using (true);
create policy one_client on alerts for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant insert, select, update on alerts to floorcast_app;
grant select (client_id, uid) on alerts to floorcast_ingest;
grant select on alerts to floorcast_jobs;

create table audit_entries (
  uid uuid not null,
  client_id uuid not null,
  at timestamp with time zone not null,
  user_uid uuid,
  user_name text not null,
  action text not null,
  thing text not null,
  thing_uid uuid,
  thing_name text,
  changes jsonb default '{}'::jsonb not null,
  request_id text,
  constraint audit_entries_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint audit_entries_pkey PRIMARY KEY (uid)
);
alter table audit_entries enable row level security;
alter table audit_entries force row level security;
CREATE INDEX audit_entries_newest ON public.audit_entries USING btree (client_id, at, uid);
CREATE INDEX audit_entries_thing ON public.audit_entries USING btree (client_id, thing_uid, at DESC);
CREATE INDEX audit_entries_user ON public.audit_entries USING btree (client_id, user_uid, at DESC);
create policy one_client on audit_entries for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
create policy operator on audit_entries for insert to floorcast_definer
  with check (true);
grant insert, select on audit_entries to floorcast_app;
grant insert on audit_entries to floorcast_definer;
grant delete, insert, select on audit_entries to floorcast_jobs;

create table client_manifests (
  client_id uuid not null,
  revision bigint default 1 not null,
  constraint client_manifests_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint client_manifests_pkey PRIMARY KEY (client_id)
);
alter table client_manifests enable row level security;
alter table client_manifests force row level security;
create policy all_clients on client_manifests for select to floorcast_ingest
  using (true);
create policy one_client on client_manifests for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant insert, select, update on client_manifests to floorcast_app;
grant select on client_manifests to floorcast_ingest;
grant insert, select, update on client_manifests to floorcast_jobs;

create table clients (
  uid uuid not null,
  client_id uuid generated always as (uid) stored not null,
  name text not null,
  plan_key text not null,
  subscription_expires_at timestamp with time zone not null,
  tag_policy text default 'device'::text not null,
  created_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  update_public_key text,
  requires_second_factor boolean default false not null,
  constraint clients_pkey PRIMARY KEY (uid),
  constraint clients_plan_key_fkey FOREIGN KEY (plan_key) REFERENCES plans(key),
  constraint clients_tag_policy_check CHECK ((tag_policy = ANY (ARRAY['device'::text, 'group'::text, 'client'::text]))),
  constraint clients_update_public_key_check CHECK ((update_public_key ~ '^[A-Za-z0-9+/]{43}=$'::text))
);
alter table clients enable row level security;
alter table clients force row level security;
create policy all_clients on clients for select to floorcast_ingest
  using (true);
create policy auth on clients for all to floorcast_definer
  using (true)
  with check (true);
create policy one_client on clients for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant select on clients to floorcast_app;
grant update (changed_at, name, requires_second_factor, tag_policy, update_public_key) on clients to floorcast_app;
grant insert, select on clients to floorcast_definer;
grant update (changed_at, plan_key, subscription_expires_at) on clients to floorcast_definer;
grant select (tag_policy, uid) on clients to floorcast_ingest;
grant select on clients to floorcast_jobs;

create table connectivity_samples (
  client_id uuid not null,
  at timestamp with time zone not null,
  online integer not null,
  linkdown integer not null,
  linklost integer not null,
  neverup integer not null,
  constraint connectivity_samples_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint connectivity_samples_pkey PRIMARY KEY (client_id, at)
);
alter table connectivity_samples enable row level security;
alter table connectivity_samples force row level security;
CREATE INDEX connectivity_samples_at ON public.connectivity_samples USING btree (at);
create policy all_clients on connectivity_samples for all to floorcast_definer
  using (true)
  with check (true);
create policy one_client on connectivity_samples for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant select on connectivity_samples to floorcast_app;
grant delete, insert, select on connectivity_samples to floorcast_definer;

create table delivered_quarters (
  client_id uuid not null,
  quarter timestamp with time zone not null,
  publication_uid uuid not null,
  media_uid uuid not null,
  scheduled_day date not null,
  plays integer not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  constraint delivered_quarters_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint delivered_quarters_pkey PRIMARY KEY (client_id, quarter, publication_uid, media_uid, scheduled_day)
) with (fillfactor=50);
alter table delivered_quarters enable row level security;
alter table delivered_quarters force row level security;
create policy all_clients on delivered_quarters for all to floorcast_ingest
  using (true)
  with check (true);
create policy one_client on delivered_quarters for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant select on delivered_quarters to floorcast_app;
grant insert, select, update on delivered_quarters to floorcast_ingest;
grant delete, insert, select, update on delivered_quarters to floorcast_jobs;

create table deploy_packages (
  uid uuid not null,
  client_id uuid not null,
  package_uid uuid not null,
  channel_uid uuid not null,
  description text default ''::text not null,
  state text default 'paused'::text not null,
  created_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  version integer default 1 not null,
  constraint deploy_packages_client_id_channel_uid_fkey FOREIGN KEY (client_id, channel_uid) REFERENCES update_channels(client_id, uid),
  constraint deploy_packages_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint deploy_packages_client_id_package_uid_fkey FOREIGN KEY (client_id, package_uid) REFERENCES update_packages(client_id, uid),
  constraint deploy_packages_client_id_uid_key UNIQUE (client_id, uid),
  constraint deploy_packages_pair UNIQUE (package_uid, channel_uid),
  constraint deploy_packages_pkey PRIMARY KEY (uid),
  constraint deploy_packages_state_check CHECK ((state = ANY (ARRAY['paused'::text, 'active'::text, 'forced'::text])))
);
alter table deploy_packages enable row level security;
alter table deploy_packages force row level security;
CREATE INDEX deploy_packages_changed ON public.deploy_packages USING btree (client_id, changed_at);
CREATE INDEX deploy_packages_channel ON public.deploy_packages USING btree (client_id, channel_uid);
CREATE INDEX deploy_packages_package ON public.deploy_packages USING btree (client_id, package_uid);
create policy one_client on deploy_packages for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant delete, insert, select, update on deploy_packages to floorcast_app;

create table device_boots (
  device_uid uuid not null,
  boot_uid uuid not null,
  client_id uuid not null,
  received int8multirange default '{}'::int8multirange not null,
  first_seen_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  constraint device_boots_client_id_device_uid_fkey FOREIGN KEY (client_id, device_uid) REFERENCES devices(client_id, uid) ON DELETE CASCADE,
  constraint device_boots_pkey PRIMARY KEY (device_uid, boot_uid)
) with (fillfactor=70);
alter table device_boots enable row level security;
alter table device_boots force row level security;
CREATE INDEX device_boots_client ON public.device_boots USING btree (client_id, device_uid);
create policy all_clients on device_boots for all to floorcast_ingest
  using (true)
  with check (true);
create policy one_client on device_boots for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant select on device_boots to floorcast_app;
grant insert, select, update on device_boots to floorcast_ingest;
grant delete, select on device_boots to floorcast_jobs;

create table device_files (
  client_id uuid not null,
  device_uid uuid not null,
  kind text not null,
  content_type text not null,
  content bytea not null,
  made_at timestamp with time zone not null,
  constraint device_files_client_id_device_uid_fkey FOREIGN KEY (client_id, device_uid) REFERENCES devices(client_id, uid) ON DELETE CASCADE,
  constraint device_files_content_check CHECK (((length(content) >= 1) AND (length(content) <= 1048576))),
  constraint device_files_content_type_check CHECK ((content_type = ANY (ARRAY['image/jpeg'::text, 'image/png'::text, 'text/plain'::text]))),
  constraint device_files_kind_check CHECK ((kind = ANY (ARRAY['screenshot'::text, 'log'::text]))),
  constraint device_files_pkey PRIMARY KEY (device_uid, kind)
);
alter table device_files enable row level security;
alter table device_files force row level security;
CREATE INDEX device_files_made ON public.device_files USING btree (client_id, made_at);
create policy one_client on device_files for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant insert, select, update on device_files to floorcast_app;
grant delete, select on device_files to floorcast_jobs;

create table device_logs (
  day date not null,
  device_uid uuid not null,
  boot_uid uuid not null,
  sequence bigint not null,
  client_id uuid not null,
  event_uid uuid not null,
  kind text not null,
  at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  is_clock_doubted boolean default false not null,
  device_name text not null,
  details jsonb not null,
  constraint device_logs_kind_check CHECK ((kind = ANY (ARRAY['playlist'::text, 'debug'::text, 'update'::text, 'alert'::text]))),
  constraint device_logs_pkey PRIMARY KEY (day, device_uid, boot_uid, sequence)
) partition by RANGE (day);
alter table device_logs enable row level security;
alter table device_logs force row level security;
CREATE INDEX device_logs_device ON ONLY public.device_logs USING btree (client_id, device_uid, kind, at DESC);
CREATE INDEX device_logs_event ON ONLY public.device_logs USING btree (device_uid, event_uid, day);
create policy any_client_ids on device_logs for select to floorcast_ingest
  using (true);
create policy any_client_in on device_logs for insert to floorcast_ingest
  with check (true);
create policy one_client on device_logs for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant select on device_logs to floorcast_app;
grant insert on device_logs to floorcast_ingest;
grant select (day, device_uid, event_uid) on device_logs to floorcast_ingest;
grant delete, select on device_logs to floorcast_jobs;

create table device_manifests (
  device_uid uuid not null,
  client_id uuid not null,
  generation bigint default 0 not null,
  etag text default ''::text not null,
  own_revision bigint default 1 not null,
  made_own_revision bigint,
  made_group_uid uuid,
  made_group_revision bigint,
  made_client_revision bigint,
  made_alerts text default ''::text not null,
  constraint device_manifests_client_id_device_uid_fkey FOREIGN KEY (client_id, device_uid) REFERENCES devices(client_id, uid) ON DELETE CASCADE,
  constraint device_manifests_pkey PRIMARY KEY (device_uid)
) with (fillfactor=70);
alter table device_manifests enable row level security;
alter table device_manifests force row level security;
CREATE INDEX device_manifests_client ON public.device_manifests USING btree (client_id);
create policy all_clients on device_manifests for select to floorcast_ingest
  using (true);
create policy one_client on device_manifests for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant delete, insert, select, update on device_manifests to floorcast_app;
grant select (client_id, device_uid, etag, made_alerts, made_client_revision, made_group_revision, made_group_uid, made_own_revision, own_revision) on device_manifests to floorcast_ingest;
grant insert, select, update on device_manifests to floorcast_jobs;

create table device_outbox (
  uid uuid not null,
  client_id uuid not null,
  device_uid uuid not null,
  "position" bigint generated always as identity not null,
  type text not null,
  body jsonb not null,
  created_at timestamp with time zone not null,
  acknowledged_at timestamp with time zone,
  asked_by text default ''::text not null,
  expires_at timestamp with time zone not null,
  sent_at timestamp with time zone,
  outcome text,
  why text,
  constraint device_outbox_client_id_device_uid_fkey FOREIGN KEY (client_id, device_uid) REFERENCES devices(client_id, uid) ON DELETE CASCADE,
  constraint device_outbox_outcome_check CHECK ((outcome = ANY (ARRAY['received'::text, 'followed'::text, 'failed'::text]))),
  constraint device_outbox_pkey PRIMARY KEY (uid),
  constraint device_outbox_type_check CHECK ((type = ANY (ARRAY['command'::text]))),
  constraint device_outbox_why_check CHECK ((length(why) <= 200))
);
alter table device_outbox enable row level security;
alter table device_outbox force row level security;
CREATE INDEX device_outbox_device ON public.device_outbox USING btree (client_id, device_uid, "position" DESC);
CREATE INDEX device_outbox_waiting ON public.device_outbox USING btree (client_id, device_uid, "position") WHERE (acknowledged_at IS NULL);
create policy one_client on device_outbox for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant insert, select, update on device_outbox to floorcast_app;
grant delete, insert, select, update on device_outbox to floorcast_jobs;

create table device_silences (
  device_uid uuid not null,
  client_id uuid not null,
  because text,
  since timestamp with time zone not null,
  constraint device_silences_client_id_device_uid_fkey FOREIGN KEY (client_id, device_uid) REFERENCES devices(client_id, uid) ON DELETE CASCADE,
  constraint device_silences_pkey PRIMARY KEY (device_uid)
) with (fillfactor=70);
alter table device_silences enable row level security;
alter table device_silences force row level security;
CREATE INDEX device_silences_client ON public.device_silences USING btree (client_id);
create policy all_clients on device_silences for all to floorcast_ingest
  using (true)
  with check (true);
create policy one_client on device_silences for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant select on device_silences to floorcast_app;
grant insert, select, update on device_silences to floorcast_ingest;

create table device_states (
  device_uid uuid not null,
  client_id uuid not null,
  last_contact_at timestamp with time zone,
  device_clock_at timestamp with time zone,
  boot_uid uuid,
  program_version text,
  temperature_celsius real,
  memory_size_bytes bigint,
  free_memory_bytes bigint,
  ip_address text,
  mac_address text,
  volume smallint,
  now_playing jsonb,
  last_played_name text,
  last_played_at timestamp with time zone,
  manifest_etag text,
  quarantined jsonb default '[]'::jsonb not null,
  reporter_uid uuid,
  reporter_run_uid uuid,
  alert_check jsonb,
  heartbeat_seconds real,
  overdue_at timestamp with time zone,
  playing_since timestamp with time zone,
  playing_until timestamp with time zone,
  silence text,
  silent_since timestamp with time zone,
  channel_lost_at timestamp with time zone,
  constraint device_states_client_id_device_uid_fkey FOREIGN KEY (client_id, device_uid) REFERENCES devices(client_id, uid) ON DELETE CASCADE,
  constraint device_states_pkey PRIMARY KEY (device_uid)
) with (fillfactor=70);
alter table device_states enable row level security;
alter table device_states force row level security;
CREATE INDEX device_states_client ON public.device_states USING btree (client_id);
create policy all_clients on device_states for all to floorcast_ingest
  using (true)
  with check (true);
create policy auth on device_states for select to floorcast_definer
  using (true);
create policy one_client on device_states for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant insert, select, update on device_states to floorcast_app;
grant select (device_uid, last_contact_at, reporter_run_uid, reporter_uid) on device_states to floorcast_definer;
grant insert, select, update on device_states to floorcast_ingest;

create table device_transitions (
  device_uid uuid not null,
  at timestamp with time zone not null,
  client_id uuid not null,
  state text not null,
  constraint device_transitions_client_id_device_uid_fkey FOREIGN KEY (client_id, device_uid) REFERENCES devices(client_id, uid) ON DELETE CASCADE,
  constraint device_transitions_pkey PRIMARY KEY (device_uid, at),
  constraint device_transitions_state_check CHECK ((state = ANY (ARRAY['online'::text, 'linkdown'::text, 'linklost'::text, 'neverup'::text])))
);
alter table device_transitions enable row level security;
alter table device_transitions force row level security;
CREATE INDEX device_transitions_client ON public.device_transitions USING btree (client_id, at);
create policy all_clients on device_transitions for all to floorcast_ingest
  using (true)
  with check (true);
create policy one_client on device_transitions for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant insert, select on device_transitions to floorcast_app;
grant insert, select on device_transitions to floorcast_ingest;
grant delete, insert, select on device_transitions to floorcast_jobs;

create table device_update_states (
  device_uid uuid not null,
  client_id uuid not null,
  package_uid uuid,
  version text not null,
  step text not null,
  message text,
  at timestamp with time zone not null,
  received_at timestamp with time zone not null,
  constraint device_update_states_client_id_device_uid_fkey FOREIGN KEY (client_id, device_uid) REFERENCES devices(client_id, uid) ON DELETE CASCADE,
  constraint device_update_states_pkey PRIMARY KEY (device_uid)
) with (fillfactor=70);
alter table device_update_states enable row level security;
alter table device_update_states force row level security;
CREATE INDEX device_update_states_client ON public.device_update_states USING btree (client_id);
create policy all_clients on device_update_states for all to floorcast_ingest
  using (true)
  with check (true);
create policy one_client on device_update_states for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant select on device_update_states to floorcast_app;
grant insert, select, update on device_update_states to floorcast_ingest;

create table devices (
  uid uuid not null,
  client_id uuid not null,
  kind text not null,
  name text not null,
  description text default ''::text not null,
  group_uid uuid,
  license_key text not null,
  license_bound_at timestamp with time zone,
  box_uid uuid,
  token_hash bytea,
  model text,
  expires_at timestamp with time zone,
  created_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  version integer default 1 not null,
  deleted_at timestamp with time zone,
  deleted_by uuid,
  tag_policy text,
  store_number text default ''::text not null,
  sort_store_number text generated always as (regexp_replace(regexp_replace(NULLIF(lower(store_number), ''::text), '([0-9]+)'::text, (repeat('0'::text, 31) || '\1'::text), 'g'::text), '0*([0-9]{32})'::text, '\1'::text, 'g'::text)) stored,
  import_uid uuid,
  import_line integer,
  search_text text generated always as (fold(((((name || ''::text) || description) || ''::text) || store_number))) stored not null,
  sort_name text collate "C" generated always as (sort_key(name)) stored not null,
  constraint devices_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint devices_client_id_group_uid_fkey FOREIGN KEY (client_id, group_uid) REFERENCES groups(client_id, uid),
  constraint devices_client_id_uid_key UNIQUE (client_id, uid),
  constraint devices_import_check CHECK (((import_uid IS NULL) = (import_line IS NULL))),
  constraint devices_kind_check CHECK ((kind = ANY (ARRAY['audio'::text, 'video'::text]))),
  constraint devices_pkey PRIMARY KEY (uid),
  constraint devices_tag_policy_check CHECK ((tag_policy = ANY (ARRAY['device'::text, 'group'::text, 'client'::text]))),
  constraint devices_token_hash_check CHECK ((length(token_hash) = 32))
);
alter table devices enable row level security;
alter table devices force row level security;
CREATE INDEX devices_bin ON public.devices USING btree (client_id, deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX devices_changed ON public.devices USING btree (client_id, changed_at, uid) INCLUDE (kind, group_uid) WHERE (deleted_at IS NULL);
CREATE INDEX devices_free ON public.devices USING btree (client_id, changed_at, uid) INCLUDE (kind) WHERE ((deleted_at IS NULL) AND (group_uid IS NULL));
CREATE INDEX devices_group ON public.devices USING btree (client_id, group_uid, sort_name, uid) INCLUDE (kind, deleted_at) WHERE (group_uid IS NOT NULL);
CREATE UNIQUE INDEX devices_import ON public.devices USING btree (client_id, import_uid, import_line) WHERE (import_uid IS NOT NULL);
CREATE INDEX devices_kind ON public.devices USING btree (client_id, kind, uid) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX devices_license_key ON public.devices USING btree (license_key);
CREATE INDEX devices_name ON public.devices USING btree (client_id, sort_name, uid) INCLUDE (kind, group_uid) WHERE (deleted_at IS NULL);
CREATE INDEX devices_search ON public.devices USING gin (search_keys(client_id, search_text)) WITH (gin_pending_list_limit='256') WHERE (deleted_at IS NULL);
CREATE INDEX devices_store_number ON public.devices USING btree (client_id, sort_store_number, uid) INCLUDE (kind, group_uid) WHERE (deleted_at IS NULL);
CREATE INDEX devices_store_number_down ON public.devices USING btree (client_id, sort_store_number DESC NULLS LAST, uid DESC) INCLUDE (kind, group_uid) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX devices_token_hash ON public.devices USING btree (token_hash);
create policy all_clients on devices for select to floorcast_ingest
  using (true);
create policy auth on devices for all to floorcast_definer
  using (true)
  with check (true);
create policy one_client on devices for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
create policy only_from_the_bin on devices for delete to floorcast_app
  using ((deleted_at IS NOT NULL));
create policy search on devices for select to floorcast_search
  using (true);
grant delete, insert, select, update on devices to floorcast_app;
grant select on devices to floorcast_definer;
grant update (box_uid, license_bound_at, model, token_hash) on devices to floorcast_definer;
grant select (client_id, tag_policy, uid) on devices to floorcast_ingest;
grant delete, select on devices to floorcast_jobs;
grant select (client_id, deleted_at, group_uid, kind, search_text, uid) on devices to floorcast_search;

create table group_connectivity_samples (
  client_id uuid not null,
  group_uid uuid not null,
  at timestamp with time zone not null,
  online integer not null,
  linkdown integer not null,
  linklost integer not null,
  neverup integer not null,
  constraint group_connectivity_samples_client_id_group_uid_fkey FOREIGN KEY (client_id, group_uid) REFERENCES groups(client_id, uid) ON DELETE CASCADE,
  constraint group_connectivity_samples_pkey PRIMARY KEY (client_id, group_uid, at) INCLUDE (online, linkdown, linklost, neverup)
);
alter table group_connectivity_samples enable row level security;
alter table group_connectivity_samples force row level security;
CREATE INDEX group_connectivity_samples_at ON public.group_connectivity_samples USING btree (at);
create policy all_clients on group_connectivity_samples for all to floorcast_definer
  using (true)
  with check (true);
create policy one_client on group_connectivity_samples for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant select on group_connectivity_samples to floorcast_app;
grant delete, insert, select on group_connectivity_samples to floorcast_definer;

create table group_manifests (
  group_uid uuid not null,
  client_id uuid not null,
  revision bigint default 1 not null,
  pending_below bigint,
  constraint group_manifests_client_id_group_uid_fkey FOREIGN KEY (client_id, group_uid) REFERENCES groups(client_id, uid) ON DELETE CASCADE,
  constraint group_manifests_pkey PRIMARY KEY (group_uid)
);
alter table group_manifests enable row level security;
alter table group_manifests force row level security;
CREATE INDEX group_manifests_client ON public.group_manifests USING btree (client_id);
create policy all_clients on group_manifests for select to floorcast_ingest
  using (true);
create policy one_client on group_manifests for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant insert, select, update on group_manifests to floorcast_app;
grant select (client_id, group_uid, revision) on group_manifests to floorcast_ingest;
grant insert, select, update on group_manifests to floorcast_jobs;

create table groups (
  uid uuid not null,
  client_id uuid not null,
  kind text not null,
  name text not null,
  description text default ''::text not null,
  state text default 'paused'::text not null,
  created_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  version integer default 1 not null,
  deleted_at timestamp with time zone,
  deleted_by uuid,
  former_members uuid[] default '{}'::uuid[] not null,
  sort_name text collate "C" generated always as (sort_key(name)) stored not null,
  constraint groups_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint groups_client_id_uid_key UNIQUE (client_id, uid),
  constraint groups_kind_check CHECK ((kind = ANY (ARRAY['audio'::text, 'video'::text]))),
  constraint groups_pkey PRIMARY KEY (uid),
  constraint groups_state_check CHECK ((state = ANY (ARRAY['active'::text, 'paused'::text])))
);
alter table groups enable row level security;
alter table groups force row level security;
CREATE INDEX groups_bin ON public.groups USING btree (client_id, deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX groups_changed ON public.groups USING btree (client_id, changed_at) WHERE (deleted_at IS NULL);
CREATE INDEX groups_name ON public.groups USING btree (client_id, name) WHERE (deleted_at IS NULL);
CREATE INDEX groups_search ON public.groups USING gin (search_keys(client_id, fold(name))) WITH (gin_pending_list_limit='256');
create policy all_clients on groups for select to floorcast_ingest
  using (true);
create policy one_client on groups for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
create policy only_from_the_bin on groups for delete to floorcast_app
  using ((deleted_at IS NOT NULL));
create policy samples on groups for select to floorcast_definer
  using (true);
create policy search on groups for select to floorcast_search
  using (true);
grant delete, insert, select, update on groups to floorcast_app;
grant select (client_id, deleted_at, uid) on groups to floorcast_definer;
grant select (client_id, name, uid) on groups to floorcast_ingest;
grant delete, select on groups to floorcast_jobs;
grant select (client_id, name, uid) on groups to floorcast_search;

create table heartbeats (
  day date not null,
  device_uid uuid not null,
  received_at timestamp with time zone not null,
  client_id uuid not null,
  uid uuid not null,
  boot_uid uuid not null,
  device_clock_at timestamp with time zone not null,
  program_version text not null,
  temperature_celsius real,
  memory_size_bytes bigint,
  free_memory_bytes bigint,
  ip_address text,
  mac_address text,
  volume smallint not null,
  now_playing_name text,
  constraint heartbeats_pkey PRIMARY KEY (device_uid, received_at, uid, day)
) partition by RANGE (day);
alter table heartbeats enable row level security;
alter table heartbeats force row level security;
create policy any_client_in on heartbeats for insert to floorcast_ingest
  with check (true);
create policy one_client on heartbeats for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant select on heartbeats to floorcast_app;
grant insert on heartbeats to floorcast_ingest;
grant delete, select on heartbeats to floorcast_jobs;

create table history_counts (
  client_id uuid not null,
  kind text not null,
  day date not null,
  row_count bigint not null,
  byte_count bigint not null,
  constraint history_counts_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint history_counts_kind_check CHECK ((kind = ANY (ARRAY['plays'::text, 'device_logs'::text, 'heartbeats'::text]))),
  constraint history_counts_pkey PRIMARY KEY (client_id, kind, day)
) with (fillfactor=70);
alter table history_counts enable row level security;
alter table history_counts force row level security;
create policy all_clients on history_counts for all to floorcast_ingest
  using (true)
  with check (true);
create policy auth on history_counts for select to floorcast_definer
  using (true);
create policy one_client on history_counts for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant select on history_counts to floorcast_app;
grant select on history_counts to floorcast_definer;
grant insert, select, update on history_counts to floorcast_ingest;
grant delete, select, update on history_counts to floorcast_jobs;

create table list_counts (
  client_id uuid not null,
  list text not null,
  kind text not null,
  change bigint not null,
  constraint list_counts_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint list_counts_list_check CHECK ((list = ANY (ARRAY['devices'::text, 'media'::text, 'playlists'::text])))
);
alter table list_counts enable row level security;
alter table list_counts force row level security;
CREATE INDEX list_counts_sum ON public.list_counts USING btree (client_id, list, kind) INCLUDE (change);
create policy one_client on list_counts for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant insert, select on list_counts to floorcast_app;
grant delete, insert, select on list_counts to floorcast_jobs;

create table mails (
  uid uuid not null,
  client_id uuid,
  user_uid uuid,
  registration_uid uuid,
  kind text not null,
  recipient text not null,
  language text not null,
  inviter text,
  created_at timestamp with time zone not null,
  due_at timestamp with time zone,
  attempts integer default 0 not null,
  outcome text,
  constraint mails_check CHECK (((due_at IS NULL) = (outcome IS NOT NULL))),
  constraint mails_kind_check CHECK ((kind = ANY (ARRAY['registration'::text, 'forgotten-password'::text, 'invitation'::text, 'reset'::text]))),
  constraint mails_outcome_check CHECK ((outcome = ANY (ARRAY['sent'::text, 'dropped'::text, 'refused'::text, 'expired'::text]))),
  constraint mails_pkey PRIMARY KEY (uid),
  constraint mails_recipient_check CHECK ((recipient = lower(recipient)))
);
alter table mails enable row level security;
alter table mails force row level security;
CREATE INDEX mails_created ON public.mails USING btree (created_at);
CREATE INDEX mails_due ON public.mails USING btree (due_at) WHERE (due_at IS NOT NULL);
CREATE INDEX mails_recipient ON public.mails USING btree (recipient, created_at);
create policy auth on mails for all to floorcast_definer
  using (true)
  with check (true);
create policy one_client on mails for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant delete, insert, select, update on mails to floorcast_definer;

create table maintenance_runs (
  ended_at timestamp with time zone not null,
  began_at timestamp with time zone not null,
  failures integer not null,
  constraint maintenance_runs_pkey PRIMARY KEY (ended_at)
);
grant select on maintenance_runs to floorcast_app;
grant delete, insert, select on maintenance_runs to floorcast_definer;

create table media_files (
  media_uid uuid not null,
  file_version integer not null,
  client_id uuid not null,
  sha256 text not null,
  mime_type text not null,
  size_bytes bigint not null,
  duration_seconds double precision not null,
  bit_rate integer,
  sample_rate integer,
  channels smallint,
  width integer,
  height integer,
  is_gapless boolean default false not null,
  loudness_state text default 'pending'::text not null,
  integrated_lufs double precision,
  true_peak_dbtp double precision,
  uploaded_at timestamp with time zone not null,
  uploaded_by uuid,
  are_tags_read boolean default true not null,
  constraint media_files_check CHECK (((loudness_state = 'measured'::text) = ((integrated_lufs IS NOT NULL) AND (true_peak_dbtp IS NOT NULL)))),
  constraint media_files_client_id_media_uid_fkey FOREIGN KEY (client_id, media_uid) REFERENCES media_items(client_id, uid) ON DELETE CASCADE,
  constraint media_files_duration_seconds_check CHECK ((duration_seconds > (0)::double precision)),
  constraint media_files_file_version_check CHECK ((file_version >= 1)),
  constraint media_files_loudness_state_check CHECK ((loudness_state = ANY (ARRAY['pending'::text, 'measured'::text, 'not-measured'::text]))),
  constraint media_files_pkey PRIMARY KEY (media_uid, file_version),
  constraint media_files_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint media_files_size_bytes_check CHECK ((size_bytes > 0))
);
alter table media_files enable row level security;
alter table media_files force row level security;
CREATE INDEX media_files_pending ON public.media_files USING btree (client_id, uploaded_at) WHERE (loudness_state = 'pending'::text);
CREATE INDEX media_files_sha256 ON public.media_files USING btree (client_id, sha256);
CREATE INDEX media_files_unread_tags ON public.media_files USING btree (client_id) WHERE (NOT are_tags_read);
create policy one_client on media_files for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant delete, insert, select, update on media_files to floorcast_app;
grant delete, select, update on media_files to floorcast_jobs;

create table media_items (
  uid uuid not null,
  client_id uuid not null,
  content_type text not null,
  name text not null,
  description text default ''::text not null,
  original_name text not null,
  file_version integer default 1 not null,
  preview_sha256 text,
  preview_mime_type text,
  preview_size_bytes bigint default 0 not null,
  created_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  version integer default 1 not null,
  deleted_at timestamp with time zone,
  deleted_by uuid,
  uploaded_at timestamp with time zone,
  size_bytes bigint,
  duration_seconds double precision,
  artist text default ''::text not null,
  title text default ''::text not null,
  isrc text default ''::text not null,
  composer text default ''::text not null,
  publisher text default ''::text not null,
  invalid_isrc text default ''::text not null,
  search_text text generated always as (fold(((((((((((((name || ''::text) || description) || ''::text) || original_name) || ''::text) || artist) || ''::text) || title) || ''::text) || isrc) || ''::text) || regexp_replace(isrc, '^(..)(...)(..)(.....)$'::text, '\1-\2-\3-\4'::text)))) stored not null,
  sort_name text collate "C" generated always as (sort_key(name)) stored not null,
  sort_original_name text collate "C" generated always as (sort_key(original_name)) stored not null,
  sort_artist text collate "C" generated always as (sort_key(artist)) stored not null,
  constraint media_items_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint media_items_client_id_uid_key UNIQUE (client_id, uid),
  constraint media_items_content_type_check CHECK ((content_type = ANY (ARRAY['videos'::text, 'videosAds'::text, 'ads'::text, 'melodies'::text]))),
  constraint media_items_isrc_check CHECK ((isrc ~ '^([A-Z]{2}[A-Z0-9]{3}[0-9]{7})?$'::text)),
  constraint media_items_pkey PRIMARY KEY (uid),
  constraint media_items_preview_sha256_check CHECK ((preview_sha256 ~ '^[0-9a-f]{64}$'::text))
);
alter table media_items enable row level security;
alter table media_items force row level security;
CREATE INDEX media_items_artist ON public.media_items USING btree (client_id, content_type, sort_artist, uid) WHERE (deleted_at IS NULL);
CREATE INDEX media_items_bin ON public.media_items USING btree (client_id, deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX media_items_description ON public.media_items USING btree (client_id, content_type, lower(description), uid) WHERE (deleted_at IS NULL);
CREATE INDEX media_items_duration ON public.media_items USING btree (client_id, content_type, duration_seconds, uid) WHERE (deleted_at IS NULL);
CREATE INDEX media_items_isrc ON public.media_items USING btree (client_id, isrc) WHERE (isrc <> ''::text);
CREATE INDEX media_items_name ON public.media_items USING btree (client_id, content_type, sort_name, uid) WHERE (deleted_at IS NULL);
CREATE UNIQUE INDEX media_items_original_name ON public.media_items USING btree (client_id, content_type, original_name) WHERE (deleted_at IS NULL);
CREATE INDEX media_items_original_order ON public.media_items USING btree (client_id, content_type, sort_original_name, uid) WHERE (deleted_at IS NULL);
CREATE INDEX media_items_search ON public.media_items USING gin (search_keys(client_id, search_text)) WITH (gin_pending_list_limit='256') WHERE (deleted_at IS NULL);
CREATE INDEX media_items_size ON public.media_items USING btree (client_id, content_type, size_bytes, uid) WHERE (deleted_at IS NULL);
CREATE INDEX media_items_uploaded ON public.media_items USING btree (client_id, content_type, uploaded_at, uid) WHERE (deleted_at IS NULL);
CREATE INDEX media_items_version ON public.media_items USING btree (client_id, content_type, file_version, uid) WHERE (deleted_at IS NULL);
create policy one_client on media_items for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
create policy only_from_the_bin on media_items for delete to floorcast_app
  using ((deleted_at IS NOT NULL));
create policy search on media_items for select to floorcast_search
  using (true);
grant delete, insert, select, update on media_items to floorcast_app;
grant delete, select on media_items to floorcast_jobs;
grant update (artist, changed_at, composer, invalid_isrc, isrc, publisher, title, version) on media_items to floorcast_jobs;
grant select (client_id, content_type, deleted_at, search_text, uid) on media_items to floorcast_search;

create table migrations (
  name text not null,
  hash text not null,
  applied_at timestamp with time zone default now() not null,
  constraint migrations_pkey PRIMARY KEY (name)
);

create table passkeys (
  uid uuid not null,
  client_id uuid not null,
  user_uid uuid not null,
  credential_id text not null,
  public_key bytea not null,
  counter bigint not null,
  challenge_at timestamp with time zone not null,
  name text not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone,
  last_challenge_at timestamp with time zone,
  constraint passkeys_client_id_user_uid_fkey FOREIGN KEY (client_id, user_uid) REFERENCES users(client_id, uid) ON DELETE CASCADE,
  constraint passkeys_credential_id_key UNIQUE (credential_id),
  constraint passkeys_pkey PRIMARY KEY (uid)
);
alter table passkeys enable row level security;
alter table passkeys force row level security;
CREATE UNIQUE INDEX passkeys_challenge ON public.passkeys USING btree (client_id, user_uid, challenge_at);
create policy auth on passkeys for all to floorcast_definer
  using (true)
  with check (true);
create policy one_client on passkeys for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant delete, insert, select, update on passkeys to floorcast_app;
grant delete, select on passkeys to floorcast_definer;

create table personalizations (
  user_uid uuid not null,
  client_id uuid not null,
  color text not null,
  mode text not null,
  menu_type text not null,
  changed_at timestamp with time zone not null,
  constraint personalizations_client_id_user_uid_fkey FOREIGN KEY (client_id, user_uid) REFERENCES users(client_id, uid) ON DELETE CASCADE,
  constraint personalizations_pkey PRIMARY KEY (user_uid)
);
alter table personalizations enable row level security;
alter table personalizations force row level security;
CREATE INDEX personalizations_client ON public.personalizations USING btree (client_id);
create policy one_client on personalizations for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant delete, insert, select, update on personalizations to floorcast_app;

create table plans (
  key text not null,
  "position" integer not null,
  media_gigabytes numeric not null,
  statistics_gigabytes numeric not null,
  device_limit integer not null,
  price_usd_per_month integer not null,
  has_support boolean not null,
  has_extended_support boolean not null,
  constraint plans_device_limit_check CHECK ((device_limit >= 0)),
  constraint plans_media_gigabytes_check CHECK ((media_gigabytes >= (0)::numeric)),
  constraint plans_pkey PRIMARY KEY (key),
  constraint plans_statistics_gigabytes_check CHECK ((statistics_gigabytes >= (0)::numeric))
);
grant select on plans to floorcast_app;
grant select on plans to floorcast_definer;
grant select on plans to floorcast_jobs;

create table play_day_counts (
  client_id uuid not null,
  local_day date not null,
  row_count bigint not null,
  constraint play_day_counts_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint play_day_counts_pkey PRIMARY KEY (client_id, local_day)
);
alter table play_day_counts enable row level security;
alter table play_day_counts force row level security;
create policy auth on play_day_counts for select to floorcast_definer
  using (true);
create policy one_client on play_day_counts for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant select on play_day_counts to floorcast_app;
grant select on play_day_counts to floorcast_definer;
grant delete, insert, select on play_day_counts to floorcast_jobs;

create table play_days (
  client_id uuid not null,
  local_day date not null,
  device_uid uuid not null,
  media_uid uuid not null,
  playlist_uid uuid,
  publication_uid uuid,
  content_type text not null,
  plays integer not null,
  complete_plays integer not null,
  played_ms bigint not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null
) partition by RANGE (local_day);
alter table play_days enable row level security;
alter table play_days force row level security;
CREATE UNIQUE INDEX play_days_key ON ONLY public.play_days USING btree (client_id, device_uid, local_day, media_uid, playlist_uid, publication_uid, content_type) NULLS NOT DISTINCT;
CREATE INDEX play_days_publication ON ONLY public.play_days USING btree (client_id, publication_uid, local_day);
create policy all_clients on play_days for all to floorcast_ingest
  using (true)
  with check (true);
create policy one_client on play_days for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant select on play_days to floorcast_app;
grant insert, select, update on play_days to floorcast_ingest;
grant delete, insert, select, update on play_days to floorcast_jobs;

create table play_devices (
  client_id uuid not null,
  device_uid uuid not null,
  number integer not null,
  constraint play_devices_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint play_devices_client_id_number_key UNIQUE (client_id, number),
  constraint play_devices_pkey PRIMARY KEY (client_id, device_uid)
);
alter table play_devices enable row level security;
alter table play_devices force row level security;
create policy all_clients on play_devices for all to floorcast_ingest
  using (true)
  with check (true);
create policy one_client on play_devices for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant insert, select on play_devices to floorcast_app;
grant select on play_devices to floorcast_ingest;
grant insert, select on play_devices to floorcast_jobs;

create table play_group_hours (
  client_id uuid not null,
  group_uid uuid not null,
  hour timestamp with time zone not null,
  content_type text not null,
  plays integer not null,
  played_ms bigint not null,
  constraint play_group_hours_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint play_group_hours_pkey PRIMARY KEY (client_id, group_uid, hour, content_type)
) with (fillfactor=50);
alter table play_group_hours enable row level security;
alter table play_group_hours force row level security;
create policy all_clients on play_group_hours for all to floorcast_ingest
  using (true)
  with check (true);
create policy one_client on play_group_hours for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant select on play_group_hours to floorcast_app;
grant insert, select, update on play_group_hours to floorcast_ingest;
grant delete, insert, select, update on play_group_hours to floorcast_jobs;

create table play_hours (
  client_id uuid not null,
  hour timestamp with time zone not null,
  content_type text not null,
  plays integer not null,
  played_ms bigint not null,
  constraint play_hours_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint play_hours_pkey PRIMARY KEY (client_id, hour, content_type)
) with (fillfactor=50);
alter table play_hours enable row level security;
alter table play_hours force row level security;
create policy all_clients on play_hours for all to floorcast_ingest
  using (true)
  with check (true);
create policy one_client on play_hours for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant select on play_hours to floorcast_app;
grant insert, select, update on play_hours to floorcast_ingest;
grant delete, insert, select, update on play_hours to floorcast_jobs;

create table play_media_days (
  client_id uuid not null,
  local_day date not null,
  media_uid uuid not null,
  content_type text not null,
  device_block integer not null,
  plays integer not null,
  complete_plays integer not null,
  played_ms bigint not null,
  first_at timestamp with time zone not null,
  last_at timestamp with time zone not null,
  devices bit(1024) not null,
  constraint play_media_days_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint play_media_days_pkey PRIMARY KEY (client_id, local_day, media_uid, content_type, device_block)
) with (fillfactor=50);
alter table play_media_days enable row level security;
alter table play_media_days force row level security;
create policy all_clients on play_media_days for all to floorcast_ingest
  using (true)
  with check (true);
create policy one_client on play_media_days for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant select on play_media_days to floorcast_app;
grant insert, select, update on play_media_days to floorcast_ingest;
grant delete, insert, select, update on play_media_days to floorcast_jobs;

create table play_names (
  client_id uuid not null,
  kind text not null,
  uid uuid not null,
  name text not null,
  named_at timestamp with time zone not null,
  constraint play_names_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint play_names_kind_check CHECK ((kind = ANY (ARRAY['device'::text, 'media'::text, 'playlist'::text]))),
  constraint play_names_pkey PRIMARY KEY (client_id, kind, uid)
);
alter table play_names enable row level security;
alter table play_names force row level security;
create policy all_clients on play_names for all to floorcast_ingest
  using (true)
  with check (true);
create policy one_client on play_names for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant select on play_names to floorcast_app;
grant insert, select, update on play_names to floorcast_ingest;
grant delete, insert, select, update on play_names to floorcast_jobs;

create table playlist_blocks (
  client_id uuid not null,
  playlist_uid uuid not null,
  "position" integer not null,
  kind text not null,
  start_seconds double precision not null,
  duration_seconds double precision not null,
  tracks integer[] not null,
  starts double precision[] not null,
  constraint playlist_blocks_check CHECK ((cardinality(starts) = cardinality(tracks))),
  constraint playlist_blocks_client_id_playlist_uid_fkey FOREIGN KEY (client_id, playlist_uid) REFERENCES playlists(client_id, uid) ON DELETE CASCADE,
  constraint playlist_blocks_kind_check CHECK ((kind = ANY (ARRAY['melody'::text, 'ad'::text]))),
  constraint playlist_blocks_pkey PRIMARY KEY (client_id, playlist_uid, "position"),
  constraint playlist_blocks_position_check CHECK (("position" >= 1)),
  constraint playlist_blocks_tracks_check CHECK ((cardinality(tracks) > 0))
);
alter table playlist_blocks enable row level security;
alter table playlist_blocks force row level security;
create policy one_client on playlist_blocks for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant delete, insert, select on playlist_blocks to floorcast_app;
grant delete, select on playlist_blocks to floorcast_jobs;

create table playlist_items (
  uid uuid not null,
  client_id uuid not null,
  playlist_uid uuid not null,
  media_uid uuid not null,
  pinned_file_version integer,
  "position" integer not null,
  repeat_count integer,
  replay_seconds double precision,
  start_time time without time zone,
  weight double precision,
  planned_plays integer,
  planned_seconds double precision,
  constraint playlist_items_check CHECK ((num_nonnulls(repeat_count, replay_seconds) = 1)),
  constraint playlist_items_client_id_media_uid_fkey FOREIGN KEY (client_id, media_uid) REFERENCES media_items(client_id, uid),
  constraint playlist_items_client_id_playlist_uid_fkey FOREIGN KEY (client_id, playlist_uid) REFERENCES playlists(client_id, uid) ON DELETE CASCADE,
  constraint playlist_items_pkey PRIMARY KEY (uid),
  constraint playlist_items_planned_plays_check CHECK ((planned_plays >= 0)),
  constraint playlist_items_planned_seconds_check CHECK ((planned_seconds > (0)::double precision)),
  constraint playlist_items_position UNIQUE (client_id, playlist_uid, "position") DEFERRABLE INITIALLY DEFERRED,
  constraint playlist_items_position_check CHECK (("position" >= 1)),
  constraint playlist_items_repeat_count_check CHECK (((repeat_count >= 1) AND (repeat_count <= 1000))),
  constraint playlist_items_replay_seconds_check CHECK ((replay_seconds > (0)::double precision)),
  constraint playlist_items_weight_check CHECK ((weight > (0)::double precision))
);
alter table playlist_items enable row level security;
alter table playlist_items force row level security;
CREATE INDEX playlist_items_media ON public.playlist_items USING btree (client_id, media_uid);
create policy one_client on playlist_items for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant delete, insert, select, update on playlist_items to floorcast_app;
grant delete, select on playlist_items to floorcast_jobs;

create table playlists (
  uid uuid not null,
  client_id uuid not null,
  kind text not null,
  form text default 'simple'::text not null,
  name text not null,
  description text default ''::text not null,
  state text default 'paused'::text not null,
  crossfade_seconds double precision default 0 not null,
  start_date date,
  end_date date,
  draft jsonb,
  created_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  version integer default 1 not null,
  deleted_at timestamp with time zone,
  deleted_by uuid,
  window_start time without time zone,
  window_end time without time zone,
  planned_plays integer,
  planned_seconds double precision,
  edit_of_uid uuid,
  search_text text generated always as (fold(((name || ''::text) || description))) stored not null,
  sort_name text collate "C" generated always as (sort_key(name)) stored not null,
  constraint playlists_check CHECK ((start_date <= end_date)),
  constraint playlists_client_id_edit_of_uid_fkey FOREIGN KEY (client_id, edit_of_uid) REFERENCES playlists(client_id, uid) ON DELETE SET NULL (edit_of_uid),
  constraint playlists_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint playlists_client_id_uid_key UNIQUE (client_id, uid),
  constraint playlists_crossfade_seconds_check CHECK (((crossfade_seconds >= (0)::double precision) AND (crossfade_seconds <= (10)::double precision))),
  constraint playlists_form_check CHECK ((form = ANY (ARRAY['simple'::text, 'smart'::text]))),
  constraint playlists_kind_check CHECK ((kind = ANY (ARRAY['audio'::text, 'video'::text]))),
  constraint playlists_pkey PRIMARY KEY (uid),
  constraint playlists_plan CHECK ((num_nonnulls(draft, window_start, window_end, planned_plays, planned_seconds) =
CASE form
    WHEN 'smart'::text THEN 5
    ELSE 0
END)),
  constraint playlists_planned_plays_check CHECK ((planned_plays >= 0)),
  constraint playlists_planned_seconds_check CHECK ((planned_seconds >= (0)::double precision)),
  constraint playlists_state_check CHECK ((state = ANY (ARRAY['active'::text, 'paused'::text])))
);
alter table playlists enable row level security;
alter table playlists force row level security;
CREATE INDEX playlists_bin ON public.playlists USING btree (client_id, deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX playlists_changed ON public.playlists USING btree (client_id, changed_at, uid) INCLUDE (kind, state, form) WHERE (deleted_at IS NULL);
CREATE INDEX playlists_edit_of ON public.playlists USING btree (client_id, edit_of_uid) WHERE (edit_of_uid IS NOT NULL);
CREATE INDEX playlists_name ON public.playlists USING btree (client_id, sort_name, uid) INCLUDE (kind, state, form) WHERE (deleted_at IS NULL);
CREATE INDEX playlists_search ON public.playlists USING gin (search_keys(client_id, search_text)) WITH (gin_pending_list_limit='256') WHERE (deleted_at IS NULL);
create policy one_client on playlists for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
create policy only_from_the_bin on playlists for delete to floorcast_app
  using ((deleted_at IS NOT NULL));
create policy search on playlists for select to floorcast_search
  using (true);
grant delete, insert, select, update on playlists to floorcast_app;
grant delete, select on playlists to floorcast_jobs;
grant select (client_id, deleted_at, kind, search_text, uid) on playlists to floorcast_search;

create table plays (
  day date not null,
  device_uid uuid not null,
  boot_uid uuid not null,
  sequence bigint not null,
  client_id uuid not null,
  event_uid uuid not null,
  received_at timestamp with time zone not null,
  is_clock_doubted boolean default false not null,
  device_name text not null,
  group_uid uuid,
  group_name text,
  publication_uid uuid,
  playlist_uid uuid,
  playlist_name text,
  item_uid uuid,
  media_uid uuid not null,
  sha256 text not null,
  track_name text not null,
  content_type text not null,
  scheduled_at timestamp with time zone not null,
  started_at timestamp with time zone not null,
  ended_at timestamp with time zone not null,
  seconds_played double precision not null,
  duration_seconds double precision not null,
  result text not null,
  why text,
  local_day date,
  scheduled_day date,
  constraint plays_pkey PRIMARY KEY (day, device_uid, boot_uid, sequence),
  constraint plays_result_check CHECK ((result = ANY (ARRAY['complete'::text, 'joined'::text, 'cut'::text, 'failed'::text])))
) partition by RANGE (day);
alter table plays enable row level security;
alter table plays force row level security;
CREATE INDEX plays_client ON ONLY public.plays USING btree (client_id, started_at DESC);
CREATE INDEX plays_device ON ONLY public.plays USING btree (client_id, device_uid, started_at DESC);
CREATE INDEX plays_event ON ONLY public.plays USING btree (device_uid, event_uid, day);
CREATE INDEX plays_media ON ONLY public.plays USING btree (client_id, media_uid, started_at DESC);
create policy any_client_ids on plays for select to floorcast_ingest
  using (true);
create policy any_client_in on plays for insert to floorcast_ingest
  with check (true);
create policy one_client on plays for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant select on plays to floorcast_app;
grant insert on plays to floorcast_ingest;
grant select (day, device_uid, event_uid) on plays to floorcast_ingest;
grant delete, select on plays to floorcast_jobs;
grant update (local_day, scheduled_day) on plays to floorcast_jobs;

create table profile_groups (
  profile_uid uuid not null,
  group_uid uuid not null,
  client_id uuid not null,
  constraint profile_groups_client_id_group_uid_fkey FOREIGN KEY (client_id, group_uid) REFERENCES groups(client_id, uid) ON DELETE CASCADE,
  constraint profile_groups_client_id_profile_uid_fkey FOREIGN KEY (client_id, profile_uid) REFERENCES profiles(client_id, uid) ON DELETE CASCADE,
  constraint profile_groups_pkey PRIMARY KEY (profile_uid, group_uid)
);
alter table profile_groups enable row level security;
alter table profile_groups force row level security;
CREATE INDEX profile_groups_group ON public.profile_groups USING btree (client_id, group_uid);
create policy all_clients on profile_groups for select to floorcast_ingest
  using (true);
create policy one_client on profile_groups for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant delete, insert, select on profile_groups to floorcast_app;
grant select (client_id, group_uid, profile_uid) on profile_groups to floorcast_ingest;
grant select on profile_groups to floorcast_jobs;

create table profile_media (
  profile_uid uuid not null,
  media_uid uuid not null,
  client_id uuid not null,
  constraint profile_media_client_id_media_uid_fkey FOREIGN KEY (client_id, media_uid) REFERENCES media_items(client_id, uid),
  constraint profile_media_client_id_profile_uid_fkey FOREIGN KEY (client_id, profile_uid) REFERENCES profiles(client_id, uid) ON DELETE CASCADE,
  constraint profile_media_pkey PRIMARY KEY (profile_uid, media_uid)
);
alter table profile_media enable row level security;
alter table profile_media force row level security;
CREATE INDEX profile_media_media ON public.profile_media USING btree (client_id, media_uid);
create policy one_client on profile_media for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant delete, insert, select on profile_media to floorcast_app;
grant select on profile_media to floorcast_jobs;

create table profiles (
  uid uuid not null,
  client_id uuid not null,
  type text not null,
  name text not null,
  description text default ''::text not null,
  state text default 'paused'::text not null,
  settings jsonb default '{}'::jsonb not null,
  active_settings jsonb,
  created_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  version integer default 1 not null,
  activated_at timestamp with time zone,
  constraint profiles_activated_check CHECK (((activated_at IS NULL) = (active_settings IS NULL))),
  constraint profiles_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint profiles_client_id_uid_key UNIQUE (client_id, uid),
  constraint profiles_pkey PRIMARY KEY (uid),
  constraint profiles_state_check CHECK ((state = ANY (ARRAY['active'::text, 'paused'::text]))),
  constraint profiles_type_check CHECK ((type = ANY (ARRAY['audio'::text, 'network'::text, 'display'::text, 'logging'::text, 'alert'::text])))
);
alter table profiles enable row level security;
alter table profiles force row level security;
CREATE INDEX profiles_name ON public.profiles USING btree (client_id, name);
create policy all_clients on profiles for select to floorcast_ingest
  using (true);
create policy one_client on profiles for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant delete, insert, select, update on profiles to floorcast_app;
grant select (activated_at, active_settings, client_id, uid) on profiles to floorcast_ingest;
grant select on profiles to floorcast_jobs;

create table programmes (
  client_id uuid not null,
  sha256 text not null,
  body bytea not null,
  made_at timestamp with time zone not null,
  constraint programmes_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint programmes_pkey PRIMARY KEY (client_id, sha256)
);
alter table programmes enable row level security;
alter table programmes force row level security;
create policy one_client on programmes for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant insert, select, update on programmes to floorcast_app;
grant delete, insert, select, update on programmes to floorcast_jobs;

create table proof_keys (
  client_id uuid not null,
  key_id text not null,
  public_key bytea not null,
  sealed_private_key bytea,
  created_at timestamp with time zone not null,
  retired_at timestamp with time zone,
  constraint proof_keys_check CHECK (((sealed_private_key IS NULL) = (retired_at IS NOT NULL))),
  constraint proof_keys_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint proof_keys_key_id_check CHECK ((key_id ~ '^[0-9a-f]{16}$'::text)),
  constraint proof_keys_pkey PRIMARY KEY (client_id, key_id),
  constraint proof_keys_public_key_check CHECK ((length(public_key) = 32))
);
alter table proof_keys enable row level security;
alter table proof_keys force row level security;
CREATE UNIQUE INDEX proof_keys_active ON public.proof_keys USING btree (client_id) WHERE (retired_at IS NULL);
create policy auth on proof_keys for select to floorcast_definer
  using (true);
create policy one_client on proof_keys for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant insert, select on proof_keys to floorcast_app;
grant update (retired_at, sealed_private_key) on proof_keys to floorcast_app;
grant select (client_id, created_at, key_id, public_key, retired_at) on proof_keys to floorcast_definer;

create table publication_counts (
  client_id uuid not null,
  publication_uid uuid not null,
  revision integer not null,
  holding bigint not null,
  reported bigint not null,
  constraint publication_counts_client_id_publication_uid_fkey FOREIGN KEY (client_id, publication_uid) REFERENCES publications(client_id, uid) ON DELETE CASCADE
);
alter table publication_counts enable row level security;
alter table publication_counts force row level security;
CREATE INDEX publication_counts_sum ON public.publication_counts USING btree (client_id, publication_uid, revision) INCLUDE (holding, reported);
create policy all_clients on publication_counts for insert to floorcast_ingest
  with check (true);
create policy one_client on publication_counts for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant insert, select on publication_counts to floorcast_app;
grant insert on publication_counts to floorcast_ingest;
grant delete, insert, select on publication_counts to floorcast_jobs;

create table publication_holdings (
  publication_uid uuid not null,
  device_uid uuid not null,
  client_id uuid not null,
  revision integer not null,
  missing integer not null,
  reported_at timestamp with time zone not null,
  constraint publication_holdings_client_id_device_uid_fkey FOREIGN KEY (client_id, device_uid) REFERENCES devices(client_id, uid) ON DELETE CASCADE,
  constraint publication_holdings_client_id_publication_uid_fkey FOREIGN KEY (client_id, publication_uid) REFERENCES publications(client_id, uid) ON DELETE CASCADE,
  constraint publication_holdings_missing_check CHECK ((missing >= 0)),
  constraint publication_holdings_pkey PRIMARY KEY (publication_uid, device_uid)
) with (fillfactor=70);
alter table publication_holdings enable row level security;
alter table publication_holdings force row level security;
CREATE INDEX publication_holdings_device ON public.publication_holdings USING btree (client_id, device_uid);
create policy all_clients on publication_holdings for all to floorcast_ingest
  using (true)
  with check (true);
create policy one_client on publication_holdings for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant delete, select on publication_holdings to floorcast_app;
grant insert, select, update on publication_holdings to floorcast_ingest;
grant delete, select on publication_holdings to floorcast_jobs;

create table publications (
  uid uuid not null,
  client_id uuid not null,
  kind text not null,
  name text not null,
  description text default ''::text not null,
  group_uid uuid not null,
  playlist_uid uuid not null,
  former_playlist_uid uuid,
  state text default 'disabled'::text not null,
  activated_at timestamp with time zone,
  starts_at timestamp with time zone,
  starts_at_wall timestamp without time zone,
  revision integer default 1 not null,
  created_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  version integer default 1 not null,
  deleted_at timestamp with time zone,
  deleted_by uuid,
  on_air_words text,
  sort_name text collate "C" generated always as (sort_key(name)) stored not null,
  constraint publications_check CHECK (((state <> 'delayed'::text) OR (num_nonnulls(starts_at, starts_at_wall) = 1))),
  constraint publications_check1 CHECK (((state = 'disabled'::text) OR ((activated_at IS NOT NULL) AND (deleted_at IS NULL)))),
  constraint publications_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint publications_client_id_former_playlist_uid_fkey FOREIGN KEY (client_id, former_playlist_uid) REFERENCES playlists(client_id, uid) ON DELETE SET NULL (former_playlist_uid),
  constraint publications_client_id_group_uid_fkey FOREIGN KEY (client_id, group_uid) REFERENCES groups(client_id, uid),
  constraint publications_client_id_playlist_uid_fkey FOREIGN KEY (client_id, playlist_uid) REFERENCES playlists(client_id, uid),
  constraint publications_client_id_uid_key UNIQUE (client_id, uid),
  constraint publications_kind_check CHECK ((kind = ANY (ARRAY['audio'::text, 'video'::text]))),
  constraint publications_pkey PRIMARY KEY (uid),
  constraint publications_state_check CHECK ((state = ANY (ARRAY['active'::text, 'delayed'::text, 'disabled'::text])))
);
alter table publications enable row level security;
alter table publications force row level security;
CREATE INDEX publications_bin ON public.publications USING btree (client_id, deleted_at) WHERE (deleted_at IS NOT NULL);
CREATE INDEX publications_changed ON public.publications USING btree (client_id, changed_at) WHERE (deleted_at IS NULL);
CREATE INDEX publications_former_playlist ON public.publications USING btree (client_id, former_playlist_uid) WHERE (former_playlist_uid IS NOT NULL);
CREATE INDEX publications_group ON public.publications USING btree (client_id, group_uid);
CREATE UNIQUE INDEX publications_in_force ON public.publications USING btree (client_id, group_uid) WHERE (state = 'active'::text);
CREATE INDEX publications_name ON public.publications USING btree (client_id, name) WHERE (deleted_at IS NULL);
CREATE INDEX publications_playlist ON public.publications USING btree (client_id, playlist_uid);
CREATE INDEX publications_search ON public.publications USING gin (search_keys(client_id, on_air_words)) WITH (gin_pending_list_limit='256') WHERE (on_air_words IS NOT NULL);
CREATE UNIQUE INDEX publications_waiting ON public.publications USING btree (client_id, group_uid) WHERE (state = 'delayed'::text);
create policy all_clients on publications for select to floorcast_ingest
  using (true);
create policy concerned on publications for select to floorcast_definer
  using (true);
create policy one_client on publications for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
create policy only_from_the_bin on publications for delete to floorcast_app
  using ((deleted_at IS NOT NULL));
create policy search on publications for select to floorcast_search
  using (true);
grant delete, insert, select, update on publications to floorcast_app;
grant select (client_id, group_uid, uid) on publications to floorcast_definer;
grant select (client_id, uid) on publications to floorcast_ingest;
grant delete, select on publications to floorcast_jobs;
grant select (client_id, group_uid, on_air_words, uid) on publications to floorcast_search;

create table recovery_codes (
  client_id uuid not null,
  user_uid uuid not null,
  code_hash bytea not null,
  created_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint recovery_codes_client_id_user_uid_fkey FOREIGN KEY (client_id, user_uid) REFERENCES users(client_id, uid) ON DELETE CASCADE,
  constraint recovery_codes_code_hash_check CHECK ((length(code_hash) = 32)),
  constraint recovery_codes_pkey PRIMARY KEY (client_id, user_uid, code_hash)
);
alter table recovery_codes enable row level security;
alter table recovery_codes force row level security;
create policy one_client on recovery_codes for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
create policy operator on recovery_codes for delete to floorcast_definer
  using (true);
create policy operator_reads on recovery_codes for select to floorcast_definer
  using (true);
grant delete, insert, select, update on recovery_codes to floorcast_app;
grant delete on recovery_codes to floorcast_definer;
grant select (user_uid) on recovery_codes to floorcast_definer;

create table registrations (
  uid uuid not null,
  email text not null,
  client_name text not null,
  first_name text not null,
  last_name text not null,
  token_hash bytea,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint registrations_email_check CHECK ((email = lower(email))),
  constraint registrations_pkey PRIMARY KEY (uid),
  constraint registrations_token_hash_check CHECK ((length(token_hash) = 32)),
  constraint registrations_token_hash_key UNIQUE (token_hash)
);
CREATE INDEX registrations_email ON public.registrations USING btree (email);
CREATE INDEX registrations_expires ON public.registrations USING btree (expires_at);
grant delete, insert, select, update on registrations to floorcast_definer;

create table saved_views (
  uid uuid not null,
  client_id uuid not null,
  user_uid uuid,
  list text not null,
  name text not null,
  search text not null,
  sort text,
  dir text not null,
  filters jsonb not null,
  columns text[] not null,
  created_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  version integer default 1 not null,
  constraint saved_views_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint saved_views_client_id_user_uid_fkey FOREIGN KEY (client_id, user_uid) REFERENCES users(client_id, uid) ON DELETE CASCADE,
  constraint saved_views_dir_check CHECK ((dir = ANY (ARRAY['asc'::text, 'desc'::text]))),
  constraint saved_views_list_check CHECK (((length(list) >= 1) AND (length(list) <= 40))),
  constraint saved_views_pkey PRIMARY KEY (uid)
);
alter table saved_views enable row level security;
alter table saved_views force row level security;
CREATE INDEX saved_views_owner ON public.saved_views USING btree (client_id, user_uid, list);
create policy one_client on saved_views for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant delete, insert, select, update on saved_views to floorcast_app;

create table server_samples (
  server text not null,
  at timestamp with time zone not null,
  load_one real not null,
  load_five real not null,
  load_fifteen real not null,
  free_bytes bigint not null,
  total_bytes bigint not null,
  constraint server_samples_pkey PRIMARY KEY (server, at)
);
CREATE INDEX server_samples_at ON public.server_samples USING btree (at);
grant select on server_samples to floorcast_app;
grant delete, insert, select on server_samples to floorcast_definer;

create table sessions (
  uid uuid not null,
  client_id uuid not null,
  user_uid uuid not null,
  token_hash bytea not null,
  created_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  idle_expires_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  revoked_at timestamp with time zone,
  address text,
  user_agent text,
  constraint sessions_client_id_uid_key UNIQUE (client_id, uid),
  constraint sessions_client_id_user_uid_fkey FOREIGN KEY (client_id, user_uid) REFERENCES users(client_id, uid) ON DELETE CASCADE,
  constraint sessions_pkey PRIMARY KEY (uid),
  constraint sessions_token_hash_check CHECK ((length(token_hash) = 32))
);
alter table sessions enable row level security;
alter table sessions force row level security;
CREATE UNIQUE INDEX sessions_token_hash ON public.sessions USING btree (token_hash);
CREATE INDEX sessions_user ON public.sessions USING btree (client_id, user_uid);
create policy auth on sessions for all to floorcast_definer
  using (true)
  with check (true);
create policy one_client on sessions for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant delete, insert, select, update on sessions to floorcast_app;
grant select on sessions to floorcast_definer;
grant update (address, idle_expires_at, last_used_at, revoked_at) on sessions to floorcast_definer;
grant delete, select on sessions to floorcast_jobs;

create table sign_in_steps (
  ticket_hash bytea not null,
  client_id uuid not null,
  user_uid uuid not null,
  password_mark bytea not null,
  tries integer default 0 not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint sign_in_steps_client_id_user_uid_fkey FOREIGN KEY (client_id, user_uid) REFERENCES users(client_id, uid) ON DELETE CASCADE,
  constraint sign_in_steps_pkey PRIMARY KEY (ticket_hash),
  constraint sign_in_steps_ticket_hash_check CHECK ((length(ticket_hash) = 32))
);
alter table sign_in_steps enable row level security;
alter table sign_in_steps force row level security;
CREATE INDEX sign_in_steps_user ON public.sign_in_steps USING btree (client_id, user_uid);
create policy auth on sign_in_steps for all to floorcast_definer
  using (true)
  with check (true);
create policy one_client on sign_in_steps for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant delete, insert, select on sign_in_steps to floorcast_app;
grant delete, select on sign_in_steps to floorcast_definer;
grant update (tries) on sign_in_steps to floorcast_definer;

create table statistics_retention (
  client_id uuid not null,
  kept_from date,
  announced_on date,
  age_announced_on date,
  checked_on date,
  sums_announced_on date,
  sums_kept_from date,
  constraint statistics_retention_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint statistics_retention_pkey PRIMARY KEY (client_id)
);
alter table statistics_retention enable row level security;
alter table statistics_retention force row level security;
create policy auth on statistics_retention for select to floorcast_definer
  using (true);
create policy one_client on statistics_retention for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant select on statistics_retention to floorcast_app;
grant select on statistics_retention to floorcast_definer;
grant delete, insert, select, update on statistics_retention to floorcast_jobs;

create table storage_reservations (
  uid uuid not null,
  client_id uuid not null,
  user_uid uuid,
  size_bytes bigint not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint storage_reservations_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint storage_reservations_pkey PRIMARY KEY (uid),
  constraint storage_reservations_size_bytes_check CHECK ((size_bytes >= 0))
);
alter table storage_reservations enable row level security;
alter table storage_reservations force row level security;
CREATE INDEX storage_reservations_client ON public.storage_reservations USING btree (client_id, expires_at);
create policy one_client on storage_reservations for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant delete, insert, select, update on storage_reservations to floorcast_app;
grant delete, insert, select, update on storage_reservations to floorcast_jobs;

create table tags (
  uid uuid not null,
  client_id uuid not null,
  device_uid uuid,
  group_uid uuid,
  key text not null,
  value text not null,
  description text default ''::text not null,
  created_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  constraint tags_check CHECK ((num_nonnulls(device_uid, group_uid) <= 1)),
  constraint tags_client_id_device_uid_fkey FOREIGN KEY (client_id, device_uid) REFERENCES devices(client_id, uid) ON DELETE CASCADE,
  constraint tags_client_id_device_uid_group_uid_key_key UNIQUE NULLS NOT DISTINCT (client_id, device_uid, group_uid, key),
  constraint tags_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint tags_client_id_group_uid_fkey FOREIGN KEY (client_id, group_uid) REFERENCES groups(client_id, uid) ON DELETE CASCADE,
  constraint tags_pkey PRIMARY KEY (uid)
);
alter table tags enable row level security;
alter table tags force row level security;
CREATE INDEX tags_group ON public.tags USING btree (client_id, group_uid) WHERE (group_uid IS NOT NULL);
CREATE INDEX tags_place ON public.tags USING btree (client_id, key, device_uid, group_uid) INCLUDE (value) WHERE (key = ANY (ARRAY['latitude'::text, 'longitude'::text, 'country'::text]));
create policy all_clients on tags for select to floorcast_ingest
  using (true);
create policy one_client on tags for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant delete, insert, select, update on tags to floorcast_app;
grant select (client_id, device_uid, group_uid, key, value) on tags to floorcast_ingest;
grant select on tags to floorcast_jobs;

create table tickets (
  ticket_hash bytea not null,
  client_id uuid not null,
  session_uid uuid not null,
  path text not null,
  is_once boolean not null,
  expires_at timestamp with time zone not null,
  used_at timestamp with time zone,
  constraint tickets_client_id_session_uid_fkey FOREIGN KEY (client_id, session_uid) REFERENCES sessions(client_id, uid) ON DELETE CASCADE,
  constraint tickets_pkey PRIMARY KEY (ticket_hash),
  constraint tickets_ticket_hash_check CHECK ((length(ticket_hash) = 32))
);
alter table tickets enable row level security;
alter table tickets force row level security;
CREATE INDEX tickets_session ON public.tickets USING btree (client_id, session_uid);
create policy auth on tickets for all to floorcast_definer
  using (true)
  with check (true);
create policy one_client on tickets for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant delete, insert, select on tickets to floorcast_app;
grant select on tickets to floorcast_definer;
grant update (used_at) on tickets to floorcast_definer;
grant delete, select on tickets to floorcast_jobs;

create table totp_secrets (
  user_uid uuid not null,
  client_id uuid not null,
  sealed_secret bytea,
  pending_secret bytea,
  created_at timestamp with time zone not null,
  confirmed_at timestamp with time zone,
  last_step integer,
  constraint totp_secrets_check CHECK (((sealed_secret IS NULL) = (confirmed_at IS NULL))),
  constraint totp_secrets_client_id_user_uid_fkey FOREIGN KEY (client_id, user_uid) REFERENCES users(client_id, uid) ON DELETE CASCADE,
  constraint totp_secrets_pkey PRIMARY KEY (user_uid)
);
alter table totp_secrets enable row level security;
alter table totp_secrets force row level security;
CREATE INDEX totp_secrets_user ON public.totp_secrets USING btree (client_id, user_uid);
create policy one_client on totp_secrets for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
create policy operator on totp_secrets for delete to floorcast_definer
  using (true);
create policy operator_reads on totp_secrets for select to floorcast_definer
  using (true);
grant delete, insert, select, update on totp_secrets to floorcast_app;
grant delete on totp_secrets to floorcast_definer;
grant select (user_uid) on totp_secrets to floorcast_definer;

create table uncounted_days (
  client_id uuid not null,
  day date not null,
  constraint uncounted_days_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint uncounted_days_pkey PRIMARY KEY (client_id, day)
);
alter table uncounted_days enable row level security;
alter table uncounted_days force row level security;
create policy auth on uncounted_days for select to floorcast_definer
  using (true);
create policy one_client on uncounted_days for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant select on uncounted_days to floorcast_app;
grant select on uncounted_days to floorcast_definer;
grant delete, insert, select, update on uncounted_days to floorcast_jobs;

create table update_channel_groups (
  channel_uid uuid not null,
  group_uid uuid not null,
  client_id uuid not null,
  constraint update_channel_groups_client_id_channel_uid_fkey FOREIGN KEY (client_id, channel_uid) REFERENCES update_channels(client_id, uid) ON DELETE CASCADE,
  constraint update_channel_groups_client_id_group_uid_fkey FOREIGN KEY (client_id, group_uid) REFERENCES groups(client_id, uid) ON DELETE CASCADE,
  constraint update_channel_groups_pkey PRIMARY KEY (channel_uid, group_uid)
);
alter table update_channel_groups enable row level security;
alter table update_channel_groups force row level security;
CREATE INDEX update_channel_groups_group ON public.update_channel_groups USING btree (client_id, group_uid);
create policy one_client on update_channel_groups for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant delete, insert, select on update_channel_groups to floorcast_app;

create table update_channels (
  uid uuid not null,
  client_id uuid not null,
  name text not null,
  description text default ''::text not null,
  state text default 'open'::text not null,
  created_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  version integer default 1 not null,
  constraint update_channels_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint update_channels_client_id_uid_key UNIQUE (client_id, uid),
  constraint update_channels_pkey PRIMARY KEY (uid),
  constraint update_channels_state_check CHECK ((state = ANY (ARRAY['open'::text, 'frozen'::text])))
);
alter table update_channels enable row level security;
alter table update_channels force row level security;
CREATE INDEX update_channels_changed ON public.update_channels USING btree (client_id, changed_at);
create policy one_client on update_channels for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant delete, insert, select, update on update_channels to floorcast_app;

create table update_files (
  uid uuid not null,
  client_id uuid not null,
  name text not null,
  description text default ''::text not null,
  original_name text not null,
  sha256 text not null,
  size_bytes bigint not null,
  signature text,
  uploaded_by uuid,
  created_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  version integer default 1 not null,
  constraint update_files_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint update_files_client_id_uid_key UNIQUE (client_id, uid),
  constraint update_files_pkey PRIMARY KEY (uid),
  constraint update_files_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint update_files_signature_check CHECK ((signature ~ '^[A-Za-z0-9+/]{86}==$'::text)),
  constraint update_files_size_bytes_check CHECK ((size_bytes > 0))
);
alter table update_files enable row level security;
alter table update_files force row level security;
CREATE INDEX update_files_changed ON public.update_files USING btree (client_id, changed_at);
CREATE INDEX update_files_sha256 ON public.update_files USING btree (client_id, sha256);
create policy one_client on update_files for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant delete, insert, select, update on update_files to floorcast_app;
grant select on update_files to floorcast_jobs;

create table update_package_files (
  uid uuid not null,
  client_id uuid not null,
  package_uid uuid not null,
  file_uid uuid not null,
  added_at timestamp with time zone not null,
  constraint update_package_files_client_id_file_uid_fkey FOREIGN KEY (client_id, file_uid) REFERENCES update_files(client_id, uid),
  constraint update_package_files_client_id_package_uid_fkey FOREIGN KEY (client_id, package_uid) REFERENCES update_packages(client_id, uid) ON DELETE CASCADE,
  constraint update_package_files_package_uid_file_uid_key UNIQUE (package_uid, file_uid),
  constraint update_package_files_pkey PRIMARY KEY (uid)
);
alter table update_package_files enable row level security;
alter table update_package_files force row level security;
CREATE INDEX update_package_files_file ON public.update_package_files USING btree (client_id, file_uid);
CREATE INDEX update_package_files_package ON public.update_package_files USING btree (client_id, package_uid);
create policy one_client on update_package_files for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant delete, insert, select on update_package_files to floorcast_app;

create table update_packages (
  uid uuid not null,
  client_id uuid not null,
  name text not null,
  description text default ''::text not null,
  category text not null,
  version text not null,
  state text default 'draft'::text not null,
  created_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  record_version integer default 1 not null,
  constraint update_packages_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint update_packages_client_id_uid_key UNIQUE (client_id, uid),
  constraint update_packages_pkey PRIMARY KEY (uid),
  constraint update_packages_state_check CHECK ((state = ANY (ARRAY['draft'::text, 'testing'::text, 'released'::text])))
);
alter table update_packages enable row level security;
alter table update_packages force row level security;
CREATE INDEX update_packages_changed ON public.update_packages USING btree (client_id, changed_at);
create policy one_client on update_packages for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant delete, insert, select, update on update_packages to floorcast_app;

create table uploads (
  uid uuid not null,
  client_id uuid not null,
  user_uid uuid not null,
  content_type text not null,
  original_name text not null,
  size_bytes bigint not null,
  metadata jsonb not null,
  outcome jsonb,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint uploads_client_id_user_uid_fkey FOREIGN KEY (client_id, user_uid) REFERENCES users(client_id, uid) ON DELETE CASCADE,
  constraint uploads_content_type_check CHECK ((content_type = ANY (ARRAY['videos'::text, 'videosAds'::text, 'ads'::text, 'melodies'::text]))),
  constraint uploads_pkey PRIMARY KEY (uid),
  constraint uploads_size_bytes_check CHECK ((size_bytes > 0))
);
alter table uploads enable row level security;
alter table uploads force row level security;
CREATE INDEX uploads_user ON public.uploads USING btree (client_id, user_uid, expires_at);
create policy one_client on uploads for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant delete, insert, select, update on uploads to floorcast_app;
grant delete, select on uploads to floorcast_jobs;

create table user_links (
  token_hash bytea not null,
  client_id uuid not null,
  user_uid uuid not null,
  created_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  constraint user_links_client_id_user_uid_fkey FOREIGN KEY (client_id, user_uid) REFERENCES users(client_id, uid) ON DELETE CASCADE,
  constraint user_links_pkey PRIMARY KEY (token_hash),
  constraint user_links_token_hash_check CHECK ((length(token_hash) = 32))
);
alter table user_links enable row level security;
alter table user_links force row level security;
CREATE INDEX user_links_user ON public.user_links USING btree (client_id, user_uid);
create policy auth on user_links for all to floorcast_definer
  using (true)
  with check (true);
create policy one_client on user_links for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant delete, insert, select on user_links to floorcast_app;
grant delete, insert, select on user_links to floorcast_definer;

create table users (
  uid uuid not null,
  client_id uuid not null,
  email text not null,
  password_hash text not null,
  role text not null,
  rights text default 'full'::text not null,
  first_name text default ''::text not null,
  last_name text default ''::text not null,
  linked_device_uid uuid,
  created_at timestamp with time zone not null,
  changed_at timestamp with time zone not null,
  is_invited boolean default false not null,
  constraint users_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint users_client_id_linked_device_uid_fkey FOREIGN KEY (client_id, linked_device_uid) REFERENCES devices(client_id, uid) ON DELETE SET NULL (linked_device_uid),
  constraint users_client_id_uid_key UNIQUE (client_id, uid),
  constraint users_email_check CHECK ((email = lower(email))),
  constraint users_pkey PRIMARY KEY (uid),
  constraint users_rights_check CHECK ((rights = ANY (ARRAY['full'::text, 'view'::text]))),
  constraint users_role_check CHECK ((role = ANY (ARRAY['admin'::text, 'manager'::text, 'streamer'::text])))
);
alter table users enable row level security;
alter table users force row level security;
CREATE UNIQUE INDEX users_client_email ON public.users USING btree (client_id, email);
CREATE UNIQUE INDEX users_email ON public.users USING btree (email) WHERE (NOT is_invited);
CREATE INDEX users_linked_device ON public.users USING btree (client_id, linked_device_uid) WHERE (linked_device_uid IS NOT NULL);
create policy auth on users for all to floorcast_definer
  using (true)
  with check (true);
create policy one_client on users for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant delete, insert, select, update on users to floorcast_app;
grant insert, select on users to floorcast_definer;
grant update (changed_at, is_invited, password_hash) on users to floorcast_definer;

CREATE OR REPLACE FUNCTION public.auth_bind_licenses(keys text[], boxes uuid[], token_hashes bytea[], models text[], runs uuid[], former_sessions uuid[], at timestamp with time zone)
 RETURNS TABLE(n bigint, outcome text, device_uid uuid, client_id uuid)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_column
declare
  asked record;
  found_device devices%rowtype;
begin
  for asked in
    select a.key, a.box, a.new_token_hash, a.device_model, a.run, a.former_session, a.n
    from unnest(keys, boxes, token_hashes, models, runs, former_sessions)
      with ordinality as a(key, box, new_token_hash, device_model, run, former_session, n)
    order by a.key, a.n
  loop
    n := asked.n;
    device_uid := null;
    client_id := null;
    select d.* into found_device from devices d where d.license_key = asked.key and d.deleted_at is null for update;
    if not found then
      outcome := 'unknown';
    elsif found_device.box_uid is not null and found_device.box_uid <> asked.box then
      outcome := 'taken';
    elsif found_device.token_hash is not null and exists (
      select from device_states s
      where s.device_uid = found_device.uid and s.reporter_uid > asked.former_session
        and s.reporter_run_uid is distinct from asked.run
    ) then
      outcome := 'replaced';
    else
      update devices d
         set box_uid = asked.box, token_hash = asked.new_token_hash, model = asked.device_model,
             license_bound_at = coalesce(d.license_bound_at, at)
       where d.uid = found_device.uid;
      outcome := 'bound';
      device_uid := found_device.uid;
      client_id := found_device.client_id;
    end if;
    return next;
  end loop;
end
$function$
;
alter function auth_bind_licenses(text[],uuid[],bytea[],text[],uuid[],uuid[],timestamp with time zone) owner to floorcast_definer;
grant execute on function auth_bind_licenses(text[],uuid[],bytea[],text[],uuid[],uuid[],timestamp with time zone) to floorcast_auth;

CREATE OR REPLACE FUNCTION public.auth_confirm_registration(sought bytea, new_client uuid, new_user uuid, plan text, plan_expires_at timestamp with time zone, user_password_hash text, at timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  confirmed registrations%rowtype;
begin
  delete from registrations r where r.token_hash = sought and r.expires_at > at returning * into confirmed;
  if not found then
    return null;
  end if;
  delete from registrations r where r.email = confirmed.email;
  if not auth_register(new_client, confirmed.client_name, plan, plan_expires_at, new_user, confirmed.email,
                       user_password_hash, confirmed.first_name, confirmed.last_name, at) then
    return '';
  end if;
  return confirmed.email;
end
$function$
;
alter function auth_confirm_registration(bytea,uuid,uuid,text,timestamp with time zone,text,timestamp with time zone) owner to floorcast_definer;
grant execute on function auth_confirm_registration(bytea,uuid,uuid,text,timestamp with time zone,text,timestamp with time zone) to floorcast_auth;

CREATE OR REPLACE FUNCTION public.auth_device_by_streamer(sought bytea, reporter uuid, at timestamp with time zone, idle_seconds integer, used_from text)
 RETURNS TABLE(uid uuid, client_id uuid, kind text, name text, group_uid uuid, reporter_uid uuid)
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select d.uid, d.client_id, d.kind, d.name, d.group_uid, st.reporter_uid
  from auth_session_by_token(sought, at, idle_seconds, used_from) s
  join devices d on d.uid = s.linked_device_uid and d.client_id = s.client_id and d.deleted_at is null
  join device_states st on st.device_uid = d.uid and st.reporter_uid = reporter
  where s.role = 'streamer'
$function$
;
alter function auth_device_by_streamer(bytea,uuid,timestamp with time zone,integer,text) owner to floorcast_definer;
grant execute on function auth_device_by_streamer(bytea,uuid,timestamp with time zone,integer,text) to floorcast_auth;

CREATE OR REPLACE FUNCTION public.auth_devices_by_tokens(sought bytea[])
 RETURNS TABLE(token_hash bytea, uid uuid, client_id uuid, kind text, name text, group_uid uuid, reporter_uid uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select d.token_hash, d.uid, d.client_id, d.kind, d.name, d.group_uid, s.reporter_uid
  from devices d left join device_states s on s.device_uid = d.uid
  where d.token_hash = any (sought) and d.deleted_at is null
$function$
;
alter function auth_devices_by_tokens(bytea[]) owner to floorcast_definer;
grant execute on function auth_devices_by_tokens(bytea[]) to floorcast_auth;

CREATE OR REPLACE FUNCTION public.auth_has_clients()
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ select exists (select from clients) $function$
;
alter function auth_has_clients() owner to floorcast_definer;
grant execute on function auth_has_clients() to floorcast_auth;

CREATE OR REPLACE FUNCTION public.auth_link_email(sought bytea, at timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select u.email from user_links l join users u on u.client_id = l.client_id and u.uid = l.user_uid
  where l.token_hash = sought and l.expires_at > at
$function$
;
alter function auth_link_email(bytea,timestamp with time zone) owner to floorcast_definer;
grant execute on function auth_link_email(bytea,timestamp with time zone) to floorcast_auth;

CREATE OR REPLACE FUNCTION public.auth_passkey(sought text)
 RETURNS TABLE(passkey_uid uuid, public_key bytea, counter bigint, uid uuid, client_id uuid, email text, password_hash text, role text, rights text, first_name text, last_name text, linked_device_uid uuid, subscription_expires_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select p.uid, p.public_key, p.counter,
         u.uid, u.client_id, u.email, u.password_hash, u.role, u.rights, u.first_name, u.last_name,
         u.linked_device_uid, c.subscription_expires_at
  from passkeys p
  join users u on u.client_id = p.client_id and u.uid = p.user_uid
  join clients c on c.uid = p.client_id
  where p.credential_id = sought and not u.is_invited
$function$
;
alter function auth_passkey(text) owner to floorcast_definer;
grant execute on function auth_passkey(text) to floorcast_auth;

CREATE OR REPLACE FUNCTION public.auth_proof_keys(sought uuid)
 RETURNS TABLE(client_name text, key_id text, public_key bytea, created_at timestamp with time zone, retired_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select c.name, k.key_id, k.public_key, k.created_at, k.retired_at
  from clients c left join proof_keys k on k.client_id = c.uid
  where c.uid = sought
  order by k.created_at desc, k.key_id
$function$
;
alter function auth_proof_keys(uuid) owner to floorcast_definer;
grant execute on function auth_proof_keys(uuid) to floorcast_auth;

CREATE OR REPLACE FUNCTION public.auth_redeem_ticket(sought bytea, asked_path text, at timestamp with time zone)
 RETURNS TABLE(session_uid uuid, uid uuid, client_id uuid, email text, role text, rights text, first_name text, last_name text, linked_device_uid uuid, subscription_expires_at timestamp with time zone, expires_at timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_column
declare
  holder uuid;
begin
  update tickets t set used_at = at
   where t.ticket_hash = sought and t.path = asked_path and t.expires_at > at and not (t.is_once and t.used_at is not null)
  returning t.session_uid into holder;
  return query
    select s.uid, u.uid, u.client_id, u.email, u.role, u.rights, u.first_name, u.last_name, u.linked_device_uid,
           c.subscription_expires_at, s.expires_at
    from sessions s
    join users u on u.uid = s.user_uid
    join clients c on c.uid = s.client_id
    where s.uid = holder and s.revoked_at is null and s.expires_at > at;
end
$function$
;
alter function auth_redeem_ticket(bytea,text,timestamp with time zone) owner to floorcast_definer;
grant execute on function auth_redeem_ticket(bytea,text,timestamp with time zone) to floorcast_auth;

CREATE OR REPLACE FUNCTION public.auth_register(new_client uuid, client_name text, plan text, plan_expires_at timestamp with time zone, new_user uuid, user_email text, user_password_hash text, user_first_name text, user_last_name text, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into clients (uid, name, plan_key, subscription_expires_at, created_at, changed_at)
  values (new_client, client_name, plan, plan_expires_at, at, at);
  insert into users (uid, client_id, email, password_hash, role, first_name, last_name, created_at, changed_at)
  values (new_user, new_client, lower(user_email), user_password_hash, 'admin', user_first_name, user_last_name, at, at);
  return true;
exception when unique_violation then
  return false;
end
$function$
;
alter function auth_register(uuid,text,text,timestamp with time zone,uuid,text,text,text,text,timestamp with time zone) owner to floorcast_definer;
grant execute on function auth_register(uuid,text,text,timestamp with time zone,uuid,text,text,text,text,timestamp with time zone) to floorcast_auth;

CREATE OR REPLACE FUNCTION public.auth_registration_email(sought bytea, at timestamp with time zone)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select r.email from registrations r where r.token_hash = sought and r.expires_at > at
$function$
;
alter function auth_registration_email(bytea,timestamp with time zone) owner to floorcast_definer;
grant execute on function auth_registration_email(bytea,timestamp with time zone) to floorcast_auth;

CREATE OR REPLACE FUNCTION public.auth_request_registration(new_uid uuid, mail_uid uuid, new_email text, new_client_name text, new_first_name text, new_last_name text, language text, at timestamp with time zone, limits integer[])
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  result text := queue_mail(
    row(mail_uid, null, null, new_uid, 'registration', lower(new_email), language, null, at, at, 0, null)::mails, limits);
begin
  if result = 'queued' then
    insert into registrations (uid, email, client_name, first_name, last_name, created_at, expires_at)
    values (new_uid, lower(new_email), new_client_name, new_first_name, new_last_name, at, at + interval '2 days');
  end if;
  return result;
end
$function$
;
alter function auth_request_registration(uuid,uuid,text,text,text,text,text,timestamp with time zone,integer[]) owner to floorcast_definer;
grant execute on function auth_request_registration(uuid,uuid,text,text,text,text,text,timestamp with time zone,integer[]) to floorcast_auth;

CREATE OR REPLACE FUNCTION public.auth_request_reset(mail_uid uuid, email text, language text, at timestamp with time zone, limits integer[])
 RETURNS text
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select queue_mail(
    row(mail_uid, null, null, null, 'forgotten-password', lower(email), language, null, at, at, 0, null)::mails, limits)
$function$
;
alter function auth_request_reset(uuid,text,text,timestamp with time zone,integer[]) owner to floorcast_definer;
grant execute on function auth_request_reset(uuid,text,text,timestamp with time zone,integer[]) to floorcast_auth;

CREATE OR REPLACE FUNCTION public.auth_session_by_token(sought bytea, at timestamp with time zone, idle_seconds integer, used_from text)
 RETURNS TABLE(session_uid uuid, uid uuid, client_id uuid, email text, role text, rights text, first_name text, last_name text, linked_device_uid uuid, subscription_expires_at timestamp with time zone, expires_at timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_column
begin
  update sessions s
     set last_used_at = at, idle_expires_at = at + make_interval(secs => idle_seconds), address = used_from
   where s.token_hash = sought and s.revoked_at is null and s.expires_at > at and s.idle_expires_at > at
     and s.last_used_at < at - interval '1 minute';
  return query
    select s.uid, u.uid, u.client_id, u.email, u.role, u.rights, u.first_name, u.last_name, u.linked_device_uid,
           c.subscription_expires_at, s.expires_at
    from sessions s
    join users u on u.uid = s.user_uid
    join clients c on c.uid = s.client_id
    where s.token_hash = sought and s.revoked_at is null and s.expires_at > at and s.idle_expires_at > at;
end
$function$
;
alter function auth_session_by_token(bytea,timestamp with time zone,integer,text) owner to floorcast_definer;
grant execute on function auth_session_by_token(bytea,timestamp with time zone,integer,text) to floorcast_auth;

CREATE OR REPLACE FUNCTION public.auth_session_states(sought uuid[], at timestamp with time zone)
 RETURNS TABLE(session_uid uuid, role text, rights text, linked_device_uid uuid)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select s.uid, u.role, u.rights, u.linked_device_uid
  from sessions s join users u on u.uid = s.user_uid
  where s.uid = any (sought) and s.revoked_at is null and s.expires_at > at and s.idle_expires_at > at
$function$
;
alter function auth_session_states(uuid[],timestamp with time zone) owner to floorcast_definer;
grant execute on function auth_session_states(uuid[],timestamp with time zone) to floorcast_auth;

CREATE OR REPLACE FUNCTION public.auth_sign_in_step(sought bytea, at timestamp with time zone, max_tries integer)
 RETURNS TABLE(uid uuid, client_id uuid, email text, password_hash text, role text, rights text, first_name text, last_name text, linked_device_uid uuid, subscription_expires_at timestamp with time zone)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_column
declare
  holder uuid;
  mark bytea;
begin
  update sign_in_steps s set tries = s.tries + 1
   where s.ticket_hash = sought and s.expires_at > at and s.tries < max_tries
  returning s.user_uid, s.password_mark into holder, mark;
  return query
    select u.uid, u.client_id, u.email, u.password_hash, u.role, u.rights, u.first_name, u.last_name,
           u.linked_device_uid, c.subscription_expires_at
    from users u join clients c on c.uid = u.client_id
    where u.uid = holder and mark = sha256(convert_to(u.password_hash, 'UTF8'));
end
$function$
;
alter function auth_sign_in_step(bytea,timestamp with time zone,integer) owner to floorcast_definer;
grant execute on function auth_sign_in_step(bytea,timestamp with time zone,integer) to floorcast_auth;

CREATE OR REPLACE FUNCTION public.auth_use_link(sought bytea, new_password_hash text, at timestamp with time zone)
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  holder uuid;
  holder_email text;
begin
  delete from user_links l where l.token_hash = sought and l.expires_at > at returning l.user_uid into holder;
  if holder is null then
    return null;
  end if;
  update users u set password_hash = new_password_hash, is_invited = false, changed_at = at
   where u.uid = holder returning u.email into holder_email;
  delete from user_links l where l.user_uid = holder;
  update sessions s set revoked_at = at where s.user_uid = holder and s.revoked_at is null;
  return holder_email;
end
$function$
;
alter function auth_use_link(bytea,text,timestamp with time zone) owner to floorcast_definer;
grant execute on function auth_use_link(bytea,text,timestamp with time zone) to floorcast_auth;

CREATE OR REPLACE FUNCTION public.auth_user_by_email(sought text)
 RETURNS TABLE(uid uuid, client_id uuid, email text, password_hash text, role text, rights text, first_name text, last_name text, linked_device_uid uuid, subscription_expires_at timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select u.uid, u.client_id, u.email, u.password_hash, u.role, u.rights, u.first_name, u.last_name,
         u.linked_device_uid, c.subscription_expires_at
  from users u join clients c on c.uid = u.client_id
  where u.email = lower(sought) and not u.is_invited
$function$
;
alter function auth_user_by_email(text) owner to floorcast_definer;
grant execute on function auth_user_by_email(text) to floorcast_auth;

CREATE OR REPLACE FUNCTION public.build_sort_key(content text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
declare
  rest text := translate(public.fold(content), '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', '01234567890123456789');
  marked text := translate(rest, '123456789', '000000000');
  key text := '';
  place integer;
  width integer;
  digits text;
begin
  loop
    place := strpos(marked, '0');
    exit when place = 0;
    marked := substr(marked, place);
    width := length(marked) - length(ltrim(marked, '0'));
    digits := ltrim(substr(rest, place, width), '0');
    key := key || left(rest, place - 1) || repeat('9', length(digits) / 9) || length(digits) % 9 || digits;
    rest := substr(rest, place + width);
    marked := substr(marked, width + 1);
  end loop;
  -- An entry of an index has at most 2,704 bytes, and a character up to four. One letter may become 18.
  return left(key || rest, 600);
end
$function$
;
grant execute on function build_sort_key(text) to floorcast_app;
grant execute on function build_sort_key(text) to floorcast_definer;
grant execute on function build_sort_key(text) to floorcast_jobs;

CREATE OR REPLACE FUNCTION public.count_added()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  execute format('insert into list_counts (client_id, list, kind, change)
    select client_id, $1, %I, count(*) from added where deleted_at is null group by client_id, %1$I', tg_argv[1])
    using tg_argv[0];
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.count_binned()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into list_counts (client_id, list, kind, change)
  values (new.client_id, tg_argv[0], to_jsonb(new) ->> tg_argv[1], case when new.deleted_at is null then 1 else -1 end);
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.count_holdings_added()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into publication_counts (client_id, publication_uid, revision, holding, reported)
  select client_id, publication_uid, revision, count(*) filter (where missing = 0), count(*)
  from added group by client_id, publication_uid, revision;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.count_holdings_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into publication_counts (client_id, publication_uid, revision, holding, reported)
  select client_id, publication_uid, revision, sum(holding), sum(reported)
  from (
    select client_id, publication_uid, revision, (missing = 0)::int as holding, 1 as reported from added
    union all
    select client_id, publication_uid, revision, -(missing = 0)::int, -1 from removed
  ) as change
  group by client_id, publication_uid, revision having sum(holding) <> 0 or sum(reported) <> 0;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.count_holdings_removed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- A publication that goes takes its counts along.
  insert into publication_counts (client_id, publication_uid, revision, holding, reported)
  select r.client_id, r.publication_uid, r.revision, -count(*) filter (where r.missing = 0), -count(*)
  from removed r where exists (select from publications p where p.uid = r.publication_uid)
  group by r.client_id, r.publication_uid, r.revision;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.count_receipts_added()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into alert_counts (client_id, alert_uid, failed, received, sounding, ended, sounded)
  select client_id, alert_uid, count(*) filter (where state = 'failed'), count(*) filter (where state = 'received'),
    count(*) filter (where state = 'sounding'), count(*) filter (where state = 'ended'), count(started_at)
  from added group by client_id, alert_uid;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.count_receipts_changed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into alert_counts (client_id, alert_uid, failed, received, sounding, ended, sounded)
  select * from (
    select client_id, alert_uid, sum(n * (state = 'failed')::int) as failed, sum(n * (state = 'received')::int) as received,
      sum(n * (state = 'sounding')::int) as sounding, sum(n * (state = 'ended')::int) as ended,
      sum(n * (started_at is not null)::int) as sounded
    from (
      select client_id, alert_uid, state, started_at, 1 as n from added
      union all
      select client_id, alert_uid, state, started_at, -1 from removed
    ) as change
    group by client_id, alert_uid
  ) as sums
  where (failed, received, sounding, ended, sounded) <> (0, 0, 0, 0, 0);
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.count_removed()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- A client that goes takes its counts along.
  execute format('insert into list_counts (client_id, list, kind, change)
    select client_id, $1, %I, -count(*) from removed
    where deleted_at is null and client_id in (select uid from clients) group by client_id, %1$I', tg_argv[1])
    using tg_argv[0];
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.enable_tenant_rls(fenced regclass)
 RETURNS void
 LANGUAGE plpgsql
AS $function$
begin
  execute format('alter table %s enable row level security', fenced);
  execute format('alter table %s force row level security', fenced);
  execute format(
    'create policy one_client on %s to floorcast_app, floorcast_jobs
       using (client_id = nullif(current_setting(''app.client_id'', true), '''')::uuid)
       with check (client_id = nullif(current_setting(''app.client_id'', true), '''')::uuid)',
    fenced);
end
$function$
;

CREATE OR REPLACE FUNCTION public.end_links()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  delete from user_links l where l.user_uid = new.uid;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.fold(content text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select lower(case
    when octet_length(content) = char_length(content) then content
    else regexp_replace(normalize(content, NFKD), '[\u0300-\u036F\u064B-\u065F\u0670]', '', 'g')
  end)
$function$
;
grant execute on function fold(text) to floorcast_app;
grant execute on function fold(text) to floorcast_definer;
grant execute on function fold(text) to floorcast_jobs;
grant execute on function fold(text) to floorcast_search;

CREATE OR REPLACE FUNCTION public.give_manifest()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into device_manifests (device_uid, client_id) values (new.uid, new.client_id);
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.is_concerned(device uuid, publication uuid)
 RETURNS boolean
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select exists (select from devices d join publications p on p.uid = publication and p.group_uid = d.group_uid
    where d.uid = device and p.client_id = d.client_id)
$function$
;
alter function is_concerned(uuid,uuid) owner to floorcast_definer;
grant execute on function is_concerned(uuid,uuid) to floorcast_ingest;

CREATE OR REPLACE FUNCTION public.jobs_add_server_sample(name text, moment timestamp with time zone, one real, five real, fifteen real, free bigint, total bigint)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  insert into server_samples (server, at, load_one, load_five, load_fifteen, free_bytes, total_bytes)
  values (name, moment, one, five, fifteen, free, total)
  on conflict do nothing
$function$
;
alter function jobs_add_server_sample(text,timestamp with time zone,real,real,real,bigint,bigint) owner to floorcast_definer;
grant execute on function jobs_add_server_sample(text,timestamp with time zone,real,real,real,bigint,bigint) to floorcast_jobs;

CREATE OR REPLACE FUNCTION public.jobs_claim_mails(at timestamp with time zone, lease_ends_at timestamp with time zone, max_mails integer)
 RETURNS TABLE(uid uuid, kind text, recipient text, language text, created_at timestamp with time zone, attempts integer)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
#variable_conflict use_column
begin
  delete from registrations r where r.expires_at < at;
  delete from mails m where m.created_at < at - interval '1 day' and m.due_at is null;
  return query
    update mails m set due_at = lease_ends_at, attempts = m.attempts + 1
     where m.uid in (
       select l.uid from mails l join (
         select d.uid, row_number() over (partition by d.client_id, d.kind order by d.due_at, d.uid) as turn
         from mails d where d.due_at <= at) turns on turns.uid = l.uid
       where l.due_at <= at
       order by turns.turn, l.due_at, l.uid limit max_mails for update of l skip locked)
    returning m.uid, m.kind, m.recipient, m.language, m.created_at, m.attempts;
end
$function$
;
alter function jobs_claim_mails(timestamp with time zone,timestamp with time zone,integer) owner to floorcast_definer;
grant execute on function jobs_claim_mails(timestamp with time zone,timestamp with time zone,integer) to floorcast_jobs;

CREATE OR REPLACE FUNCTION public.jobs_client_ids()
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ select uid from clients order by uid $function$
;
alter function jobs_client_ids() owner to floorcast_definer;
grant execute on function jobs_client_ids() to floorcast_jobs;

CREATE OR REPLACE FUNCTION public.jobs_drop_partition(sought text, today date)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET lock_timeout TO '200ms'
AS $function$
declare
  old record;
  has_rows boolean;
begin
  select * into old from jobs_old_partitions(today) o where o.partition_name = sought;
  if not found then
    return false;
  end if;
  execute format('lock table only %I in access exclusive mode', old.history);
  if old.day >= today - 400 or old.history = 'play_days' then
    -- Without its policies the owner sees the rows of all clients.
    execute format('alter table %I no force row level security', sought);
    execute format('select exists (select from %I)', sought) into has_rows;
    if has_rows then
      execute format('alter table %I force row level security', sought);
      return false;
    end if;
  end if;
  execute format('drop table %I', sought);
  return true;
end
$function$
;
grant execute on function jobs_drop_partition(text,date) to floorcast_jobs;

CREATE OR REPLACE FUNCTION public.jobs_end_mail(sought uuid, new_outcome text, again_at timestamp with time zone, reason text, entry_uid uuid, at timestamp with time zone)
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  mail mails%rowtype;
begin
  update mails m set due_at = again_at, outcome = new_outcome where m.uid = sought and m.due_at is not null
  returning * into mail;
  if mail.outcome in ('refused', 'expired') and mail.client_id is not null then
    insert into audit_entries (uid, client_id, at, user_name, action, thing, thing_uid, thing_name, changes)
    values (entry_uid, mail.client_id, at, 'mail', 'mail-failed', 'user', mail.user_uid, mail.recipient,
            jsonb_build_object('reason', jsonb_build_array(null, reason)));
  end if;
end
$function$
;
alter function jobs_end_mail(uuid,text,timestamp with time zone,text,uuid,timestamp with time zone) owner to floorcast_definer;
grant execute on function jobs_end_mail(uuid,text,timestamp with time zone,text,uuid,timestamp with time zone) to floorcast_jobs;

CREATE OR REPLACE FUNCTION public.jobs_make_link(user_email text, link_hash bytea, entry_uid uuid, at timestamp with time zone, until timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  holder users%rowtype;
begin
  select * into holder from users u where u.email = lower(user_email)
    and (not u.is_invited or 1 = (select count(*) from users o where o.email = u.email)) for no key update;
  if not found then
    return false;
  end if;
  delete from user_links l where l.user_uid = holder.uid;
  insert into user_links (token_hash, client_id, user_uid, created_at, expires_at)
  values (link_hash, holder.client_id, holder.uid, at, until);
  insert into audit_entries (uid, client_id, at, user_name, action, thing, thing_uid, thing_name)
  values (entry_uid, holder.client_id, at, 'operator', 'reset-password', 'user', holder.uid, holder.email);
  return true;
end
$function$
;
alter function jobs_make_link(text,bytea,uuid,timestamp with time zone,timestamp with time zone) owner to floorcast_definer;
grant execute on function jobs_make_link(text,bytea,uuid,timestamp with time zone,timestamp with time zone) to floorcast_jobs;

CREATE OR REPLACE FUNCTION public.jobs_next_mail_at()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select min(m.due_at) from mails m where m.due_at is not null
$function$
;
alter function jobs_next_mail_at() owner to floorcast_definer;
grant execute on function jobs_next_mail_at() to floorcast_jobs;

CREATE OR REPLACE FUNCTION public.jobs_note_maintenance(began timestamp with time zone, ended timestamp with time zone, failed integer)
 RETURNS void
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  insert into maintenance_runs (ended_at, began_at, failures) values (ended, began, failed) on conflict do nothing
$function$
;
alter function jobs_note_maintenance(timestamp with time zone,timestamp with time zone,integer) owner to floorcast_definer;
grant execute on function jobs_note_maintenance(timestamp with time zone,timestamp with time zone,integer) to floorcast_jobs;

CREATE OR REPLACE FUNCTION public.jobs_old_partitions(today date)
 RETURNS TABLE(partition_name text, history text, day date)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select c.relname::text, p.relname::text, to_date(right(c.relname, 8), 'YYYYMMDD')
  from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
  where p.oid in ('plays'::regclass, 'device_logs'::regclass, 'heartbeats'::regclass)
    and to_date(right(c.relname, 8), 'YYYYMMDD') < least(today - 100, coalesce(oldest_history_day(), today))
  union all
  select c.relname::text, 'play_days', (to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month')::date - 1
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'play_days'::regclass
    and to_date(right(c.relname, 6), 'YYYYMM') + interval '1 month' <= least(today - 101, coalesce(oldest_sums_day(), today))
  order by 3, 1
$function$
;
grant execute on function jobs_old_partitions(date) to floorcast_jobs;

CREATE OR REPLACE FUNCTION public.jobs_prepare_mail(sought uuid, link_hash bytea, entry_uid uuid, at timestamp with time zone, registration_until timestamp with time zone, forgotten_until timestamp with time zone, link_until timestamp with time zone)
 RETURNS TABLE(variant text, inviter text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  mail mails%rowtype;
  holder users%rowtype;
begin
  select * into mail from mails m where m.uid = sought and m.due_at is not null;
  if mail.kind in ('invitation', 'reset') then
    select * into holder from users u
     where u.client_id = mail.client_id and u.uid = mail.user_uid and u.email = mail.recipient
       for no key update;
  else
    select * into holder from users u where u.email = mail.recipient and not u.is_invited for no key update;
  end if;

  if mail.kind = 'registration' and holder.uid is not null then
    return query select 'taken', null::text;
    return;
  end if;
  if mail.kind = 'registration' then
    update registrations r set token_hash = link_hash, expires_at = registration_until where r.uid = mail.registration_uid;
    if found then
      return query select 'registration', null::text;
      return;
    end if;
  end if;
  if holder.uid is null then
    update mails m set due_at = null, outcome = 'dropped' where m.uid = sought and m.due_at is not null;
    return;
  end if;
  if mail.kind = 'forgotten-password' then
    -- Former links stay: a stranger who asks in the name of a user must not end them.
    insert into audit_entries (uid, client_id, at, user_name, action, thing, thing_uid, thing_name)
    values (entry_uid, holder.client_id, at, holder.email, 'ask-for-reset', 'user', holder.uid, holder.email);
  else
    delete from user_links l where l.user_uid = holder.uid;
  end if;
  insert into user_links (token_hash, client_id, user_uid, created_at, expires_at)
  values (link_hash, holder.client_id, holder.uid, at,
          case when mail.kind = 'forgotten-password' then forgotten_until else link_until end);
  return query select case when holder.is_invited then 'invitation' when mail.kind = 'forgotten-password' then 'forgotten'
                      else 'reset' end, mail.inviter;
end
$function$
;
alter function jobs_prepare_mail(uuid,bytea,uuid,timestamp with time zone,timestamp with time zone,timestamp with time zone,timestamp with time zone) owner to floorcast_definer;
grant execute on function jobs_prepare_mail(uuid,bytea,uuid,timestamp with time zone,timestamp with time zone,timestamp with time zone,timestamp with time zone) to floorcast_jobs;

CREATE OR REPLACE FUNCTION public.jobs_purge_group_samples(until timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  gone integer;
begin
  delete from group_connectivity_samples where at < until;
  get diagnostics gone = row_count;
  return gone;
end
$function$
;
alter function jobs_purge_group_samples(timestamp with time zone) owner to floorcast_definer;
grant execute on function jobs_purge_group_samples(timestamp with time zone) to floorcast_jobs;

CREATE OR REPLACE FUNCTION public.jobs_remove_second_factor(user_email text, entry_uid uuid, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  holder users%rowtype;
begin
  select * into holder from users u where u.email = lower(user_email) and not u.is_invited;
  if not found then
    return false;
  end if;
  delete from totp_secrets t where t.user_uid = holder.uid;
  delete from recovery_codes r where r.user_uid = holder.uid;
  delete from passkeys p where p.user_uid = holder.uid;
  delete from sign_in_steps s where s.user_uid = holder.uid;
  update sessions s set revoked_at = at where s.user_uid = holder.uid and s.revoked_at is null;
  insert into audit_entries (uid, client_id, at, user_name, action, thing, thing_uid, thing_name)
  values (entry_uid, holder.client_id, at, 'operator', 'remove-second-factor', 'user', holder.uid, holder.email);
  return true;
end
$function$
;
alter function jobs_remove_second_factor(text,uuid,timestamp with time zone) owner to floorcast_definer;
grant execute on function jobs_remove_second_factor(text,uuid,timestamp with time zone) to floorcast_jobs;

CREATE OR REPLACE FUNCTION public.jobs_sample_connectivity(moment timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  added integer;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('floorcast connectivity samples', 0))
     or exists (select from connectivity_samples c where c.at = moment) then
    return 0;
  end if;
  insert into connectivity_samples (client_id, at, online, linkdown, linklost, neverup)
  select client_id, moment, count(*) filter (where contact >= moment - interval '1 hour'),
    count(*) filter (where contact < moment - interval '1 hour' and contact >= moment - interval '1 day'),
    count(*) filter (where contact < moment - interval '1 day'), count(*) filter (where contact is null)
  from (
    select d.client_id, s.last_contact_at as contact
    from devices d left join device_states s on s.device_uid = d.uid where d.deleted_at is null
  ) living
  group by client_id;
  get diagnostics added = row_count;
  return added;
end
$function$
;
alter function jobs_sample_connectivity(timestamp with time zone) owner to floorcast_definer;
grant execute on function jobs_sample_connectivity(timestamp with time zone) to floorcast_jobs;

CREATE OR REPLACE FUNCTION public.jobs_sample_groups(moment timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  added integer;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('floorcast group samples', 0))
     or exists (select from group_connectivity_samples c where c.at = moment) then
    return 0;
  end if;
  insert into group_connectivity_samples (client_id, group_uid, at, online, linkdown, linklost, neverup)
  select g.client_id, g.uid, moment, coalesce(c.online, 0), coalesce(c.linkdown, 0), coalesce(c.linklost, 0), coalesce(c.neverup, 0)
  from groups g left join (
    select d.client_id, d.group_uid, count(*) filter (where s.last_contact_at >= moment - interval '1 hour') as online,
      count(*) filter (where s.last_contact_at < moment - interval '1 hour' and s.last_contact_at >= moment - interval '1 day')
        as linkdown,
      count(*) filter (where s.last_contact_at < moment - interval '1 day') as linklost,
      count(*) filter (where s.last_contact_at is null) as neverup
    from devices d left join device_states s on s.device_uid = d.uid where d.deleted_at is null and d.group_uid is not null
    group by d.client_id, d.group_uid
  ) c on c.client_id = g.client_id and c.group_uid = g.uid
  where g.deleted_at is null;
  get diagnostics added = row_count;
  return added;
end
$function$
;
alter function jobs_sample_groups(timestamp with time zone) owner to floorcast_definer;
grant execute on function jobs_sample_groups(timestamp with time zone) to floorcast_jobs;

CREATE OR REPLACE FUNCTION public.jobs_set_subscription(user_email text, plan text, until timestamp with time zone, at timestamp with time zone)
 RETURNS boolean
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  update clients c set plan_key = plan, subscription_expires_at = until, changed_at = at
    from users u where u.email = lower(user_email) and not u.is_invited and c.uid = u.client_id;
  return found;
end
$function$
;
alter function jobs_set_subscription(text,text,timestamp with time zone,timestamp with time zone) owner to floorcast_definer;
grant execute on function jobs_set_subscription(text,text,timestamp with time zone,timestamp with time zone) to floorcast_jobs;

CREATE OR REPLACE FUNCTION public.jobs_thin_samples(until timestamp with time zone, thin timestamp with time zone)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  gone integer;
  gone_servers integer;
begin
  delete from connectivity_samples where at < until or (at < thin and extract(minute from at)::integer % 10 <> 0);
  get diagnostics gone = row_count;
  delete from server_samples where at < until or (at < thin and extract(minute from at)::integer % 10 <> 0);
  get diagnostics gone_servers = row_count;
  delete from maintenance_runs where ended_at < until;
  return gone + gone_servers;
end
$function$
;
alter function jobs_thin_samples(timestamp with time zone,timestamp with time zone) owner to floorcast_definer;
grant execute on function jobs_thin_samples(timestamp with time zone,timestamp with time zone) to floorcast_jobs;

CREATE OR REPLACE FUNCTION public.jobs_unchecked_client_ids(today date)
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select c.uid from clients c left join statistics_retention r on r.client_id = c.uid
  where r.checked_on is distinct from today order by c.uid
$function$
;
alter function jobs_unchecked_client_ids(date) owner to floorcast_definer;
grant execute on function jobs_unchecked_client_ids(date) to floorcast_jobs;

CREATE OR REPLACE FUNCTION public.jobs_uncounted_client_ids()
 RETURNS SETOF uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ select distinct client_id from uncounted_days order by client_id $function$
;
alter function jobs_uncounted_client_ids() owner to floorcast_definer;
grant execute on function jobs_uncounted_client_ids() to floorcast_jobs;

CREATE OR REPLACE FUNCTION public.make_day_partitions(from_day date, through_day date)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  history text;
  partition_name text;
  made integer := 0;
  wanted date;
begin
  if through_day - from_day > 200 or from_day < date '2020-01-01' or through_day > date '2120-01-01' then
    raise exception 'partitions are made for at most 200 days at once, not for % to %', from_day, through_day;
  end if;
  perform pg_advisory_xact_lock(hashtext('floorcast day partitions'));
  foreach history in array array['plays', 'device_logs', 'heartbeats'] loop
    for wanted in select generate_series(from_day, through_day, interval '1 day')::date loop
      partition_name := history || '_' || to_char(wanted, 'YYYYMMDD');
      continue when to_regclass(partition_name) is not null;
      execute format('create table %I (like %I including defaults including constraints)', partition_name, history);
      execute format('alter table %I enable row level security', partition_name);
      execute format('alter table %I force row level security', partition_name);
      execute format(
        'alter table %I attach partition %I for values from (%L) to (%L)', history, partition_name, wanted, wanted + 1);
      made := made + 1;
    end loop;
  end loop;
  for wanted in
    select generate_series(date_trunc('month', from_day - 1), through_day + 1, interval '1 month')::date
  loop
    partition_name := 'play_days_' || to_char(wanted, 'YYYYMM');
    continue when to_regclass(partition_name) is not null;
    execute format('create table %I (like play_days including defaults including constraints) with (fillfactor = 80)',
      partition_name);
    execute format('alter table %I enable row level security', partition_name);
    execute format('alter table %I force row level security', partition_name);
    execute format('alter table play_days attach partition %I for values from (%L) to (%L)',
      partition_name, wanted, (wanted + interval '1 month')::date);
  end loop;
  return made;
end
$function$
;
grant execute on function make_day_partitions(date,date) to floorcast_ingest;
grant execute on function make_day_partitions(date,date) to floorcast_jobs;

CREATE OR REPLACE FUNCTION public.note_newest_files()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update media_items m
     set uploaded_at = f.uploaded_at, size_bytes = f.size_bytes, duration_seconds = f.duration_seconds
    from added f where m.uid = f.media_uid and m.file_version = f.file_version;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.note_profile_media()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  delete from profile_media where profile_uid = new.uid;
  insert into profile_media (profile_uid, media_uid, client_id)
  select distinct new.uid, named.media_uid::uuid, new.client_id
  from (values (new.settings), (new.active_settings)) s(settings)
  cross join lateral (
    values (s.settings->>'airMedia'), (s.settings->>'chemicalMedia'), (s.settings->>'nuclearMedia')) named(media_uid)
  where named.media_uid is not null
  order by 2;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.notify_mail()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform pg_notify('floorcast_mail', '');
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.notify_user_changed()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform pg_notify('floorcast_user', to_jsonb(old) ->> tg_argv[0]);
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.number_new_devices()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  owner uuid;
begin
  for owner in select distinct client_id from added order by 1 loop
    perform number_play_devices(owner, array(select uid from added where client_id = owner));
  end loop;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.number_play_devices(owner uuid, device_uids uuid[])
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform pg_advisory_xact_lock(hashtext('numbers of devices'), hashtext(owner::text));
  insert into play_devices (client_id, device_uid, number)
  select owner, new.uid,
    (select coalesce(max(number), -1) from play_devices where client_id = owner) + row_number() over (order by new.uid)
  from (select distinct unnest(device_uids) as uid) new
  where not exists (select from play_devices p where p.client_id = owner and p.device_uid = new.uid);
end
$function$
;
grant execute on function number_play_devices(uuid,uuid[]) to floorcast_app;
grant execute on function number_play_devices(uuid,uuid[]) to floorcast_jobs;

CREATE OR REPLACE FUNCTION public.oldest_history_day()
 RETURNS date
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ select min(day) from history_counts $function$
;
alter function oldest_history_day() owner to floorcast_definer;
grant execute on function oldest_history_day() to floorcast;

CREATE OR REPLACE FUNCTION public.oldest_sums_day()
 RETURNS date
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$ select min(local_day) from play_day_counts $function$
;
alter function oldest_sums_day() owner to floorcast_definer;
grant execute on function oldest_sums_day() to floorcast;

CREATE OR REPLACE FUNCTION public.pass_playlist_name_on()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update publications p set on_air_words = fold(p.name) || E'\x1f' || fold(new.name)
   where p.client_id = new.client_id and p.playlist_uid = new.uid and p.state <> 'disabled';
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.queue_mail(mail mails, limits integer[])
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  -- Two calls at once must not pass the limits together.
  perform pg_advisory_xact_lock(hashtextextended('mail ' || mail.recipient, 0));
  if limits[1] <= (select count(*) from mails m where m.recipient = mail.recipient and m.kind = mail.kind
                   and m.created_at > mail.created_at - interval '1 hour')
     or limits[2] <= (select count(*) from mails m where m.recipient = mail.recipient and m.kind = mail.kind
                      and m.created_at > mail.created_at - interval '1 day') then
    return 'recipient';
  end if;
  if limits[case when mail.client_id is null then 4 else 3 end] <=
     (select count(*) from mails m where m.due_at is not null and m.client_id is not distinct from mail.client_id) then
    return 'full';
  end if;
  insert into mails values (mail.*);
  return 'queued';
end
$function$
;
alter function queue_mail(mails,integer[]) owner to floorcast_definer;

CREATE OR REPLACE FUNCTION public.queue_mail_to_user(mail_uid uuid, holder uuid, inviter text, language text, at timestamp with time zone, limits integer[])
 RETURNS TABLE(result text, recipient text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  client uuid := nullif(current_setting('app.client_id', true), '')::uuid;
  to_user users%rowtype;
begin
  select * into to_user from users u where u.client_id = client and u.uid = holder;
  if not found then
    return;
  end if;
  return query select queue_mail(
    row(mail_uid, client, holder, null, case when to_user.is_invited then 'invitation' else 'reset' end, to_user.email,
        language, inviter, at, at, 0, null)::mails, limits), to_user.email;
end
$function$
;
alter function queue_mail_to_user(uuid,uuid,text,text,timestamp with time zone,integer[]) owner to floorcast_definer;
grant execute on function queue_mail_to_user(uuid,uuid,text,text,timestamp with time zone,integer[]) to floorcast_app;

CREATE OR REPLACE FUNCTION public.search_groups(terms text[])
 RETURNS TABLE(term_nr integer, group_uid uuid, publication_uid uuid)
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
 SET enable_seqscan TO 'off'
 SET enable_indexscan TO 'off'
AS $function$
declare
  owner uuid := nullif(current_setting('app.client_id', true), '')::uuid;
  term text;
  keys bigint[];
begin
  for nr in 1 .. cardinality(terms) loop
    term := fold(terms[nr]);
    keys := sought_keys(owner, term);
    return query
      select nr, g.uid, null::uuid from groups g
      where g.client_id is not distinct from owner
        and search_keys(g.client_id, fold(g.name)) @> keys and strpos(fold(g.name), term) > 0
      union all
      select nr, p.group_uid, p.uid from publications p
      where p.client_id is not distinct from owner and p.on_air_words is not null
        and search_keys(p.client_id, p.on_air_words) @> keys and strpos(p.on_air_words, term) > 0;
  end loop;
end
$function$
;
alter function search_groups(text[]) owner to floorcast_search;
grant execute on function search_groups(text[]) to floorcast_app;

CREATE OR REPLACE FUNCTION public.search_keys(owner uuid, content text)
 RETURNS bigint[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT COST 4000
AS $function$
  select array_agg(hashtextextended(substr(content, place, 1), uuid_hash_extended(owner, 0)))
    || array_agg(hashtextextended(substr(content, place, 2), uuid_hash_extended(owner, 0)))
    || array_agg(hashtextextended(substr(content, place, 3), uuid_hash_extended(owner, 0)))
  from generate_series(1, length(content)) place
$function$
;
grant execute on function search_keys(uuid,text) to floorcast_app;
grant execute on function search_keys(uuid,text) to floorcast_definer;
grant execute on function search_keys(uuid,text) to floorcast_jobs;
grant execute on function search_keys(uuid,text) to floorcast_search;

CREATE OR REPLACE FUNCTION public.search_list(list text, of_kind text, terms text[], by_group jsonb, most integer)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE SECURITY DEFINER ROWS 100
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  owner uuid := nullif(current_setting('app.client_id', true), '')::uuid;
  living text := case list
    when 'devices' then 'from devices where ($2 is null or kind = $2)'
    when 'playlists' then 'from playlists where ($2 is null or kind = $2)'
    when 'media' then 'from media_items where ($2 is null or content_type = $2)' end
    || ' and client_id = $1 and deleted_at is null';
  comparisons text := '';
  keys bigint[] := '{}';
  term text;
  group_uids text[];
  fewest_groups text[];
  fewest_keys bigint[];
  sought text;
begin
  for nr in 1 .. cardinality(terms) loop
    term := fold(terms[nr]);
    group_uids := array(select jsonb_array_elements_text(by_group -> (nr - 1)));
    if cardinality(group_uids) = 0 then
      keys := keys || sought_keys(owner, term);
      comparisons := comparisons || format(' and strpos(search_text, %L) > 0', term);
    else
      comparisons := comparisons || format(' and (strpos(search_text, %L) > 0 or group_uid = any(%L::uuid[]))', term, group_uids);
      if fewest_groups is null or cardinality(group_uids) < cardinality(fewest_groups) then
        fewest_groups := group_uids;
        fewest_keys := sought_keys(owner, term);
      end if;
    end if;
  end loop;
  if cardinality(keys) > 0 then
    sought := format('select uid %s and search_keys(client_id, search_text) @> %L::bigint[] %s limit $3', living, keys, comparisons);
  else
    sought := format('select uid from (
        select uid, search_text, group_uid %1$s and search_keys(client_id, search_text) @> %2$L::bigint[]
        union select uid, search_text, group_uid %1$s and group_uid = any(%3$L::uuid[])) found
      where true %4$s limit $3', living, fewest_keys, fewest_groups, comparisons);
  end if;
  return query execute sought using owner, of_kind, most;
end
$function$
;
alter function search_list(text,text,text[],jsonb,integer) owner to floorcast_search;
grant execute on function search_list(text,text,text[],jsonb,integer) to floorcast_app;

CREATE OR REPLACE FUNCTION public.skip_unconcerned()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  return case when is_concerned(new.device_uid, new.publication_uid) then new end;
end
$function$
;

CREATE OR REPLACE FUNCTION public.sort_key(content text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select case
    when octet_length(content) <> char_length(content) or char_length(content) > 600 then public.build_sort_key(content)
    when content !~ '[0-9]' then lower(content)
    when rtrim(content, '0123456789') ~ '[0-9]' or char_length(content) - char_length(rtrim(content, '0123456789')) > 8
      then public.build_sort_key(content)
    else lower(rtrim(content, '0123456789'))
      || char_length(ltrim(substr(content, char_length(rtrim(content, '0123456789')) + 1), '0'))::text
      || ltrim(substr(content, char_length(rtrim(content, '0123456789')) + 1), '0')
  end
$function$
;
grant execute on function sort_key(text) to floorcast_app;
grant execute on function sort_key(text) to floorcast_definer;
grant execute on function sort_key(text) to floorcast_jobs;

CREATE OR REPLACE FUNCTION public.sought_keys(owner uuid, term text)
 RETURNS bigint[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select array_agg(distinct hashtextextended(substr(term, place, 3), uuid_hash_extended(owner, 0)))
  from generate_series(1, greatest(length(term) - 2, 1)) place
$function$
;
grant execute on function sought_keys(uuid,text) to floorcast_search;

CREATE OR REPLACE FUNCTION public.take_newest_file()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  select f.uploaded_at, f.size_bytes, f.duration_seconds
    into new.uploaded_at, new.size_bytes, new.duration_seconds
    from media_files f where f.media_uid = new.uid and f.file_version = new.file_version;
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION public.take_on_air_words()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.on_air_words := case when new.state <> 'disabled' then fold(new.name) || E'\x1f'
    || (select fold(l.name) from playlists l where l.client_id = new.client_id and l.uid = new.playlist_uid) end;
  return new;
end
$function$
;

CREATE OR REPLACE FUNCTION public.zone_or_utc(zone text)
 RETURNS text
 LANGUAGE plpgsql
 STABLE
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  perform now() at time zone zone;
  return coalesce(zone, 'UTC');
exception when invalid_parameter_value then
  return 'UTC';
end
$function$
;
grant execute on function zone_or_utc(text) to floorcast_app;
grant execute on function zone_or_utc(text) to floorcast_ingest;
grant execute on function zone_or_utc(text) to floorcast_jobs;

CREATE TRIGGER count_added AFTER INSERT ON public.alert_receipts REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_receipts_added();

CREATE TRIGGER count_changed AFTER UPDATE ON public.alert_receipts REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_receipts_changed();

CREATE TRIGGER count_added AFTER INSERT ON public.devices REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added('devices', 'kind');

CREATE TRIGGER count_binned AFTER UPDATE OF deleted_at ON public.devices FOR EACH ROW WHEN (((old.deleted_at IS NULL) <> (new.deleted_at IS NULL))) EXECUTE FUNCTION count_binned('devices', 'kind');

CREATE TRIGGER count_removed AFTER DELETE ON public.devices REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed('devices', 'kind');

CREATE TRIGGER give_manifest AFTER INSERT ON public.devices FOR EACH ROW EXECUTE FUNCTION give_manifest();

CREATE TRIGGER number_new_devices AFTER INSERT ON public.devices REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION number_new_devices();

CREATE TRIGGER mail_added AFTER INSERT ON public.mails FOR EACH STATEMENT EXECUTE FUNCTION notify_mail();

CREATE TRIGGER note_newest_files AFTER INSERT ON public.media_files REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_newest_files();

CREATE TRIGGER count_added AFTER INSERT ON public.media_items REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added('media', 'content_type');

CREATE TRIGGER count_binned AFTER UPDATE OF deleted_at ON public.media_items FOR EACH ROW WHEN (((old.deleted_at IS NULL) <> (new.deleted_at IS NULL))) EXECUTE FUNCTION count_binned('media', 'content_type');

CREATE TRIGGER count_removed AFTER DELETE ON public.media_items REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed('media', 'content_type');

CREATE TRIGGER take_newest_file BEFORE UPDATE OF file_version ON public.media_items FOR EACH ROW WHEN ((old.file_version <> new.file_version)) EXECUTE FUNCTION take_newest_file();

CREATE TRIGGER count_added AFTER INSERT ON public.playlists REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added('playlists', 'kind');

CREATE TRIGGER count_binned AFTER UPDATE OF deleted_at ON public.playlists FOR EACH ROW WHEN (((old.deleted_at IS NULL) <> (new.deleted_at IS NULL))) EXECUTE FUNCTION count_binned('playlists', 'kind');

CREATE TRIGGER count_removed AFTER DELETE ON public.playlists REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed('playlists', 'kind');

CREATE TRIGGER pass_playlist_name_on AFTER UPDATE OF name ON public.playlists FOR EACH ROW WHEN ((old.name <> new.name)) EXECUTE FUNCTION pass_playlist_name_on();

CREATE TRIGGER note_profile_media AFTER INSERT OR UPDATE OF settings, active_settings ON public.profiles FOR EACH ROW WHEN ((new.type = 'alert'::text)) EXECUTE FUNCTION note_profile_media();

CREATE TRIGGER count_added AFTER INSERT ON public.publication_holdings REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_holdings_added();

CREATE TRIGGER count_changed AFTER UPDATE ON public.publication_holdings REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_holdings_changed();

CREATE TRIGGER count_removed AFTER DELETE ON public.publication_holdings REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_holdings_removed();

CREATE TRIGGER skip_unconcerned BEFORE INSERT ON public.publication_holdings FOR EACH ROW EXECUTE FUNCTION skip_unconcerned();

CREATE TRIGGER take_on_air_words BEFORE INSERT OR UPDATE OF name, state, playlist_uid ON public.publications FOR EACH ROW EXECUTE FUNCTION take_on_air_words();

CREATE TRIGGER session_deleted AFTER DELETE ON public.sessions FOR EACH ROW EXECUTE FUNCTION notify_user_changed('user_uid');

CREATE TRIGGER session_revoked AFTER UPDATE OF revoked_at ON public.sessions FOR EACH ROW WHEN ((old.revoked_at IS DISTINCT FROM new.revoked_at)) EXECUTE FUNCTION notify_user_changed('user_uid');

CREATE TRIGGER password_changed AFTER UPDATE OF password_hash ON public.users FOR EACH ROW WHEN ((old.password_hash IS DISTINCT FROM new.password_hash)) EXECUTE FUNCTION end_links();

CREATE TRIGGER user_changed AFTER UPDATE OF role, rights, linked_device_uid ON public.users FOR EACH ROW WHEN ((((old.role IS DISTINCT FROM new.role) OR (old.rights IS DISTINCT FROM new.rights)) OR (old.linked_device_uid IS DISTINCT FROM new.linked_device_uid))) EXECUTE FUNCTION notify_user_changed('uid');
