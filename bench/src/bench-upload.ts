import { spawnSync } from 'node:child_process'
import { createReadStream, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { request, type ClientRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { PartSize } from '../../apps/console/src/ui/upload/part-size.ts'
import { mp4Fixtures } from '@floorcast/testing/media-fixtures.ts'
import type { Bench } from './bench-types.ts'
import { measureMemoryGrowth, startServer } from './server-process.ts'

const MEGABYTE = 1_000_000
const ROUNDS = 7
const PIECE_BYTES = MEGABYTE

/** Writes a real video without sound, filled up by a `free` box, so that only receiving takes time. */
async function writeVideo(path: string, bytes: number): Promise<void> {
  const video = readFileSync(mp4Fixtures.silent.path)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(bytes - video.length)
  head.write('free', 4, 'latin1')
  const file = await open(path, 'w')
  await file.write(Buffer.concat([video, head]))
  const filling = Buffer.alloc(PIECE_BYTES, 'floorcast')
  for (let left = bytes - video.length - head.length; left > 0; left -= PIECE_BYTES)
    await file.write(filling, 0, Math.min(left, PIECE_BYTES))
  await file.close()
}

/** A script that only reads, hashes and writes the same bytes, with which the upload is compared. */
const PLAIN_SCRIPT = `
import { createHash } from 'node:crypto'
import { open } from 'node:fs/promises'
import { createReadStream } from 'node:fs'
const [from, to] = process.argv.slice(-2)
const startedAt = performance.now()
const hash = createHash('sha256')
const file = await open(to, 'w')
for await (const piece of createReadStream(from)) {
  hash.update(piece)
  await file.write(piece)
}
await file.sync()
await file.close()
hash.digest('hex')
console.log((performance.now() - startedAt) / 1000)
`

function timePlainCopy(from: string, to: string): number {
  const args = ['--input-type=module', '-e', PLAIN_SCRIPT, '--', from, to]
  const { stdout, status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (status !== 0) throw new Error(`The plain script failed: ${stderr}`)
  rmSync(to)
  return Number(stdout)
}

/** A new client; the plan that it begins with holds 2 GB. */
async function register(url: string): Promise<string> {
  const email = `bench-${performance.now()}@example.com`
  const body = { fullName: 'Bea Bench', email, password: 'a long password', terms: true }
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`${url}/users/register`, { method: 'POST', headers, body: JSON.stringify(body) })
  const { data } = (await answer.json()) as { data: { token: string } }
  return data.token
}

interface Sent {
  url: string
  token: string
  path: string
  name: string
}

const textOf = (sending: ClientRequest) =>
  new Promise<string>((resolve, reject) => {
    sending.on('error', reject)
    sending.on('response', response => resolve(text(response)))
  })

/** Seconds since `startedAt`, if the file was stored. */
function endOf(name: string, answer: unknown, startedAt: number): number {
  const { data } = answer as { data?: { code: number } }
  if (data?.code !== 200) throw new Error(`The upload of ${name} ended in ${JSON.stringify(answer)}`)
  return (performance.now() - startedAt) / 1000
}

/** Sends a file as a browser does, without holding it; answers the seconds until the answer was there. */
async function timeUpload({ url, token, path, name }: Sent): Promise<number> {
  const boundary = 'floorcast-bench-boundary'
  const head = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="${name}"\r\ncontent-type: application/octet-stream\r\n\r\n`
  const tail = `\r\n--${boundary}--\r\n`
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': head.length + (await stat(path)).size + tail.length,
  }
  const startedAt = performance.now()
  const sending = request(`${url}/videos/upload`, { method: 'POST', headers })
  const answered = textOf(sending)
  sending.write(head)
  await pipeline(createReadStream(path), sending, { end: false })
  sending.end(tail)
  return endOf(name, JSON.parse(await answered), startedAt)
}

/** Sends a part of a file by tus; answers what the server says. */
async function sendTusPart({ token, path }: Sent, address: string, [start, end]: [number, number]) {
  const headers = {
    authorization: `Bearer ${token}`,
    'tus-resumable': '1.0.0',
    'content-type': 'application/offset+octet-stream',
    'content-length': end - start,
    'upload-offset': start,
  }
  const sending = request(address, { method: 'PATCH', headers })
  const answered = textOf(sending)
  await pipeline(createReadStream(path, { start, end: end - 1 }), sending)
  return answered
}

/** Sends a file by tus in parts, as the console does on a page that has uploaded nothing yet. */
async function timeTusUpload(sent: Sent): Promise<number> {
  const { url, token, path, name } = sent
  const startedAt = performance.now()
  const { size } = await stat(path)
  const metadata = `filename ${Buffer.from(name).toString('base64')},contentType ${Buffer.from('videos').toString('base64')}`
  const headers = {
    authorization: `Bearer ${token}`,
    'tus-resumable': '1.0.0',
    'upload-length': String(size),
    'upload-metadata': metadata,
  }
  const begun = await fetch(`${url}/api/v2/upload/`, { method: 'POST', headers })
  const address = `${url}${begun.headers.get('location')}`
  const part = new PartSize()
  let last = ''
  for (let start = 0; start < size;) {
    const end = Math.min(size, start + part.bytes)
    const sentAt = performance.now()
    last = await sendTusPart(sent, address, [start, end])
    part.grow(end - start, performance.now() - sentAt)
    start = end
  }
  return endOf(name, JSON.parse(last), startedAt)
}

/** Other programs only add time, so the fastest round is the most exact. */
const fastest = (values: readonly number[]) => Math.min(...values)

async function measure(folder: string): Promise<Record<string, number>> {
  const [video, large] = [join(folder, 'video.mp4'), join(folder, 'large.mp4')]
  await writeVideo(video, 200 * MEGABYTE)
  await writeVideo(large, 1000 * MEGABYTE)
  const server = await startServer(join(folder, 'data'))
  try {
    const { url } = server
    const tokens = [await register(url), await register(url), await register(url)] as const
    const what = (path: string, token: string) => ({ url, token, path, name: `${performance.now()}.mp4` })
    // The first upload, before anything has warmed up, is the hardest.
    const largeGrowth = await measureMemoryGrowth(server.pid, () => timeUpload(what(large, tokens[1])))
    const largeTusGrowth = await measureMemoryGrowth(server.pid, () => timeTusUpload(what(large, tokens[2])))
    const plain: number[] = []
    const [form, tus] = [
      { seconds: [] as number[], growth: 0 },
      { seconds: [] as number[], growth: 0 },
    ]
    for (let round = 1; round <= ROUNDS; round++) {
      plain.push(timePlainCopy(video, join(folder, 'copy')))
      for (const [way, send, token] of [
        [form, timeUpload, tokens[0]],
        [tus, timeTusUpload, tokens[round % 2 ? 1 : 2]],
      ] as const) {
        const growth = await measureMemoryGrowth(server.pid, async () => {
          way.seconds.push(await send(what(video, token)))
        })
        way.growth = Math.max(way.growth, growth)
      }
    }
    return {
      plainSeconds: fastest(plain),
      uploadSeconds: fastest(form.seconds),
      ratio: fastest(form.seconds) / fastest(plain),
      memoryGrowth: form.growth,
      largeMemoryGrowth: largeGrowth,
      tusSeconds: fastest(tus.seconds),
      tusRatio: fastest(tus.seconds) / fastest(plain),
      tusMemoryGrowth: tus.growth,
      largeTusMemoryGrowth: largeTusGrowth,
    }
  } finally {
    await server.stop()
  }
}

async function run(): Promise<Record<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-bench-'))
  try {
    return await measure(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const bench: Bench = {
  name: 'upload',
  what: 'An upload over HTTP, as a form and by tus, beside writing and hashing the same bytes with a plain Node script',
  figures: {
    plainSeconds: { what: 'plain script, 200 MB (fastest of 7)', unit: 's' },
    uploadSeconds: { what: 'upload, 200 MB MP4 (fastest of 7)', unit: 's' },
    ratio: { what: 'upload against plain script', unit: '×', atMost: 2 },
    memoryGrowth: { what: "the server's peak memory growth, 200 MB", unit: 'MB', atMost: 64 },
    largeMemoryGrowth: {
      what: "the server's peak memory growth, 1 GB, its first upload",
      unit: 'MB',
      atMost: 64,
    },
    tusSeconds: { what: 'the same by tus (fastest of 7)', unit: 's' },
    tusRatio: { what: 'tus against plain script', unit: '×', atMost: 2 },
    tusMemoryGrowth: { what: "tus: the server's peak memory growth, 200 MB", unit: 'MB', atMost: 64 },
    largeTusMemoryGrowth: { what: "tus: the server's peak memory growth, 1 GB", unit: 'MB', atMost: 64 },
  },
  run,
}
export default bench
