import { setTimeout as pause } from 'node:timers/promises'
import { beginAlert, endAlert } from '@floorcast/contract/alerts.ts'
import { beginUpload, continueUpload } from '@floorcast/contract/uploads.ts'
import type { Fleet } from '@floorcast/fleet/fleet.ts'
import { withoutInfoFrame } from '@floorcast/testing/media-mpeg.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { encodeMetadata, OCTETS, TUS } from '@floorcast/testing/media-tus.ts'
import type { RunningProxy } from '@floorcast/testing/proxy-process.ts'
import {
  makeBucket,
  type S3rverProgram,
  settingsOf,
  startS3rverProgram,
} from '@floorcast/testing/s3-stores.ts'
import type { ServerProgram } from '@floorcast/testing/server-program.ts'
import { asSuperuser, cloneDatabase, type DatabaseUrls } from '@floorcast/testing/test-database.ts'
import { beforeAll, expect, test, vi } from 'vitest'
import { type Chain, errorsOf, openCell, openChain, readStored, untilPlayed } from './balanced-servers.ts'

/** KILL_ROUNDS=20 kills each part as often. The primary of PostgreSQL is killed in postgresql-failover.long.ts. */
const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 2)
const DEVICES = 60
/** As long as a service manager waits before it starts a program again. */
const AWAY_MS = 2000
const WAIT = { timeout: 120_000, interval: 20 }
const PIECE_BYTES = 512 * 1024
const PIECES = 6

let urls: DatabaseUrls
let store: S3rverProgram
let proxy: RunningProxy
let start: (number: number) => Promise<ServerProgram>
let programs: ServerProgram[]
/** With those that were killed. */
const started: ServerProgram[] = []
let chain: Chain
let fleet: Fleet
let uploads = 0

beforeAll(async () => {
  urls = await cloneDatabase()
  store = await startS3rverProgram()
  const cell = await openCell('haproxy', urls.url, settingsOf(store, await makeBucket(store, 'cell')))
  proxy = cell.proxy
  start = async number => {
    const program = await cell.start(number)
    started.push(program)
    return program
  }
  programs = []
  for (const number of [0, 1, 2, 3]) programs.push(await start(number))
  chain = await openChain(cell, urls)
  fleet = await chain.startFleet(DEVICES)
})

const killServer = (number: number) => async () => {
  programs[number]?.child.kill('SIGKILL')
  await programs[number]?.ended
  return async () => void (programs[number] = await start(number))
}

/** Kills a part. @returns what starts it again */
const parts: Record<string, () => Promise<() => Promise<unknown>>> = {
  'a server of consoles': killServer(0),
  'a server of devices': killServer(2),
  'the store': async () => {
    await store.stop()
    return store.start
  },
  HAProxy: async () => {
    await proxy.kill()
    return proxy.start
  },
}

/** A song of its own that comes in pieces. */
function newSong(): Uint8Array<ArrayBuffer> {
  uploads += 1
  const song = withoutInfoFrame(
    makeSong({ notes: [uploads % 8, Math.floor(uploads / 8) % 8, Math.floor(uploads / 64)], seconds: 3 }),
  )
  const file = new Uint8Array(Math.ceil((PIECE_BYTES * PIECES) / song.length) * song.length)
  for (let at = 0; at < file.length; at += song.length) file.set(song, at)
  return file
}

interface Upload {
  address: string
  file: Uint8Array<ArrayBuffer>
}

const headers = () => ({ ...TUS, authorization: `Bearer ${chain.client.token}` })

async function begin(): Promise<Upload> {
  const file = newSong()
  const metadata = encodeMetadata({ contentType: 'melodies', filename: `Song ${uploads}.mp3` })
  const begun = await fetch(`${chain.client.url}${beginUpload.path}`, {
    method: 'POST',
    headers: { ...headers(), 'upload-length': String(file.length), 'upload-metadata': metadata },
  })
  expect(begun.status).toBe(201)
  return { address: new URL(begun.headers.get('location') ?? '', chain.client.url).href, file }
}

/** Sends the piece at the offset that the server names; after the last one an empty one, if its answer was lost. @returns the outcome at the end */
async function sendPiece({ address, file }: Upload): Promise<unknown> {
  const head = await fetch(address, { method: 'HEAD', headers: headers() })
  if (head.status !== 200) throw new Error(`HEAD ${head.status}`)
  const offset = Number(head.headers.get('upload-offset'))
  const sent = await fetch(address, {
    method: continueUpload.method,
    headers: { ...headers(), 'content-type': OCTETS, 'upload-offset': String(offset) },
    body: file.slice(offset, offset + PIECE_BYTES),
  })
  if (!sent.ok) throw new Error(`${sent.status} ${await sent.text()}`)
  return sent.status === 200 ? sent.json() : null
}

/** Goes on until the file is there, as a browser does, also after calls that failed. @returns how many did */
async function finish(upload: Upload): Promise<number> {
  for (let failed = 0, tries = 0; tries < 600; tries += 1) {
    try {
      const answer = await sendPiece(upload)
      if (answer !== null) {
        expect(answer).toMatchObject({ data: { code: 200 } })
        return failed
      }
    } catch {
      failed += 1
      await pause(200)
    }
  }
  throw new Error('The upload did not end')
}

async function expectAlertHeard(): Promise<void> {
  const params = { uid: 'all', alerttype: 'air' } as const
  const heard = fleet.metrics.alerts.count
  await chain.client.call(beginAlert, { params, query: {} })
  await vi.waitFor(() => expect(fleet.metrics.alerts.count).toBeGreaterThanOrEqual(heard + DEVICES), WAIT)
  await chain.client.call(endAlert, { params, query: {} })
}

test.each(Object.entries(parts))(
  `%s is killed ${ROUNDS} times under load: shops play, uploads go on, alerts are heard`,
  async (name, kill) => {
    for (let round = 1; round <= ROUNDS; round += 1) {
      await untilPlayed(fleet, DEVICES)
      const upload = await begin()
      await sendPiece(upload)
      const finished = finish(upload)
      const begunAt = performance.now()
      const seconds = () => ((performance.now() - begunAt) / 1000).toFixed(1)
      const startAgain = await kill()
      await pause(AWAY_MS)
      const started = startAgain()
      await vi.waitFor(() => expect(fleet.metrics.connected).toBe(DEVICES), WAIT)
      const connectedAfter = seconds()
      const { accepted } = fleet.metrics.events
      await vi.waitFor(() => expect(fleet.metrics.events.accepted).toBeGreaterThan(accepted + DEVICES), WAIT)
      const storedAfter = seconds()
      await started
      const failed = await finished
      process.stdout.write(
        `Round ${round}: ${name} was killed; all devices are connected after ${connectedAfter} s, their plays stored after ` +
          `${storedAfter} s; an upload of ${PIECES} pieces went on after ${failed} failed calls\n`,
      )
      await expectAlertHeard()
    }
  },
)

test('no play is missing or stored twice, its sums agree, and each upload is there once', async () => {
  await fleet.stop()
  const { plays, events } = fleet.metrics
  expect(events).toMatchObject({ refused: 0, lost: 0 })
  process.stdout.write(`${plays} plays; ${events.duplicates} were sent again after a lost answer\n`)
  expect(await readStored(urls)).toEqual({ plays, events: plays, summed: plays, gaps: 0 })
  const files = await asSuperuser(urls.superuserUrl, superuser =>
    superuser.query<{ name: string }>("select name from media_items where name like 'Song %'"),
  )
  expect(files.rows.length).toBe(uploads)
  // But that the store was away.
  expect(started.flatMap(errorsOf).filter(line => !line.includes('"outcome":"files-away"'))).toEqual([])
})
