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
grant delete, select on alerts to floorcast_jobs;

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
  files smallint default 0 not null,
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

create table device_timelines (
  device_uid uuid not null,
  client_id uuid not null,
  played_until timestamp with time zone not null,
  former_until timestamp with time zone,
  constraint device_timelines_client_id_device_uid_fkey FOREIGN KEY (client_id, device_uid) REFERENCES devices(client_id, uid) ON DELETE CASCADE,
  constraint device_timelines_pkey PRIMARY KEY (device_uid)
) with (fillfactor=70);
alter table device_timelines enable row level security;
alter table device_timelines force row level security;
CREATE INDEX device_timelines_client ON public.device_timelines USING btree (client_id, device_uid);
create policy all_clients on device_timelines for all to floorcast_ingest
  using (true)
  with check (true);
create policy one_client on device_timelines for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant insert, select, update on device_timelines to floorcast_ingest;

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
  heartbeat_seconds real,
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
  constraint list_counts_list_check CHECK ((list = ANY (ARRAY['devices'::text, 'media'::text, 'playlists'::text, 'playlist-bytes'::text])))
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
  asked_from text,
  is_from_reader boolean,
  constraint mails_check CHECK (((due_at IS NULL) = (outcome IS NOT NULL))),
  constraint mails_kind_check CHECK ((kind = ANY (ARRAY['registration'::text, 'forgotten-password'::text, 'invitation'::text, 'reset'::text, 'plan-request'::text]))),
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

create table media_lengths (
  client_id uuid not null,
  media_uid uuid not null,
  sha256 text not null,
  content_type text not null,
  duration_seconds double precision not null,
  gone_on date,
  constraint media_lengths_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint media_lengths_pkey PRIMARY KEY (client_id, media_uid, sha256)
);
alter table media_lengths enable row level security;
alter table media_lengths force row level security;
create policy all_clients on media_lengths for select to floorcast_ingest
  using (true);
create policy one_client on media_lengths for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant insert, select, update on media_lengths to floorcast_app;
grant select on media_lengths to floorcast_ingest;
grant delete, insert, select, update on media_lengths to floorcast_jobs;

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

create table plan_requests (
  client_id uuid not null,
  plan_key text not null,
  user_uid uuid,
  requested_at timestamp with time zone not null,
  constraint plan_requests_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint plan_requests_client_id_user_uid_fkey FOREIGN KEY (client_id, user_uid) REFERENCES users(client_id, uid) ON DELETE SET NULL (user_uid),
  constraint plan_requests_pkey PRIMARY KEY (client_id),
  constraint plan_requests_plan_key_fkey FOREIGN KEY (plan_key) REFERENCES plans(key)
);
alter table plan_requests enable row level security;
alter table plan_requests force row level security;
create policy auth on plan_requests for all to floorcast_definer
  using (true)
  with check (true);
create policy one_client on plan_requests for all to floorcast_app, floorcast_jobs
  using ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid))
  with check ((client_id = (NULLIF(current_setting('app.client_id'::text, true), ''::text))::uuid));
grant delete, insert, select, update on plan_requests to floorcast_app;
grant delete, select on plan_requests to floorcast_definer;

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
  left_out text,
  constraint plays_left_out_check CHECK ((left_out = ANY (ARRAY['unknown-media'::text, 'unknown-file'::text, 'other-kind'::text, 'too-long'::text, 'overlap'::text, 'too-many'::text]))) NOT VALID,
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
grant select (client_id, content_type, day, device_uid, duration_seconds, ended_at, event_uid, is_clock_doubted, left_out, result, seconds_played, started_at) on plays to floorcast_ingest;
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
grant delete, insert, select, update on programmes to floorcast_app;
grant delete, insert, select, update on programmes to floorcast_jobs;

create table proof_keys (
  client_id uuid not null,
  key_id text not null,
  public_key bytea not null,
  sealed_private_key bytea,
  created_at timestamp with time zone not null,
  retired_at timestamp with time zone,
  compromised_since timestamp with time zone,
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
grant update (compromised_since, retired_at, sealed_private_key) on proof_keys to floorcast_app;
grant select (client_id, compromised_since, created_at, key_id, public_key, retired_at) on proof_keys to floorcast_definer;

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
  link_hash bytea,
  new_password_hash text,
  constraint sign_in_steps_client_id_user_uid_fkey FOREIGN KEY (client_id, user_uid) REFERENCES users(client_id, uid) ON DELETE CASCADE,
  constraint sign_in_steps_link CHECK (((link_hash IS NULL) = (new_password_hash IS NULL))),
  constraint sign_in_steps_link_hash_check CHECK ((length(link_hash) = 32)),
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
  statement text,
  statement_signature text,
  constraint update_files_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint update_files_client_id_uid_key UNIQUE (client_id, uid),
  constraint update_files_pkey PRIMARY KEY (uid),
  constraint update_files_sha256_check CHECK ((sha256 ~ '^[0-9a-f]{64}$'::text)),
  constraint update_files_signature_check CHECK ((signature ~ '^[A-Za-z0-9+/]{86}==$'::text)),
  constraint update_files_size_bytes_check CHECK ((size_bytes > 0)),
  constraint update_files_statement CHECK (((statement IS NULL) = (statement_signature IS NULL))),
  constraint update_files_statement_check CHECK (((statement ~~ 'floorcast player update%'::text) AND (length(statement) <= 1000))),
  constraint update_files_statement_signature_check CHECK ((statement_signature ~ '^[A-Za-z0-9+/]{86}==$'::text))
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
  networks text[] default '{}'::text[] not null,
  language text,
  constraint users_client_id_fkey FOREIGN KEY (client_id) REFERENCES clients(uid) ON DELETE CASCADE,
  constraint users_client_id_linked_device_uid_fkey FOREIGN KEY (client_id, linked_device_uid) REFERENCES devices(client_id, uid) ON DELETE SET NULL (linked_device_uid),
  constraint users_client_id_uid_key UNIQUE (client_id, uid),
  constraint users_email_check CHECK ((email = lower(email))),
  constraint users_language_check CHECK ((language = ANY (ARRAY['ar'::text, 'cn'::text, 'de'::text, 'en'::text, 'es'::text, 'fr'::text, 'pt'::text, 'ru'::text, 'ua'::text]))),
  constraint users_networks_check CHECK ((cardinality(networks) <= 10)),
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

CREATE OR REPLACE FUNCTION public.auth_license_hash(sought uuid)
 RETURNS bytea
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select sha256(convert_to(d.license_key, 'UTF8')) from devices d where d.uid = sought and d.deleted_at is null
$function$
;
alter function auth_license_hash(uuid) owner to floorcast_definer;
grant execute on function auth_license_hash(uuid) to floorcast_auth;

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

CREATE OR REPLACE FUNCTION public.auth_link_user(sought bytea, at timestamp with time zone)
 RETURNS uuid
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select l.user_uid from user_links l where l.token_hash = sought and l.expires_at > at
$function$
;
alter function auth_link_user(bytea,timestamp with time zone) owner to floorcast_definer;
grant execute on function auth_link_user(bytea,timestamp with time zone) to floorcast_auth;

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
 RETURNS TABLE(client_name text, key_id text, public_key bytea, created_at timestamp with time zone, retired_at timestamp with time zone, compromised_since timestamp with time zone)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select c.name, k.key_id, k.public_key, k.created_at, k.retired_at, k.compromised_since
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

CREATE OR REPLACE FUNCTION public.auth_request_registration(new_uid uuid, mail_uid uuid, new_email text, new_client_name text, new_first_name text, new_last_name text, language text, asked_from text, at timestamp with time zone, limits integer[])
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  result text := queue_mail(
    row(mail_uid, null, null, new_uid, 'registration', lower(new_email), language, null, at, at, 0, null, asked_from,
        null)::mails, limits);
begin
  if result = 'queued' then
    insert into registrations (uid, email, client_name, first_name, last_name, created_at, expires_at)
    values (new_uid, lower(new_email), new_client_name, new_first_name, new_last_name, at, at + interval '2 days');
  end if;
  return result;
end
$function$
;
alter function auth_request_registration(uuid,uuid,text,text,text,text,text,text,timestamp with time zone,integer[]) owner to floorcast_definer;
grant execute on function auth_request_registration(uuid,uuid,text,text,text,text,text,text,timestamp with time zone,integer[]) to floorcast_auth;

CREATE OR REPLACE FUNCTION public.auth_request_reset(mail_uid uuid, email text, language text, asked_from text, at timestamp with time zone, limits integer[])
 RETURNS text
 LANGUAGE sql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select queue_mail(
    row(mail_uid, null, null, null, 'forgotten-password', lower(email), language, null, at, at, 0, null, asked_from,
        null)::mails, limits)
$function$
;
alter function auth_request_reset(uuid,text,text,text,timestamp with time zone,integer[]) owner to floorcast_definer;
grant execute on function auth_request_reset(uuid,text,text,text,timestamp with time zone,integer[]) to floorcast_auth;

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
  rest text := translate(public.fold(translate(normalize(content, NFC), 'йЙїЇñÑ', E'\uE001\uE001\uE002\uE002\uE003\uE003')),
    '٠١٢٣٤٥٦٧٨٩۰۱۲۳۴۵۶۷۸۹', '01234567890123456789');
  marked text;
  key text := '';
  place integer;
  width integer;
  digits text;
begin
  if rest ~ '[\u0400-\u052F\uE001\uE002]' then
    rest := translate(rest,
      E'аәӕбвгґғӻҕӷдԁђԃҙеєжԫҗзԅԑѕӡԇиҋі\uE002\uE001јкқӄҡҟҝԟԛлӆԯԓԡљԉԕмӎнԩӊңӈԣҥњԋоөпԥҧҁрҏԗсԍҫтԏҭћуүұѹфхӽӿҳһԧѡѿѽѻцҵчԭҷӌҹҽҿџшщъыьҍѣэюяԙѥѧѫѩѭѯѱѳѵҩԝӏ',
      'ЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюяѐёђѓєѕіїјљњћќѝўџѠѡѢѣѤѥѦѧѨѩѪѫѬѭѮѯѰѱѲѳѴѵѶѷѸѹѺѻ');
  end if;
  rest := replace(rest, E'\uE003', E'n\uE000');
  if rest ~ '[\u4E00-\u9FFF]' then
    rest := (select string_agg(
      case when letter between E'\u4E00' and E'\u9FFF' then public.pinyin_place(letter) else letter end, '' order by nr)
      from unnest(string_to_array(
        -- The words in which ICU reads a character in another way: chóng in Chongqing, not zhòng.
        replace(replace(replace(rest, '重庆', E'虫\uE000'), '沈阳', E'弞\uE000'), '藏文', E'銺\uE000'), null)) with ordinality letters (letter, nr));
  end if;
  marked := translate(rest, '123456789', '000000000');
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

CREATE OR REPLACE FUNCTION public.count_draft_bytes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into list_counts (client_id, list, kind, change)
  values (new.client_id, 'playlist-bytes', 'playlists',
    coalesce(octet_length(new.draft::text), 0) - coalesce(octet_length(old.draft::text), 0));
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

CREATE OR REPLACE FUNCTION public.count_playlist_bytes()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  client constant uuid := nullif(current_setting('app.client_id', true), '')::uuid;
  used bigint;
  most bigint;
begin
  if tg_op = 'DELETE' then
    -- A client that goes takes its counts along.
    execute format('insert into list_counts (client_id, list, kind, change)
      select client_id, ''playlist-bytes'', %L, -sum(%s) from removed
      where client_id in (select uid from clients) group by client_id', tg_table_name, tg_argv[0]);
    return null;
  end if;
  execute format('insert into list_counts (client_id, list, kind, change)
    select client_id, ''playlist-bytes'', %L, sum(%s) from added group by client_id', tg_table_name, tg_argv[0]);
  if client is null then
    return null;
  end if;
  select sum(change) into used from list_counts where client_id = client and list = 'playlist-bytes';
  select greatest(p.media_gigabytes * 250000000, 50000000) into most
  from clients c join plans p on p.key = c.plan_key where c.uid = client;
  if used > most then
    raise exception using errcode = 'FC001', message = 'row limit', detail = 'playlist_bytes', hint = most::text;
  end if;
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
    when content !~ '[ÆÐØÞßæðøþĐđĦħıĸŁłŉŊŋŒœŦŧƀƁƂƃƆƇƈƉƊƋƌƎƏƐƑƒƓƖƗƘƙƚƝƞƟƤƥƫƬƭƮƲƳƴƵƶǝǢǣǤǥǼǽǾǿȠȡȤȥȴȵȶȷȺȻȼȽȾȿɀɃɄɆɇɈɉɌɍɎɏɓɔɕɖɗəɛɟɠɡɦɧɨɩɫɬɭɱɲɳɵɼɽɾʂʈʉʋʐʑʝʠʱʻʼςϲᴭᴲᵊᵋᵑᵓᶝᶞᶡᶢᶤᶥᶨᶩᶬᶮᶯᶱᶳᶵᶶᶹᶼᶽẞ‐‑‒–—―‘’‛“”„‟′″‴⁗⁻₋ₔℇℏ−ⱢⱤⱥⱦⱮⱲⱳⱾⱿꞪꞬꞭꞲꟅꟸꟹꭞ︱︲﹘𐞃𐞅𐞋𐞌𐞓𐞕𐞗𐞛𐞢𐞨𐞩𐞯𝚤𝚥𝛓𝜍𝝇𝞁𝞻]'
      then regexp_replace(normalize(content, NFKD), '[\u0300-\u036F\u0640\u064B-\u065F\u0670]', '', 'g')
    else replace(replace(replace(replace(replace(replace(replace(replace(translate(
      regexp_replace(normalize(content, NFKD), '[\u0300-\u036F\u0640\u064B-\u065F\u0670]', '', 'g'),
      'ⱥȺƀɃƃƂɓƁƈƇȼȻɕðÐđĐƌƋɖƉɗƊȡɇɆɛƐəƏǝƎƒƑǥǤɠƓɡꞬħĦɦꞪɧıɨƗɩƖȷɉɈɟʝꞲƙƘłŁƚȽɫⱢɬꞭɭȴɱⱮŋŊƞȠɲƝɳȵøØɵƟɔƆƥƤĸʠɍɌɼɽⱤɾȿⱾʂꟅŧŦƫƭƬʈƮȶⱦȾʉɄʋƲⱳⱲƴƳɏɎƶƵȥȤɀⱿʐʑς‘’‛ʻʼ′“”„‟‐‒–—―−',
      'aabbbbbbcccccdddddddddddeeeeeeeeffgggggghhhhhiiiiijjjjjjkkllllllllllmmnnnnnnnnooooooppqqrrrrrrssssttttttttttuuvvwwyyyyzzzzzzzzσ''''''''''''""""------'), 'æ', 'ae'), 'Æ', 'ae'), 'œ', 'oe'), 'Œ', 'oe'), 'ß', 'ss'), 'ẞ', 'ss'), 'þ', 'th'), 'Þ', 'th')
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

CREATE OR REPLACE FUNCTION public.jobs_mail_language(sought uuid)
 RETURNS text
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select u.language from mails m
    join users u on u.client_id = m.client_id and u.uid = m.user_uid and u.email = m.recipient
   where m.uid = sought and m.kind in ('invitation', 'reset')
  union all
  select u.language from mails m join users u on u.email = m.recipient and not u.is_invited
   where m.uid = sought and m.kind not in ('invitation', 'reset')
$function$
;
alter function jobs_mail_language(uuid) owner to floorcast_definer;
grant execute on function jobs_mail_language(uuid) to floorcast_jobs;

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

CREATE OR REPLACE FUNCTION public.jobs_plan_requests()
 RETURNS TABLE(requested_at timestamp with time zone, client_name text, email text, plan_key text, current_key text, subscription_expires_at timestamp with time zone, devices integer)
 LANGUAGE sql
 STABLE SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
  select r.requested_at, c.name, coalesce(u.email, (
      select a.email from users a where a.client_id = c.uid and a.role = 'admin' and not a.is_invited
      order by a.created_at, a.uid limit 1)),
    r.plan_key, c.plan_key, c.subscription_expires_at,
    (select count(*)::integer from devices d where d.client_id = c.uid and d.deleted_at is null)
  from plan_requests r join clients c on c.uid = r.client_id
  left join users u on u.client_id = r.client_id and u.uid = r.user_uid
  order by r.requested_at, c.uid
$function$
;
alter function jobs_plan_requests() owner to floorcast_definer;
grant execute on function jobs_plan_requests() to floorcast_jobs;

CREATE OR REPLACE FUNCTION public.jobs_prepare_mail(sought uuid, link_hash bytea, entry_uid uuid, at timestamp with time zone, registration_until timestamp with time zone, forgotten_until timestamp with time zone, link_until timestamp with time zone, max_of_strangers integer)
 RETURNS TABLE(variant text, inviter text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  mail mails%rowtype;
  holder users%rowtype;
  is_reader boolean;
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
  if mail.kind = 'forgotten-password' and holder.uid is not null then
    is_reader := coalesce(mail.asked_from = any (holder.networks), false);
    update mails m set is_from_reader = is_reader where m.uid = sought;
  end if;
  -- The row of the user is locked: of mails that are prepared at once each sees the ones before it.
  if holder.uid is null or not is_reader and max_of_strangers <= (
    select count(*) from mails m
     where m.recipient = mail.recipient and m.kind = mail.kind and m.uid <> sought and not m.is_from_reader
       and m.outcome is distinct from 'dropped' and m.created_at > at - interval '1 day') then
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
alter function jobs_prepare_mail(uuid,bytea,uuid,timestamp with time zone,timestamp with time zone,timestamp with time zone,timestamp with time zone,integer) owner to floorcast_definer;
grant execute on function jobs_prepare_mail(uuid,bytea,uuid,timestamp with time zone,timestamp with time zone,timestamp with time zone,timestamp with time zone,integer) to floorcast_jobs;

CREATE OR REPLACE FUNCTION public.jobs_prepare_plan_request(sought uuid)
 RETURNS TABLE(email text, plan_key text)
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  return query select m.inviter, r.plan_key from mails m join plan_requests r on r.client_id = m.client_id
    where m.uid = sought and m.due_at is not null;
  if not found then
    update mails m set due_at = null, outcome = 'dropped' where m.uid = sought and m.due_at is not null;
  end if;
end
$function$
;
alter function jobs_prepare_plan_request(uuid) owner to floorcast_definer;
grant execute on function jobs_prepare_plan_request(uuid) to floorcast_jobs;

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
declare
  client uuid;
begin
  update clients c set plan_key = plan, subscription_expires_at = until, changed_at = at
    from users u where u.email = lower(user_email) and not u.is_invited and c.uid = u.client_id
  returning c.uid into client;
  delete from plan_requests r where r.client_id = client;
  return client is not null;
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

CREATE OR REPLACE FUNCTION public.keep_media_length()
 RETURNS trigger
 LANGUAGE plpgsql
 SET search_path TO 'public', 'pg_temp'
AS $function$
begin
  insert into media_lengths (client_id, media_uid, sha256, content_type, duration_seconds)
  select new.client_id, new.media_uid, new.sha256, m.content_type, new.duration_seconds
  from media_items m where m.uid = new.media_uid and m.client_id = new.client_id
  on conflict (client_id, media_uid, sha256) do update set duration_seconds = excluded.duration_seconds, gone_on = null;
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.limit_rows()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  client constant uuid := nullif(current_setting('app.client_id', true), '')::uuid;
  setting constant text := 'row_room.' || tg_table_name || '_' || replace(client::text, '-', '');
  -- The limit's expression stands before the number: with another limit the rows are counted again.
  known constant text := current_setting(setting, true);
  most bigint;
  used bigint;
  free bigint;
begin
  -- What the server adds without a client's call has limits elsewhere.
  if client is null then
    return null;
  end if;
  if split_part(known, '|', 2) = tg_argv[0] then
    free := split_part(known, '|', 1)::bigint - (select count(*) from added);
  end if;
  if free is null or free < 0 then
    execute format('select (%s)::bigint from clients c join plans p on p.key = c.plan_key where c.uid = $1', tg_argv[0])
      into most using client;
    execute format('select count(*) from (select from %I where client_id = $1 limit $2 + 1) as counted', tg_table_name)
      into used using client, most;
    if used > most then
      raise exception using errcode = 'FC001', message = 'row limit', detail = tg_table_name, hint = most::text;
    end if;
    free := (most - used) / 100;
  end if;
  perform set_config(setting, free || '|' || tg_argv[0], false);
  return null;
end
$function$
;

CREATE OR REPLACE FUNCTION public.limit_tags()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
declare
  client constant uuid := nullif(current_setting('app.client_id', true), '')::uuid;
  most constant bigint := tg_argv[0];
begin
  if client is null then
    return null;
  end if;
  if exists (
      select from tags where client_id = client and device_uid in (select device_uid from added)
      group by device_uid having count(*) > most)
    or exists (
      select from tags where client_id = client and group_uid in (select group_uid from added)
      group by group_uid having count(*) > most)
    or exists (select from added where device_uid is null and group_uid is null) and (
      select count(*) > most from tags where client_id = client and device_uid is null and group_uid is null)
  then
    raise exception using errcode = 'FC001', message = 'row limit', detail = 'tags', hint = most::text;
  end if;
  return null;
end
$function$
;

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

CREATE OR REPLACE FUNCTION public.pinyin_place(letter text)
 RETURNS text
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE
AS $function$
begin
  return chr(('x' || encode(substr(decode('
k7pZ6myUe+qCVY1fYfiKHJqggUqCVo1gZd5SKpdZdlJen1VuVW+dun3qen+DoYOgfq1RgpOAVsxaGITQVG9aFH6ucR5aFZa8cR+R2VGbgXBhaGpvX4uRaX17
nK5mjmlkXUBgylX2U11xpZ4/nW9Ox4nuV+CK5Z1wag5wLWr/ey1dwZPjlFp3tYvcaoVqholrdUSUW5O7m7yLopoZY3VcF29VlVN7S3nifbVjvWCgVHdUfpQ0
lX2RtXaJaoR8cJN4jLmOKl6gaoeNYWPJhA5aWIORZeR35mcHaxODbHUfY3Z0mHP6nmmAz5DskhNeI4Gwd5pev4YrlwtXRZsJfRGcV2ESXsVz/HHMlL1rjW9l
dJCXWpuCg6iDq1wFVbKW/G23lvuYtWPKfBGL3WoNhQGF3l+ZX5qRnY7lkaB8GZGjZkyIz4o1bIZXpWh4YcWUZFNbYul3ZpO5jlJp6IhpcSqOU2nsk4h+B1HX
luaPNFgJcLxbRIrigBuAHGY/ZkCKNpRcgtyAHW9TWeuZxGmce7FVSk7Jmphpg2llUXuAWFbLXY+BU3QIUXxSj56mg6KGQJqhXkSNbo1viWxjE4iSgDV8yF7P
X0lRyle0ckCUNlPrU5mBIlOak+R3d3WtgDZcbVPsktR9BpzZes6LiIvfZ+lnVZM1XUJSkIA4ijldL1jPXJucr3xyeimW/lmhWwmMBZRlj3tsh5O/ZkJOKYvg
ZqZdxFwYj+BptXqAV/5dnYcbnNqWgmWwZSmXW1cpmLiBVIqkVeVT8JF+fT2CPlOHdAlSkZFPj32KpZ2BmcuNnnk/UctgHXhQeDOPHU9CkFFx7J0XgrF/AFab
UAqFA2cJeoGUaYUGlDibg1ltYdB0oFgRnYJSLH8BUDqatVaUiudY0J2Dn4mW1ZLVh7eabWKFUFGJhYKLlv+Ual3Hn4tf7HkDiJR4UY10fy2WOonNfNGD8Wwq
T3V6K2UOYsFvOY5JX2OSs08NXCp262cMd8BRnGZNYuRlq2Ezf3aIGGihVpyUdYOTj6SCs4l0bF6b6F6LbnGT7VTobVFg6nA0lSmDrHYLnTaQVZbWTkpzVndR
W990DVo6UwlUrpFTX8ac7JPEgLFXTo02hQtXtnOuhnFoopsfUr19tm1gUxR5BHkYaZ6L6WNUamBUoptqn5FVc34Ic7Bq3IRciH6C+IlJUdN3z45+UPSJRJdg
jP9W8FtmftSQPWEBbT6L6mwFlIReKHERnzp91HA8lmRll2orfT+BYHoohYJd2oxFcA5eKXtNT4mXDHwhjTiPgI/hl2FZH1PyVUycQpIWcLBwPW5yhNZnrI/i
Xi1lumsmjtJ5pmfyUThVu1zgXYORqE5nT86XkY9pUENjwVOJm9FRoGqbkwpXLHCxigFuc1KVnwJfjmCwT8+IAoQYhBl1rliPhq1rolYaj7x6VIcdY26UQXvv
h8Ne5movaXSFx1O/aStcopvsbRFrcp7Nayd9QXg4dA+eKot3dEqFLm+8ZZhaIJ7CUAGL62sod71SWWevmjWTZ5vtgcx+VXkGlbFUVn0SkhuA6JziVk5nSmbB
irSXZ1GkgROHkIpaeu6SW11Rhx6Ljlucjv1T+YMvbGFZJZ+XUumIbE/TjyxkpZNCmnJVdJG8lqZn85BHmfRWcF5WUCicWJ7xdlhmW5RGjy2ROVJPWrxSxZsu
eYyIyYjKT9SZGHLfaTGKtV00U6Bt4YVsnGqFk40uXluYaoCScF15RZjvaFR0hk9mWUyG+WJlaTeMZYIdfURrsVKXVcKBVU/YjtmWbZMOht+GGpLeXCJRpWcd
V7OZNYchYEtRVVWneV5ScG+MVxiWP5l4nvdQEYVBTrdV6pdvmjefMYJCVgpqQVUOgcpiFJqGfl6SaVk2jzty5E/ZeyJppHD8c2t0tHzrjYSG4ZX7Wk2d145w
giJ9vWppiUafeHvFjHpvKlO4YPdxPnwDVFpTN4rNZghRwGVJVfOITVgoaLlqpYGrXTeOFGrqW7ZohmgLiKxx31HuYHuNhYWhjhVoQXbMk5pp0Wdbfd565F1e
nSpON4FHlB5sFXkeUzyU1lhkahqQnm1oZ85Vy1f1aL+By5k4UolRYE5mgL2Gh1VfUxlurnhcabF9T3W5i/t49X6keF1TrXGXb5NzxG2VT7CX4FEemUecl4Um
lo5iUX6GVEhwg4d8itly0VWsU0p/9YQ0ZXJwnHQ8mUp5X4clkkBvfHfzW9yMAJjVmTqYIY/JVSOayY/KjXFg6FrgbNFa4XZUiRdTm1veWuJb4GmGiRmFB5IU
kheDlp+mWEp83lpTXQF1DoLKWlSfp2oAcBxk3oDTijd4KH90cSCXDU7IX8FyiIw1YituoF/lh95gq4+2UX98GmsdWV6ebFz+kthnbIP/ZtCUvmblU3RqUXUo
f+t4KZgidRxe83/sUrtqUlK8mTBgkGpbdSudHHUtYA2QRHZZdhuAj5VSjxlsXGvqeReT6XXpg7NgrnWynM5rKZgGdtttIXGmXlePGnY3UXpaGYaPXvVdcFF+
Y89VJGuQY9Btm5N6b7t5z13IdrhaOY3QcXx8v2dlaieFUnV4iPB78GBuniGFL2owcRJ+fVmMcf1aRF7nZ7OVNVbkThNwXlYTdu2eI1cZhORbMmnScc1xznj2
jI1ajGaMXEZcR1xIXYBqsVWjm4FdQ3d6nA9dxV1Ee1ddSGw1ZKZsO17GWMR7dH0rj8dtXIjdTolVfWXgWFRh32HimX1YcFmHWHGAMoAzVfxc9H3rlF5l4WxU
fTxXUFWEi0pl5Vf/j55kG4nva5Fvwph/cXpySJmcXvZWDl3JVX9/XVmKgel2uXHtnLF50FFEaRtpHHn/cC6B6lFFU35qEGCBX55YjlYQbbhtLltIXAicOIR8
f62BsVadbNJpIWFKVp5hS2w2W0lmrofAahZy3XRJmaSYBVdokOJs525ZfQuBslYRYJJn7Vdpb8WHhVzhe6RTYHwkVhKew17/ieNRsWXwWyF+ZYIYWnln9Ga8
UbKRuGsqZaKDNme0WytavYuxYJNeWIM0Z/lfVlePbDxWFFXiU2iJJnNsb9V6eoH+ewptGGizYIl9oWu5ZCmaCZ5TcMhrQnqXcl1hWGjAYVloD2gQhuxlpWbm
aBqU42gbnJhTS2fidxFwA519cCaRmn+sT0Bfw2cGjAJ0nnF7abZs9o7snBBaOJ2EeUBpHX8ugnaUa501dxZwL2m3byBvH2twbR2StIm8jtB3Um1/aSJxfWKG
g61s02m8Xz1R1Ha+VQFu85ZllmZ2VmzUkQ9rc35mc1tSNnXUVQRvaGxQdlpaR5BikGVsVowSlJ2REotogzdvJ3eEc217I4PRZgF+KGhqU9N/r45xlMtrulw3
a2CIrWtDV/aPCHSqkRaRF3PXcHZUB3/2f7FPc4JvmLZqcE+eX+uMAZi3iy6PyF6hXqJPdFaolGGPy3pDarOHSF9ke71bl3oHXe9fz1eQap5f1lA2ZBpPwHgM
g/JchWqUk+WZCmhfbIhoYG1+Y3eNNX8CXEphNH3wmWNtglzLY4OXaGFAbedlQVfwYVdww3DJhb5ajWqra9aM9HrLfv6TwWyikhhQ4HhpfxCDaJFMfMd4koEs
nyqDDIveZSVPQYOljPWKHWQHju2KHk+1nyyeOY7wV+J0o3fQV+RmXFHjhIZSFW2XUOlSIppsbClzC5a9cziMP2CVi4uPKGkVaRaK5E6CfoybvnUdlZuKV4J3
Zkl/uHP5VOlrZo8kkFZpn3+5jA9mT1udflaMc4FPU7KKo1uFiFZwJ5rlYflwKJGRkWuSS4KRWQGaDnnpkX997JGCnDlSvnTrh41vxIKVY2mIXJ9OV2pc4pgt
UsaYM44vkhxwX2uygdFZTVWHap9ppU6PYUaSboTlcGZTuW6rcG+R/JI5mFyEzl/CcaKAln9bf1xb82+FWniN9J27gUxSaFJpUmpSbU4zV9GW0lLjZkGWuoSN
XGuD9WCoTuFcEYERg6mEE546f1OD/VDxkFmNOXnVhWpmUIrthWtZ1IEGVt5tHGA+axJyQWCRWHJtHpwOaNaayE7LWexsyIZ3VPqDj5bTfsl7kJOBYlqE0Ybb
VOVvVlmIZeJxZGMAdoqQE3TiVKxfjJCJkvaep2KDZkNZoldTiJN21WNncCuJFI5lme2NYpN5c6xOAHSReYploZPCa+tVcHHZiVGVVFzWUDt+Rn5HaWZSLV2V
Twda9Vz1W2Nh3YhabPiEsXx2YxebwZWBi7+LwFPkd56RBow3VhZaUItLY2VjAYvBXzuRtmwEc61bi19idUlXrXWlVHKLwl88XZ9o12MCVOaDD3efiVJeIJRs
V655i3AwT/CYJWF9i2B9W4upW4+DRGtnekCLTnggdGlyQn/eloVZBpztg66dGIhTjPqUdnyRe1iermAeVm2K6JBBYnt39o0peheUd458grRjeXbwV4d/Xmr8
YeCZDYl1Wx57rXoAUFZdzpKdYoeZImKIYbdql5ZhXkhXeJ0Zic9sJGAfbCWfnlIvcppaGnjphnKE1I31Zbl8lVwJW5Jg7pocjQCT9XF4nm12i3XmnB6TPGXu
nR1fUIRdmUCO0WG4ZOltUmRDh0qNo1uTkMCP42F+kk9vOpPGTgZ7RoLliJhjBY/QWx+J2mGzmSaW2lnoebGOVE4FX5dtg5GTV3mOf1BeZSx4e2P7j8VtYls4
XPtmsHkZd0+WN2JemC5y2HuudO9fUnl1VK+Cem/Bd5ufLWKVbTKO044AbyNRs5rsmfNxK07VdoxxhIXIXehSJGHSYupfsIS7X4iW5JJUYCdgRk/xYeSGF1Y8
lJBOB2cyiOONpIoCcEeMS4b3n5R+2VP0i8WZjJGUWlF8eljkfkp0pXcjY0ZaXn9fbyRxIYYsmY1kf28bgbRl8Z8+i3pdfmnEY8J8nIQAioWEfVPBW+dwVH2W
TmiZpZY4eJaW9ogDboyBzYxVibNjhE4Qmr15MmztnkSeRYJAWSZi7XGnTgRSWo4wiVWL7YtaVzKBzmBMfH18fodPWBlYGpOQnrZQR1czVdtim5GVfICa8Fyw
cSKNr3qzgclubpmmlbVgmXmZmwqBjJ3SeLdhgXQokepY1H9/U2JSFloHbvKO2GrfhvpVCoeRTmRqe1ggbCaWWorzd9aCHpekmvVuV2kCY1dh/FnInPxTGInc
eWKXmJU7mRmS/HlzdlxjnJjdVfFlOmSIZImM22J+Zfht6ZzPiomB0pBqZKlbLni7kJFxL5elgXFUuH28kmBX7HpCUm5v0ZY5mfWKXnZvlfN6OVImbcqMv5em
aQNy4W1FmZBj44eakxNiyYHTkAd9aYGSlkCFl2NIjwFOLoYedJJS6mHKbLNXfYFpVA6A14VVicNmAnn1i7R9MIPSX3KefGkEb0mLYonThR1UumJIhh+frWG5
hjJ+KXi+YoCb+oFFeDBfineXWUlOH31kiI9QgU6RTpJwvZ9QmuJ3MYV1hW2G1FjvfARo5FUsaIdsPYbiggBSqWckThWO3HskcuZegGBbjpljiWVKYYl5jo2G
ma1Tp5Ase4pYpHSTdIljp2+yWntegYbqk31QFJXBgUBo5XYvjt1kAXSbf+effnpObyuO32YMnXlT3G3yn1WOnoTsYk5eOnFEfcCMhFXMU2xYLGLfkWRbgp95
XDhUv2UAmUVWB1b4WCmXzYlYUtto6ZNrjIV8qGJLcMqQMFi3ZQKVc3u3a4h+LpFBeMFzCITtkjSWNFeAmkh5dJ0tadd5IGVWj0B8q1vAmZST14PlaOyYc04O
lkmQ9W1rl3p6OliZXoVi/1r9WEGPcoFBept615VOn1d491j4buqGS2WmgL9iQI1ok6pbKHrmVWFm62nbYlKH11OukRp1Q1JIh9lzSWVpUf6WkHjOlXdj8XVH
YxCbAW/xcmthz3fnjq53CJKBcItzHnKxdwxYNlRJe0F62Y52ZdF3DY0kW0ZtTJICU06V2YAAWWtuVoZtjrRr11ZqZE1l153heNeOtVJOb/xTelMhcKKVGXQq
d+mZH4WBjPGZ2GelmSCdfm7GeN535W7icpeKd2ULlSV+yoUCeORnqWUMj36VJnfLiSOJJFsKbIqYA2pceu2YuVapY5JlDZgmW2RhkG4xVqqIi4juinp0CmGR
f9WAX3HvYGxhkoZ0YZOI75bbYZSVW2WZe9KXZWHlmC90EX9vl2l+WGGVVh+Kipg1f3BtNnvWmD2YPpGxiP2JBYkGiSd0AmVOlORkZXPnc/KJEpGbiROIe4Mx
e7xzU21dkWqZMYp5X0qJboujYQd6z5PmWK98ynzLm2aeNFhVfL6NY4HobZlTs3wUeLB3F2XmZyycE5wUTzORDpRtfjt1SmvsgJGJXFyIT/9QAIaebF1kQp+M
bPlQUmoRWRhp5WaobV5ZAmnmZ2KGq3AxTveMCF0LngN7fk9EhvZuA38Hhs6bxImIXrt7WVlwYJZ4NIZ6eoVqU5LWXZBOs3NXfrB3aGzJYAaRB07kWQdT/XHw
nYdeSWN6nDpWGW5Lcs1yznMOTrRXt3oBdtSPplo7ZrFiwnPJVnlU62+IXo+VKmNqWtWazF3bYO+TBls5WzphN1L1kriVWVwaYAqYKlm8jvJs64JOg/lblFGe
WXJjIZFvbVNXqGwrWFhsN2IyeAhOS4+MjgGYaE9TXelO+pSRlZ9iB5BdVht+Gl+xTghQF1yXf7qWaGwIZxVZIXSVbxRraVR4gfJpj5rtcYVxhlI3VH9j/VI4
g3uREGF/alWTe3iXWNWXmVI9kXN/gIXjerR+WYoFazB0IZuIbQeHH1oiV8eG3U5pUmNVvlAYbGKb8Fs9lJ6b8ZSfeiBl954ifC2Bg2sxeD1tNGzahvhuBXhr
Z25a1mmiXwGXmlueelZgcIkbb71cq5GHfUNuBk53gsZbUHgOiOZUipU8ZY5QdHD9YYJZyZ3TY29PjU+Olx9Y2HUSaQWA4VukX71sWJ7QlyBkqlulkw+SYU+n
Zld1WVO2WqOJlZWgXXWc5Gl4aZRi/l8GVi1nuXtqb4mOa2Sib7RaxYnmkJJmy2ZmbWWV/IZHVJKWc2xAhZiFmYOBdiyGT4tqVJOI/ob9f8Kc0XBnnNJPaYE9
mXNa14fyjCCbt5ETX3ObdU4vX9CR9Wxlh/OYP4sbjzxyi2HCbw9TqHpcUCFULHN1cz95fH1LdWd3Mp3AhJyEPHL6VN500FERakNS0oRwnH6arWxwlkNZflQ5
m/2NFGGHfZBpz1k7gkN3hlcbkm+GUJnZfRp9fnEZivmeDn2mmduQLYIkgiVO8XvHbWlaMlxYf8l3Qlr5WvqfbFk8gzxbV1tahrdYx3dkXRxktoa4V6uTl52o
aBFOv32EZhd9qWzvlOV6wlCkWX9oRJN/lkqQ9oa9btdrR2REWGh//31UkRuOIIzqYtJOOJF6WIliU4DjadxvlG2tcx+SA4bHit1kRXLTctSBB3CMccSAAVNP
kSOSCG99TwSJ7IOdgB6BZJ3ynfODEJPDdKFsxJ2NnfZjmGOZbiaTzmOdkGtuLIQGdQCfbYQHk9icDGA9VbNoYV1xT8eaKVD1hcR/1HHxXk1Xa41lj96PUXgE
jWxt24w0id+YYnUehYRbHFsdk4Z+Y4ngYA5gD3yedeJ145VvZbVUOlekmcOH3YaOXZxgp5L1kpxiLV8rg0KHL4aQiNCSEFA4k+dtTWcIWylkHG2UmNdnCk7P
W9VwsmR7WNGSFXoOa298G3fBXYGO810xWV9/am3EnyNkfXyWbDCZ70/ylIVoUodkmXBP+4xMZNZczVmNkV1QDFl5TriCgYtpYbZOuYwhTrpoVnDEWzGYr2hX
g+FdOmXIULNz6FtHeUd5Oln3d7Z8zGdfhkJqiXlQUwZiWI1yXHFmj4S+gLBcrYpQYxWd415FdGpX4YA9XaBqJpHaYcaLV5yyeZVarGapbPqc25L3abiYunaD
XZZUrZiAneV5CZJMd6CPYF0MUDyXAImnXUWYJ1yUi+GXiGEIWq9O5XgxnQqeO5q3V4h3uphkiNWNoJvpW1x1hncYe+1QV4K1fe1bXWKJkEJcGZuEdp9PRXdp
XaFx8p6onqmDlH/tge2SnnSxaV1gIIUIj7iKqp5uaxaB7nsxgEWTB1o8aDaEF2ZRXpCOZmQIa1doemALbztnamdrk/Z4lZvrZe9l8o38Yu9g8GvubU6SUHbs
cX56LVuVltyR41MLgrqVK4N0YTh/eJ5vhSyKWGMiicty3pGlgAloe3Pde06OAoJ7cBBUeY8pdPBdqYYYdVKKrmzXVllWWoh/eJmPq3fSlxJ3o3uleCFrWILA
nExh5lkinehbZ3s5iUuOA3ZXi8aR5IvuTgmR6JcThRGXFIm/cEiNqGrBf1WeBnv0jameRlojU4pzX04dW15bX3LgdkRWznuvauB7iVJbcgWKBlExjoqEOXx/
ZPJceouGgPGGsFyxXLJpMoffeD5/gWosZX5p8nzjWXaPvmPfieRueVBslT2c9VZbXllqNnQSTnhupG4HlWKRqmrCcFVZYY2qY/5kI5W2Uy6C6ohtWFyTQ4wa
d+SBFmdLiMuQbJeniotZMICadXxX7YDqfgxk84uRfRZWLnZxXlxpX1q+lBWc5XVaZKt2Rk5SlbeQk2kGil91jphrm5d+tYPJjzWJqXD+dTR/8YTbeu+K9InC
VvNjnk6uaThPj5AhiMxhF1WMkxR63ozAmECWMoBvgNhUu3JTdX95wE6vdGxgEW3qfipnWIGCmzSYQWkHgHR24JW+ZmeFmnijjbaHN3nvbvh4EE+DTjB633s8
lMx7FpfCb2qQuXSvk9KaiGx6lkR4bW/dWPBhG5HKaaidwVOpma5h1ngtb0x2+prjY+dj6E67eC59f3SUezBgN4v3fcGJrJpndnWNuo27dztxRXDLZCxhH1i4
nACQMZPWZCWMhm3zgA2Mh5JzUz1oinWBXINcOY2LlOZlV2jtXnOD5lClgiiF7H2FcO9kZo9zeKdaM5TnUnFOOXiaePh0bYg9VWJp3VaLl0V7P4CHgMB3v5HQ
homV0X1VeKmYmJYFdkxQNXcFgvOPw3h2Wo5yhpgcbtuSgoSQcjBo0Xibbt2NlZXahJJldX+cdhlwAXPpkgmdaG7fnqVpF2uOa49tEJjodGuevVdNhgFdyk/D
nmqOzo9/deCFDIZ1T3Zmr2AheTuQ7ZbXnc1hu3PehgR39XaNVs985IQ6UzCRdJ59eFldt56Gb96Q91IPgMF3tHjSeNOV23PqdkB46ICQhkFhL5oxfo6XXIP4
TkmI3oVJifOArpM2YxiT6moSnhp2H51xWFZjHZ7MYK2dGloEigCT7k+Gg3CDcVU/guNs1ZCMg7SW3WR+k/+INYOXjf1fyVR6f9hfyo6CmS6aIE+LYciSVY6D
ZxaC51QdgGtk03YkbSJtclFShY5SXJlDZsKYCmbDlWN2Jm0jflpixpsxZ/9eXXjvUaZkXXWPfkBh7peog3548GnJePKcc5dwT5Ftc3jzfkJ3M1L/az1glH5D
Y4qMJnE/g4Z49Jo4gu2K0Y8bbXRlT3FGbBlkZ5T3lChPm34WVUBPnF1oV1Ja34UEkShYe3PIWuOD/HuRXUqdvF2qgpZs2Gg3aDydvorvn2uROoRqWupYh47E
aRiCdVv0W/Vb9l6HZ2CEEFQVgleCWHb4XoNTn3FxjdyN3W40ii+KMJaVcW1xbpMDdOaKNIoxijJeiZMEW01t5pzQaqFex2BRXsiJPF7MXs2DQZV/VORskngy
aZ2Kpniqatp62lLcjPdQJ2q0aWuH5n8Ih79pbIusWZ+DSYOYe15l848qm1WPK3g5mluMTYqvdMNbYHMBe2aHx1zlhEGPNoj5c7pzvYzhUt5zwWtEj0FrTmuL
cVZr0IRRjSdT+4lbeGOB5Ym6jXBwKVuGZSZlJ3KZlGZ8c4A5jAZiAYKvl11VfoXffHSAOpiBTzSTN06DkYCMCWkeW4lmRHzSXQ2J9HwVUtd9B3wWUwhpZ38D
XwuN9k6xbqFYfE7Qn46fj5LXaxde+WzKX/uQ7nt/cDWIIH8Jkd5dz5AAZ0RyO4mJeqdOtVe4bZ2YhH8KY9Z7lXagTnCIIXHzVM97WlobYgZtuZABdSGIlpDv
lHhQ8mKMTtJ0VFuWXk6RLlm9c1pb2VviXpF/a1o9k/d3a4N1TkyKf2RWnEN2InF/ZrKImYqAlt58uo06cA+TCGjYm4lz32h8W2hbaZeSjvRSGH3Xf9ZdT11Q
d/lwEZafjgSAbFh+gsFUe4jxX7JsCV9AjT+VXIvHbxVsb28lbnSN1H+7bQhVNlU3hllxqGQhasNuenwudqpuCG4Jny5gcVcXkYiRiV8MdBN0FG+za6ZbIpuQ
YYOVZFokYeibkYq2jr56tZG9hTBpM1ANny9tNVolml1gcpVlnnaZymSslyGJ3pLBXVV+5pLCh5KUR5xrg8qZL5NSW6adnmxZc86SInV9Ye9l+WX6ZIqIboM5
dVt9RYwblyKe0W6mbM2R8JHxirye0lL5heSAcGyufg2XI3w7cviI/1rYjHSLa1KYWGCAdWk8bEFyVIwihTV9nZ5+ioxQEllOV119MZZ0eL9XXmaZg4KBGoVE
ntpobHFAbHtTaVnZUtZZ+4jqcvuarppimmNOk1Kqfxl9bFccn1RYhFiFjMSXw3o2cqmOclLfUcF+EWiLkcxvLJp5cbNxR3FIaZhYyFtYn25o6mFakyVojJMm
a76CKZTokPh4AZOlk6aUInjIjeRmcY9EbNCMiFlFTsCfVopwlCmAiFiKcj9pU5d7mJuVk4DfaVhwfGEocrJys1lVgIuMrmr2U1CWK23CkgSKdHgHf51T6lcN
c+tZWVlaeNmSC5IKkkRt3ZJFVd5tW1XfnOlknWnnkSpT1lPXcZVfv5+IfdBrEV/daxSLqnvoe+lTDH7nfvFmjZQ1hQBOypvCmriOZ5QAaaCRVGtxTtaRXmmC
XcKZCVBNg6NSK1nthINcNHivg0Nc9nmhnBWMPWPSWBKKe5qjhxxXuXcZeix5oohFUaxwtJw7nQ9Rz5w8WSB3IJSGlId7X3zAa2iAsoSEV76bIISnfdibJoNN
f9mMu09UV8VhD1VNe2eaqIFhieVXyIqGU6GBz3wvmadhlnU1WqRjWJu1kCJ2KoqNi5Jd/ZSwT1l7a1nKX9F5wWTYhzh2LWdZh3Jk/ZzAggF00XeHURJhmJmv
d4hPWpqvahxTbV4QnIZjjVw6VghQklCdmp52OX2qUytdHXXAT1xVY3aWVZlpUo3rbrte4XtVeHlnYVGaUZ2PuV7skvRkepbUlohml2D7esyIV5nFYPyd5Hb3
fnxQU34XWwtWBWEykZJPGGlokFJzDIvineZtPZWuWQh6AllxkWx2hF+fVp9eJIiXeetc2I5LlD2cRIgZnEWP5Fqwn5WOhIjyYT5tQHTxiGqWwVIZUZ9Up257
UG1mXU5PhGRseZY+iaiFMYRlfnaXqZdqdoeFVlLKjjNc52qiW7CKvXKMgdRwvm75hVecdFJAfnhqpmqjaalOlG4/cueVo3FyV9BzdpTNVZVTPokHhO6PcHaI
U7qL+FzrYP5tSm1sUKZ9ho9FcdBx0XFXcyBm9ZYsjZaIZJZUcAKIZpV+kSeR14hoWN95sGfrZQ93u2UQX9x4k2wvUOqUZ3yNeSxdMGr9khmUiJlxUJOUXZO8
XAaBS4OmXAeDy4PTX8BZoJWAY8tdw2MUi6SJOVTLaGJO+ILhWRmag2uUhzBeJVkJdeqNoWOUU8t5QWoom1KUAXYOf2yJ4oJegRSQjWoxWY6ahGhmfXx6V1gb
fX1QdVB2gpxYIWfDYBJfWFwVUIJtGWfKUU2Oo1gtYYpobmM/dfRhjonra99moWaiYQZYO3NYc1mJM2U2nGxlQmVDlCOUJJQslC2Ye5h8geaPooswiJWSUZJS
l5NUsFJdUQ5Zj1FTelmWdXsLmomWJlTJVPmeNYmmZkV56pyzlG6KOlP8UEBY0nH0XdCKP5uFVu6KQGopV7+MRpFVYuWSuWQ2c8pja4pDVKOcTZA+ajKI81bN
nK1udVbQWKZ5p4zZWilmxFOinFlW0Zz2bnyXqo8uaXdn+oPMZ0xQ+GStXl6RO4q+efCTFYpmjHWbmnslh59YrJufnC5RSFitVS5UBGjBZVho7mUGdW9y2o4/
T7N/RY9ej4pQTpRfb1eAH1hzWgFenGaqgCiAIVN9hs2HZYdmXrR8iYOnV1GcNIpRdOOMOFw1la+IAHahi0yctFUljAxmRovjjPtnLZaDih9WrIUobV+XiVDr
nDV8F1cqVBeGkYldfQh4lGWJj855DW2LjXWPYWx2Y3tsS10yZDWGk4U9i+R5klO9Vg9rGJR5T4dTzHaiehifkJnUkuprHk9GeUR395uGeaNSMIhGY9tj12sf
V4lwtYTXVUtZHVfAk++I4ZacXaRmUnpEj7qYZng1YKld0Yz8UFiWhn3ukMhWr1GFZNCQV1W1UFmEXoxHhqCWYp7wWuV3TZwblHqDtXgskS+Dto0Bbzxi8G2E
d1OcH471cPmIGmTRWb5iX20SYTli8YxIaKOEYoTZY4B+sZLrZTJlEVUCZzOT+I/RYKpx2mTqnsSQWlTtgll5TWLoW9Zs1lo+h+hfy39tjE58wZiGekZs7Fil
ZTNbmI7kiMSRt2w4Ur94CZjsdOyWbJZpmAd6i24jfZqYh5ebiPRpdYxWmvFx24fEYghiYH3yh8hSOZSSfUJlHoxPT9B0spPIYuuFPn9uVKRtuowTjBSWim/K
cSxkhFawlKCYiHBJeOV4Cluff7yQtXzfjBV2wVbSXM5PuVioVzRTwnWocFZmxWDSYM2Pv1iQe/VtCYgEdBWMZmxjYWp4bH5nVU9a9mGhmkJp84oHmA9pk2bM
bqWXnGXCYqR/goaxh8mHzXi4ikRWXGOFZX+MV1O1j2qKh2U7W6eGMJ7zZ2+Wbll3azJSflSLWKlP2n31UndYHGDOW1J4D5jwjlmeCFnLZK5WUH6WgBiPjlLL
UOJ2xZ7Th5N90lVWT+CQlIpgX2x87Iq/l7eXJFB3kJVki3bIUHiUv3Zdlm9sUVhdlT5bqFQndTl8xWzely9OMX34kiN5ZV7YmPGe9IE7b75dNZW4bett7H/H
X9KYyYWbhaJ8QpMWhUJk32ZoYFJrPlYVeG6PAmxCm6yWdlK0kWKDAlHnbFKYb40OZZ6WeJLhcGiBc4c5lUZWgZByfUiGm2SjmPSDA3buX+qCnVbVewx3iXeN
YZlVGVKAUntSeVcdds2HapqKiMdOvISddNJg1H/KmZFqp2VQbD5wv3mUhUV+LZWmc9SCRIr9iSh0tXzxgqGWRX6EbHxZQpwBcuhrgnwJfAWXznt1cUFW4paN
VS+ch4jIVFt8qX8aemRP7FE8fqVojZncVRRwzHt4bfRlUX3CVJmVqJWpjOSM5VguhrlbWVrsWuuFqWvIUtSOn1w7XThvLW9NVTBh2Hysjbx2zmodcWmL+VKB
a79W+Y4bhtWDKnqglOlVzo2MeAJYL4bWah+FOGIfaMWLA5ClWjR+N34ya0hStWzxj0aV0k7BdUKU6nHSgZdsGmQ7datu2E46cdOR025HjWlVHZd8latXsHXa
Tj11wVrvfFh3FG6xdaxVZJyZeW55b5HRkuZR/5yeba9tlpbRXcBybHaXVKBlelOBdd1u3GQ9kL+ABlODZvZrVGROgqiVHXEOd+N2AIcma+BfFF8VnflfSJh+
jANnXpAUhFiAY4z2VHCLhWlpX0xnZn1dZbd9XppuWkV79mc1WcaZzWc3Zpib2GxaZmBtzl6sWMKad31tX1pny2lHl8RnzJIxc3xjjpp7jRyNHlZWV9V/R2PM
Y81jzluHg6qHvnUgY9hwNlyVhipQ3llzalSCT5QClEKCGWPgXLaSJIP3hA1SUZnsfstvWHu0TsxXo4BXXGyA1JkyiW+aolmebISW7m0tYgKCsFLkiXBgP20f
jAdYsnzNm+eAO241dZuBgJKqeQ5PQ1P4gBKMOX0JTyNnLpcBXctOsow+eoKcFpw2W4xYs5rFVHNmq5IRbYxQ7FPKarKLTWOTmIJrlU7zfkhYAJunmNiJ9Xgd
lG+EEZ2ze6aI0VpabIua5nunXiF5+07jTqqZnYklbRV0Bn2MmQdj00+fUYacHHpFd81SMXqGhnuTOJtQme6Sn0+gYnx4U5OHWQpVAHqHZwt3E3WHVAqRbVVE
fwt2u1W2Zw1d0poPnXJX41MQd2p4d25MXiZ5/E9HeaVxoXeUYKN9CmsZhlVO5ol2iXdOtmq1nih50pq5TxtPGVkLeFJrIG42cs9nqny5ljtuonjqUa2Zn3zb
YuFuN4O3aSebqXjmX99f4H98hIhXT5kObJeT+Y72UsBk63synbmDdneVTwlU0WCYnEZuOFs7WzycIH3zTnF5LZtrX2Vo2W1VWj93logbcYCZ8HOxWb+JvWub
cXlrApxOc+CRpot2hlaO93f4WElopJuKZpNk7I2ll2JOCol5eVxXbFHYX7OHuJtuVICBI4EkbPt1enkuarp6UmewlJOIgIHzgOCKA474Uuhdcmioi+xsCmqc
iL9uJGW7iPWeK3uoc7NO12IJgl94rGtZmcmEY5Nwa6NSJYn5UjqffJOMmitzsoVTiXpvHIYNT1VnsWSAWH+KsIohfiB6d4KQcYt2q3WgXjBPEGszWHqLh04R
a2qYjp7yVAxWHWk0iOVQAneoeISBEJ+Ci497941/VIRZS4GBdAd+fl8CWyOEAVmne6lZEJqcZZpmlYczfLZ8MHmohB1853IGk2iRq2unm5JxI2CalKFlv5Jc
m6pz/VJeht5UAVGAaPyHym0TiTaSHVdvnPdqxIgTfRNs808KeZ1o/XM6YKF282k1nFpYB3XlUyWBcmDPenuYbHljZ7qbmGp8Z7uXJZH2bct33mMJgJt63Iph
gTyfJJCWdnKHlHitUuuDzZ71m3aTz5E8lltQypLDZIySJZlETmyQI5Gti5NsxVXYZliHzm5UblxUKGwxan1qfoj7aQhk9F+cVUKOl1nMjuaYNn0Uk3FS7Jn2
T7qTEIpiUCZu0YtcfkxTJl9Xcvme9l+daLBgE35NgHZ/w1VFVdmaYIYRhgZR6FXFgHFPaldVgXRstJMXWIKb23lGblBne4VYfvxfL43ehMWBamnKdpFbsVYg
eWaB/4ZbmhOG/nnDTylXfnBphzpjn5x1icVkEHzyi119jof0mzVbso8DeWh/i1L6miVfdovxW9qCnmyFgp+EJ08VkxhRbYVehqSBM1NqhiJqgFUtVgFgolGn
XXiEgVk9fKSFYJoucOxUXFS8YNVzd3Rfcvye+V6nY+mZ+VYLhyxkKlced7N3AGg/YRyWJZv+TpmciHjCdNNTgG0aVYCCookpaLp29nb8mvpSiG0BUTlobZMd
YBp883FzZg2VwmuJeyp7KW8eWv6OGIDiYVuZRpTXjb1UX1RggSV4AGNMhO9iGGEEV4GfeniJcc+brWUBnfhowmacUqRYClgLVAVRwlP6a4peO3E5UAdePH3f
UcNXWZ5PndmKznu4fk5a+3iKZBGPCXMJaMNXBYZhYiB94IuCZ9Be3JZLb25373NFgiqeUJm2e7pWZmYgWEyBmFKlfnB+bmSXaRB+L21aV/ePCmwoetZSEE7E
a0mToFvBda+Fb3X1Zp2Gip5ZWIuPtW7aUklrDJN3gNKTr5OreF+Lm2lUUXF4+V9enJqckG5CdwloJo8ScZqGp08WhXFzSnQFgBSHiXm7kudvrFJKhDWZSHiP
jexsImWpcI1uZWR5lhJzIXLVfPt8/JlJfQBuvI2Xldx1coACUy2LcFcJjxWCqXQ/bCN2AVTImUtz7Iaon0xwo1lbicpYT2jTa+Fu4HCqd/GbvWFJYTp7+5FD
e7J7s4P2bJWWhF6dlDlfxF63TyRcqZuze5dZSm0gdr+MEGBtYpZSw47UdhBVvF9pWOWQY2jfdsJUIWqggsdbLJdrVQdOjk8ckGRo4FstcOh4vFBuU7dZY1sk
lLFe1IFibM6SYlr3ZfuI147aWyVotGo9ksWNSnbJhGxOFn2iThebrlj1m3hduYRzcUl/HI/flFFoxoIraMeeWpT4cPBQrm/2juKO44svkOt8HHwlmixRVmuo
mi1u+lzPTyhPKm6vl35uworjWmGDEXFwZ0djmo7+Z02XbZs2aOaLmYg7WnJphFT7lVdeJ31fmll/L549ml5axFdxhNyPbp5InlF+MHG3nltVz1rSnX9chlNe
YjCXBoNKei6WnXWJee18Jpo9dQxztHoveo9yTl2sXKOQtmn0afV4V58wmtKUSHJVgmVoAJcwlE58SZyRXDx7D1w9mlBtb4X6l1GLvWajZrNmxmXDgF1YEGqV
nBGZf47uiBeRKZBQXn9uUl7iYgWGeFkakBVTXINtbZySroNyilN2o3akiVNWKYvmmL5PyE6EmcdPNWkfbgSDEmPZXJ5iW2FMU4iQi3bWZXtc+X48Y3yUe4xA
j2SR35nIXJ+GrIL5ayGSuplBUYmPi5YvkMp7mJtTcfhWK2JcdYqff3chUPaQW2V8mrqfAIO4g7mXjVzdWcB1I3hmU7SLGloeThxRik6FnR5ynY3SbaCINlPV
g3xk1GTVkMJtxZAbaKlpv5xPacCCUIicY0eSVl6TjleB4o7Fk42YqGTvYeliDWwOigiOCG4KnSSMWFSBgzNSHJrymvOMGIoJZTdiY1Qiig+IBp5Jn12dEnvV
ahmMZ4IQeFiMaH5pfIJp+WFBm6uUspxtTnmKEHGqcTBTj4pGjsaZTly3kJlfvpQWjUuYqmT4kEl2ym3Pk2qWMIRDisWEQn5tdTp32WfEeVJOepLGVi+THoYz
e9h25Gi7bEVfMYttU8V8pWJrknBwcE40Ztdm4XWpmU+PQmJsd453OFa5eHKakGVST6xiG5C7VexxTo2JhtdqIHsrcbiJWYyOlOtm52TiV9KTm5OccHeGvoi0
jspc7ILxmtpicJT5jl2PmYLXaMpPsWpJknxOPpOsgMWES3XDkR6TXXvncIRUNG2wWeNxapKGZdhzJoyvgI1yuHfwdFFz7YHkhyeSRp1qmHWYdn7/k4JfvJOE
Y31ijYQaUqhSp4MddM1S2lLdh8+fXFJ/kG1lRJWMffpdCHrImH2Wu4DlelFdD13TcflcyX8wh8J5Tog3hMCbb28NbwyfT3bcZKGKVYlWU9hl/Hv8lbue2YpW
iLVvE28udcRyuXd2WMCK5ncVT/maAYRWhFd3eJ00gCBOzXvRWzZbN1h0cCxhMGXnanJQOY/6VHFWmYGtgNWZFX91fNOXAl64i6tS5YHrkStcS4wKnqpwDI+3
UlJXR4A+UQiJc1kbmqR051T8lHBepF/FWq1vw3x3hFlfDogfaSB2QoogbnBqi3Tokq90gnZ5hQ2YKWIxXNlPtmkjWhxfLJM5jXdVpFYqeZuEFGQdj2VVcZ2I
VXKFKU82hSpmSouMabtgB2XtdQh6qFBaikFOhlyLXRCUfF3Ud86MQWPakW5aW494m1GS+HGkgP5bf3VNmsthoJvFVq2Y6mQegxOEFZmAWR5wN3MPZ6tUdIUr
fWBdSZo6jn2Ne20xe2CGfYzWnCFgpI6AZ1dnEV/+T3h3IpSJk4mTjoO6eLFQQYmPk/px+lGLeFZuTWKOT0lcTJy4V8FWepLZXaVPDndhXsB77n/vgJh1LoJy
hS2bEo07lt+Cu2FNibGaHXfReO2WalkNnEeZ8VL2WBdgJVI0aplOil3cZ61O01tObKR3wp2OUF9yelMVgfSFEp2PehqDr2ClmfKTPVRQapqDu5vKcnt1UHA+
gGWaHpmBUQmab5xIcp5aQHMSgxdwP26jlmeEX5E1hIp8mZsne/FwSpQDjkybcHBLgYpgg2xVT/WAKo7VTw+AK1GhnnFVTpSUVqGQRZ07Z/WfWVvlW/uWwlwg
X+FsmW8/mj5xh5Uxkuxil1+VlJWDv19qmSdz4V3qaSxi8mFPh01g84qDbaKAtE50Tk1rdJQEnixtM5xQfpKInYFngWZkWmktap2RCVtPngSXFZlCn7uVsmku
cnyacJFxgAybKFhae/J9uWQiYVBoU53pkTaGG4G6my9PuIhebjlqN3ujUANd8IDyiMBrqYxZbvtyfl1Se/iLUWv0XtWFj3ETfuCIgpbFdVVPVnLZekid61kn
kI+I+pmPTotgc1BvWOhh6p60m9eATE/VX7dntWSFigp5XWcZiCRmx46Lc7VljIJiVCNdFoUydeGLzG/Lb8xaaX4+liGGHGrFh4aPL24nnkeEHlMkXHuKt2o4
b81RVI1mXZGHUJxbbn1wuWe2ni1yB2/SfJ9RkXQYVrF9RnZHfDx8PVJlYXhTMViqXNB5qk9nT9tlgp7UVIyZg2ZhcGB6Wperl6xgdWwRWkmG+18EikdZMVdy
XFRUUpp1fIOYEpIml61/cZSzgaeALlYhb7V7/Z4vXf5sr26CnxOfFJrTYLFdAl0Xgst+anhCihFhpnNnYkdpCZRJVVNrA2rlVI2fg3EVfWWb9J39kXZqx0+7
aIKeSp5/UVd6W1oJVaZTkHWZY/9nvGEYjQlahH1HWJNhUVlkdDGb2X+ydvFeMl+kenyCH5QOiaqBqFs/k2leZYrGimdayGdOnthnfJQXgwSMwZJqkixV62d9
VjCXcWKomfiLl3r4UCuS/mXEkCmBGZLHbl2R90/+ZPlt0Gl5bdGE4F1ZjuiJq5xcaAF3inU7Valj4mOkcQJvtohzd9qXMZaudWGFQ5DVkNaS35s3evlZ1WZp
aT2TmFWoWxWXJp8limh1YofQZmJpPmxDfreV/YCrZLNy5W9ff4yOOHtHg5perYazbtOLHZcyVEVzo2sFgt5V1VAsjz1nUZTOmmReDHlpdjBu/oB6YFxoDGsG
hkiTRps/T2CBwphHnrt25YWjZ1qTH2lIZOFe7VzRmiZ9G3SKhhKYSI8+gHuDh5vfVx+LIoh0clqAd4cCf8iaL4Tmgz2GXmy5jHtgVnwGXzJfM4YKecSHPF93
VjFZUHkzZm2Ex2AXViN9blL9fTNkOHVokHdfE18enjCJmn2+ku9ZUWdSbGefYliGcqpRWp1HgWiMyGYOcMVlU5ZHfVBhqF6uXrGJK2QtfKqBqVchemGWzWOq
aFlj7GSVYVx4w5TYXyFsfmEgYSFSrXTZaa9Y9p3wb2FvEVQtVrpv34/ufm+En1xZiJFg2JmyhapvjnNCcRt2OHLsU92Fq2y8VYGHCFEWc31qgZsXmfuEL5qR
dLd2/XimkvGIK3pinauBw4yPf5Ri92eHVrtmD5HNfYGRAJXJXBCRRJwEfcWfUVbce9uEdmQrbfqbRp9wmJmCLIyQVjVZgFwoXtt3Aov8fauAD3HhcmR9xo4c
gQ5cWpppiZ5xT5jShLZa/1Rihwx1umrwVJyFsmvJa8pZgWVZZhh5YI50ia15AYD4nUuItpneXSF+pn/zYvh9ImA5coVvUF8iVZiM5oM/nryBZWZ6WlZqA3NG
aDRV1phPhmWEMmhHhsJx1XkjlZCMy2VjggWfZpC9VGZe7mrxn2mU+n4ze92R/29vXWJlIlhpZuyF8VIRe3pUnVWtnbRhXWZ7aWNnVH5xmjJn0X2IWJ2UU1E3
hTqCiXHWcH1TAXXFlXiHXoaMdk18W4ktUWZlzGbyfPp4YXj8k9xfOWxplax5Nn57kjd8XHY9mt1hYVY3Zidt1nuPWMxVml+Ddk6WkpygZN18/W+Xb3OBOHNM
cIVXDHPadpllbnmEc6icm18mWpCYV3COXPCeXYVzcNlodFWffoqdU3MnkgZwlJ1SVEtpWVvLhYBkP3jUl+1yum6caPiN7WEuaw2Os3IzleBnoJWYlrmWF45C
eSpSCFNSbsNrD4SUgqyKolbgf59/SFKhaq6X83RDcKdXDnPuWFFr5JIMbuNuyZ1rb4JwJU8Gd+2X+nI2YQV9O1aaZEePZpcDlH1813l3kBhTzVW5fJ1sTpSW
a6SNBJBeYn2XnW3obvZteYTCjFpOHnv+e/+QJFTyfg5temxkbXtsZlXygdVghZVBj2+O6ZczfUyOmpOdX1uLtobladN5fmOPh9NkSZAyejuM547gVdeCpIIt
YdpV0JT7W8iXSVZpZFCcDZuvVpNSLovnfB1SMlIzidtrIn0NVNSBkFTzgZSc04XmhedwcZmzlz5weGEpV7FbiIT/Z2Oa53cadxuS+XccVu+SoYgBgxhXwoI/
kF+RWYQbUnVrqnsafMN+4YWQfmiY3HD7lLRdmZv1k5NSeGWDV+5mY1nWm0CY4IseVXxRbofUadSCSJV0WZVqqGVaVxGU7Ff4WrdoSHEJUXNakWeaZ6GED3l4
WsOdkJUyfn+UooG1fdpsxo7BkV9Ze2UfZSBgV32jZgmU2Xl/ZSFaz5PdjrqLvmDJd2V1dnV3ThtpXlp/l8VQN1BPUGB6rHqtUGVTRXUGYkNSV3qpcXdnEpo8
gTp3gImykTdb/IBtjdVq3ndiYkZ+4lpqgbuG0nohauZbJlc3UCmBTYFOdTyBPoQohCmJtmKpaAKGX4FQc6Z3Y3UViLeAlFO7e9xzoJpMgYWaTXXGc01/SVnn
g55Yznaea5J06XyHeyh3uHyKWHWNdlXgXPqStXgqUXld3YK8Wh9+U3yalTOMUGHJkttOTpGpbNt+W5GuWipYInPPfmuS4pirmK6EpYSvm6ZRfZZfWFOEpm9Z
eGSJaVxJaoiIWJu/ftBRTpnGdlNXBGUoWYliAFMHnjZV9YnwXHJXpow6iXF05H7OfIuCFntJYgN8zouli6aRUIUFgM1f3mg1VMyLp4keaoqG55vDnBd81HYd
YECKM2oTahSA/GvtYxmGkn+mZkdQ7VDuXuOLWJywXImPz2uWY755DHyOXQ6QU5BYfkmT64uJmLuYKGI9khKC4lQYWBOWl1sMY9Rltnvsd3t5S3VLV4p2VXYe
VSZ541A9ga6cGHoqedGeApkLX+1ySXVMmZ5dRnmTcDJ0C1KSXUeKfGPVdx11iIRaav6ZFol4iYqJi2KKcDh2DJPwXBJc2paah+ecPZrGYCKaO5HghNVtnmpd
araPH37SlH5nDpy1f3l7gGUrdiBP85mgnVhvXJaHYCNjHl68XCt1IoUOY357W1aVXHObxoWGeQVUT3H1eg9RrnyShQl4NmrbgS2diYMUb6GQyWuYXdV503a8
hpaSoGaRlmNgzFAekPFym3MQWBR0U48ge4GZoWnplVp5vWkok4pk7WUSmTNUfJUsioFjbGfukrtxgYUUZrRb44+nXd6BJnyXnCKVnYvIjNdsmJ05aGR0VXRZ
TnJaQYfBd1RvopPHdg9/emmJe5mKrY68jyVjI5BchYhthYdLffRrGlv5nO6A1nthkTCP0pxJYPFkV3bYZayJvnzCebKLrX8MckyUimcTai19LGg5aH2bIYNL
nj5SwVwbZS1mtXJLU19limPAeRqRMWm9cYh+2oqxmxNsC2HnT1d08p5AlqCMUVHZWmRkgWMolJd705YgbtBiYW8WYftwEl+hXeuLyXD6Vj1dc5SYl5SInm8m
Yb9pwWcXVShqY3V7hclUU3owjgWC/Ij2bjJ7T3izYgpp8I6Fgpd4g4jklmuO1o2miIFbaoWJiVRrWlLYh8VwTISohRVvpISphzFagW9HbnZwtoqEi3iYw2SC
WOZi7IEKZ/aam4GLXfFg0I/AhAKEi5GKVl2aqZORbQqLkGHriX5aJmKci3tqxoKYcRRlgIZani5ZeH32WKdreJ53jFuOv3wxYE1hopG+camHIJz4enhiZFOL
hB97+VyOm/JzYHgXauGHUVbTb6WbFXpYXMWFM4gFettYHZeeeD+W93NhXuh2J2o5cgh0FpVmVzV/NWQ3l594hYLIUQ1WQGOGmBBufmWbflyRv30uh+B2fJwm
lYZR31AEmAuLW4EXXLN+XZgMbMxmyIKZmA2BjXNinsZag5PJZ/t2W3mzjFyXGpgOguuC/oCcZI2ddWe9eVGXJ37oiG9/NlqzXFWZ91Hki5SLfFkyimOLHIC3
jzdSzIr1Yp1fDZInYzCQ03YUbM91D5W5kiiWqmMKdn2DMHV+mSplj3fGYUJVC1upebR1XHD/fKB8oXVdh/FW5YqOUm+JH3ZeZTx3LpAlZmR6Pmd1Z7djoF2E
jjSUtZWhmnaDf2kKVFhkr4bglyhQeXbGg1CI54MglnBq51pKiTRosWi1fumRxYbpcqdlxZg3d99PS5bJf4ad7HExUzKNsFZCeL2egInng1F0xJX5blpt7V12
aAOQbnLiio9eqFG9lfh7g2nLkmuG/5hChjSYQ3DAk0R1tZ4kVJRs34aaV5SJxnJFX/KBdXbhmiODg5TAdCZ0envXimlwapkrjCOMdosffWaZq4NThZxOFH4r
hVmYypAIlUKAeGWdhZ2GNXhvhkmDVIDZTgt53FXGVYh55otjUpl2kl90WU9iaGTgjQ+egVjsnHaPr142aT9kDl9ZnriHO4d2hc1Qg2jiZUVhbpVsXx1yqJxu
kmyCoHTGlf5WRHPRbuhz5JMZUViGpZe4j/tj6lCEUROcf2hrbSeDCYJFWNp2MU6Vc0BjxmOLloxTa1yClkZhcHTHfnmXOXsmZtiRj1PbfAeM4mbZc3hy6XKr
aaphmlbWcwKcAl6wfYJv1pIvUqto51a0VkeJKnl9h3WTfozFdjKHA3c0gkZiGXDBbtSJx1TfXspdeZC6k9N01J7LdQFsfXRgek2EcZqdmotVOZB4ZJNltGgN
kcuEnnFCVyWHoJLwaEJW15YnYzqP/IRyYNaWAI6bnwxuFpB5cQWcgIqSeuKXz2jre4dYYmVUaU2L+nmgZnJ5uoqWhbB9Hn0fjIlzhY0YkWVbGWS3ds+BDYWs
cUqbRFbYlM+bGInpgiaGulPekUJt9ZNsgoCJCJ1IgSli4FCeggNTP1NAhEiIsnu5cbSKl4GdgZZUmmpsVJtkLmiOb05UBl7ZV0pjTYTwhHR6ZWH0mM9yjmNO
XhFibWKqjb5oEoIEjRmYAnNDbqx5B5dGcdR2ZZmEWEJkmJm3j0eX1nAdg+eQ+XIiiiaelJZMZVtSinEHWYKTp07CZGibR1NCdNtYDFgwlO2F7Xrla0qGYn40
ZhmeV3DSeSFhi2nYXR6BmWZzhdFlXFWrhmeFOVn9gZqdem6SUWFw03YYg2KEd3Y6eQiWCZYKdcJp3nxZUK9m7WJUgMJXQIuch0KVlJWVWu1WjGXJfodu62wd
TiN7yp5cippRYmBjfSeWC1FjbkNc71KcdUZoJ4radGeZVHPZcH6WkZLyc0uFJ5ySlhBaj4pOZQiPUnnKgvRRIFNId0RybWeXe+aBn1SfYGhRaGXSjiNzIn5P
YiiWE4CMcI9qTI6vlhSF2orej1RkPpENnVFytG6YWvBcY2O4bpmENnJElhV1/Gb8cQxoKZYYXT5xxZUSZ56YnlNRV9p/92ffbr1cZISimB6eYl1pgqpvmm6+
Vt9/RpZVfSlcLmDea9ySlGJ2lhqBKplcc++Si2/9dhqCO4apWFBo1FN7lhxieU8FnWlu4W7Hd/KJ7XPzkUuN85KXXvKSm5f/Za9RB3aOYOlYtGTmjnqOe2Tn
YwNx7pmJndFqjJoajx5U/Z44mSOZJFKGkrB8k5y2XRF5EWpeizN7tZR/cxFWF3qIbEx51JHhbE15+Hd9U+Vxb3+zbI5bDWDrj2ecPmDsYO2Kq32VUQZXi408
m4udWmzLms1d307ojyaPJ3JDnimQy2sjhtx6EGphegSGfoZ/UYyS2oiMgg2dkZofWWCK6oN3cPhVA2TSnO9jgYS/bueIXWiqkGBi83+ocYlkg5K9j+WP5o3W
lViLsJzxkwuDwIpZiJ92j5kobE9jB29IjUCdXZDDm417m5G5ZRVg9FP/ZPBsmmsrXFGCYJOPZTSfxIcracKAGXGKjF1d8mpkjzB71IhfnkGIg4n7YcF6SW8O
kleQZl1TVQiAbmObjF6EIGLHkRFtQ2tbjoyMX5HAYg6d92wPWSiPMWZejBmRwXO2YeySXWSGdadq4oc0T9xdGHHdbg5lnIlXjGlXOIvPYwtT514zi5Vog1ay
XYV7bH6XgRiMan6Yj4VT0JJjkmSUtmuzl65fEH/lermP3F8RgyFTw4Jjj9p4hl+lixlUKmLKbeKc1FrJjTBk+l2GcQOQmo+QZLRotmd+UIWVvJ13iseJIYIR
jHx5U3lUUzWRx2plamqXuXWTgb+K+JoGach+nYCedWNkkJBzmtWKalxWfu2F6JLIcZGddmkNmZJghk97Y6WYrHfgg9RxOFDOYBiJTIcEU+iCAlvYUe9k2o8G
jRWMJ4x9mPhisGLMjH6Yzo/Zd7KCE36ek1aRFHYzcMaWAYv0gHxf1ZJxfZhyRox/UJRRF1a8c35niIQ9lNpy7XpjhdCU24dta8Ce3pj5Y+2UH5yJTpqK/nKC
Yhx5gIAaamt02m4agklXEpnfZ4+MkYySjJOU3I7hVRxkulNyk56Gv3/pkneRRX2sbBxYuVsagtNokV0ihPVxUJfXcbmIuIJrXSNcW5J4kUZu6XWChy6U7mpt
dapqUGjIlgaX2JT8kPpusoacmZZSjIXyjJp/zp78cNplI51kj05yKopylP2PEZrbZWRXm3kkbrOAxo3pYtWRH2ngVWZYn5NeYtZu7FEjgIlwhndIT7KBHnPb
bmZOjZEkbbGEzHFecJVzKGvRcWySh4ywj1Vyu5OwUnOAA5ihbu1W4WvdVT5g32tWVAl2BIcobu+dbG7kcjdXFpgBmsOaxHmcm4d6BVRRmCtOKor2YixrwWvL
XkKTbk75WbeTc5MCnzuEm1v/ebxWBmylmWRZ131vlkh9iXsFTzd51lPUZ3Z5q1qFVgCXNJoHUM9Z2E9hUfBWApbOls9akpF9VKt5CnkLe0hqc3dQhkN3Z28h
gD904FyMdQl3fl76jA2STl9OT8mFE2fvYESW4F9Rgxl3bFkOfNx/rn99nsWHZ4xSdPRs/Xzli+9gdIxrb85v03uwZf1fBZv2T/Z/h1ZDWoZrNmchZ3ddWnrw
bLVq6GycVZONFk/ldGFpfXRxgVGK/3UWWwCIuX3HaG+Mm3CHWpNxnHmvexJSBYyxVUiKoG3fVUl/pX+kTuJccH7MZpBTE543Tm9fS530YP10dZaYbIxRzGNm
kaGVVWRInfWY2W2NeQ9Y4G2OnNx3fE/Eeolq3ZPxgxV6A403iYxjlXH2XNt6qnhUkzqW2F/8kQhqt1gVUdBtO43ReOtkWGLmaKVij5rOZlORVoH1hleAZoP+
iJpvPVqAjT2DTG1jm4yXjoYClxZQZnTzjFNrdW/GjUGVXYW7bvdP0ZxRkeWBtnBNYguN12n2ealcuI6NTx18MnhAUQ+Vom5/cYxncH1jbguSZWGjnwN17lOM
k8qcXZuTkYt11VJQVvGCgnGNWWJ0LWOhntVhUorAXVaLfZg4j4+dPnUEivdV444PiSCRr3f8judnHmNZUMuWq5avdV5S+5MahgdR6XbiZA+YRIVadIeYRVev
l8aDVWJJfWeUwZs4UppiT3TVakRoWnc1moxTOE6bTpZiTFcgUAhrwlCfUJVkuHvIcbWQf4izk1lxS4TIjqCEClr8aO9fe2uFWoplXW1tjeWPSIZRjeaRHHj6
UNRlynk1ddtxm3gUYP+EC3MjhlOOJXX9f/hkT3gVdECN8Hxua+KQsnaFnnJzzHMXl4OFg4o4fs1eiFnub1tOzmXoYxpZHFX3XrlqjZcEfHiXBZKxdHZjH4vo
XaKLNGltkYNRUFDzT2SYhWuZdZxrmon2Z2d1TlgBezeKrGRUjfh9YXH7V8OUi05je2JZdF3gkLOM2FGwVpZf/2dFgnN7mlZ4bKZ/8IMagr2T+588ZxR2poH2
cn1QYZsimyNrnFwvcp9pkGjbZ/dwTmD1jX2c8l/ikbqQApK+kEZ0WoWKnTx+G5VekThPjFv9jmmTDI1CYvRhEFUpkGFPJXoxb0BYPJWzZYuLOVtsVIVZKYvw
i81UgmwQdVZP1oiEjglVv2HtkLeR637jkNBu/HAUkAVd83JPkYSMYHIJb89pxXDphi6GL11UifxZens7ml+BkXasl69qyFQNboN2rYM6ipCIB1XDn4RQGlRU
Y8R8Pluzbg9TkXw/UBuKEnNoVtRgwJIpWZFP3XGrfiJ6unmef72eS34jXDBplX6ZWqVpemWQl3J1PXVkVjKQm4ebj5FXz4Cfdq9nf4rIgOtkkY8EVeRnxZ3V
U8RxBH+NjUxayphtkYx4EWOmlb2XNWS1gQGBk3Jbg1uAfYY2kyCLIIv1m0Fp0JYDdHyHPXJehwVwcm7/YRmIFH1wV1Zru5rHkyFONVFbhCxTqm4bncJWvWmw
k9lXJla+fFFv4Goehjh+9JC8Tpxw7XWimpKVdZOflcqLBHOLi9VYupAJmeCRR388WGpxunFRfqeFs2S7YSN7yWohXFxp1XJlZhplXmoiTj9QtFKNf0CZhVhD
aMthe4bZZWVka4GehfOH/FWul0pp4XMkUWeEPotfn1huuIzvnp2QvoDvi51esm90WpRwkJyhgKdv95lXfqmH2mEshdluaXK8cylwlplabu6V4XYCjkN+rGDg
WKKZXmR2YIBR0VnDUdpj4Zv7exdPUH/7cKuJzJ/Jjkh81U84ejxcoFgCi3F5eZ/Kn8uJ2WOWcfyT/HtlVn5PEWtcU6NUtJ/MWF511lI+ngl7bVDQnSibOZ/N
VoKVw3ymjbhy/VlDeYF1uJ3DUCJx4pnpi/1651f5i3OV1ZI6XrNXuoL6h+6H72HxU6WDDX5kgsJTY1NkgPODIoV4gtGWfoSCc1ReIpZgUBZdgnjxh+WWlmdD
gq6aAllsXcZ3zFlue0yIfGQfiH2baZkldbBQW1BccomRLHJKU753bZi/XHdd4V+gh+lpbmlvf6eK613ih+p3blsgedhoOonAV45303JNT/ybVlW9d3B3cVLE
h+1elVBnV5GcXnP+fDNz/3m4k8tcNmQkgoSXKXdzbBKUo3JQgoVZzVVUZCZYQJ4LZgOKFGg+VJZTxolqb21mEFLxcmZZ34kyceVoS2hNVWh66FnkWeZ6zWkk
WBiEJIQlnIGUHXgbd7lZ71A+aPpxPF77X09qmJ0QjWSCF5AWeVZwOZK2VEGWnk7UaXBrnXwijStXK1BilIxwQJ8BVf1dS52TehF6rl7CbKpWbpDjm9JYBZtX
XBycJ4dwartmWVzjaryB+GcYkLSaIVGieLSbtJY8ajN/g4dxiI6UCmj+irhlGIahktxVCZxfYuKRlnWQWm1qPo6PiMWI6HT4etKOkIW8XbBwYZxvV19bL4wc
gb1vKIQEZI6NsZTCUBOaq2DBhrRc6XRvca1UvWbRiApOVVUPUIZQh3awYHha2VthismW+Vc6kZidYlb0V++DBZzWVRWXx2NbXVxuXpLKVC6JAJdzYYiLPGSU
bUhnU5VHlNBzA4GEa8NVGoyKYLWU3YsjZnRWA08sZUtyX1MfhAh5WVlSV6pRS4ammrFRGYMLVvx0TpTvnwdVRpqymjmFdoGbf7dZsnMFcwZ3PX41lZGWKGTA
XhlxU3KtfchyaG8vjcVc7Vf6ladi004ZTzCNxmC2YWJ5L5flip6VBJZQethvlXB/hExYNXHXWYRx2G6WUUxm91TFkuiQxmkSm6V1SHCdZdpunWYxWViQx5Yu
lZl/TJZZhqpZXHRSc/Zz91GrUa9hO07pXBNYtVwUTwtPDFFDZkuZipmLdSlYsHmWaPtkpGEMVpdx/l8WdyRmVGisenlfGk4SW25iZmISUHqKE1VXfUmMd04Y
jslibmTjYm+ZuFcoYnGOzZOhe41ic2jNTkGPnGTlcJd7H2K+aPV6pF7QehKdImv1fupXSH/EmfpgXWv5a/qdK5n9YGSawlqVdrd8eZXtlwdPt5q7nLl6PWKQ
lfBimJSZUbSKBGKZToeaXJHpZ21inpb4bbtcfF6mWJF5vl40fuuDNViUc26aYXW2b+Fpq5B6Z4V5xWDZTlxzHZBPnQVYa05fYGlwmHd5WfBe5JAXdOqKVJvq
fJSYXofrjixbBo9ojQJ5111MWw52p3bZgy2DvJjAdmh5t1yhdnpX5XVRdS9sbY3+bReDwZKjm46TPoLDZbxXp5tYbaNqvYL9lAWDLnWNdyWdlJspmyp2Q4PC
mAhZxHhqnseeyFPmmhGQzVGOdhFyoYXMiKJ151npWSp4HnbdkNFUtW2la3l3VZtyiD6Sv5Iedyuc43cmmxyblHVfhh2CfmITZI9ZM1SoV2Bre1tvdMWOC4xs
bjNujme+ghKIC2F5ihVvv4PVfp9xkpGNaf2bnG/Xbo+F6Wt/hK6Fzlp8UIh64HeLZYV4cHNvlMNpQFJfnROXOmWHdIiNZ4+zZP5hepksVlFngHWUWqdjXJCd
iBVt018fgQN1PpB7XCSLmnZzVXVt8XXoi25tKlhlVBBsvYVujTJ+onc+duh0uF05mbmas5TwWZZtG3c/hLdWwnLcVMB0uXsbVGNhJHW7iiiBCHssjJx9yXvL
nXxYyYLyhLhxdVQIjcdscpOikISIu3dccb1hXmghk61OQmVqmk5n12Bqmt5/QnVxVXeBhnkCkSGTYWXOdcd2T3tCdlBvmG2ya9iQq3ZRZdtzK3XNcr1g4XTM
jPJV1IcpbHWdgHUHaYppkZewhMSZrGvlg5CUOoLkm8djVYLmlh5rAJz5aK1XYVrCTiBozJnhmHpPAoNqWgN8j2XrnqtevYwOmuhtL178jP1cTW2fWFd0d4Gz
V+ZrnnBBXaZ2qFuAY/xsd5wjfJhsX2lxUVFbkJGneoqa6ZHmheCdvVPzWw+J0JJTaYtdTVwsdyeaEmq+l5Vsq4mQiZFZD5o2mytbmV3sd3KdlW5TUMh5QntQ
ekdx/3oTb157nFG1e52CxJkXTitwT3KiiKCWgHBQbaRVpWz8f4SdP22GYRNboHf6fMRzY2U4Tixfj5Vnj6yR7FpIekqMYW9BYyyEw41EfZt+i4rwfbqUpGz+
jpF/v1N/bwBjDJcqjpKNSHT+dFuWcVP2VAKLlnJRljF09X/AkmaBvm4pl7FVDGQAczxUN2e/eViFNp5MbQB6XZHIngxtC1SGfEOfBH6Aca5r+FG+WgtlhlmT
Z4Fiy3NwTjKF6n/Fb7dPvJVtWuiL8nxEdCKKFllmd/9P4XyjVDiA7JH5WdpaDZ0NiZhpSZW/UONs4VCWivqEyZtCWsyNT1hjh514E3p9Z81ZPobjUwCH93yn
WxddXZDYf8t/zHR9X9d4i4WtW3RWhHJghPGHCU9uZBJ6mIrPgWtvj1dYh/mNUYyLcM15xoqYmONa2pr8bL5uVZ3Ekydhc53HU0N8rU6dek9yj3NHbHNWDFQ7
lY5vkVEafK53A3yvVyKe5H6FVmd0HmYhgi9vMH89meJYymgijR9xvloShsNkwXnImRx9rljccIBoI2iTjJ2an33KWwFn2JfhnhZiuGzlmbtvcWlVVa+TsX/Q
WGyUVGhMeqF6opfmezNbyk5EbMNnm5fngPB1yHoVVo9SAJLpdI5SS43JbbNvdm+ZnKVwkXCZXGV/03oWleJwnnK+cr93SlIKhJVg4m7EUkySDYOkg59wC4Ba
gpOYg4UKfBKGRHSDjyGS+o14fB58H5wdUAta5JzdgEaTxYN4luGcSogjXeNeT3Yjnz2by4W/dYufkn8NY9ydkoLdheFWe1MXdetzt5dmjk2LzogceyGdlmE/
jUOb02bJX0GbLF9ChKppxoL/XpZuKFkrWIBlwIdUfEBgdmDTn15yFHNqUZJpzFiBm/dzaVMzUHubC2T7lsqNEJVDnodlxps6XgKYbovSjd+SyZvck9F1ZYTh
WTdP4p5Sm0OWembaX0WHBoTndIuGYF5pkJ98UpfijOhmG4UjU0RYMWFfhfRwHnkldfpYjXCIf/qYooe1mV9vsYCXl2OXDm/HjzJ+JGKCiN+P/4TTgCKI4J6s
UvRe0ZSAjXlRh3h6frJ+s5zNXTNiXZjBbKd2e5vMae1QQpvNl492JW1BT0p6jHg6cFGWoZ8meo1R23IAdyhUqnh8fhySpJ+AnFKb1IQ4aySer2WtZfRUVYij
nGBlrmKflTaeeJxhaP+ALVqylAudQGU5eRxeX4xtXy5vAV2xkWCEq3O4bipe12n6h5VUjoj8gmSErJGydCNzcWB5n4WAL54nT2tPHmYEm92cd24tb7h6Xmy2
UZNVWJ9fl7qFenQBjjmT1I0XUORm214NeuN5amkOnNee25BLVF1YlotTjb+ejZfQZuKQgJthnIpYmmdcZhFfNF81YF+AfoXugJVm6Gx/d5FSgnVunJxm3HOG
hXxmHJYpi1R+vYGcYtCU8WTCfgBmnoX1jqh7zGiUnjGIvJ9qc8WF9nkngaBla3/0eXGX6Hs0ZviJQYtVVGllz220c8dRJ4Gif/yeMnAFVw+Q6om7anR+j4xC
fpBtBpbygr5qF5NMVeGeHYjibyJ98Zozkz9Q30+Ck0BRj4nBnV5o3H3ZWaSLsmEUkw2cYlX+k1GIOWjhVf9qZo6TVIdtJVcQi39YJm04bLeeTZAqhXtgs228
Wm+eaJWki4CJyJGzlztrP36jkyiTKYg8U9+Xdof6WbNrS3F0jJSMK22+VgSawG18bX1yrlRnV0FxVJmXVxV9436qWnSZm3LWfgVwKlW0g25eSnzYVbpjJHwj
YkSDG1z8hGB2hn9UmnGdl3IBcqNRo2o0ajyahU8ShRtsE2MxiKWFQGo/WayUxIRtajp/V2lKe1Nav2/inc9S4Fi7V0uJ3WpObGtqT51XnVlvXXpTlw9U0l7B
dO2dW4n3WqJl9WirTtiFwGZVfj2a0IYOkYWeBZgwY91iNI7XUtlQaFBEZ7KUQ1ongfuDH1d8WOmdYHepVLZgKnBXffd2w096iCWFGF30UsdQBVwhV5Kes1ks
cgqZqHk9XfVgAlxTZxpe1lx9g5l1JXuTh8tncX6TcqR2xFDJdFxhU38UVNeVP5NTjdtQSH6UbjpYwY7CaZZ/iIYQgLhcI22HnZ+IwWX+V5ViOVLNnOZtJm6E
UHyB3Fg/m5lSz120mMuJAXmfb9hvA2sEYMJnxmHyiKeNTZx4VI+FwYPWnaWfho7HgmaIcFLQkfJfRG1mXslVWW2IXxKYzHl7fO2OyGfHe6tuhp8WUEpQl1CY
X5GGg2CmlvpnhliXYDVU3ZugfoGB150Uc3lR8WYKca+Fw2wWXg6aCmA2bQx9HHz0bBdWJWDDmBdS058yUg2ZsH37ibd0NVfxjpyBHGgTkKBQ0YYTjjuN4nt2
m0WPlWOrlCCdqZh5VjNz1Yu4WjWEymZ1aUFkvI+WdZdchFXtndp68V1fnWNkvX3+Y11+unZ/fVFgOG32g/Ny/pjTYrSHDZiaVUdfI1zVgR2bol/2eMl9U47L
VxNy0HpnWqpweVCnnlhVloHdVOKdrn1zcq9usGeQUkVv6mVmUKhY91bDkdJ6aFKDndx6w3scWleX6XaYiSyZuoHeYWCUKmPvU3NtK1b9e3uZlWYiYUeFtHL/
UtVzjHiNhiVXFFmahiZvYlrQnbGOqVIBdj6B31htcVhX/FmFXj9n2XbQbf1X2GiYWLxkxIYUbzGZPI6wc5OD7Zk9fLV5rXxdea5e3WtRc5RzjpIFUg5YRYFJ
nbZf93z+cOFSR50wbpqD9G6/bf+XUpidYlWbTYaNh9t41VVpZoOUMHxnh3+d4p0yXEOFdJ0xfVqeZYeBc51zLGfkibmWG5f2bp9ywn4GcOZuyH0EmKScy39K
cOdQ3FrUn0pwBoT+dEaWHZimnmeYAHYJWOFcToK2muqCv3lJYpFvo418nrB4N1dUmqd83ZoqUEVPOowWgbdseICZXS1QaVctla2a7nYShp1j3k7ZcFhexGss
e593LFbpmj+dJVS3hZGIP3BZjG6FlGMyiKaeglLImJGc/XGsne1PE28dXTZb6n8VYqVxF44QXgNxGFKHaf5wF5iUc3pq63xKVztPH5qNcbCfBWoBYalkAoFW
gVeHClDmgKF2amNekE2fBmOsaBSZO1aHb+SPSV29eW1P7WBhj/5fJIcOfv1nJ1KmnfGHEXX2gVldPJl6bIBocHcEgVqBW3lwjKNxHWhybXBSEmRwhE+fC44m
eXKJL3jacJqfnVj+eNuIQ27xdhyE0mp1jPhfx5uoaneW2Wa2Uw2dH5EymHhjJZb0YpKJ+IBHi1CLNn7bd6aec4jWeRNdkma9hBxWPnqOm3GBuGMpnChmVlz/
mMSASVgGaZKFi1ykhi1XLmqQmQ9PCGmhXa2cY3wAnrdVUGMtmRBvpo0GXfaPM4LJUbmdmX8RcgudmoJ9XumS3V33iZSbWlfJVcCDTpy+jaufP2pWT0x/N3ct
hGafWm2mafeATmI6jzhpOZ1DVVVgnE8Ua7Rtp2OiVqNkXl+mhzVpOm1GaLJ/iV6edF2Q1FAPjgxd/1+UWkuAcohAlUBvio85a3yQb16XWc6IwoTdaGiOTmU9
a7Wb+GfIa4BUvnZhm3dzu1SQfu6EKk9fiMOOmGRgfg9fuI/9h5yI3I8FYzeNEV4EiGCFz1rpbi5dtWn/Y+Sb3pHzamhdembSkHSAMJ7cVA9bQ3Bzc9JxGlVd
f6qCf3xLfEyeJXxNihd9TY4WhAmKk36Ch1aKGF8HikpQFZ4PUmFhqlc8dBpygXyEmnhQmVZich52SHwIffyH+J7dYXGfF4yAno6PwXEmaaxcu4D0drKXyJ76
XFdz05B8lcSCW3y0kIGOPGeJbOKOGYDtdklmElrOVTtZRHazdnaYSo9DT5eE8n67UNJkeF+pVr92ZIsAXm2K0ojTX/R2gI8LcQae31D9mPqVSYehYIqck5j7
VGFTQVfTjVKYS577kDODKYptX6qQoZYHadmU8p4ReHNPW2BgecedLmeRVnJ/loSgmP2NVFcjjJWAf4dAXnSY1FQTXzeA3mOwmTmHeI4dhbGbY58Ih0Fk21Jn
UKldjFb+b+uGJ5I2jOufCm9wa4Z9VnTdnAZzxneSex1w1HX3kN2e/WYjggaF91xfc9hQHJPbgXl3XZMrfZFlk42PZu6B25AOf+qQ3oX7fbGZ5J+Km+SCMoFc
ccCX6lw+cVlWaJ9xaCiAF1N1gPmQD2VsZDKfRoykfZOZCFesgytlb40jgaFn2mhOZHGZh1bHj1Zoz1C4WDeVCnkrhfyVC4HhkDhm/VFqfThuwHvPkSWfSHxo
enCTY3dLb6+PFp9JbbWWk5CGb3eNmFNTaNJzLVNUleZSVoAEjZyfU59LdGhwB1ijbuZvg3EPhM9qcZbvYxadFo1zYoSYd2ZIifFtmmangDyKp5i8YxtWOnqD
ga9e93ehgECe/3QMXPecGYsxXJ2dhZtoeRCEEo35XuWPIl3WcPefOYK3jP6byJy3nRtPSF3XVbeCeZSBaepXu09egGdpKW0/gBVZwWIzZS5fk5DMaGV0Vmuf
aKaIvl+0joZrdpADjQWF1IcyZr6Hj2bKkGdyDJW6kGh8gVy0Vl6CWmFrgyiKiHZFhANQDlVRh1Jyf3+pns6ac4oLc82eB555bN2ONWd4dl9u0oeWdn5l/5jy
ZT6E3ls+WsZQ+Y4NX/CeCmR3WTRzvFDMdq6YOWnNXmaA2ptgXYdXGl8wUzZv2ZTFZ4JRWXsNdNZva5XFhiN3WIF3jwxxTIInmd1oRX03fa1kaWjJn0ddlI8j
Xv1dl3+0XZh8s1G6e26ObJrgXwiVxpXLfoiNamDan3KGxVRofLCLdJXdb3iGzHMuYOSKPoo9XvSKQmH6dCt0LF3kgrhcHWAonXNqv3UNYEd2qV8ATvtgm4eX
a31eAIMGki2a1p9gYJ2eTpe7nHlObVwlbtWERYToer50jHKDTv9cJ2/sU+CLBVCgZu+Z41UycodmJGuHdj+a33Q5esdmNmY8c/CSq3YNfVxXjHV5kryWw5bA
XRNO2l8Xku1gSH1imWVfGHINlKWdm1jWj+d9jZQPjg6Ac3/bf9x9j2RhhiCOEZTGkvN9cX0glz9fq2lOhu2YUIyWXGGCCV0mggpw9G91X615MX2ZU4SXXl/n
lI1VKothXQBjKlUFVQZXL134jUVP/ZSmbk6Up3qQcg5yipxkfziMvI8Ajk+Mb4xwbMd922U/ZPWOlIHWYzhoQFjxVz1c0liYgdhVFp2qZ8+QolUbevKe4In/
ZQNjX2K1YtFiIU6eexCU/nDVY2FOoXHBekF95E6kXD+U/2VwkKxYoJNibzhvN2yWdTGbCHwnYABgA2ABWcVZz1vdhH6A53fDd8Rau2+GiFuesV+iU+1iYpjF
Tvx6kZQMhRl/YGcbay1lo1WNb0p0JGZuhut5j3LueTRoW3n2mgty8GYob1Fl05aUd0xkQFv3lHFZ8pNvV3qFP34dmMZU7lfnV+hjK1+1m+552Xi1V+qbW1QA
cg+blZbGidJxPXKlm/N47ogdW+uRsIhJYYSQcHC6YmmDO3GTe0pqAmtAUEtZFWGbiz2QfXtRVrVaDnhFiHdrCVbAbb1wzm33VsFwz4tvbfhw1nDbVsROn4Mk
hUaIYm3+eM+cB1f9eP196XhiiGOIZXLDl4WXgprRhRaFh5THhZ6FHprXmtiArZRib6Bl6X7PbOhSt19NUc1kfGSeVOeAQY7PgM6dDphjWq5e+IBkXrpS5ouK
U5xgQ5vJYeFdo1zEXRJ6GXn5Z2hclp4clpt3ok6AbOl/31/Il4uLT5MFfCB6q30tjEOMRFzcbOpqFYaUgveczJqljvGC+4rsnSBZwlgDXN5O6lHVfzGH7E/L
YIKGdp6tXMqbznhne2OeyV4qefqbJI2nn5N6G2dGgzKbz095d29/DmOXbKhU7JWekBmSonKgWkJsLHMTai55Q5G7eeRtVpQGYPZhwF9TWkZUsWiBj9OP1Fvm
TnVi9Xr2eC+eymERVIOIOJvVVzB1U475VzGO+nSmdKRmlI77eOdtZIEwmXJ8KHgLdhN5G3PjiiJR4ItSigyP6WiuajuWx2LuV2dxjoH5iIV1V1ZBgwB9L1ix
a11W8o/oj4KJf3n9VIh4I3u/WmuJgHireA160WBOdC5wWnDqmqpXOWkLcSSEo3q7UTJ0GXr3b4tt7lYiWCOICHgkaft3sW5bk5SRxoBPgwFWX144XjVqyVzG
fWiKJFpMerxhl57WWgqLmHVmeESd1lUQVuZ0MnmNWThOVo+SeBKEboSMd+GY9ZzVgKBbtIE/iQKS/2gEispot5crZyJay1CJU6ZeZ44SeHF2YonUh3OJRU9i
fTRzvonVhAWHB4Wkng1feJTRUfJxQ2Zver+PB18gc8JRb3mCU6tzf2GdeedV2lEYaFxduocLdv6MjJ3Fc9Zoj5Yzc6eci5D/V0xx44i6eml4dVXccVJXP2El
jqSHblxdnAVokoIuY5BXPoEPjj2F2107ldOCB521WA5tbnkmiWdw3FCwlk9rzFXRlQBrbW5kcPGBeoloYGV8XldEUXSRIHgai56Zdo4kUSSPxG11bmeR1HMq
ZdmZE3RQf0uZd3PxeE+ZFFQWfNmLjWEDmWhxv2EAnr5on3i2VXlmzV8cVXp2SnjKnDKcU19taAVZ0Jvaj+uGhJtIapaN+pcIUueTQZcQVSuNCo0LaqSXPJd0
j8JrCmqpj4iCioKPgpRqjoPDhqKEJoPdiAyG5Hvje+RgxWQziBZV74SzjU6L9pzqWHZV5oH3lD5cUHmYhpdcUk87VediNVylTyZQRnMVnLxn+FKWchCdYZmp
W1FR4Y2sX4lV6I1Gcxh+mnnujHFtT14FmZNde2/agmeXNm8EiIeXvIrLUfN12HiYas9kvoP7bONQ/nePWd1Ym09wUvCU84ViUp1Sr3LxV9aRAZNfVTNYvVhG
fYpzTpRVZoJoLGXUdct8aXNQcy9TV4SYX5hxEGdpZ5KBiZJYXfl7UpKDkpNSslK6lGBvWohZaHZOKHe3iB5od2kZelCJ8pRoUw92QXYKXrV8z5eGl4eCcI/M
Wqtj0Xx1dOWev2UvhcWcM44rUD9dzIleiqiLw5vAfJCB7IsyfT6AI13NbRZpanMNkFRl6n4YfBiR21z4TtGA/Y9iZqxj+WP6XIqMC2uXX/qcGpi9fhlOq1WG
dSqRgVzXgFxiLlarlVaWvlDvlHJ96IqpcDN60FuNjfdTnVKTnYaFd4eMmGV/7nH3hnyCcVjidnB+c3A6ln9so3d/T8pPd1/9dqWUO5Q8axt7LoESbTx47HhV
UdJRiIHvj/mTO416T/pjIJWwmhBaHWq4Wbp4rl6+Y397XHVPXdiDFmAkUF2K6V3Znjx1LFx1Zw91CnULTudWfHcenmtZDFTQZrdp63KcVq54oJg6kPCV736R
X2Z22nBCgGiVnF+bfUBTG1Qcl5BiPp7AcYKLyma4YQ1WoGeuVn1gDGDydO5S92h+aH9d5ZcRnTqecGg4ZROVLVL4XB6AaYCzVSd0/4ibnN581p1ckTNkWV2n
f3tekld7ae6Pu1XwUrNp71vkTnN9t1TTgCln8IeOZJ97ZHBDaYxvPoRhnedXjWcwgApQY1LCfbhlMGa5WFmewYBqZX2PqHRXlfGRNGm+hgOVLnSZYyadIZNN
WrGKsm/IWmVdq4AslV9imlAzUjuY21jniPeFyoXLVH1UHovLUUaMVF+2cFJ7vp2YdylwU53qn4GJe37cgbmGGVQfelVrAXVUdbOPvWnxU/WCxWvykeeIa5ai
V21gvmIMlsRXbmc0ijuFjHkUgmGOBm8XXe1ba3cqi1lpL3fUd4FsYG53cLeDfYt5iRqNfmW9lqOV8pW0X+lWP3T8dP1WoooNafhZLX8yWihncp8SYCtuT3Nk
auOK8Wv2eLluDGKge8GZKV8tYaRd+nQXU41VUoU0Vh6adHWhUmRO62/QiRxRu2IPT6R+S2trjGJ+HlkRaQB7wFhbaaN9u4aAX6NkCmAschFctX4hTlCKRVAZ
nRGRwp8nZ3Nxy4bRhCGH8FiSY8N8NGKhVzaHU1YsUHBTpGRbXOZugHv6dbR7aIq5WB6B0GRckh+UDYgmfDWKDlLJd8WbXIm0anqISHQvUHGUqHm5Uhd5/loI
lfSV9ZX2jo6BMX62bLCObYojl26XLF5gcQCQl5CYd9dSzot+Vk+OlZcbUM11Nk5TW6p0XpX6bjtuPGg9dmCfmJ+ZnyhPkICdjNyTlU5UfzlneV4Bc9Bp/Ho/
XVdjM2M0Y1qSZ4jpnZyeg442gFBfbny4fmx2FWSwgsx7wl6pWjGdJmgGisFR5YpkeZpmzmOjmXRnH1rHk1RsFFazf4qKZZsybcyIcWWEjN2DUnyibqee15L9
mBF1YJiphGdZNZ3UYLJ/8pDkU2dsP23vZARoVXLjisJ5tZbshVuVRINWVkWDhJitmztvGYC5dbdwa3+1hcKYRnBsaweMeE9sVYmQP4kDclZlx1lnfUqfKXug
V2KYE1WOl71tWXnCe8N7xHeuhMaMwl0ZmM2bm2eDZmqBG1KbW9d18GI/hgibPHbjhVyQdXJXjMNgLm79gHmLbF6vV3SDV4cAdEuA24YhkJxP45NFYVVQip74
YW+fm4gnUtF6M26pWDJm02/bgs9vEJe+chiV/3c2Wa2IKHUmiJBVx3pfTlhwwla2jON7b364aa1WSGlLipSJN1Ksl9GU0p6kcWhQi3NBkIhSQZqOb2x9g3TX
kfpyH2bPeydhcmH9WPKFpXN7gqOCR1jzdpORFXTYUfRZP1djmxaC0pDZivtjqE6XdhZy6lb1nMFSZnuLaFh2NFa3eKVlTGuDlXBoDnh4hDCVRWGcVCtj64HA
bSh9TnRwmWmZsX2AWlVw7nHgbSlOIVCab+WK02Z2fSGDPlHEdbx5kFNuWWiRZmiQgPaA92+Ql0B9w1WUZBNninScmNBPfZa0fztzh4AOZVVbu4eiXNNrxJ9k
XDKAu10fbfmEtYD1kZmQNF5ua8VYZovUWjaE846ljRpyrIskgmp8U2eLmPyGC3Ijl9mNU4tyZndjQIUleSJvkpCmmP5Ow4zJYnJPhWJBTjuKcWVfZWBm6VaN
jjqKKXaUlPRvumhGUouC1H2HcNdsuphRV5mH1obvkOZQqppJhgyNjVxeWf6PSmBij0uESWgcYkJjDoE3j3SRGJNbTyCFcIRKkR1a7ntAith4+1VldJaAw3sY
hotm8JmGVDKbSVwCeGCWDF84Vt2OqnxaXCln0pCDbddmflDoWbV2O260ad9SoHaBfqh+AY3ncWF5kY3IhbVzqZUFkIWPHG/ylQZuWG+WaPBY+ZwvT76HfZNg
dwpkmVEhXECFcobGiTh+q33Liw5ybmVneYVfOpkCT5pwkoRNVZtOJHHmmYiQrX5Qbptl1Ym4jDCA+oD7fGJi/HMlhX6JQnXMmQV7fJeAkSJm+WpZkK53Dn7D
hX9qWnpxeNZSFH/5lRON7pdVavdw9XD2lZd9i5XecrWI2mQGmJ9yMX9EkzFcZnVzYiltw27BZv5YbnTfb7BveWUJXWqb5YsTbdyagWRBb/5nAHYDb5xkRnRB
Zjdt3nOeZ6aBOYeCb4B/q467lSFz9HWkUUFjeGO/czl5V3PLhNiOh30OVcFjh5AeV1xd+5AfkCZzPmPFlzdiamiIazphnk+ukf2afJp9bb9RZI0ghHtVNX7R
WYtmkn7TWfODRY0qa6Ca64KMlvVh456yYydlHXWxX42Fxo0sUxyDeZQ/dHiOVVyPW5pO21TvfOCLN4s4gP9PZXqvmImYimvzfCmIoZWDfCpSdpgxa6VlFn4f
fCuc4ZGGYkV3goo8XRRdFWI2X8yZgl5Tf+Jpdl3uVLJaX0+ljdh4QVfKfrSWp5oie2lU1ZblYqJh02sucFteWn/kmgRgBHq2ereNrZ2dWZBRR1GQYC2aQH8S
go2ITHISYE9YH2BQlfdwXFRXfxZ3V19vVqRlGWUadPleYZLEicRxj51Ek9CNsm49aIRwYpS3e3B8AWG1go6UEIpIdy9+m335YUN+nJxwdLNvQ5r2Zzh3/YTf
fEGPk2l7fu+CaJZ3ZzuJTVP3T+Rbc2IVhEaQuF1bgweDCF43jhOa4YvTXgZv3G8FUIxVj5gUlstpQlgkkfSIcll8iU5lG4uBm+CFN1y8atB2NXxOfE+XyWwY
bl912X1qhOmMgXQbcHRZ24gsh1duF2HzYhqXyk9tXMd6wIpsWviU05gZhj9/kn01gQJ4Rn5fivxxJ2GriehaK1u3Tz1ZQIpLUnqS45YCYYxTOVoPbmBsv2lD
juqIeHVBkDV2S5dBaRGDiJCjZL+SMlDTgKKKbl5vmEx1mIsBXhKAvI8NlrV+9XUXjTOVx4NeVTyG7p1JnuGHo15wmE1t1HW9bmNaiWOtfrxZ3nB1i4OYsH9Y
d+Jy71Y0gICWBGhDT1FvB3nxhPaMl1amjJiYUotlcNiFY08ugIOAhGZ8i7mQDWIifjaUJVAuZBSHD5RSWrZ3yWK2Y7FhInR+dumU9YtDlgiHeZzEUp6BeHxV
dMiIRIJKg+tSsFTCWUhOoHONiwqcnYcSVDB7EX8+esSXS2gkdDhy8n5FnMaVlmhJhIWLRo6riiubAJsadHJ0c2GPcml1GoyeVsVv7nTKjqxTyZqUdQKOd3dG
n1KE937Ah2ycCHptem5ozn9BUT1xWnnLYUiM7WafnclkxVzIbzJrzmvPZW2VeVNJaJmCM3gDjrGL1lU9kUiE+FWcVGpYR3Agj1eCNJRWaiRXnFNMfLFWdY5e
gqV0T344lhZTIHCJmdGQr3DinWWZv47rdQOPWHxqgI5n4HXeYlaAyGXWnmNpW3tDYoF2mlxpb5tpWm5sdtJv/1ZTcJt+x3jcczBauY64nVZyxHAAcsVdbJNt
esp36mBra2WV54RSjLVSfH9Nf6FaulJ9dMJ/UGlcnW2eM5EFZKB5THoceU+Pg5zndKhcDGwndpuNKI+fkhpsbphpfzNyE5DShGiNrojGjm5pDI23kY5jrosC
WJxVMYsGWJ6eIGL5f06TwJO+UiNe0pcJUTBTApPygfBUQF2oYWlc/YSAaSV3pJy6WASUjpzfnL1pcpwkjvx/4JvQgEh+CmmNa++YMnWMUx1OrHihZO5/4Wcc
iZJyPFfLT6Z6BpNQn5ZQaoJ8hs9rL2LEkPKQBJtZlAd5pFG2WNOJ0V5UYWycVJxlf+N52pSadTKJfHenX++Qzprvfw9P0pegjL117VHcUbxd/FT0VPBtRIBN
aGd8t2f8UeJpNlvoX1SAtZ1BYRWVN1JVcZBsLY/Gne5YPZAnbg1s9HikhGtnOW4rVJFwGGtegs17ql9wlMiXsptdclJ+8H/aZtSUyVInne+ErYHBf91wFXC7
cOttR2fAXZNTKFCNbhGHVZhwchlU9VOSVVpbJ1EzcSWCXXokeiVcupgVdExhrJIuWoeH0ZyCas2UTXxFYadgnmz1fAKH0oeeXmpVOo8/UOVZ3G4YWsCQCpAL
Ys2YcU9+T5Rea5c9iTWSMGT/T+ZVqnO/egpX8pjhhkpf9Vd/ZDmAgZhygN13yGpuhjdPL4lPVPeBbHiolcxpf3z3ZDxtS3DQbq1v5psOg2Bzw5T2WbmPT42Q
iwtRNVKuZh19koGqT3+OPlChXhpn053dZ9RXQmZ/V/uZHVxgUfyOdY95UUmAEHTJbrVOsJm8YWNSuYX4eShTLHDzULlpm1hEhE6G2lC6brleHYDHnDBa8oRQ
idaD7k8XjxRSCVRMbp5ywIzTjZpuxZsQV9xrEJlgg2dn5nnglR5uzJGejDuMPJNOXX2Gsl5iXY5ee08BYrxmOWY+Z+pgr1D3kllhFmurewF1M3Yodil2kIPH
hRxTJ3Qza7Z2LohBcMeTV5yDa/uMxoIUim+NG4gOl0du2VvCWqh+Enn3ZvF26pYNYBt/JZp+aeJgt1i+aCp0On9nZ5yKn2vZfyl0PW7egvVY/2C8Z+hgrJJN
YQp2IYOwUyNuz2uhZr+MvljqiAmXOGAZadZ/YmigftVpjlbqa6ycZlPuZlpgL1glnohZEoJBZCd/jl91g9dpYGFEX9NVyGlhZZ9+8o+UhaZ4R2YTc4CcjJn8
UKuPmmO0gktf2ZyikPtV04yplDFwpGvejLOSjYy3kdyR3VoFXlB+1n7XaNpjBma6XHiRWlmlY0pTHodjkBxpMJQIgEqRW5Vgghp8m4l9ZsCRXJVhW21dA5Gs
kvuFTYLslWiPa2utjsB4H1QklqicKY/VXKaPhFPPgpqR7YEnniaQSJSplKqFlVS5Yn+CzmKmkHGbXp2gm7ZgEJ65nrqaQ2BTXmNnwVnRchVZE5LucGN3/nnb
nSde6pS4azSTVZoklBGUEn9WmtR7cVB9j91/F07sV5afQIc2nXhWf5r3lnKQSpE9lMpk2WKrg9hS/o7bg1hi51MOYBRhRX+PZUZpRGQoXpiOUIprgtCdKYio
dfGaRXbyW7Vk/JH4j9Zgn1wOUaiIOpQYb42dRW2JbVCLtZe/h3Rm3ZyEgFVW9m8SW3VtklvUg96IiVgnT+dTOpbqbQJ93H4QhH9OWZd1jt5UlWl+jheLt4wo
X0aFT1IeZU1qRYS8m3mEvVqIZANTx4SkaU9s5H8dVtmOw4XvikyNwFzUVMGGY5TeeHSVdlmxetSeVFNvVBGeH2bjfAqGu54SitRq0X56WjebuJm0nxh89Z5V
cTVoFVXNYlB0J4LuUTRkL3r8l0JZ4JA2ewSD6JCng+lloGQwW8Oc6FlGjxBeFXvaiHloHXyFl9qelZ3IjOllYZVLTl2NwnfbVDFdf51MksuSeWTDkKhfgHlr
fAt3W5OoiwePl4d7nQaCMGfVe45t+2TcZc1fX5YOdfKOzHY8jOx9dVQUkQyHqYW2T3FU43z4g+xoXZhTj1Bi1IdDkyyTLXMKl05RIlbjfolv73cGdweCTJsC
dvVn25m9aRNw3XLzUo55hmF8jMyeXk6iTqNps5sDlC5jkWh1dLtT42ImZBZTdpA3meWBpYyqmf5a8Zu7eAVuult9ld9r0mYrn3to0FITZXGd34vZmdaaDYOM
feaGyJnXe9+DLJCwmZiGy1hNhf2N72YuaPRqJZqAd+iT4E4lmlF66WUkZDSVFJUVgjWAB3k5fTla9IZvY/OdCWJXTkWV42gtl+9n5WV4WpibBpDgmV1vnYL2
ixVTfHColDJRBZsHko5bzlVsixdVbZNlU1iACJWabspUTY8XeN9kUZlhlSNYUppYkphaoZHWZqRaAF5DgDRl32kaY0mHYoAFghV8iIltkU2UY5FOZqWAN2hR
ZSp5dmsVkZ94HJBAW2J0JY/NhUhdfIKSXJxrk5uwYEFientWnzeDb4/bmhuFhZtPWQOc61Z3fwSaylBUlHOT7G2Ab4eDsWCXg0ZpJmToVHWdN4K5ZCBYFmAI
f3dhNZEtlIKbsV6MjkpTCmWWkEOc8Glzi66XZH3VjBFfPpbiZTFtj4S6hUpb0351nT2fD3lhWoKeQlzMbNmKs5cXgq2C6FmmU2FxLZ4eheKGroLplJt3VlQl
Wcdk12f9jv+RCpOSivJboZehkJBTL556TlGSXlkude97ApAgdvlYS4WWjzqTEU9og8586HYraaZ0zpr4Z8l29Ia2mdV9v26qe9lrvJJ0fTaaR1RKYEJ84WMu
jS1mX2M5YddjDYyfjKBlqHFbYf5amXLGWmJoO3x7VPFwGVi2iepQLYR1jiFdZJymnKySmZKag5JVuGTxiWCUq4lhlKxndE7eY3Bbq1WKjmpkkmeEbO5emWs7
XbiMglFcYk2X0p1NZyhdJIyhUf2LJWRsUWVY+p7mXSiVDJw3T6FTFk52erh3qnqSYAV3rJbnWZJ3MIUfj+xkYm4SYqxiSnc3Tnt1P2/jeEhQTJd9ZymJInUF
esWMopUBa1B3RVWChslkUmvnT8WbJZgsXlFSVF/oh2iUCWI4if17OmXBXH6Go2DRmaqcZ1wLnaGDz1B+nolcDWFUewNQ4XSaV82DOG2oXOiISpQTVNh1N2LI
UH9zcnHeZUdemnr6nopnT5B2mc5ouF6bmWdoCJXIkWObeoKHUV1RXn7zgohV+plqnQFukZlQVqdUEoJSiA96Jl+sjcF0q2gWhfBecYbmVtpW25yNZhSasFqp
adqP11ZSmORPmZktbpNdjVKjZiWDQJUCnd5ed2AcgUiZvnFclQdPIVQ+iiycn54XUSWYtJnrWDiZWJKEe86CNooulhlp417vjcyZa1DBWpqEP5KMglOQ4XLb
XvGZbU/Cmx1eRpgjX+ZSU5mijaJPGpqmZbicP1x2hp97OFDdYAmdimDLXApn8U/0g72IR2FObaFXxHUwXN9iw5P9mcycVWdIZTWedHHcc1yZZp51XpRpw37k
m3NujYKDXmRapmYAhDuCUValUICc/l+neiJYCG6QXYieEF5sndiBRpm1knqZUZixmeqCMZYPXvBU/oxjgpt33YipjRJUWWLOVGSbDY1VhxOfIZ8gcERqeF5S
ms9e03x8ght+lZWEjdqee2uufj9U1lZvVENURFnSaspT0VjZjQyaRGu3mJJ/GGZrVNpVkGCIkQuei4gpW0BxlF7ahiRW94zHmtmFp5WPau5oF3/Nhy1WY1cn
c4F/Y1hnfr6eloemfyNVHmTJfcx9smjxmZmH3FwEmUyZTZ8reZdPom1CbKxbB2uvXa5UNme4XKqcKoZFmI9O/Xw2mJB9l4m1hoGUuXiHchZ1kU7tWbhtN4mW
ZyBWcXoNfLudomrLWWWb+V2yeb9rN4H9Ugx4Q2s1cGRflpQZZgVbU43gaIVbVJ1Gf5BtV524YVZ+oG3jjlFVEXNzevucemc8iEJSYGgHV6l9nlCOjYFbVWYG
auxm3oQtiQlVyWpGeMCOnVJCkPRXSXd1hC5xNJZ5aLxVXn2kd1mGZGgYfFSLhIrVVlVpUGZ4eMRq0njFdBxzgm/AZDprRVTgihp/lYeIUfefM33/lE9W+p7i
UmKe43p+nI6bnVlpnAOXSFszWxtV9JZ8nNhZR5oWVDxV3WgZYIuHEGsLXhafNFnhev6Ao3lsh6dTA4lHZ9ZYjFdafA2GaH12eI5ZVIeqZoB4zXnJckeZVVCx
VTRzj3FdVv+G8VfZhbeM7m3lZimcCX14WPt5zJ7ncN5QJJl7eJBRSolDavRYv1LijZNcYlWgnMlbA1HHVwFXAmvTa9Rx54ZNfbNrjHvgcTpbBFcIYNyZmlee
UL5Qv51ma1JVnX3nWwhVamYyi/+Yo3iRcehxnZwLcKWcqVNVVaJa04sWcsdx6Y2bixifRG7Lj11//YEreOCGcH9PZolXCldmjPNt4GvoceqCsl/NV+tdBH8T
h7lbQVtCX9RvCIAxdE1OImYVau+HIm0Nb0+SNXWDbIF/JnL0b1JbRZwKkoWHvFihlemX/FPxkaRhPGvwiu6Yi4+BV8aQjlx5gEuB+m2QhCKJYlQmV8xboner
fDd1EIDpbZF9FZ3OYwhjiH86balZFHIXV85OjJtfXH9tipLgektP3mAwYDF6CJ2jgJNbrE7unQycK5MSbLGUupxxg9l7clvsX+Nq6WjjYPhzdGxEf5Gc/5k2
nHuChnEzl8uCaZayiiWVjZr7ihleOX5gnQJ4SW+5mv2aenE2npJlBIpNVmRhrWxolFB6Zn1SYXR4jHt3YMRP6nQdeaxxHIDugKRmfZLMjcNV7lboVjZfgZa3
Yw+EMV51npdeF4smUAmaapdMiyeHRGBmm0uNV5hUc5BomlPhndCLD2WUkQKbBWjymn9SIG9GXSlcQXHDX4WBo2xsZHKUWGaEnhhb8pfwaC5jEm97ejhwpnCp
czFx61PvkZxhMZCKV7WAQp3MW5F0DoDmYwRgJmypcxSdC5wllI9jgptUcEWTCX5Ug8SZNJxWaN2c839+c11o3pr0XjFxLniIT99k9mFtiklxFlZgnoRW514H
ZmyLIYQrejSYSY1QmmVzg5r/cbuPY2AyVoBWg3rhn2FQ/G5hbmJWiJDnT09Q/1EAUQGQ6FECTzFWkFEDUQRUGYDQeR15H1N3VlhWV5O9gFlQxlDHg2uW7XE7
V4NTIl62fNCW8JbxfIyRUZPoYbF0n3vrmQyKUokYnhuV7leEmOlpuWIvkaJcbovlV4VbZWG6mxFXhmm6mF2KfXCzVM5T/nhliCKcQJPzal9nEFQbV7xb+Fjj
e5adi1m7maOHSYRbiY1/aWoqZRRaQ5bjdexQH2a7d7yT/mkqnftxg5FXiUqFS4O+h0x57GNteGhbEGpikMGRWFIalomOiH7diNudX37eWSNZJIj4ajWHxlpm
lESbFIiNYQKMF4PFVKWFjZmOf9dddHC4hj5lF3ATYElugVAGV3BrsFAgZIdXsnNllqmc+mnHl6JWVG3GiluHzJStV5OYX3QwUCp5ZJctWF+F11sTheWSKlXp
VNmHmJezg4CbM5asmPNbrVD6YbJbro1JZLF+7FiVV5eKkXfYlBRgFZMbVXtyjZFhhlxZOVTbmGCFn4ZzfTJ0e5McYNeaj06Yg99STVUXhaiZeZrkWxhZQXLr
VOFXV3G2n2+AFnz2kMSX05QhW7xxTWtMg+pQrJMBdKyPTIX5Yb6aSod3XAN2glDVUNhuUW/zmFiTMnRCcCOUdIhnWMN8cZY9gedh3Jb9dOGAr36NjDZtmF2e
bIlRT1yHj6B3nY9fguBPUpgkV0ZlsY7vT1iLqGsclplh3oZ5fq9QVXqEUYOCeE/Gic5ZBJ8Nk4Vxo22BYQudOINHbTCXjF6NYot975xBZk5kVWNoj6VoeYy6
YRp5W270Zy9tYZuybwaY65HiVHZaY4xJc69eK4vEXeZfP2JZbvVnMV+vbAaWH1HWjQNPzHBGmMJSPI69e/N6sH5XYYCc9IavnxB7XW54eDtUC5akUkOOLlfp
auSWTX2ck8xaUpIgdViBFU/XW6OEI2t6l2yY7WNWbceOMY4yhVSG/HbfjHKA0VXEnoWfFZOWi7OON5jHYmeWQVBJdThT2V22cWeVbp2/Y+V9n5HJmod0z32g
kExYxVC1kT9Qm5naipWbuXVAgiNxsXuMV/N1vpOjUrhtal1gdb+fGW2scPKZU1NGlo9mJpJ+U02ZVnIuZEyMsl1nmVtwn5a/WfR+2J5DejKdI5RFXsOXGGqR
kiGfW3URm3SQaVpsmzBdBZg0Xn6Y7oaYh+F8vImXn5ph1GAzhXl7hFVbmTd2729LVmFVXJbpiKqcLY2CaGlUl5WliQpo6HVpbUmFvW+ne8afY2HDknKDXHic
iplzhG7Wkc6HWXodmmhWSYa8n2WeE1b7bhyHqI3EWn1jspBOj7SG2H73VkqY/3uibMCFZHXzf5dVdldbmQCWgU6ImihhxIcUaHF7HlQ/l+tv8Jl8bzOT3mhz
UiFo84yrhspcFnkplRZwIWtTkoiVF3idgMqRJlVrko9yNHYFdgZ4no+JaPaB4HYIkpVQ8FJYg8iW6IPQg+9wDZzgk3xxMoylaYdpiF6ElEBxZlh3mrxZ9Xue
ft9O3F4umy2b707dc/teL3e+WaiCHH3RbSRV+Z61XG9kC2QMYhBfA3w4dPaAYFkvhRqNB5SuUxKDT4kWjGR5SnzmfuVn/nrdk3Rpl071XJBUKY+uWmCYk3zp
XbNSP3etj2xbcGu4WxRf8ZWHfRdPPIEygCRT0nkVXQaY3pRKfiV6k2GFYzWVamv3WauUu5y/jN5eqoBhZbOGmWyQmDtzGluvfiZbMJ6PeFqJBIPadrFgNGy4
chpRlIUgYFhR6nqUl8CFIZ+HUh2WsIf1Z1CbPYObg9ub/Gs4UymDWYNakNeavk+oYq1Qj4MjVZGDhVHrnaZVEpkRe4WIq30ZXgiaNHUnfO5eCXBtmJV6lZKm
T01Rv2lFX/OEb5ued3SM34zgWTpnI3eMhtNkY5RLhOJtqmwuT8FoCYiuj7BjO2i9VPZcD1+SUZWD4HdaZyWVcWv8nQBVQ45aiK93OW+oZguXzJB+gCaffZyF
fqGCIFUYjeGPsX+TepaITp1KjnN25m1UkyKNh425j+9r/VLub0RmcHrTgLp2F5PVlUhg+U5uWheWzIGVbJ19HXPlhOpODFmuYh2BBIPibQN+9o6hmv6QDJl1
h6RXdmCMY0+cw4jNc8B1bG8JiiePcZjRT+uMKoWul9RTO1oQUfhiHmc+Yz5XBl1hUyqKG5yPhPSQpGQVl3eILW2rnlZ0A4+yfkSDCmH1dASTdVWXmehq044a
W3Z0+nvlb+d53oEFVJhfR3Aah2tRgZ2sm3uI63KEn2drTVO8mGFoHl8JWbSHW1OsdB9hrnIkepxziG/tfXR7rGtudrSfaHpqTnx6nY4ekXid/2+rTgNtDoZm
bh1ai3grViaemJuhT/h4y58JVkuGwFoRfFZ9I54UZh6X22myYMZ1GVOUiBCMmXEIh1xgfFd3hHibSnOJddxzimQFUTZehm6HbPBckYwzd8qKKplSY8dYro2O
evNlp3E3XC11o2xHlc1Y3XEKYY2N6Fq4iQyKm57lXniApWaBW8ZsAFQ9h6uaDGPwks1a0Y1Yl01tBIMlZMaK2155msFS8n4Cg2NjEW3YiBF3Xn2vfbBjYojO
VsZkbZOudrZoJVrBaB+FO23ZY7WQqZsPaVabTFDWnMeem4/yk3Z1hHm2Tg9pgX1YdXCGOVedT3KNWnDfhjpsU3Jvky6Tsnk3i2aAiocWhjt9eXCKhMtWJ1IC
ec1XglAxgW5fCp6ci7uWEWTkiDJycGxIhhWBxoVlii1idJt/m4BvCpUImFaHJHjQjM1nKl9hdH9rYoVQn0KGPI1rXWWLKHeZc0+GPXmHnzaJLo/1YN2Q33EL
hAxOxXTLd0d0O1C2ixByclj9gV2e/pQvc5VOpm0FfXpXJHwPU7CG8nTellJTeF1mak1RJoR5cweQEFbIcraZWWgrUrFv+I1tjKxsgoShUCWatH1ZVGtzmmQX
ZoV70GVzfZR7iHHGgaSQEYFeVGxuAIT7cnR4BmTLey+F/lxnfc1/c5LQhvOOeGvaaJufdHFffgRvNFrzj3qZPmYvZ+GcyljNkXyWLVrca9t5OJk/e+GIUFxo
VG1Z/4I3bDRnn1zyhf9zUWtkZXaX8XDknmB9tGgvnmRvelDCiFFkc5O1WzVhsFhIa1VdKlefT++VGk5Gnu+RaFm2nbJi/Z4ZZjh43WK/Zdx+YlFrleVuAnj+
kDtoMGgxfTpTBZyrdpxwBG9+ZjqfTW22glR6dm5tWp2EzVZsc9xRLk+0c1KOKW13cshb0HMyj3ZoMm7wUgtnp5NmU1mORmgzjLhg5VKieOFvnlcLf1F54XRH
n0Vz9Zl+eONr6YcqnW5uzWmFXoKUN5seWfGatnt9cWWJFXzaVfiB8YEuXE9Zo3WdeUiSt1MRj6lepVI1hpVrJVsRU86cu3elT81e/k85fQyTT34Ja/GLr1/u
bI9cjWWyWlx5Ek70l5Z9D5uPfRBgSlG3bK17klIbUd2YjJ9Dd4OG0GdJWXWWpYhLUd5yAoTBfOJ1JE+jg8aQz4ZGUGt4PHqxWyqPrWybb0Jb/nT3kXWWyFSJ
ZzaTcnf7nGhYPoikc7lZqZU4bDqaBZ1CjNqIhloWjYBkDX+FgbxhtFmqX5B23puWgY5or5PNU2VVQYboTmqVaYC2naRvKXvii9BuhYdpcQFs/46WhjFwFpnn
VYthhl9DW3GQBldzdABdWI9tcoBsMmfCgQCHh28CfkFqzE4CfWubDHlnV3V1E0/3fEZYq2zgbhNTk4x5YHp0NFYknf5pp5x8jYNrbGWkeiOGtVoMaAprPHXX
nox9/ZXAbEZ9coTrW7hS732lnMJazYVhZLlkZE4NWrV1gHMEnpBc6nVqd0CbfFH5X3x4xocja2F4x3eYcmFfNk9vlN9nJlFfgIJRG4bwdNx0N1Ajlk5qSljb
nzWQ2nJnU0drzXF2e81zSFsCbrZ73lcHfXdYy2XQb3Jkbp5fcOCVCVMEUShualNWjkSamlOeapJOrVnTfx5xa3X/mpl1nnSEhImCD2W+dZ+R7lByYhFQc4H8
bDNskVAQYzaBC4FjjbONtGd6dseNL4SwWm6aCHgYmkZ6TI1echtQ+1CQgQxONmC0X3lfelwmVcpjS2EddsuBiG4vbxpzpIh1gdlq7ZiWmJdTcH9kceRTlYHj
bjCRz4tEkf5bxGWIl9yLRWNST4BjUH9mk0iLR08/Tn2KnJVPbkR/z263Wn5/mF1jh/140YZrbEliuX/RVg1guFpzfIZtwYcYYLp7GWx0jSVldFN5eupYb2R0
hm6LSYZMdZqEh4ILkdhiBFBQi1ZWCYEJin6Nn2McZ2R2umyNdaaaA3gWYQ6LNYZYdsBzomw5XB9fZ2KTbiVqeZiNbxhaepejkcNTjo0IizplgZHvkcRTZm6o
f2FlQG4+f8Firof2hl1/tmxxZGpeS15Bb1Ra3o98fMmMBF6jnDGVJ5KsWllbioMOTzJ6Hmz3mNaA5JwSeqVqD1yTkq2VKJtnaPlUTluOfwVZBZ84n41Zb3I6
TgGJhomHeqZRhF5HZq1zVXLMVBqPo1tKcwB3H2hjhBZbS437W+FhNpbzXo6CDGwHfdaPqlY7XlVQZI0+gg6DHJxLe7ZaXZhnm2xVhY3/WH14spjajdN6H1zk
nxGUnFrmdBCVNGrAVhxUIHqycgOHTo4Hc16DHo3ZlTmddJLAgFuNR1U4kl+VOoRpWNeXHHKmilyKXXi6WueF1U5rZKdpAYXWlYVeq5IrZPdfcZjfjB2Kuk4t
jQ2HAWbVmqxYg06QjROViYE0gBNxsok7WMZoxIXrhdhOvo3jXRt4XlvuZh9YiIzKlZKclGUHctKMrXA7cHpwgZ36YsWb1oYPa3d31ZSvf76SaH4nfOqP2JGX
ZmVgd2RfnH1gFmt+VoWWQmrOVZJjjJkbdGKXQ1VgWZeF02Ini5+Ej2DbVZ6ZHpZRZiqMplVncpNv9HfckPyZIWaKZouXX5cdkP53nF2agY93hYs7XQd55ZjI
cGVVE5KnchxvaU5lT4SMJFl9WGFj5owlWa+QLmbfd5BUL46imieIdpt9ejd1bXIgfAydA2XLgdpcvWNBmkuVTHhKna+JZnG8ciVaT5XOjCxyK4SOciyNWWND
lVB0rXSumOVykXXkUWmMLosRbkiVeozOlQ1OJlg5h4SOJ5fyc5tyt1fbZoZ56JLSTwN6o4qhXWuNJmcBdJd1znXPb39wrGXdTidc81fecslyNU5IXW1wr0+d
Ytli2mLcUap+UX5SakCH4ps+akJUXn6DakdqSFmDakuH5FyuXLlsn3X7dml2Z0+qk6SIEmV3k7ZfaFn2Uvx9GIBRWOtatIwegFJ+LGnOkOV5Fk72lYqBKHev
dzqfQVeYT06U1JNYh1hP6GkPYzx6CZKoUZaVSl99h1ppUY8OTlpOW2LjX+R8vVeafcSIYXS6ljWF0ogufeGQ220UUB2GaYJcUZluRWrXbm+PU4CmT11b237B
fsJiun3ld5Nq2GeTUNlY3meYiyuHRV/4hmxP7o8Tec5fhlC7bkmG9HL2YWV9zpDpZjNno2hPU4VXoGP1jfF9BVqeiddnqG7OioKAU14PdZV/sF9+itZ94mH3
U8huRoCsmQOCporfX4RPIodGX/mZBF8nULyK4YYAWpuJ2FqfiniAQ13nYfCKzJj2hz5qj2qTjYqPTY2RZiyVL5kamPeCdG9gemtkypXUmQZ6ck5hlVGOYWP2
k4tZ+X53bciOb4S0YdWQKJQakCtbgYVObeR8R2I7l8GJ/k8rWxZY9Ff0ed17hnI+VANqG2+pYrN9p1u9W3eK148PbkCC75QmlCdhvFrdl3h7VG+qXj1nP4jU
ZWJt1WdAdCmIilRlliqYsmOzYiNqI4k9iT57Pm6UiT+en56eVihaE26VhsRiJHz5bMFXQ5DFfhOUK4FDh65belvJkgCLXmxqll2dypIBjeqPh5RXmHSBb1lW
WVdoXm3Ab65vNXsgieF0vlcDkzNid33PYH+RZ5JCZXlThoDLddFRbI3ye0VzM27leOJ/o5ODWfh+dGHRjmiEspAakB2J+mBvWxJ8LE8nhUxiN5eXcxlyPXuC
ahhpO2c6iIhip5YiamdsspQbez1lSIk6YhaWI5YkbLuHpZZcW76dxpH7W3h4zHSwWVOBbWJ1b61TgoDJe0R/ol1OURBgh14KjTGaZlEUgTZO74aFcZZgjZDc
gmxrT1EfhPmK4JLPkzCFZ2xKhWhcQnJzjNBylHsTexRydlEpUSpRK3FiUSyBpl1uj/hdQZKymlpRCoEvazmE44VfkyNyXHsOURxRHVyvXERcw1ysg3qDc1Jr
ZfZaBoUXiYGaQYYFjliJY4BUl7RrgVUNlYtcgFyBhgmViIjYlByfnFCRaWKHP0+SVomIVIUiT5OD3FtWYcuAVogNaL5nPVGXkySIsFaKjluS5GuEXACSdW9n
jINSclHFeCVbv1JEbBtacYWvl0SD45MqZZJhr4PkaCCeFVGYjh9SRpOphsFcv5qTiwhgx1vFeVWZAWO2ZMeIVWVoZ5RjY05AhxVdCYsMYGdS84VRhxdSA18l
jSFt/HKShWaHX5Oziyl3C4cZdLxQt5fuj/ZptIFfbgGd4II4VR9YOpUYZjCAEVRullaHR4sUjmKaUl0KYc510JKQdxJTWo5jdEiZYnfug2laAmXjiXKPoYlf
jPmARJeKVP9cdJWCZ+yDsk+IhQ9bTJP0W/qAC45WYpRvZminjEpRjVG4Wmdbm5cZeCJsDGGlZY2OCmC/Uu1t8GBUhV1TNJOZdvtR7HJYj+1prnS2gVid23fs
g/ptyWGfji1dGlH1eFtQnFH6iQth2VzAZ5VOXk5DXnyNlJizj3VdK3s1j3d0eZe1XXdiF1jtiZma+VTckT6dp5vhejWPhoBigTWY4os+m/9YKnOllrNR9k+V
a72Jm5TVfxuLP38fald7lJq/mBp6J50sa0GdrXk+atR6mZlvZ11yIZtihoZecpLlg5xQoomciZ2FJHJidI16/4ddnJWAhYd6Wk6RGX9ygtVqWFwBYcxR+51O
lU10Y50EWDNhzXJqavKFR34UdPtvC2IliQ2QqolQbB5bg1Spj5tOGnORngCdCIKnewBuH4dgboie6GzmfF98YJJ/XMGBfJKAX4eTSYwxewhWyXsJfShcwmTM
fSZlqpdTh7F/m41cnupt2oCohPpgj4miYSuFaX0BVKGco3J1enSHfozRUrZalpKJmFmfHYF9gjl8bJynhJNznIzSdD6alXdJTsZSdFEtVsp/KlDAnKiX9JA6
ZBhRyIW4jrlxyJqCWwVyeYmkUuFZhmiciFKSkXREmlRqC5Ufk7eJg3s2nTOSlnLKc6uHg45HZwWEmWr7jNVkU3AIUS90dJeEiYSRUlTNfwaAXlHOc6GZboOV
hRBeTGq5nw6djImOeTxnVpSDV72OgXSFlTBogGQJdFhhx3r1UQtvyVSmklqPjX4LbA18OXw6bNyd/J7PhZJSbHsGnHJtzYF2jB9OvXJZfO+CIVEVdDZWuFNx
nS9m+oSRjkBgRYq7isOKxJcuXuuUvE6BiNJpfE+rT+lWc4e6WRZtOWG9fahjYG1YX3+JSF+6ev1QsmzCfMaXT4XccvVSBo6yT2NSB1Z0bXZRdXcPcWBy9462
WpyZbIXdh71Rd214czRfGV8bfd1sk33TbzaBh1EMbhBuFFjuXKeP8H/mdRRYK24ZUXBcMYgvepqemVwzf+iH1U+tUKN1GF4TW++Ahn8hX9iP8W5BZup6bJ23
gm2GKIfYcIJRcp7pWPx6b4U8m6N/mp7rhLln3ImvY7luaGqCfGtw45tkUXZ6dXSPgVJ0v3TAgayQPHGefQN9AnfrZHVuSnj/UXhxn3/+WmhacHgZY1GNIlp1
Yf9ad1p2aoNTwJf9l/5fa5J7Xj5+OWEqnuxylWEtgk2X9WE9dZJm1nxIXopt0mWRTvB7oXWWkC+SM46mcSiX44lAfA6KT3Epiw1ezlTGexVQvXcQZqCQOVV4
kkeaVZceWHmAJWlGTuBjPYmCWbBmm5CCW3lbuYHEYjyJZXdBaYCC8E8+mE56wXNEi0Bjr3McmRJcmV0gd7CWtnsHdwFit41WfyJh9nqeciaJn1HGfvh7eV4Y
UK1WmIsJatVZmE8AlrhhdnqfeH6PmIaIT69edpoXa0ZgOoOKWixX34ZqaVeEM2Nzjl9b8E5+ip2a3J1PlapxmHRkiL2Hu5UDUamK3GiVbTphJo2SX4JlHG9F
XhtsoI/zWzRsAYevdmaCbpoYhil+FZdQeCabBGF3X7uFfYvXfvqCCHu7ZJqIMXAfgceByGyhdclUnm/1nyKMp5Z9gtieoHxjm6SOYHgnVkxm+1mcfgNgfp0V
Wi5uiVzxeEyVDm4gc5ZqrFOXagZ0IHIvnxtv+XXfnu2cpHiCY8iXVFkXg2SC2mSbh7JjZI+dnVRua57umdBQ2lDbZJx/npnSinWKdpdWVjiAqVnlZM1xDZI7
fsR+xWfdUDJbzJLRXn2BRF7ejTSJsGO6g/CBH5Cxiyx9V2J4i7xcmoF+cnd0gIOOg2Vgu56jh4CGVJM0W36WXn0qfG2LLYEggt9w5U6nb2RlCnbTZwKINH8r
Z6SC23TBjNR++1E7ZwNm/51naFCP953LllealmyDkQRRP5f3fyyOeVHJaNWRSYW5ZM6fdoI8gj1cRWFmccmRSnZ4jPCZ5o5FXT9gvWN0bXGZ04F/mlZe4GFn
ljZwJFOxb4GEU05HgMxnBJCHY/eEVHCtcaBwrnadm06OZFvSczVg5nAJjZ2XClh4ZpaWrYlkcz1cmE7fYq9O/ntzeH1zG5axmhReaFHtT6ljcXq9hoJhHmlM
bJ6K0FvtiLGZz2NybWdm4GiJjYiaFY5ckUBfuW/ocNFnjHAbg4mIMGF1gcVklmv+ZuSWe35hcid8V58aXL5uHlOWYH14S3h/WZlqBILWg2Geml09WeJQMFOv
h6yLKopzgUJbx36/XnpkyH+ZaEpQ14F7TqV8YYZSYLmTL3nyZ5lvY1E6kQNRPnS9dtGWU4sSjM9hZII6ccefdWP0Xt9wIppTYMh4opRMXgtwbmp/Uh+SbV4s
WZRmB12JgNxey4NdXYp250+WmBib4mPufjFdu08ti0FnjYNfl9Vdm5MAa8Zrx3rVZEqbfk+YknaRd5u6XJJdi4tCeYNX1F9cgL5yKHaVXhSJoHa1cHtQ55yW
X12YG1aOfz+Op1TDWDRq1pNHYDucxZfdkqmX3pF5iE+X34f7lc9a24u6W/Fgjk48m+OSfWL6jq1nQXGZnVCSzoetY0R0ZYDEd19fYIAnaJaP9J0HVMR0ZmL7
eIBbhHPmZ0Jm84kOZEuJrlIoi9hrY5fsUgRsH2wgUC+MqGwhavOI7GoFh7Bbe1t8bZNjt4v+gtlul2j3ed9zl3rGhDdeHk5gnmF6c346fP9Pv1mdc5h/0med
avWJHZF7mB18ZG/6k7SeAW0PW1tuIYMnfGVqB5UPlRBqCJ6hbopaL3wQVk1frmrZa9WVEZ9zZi2EepXXVSB2d4CqTmJ+xoezY7uHtFvNaRR1G14fVjmJD5I8
Yr2YWnr0biJ1dGO8ldhV+4wyavhaMFKfXKhi15XkmFuNmYtng2Zi2FWhhxqNXYEhcnhmh2A8Z6KGFmIqVpFWkpUbk2SSimY0cKCH/m0sh4qHi5UciRB0gY63
XyiH/1Q1ZoiJMJsbTqiTS5PheYhVIZyqcpaWWHOqUMOElp5ml1eL22vjlXyHtoT8aJ2VIGQZUMSV6IW6ZM9camiecWOSkl8qarCNzY3OiRF0nZ93l/iV6nOf
iTGNz5D9lSJ664RVdEWMtpQzZj2ZwpdYmleTuJLTeux5AGP4dgeV63XTWQCYpZf5b59SKXM2Yttyy4SamKeV7GDnf1JwCnP4eJ9qdmXsmAR214NIeXqRcFKU
T4qbbWApWiFzFpFyjomSpXIEVLN/NJgJkPOJk4TanGlb6WCEj+pi9pz7X1Vz4mMvi9FR5m/Ua19gVVtyl7aNtYeZi/N/xnZ0TlduFU+9emB88FZGX6iYFoWg
Y6lisVu6YF5+uVaGdWuMKZTgk1qLZHJjZnmU4WeOYs+T2pXQmxlykHFVaJdqqpfkc5Jkb5pPldZj8nXKYOOEl3M7aZlyKWfejcpXZWfjZ+eSDldkc2aWi1br
Zpp6C1bsegydsGv/nXtnlnX4dfmXf3JxVDNsAnHCeE18ZnOZaq1sA2oJcJOOQY3LZyt1/nChgqual3HKagx8b3I4kg9W7XSndKJislPpXbx2a3ZsXb56FH9l
fyR3YF2/jiJui38ndm5VIl1vXa9/IHZtdG51RXb/ZQV3Tp8ceVpdLGSyZKhpmmD6h+OI2WNCZDFtrmNFhERv6XiBVMpi3mLdlOJ9JFgNjR2JWndDdzx9JVfX
VdKW0Flqk9+NW5I4fyh1hZI9fnKYoG/7WE5al1KEkdWSB5JBWA9Of5tlV91ShZPidXWaa5JKWqBzN5wsXS5eHF5AdmN2vZhVVwB/aFPiicmdVZvmddJOqVFA
iaVQxZg8U9qJo1n6djZ3x1n8npNgWWBaWi1dJ4dhmB96yVOYXyl8spgghvWHb4RHhEBdJVzui0hO8lmbiaGcyH9DgyaDi5brg42IeovaavlqCmWVavqSQ4jt
hP2MtI4okkhvhFA0k1x++WHbjC2ML2NTj1xbz5n/kBKLdZoAeTB39HxQmjBm9J6iZjVmO3wTZhZU+FRGVEdiu5GQlXuPWU+BmcCPWlMaVMeSPmsOiDNyMnIt
VYN/oI9bbPJ42Gqvk0pWa5jml4FVsJRZeE6ZwZ8ef1qY55JJeYlb0YuhlSRWdp8fWV1VsWnkkbRU6lRCYqOVa2sIch1PfIgqnpGVcpd5VmV/WYugcrB581/a
efSSP3LBctdf22xbV6FyOVeicphfzmxXYSd+yFFCYQmYnFYYYsBr5o8Yl/ufxZ+6n6uf4J/nn+if7J/xn/Kf6p++n6+f7Z+yn6GfuJ+wn9uftJ+on6yf5Z+z
n8afzp/en+Gf5J/pn8+fvJ/Sn9Gfop+2n7ef3Z/jn8FfD4ZOdKmf+J+pn9yf35/un/Ofn5+gn6OfpJ+ln6qfuZ+9n7+f05/Un9af15/Yn9mf2p/in++f8J/8
n8efwJ/Qn+uftZ/Vn8OfyJ/mn/mf9J/1n/af95/6n/uf/Z/+n/+frp+xn8I=
', 'base64'), 2 * (ascii(letter) - 19968) + 1, 2), 'hex'))::bit(16)::integer);
end
$function$
;
grant execute on function pinyin_place(text) to floorcast_app;
grant execute on function pinyin_place(text) to floorcast_definer;
grant execute on function pinyin_place(text) to floorcast_jobs;

CREATE OR REPLACE FUNCTION public.queue_mail(mail mails, limits integer[])
 RETURNS text
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  an_hour bigint;
  a_day bigint;
  in_all bigint;
  of_client bigint;
begin
  -- Two calls at once must not pass the limits together.
  perform pg_advisory_xact_lock(hashtextextended('mail ' || mail.recipient, 0));
  select count(*) filter (where is_same and m.created_at > mail.created_at - interval '1 hour'),
         count(*) filter (where is_same or mail.kind = 'registration'),
         count(*),
         count(*) filter (where m.client_id = mail.client_id)
    into an_hour, a_day, in_all, of_client
    from mails m,
         lateral (select (m.asked_from, m.client_id, m.inviter) is not distinct from
                         (mail.asked_from, mail.client_id, mail.inviter) as is_same) same
   where m.recipient = mail.recipient and m.kind = mail.kind and m.created_at > mail.created_at - interval '1 day';
  if an_hour >= limits[1] or a_day >= limits[2]
     or mail.kind = 'invitation' and in_all >= limits[2] and of_client > 0 then
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
        language, inviter, at, at, 0, null, null, null)::mails, limits), to_user.email;
end
$function$
;
alter function queue_mail_to_user(uuid,uuid,text,text,timestamp with time zone,integer[]) owner to floorcast_definer;
grant execute on function queue_mail_to_user(uuid,uuid,text,text,timestamp with time zone,integer[]) to floorcast_app;

CREATE OR REPLACE FUNCTION public.queue_plan_request_mail(mail_uid uuid, recipient text, asker uuid, asker_email text, language text, at timestamp with time zone, limits integer[])
 RETURNS void
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'public', 'pg_temp'
AS $function$
declare
  client uuid := nullif(current_setting('app.client_id', true), '')::uuid;
  an_hour bigint;
  a_day bigint;
begin
  select count(*) filter (where m.created_at > at - interval '1 hour'), count(*) into an_hour, a_day
    from mails m where m.client_id = client and m.kind = 'plan-request' and m.created_at > at - interval '1 day';
  if an_hour < limits[1] and a_day < limits[2] then
    insert into mails (uid, client_id, user_uid, kind, recipient, language, inviter, created_at, due_at)
    values (mail_uid, client, asker, 'plan-request', lower(recipient), language, asker_email, at, at);
  end if;
end
$function$
;
alter function queue_plan_request_mail(uuid,text,uuid,text,text,timestamp with time zone,integer[]) owner to floorcast_definer;
grant execute on function queue_plan_request_mail(uuid,text,uuid,text,text,timestamp with time zone,integer[]) to floorcast_app;

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

CREATE TRIGGER limit_rows AFTER INSERT ON public.deploy_packages REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION limit_rows('10000');

CREATE TRIGGER count_added AFTER INSERT ON public.devices REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added('devices', 'kind');

CREATE TRIGGER count_binned AFTER UPDATE OF deleted_at ON public.devices FOR EACH ROW WHEN (((old.deleted_at IS NULL) <> (new.deleted_at IS NULL))) EXECUTE FUNCTION count_binned('devices', 'kind');

CREATE TRIGGER count_removed AFTER DELETE ON public.devices REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed('devices', 'kind');

CREATE TRIGGER give_manifest AFTER INSERT ON public.devices FOR EACH ROW EXECUTE FUNCTION give_manifest();

CREATE TRIGGER limit_rows AFTER INSERT ON public.devices REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION limit_rows('1000 + 3 * p.device_limit');

CREATE TRIGGER number_new_devices AFTER INSERT ON public.devices REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION number_new_devices();

CREATE TRIGGER limit_rows AFTER INSERT ON public.groups REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION limit_rows('1000 + 2 * p.device_limit');

CREATE TRIGGER mail_added AFTER INSERT ON public.mails FOR EACH STATEMENT EXECUTE FUNCTION notify_mail();

CREATE TRIGGER keep_media_length AFTER INSERT OR UPDATE OF sha256, duration_seconds ON public.media_files FOR EACH ROW EXECUTE FUNCTION keep_media_length();

CREATE TRIGGER note_newest_files AFTER INSERT ON public.media_files REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION note_newest_files();

CREATE TRIGGER count_added AFTER INSERT ON public.media_items REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added('media', 'content_type');

CREATE TRIGGER count_binned AFTER UPDATE OF deleted_at ON public.media_items FOR EACH ROW WHEN (((old.deleted_at IS NULL) <> (new.deleted_at IS NULL))) EXECUTE FUNCTION count_binned('media', 'content_type');

CREATE TRIGGER count_removed AFTER DELETE ON public.media_items REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed('media', 'content_type');

CREATE TRIGGER limit_rows AFTER INSERT ON public.media_items REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION limit_rows('300000');

CREATE TRIGGER take_newest_file BEFORE UPDATE OF file_version ON public.media_items FOR EACH ROW WHEN ((old.file_version <> new.file_version)) EXECUTE FUNCTION take_newest_file();

CREATE TRIGGER count_bytes_added AFTER INSERT ON public.playlist_blocks REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_playlist_bytes('100 + 12 * cardinality(tracks)');

CREATE TRIGGER count_bytes_removed AFTER DELETE ON public.playlist_blocks REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_playlist_bytes('100 + 12 * cardinality(tracks)');

CREATE TRIGGER count_bytes_added AFTER INSERT ON public.playlist_items REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_playlist_bytes('150');

CREATE TRIGGER count_bytes_removed AFTER DELETE ON public.playlist_items REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_playlist_bytes('150');

CREATE TRIGGER count_added AFTER INSERT ON public.playlists REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_added('playlists', 'kind');

CREATE TRIGGER count_binned AFTER UPDATE OF deleted_at ON public.playlists FOR EACH ROW WHEN (((old.deleted_at IS NULL) <> (new.deleted_at IS NULL))) EXECUTE FUNCTION count_binned('playlists', 'kind');

CREATE TRIGGER count_bytes_added AFTER INSERT ON public.playlists REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_playlist_bytes('500 + coalesce(octet_length(draft::text), 0)');

CREATE TRIGGER count_bytes_removed AFTER DELETE ON public.playlists REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_playlist_bytes('500 + coalesce(octet_length(draft::text), 0)');

CREATE TRIGGER count_draft_bytes AFTER UPDATE OF draft ON public.playlists FOR EACH ROW WHEN ((old.draft IS DISTINCT FROM new.draft)) EXECUTE FUNCTION count_draft_bytes();

CREATE TRIGGER count_removed AFTER DELETE ON public.playlists REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_removed('playlists', 'kind');

CREATE TRIGGER limit_rows AFTER INSERT ON public.playlists REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION limit_rows('5000 + 2 * p.device_limit');

CREATE TRIGGER pass_playlist_name_on AFTER UPDATE OF name ON public.playlists FOR EACH ROW WHEN ((old.name <> new.name)) EXECUTE FUNCTION pass_playlist_name_on();

CREATE TRIGGER limit_rows AFTER INSERT ON public.profile_groups REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION limit_rows('50000');

CREATE TRIGGER limit_rows AFTER INSERT ON public.profile_media REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION limit_rows('10000');

CREATE TRIGGER limit_rows AFTER INSERT ON public.profiles REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION limit_rows('1000');

CREATE TRIGGER note_profile_media AFTER INSERT OR UPDATE OF settings, active_settings ON public.profiles FOR EACH ROW WHEN ((new.type = 'alert'::text)) EXECUTE FUNCTION note_profile_media();

CREATE TRIGGER limit_rows AFTER INSERT ON public.proof_keys REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION limit_rows('1000');

CREATE TRIGGER count_added AFTER INSERT ON public.publication_holdings REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_holdings_added();

CREATE TRIGGER count_changed AFTER UPDATE ON public.publication_holdings REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_holdings_changed();

CREATE TRIGGER count_removed AFTER DELETE ON public.publication_holdings REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_holdings_removed();

CREATE TRIGGER skip_unconcerned BEFORE INSERT ON public.publication_holdings FOR EACH ROW EXECUTE FUNCTION skip_unconcerned();

CREATE TRIGGER limit_rows AFTER INSERT ON public.publications REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION limit_rows('5000 + 2 * p.device_limit');

CREATE TRIGGER take_on_air_words BEFORE INSERT OR UPDATE OF name, state, playlist_uid ON public.publications FOR EACH ROW EXECUTE FUNCTION take_on_air_words();

CREATE TRIGGER session_deleted AFTER DELETE ON public.sessions FOR EACH ROW EXECUTE FUNCTION notify_user_changed('user_uid');

CREATE TRIGGER session_revoked AFTER UPDATE OF revoked_at ON public.sessions FOR EACH ROW WHEN ((old.revoked_at IS DISTINCT FROM new.revoked_at)) EXECUTE FUNCTION notify_user_changed('user_uid');

CREATE TRIGGER limit_rows AFTER INSERT ON public.tags REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION limit_tags('100');

CREATE TRIGGER limit_rows AFTER INSERT ON public.update_channel_groups REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION limit_rows('50000');

CREATE TRIGGER limit_rows AFTER INSERT ON public.update_channels REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION limit_rows('1000');

CREATE TRIGGER limit_rows AFTER INSERT ON public.update_files REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION limit_rows('5000');

CREATE TRIGGER limit_rows AFTER INSERT ON public.update_package_files REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION limit_rows('20000');

CREATE TRIGGER limit_rows AFTER INSERT ON public.update_packages REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION limit_rows('5000');

CREATE TRIGGER limit_rows AFTER INSERT ON public.users REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION limit_rows('1000 + p.device_limit');

CREATE TRIGGER password_changed AFTER UPDATE OF password_hash ON public.users FOR EACH ROW WHEN ((old.password_hash IS DISTINCT FROM new.password_hash)) EXECUTE FUNCTION end_links();

CREATE TRIGGER user_changed AFTER UPDATE OF role, rights, linked_device_uid ON public.users FOR EACH ROW WHEN ((((old.role IS DISTINCT FROM new.role) OR (old.rights IS DISTINCT FROM new.rights)) OR (old.linked_device_uid IS DISTINCT FROM new.linked_device_uid))) EXECUTE FUNCTION notify_user_changed('uid');
