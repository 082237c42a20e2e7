import { createHash } from 'node:crypto'
import type { Database } from '@floorcast/server/platform/database/database.ts'
import { uuidV7 } from '@floorcast/server/platform/lib/uuid-v7.ts'
import { Client } from 'pg'
import { makeClient, makeDevice, makeGroup, makeMedia, TEST_NOW } from './factories.ts'
import { rowsOfHistory, SEEDED_DAY } from './seed-history.ts'

const COMMAND = { type: 'command', body: '{"command":"restart"}', created_at: TEST_NOW, expires_at: TEST_NOW }
const LOOK = { color: 'info', mode: 'light', menu_type: 'full' }
const VIEW = { list: 'devices', name: 'Late shops', search: '', dir: 'asc', filters: '{}', columns: ['name'] }
const LOG_FILE = { kind: 'log', content_type: 'text/plain', content: Buffer.from('x'), made_at: TEST_NOW }

const SEEDED_EPOCH = '0194e9a5-7c00-7000-8000-000000000001'

/**
 * Adds a client with at least one row in every tenant table, past row-level security, for the test of tenant isolation. A new
 * tenant table needs a row here, or that test fails.
 */
export async function seedEveryTable(database: Database, superuserUrl: string): Promise<string> {
  const client = await makeClient(database)
  const groupUid = await makeGroup(client.scope)
  const device = await makeDevice(client.scope, { groupUid })
  const media = await makeMedia(client.scope)
  const superuser = new Client({ connectionString: superuserUrl })
  await superuser.connect()
  try {
    await superuser.query('select make_day_partitions($1, $1)', [SEEDED_DAY])
    await superuser.query('insert into restorations values ($1, $2, $2) on conflict do nothing', [
      SEEDED_EPOCH,
      TEST_NOW,
    ])
    for (const [table, row] of rowsOf({ ...client, groupUid, deviceUid: device.uid, mediaUid: media.uid }))
      await insertRow(superuser, table, { client_id: client.clientId, ...row })
  } finally {
    await superuser.end()
  }
  return client.clientId
}

type Row = Record<string, unknown>

async function insertRow(superuser: Client, table: string, row: Row): Promise<void> {
  const columns = Object.keys(row)
  await superuser.query(
    `insert into ${table} (${columns.join(', ')}) values (${columns.map((_, at) => `$${at + 1}`).join(', ')})`,
    Object.values(row),
  )
}

interface Uids {
  userUid: string
  groupUid: string
  deviceUid: string
  mediaUid: string
}

const hash = (text: string) => createHash('sha256').update(text).digest()
const recorded = { created_at: TEST_NOW, changed_at: TEST_NOW }

function rowsOf(uids: Uids): [string, Row][] {
  const [session, playlist, publication, profile, alert] = Array.from({ length: 5 }, () => uuidV7())
  return [
    ...rowsOfPeople(uids, String(session)),
    ...rowsOfPrograms(uids),
    ...rowsOfMails(uids),
    ...rowsOfContent(uids, { playlist, publication }),
    ...rowsOfDevices(uids, { publication, profile, alert }),
    ...rowsOfUpdates(uids),
    ...rowsOfHistory(uids),
  ]
}

function rowsOfPrograms({ userUid }: Uids): [string, Row][] {
  const call = { user_uid: userUid, key: 'one', fingerprint: hash('one'), run_uid: uuidV7() }
  const event = { position: 1, kind: 'publication.ended', at: TEST_NOW, data: {} }
  const webhook = uuidV7()
  const condition = { about: 'sound', item_uid: uuidV7(), state: 'muted', since: TEST_NOW }
  return [
    ['idempotency_keys', { ...call, begun_at: TEST_NOW, held_until: TEST_NOW }],
    ['event_positions', { last: 1 }],
    ['client_events', event],
    ['conditions', condition],
    [
      'webhooks',
      { uid: webhook, name: 'Tickets', url: 'https://shop.example/', secret: hash('secret'), ...recorded },
    ],
    [
      'webhook_deliveries',
      { webhook_uid: webhook, position: 1, topic: 'publication', added_at: TEST_NOW, due_at: TEST_NOW },
    ],
  ]
}

function rowsOfMails({ userUid }: Uids): [string, Row][] {
  const mail = { kind: 'reset', recipient: 'ann@shop.example', language: 'en', created_at: TEST_NOW }
  return [['mails', { uid: uuidV7(), user_uid: userUid, ...mail, due_at: TEST_NOW }]]
}

function rowsOfPeople({ userUid }: Uids, session: string): [string, Row][] {
  const upload = uuidV7()
  const later = new Date(TEST_NOW.getTime() + 3_600_000)
  return [
    [
      'sessions',
      {
        uid: session,
        user_uid: userUid,
        token_hash: hash(session),
        created_at: TEST_NOW,
        last_used_at: TEST_NOW,
        idle_expires_at: later,
        expires_at: later,
      },
    ],
    ['personalizations', { user_uid: userUid, ...LOOK, changed_at: TEST_NOW }],
    ['plan_requests', { plan_key: 'basic', user_uid: userUid, requested_at: TEST_NOW }],
    ['saved_views', { uid: uuidV7(), user_uid: userUid, ...VIEW, ...recorded }],
    [
      'audit_entries',
      { uid: uuidV7(), at: TEST_NOW, user_uid: userUid, user_name: 'Ada', action: 'add', thing: 'group' },
    ],
    [
      'tickets',
      {
        ticket_hash: hash(`ticket ${session}`),
        session_uid: session,
        path: '/api/v2/live',
        is_once: true,
        expires_at: later,
      },
    ],
    [
      'user_links',
      { token_hash: hash(`link ${session}`), user_uid: userUid, created_at: TEST_NOW, expires_at: later },
    ],
    ...rowsOfFactors(userUid, session),
    ['file_notes', { uid: uuidV7(), sha256: '0'.repeat(64), due_at: later }],
    [
      'storage_reservations',
      { uid: uuidV7(), user_uid: userUid, size_bytes: 5, created_at: TEST_NOW, expires_at: later },
    ],
    [
      'uploads',
      {
        uid: upload,
        user_uid: userUid,
        content_type: 'ads',
        original_name: 'Half.mp3',
        size_bytes: 5,
        metadata: '{}',
        created_at: TEST_NOW,
        expires_at: later,
      },
    ],
    ['upload_pieces', { uid: uuidV7(), upload_uid: upload, start_byte: 0, size_bytes: 2 }],
  ]
}

function rowsOfFactors(userUid: string, session: string): [string, Row][] {
  const later = new Date(TEST_NOW.getTime() + 3_600_000)
  return [
    [
      'proof_keys',
      {
        key_id: session.replaceAll('-', '').slice(-16),
        public_key: hash(session),
        sealed_private_key: hash('sealed'),
        created_at: TEST_NOW,
      },
    ],
    ['totp_secrets', { user_uid: userUid, pending_secret: hash(`secret ${session}`), created_at: TEST_NOW }],
    [
      'passkeys',
      {
        uid: uuidV7(),
        user_uid: userUid,
        credential_id: `credential ${session}`,
        public_key: hash('key'),
        counter: 0,
        challenge_at: TEST_NOW,
        name: 'Phone',
        created_at: TEST_NOW,
      },
    ],
    ['recovery_codes', { user_uid: userUid, code_hash: hash(`code ${session}`), created_at: TEST_NOW }],
    [
      'sign_in_steps',
      {
        ticket_hash: hash(`step ${session}`),
        user_uid: userUid,
        password_mark: hash('password'),
        created_at: TEST_NOW,
        expires_at: later,
      },
    ],
  ]
}

function rowsOfContent(uids: Uids, made: { playlist: unknown; publication: unknown }): [string, Row][] {
  const named = { kind: 'audio', name: 'Seeded', ...recorded }
  return [
    ['playlists', { uid: made.playlist, ...named }],
    [
      'playlist_items',
      {
        uid: uuidV7(),
        playlist_uid: made.playlist,
        media_uid: uids.mediaUid,
        position: 1,
        repeat_count: 1,
      },
    ],
    [
      'playlist_blocks',
      {
        playlist_uid: made.playlist,
        position: 1,
        kind: 'melody',
        start_seconds: 0,
        duration_seconds: 3,
        tracks: [1],
        starts: [0],
      },
    ],
    [
      'publications',
      { uid: made.publication, ...named, group_uid: uids.groupUid, playlist_uid: made.playlist },
    ],
  ]
}

function rowsOfDevices(
  uids: Uids,
  made: { publication: unknown; profile: unknown; alert: unknown },
): [string, Row][] {
  const device = { device_uid: uids.deviceUid }
  return [
    ['device_states', { ...device, last_contact_at: TEST_NOW }],
    ['device_transitions', { ...device, at: TEST_NOW, state: 'online' }],
    ['device_timelines', { ...device, played_until: TEST_NOW }],
    ['device_boots', { ...device, boot_uid: uuidV7(), first_seen_at: TEST_NOW, last_seen_at: TEST_NOW }],
    ['group_manifests', { group_uid: uids.groupUid }],
    ['client_manifests', {}],
    ['programmes', { sha256: 'a'.repeat(64), body: Buffer.from('x'), made_at: TEST_NOW }],
    ['device_outbox', { uid: uuidV7(), ...device, ...COMMAND }],
    ['device_files', { ...device, ...LOG_FILE }],
    [
      'publication_holdings',
      { ...device, publication_uid: made.publication, revision: 1, missing: 0, reported_at: TEST_NOW },
    ],
    ['tags', { uid: uuidV7(), ...device, key: 'city', value: 'Oslo', ...recorded }],
    ['profiles', { uid: made.profile, type: 'audio', name: 'Quiet', ...recorded }],
    ['profile_groups', { profile_uid: made.profile, group_uid: uids.groupUid }],
    ['profile_media', { profile_uid: made.profile, media_uid: uids.mediaUid }],
    ['alerts', { uid: made.alert, kind: 'air', began_at: TEST_NOW }],
    [
      'redeliveries',
      { ...device, epoch: SEEDED_EPOCH, played_since: TEST_NOW, played_until: TEST_NOW, is_new: false },
    ],
    ['alert_receipts', { ...device, alert_uid: made.alert, received_at: TEST_NOW }],
  ]
}

function rowsOfUpdates(uids: Uids): [string, Row][] {
  const [file, updatePackage, channel] = Array.from({ length: 3 }, () => uuidV7())
  const bytes = { original_name: 'player.tar', sha256: 'b'.repeat(64), size_bytes: 5 }
  const step = { version: '2.776.0', step: 'installed', at: TEST_NOW, received_at: TEST_NOW }
  return [
    ['update_files', { uid: file, name: 'Player', ...bytes, ...recorded }],
    [
      'update_packages',
      { uid: updatePackage, name: 'Player', category: 'Program', version: '2.776.0', ...recorded },
    ],
    [
      'update_package_files',
      { uid: uuidV7(), package_uid: updatePackage, file_uid: file, added_at: TEST_NOW },
    ],
    ['update_channels', { uid: channel, name: 'Pilot shops', ...recorded }],
    ['update_channel_groups', { channel_uid: channel, group_uid: uids.groupUid }],
    ['deploy_packages', { uid: uuidV7(), package_uid: updatePackage, channel_uid: channel, ...recorded }],
    ['device_update_states', { device_uid: uids.deviceUid, ...step }],
  ]
}
