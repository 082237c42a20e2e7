import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { register } from '@floorcast/contract/auth.ts'
import { buildPath } from '@floorcast/contract/client.ts'
import { openDeviceSession, sendEvents } from '@floorcast/contract/device-protocol.ts'
import { addDevice, readDevice } from '@floorcast/contract/devices.ts'
import { uploadMedia } from '@floorcast/contract/media.ts'
import { beginUpload } from '@floorcast/contract/uploads.ts'
import { encodeMetadata, OCTETS, TUS } from '@floorcast/testing/media-tus.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { startServerProgram } from '@floorcast/testing/server-program.ts'
import { mountDisk } from '@floorcast/testing/small-disk.ts'
import { expect, test, vi } from 'vitest'

const DISK_BYTES = 400_000_000
const FLOOR_BYTES = 128_000_000

interface Answer {
  status: number
  location: string | null
  code: unknown
  body: Record<string, unknown>
}

/** A server on the disk, a signed-in user and a device of it. */
async function startShop(folder: string) {
  const { until } = startServerProgram({ DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn' })
  const [, port] = await until(/^Floorcast is at http:\/\/localhost:(\d+)$/)
  const origin = `http://127.0.0.1:${port}`
  const ask = async (url: string, options: RequestInit): Promise<Answer> => {
    const answer = await fetch(`${origin}${url}`, options)
    const text = await answer.text()
    const body = (text ? JSON.parse(text) : {}) as Record<string, unknown>
    return { status: answer.status, location: answer.headers.get('location'), code: body['code'], body }
  }
  const post = (url: string, token: string, body: object) =>
    ask(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify(body),
    })
  const dataOf = ({ status, body }: Answer) => {
    expect(status).toBe(200)
    return body['data'] as Record<string, string>
  }
  const person = {
    fullName: 'Olga Owner',
    email: 'olga@example.com',
    password: 'a long password',
    terms: true,
  }
  const { token = '' } = dataOf(await post(register.path, '', person))
  const authorization = `Bearer ${token}`
  const deviceUrl = buildPath(addDevice.path, { contentType: 'audio' })
  const { uid } = dataOf(await post(deviceUrl, token, { name: 'Till radio' }))
  const card = await ask(buildPath(readDevice.path, { id: uid }), { headers: { authorization } })
  const { licenseKey } = dataOf(card)
  const box = { licenseKey, boxId: randomUUID(), model: 'test', version: '1' }
  const session = dataOf(await post(openDeviceSession.path, '', box))
  const eventsUrl = buildPath(sendEvents.path, { playpointid: session['playpointid'] ?? '' })
  return {
    ask,
    authorization,
    cancel: (url: string) => ask(url, { method: 'DELETE', headers: { ...TUS, authorization } }),
    addDevice: (name: string) => post(deviceUrl, token, { name }),
    report: (events: object[]) => post(eventsUrl, session['token'] ?? '', events),
    ready: async () => (await ask('/health/ready', {})).body,
  }
}

type Shop = Awaited<ReturnType<typeof startShop>>

/** Sends so many bytes of a file whose last byte never comes. */
async function sendPart({ ask, authorization }: Shop, filename: string, bytes: number): Promise<Answer> {
  const headers = { ...TUS, authorization }
  const metadata = encodeMetadata({ contentType: 'melodies', filename })
  const begun = await ask(beginUpload.path, {
    method: 'POST',
    headers: { ...headers, 'upload-length': String(bytes + 1), 'upload-metadata': metadata },
  })
  if (begun.location === null) return begun
  const sent = await ask(begun.location, {
    method: 'PATCH',
    headers: { ...headers, 'content-type': OCTETS, 'upload-offset': '0' },
    body: new Uint8Array(bytes),
  })
  return { ...sent, location: begun.location }
}

async function sendForm({ ask, authorization }: Shop): Promise<Answer> {
  const body = new FormData()
  body.append('file', new Blob([new Uint8Array(makeSong({ notes: [1, 2], seconds: 10 }))]), 'Small.mp3')
  const url = buildPath(uploadMedia.path, { contentType: 'melodies' })
  return ask(url, { method: 'POST', headers: { authorization }, body })
}

const bootId = randomUUID()
const makeEvents = (first: number, count: number) =>
  Array.from({ length: count }, (_, n) => ({
    kind: 'debug',
    id: randomUUID(),
    bootId,
    sequence: first + n,
    at: new Date().toISOString(),
    level: 'info',
    code: 'test',
    message: randomUUID().repeat(27),
  }))

test(
  'a disk of 400 MB that fills up: uploads are refused with words, reports are taken, and nothing is lost',
  { timeout: 120_000 },
  async ({ skip }) => {
    // It holds the files and the embedded database.
    const disk = mountDisk(DISK_BYTES) ?? skip()
    const shop = await startShop(disk.folder)
    expect(await shop.ready()).toEqual({ status: 'ready' })

    // Uploads stop at the floor.
    const parts = await Promise.all(
      ['One', 'Two', 'Three', 'Four'].map(name => sendPart(shop, `${name}.mp3`, 100_000_000)),
    )
    expect(parts.filter(({ status }) => ![204, 503].includes(status))).toEqual([])
    expect(parts.flatMap(({ code }) => code ?? [])).toContain('disk-full')
    const rests = await Promise.all([1, 2, 3].map(n => sendPart(shop, `Rest ${n}.mp3`, 40_000_000)))
    expect(rests.map(({ status }) => status)).toContain(503)
    expect(disk.freeBytes()).toBeGreaterThan(FLOOR_BYTES - 16_000_000)
    disk.fill('some', FLOOR_BYTES - 4_000_000)
    await vi.waitFor(async () => expect(await shop.ready()).toMatchObject({ reason: 'disk-full' }), 5000)
    expect(await sendPart(shop, 'Five.mp3', 40_000)).toMatchObject({ status: 503, code: 'disk-full' })
    expect(await sendForm(shop)).toMatchObject({ status: 503, code: 'disk-full' })
    expect((await shop.report(makeEvents(1, 300))).body).toMatchObject({ data: { accepted: 300 } })

    // Something else takes the rest: not even the database can write.
    disk.fill('rest', 0)
    expect(await shop.ready()).toMatchObject({ reason: 'disk-full' })
    const waiting: object[][] = []
    const answers: Answer[] = []
    for (let n = 0; n < 40; n += 1) {
      const events = makeEvents(301 + n * 300, 300)
      const answer = await shop.report(events)
      answers.push(answer, await shop.addDevice(`Radio ${n}`))
      if (answer.status !== 200) waiting.push(events)
    }
    expect(answers.filter(({ status }) => ![200, 503].includes(status))).toEqual([])
    expect(new Set(answers.map(({ code }) => code))).toContain('disk-full')
    expect(waiting.length).toBeGreaterThan(0)

    // With room again everything arrives, once.
    for (const name of ['some', 'rest']) rmSync(join(disk.folder, name))
    for (const events of waiting)
      await vi.waitFor(
        async () => expect((await shop.report(events)).body).toMatchObject({ data: { code: 200 } }),
        { timeout: 30_000, interval: 250 },
      )

    // What the database took since may be below the floor: somebody cancels an upload.
    const [begun = ''] = parts.flatMap(({ location }) => location ?? [])
    expect(await shop.cancel(begun)).toMatchObject({ status: 204 })
    await vi.waitFor(
      async () => expect(await shop.addDevice('After all')).toMatchObject({ status: 200 }),
      5000,
    )
  },
)
