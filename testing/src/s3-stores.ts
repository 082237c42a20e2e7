import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request as openRequest } from 'node:http'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import S3rver from 's3rver'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { atTheEnd } from './at-the-end.ts'
import { requireProgram } from './debian-program.ts'
import { freePort } from './free-port.ts'
import { findPython } from './python.ts'

/** A store by the protocol S3, as settings of the server. */
export interface S3Store {
  endpoint: string
  region: string
  key: { id: string; secret: string }
}

export async function makeBucket({ endpoint, region, key }: S3Store, bucket: string): Promise<string> {
  const credentials = { accessKeyId: key.id, secretAccessKey: key.secret }
  const s3 = new S3Client({ endpoint, region, credentials, forcePathStyle: true })
  await s3.send(new CreateBucketCommand({ Bucket: bucket }))
  s3.destroy()
  return bucket
}

/** A store in this process that can be away for a while. */
export interface S3rverStore extends S3Store {
  stop: () => Promise<void>
  start: () => Promise<void>
}

const S3RVER_KEY = { id: 'S3RVER', secret: 'S3RVER' }

/** s3rver, until the end of the file's tests. */
export async function startS3rver(): Promise<S3rverStore> {
  const directory = mkdtempSync(join(tmpdir(), 'floorcast-s3rver-'))
  const port = await freePort()
  let server: S3rver | null = null
  const start = async () => {
    server = new S3rver({ address: '127.0.0.1', port, silent: true, directory })
    await server.run()
  }
  const stop = async () => {
    const closed = server?.close()
    server?.httpServer.closeAllConnections()
    await closed
    server = null
  }
  await start()
  atTheEnd(async () => {
    await stop()
    rmSync(directory, { recursive: true, force: true })
  })
  return { endpoint: `http://127.0.0.1:${port}`, region: 'us-east-1', key: S3RVER_KEY, start, stop }
}

/** s3rver as a process that `stop` kills in the middle of whatever it does. */
export interface S3rverProgram extends S3rverStore {
  /** Waits until it has answered a request whose query matches, since its last start. */
  untilAsked: (query: RegExp) => Promise<void>
}

/** s3rver as a process of its own, until the end of the file's tests. */
export async function startS3rverProgram(): Promise<S3rverProgram> {
  const directory = mkdtempSync(join(tmpdir(), 'floorcast-s3rver-'))
  const port = await freePort()
  const endpoint = `http://127.0.0.1:${port}`
  const program = createRequire(import.meta.url).resolve('s3rver/bin/s3rver.js')
  let running: { child: ChildProcess; said: string[] } | null = null
  const start = async () => {
    if (running !== null) return
    const args = [program, '--directory', directory, '--address', '127.0.0.1', '--port', String(port)]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    const said: string[] = []
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', line => {
        said.push(line)
        child.emit('said')
      })
    running = { child, said }
    await untilAnswers(endpoint, () => said.join('\n'))
  }
  const stop = async () => {
    const child = running?.child
    running = null
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  const untilAsked = async (query: RegExp) => {
    while (running !== null) {
      if (running.said.some(line => query.test(line))) return
      await once(running.child, 'said')
    }
  }
  await start()
  atTheEnd(async () => {
    await stop()
    rmSync(directory, { recursive: true, force: true })
  })
  return { endpoint, region: 'us-east-1', key: S3RVER_KEY, start, stop, untilAsked }
}

/** The settings of a server with its files in a bucket. */
export const settingsOf = ({ endpoint, region, key }: S3Store, bucket: string): Record<string, string> => ({
  S3_ENDPOINT: endpoint,
  S3_BUCKET: bucket,
  S3_REGION: region,
  S3_ACCESS_KEY_ID: key.id,
  S3_SECRET_ACCESS_KEY: key.secret,
})

/** What stands before a store for devices and browsers. s3rver itself sends files to anybody. */
export interface StoreFront {
  endpoint: string
  /** The origins whose pages may read. */
  readonly origins: Set<string>
  /** Whether it refuses requests without a signed address. */
  isClosed: boolean
  /** The path and the header `Authorization` of each request that it has answered with bytes. */
  readonly sent: { path: string; authorization: string | undefined }[]
}

/** Lets signed requests through to a store, and pages read by CORS, until the end of the file's tests. */
export async function startStoreFront(store: S3Store): Promise<StoreFront> {
  const port = await freePort()
  const front: StoreFront = {
    endpoint: `http://127.0.0.1:${port}`,
    origins: new Set(),
    isClosed: true,
    sent: [],
  }
  const server = createServer((request, response) => {
    const { url: path = '', headers, method } = request
    const { origin, authorization } = headers
    if (origin !== undefined && front.origins.has(origin))
      response.setHeader('access-control-allow-origin', origin)
    if (front.isClosed && !path.includes('X-Amz-Signature=')) return void response.writeHead(403).end()
    const asked = openRequest(`${store.endpoint}${path}`, { method, headers }, answer => {
      if ((answer.statusCode ?? 500) < 300) front.sent.push({ path, authorization })
      response.writeHead(answer.statusCode ?? 500, answer.headers)
      answer.pipe(response)
    })
    asked.on('error', () => response.destroy())
    response.on('close', () => asked.destroy())
    request.pipe(asked)
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  atTheEnd(async () => {
    server.close()
    server.closeAllConnections()
  })
  return front
}

const STARTER = fileURLToPath(new URL('run-swift.py', import.meta.url))
const REGION = 'shop-1'
const BACKENDS = ['account', 'container', 'object'] as const

const commonOf = (folder: string, port: number) => `[DEFAULT]
bind_ip = 127.0.0.1
bind_port = ${port}
user = root
workers = 0
swift_dir = ${folder}
devices = ${join(folder, 'devices')}
mount_check = false
`
const backendOf = (kind: string) => `[pipeline:main]
pipeline = ${kind}-server
[app:${kind}-server]
use = egg:swift#${kind}
`
const PROXY = `[pipeline:main]
pipeline = catch_errors gatekeeper cache listing_formats s3api tempauth copy slo dlo versioned_writes proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
location = ${REGION}
[filter:tempauth]
use = egg:swift#tempauth
user_shop_floorcast = testing .admin
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
[filter:versioned_writes]
use = egg:swift#versioned_writes
`

/** Swift with its s3api, as four processes on loopback, until the end of the file's tests. */
export async function startSwift(): Promise<S3Store> {
  requireProgram('swift-ring-builder', 'swift')
  // Without spaces: Paste splits its settings there.
  const folder = mkdtempSync(join(tmpdir(), 'floorcast-swift-'))
  atTheEnd(async () => rmSync(folder, { recursive: true, force: true }))
  mkdirSync(join(folder, 'devices', 'disk'), { recursive: true })
  const ports = {
    proxy: await freePort(),
    account: await freePort(),
    container: await freePort(),
    object: await freePort(),
  }
  writeFileSync(join(folder, 'swift.conf'), '[swift-hash]\nswift_hash_path_suffix = floorcast\n')
  writeFileSync(join(folder, 'proxy.conf'), commonOf(folder, ports.proxy) + PROXY)
  for (const kind of BACKENDS)
    writeFileSync(join(folder, `${kind}.conf`), commonOf(folder, ports[kind]) + backendOf(kind))
  const input = BACKENDS.map(kind => `${kind} ${ports[kind]}\n`).join('')
  const rings = spawnSync(findPython(), [STARTER, folder, 'rings'], { input, encoding: 'utf8' })
  if (rings.status !== 0) throw new Error(rings.stderr)
  const said: string[] = []
  for (const kind of ['proxy', ...BACKENDS]) {
    const child = spawn(findPython(), [STARTER, folder, kind], { stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) stream.on('data', text => said.push(String(text)))
    const ended = once(child, 'close')
    atTheEnd(async () => {
      child.kill('SIGKILL')
      await ended
    })
  }
  const endpoint = `http://127.0.0.1:${ports.proxy}`
  for (const port of Object.values(ports)) await untilAnswers(`http://127.0.0.1:${port}`, () => said.join(''))
  return { endpoint, region: REGION, key: { id: 'shop:floorcast', secret: 'testing' } }
}

async function untilAnswers(endpoint: string, said: () => string): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const answer = await fetch(endpoint).catch(() => null)
    if (answer !== null) return
    await pause(100)
  }
  throw new Error(`Swift did not start: ${said()}`)
}
