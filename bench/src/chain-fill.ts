import { createHash } from 'node:crypto'
import type { Client } from '@floorcast/contract/client.ts'
import { addGroup, changeGroupState } from '@floorcast/contract/groups.ts'
import { addPlaylist, addTrack, changePlaylistState } from '@floorcast/contract/playlists.ts'
import { addPublication, changePublicationState } from '@floorcast/contract/publications.ts'
import { importSmartPlaylist } from '@floorcast/contract/smart-playlists.ts'
import { planDraft } from '@floorcast/testing/smart-draft.ts'
import type { Pool } from 'pg'

const TRACKS = 20
/** The length of each track of the simple playlist, unless a bench wants another. */
export const TRACK_SECONDS = 180
const SMART_MELODIES = 170
const SMART_ADS = 30

interface FilledMedia {
  uid: string
  duration: number
}

/** Adds media with these durations in seconds, and no bytes: the fleet counts every file as held. */
export async function addMedia(
  superuser: Pool,
  clientId: string,
  { contentType, seconds }: { contentType: 'melodies' | 'ads'; seconds: readonly number[] },
): Promise<FilledMedia[]> {
  const { rows } = await superuser.query<FilledMedia>(
    `with wanted as (
       select gen_random_uuid() as uid, n, duration from unnest($3::float8[]) with ordinality as w(duration, n)),
     items as (
       insert into media_items (uid, client_id, content_type, name, original_name, created_at, changed_at)
       select uid, $1, $2, initcap($2) || ' of the morning ' || n, uid || '.mp3', now(), now() from wanted
       returning uid)
     insert into media_files (media_uid, file_version, client_id, sha256, mime_type, size_bytes, duration_seconds,
       loudness_state, integrated_lufs, true_peak_dbtp, uploaded_at)
     select w.uid, 1, $1, encode(sha256(w.uid::text::bytea), 'hex'), 'audio/mpeg', (w.duration * 24000)::bigint, w.duration,
       'measured', -14.5 - (w.n % 50) / 10.0, -1.5, now()
     from wanted w join items using (uid) order by w.n
     returning media_uid as uid, duration_seconds as duration`,
    [clientId, contentType, seconds],
  )
  return rows
}

const ended = ({ code, uid = '' }: { code: string | number; uid?: string | undefined }) => {
  if (Number(code) !== 200 && Number(code) !== 0) throw new Error(`A call of the filling ended in ${code}`)
  return uid
}

/** A group with its publications: a simple playlist of three-minute tracks, and a smart day of 4,057 plays. */
export interface FilledChain {
  groupUid: string
  /** On the air. */
  simpleUid: string
  /** Turned off. */
  smartUid: string
}

interface FillParts {
  superuser: Pool
  call: Client
  clientId: string
}

async function addSimple(parts: FillParts, trackSeconds: number): Promise<string> {
  const { superuser, call, clientId } = parts
  const params = { contentType: 'audio' } as const
  const seconds = Array<number>(TRACKS).fill(trackSeconds)
  const media = await addMedia(superuser, clientId, { contentType: 'melodies', seconds })
  const uid = ended(await call(addPlaylist, { params, body: { name: 'Morning mix' } }))
  for (const track of media) ended(await call(addTrack, { params: { track: track.uid, playlist: uid } }))
  return uid
}

/** The lengths give a day of 4,057 plays. */
async function addSmart({ superuser, call, clientId }: FillParts): Promise<string> {
  const melodies = Array.from({ length: SMART_MELODIES }, (_, n) => 18.39 + ((n * 7919) % 900) / 100)
  const ads = Array.from({ length: SMART_ADS }, (_, n) => 10 + (n % 3) * 5)
  const rounded = melodies.map(seconds => Math.round(seconds * 100) / 100)
  const melList = await addMedia(superuser, clientId, { contentType: 'melodies', seconds: rounded })
  const adsList = await addMedia(superuser, clientId, { contentType: 'ads', seconds: ads })
  const draft = planDraft(
    { melList, adsList },
    { startDay: '00:00', endDay: '23:59', workTime: 86_400, melTime: 360, adsTime: 60 },
  )
  const plays = draft.finishList.reduce((sum, { items }) => sum + items.length, 0)
  console.error(`A smart day of ${plays} plays`)
  return ended(await call(importSmartPlaylist, { body: draft }))
}

/** Adds a group, its playlists and publications through the API; the simple one is turned on. */
export async function fillChain(parts: FillParts, trackSeconds = TRACK_SECONDS): Promise<FilledChain> {
  const { call } = parts
  const params = { contentType: 'audio' } as const
  const groupUid = ended(await call(addGroup, { params, body: { name: 'All shops' } }))
  ended(await call(changeGroupState, { params: { id: groupUid } }))
  const publish = async (playlistUid: string, name: string) => {
    ended(await call(changePlaylistState, { params: { id: playlistUid } }))
    return ended(await call(addPublication, { params, body: { name, groupUid, playlistUid } }))
  }
  const simpleUid = await publish(await addSimple(parts, trackSeconds), 'On the air')
  const smartUid = await publish(await addSmart(parts), 'Spring campaign')
  ended(await call(changePublicationState, { params: { id: simpleUid } }))
  return { groupUid, simpleUid, smartUid }
}

export interface FilledDevice {
  uid: string
  licenseKey: string
  /** Its token after `bindDevices`. */
  token: string
}

const tokenOf = (uid: string) => createHash('sha256').update(`bench ${uid}`).digest('base64url')

/** Adds devices past row-level security. */
export async function addDevices(
  superuser: Pool,
  { clientId, groupUid, count }: { clientId: string; groupUid: string; count: number },
): Promise<FilledDevice[]> {
  const { rows } = await superuser.query<{ uid: string; licenseKey: string }>(
    `insert into devices (uid, client_id, kind, name, store_number, license_key, group_uid, created_at, changed_at)
     select gen_random_uuid(), $1, 'audio', 'Shop ' || lpad(n::text, 5, '0') || ' radio', n::text,
       upper(encode(sha256(('bench ' || n)::bytea), 'hex')), $2, now(), now()
     from generate_series(1, $3::int) n
     returning uid, license_key as "licenseKey"`,
    [clientId, groupUid, count],
  )
  await superuser.query('vacuum analyze')
  return rows.map(device => ({ ...device, token: tokenOf(device.uid) }))
}

/** Binds devices and gives them their tokens, as the first session of each does. */
export async function bindDevices(superuser: Pool, devices: readonly FilledDevice[]): Promise<void> {
  await superuser.query(
    `update devices d set license_bound_at = now(), box_uid = gen_random_uuid(), model = 'bench',
       token_hash = sha256(x.token::bytea)
     from unnest($1::uuid[], $2::text[]) as x(uid, token) where d.uid = x.uid`,
    [devices.map(({ uid }) => uid), devices.map(({ token }) => token)],
  )
}
