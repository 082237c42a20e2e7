import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, getCACertificates, setDefaultCACertificates } from 'node:tls'
import { atTheEnd } from '@floorcast/testing/at-the-end.ts'
import { freePort } from '@floorcast/testing/free-port.ts'
import { makeBucket, settingsOf, startS3rver, startStoreFront } from '@floorcast/testing/s3-stores.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { openPlayer, openChannel } from '@floorcast/testing/test-device.ts'
import { makeClient, makeDevice } from '@floorcast/testing/factories.ts'
import { MAIL_LOGIN, startMailServer, trustMailServer } from '@floorcast/testing/test-mail-server.ts'
import { startAnother } from '@floorcast/testing/test-server.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkInstallation, showFindings } from './check.ts'
import { checkCaller } from './check-proxy.ts'
import type { Finding } from './finding.ts'
import { makeProbeToken, PROBE_CHANNEL, PROBE_PATH, type ProbeLine } from '../platform/http/routes/probe.ts'
import { readSecretBox } from '../platform/auth/secret-box.ts'
import { requireInstallationKey } from '../platform/installation/installation-key.ts'
import { readSettings } from '../platform/settings/settings.ts'
import { requireOwnBucket } from '../platform/storage/s3-checks.ts'

const scratch = mkdtempSync(join(tmpdir(), 'floorcast-check-'))
afterAll(() => {
  rmSync(scratch, { recursive: true, force: true })
})
const port = await freePort()
const origin = `http://localhost:${port}`
const server = await wholeServer({ PUBLIC_URL: origin, MAX_CONNECTIONS: '1000' })
const { dataDir } = server.context.settings
const own = { PUBLIC_URL: origin, DATA_DIR: dataDir }
const nowhere = await freePort()
/** No server is asked, which takes a second. */
const away = { PUBLIC_URL: `http://localhost:${nowhere}` }
let aheadMs = 0
const app = await startAnother({
  ...server,
  context: { ...server.context, now: () => new Date(Date.now() + aheadMs) },
})
beforeAll(async () => {
  await requireInstallationKey(server.context.database.jobs, server.context.settings.secretKeyFile)
  await app.listen({ port, host: '127.0.0.1' })
  await server.newClient()
})

async function check(environment: Record<string, string> = {}, mailTo: string | null = null) {
  const settings = readSettings({ ...own, ...environment })
  return checkInstallation({ url: server.url }, { settings }, { mailTo, now: () => new Date() })
}
const wrongOf = (findings: readonly Finding[]) =>
  findings.filter(({ isWrong }) => isWrong).map(({ subject, text }) => `${subject}: ${text}`)
const lineOf = (findings: readonly Finding[], subject: string) =>
  findings.find(finding => finding.subject === subject)?.text

it('calls the streaming host of a client that there is not, where each client has its own', async () => {
  const findings = await check({ ...away, STREAM_URL: `http://{client}.floorcast.invalid:${port}` })
  expect(wrongOf(findings).join('\n')).toContain(
    `server: http://00000000-0000-4000-8000-000000000000.floorcast.invalid:${port} cannot be reached from here`,
  )
})

it('finds nothing wrong with a server on this machine, in one line each', async () => {
  const findings = await check()
  expect(wrongOf(findings)).toEqual([])
  expect(findings.map(({ subject }) => subject)).toEqual(
    'server,tls,caller,channel,body,requests,answers,open files,clock,device clocks,files,secret key,password,mail'.split(
      ',',
    ),
  )
  expect(lineOf(findings, 'server')).toMatch(/^\d+\.\d+\.\d+ \([0-9a-f]{8}\) answers at http/)
  expect(lineOf(findings, 'caller')).toBe('127.0.0.1, and no proxy in between')
  expect(lineOf(findings, 'secret key')).toBe(`${join(dataDir, 'secret.key')} is the key of this database`)
  expect(showFindings(findings).split('\n')[1]).toBe(
    `OK    tls           none: ${origin} is this machine alone`,
  )
})

it('says what is wrong with settings, secrets and the mail server, and goes on', async () => {
  const settings = {
    DATABASE_URL: 'postgres://floorcast:secret@localhost/floorcast',
    SMTP_URL: `smtp://localhost:${nowhere}`,
    MAIL_FROM: 'floor@shop.example',
    TRUST_PROXY: '1',
    API_URL: `http://127.0.0.1:${nowhere}`,
  }
  expect(wrongOf(await check(settings))).toEqual([
    expect.stringMatching(/^caller: There is no proxy in between, and TRUST_PROXY=1 trusts one/),
    expect.stringMatching(/^server: http:\/\/127\.0\.0\.1:\d+ cannot be reached from here \(.*ECONNREFUSED/),
    expect.stringMatching(/^password: The password in DATABASE_URL is one that anybody tries first/),
    expect.stringMatching(/^mail: localhost:\d+ takes no mails \(.*ECONNREFUSED/),
  ])
  const passwordOf = async (DATABASE_URL: string) =>
    lineOf(await check({ ...away, DATABASE_URL }), 'password')
  expect(await passwordOf('postgres://olga:olga@localhost/shop')).toMatch(/^The password in DATABASE_URL is/)
  expect(await passwordOf('postgres://olga:f3eb9%20c1@localhost/shop')).toMatch(/is no common one$/)
})

it('finds another secret.key, a lost one and one that others may read', async () => {
  const folder = join(scratch, 'other')
  mkdirSync(folder)
  const path = join(folder, 'secret.key')
  expect(wrongOf(await check({ DATA_DIR: folder }))).toEqual([
    expect.stringMatching(
      /^secret key: .*secret\.key is not there: are DATA_DIR and SECRET_KEY_FILE those of the server\?/,
    ),
  ])
  writeFileSync(path, Buffer.alloc(32, 7), { mode: 0o600 })
  expect(wrongOf(await check({ DATA_DIR: folder }))).toEqual([
    expect.stringMatching(/^secret key: The server at .* has another secret\.key/),
    expect.stringMatching(/^secret key: .* is not the key of this database/),
  ])
  writeFileSync(path, readFileSync(join(dataDir, 'secret.key')))
  expect(wrongOf(await check({ DATA_DIR: folder }))).toEqual([])
  chmodSync(path, 0o640)
  expect(wrongOf(await check({ DATA_DIR: folder }))).toEqual([
    `secret key: Others may read ${path}: chmod 600 ${path}`,
  ])
  expect(statSync(path).mode & 0o777).toBe(0o640)
  // As a secret is mounted.
  expect(wrongOf(await check({ SECRET_KEY_FILE: path }))).toEqual([])
})

it('compares the clocks of server, PostgreSQL and devices', async () => {
  const { scope } = await makeClient(server.database)
  for (let count = 0; count < 5; count += 1) {
    const { licenseKey } = await makeDevice(scope)
    await openPlayer(server, licenseKey)
  }
  const setClocks = (seconds: number) =>
    asSuperuser(server.superuserUrl, superuser =>
      superuser.query(
        "update device_states set last_contact_at = now(), overdue_at = now() + interval '1 hour', device_clock_at = now() + $1 * interval '1 second'",
        [seconds],
      ),
    )
  await setClocks(1)
  expect(lineOf(await check(), 'device clocks')).toBe('the middle one of 5 is 1.0 s from the server')
  await setClocks(-7200)
  aheadMs = -60_000
  const wrong = wrongOf(await check())
  aheadMs = 0
  expect(wrong).toEqual([
    expect.stringMatching(/^clock: The server's clock is (59|60|61)\.\d s behind PostgreSQL's/),
    expect.stringMatching(/^device clocks: Half of 5 devices are 7200\.0 s or more behind the server/),
  ])
})

it('signs in at the mail server, and sends a mail only when it is told to whom', async () => {
  trustMailServer()
  const mails = await startMailServer()
  const settings = { ...away, SMTP_URL: mails.url, MAIL_FROM: 'floor@shop.example' }
  expect(lineOf(await check(settings), 'mail')).toMatch(/^localhost:\d+ lets the server in/)
  expect(mails.mails).toEqual([])
  const sent = await check(settings, 'olga@example.com')
  expect(lineOf(sent, 'mail')).toMatch(/has taken a mail to olga@example\.com$/)
  expect((await mails.mailTo('olga@example.com')).text).toContain(away.PUBLIC_URL)
  const other = mails.url.replace(encodeURIComponent(MAIL_LOGIN.password), 'guessed')
  expect(lineOf(await check({ ...settings, SMTP_URL: other }), 'mail')).toMatch(/takes no mails \(.*535/)
})

it('looks at the bucket of files, and at the way of devices and pages there', async () => {
  const s3 = await startS3rver()
  const [bucket, front] = [await makeBucket(s3, 'floor-files'), await startStoreFront(s3)]
  const redirects = { S3_REDIRECT: 'yes', S3_PUBLIC_ENDPOINT: front.endpoint }
  const ofFiles = async (more: Record<string, string> = {}) =>
    (await check({ ...away, ...settingsOf(s3, bucket), ...more }))
      .filter(({ subject }) => subject === 'files' || subject === 'redirects')
      .map(({ isWrong, text }) => `${isWrong ? 'wrong' : 'right'}: ${text}`)
  expect(await ofFiles()).toEqual([expect.stringMatching(/^wrong: S3_BUCKET floor-files has no mark/)])
  const { rows } = await asSuperuser(server.superuserUrl, superuser =>
    superuser.query<{ uid: string }>('select uid from installation_state'),
  )
  const { s3: settings } = readSettings(settingsOf(s3, bucket))
  if (settings) await requireOwnBucket(settings, rows[0]?.uid ?? '')
  const own = "right: in the bucket floor-files, which is this installation's"
  expect(await ofFiles()).toEqual([own])
  expect(await ofFiles({ S3_ACCESS_KEY_ID: 'nobody' })).toEqual([
    'wrong: S3_ACCESS_KEY_ID nobody: the store does not know this key',
  ])
  expect(await ofFiles(redirects)).toEqual([
    own,
    `right: ${front.endpoint} sends files to devices, by signed addresses alone`,
    expect.stringMatching(/^wrong: Pages of http:\S+ may not read files .* in the bucket's CORS/),
  ])
  front.origins.add(new URL(away.PUBLIC_URL).origin)
  expect((await ofFiles(redirects)).filter(line => line.startsWith('wrong'))).toEqual([])
  front.isClosed = false
  expect(await ofFiles(redirects)).toEqual([
    own,
    expect.stringMatching(/^wrong: S3_BUCKET floor-files is open: \S+ sends its files to anybody/),
  ])
  const nobody = `http://127.0.0.1:${nowhere}`
  expect(await ofFiles({ ...redirects, S3_PUBLIC_ENDPOINT: nobody })).toEqual([
    own,
    expect.stringMatching(/^wrong: S3_PUBLIC_ENDPOINT: \S+ cannot be reached from here \(.*ECONNREFUSED/),
  ])
  const other = await makeBucket(s3, 'other-files')
  if (settings) await requireOwnBucket({ ...settings, bucket: other }, 'another')
  expect(await ofFiles({ S3_BUCKET: other })).toEqual([
    expect.stringMatching(/^wrong: S3_BUCKET other-files has the files of another installation/),
  ])
  await s3.stop()
  expect(await ofFiles()).toEqual([
    expect.stringMatching(/^wrong: The store of files is away: .*ECONNREFUSED/),
  ])
})

const fixture = (name: string) =>
  readFileSync(new URL(`../../../../testing/tls/${name}.pem`, import.meta.url))

/** TLS in front of the server that names no caller. @returns its address */
async function startTls(certificate: string): Promise<string> {
  const sockets = new Set<Socket>()
  const proxy = createServer({ cert: fixture(certificate), key: fixture('server-key') }, from => {
    const to = connect(port, '127.0.0.1')
    sockets.add(to)
    for (const socket of [from, to]) socket.on('error', () => void (from.destroy(), to.destroy()))
    from.pipe(to).pipe(from)
  })
  const at = await freePort()
  await new Promise<void>(resolve => void proxy.listen(at, '127.0.0.1', resolve))
  atTheEnd(async () => {
    for (const socket of sockets) socket.destroy()
    proxy.close()
  })
  return `https://localhost:${at}`
}

it('tells certificates that are trusted, and for how long, from others', async () => {
  const [good, expired] = [await startTls('good'), await startTls('expired')]
  const tlsOf = async (url: string) => lineOf(await check({ PUBLIC_URL: url }), 'tls')
  expect(await tlsOf(good)).toMatch(
    /^The certificate of https:\S+ is not trusted here \(.*until 2100-01-01, \d+ days\)/,
  )
  setDefaultCACertificates([...getCACertificates('default'), fixture('authority').toString()])
  expect(await tlsOf(good)).toMatch(/^TLSv1\.3, a certificate until 2100-01-01, \d+ days$/)
  expect(await tlsOf(expired)).toMatch(/is not trusted here \(.*CERT_HAS_EXPIRED/)
  const settings = readSettings({ ...own, PUBLIC_URL: good })
  const late = await checkInstallation(
    { url: server.url },
    { settings },
    { mailTo: null, now: () => new Date('2099-12-25') },
  )
  expect(lineOf(late, 'tls')).toMatch(/is valid until 2100-01-01, 7 days only/)
})

it('compares MAX_CONNECTIONS with what the server may open', async () => {
  const other = await wholeServer({ PUBLIC_URL: origin, MAX_CONNECTIONS: '50000000' })
  const at = await other.http.app.listen({ port: 0, host: '127.0.0.1' })
  const settings = readSettings({ PUBLIC_URL: at, DATA_DIR: other.context.settings.dataDir })
  const findings = await checkInstallation(
    { url: other.url },
    { settings },
    { mailTo: null, now: () => new Date() },
  )
  expect(lineOf(findings, 'open files')).toMatch(
    /^The server may open files for \d+ connections \(ulimit -n\), and MAX_CONNECTIONS is 50000000/,
  )
})

const seen = (line: Partial<ProbeLine>): Parameters<typeof checkCaller>[0] => ({
  line: {
    version: '1.0.0',
    commit: null,
    now: '2026-11-30T12:00:00Z',
    maxConnections: 1,
    filesForConnections: 1,
    caller: '10.0.0.5',
    peer: '10.0.0.1',
    peerPort: 1,
    forwardedFor: '10.0.0.5',
    trustsPeer: true,
    ...line,
  },
  local: { address: '10.0.0.5', port: 40_000 },
  aheadMs: 0,
  betweenLinesMs: 2000,
})

it.each([
  ['a proxy that names the caller', {}, /^10\.0\.0\.5, named by the proxy at 10\.0\.0\.1$/],
  ['one that hands on what callers claim', { caller: '203.0.113.77' }, /^Callers can claim any address/],
  ['one that is not named', { trustsPeer: false }, /Set TRUST_PROXY=10\.0\.0\.1$/],
  ['one that names nobody', { caller: '10.0.0.1', forwardedFor: null }, /Let it set X-Forwarded-For/],
  [
    'two of which one is named',
    { caller: '10.9.9.9', forwardedFor: '203.0.113.77, 10.0.0.5, 10.9.9.9' },
    /takes 10\.9\.9\.9 for the caller, which is a further proxy/,
  ],
])('knows %s by what the server sees', (_, line, text) => {
  expect(checkCaller(seen(line), readSettings({ TRUST_PROXY: '10.0.0.1' })).text).toMatch(text)
})

it('answers probes to nobody who has no token, and a token ends', async () => {
  const box = await readSecretBox(server.context.settings.secretKeyFile)
  const statusOf = async (token: string, method = 'GET') => {
    const headers = { authorization: `Bearer ${token}` }
    return (await app.inject({ method: method as 'GET', url: PROBE_PATH, headers })).statusCode
  }
  const old = makeProbeToken(box, new Date(Date.now() - 121_000))
  const later = makeProbeToken(box, new Date(Date.now() + 200_000))
  const forged = makeProbeToken({ ...box, hash: () => Buffer.alloc(32) }, new Date())
  for (const token of ['', 'probe', old, later, forged])
    expect([await statusOf(token), await statusOf(token, 'POST')]).toEqual([401, 401])
  const uid = PROBE_CHANNEL.split('/').at(-1) ?? ''
  await expect(openChannel(origin, uid, forged)).rejects.toThrow('HTTP 401')
})
