import { parseArgs } from 'node:util'
import { makeClient } from '@floorcast/contract/client.ts'
import { register } from '@floorcast/contract/auth.ts'
import { addGroup, changeGroupState } from '@floorcast/contract/groups.ts'
import { addPlaylist, addTrack, changePlaylistState } from '@floorcast/contract/playlists.ts'
import { addPublication, changePublicationState } from '@floorcast/contract/publications.ts'
import { startEmbeddedPostgres } from '@floorcast/embedded-postgres/embedded-postgres.ts'
import { fillPlays } from '@floorcast/testing/plays-fill.ts'
import { Pool } from 'pg'
import { addDevices, addMedia } from './chain-fill.ts'
import { FILL_EMAIL as EMAIL, FILL_PASSWORD as PASSWORD } from './filled-server.ts'
import { startServer } from './server-process.ts'

/*
 * `npm run fill -- --data FOLDER [--devices 1000] [--days 45] [--plays 450]`: an installation in FOLDER with a client whose
 * devices played for so many days, `plays` tracks a day each. Start it with `DATA_DIR=FOLDER npm start` and sign in.
 */

const USAGE = 'Usage: npm run fill -- --data FOLDER [--devices 1000] [--days 45] [--plays 450]'
const MELODIES = 100
const ADS = 20
const DAY_MS = 86_400_000

function refuse(why: string): never {
  console.error(`${why}\n${USAGE}`)
  process.exit(2)
}

function readOptions() {
  const text = { type: 'string' } as const
  const { values } = parseArgs({ options: { data: text, devices: text, days: text, plays: text } })
  const number = (name: 'devices' | 'days' | 'plays', byDefault: number, max: number) => {
    const value = Number(values[name] ?? byDefault)
    if (!Number.isInteger(value) || value < 1 || value > max)
      refuse(`--${name} is a whole number from 1 to ${max}.`)
    return value
  }
  return {
    folder: values.data ?? refuse('--data names the folder.'),
    devices: number('devices', 1000, 100_000),
    days: number('days', 45, 180),
    playsADay: number('plays', 450, 20_000),
  }
}

const uidOf = ({ code, uid }: { code: string | number; uid?: string | undefined }): string => {
  if (uid === undefined) throw new Error(`A call of the filling ended in ${code}`)
  return uid
}

/** Registers a client through the API and publishes a playlist of music and ads to a group. */
async function publish(folder: string, superuser: Pool) {
  const server = await startServer(folder)
  try {
    const body = { email: EMAIL, password: PASSWORD, fullName: 'Fill Admin', terms: true } as const
    const { token } = await makeClient({ base: server.url, token: () => null })(register, { body })
    const call = makeClient({ base: server.url, token: () => token })
    const { rows } = await superuser.query<{ clientId: string }>(
      `select client_id as "clientId" from users where email = $1`,
      [EMAIL],
    )
    const clientId = rows[0]?.clientId ?? ''
    const [params, melodies, ads] = [
      { contentType: 'audio' } as const,
      Array.from({ length: MELODIES }, (_, nr) => 90 + (nr % 60)),
      Array.from({ length: ADS }, (_, nr) => 15 + (nr % 3) * 5),
    ]
    const playlistUid = uidOf(await call(addPlaylist, { params, body: { name: 'Music and ads' } }))
    const tracks = [
      ...(await addMedia(superuser, clientId, { contentType: 'melodies', seconds: melodies })),
      ...(await addMedia(superuser, clientId, { contentType: 'ads', seconds: ads })),
    ]
    for (const { uid } of tracks) await call(addTrack, { params: { track: uid, playlist: playlistUid } })
    await call(changePlaylistState, { params: { id: playlistUid } })
    const groupUid = uidOf(await call(addGroup, { params, body: { name: 'All shops' } }))
    await call(changeGroupState, { params: { id: groupUid } })
    const publication = { name: 'On the air', groupUid, playlistUid }
    const publicationUid = uidOf(await call(addPublication, { params, body: publication }))
    await call(changePublicationState, { params: { id: publicationUid } })
    return { clientId, groupUid, playlistUid, publicationUid }
  } finally {
    await server.stop()
  }
}

const { folder, devices, days, playsADay } = readOptions()
const postgres = await startEmbeddedPostgres({ dataDir: folder })
const superuserUrl = Object.assign(new URL(postgres.superuserUrl), { pathname: '/floorcast' }).href
const superuser = new Pool({ connectionString: superuserUrl, max: 2 })
superuser.on('error', () => undefined)
try {
  const published = await publish(folder, superuser)
  // Or the daily maintenance deletes what is beyond the plan.
  await superuser.query(
    `update plans set device_limit = greatest(device_limit, $1), statistics_gigabytes = 10000 where key = 'trial'`,
    [devices],
  )
  await addDevices(superuser, { ...published, count: devices })
  const yesterday = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS
  const dayAt = (ms: number) => new Date(ms).toISOString().slice(0, 10)
  const period = { from: dayAt(yesterday - (days - 1) * DAY_MS), to: dayAt(yesterday) }
  const begun = performance.now()
  const plays = await fillPlays(superuser, { ...published, ...period, playsADay }, day => console.error(day))
  const seconds = Math.round((performance.now() - begun) / 1000)
  console.log(`${plays} plays of ${devices} devices from ${period.from} to ${period.to} in ${seconds} s`)
  console.log(`Start it with DATA_DIR=${folder} npm start. Sign in as ${EMAIL} with '${PASSWORD}'.`)
} finally {
  await superuser.end()
  await postgres.stop()
}
