import { seedEveryTable } from '@floorcast/testing/seed-every-table.ts'
import { SEEDED_DAY } from '@floorcast/testing/seed-history.ts'
import { testDatabase } from '@floorcast/testing/test-database.ts'
import { findIsolationBreaches, type IsolationWalk, listTables } from '@floorcast/testing/tenant-isolation.ts'
import { Client } from 'pg'
import { afterAll, expect, test } from 'vitest'

const { database, url, superuserUrl } = await testDatabase()
const seed = () => seedEveryTable(database, superuserUrl)
const clients: [string, string] = [await seed(), await seed()]

const ROLL_UPS = 'play_days play_media_days play_hours play_group_hours delivered_quarters'
const grants = (tables: string, rights: string) =>
  Object.fromEntries(tables.split(' ').map(table => [table, rights]))

/** The privileges of each role, table by table: s(elect), i(nsert), u(pdate), d(elete). A grant beyond this is a breach. */
const walk: IsolationWalk = {
  superuserUrl,
  url,
  clients,
  shared: (
    'plans migrations registrations server_samples maintenance_runs restorations servers job_runs installation_state ' +
    'operators operator_links operator_steps operator_sessions operator_audit limit_counts condition_looks'
  ).split(' '),
  overAllClients: ['floorcast_ingest'],
  allowed: {
    floorcast_app: {
      plans: 's',
      clients: 'su',
      users: 'siud',
      user_links: 'sid',
      totp_secrets: 'siud',
      recovery_codes: 'siud',
      sign_in_steps: 'sid',
      passkeys: 'siud',
      proof_keys: 'siu',
      sessions: 'siud',
      personalizations: 'siud',
      plan_requests: 'siud',
      saved_views: 'siud',
      idempotency_keys: 'siud',
      event_positions: 'siu',
      client_events: 'si',
      conditions: 'siud',
      webhooks: 'siud',
      webhook_deliveries: 'siu',
      audit_entries: 'si',
      groups: 'siud',
      devices: 'siud',
      device_states: 'siu',
      device_transitions: 'si',
      device_boots: 's',
      device_silences: 's',
      connectivity_samples: 's',
      group_connectivity_samples: 's',
      server_samples: 's',
      maintenance_runs: 's',
      device_outbox: 'siu',
      device_files: 'siu',
      device_manifests: 'siud',
      group_manifests: 'siu',
      client_manifests: 'siu',
      programmes: 'siud',
      media_items: 'siud',
      media_files: 'siud',
      media_lengths: 'siu',
      storage_reservations: 'siud',
      uploads: 'siud',
      upload_pieces: 'sid',
      file_notes: 'siud',
      playlists: 'siud',
      playlist_items: 'siud',
      playlist_blocks: 'sid',
      publications: 'siud',
      publication_holdings: 'sd',
      publication_counts: 'si',
      tags: 'siud',
      profiles: 'siud',
      profile_groups: 'sid',
      profile_media: 'sid',
      alerts: 'siu',
      alert_receipts: 's',
      alert_counts: 's',
      tickets: 'sid',
      update_files: 'siud',
      update_packages: 'siud',
      update_package_files: 'sid',
      update_channels: 'siud',
      update_channel_groups: 'sid',
      deploy_packages: 'siud',
      device_update_states: 's',
      plays: 's',
      device_logs: 's',
      ...grants('heartbeats heartbeat_days', 's'),
      history_counts: 's',
      ...grants(`${ROLL_UPS} play_names`, 's'),
      uncounted_days: 's',
      play_devices: 'si',
      statistics_retention: 's',
      play_archives: 's',
      play_day_counts: 's',
      list_counts: 'si',
      ...grants('restorations redeliveries', 's'),
    },
    floorcast_auth: {},
    floorcast_operator: {},
    floorcast_ingest: {
      device_states: 'siu',
      device_transitions: 'si',
      device_silences: 'siu',
      ...grants('device_boots device_timelines', 'siu'),
      device_manifests: 's',
      group_manifests: 's',
      client_manifests: 's',
      groups: 's',
      publications: 's',
      publication_holdings: 'siu',
      publication_counts: 'si',
      device_update_states: 'siu',
      alerts: 's',
      alert_receipts: 'siu',
      alert_counts: 'i',
      plays: 'si',
      device_logs: 'si',
      heartbeats: 'i',
      history_counts: 'siu',
      ...grants(`${ROLL_UPS} play_names`, 'siu'),
      play_devices: 's',
      redeliveries: 'sud',
      ...grants('clients devices profiles profile_groups tags media_lengths restorations conditions', 's'),
    },
    floorcast_jobs: {
      plans: 's',
      clients: 'su',
      sessions: 'sd',
      audit_entries: 'sid',
      groups: 'sd',
      devices: 'sd',
      device_states: 'su',
      device_transitions: 'sid',
      device_boots: 'sd',
      device_outbox: 'siud',
      device_files: 'sd',
      device_manifests: 'siu',
      group_manifests: 'siu',
      client_manifests: 'siu',
      programmes: 'siud',
      tags: 's',
      profiles: 's',
      profile_groups: 's',
      profile_media: 's',
      media_items: 'sud',
      media_files: 'sud',
      media_lengths: 'siud',
      storage_reservations: 'siud',
      uploads: 'sd',
      upload_pieces: 's',
      file_notes: 'siud',
      playlists: 'sd',
      playlist_items: 'sd',
      playlist_blocks: 'sd',
      publications: 'sd',
      publication_holdings: 'sd',
      publication_counts: 'sid',
      alerts: 'sd',
      alert_receipts: 's',
      alert_counts: 'sid',
      update_files: 's',
      tickets: 'sd',
      idempotency_keys: 'sd',
      event_positions: 'su',
      client_events: 'sd',
      plays: 'sud',
      device_logs: 'sd',
      heartbeats: 'sud',
      heartbeat_days: 'siud',
      history_counts: 'sud',
      ...grants(`${ROLL_UPS} play_names`, 'siud'),
      play_devices: 'si',
      uncounted_days: 'siud',
      statistics_retention: 'siud',
      play_archives: 'sid',
      play_day_counts: 'sid',
      list_counts: 'sid',
    },
  },
}

const superuser = new Client({ connectionString: superuserUrl })
await superuser.connect()
afterAll(() => superuser.end())

/** Runs with a wrong thing planted, and takes it away again. */
async function withBreach(add: string, remove: string): Promise<string[]> {
  await superuser.query(add)
  try {
    return await findIsolationBreaches(walk)
  } finally {
    await superuser.query(remove)
  }
}

test('the isolation of tenants hold in every table and every partition, for every role', async () => {
  const tables = await listTables(superuserUrl)
  expect(tables.filter(table => !table.isPartition).length).toBeGreaterThan(30)
  const day = SEEDED_DAY.replaceAll('-', '')
  const names = tables.filter(table => table.isPartition).map(table => table.name)
  expect(names).toEqual(expect.arrayContaining([`plays_${day}`, `device_logs_${day}`, `heartbeats_${day}`]))
  expect(await findIsolationBreaches(walk)).toEqual([])
})

test('the isolation of tenants the partitions that were tried hold rows of both clients', async () => {
  const { rows } = await superuser.query<{ client_id: string }>(
    `select distinct client_id from plays_${SEEDED_DAY.replaceAll('-', '')} order by 1`,
  )
  expect(rows.map(row => row.client_id)).toEqual(clients.toSorted((a, b) => (a < b ? -1 : 1)))
})

test('the isolation of tenants no role is a superuser, bypasses row-level security or signs in', async () => {
  const { rows } = await superuser.query(
    "select rolname from pg_roles where rolname like 'floorcast\\_%' and (rolsuper or rolbypassrls or rolcanlogin)",
  )
  expect(rows).toEqual([])
})

test('the isolation of tenants each role runs no function but its own', async () => {
  const { rows } = await superuser.query<{ role: string; functions: string[] }>(
    `select r.rolname as role, array_agg(p.proname::text order by p.proname) as functions
       from pg_roles r join pg_proc p on has_function_privilege(r.oid, p.oid, 'execute')
       where r.rolname like 'floorcast\\_%' and p.pronamespace = 'public'::regnamespace 
         and r.rolname not in ('floorcast_definer', 'floorcast_search')
       group by 1 order by 1`,
  )
  expect(rows).toEqual([
    {
      role: 'floorcast_app',
      functions: (
        'build_sort_key fold newest_migration number_play_devices pinyin_place queue_mail_to_user queue_plan_request_mail search_groups search_keys search_list ' +
        'server_beat sort_key zone_or_utc'
      ).split(' '),
    },
    {
      role: 'floorcast_auth',
      functions: (
        'auth_bind_licenses auth_confirm_registration auth_counts auth_device_by_streamer auth_devices_by_tokens auth_give_back_count auth_has_clients ' +
        'auth_installation_state auth_license_hash ' +
        'auth_link_email auth_link_user auth_passkey auth_proof_keys auth_redeem_ticket auth_register ' +
        'auth_registration_email auth_request_registration auth_request_reset auth_server_proof auth_session_by_token ' +
        'auth_session_states auth_sign_in_step auth_take_count auth_use_link auth_user_by_email'
      ).split(' '),
    },
    { role: 'floorcast_ingest', functions: ['is_concerned', 'make_day_partitions', 'zone_or_utc'] },
    {
      role: 'floorcast_jobs',
      functions: (
        'build_sort_key fold jobs_accept_key jobs_add_operator jobs_add_server_sample jobs_beat_run jobs_beat_server jobs_begin_run jobs_claim_deliveries jobs_claim_mails ' +
        'jobs_clear_partition jobs_client_ids jobs_clients_with_media_work jobs_drop_partition jobs_drop_run jobs_due_files jobs_end_mail ' +
        'jobs_end_run jobs_fleet_figures jobs_folded_partitions jobs_free_play_day jobs_installation_uid jobs_lock_operator jobs_mail_language jobs_make_link ' +
        'jobs_next_delivery_at jobs_next_mail_at jobs_note_key jobs_note_look jobs_note_maintenance ' +
        'jobs_note_server jobs_note_silent jobs_old_partitions jobs_operators jobs_plan_requests jobs_plan_run jobs_play_days_before jobs_prepare_mail jobs_prepare_plan_request ' +
        'jobs_purge_counts jobs_purge_group_samples jobs_purge_operators jobs_queue_figures jobs_remove_operator jobs_remove_second_factor jobs_reset_operator ' +
        'jobs_sample_connectivity jobs_sample_groups jobs_server_addresses jobs_set_subscription jobs_some_files jobs_thin_samples jobs_unchecked_client_ids ' +
        'jobs_uncounted_client_ids make_day_partitions number_play_devices pinyin_place search_keys sort_key zone_or_utc'
      ).split(' '),
    },
    {
      role: 'floorcast_operator',
      functions: (
        'operator_begin_step operator_by_email operator_clients operator_database operator_end_session operator_failed_mails operator_jobs operator_keep_secret operator_link_email ' +
        'operator_list_audit operator_note_failure operator_plan_requests operator_queues operator_run_job operator_servers operator_session operator_set_notice ' +
        'operator_set_read_only operator_sign_in operator_sign_in_addresses operator_step operator_totals operator_use_link operator_versions'
      ).split(' '),
    },
  ])
})

test('the walk bites a table without a policy', async () => {
  const breaches = await withBreach(
    `create table breach_fixture (client_id uuid); insert into breach_fixture values ('${clients[0]}'), ('${clients[1]}');
       grant select, insert, update, delete on breach_fixture to floorcast_app`,
    'drop table breach_fixture',
  )
  expect(breaches).toContain('breach_fixture has no client_id or no forced row-level security')
  expect(breaches).toContain('floorcast_app may s breach_fixture')
})

test('the walk bites a policy that lets another client in', async () => {
  const breaches = await withBreach(
    'create policy breach_fixture on groups to floorcast_app using (true) with check (true)',
    'drop policy breach_fixture on groups',
  )
  expect(breaches).toEqual(
    expect.arrayContaining([
      'floorcast_app without a client sees rows of groups',
      'floorcast_app sees rows of another client in groups',
      'floorcast_app changes rows of another client in groups',
      'floorcast_app gives rows of groups to another client',
      'floorcast_app puts rows of another client into groups',
    ]),
  )
})

test('the walk bites a grant on a partition', async () => {
  const partition = `plays_${SEEDED_DAY.replaceAll('-', '')}`
  const breaches = await withBreach(
    `grant select on ${partition} to floorcast_app`,
    `revoke select on ${partition} from floorcast_app`,
  )
  expect(breaches).toContain(`floorcast_app may s ${partition}`)
})

test('the walk bites a grant that nobody meant', async () => {
  const breaches = await withBreach(
    'grant delete on audit_entries to floorcast_app',
    'revoke delete on audit_entries from floorcast_app',
  )
  expect(breaches).toContain('floorcast_app may d audit_entries')
})

test('the walk bites a reference that could point into another client', async () => {
  const breaches = await withBreach(
    'alter table tags add column breach_fixture uuid references groups (uid)',
    'alter table tags drop column breach_fixture',
  )
  expect(breaches).toContain('tags refers to groups without client_id')
})

test('the walk bites a view that runs as its owner', async () => {
  const breaches = await withBreach(
    'create view breach_fixture as select * from groups',
    'drop view breach_fixture',
  )
  expect(breaches).toContain('breach_fixture is a view that is no security_invoker, or materialized')
})
