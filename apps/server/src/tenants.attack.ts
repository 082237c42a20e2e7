import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { addGroup, editGroup } from '@floorcast/contract/groups.ts'
import { readMedia, uploadMedia } from '@floorcast/contract/media.ts'
import { buildPath } from '@floorcast/contract/client.ts'
import type { AnswerOf, Endpoint } from '@floorcast/contract/endpoint.ts'
import { startAttackedServer } from '@floorcast/testing/attacked-server.ts'
import { withoutInfoFrame } from '@floorcast/testing/media-mpeg.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { expect, test } from 'vitest'

/* One client's work beside the others'. */

const HOSTILE_BYTES = 150_000_000
const CALLS = 40
const HOLD_MS = 15_000

const server = await startAttackedServer()
const attacker = await server.newClient('attacker@example.com')
const neighbor = await server.newClient('neighbor@example.com')

interface Call {
  token: string
  params?: object
  body?: string | FormData
}

async function call<E extends Endpoint>(endpoint: E, { token, params, body }: Call): Promise<AnswerOf<E>> {
  const answer = await fetch(`${server.origin}${buildPath(endpoint.path, params)}`, {
    method: endpoint.method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
    },
    ...(body === undefined ? {} : { body }),
  })
  if (answer.status !== 200) throw new Error(`${endpoint.path}: ${answer.status} ${await answer.text()}`)
  return ((await answer.json()) as { data: AnswerOf<E> }).data
}

/** A song repeated until the file has so many bytes. */
function songOf(bytes: number): Uint8Array<ArrayBuffer> {
  const song = withoutInfoFrame(makeSong({ notes: [0, 2, 4], seconds: 3 }))
  const file = new Uint8Array(Math.max(1, Math.round(bytes / song.length)) * song.length)
  for (let at = 0; at < file.length; at += song.length) file.set(song, at)
  return file
}

async function upload(token: string, bytes: number): Promise<string> {
  const body = new FormData()
  body.append('file', new Blob([songOf(bytes)]), `${randomUUID()}.mp3`)
  const { uid } = await call(uploadMedia, { token, params: { contentType: 'melodies' }, body })
  if (uid === undefined) throw new Error('the upload has no uid')
  return uid
}

const isMeasured = async (token: string, uid: string) =>
  (await call(readMedia, { token, params: { contentType: 'melodies', uid } })).loudnessState === 'measured'

/** The milliseconds from the upload of a file of three seconds until its loudness is known. */
async function timeShortFile(): Promise<number> {
  const since = performance.now()
  const uid = await upload(neighbor, 1)
  while (!(await isMeasured(neighbor, uid))) await pause(50)
  return Math.round(performance.now() - since)
}

test('150 MB of MP3 of one client do not keep the short file of another waiting', async () => {
  const alone = await timeShortFile()
  const hostile = await upload(attacker, HOSTILE_BYTES)
  const beside = await timeShortFile()
  const isHostileMeasured = await isMeasured(attacker, hostile)
  console.log(`a file of three seconds is measured after ${alone} ms alone, ${beside} ms beside 150 MB`)
  expect(isHostileMeasured).toBe(false)
})

test(`${CALLS} calls of one client that wait for a lock leave connections to the others`, async () => {
  const { uid = '' } = await call(addGroup, {
    token: attacker,
    params: { contentType: 'audio' },
    body: JSON.stringify({ name: 'Locked' }),
  })
  const figures = await asSuperuser(server.superuserUrl, async superuser => {
    await superuser.query('begin')
    await superuser.query('select from groups where uid = $1 for update', [uid])
    return server.measure(`${CALLS} calls that wait for a lock`, async () => {
      const body = JSON.stringify({ uid, name: 'Locked', version: 1 })
      const waiting = Array.from({ length: CALLS }, () =>
        call(editGroup, { token: attacker, body }).catch(() => null),
      )
      await pause(HOLD_MS)
      await superuser.query('rollback')
      await Promise.all(waiting)
    })
  })
  expect(figures.failed).toBe(0)
})
