import { execFile, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { register } from '@floorcast/contract/auth.ts'
import { addDevice, readDevice } from '@floorcast/contract/devices.ts'
import { openDeviceSession } from '@floorcast/contract/device-protocol.ts'
import { buildPath } from '@floorcast/contract/client.ts'
import { beginUpload } from '@floorcast/contract/uploads.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { freePort } from '@floorcast/testing/free-port.ts'
import { encodeMetadata, OCTETS, TUS } from '@floorcast/testing/media-tus.ts'
import {
  type ExampleProgram,
  PROXY_ADDRESS,
  PROXY_AUTHORITY,
  startExampleProxy,
  startPlainNginx,
  startReverseProxy,
} from '@floorcast/testing/reverse-proxy.ts'
import { startServerProgram } from '@floorcast/testing/server-program.ts'
import { makeHeartbeat } from '@floorcast/testing/test-device.ts'
import { testDatabase } from '@floorcast/testing/test-database.ts'
import { afterAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
const ADMIN = join(ROOT, 'apps/server/src/admin.ts')
const scratch = mkdtempSync(join(tmpdir(), 'floorcast-check-'))
afterAll(() => {
  rmSync(scratch, { recursive: true, force: true })
})
const ca = readFileSync(PROXY_AUTHORITY)
const UPLOAD_BYTES = 300_000_000

/** `npm run admin -- check` with the settings of a file, as an operator runs it. */
async function runCheck(file: string): Promise<{ code: number; lines: string[] }> {
  const env = { PATH: process.env['PATH'], NODE_EXTRA_CA_CERTS: PROXY_AUTHORITY }
  const { promise, resolve } = Promise.withResolvers<{ code: number; said: string }>()
  execFile(process.execPath, [ADMIN, '--env', file, 'check'], { env }, (error, stdout, stderr) =>
    resolve({ code: error ? Number(error.code) : 0, said: stdout || stderr }),
  )
  const { code, said } = await promise
  return { code, lines: said.trimEnd().split('\n') }
}

/** The same by the command of docs/operate/tls.md for an authority of the operator's own. */
function runCheckOfPage(file: string) {
  const page = readFileSync(join(ROOT, 'docs/operate/tls.md'), 'utf8')
  const command = /^NODE_EXTRA_CA_CERTS=.* npm run admin -- check$/m.exec(page)?.[0] ?? 'false'
  const own = command
    .replace(/check$/, `--env ${file} check`)
    .replace('/etc/ssl/shop-authority.pem', PROXY_AUTHORITY)
  const env = { PATH: process.env['PATH'], HOME: process.env['HOME'] }
  const { status, stdout, stderr } = spawnSync('sh', ['-c', own], { cwd: ROOT, env, encoding: 'utf8' })
  // npm names the command before.
  const lines = stdout.split('\n').filter(line => /^(OK|WRONG) /.test(line))
  return { code: status, lines, end: `${stdout}\n${stderr}` }
}

interface Call {
  method?: string
  headers?: Record<string, string>
  body?: Uint8Array | string
  localAddress?: string
}

async function call(url: string, { method = 'POST', headers = {}, body = '', localAddress }: Call) {
  const options = { method, headers: { ...headers, 'content-length': String(body.length) }, ca }
  const request = url.startsWith('https:') ? requestHttps : requestHttp
  const open = request(url, localAddress === undefined ? options : { ...options, localAddress })
  open.end(body)
  const [answer] = (await once(open, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) }
}

async function callJson<T>(
  url: string,
  body: object,
  { token = '', localAddress }: { token?: string; localAddress?: string } = {},
): Promise<T> {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const answer = await call(url, {
    headers,
    body: JSON.stringify(body),
    ...(localAddress === undefined ? {} : { localAddress }),
  })
  expect(answer.status, answer.body).toBe(200)
  return (JSON.parse(answer.body) as { data: T }).data
}

/** A server behind a proxy, with its settings in a file. */
async function startBehind(
  open: (to: number) => Promise<number>,
  settings: (port: number) => { PUBLIC_URL: string; TRUST_PROXY: string; API_URL?: string },
) {
  const { url } = await testDatabase()
  const to = await freePort()
  const port = await open(to)
  const folder = mkdtempSync(join(scratch, 'data-'))
  const environment = {
    DATABASE_URL: url,
    DATA_DIR: folder,
    PORT: String(to),
    ...settings(port),
  }
  const file = join(folder, 'floorcast.env')
  writeFileSync(
    file,
    Object.entries(environment)
      .map(([name, value]) => `${name}=${value}\n`)
      .join(''),
  )
  const program = startServerProgram(environment)
  await program.until(/^Floorcast is at/)
  // HAProxy looks every two seconds whether the server is up.
  const { PUBLIC_URL } = settings(port)
  await eventually(async () => {
    expect((await call(`${PUBLIC_URL}/health/ready`, { method: 'GET' })).status).toBe(200)
  })
  return { program, port, file }
}

test.each<ExampleProgram>(['nginx', 'caddy', 'haproxy'])(
  'behind the example for %s devices have channels, 300 MB pass in one request, and the check finds nothing wrong',
  async proxy => {
    const { program, port, file } = await startBehind(
      to => startExampleProxy(proxy, to),
      own => ({ PUBLIC_URL: `https://localhost:${own}`, TRUST_PROXY: '127.0.0.1' }),
    )
    const origin = `https://localhost:${port}`
    const checked = await runCheck(file)
    expect(checked.lines.filter(line => !line.startsWith('OK'))).toEqual([])
    expect(checked).toMatchObject({
      code: 0,
      lines: expect.arrayContaining([
        expect.stringMatching(/^OK {4}tls {11}TLSv1\.[23], a certificate until 2100/),
        'OK    caller        127.0.0.1, named by the proxy at 127.0.0.1',
        'OK    channel       WebSockets of devices are let through',
        'OK    body          a request of 1 GiB may be sent, and one of 64 MiB was',
        'OK    requests      bodies are forwarded as they come',
        'OK    answers       are forwarded as they come',
      ]) as string[],
    })

    const owner = {
      fullName: 'Olga Owner',
      email: 'olga@example.com',
      password: 'a long password',
      terms: true,
    }
    const { token } = await callJson<{ token: string }>(`${origin}${register.path}`, owner, {
      localAddress: '127.0.0.5',
    })
    await program.until(/"path":"\/users\/register".*"address":"127\.0\.0\.5"/)
    await expectUpload(origin, token)
    await expectChannel(origin, token)
  },
)

const hasIpv6 = Object.values(networkInterfaces()).some(some =>
  some?.some(({ address }) => address === '::1'),
)

test.skipIf(!hasIpv6).each<ExampleProgram>(['nginx', 'caddy', 'haproxy'])(
  'the example for %s takes calls by IPv6, and names their caller',
  async proxy => {
    const to = await freePort()
    const behind = createServer((request, answer) => answer.end(request.headers['x-forwarded-for'])).listen(
      to,
      '127.0.0.1',
    )
    afterAll(() => void behind.close())
    await once(behind, 'listening')
    const port = await startExampleProxy(proxy, to)
    const read = async () => {
      const headers = { host: `localhost:${port}` }
      const open = requestHttps(`https://[::1]:${port}/`, { headers, servername: 'localhost', ca })
      open.end()
      const [answer] = (await once(open, 'response')) as [IncomingMessage]
      return { status: answer.statusCode, body: await text(answer) }
    }
    await eventually(async () => expect(await read()).toEqual({ status: 200, body: '::1' }))
  },
)

/** All of a file but its last byte in one PATCH. */
async function expectUpload(origin: string, token: string): Promise<void> {
  const headers = { ...TUS, authorization: `Bearer ${token}` }
  const announced = {
    'upload-length': String(UPLOAD_BYTES + 1),
    'upload-metadata': encodeMetadata({ filename: 'long.mp3', contentType: 'melodies' }),
  }
  const begun = await call(`${origin}${beginUpload.path}`, { headers: { ...headers, ...announced } })
  expect([begun.status, begun.body]).toEqual([201, ''])
  const { pathname } = new URL(String(begun.headers.location), origin)
  const sent = await call(`${origin}${pathname}`, {
    method: 'PATCH',
    headers: { ...headers, 'content-type': OCTETS, 'upload-offset': '0' },
    body: Buffer.alloc(UPLOAD_BYTES),
  })
  expect([sent.status, sent.headers['upload-offset']]).toEqual([204, String(UPLOAD_BYTES)])
}

async function expectChannel(origin: string, token: string): Promise<void> {
  const add = buildPath(addDevice.path, { contentType: 'audio' })
  const { uid } = await callJson<{ uid: string }>(`${origin}${add}`, { name: 'Shop 1' }, { token })
  const headers = { authorization: `Bearer ${token}` }
  const card = await call(`${origin}${buildPath(readDevice.path, { id: uid })}`, { method: 'GET', headers })
  const { licenseKey } = (JSON.parse(card.body) as { data: { licenseKey: string } }).data
  const player = { licenseKey, boxId: crypto.randomUUID(), model: 'test', version: '1.0.0' }
  const session = await callJson<{ token: string }>(`${origin}${openDeviceSession.path}`, player)
  const socket = new WebSocket(`${origin.replace('http', 'ws')}/api/v2/iplay/channel/${uid}?protocol=2`, {
    headers: { authorization: `Bearer ${session.token}` },
    ca,
  })
  await once(socket, 'open')
  socket.send(JSON.stringify({ type: 'heartbeat', heartbeat: makeHeartbeat() }))
  const [message] = (await once(socket, 'message')) as [Buffer]
  expect(JSON.parse(message.toString())).toMatchObject({ type: 'heartbeat-answer' })
  socket.terminate()
}

test('behind nginx the API can have a path of its own, as docs/operate/proxy.md writes it', async () => {
  const page = readFileSync(new URL('../../../../docs/operate/proxy.md', import.meta.url), 'utf8')
  const [, location = ''] = /```nginx\n([^]*?)```/.exec(page) ?? []
  const { file, port } = await startBehind(
    to => startExampleProxy('nginx', to, location),
    own => ({
      PUBLIC_URL: `https://localhost:${own}`,
      API_URL: `https://localhost:${own}/floor`,
      TRUST_PROXY: '127.0.0.1',
    }),
  )
  const { code, lines, end } = runCheckOfPage(file)
  expect(lines.filter(line => !line.startsWith('OK'))).toEqual([])
  expect(code, end).toBe(0)
  expect(lines).toContainEqual(expect.stringMatching(`answers at https://localhost:${port}/floor$`))
})

test("behind Debian's plain nginx the check says what is wrong, and what to write", async () => {
  const { program, port, file } = await startBehind(startPlainNginx, own => ({
    PUBLIC_URL: `http://localhost:${own}`,
    TRUST_PROXY: '127.0.0.1',
  }))
  const { code, lines } = await runCheck(file)
  expect(code).toBe(1)
  const wrong = lines.filter(line => line.startsWith('WRONG')).map(line => line.slice(6, 20).trim())
  expect(wrong).toEqual(['caller', 'channel', 'body'])
  const all = lines.join('\n')
  expect(all).toContain("let the proxy set X-Forwarded-For to the caller's own")
  expect(all).toContain('Let it forward the headers Upgrade and Connection by HTTP/1.1')
  expect(all).toContain('For nginx: client_max_body_size 0')

  const channel = await fetch(`http://localhost:${port}/api/v2/iplay/channel/${crypto.randomUUID()}`)
  expect([channel.status, channel.headers.get('upgrade')]).toEqual([426, 'websocket'])
  await program.until(/"level":40.*a channel was asked for without Upgrade/)
})

test('behind an nginx that collects bodies the check says how to forward them', async () => {
  const { file } = await startBehind(
    to => startReverseProxy('nginx', to),
    own => ({ PUBLIC_URL: `http://localhost:${own}`, TRUST_PROXY: PROXY_ADDRESS }),
  )
  const { code, lines } = await runCheck(file)
  expect([code, lines.filter(line => line.startsWith('WRONG'))]).toEqual([
    1,
    [
      expect.stringMatching(/^WRONG channel /),
      expect.stringMatching(/^WRONG requests .*For nginx: proxy_request_buffering off/),
    ],
  ])
})
