import { createHash, randomUUID } from 'node:crypto'
import {
  ChannelMessage,
  type ChannelReply,
  type Heartbeat,
  openDeviceSession,
  proveServer,
  sendEvents,
} from '@floorcast/contract/device-protocol.ts'
import { PROTOCOL } from '@floorcast/contract/manifest.ts'
import type { PlayEvent } from '@floorcast/contract/events.ts'
import { release } from '@floorcast/contract/release.ts'
import type { ClientScope } from '@floorcast/server/platform/database/client-scope.ts'
import { onTestFinished, vi } from 'vitest'
import { WebSocket } from 'ws'
import { makeClient, makeDevice } from './factories.ts'
import { asSuperuser } from './test-database.ts'
import type { TestServer } from './test-server.ts'

const BOOT = '01933d4e-0000-7000-8000-000000000001'

/** Opens the session of a player with a license key. */
export async function openPlayer(server: TestServer, licenseKey: string, boxId: string = randomUUID()) {
  const body = { licenseKey, boxId, model: 'test player', version: release.version }
  const { token, playpointid } = await server.call(openDeviceSession, { body })
  await knowFiles(server, playpointid, [makePlay(1)])
  return { token, deviceUid: playpointid, boxId, params: { playpointid } }
}

/** Makes the files of plays known to the device's client, as if it had uploaded them: plays of no file count nowhere. */
export const knowFiles = (
  { superuserUrl }: Pick<TestServer, 'superuserUrl'>,
  deviceUid: string,
  plays: readonly Pick<PlayEvent, 'mediaUid' | 'sha256' | 'contentType' | 'durationSeconds'>[],
): Promise<unknown> =>
  asSuperuser(superuserUrl, superuser =>
    superuser.query(
      `insert into media_lengths (client_id, media_uid, sha256, content_type, duration_seconds)
       select distinct on (p.media_uid, p.sha256) d.client_id, p.*
       from devices d cross join unnest($2::uuid[], $3::text[], $4::text[], $5::float8[])
         as p(media_uid, sha256, content_type, duration_seconds)
       where d.uid = $1 on conflict do nothing`,
      [
        deviceUid,
        plays.map(play => play.mediaUid),
        plays.map(play => play.sha256),
        plays.map(play => play.contentType),
        plays.map(play => play.durationSeconds),
      ],
    ),
  )

/** Sends plays of files that the device's client has. */
export async function sendPlays(
  server: TestServer,
  player: Awaited<ReturnType<typeof openPlayer>>,
  body: readonly PlayEvent[],
): Promise<void> {
  await knowFiles(server, player.deviceUid, body)
  await server.call(sendEvents, { ...player, body: [...body] })
}

/** The server's marks of stored plays, by their event ids: a play that cannot have been is left out, or cut. */
export async function readMarks({ reads }: ClientScope) {
  const rows = await reads.selectFrom('plays').select(['eventUid', 'result', 'leftOut']).execute()
  return new Map(rows.map(row => [row.eventUid, row]))
}

/** The hash of the file that `makeMedia` adds. */
export const sampleHash = (mediaUid: string): string => createHash('sha256').update(mediaUid).digest('hex')

const SAMPLE_MEDIA = '01933d4e-0000-7000-8000-000000000002'

export const makeHeartbeat = (more: Partial<Heartbeat> = {}): Heartbeat => ({
  sentAt: new Date().toISOString(),
  bootId: BOOT,
  programVersion: release.version,
  temperatureCelsius: 41.5,
  memorySizeBytes: 32_000_000_000,
  freeMemoryBytes: 21_000_000_000,
  ipAddress: '10.0.0.7',
  macAddress: 'b8:27:eb:00:00:01',
  volume: 70,
  nowPlaying: null,
  intervalSeconds: 60,
  silence: null,
  manifestEtag: null,
  held: [],
  quarantined: [],
  alertCheck: null,
  ...more,
})

/** A whole play of a song that a device's client has since `openPlayer`, or of a file that `makeMedia` added. */
export function makePlay(sequence: number, more: Partial<PlayEvent> = {}): PlayEvent {
  const now = new Date().toISOString()
  return {
    kind: 'playtrack',
    id: randomUUID(),
    bootId: BOOT,
    sequence,
    at: now,
    publicationUid: null,
    playlistUid: null,
    playlistName: 'Songs',
    itemUid: null,
    mediaUid: SAMPLE_MEDIA,
    sha256: sampleHash(more.mediaUid ?? SAMPLE_MEDIA),
    trackName: `Song ${sequence}`,
    contentType: 'melodies',
    scheduledAt: now,
    startedAt: now,
    endedAt: now,
    secondsPlayed: 20,
    durationSeconds: 20,
    result: 'complete',
    why: null,
    ...more,
  }
}

/** A device's channel to a server that listens; ends with the test. @throws Error `HTTP n` when it is refused. */
export const openChannel = (origin: string, deviceUid: string, token: string | null) =>
  openSocket(`${origin}/api/v2/iplay/channel/${deviceUid}?protocol=${PROTOCOL}`, token)

/** The channel of a streamer's browser. */
export const openTicketChannel = (origin: string, deviceUid: string, ticket: string) =>
  openSocket(`${origin}/api/v2/iplay/channel/${deviceUid}?protocol=${PROTOCOL}&ticket=${ticket}`, null)

/** The channel of an agent that speaks protocol 1. */
export const openFormerChannel = (origin: string, deviceUid: string, token: string) =>
  openSocket(`${origin}/api/v2/iplay/channel/${deviceUid}`, token)

async function openSocket(url: string, token: string | null) {
  const headers = token === null ? {} : { authorization: `Bearer ${token}` }
  const socket = new WebSocket(url.replace(/^http/, 'ws'), { headers })
  const heard: ChannelMessage[] = []
  const { promise: closed, resolve: noteCode } = Promise.withResolvers<number>()
  const { promise: closeReason, resolve: noteReason } = Promise.withResolvers<string>()
  socket.on('close', (code, reason) => {
    noteCode(code)
    noteReason(reason.toString())
  })
  socket.on('message', data => {
    heard.push(ChannelMessage.parse(JSON.parse(Buffer.isBuffer(data) ? data.toString() : '')))
  })
  onTestFinished(() => socket.terminate())
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('unexpected-response', (_, response) => reject(new Error(`HTTP ${response.statusCode}`)))
    socket.once('error', reject)
  })
  return {
    /** The received messages, in order. */
    heard,
    /** Resolves with the code of its close. */
    closed,
    closeReason,
    say: (reply: ChannelReply) => socket.send(JSON.stringify(reply)),
    sayText: (text: string) => socket.send(text),
    close: async () => {
      socket.close()
      await closed
    },
    /** Resolves with the first `count` messages once they have come. */
    hear: (count: number) =>
      vi.waitFor(
        () => {
          if (heard.length < count) throw new Error(`heard ${heard.length} of ${count} messages`)
          return heard.slice(0, count)
        },
        { timeout: 10_000, interval: 10 },
      ),
  }
}

/** Asks a server for the proof that this is an address of it. */
export async function askForProof(server: TestServer, address: string) {
  const { uid: playpointid } = await makeDevice((await makeClient(server.database)).scope)
  return server.ask(proveServer, { body: { playpointid, address, nonce: '0'.repeat(64) } })
}
