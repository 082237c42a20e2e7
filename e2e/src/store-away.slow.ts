import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addPlaylist, addTrack, changePlaylistState } from '@floorcast/contract/playlists.ts'
import { replacePublicationPlaylist } from '@floorcast/contract/publications.ts'
import { AgentFixture } from '@floorcast/testing/agent-process.ts'
import { createDatabase } from '@floorcast/testing/test-database.ts'
import { freePort } from '@floorcast/testing/free-port.ts'
import { writeSongs } from '@floorcast/testing/media-song.ts'
import { makeBucket, settingsOf, startS3rverProgram } from '@floorcast/testing/s3-stores.ts'
import { afterAll, expect, it } from 'vitest'
import { assertCode, createdUid, publishToDevice, registerOwner, uploadFile } from './client-fixture.ts'
import { comparePlays } from './play-comparison.ts'
import { startAgent, startServer, waitUntil } from './processes.ts'

const folder = await mkdtemp(join(tmpdir(), 'floorcast-store-away-'))
const s3 = await startS3rverProgram()
const songs = await writeSongs(folder, { count: 3, seconds: 2 })
const endings: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of endings.toReversed()) await end()
  await rm(folder, { recursive: true, force: true })
})

/** Calls of devices for files that were answered so, by the server's log. */
const countFileCalls = (output: readonly string[], status: number) =>
  output
    .join('')
    .split('\n')
    .filter(line => line.includes('/iplay/media/') && line.includes(`"status":${status},`)).length

/** A server of its own, by redirects or without, and an agent that plays two songs. */
async function startShop(redirects: 'yes' | 'no') {
  const [port, { url: DATABASE_URL }] = [await freePort(), await createDatabase()]
  const bucket = await makeBucket(s3, `files-${redirects}`)
  const settings = { DATABASE_URL, ...settingsOf(s3, bucket), S3_REDIRECT: redirects }
  const server = await startServer(port, join(folder, `server-${redirects}`), settings)
  endings.push(() => server.stop())
  const client = await registerOwner(server.url)
  const device = await publishToDevice(client, songs.slice(0, 2))
  const agentData = join(folder, `agent-${redirects}`)
  const agent = startAgent(server.url, device.licenseKey, agentData)
  endings.push(() => agent.stop())
  const log = new AgentFixture(agentData)
  await waitUntil(`it plays (${redirects})`, async () => log.countPlays() >= 1)
  return { redirects, server, client, device, agentData, agent, log }
}
type Shop = Awaited<ReturnType<typeof startShop>>

/** A playlist of a song that the agent does not have. */
async function addSong({ client }: Shop): Promise<{ track: string; playlistUid: string }> {
  const { call } = client
  const params = { contentType: 'audio' } as const
  const track = await uploadFile(client, 'melodies', songs[2]?.path ?? '')
  const playlistUid = createdUid(await call(addPlaylist, { params, body: { name: 'New songs' } }))
  assertCode(await call(addTrack, { params: { track, playlist: playlistUid } }), 200)
  const on = { params: { id: playlistUid }, query: { from: 'paused' as const } }
  assertCode(await call(changePlaylistState, on), 0)
  return { track, playlistUid }
}

/** The agent asks for a file that the store does not send, and plays on. */
async function missSong({ client, device, server, log }: Shop, playlistUid: string): Promise<void> {
  const params = { uid: device.publicationUid }
  assertCode(await client.call(replacePublicationPlaylist, { params, query: {}, body: { playlistUid } }), 0)
  await waitUntil('it asks again', async () => countFileCalls(server.output, 503) >= 3)
  const before = log.countPlays()
  await waitUntil('it plays on', async () => log.countPlays() >= before + 3)
}

async function playSong(shop: Shop, track: string): Promise<void> {
  const { client, device, agent, agentData, log, redirects, server } = shop
  await waitUntil('it plays the new song', async () =>
    (await log.readPlays()).some(({ mediaUid, result }) => mediaUid === track && result === 'complete'),
  )
  const redirected = countFileCalls(server.output, 302)
  expect(redirected > 0).toBe(redirects === 'yes')
  expect(await agent.stop()).toBe(0)
  const seen = await comparePlays(client, device.deviceUid, agentData)
  expect(seen).toMatchObject({ logged: seen.stored, lost: [], duplicated: [], unknown: [], gaps: [] })
  expect((await log.readPlays()).filter(({ result }) => result === 'failed')).toEqual([])
}

it(
  'shops play on while the store is killed, and get the files that they lack when it is back, by redirects and without',
  { timeout: 300_000 },
  async () => {
    const shops = await Promise.all([startShop('no'), startShop('yes')])
    const added = await Promise.all(shops.map(addSong))
    await s3.stop()
    await Promise.all(shops.map((shop, index) => missSong(shop, added[index]?.playlistUid ?? '')))
    await s3.start()
    await Promise.all(shops.map((shop, index) => playSong(shop, added[index]?.track ?? '')))
  },
)
