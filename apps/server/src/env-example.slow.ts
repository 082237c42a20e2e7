import { once } from 'node:events'
import { existsSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { addDevice, listDevices, readDevice } from '@floorcast/contract/devices.ts'
import { register } from '@floorcast/contract/auth.ts'
import { requestAccount } from '@floorcast/contract/mailed-links.ts'
import { inviteUser } from '@floorcast/contract/users.ts'
import { addWebhook } from '@floorcast/contract/webhooks.ts'
import { lastSignUp } from '@floorcast/testing/test-users.ts'
import { makeDevice } from '@floorcast/testing/factories.ts'
import { askForProof, makePlay, openPlayer, sendPlays } from '@floorcast/testing/test-device.ts'
import { eventually } from '@floorcast/testing/eventually.ts'
import { freePort } from '@floorcast/testing/free-port.ts'
import { makeSong } from '@floorcast/testing/media-song.ts'
import { uploader } from '@floorcast/testing/media-upload-form.ts'
import { makeBucket, settingsOf, startS3rver } from '@floorcast/testing/s3-stores.ts'
import { startServerProgram } from '@floorcast/testing/server-program.ts'
import { startMailServer, trustMailServer } from '@floorcast/testing/test-mail-server.ts'
import { testDatabase } from '@floorcast/testing/test-database.ts'
import { expectCalled, originTaken } from '@floorcast/testing/origin-taken.ts'
import { startTraceCollector } from '@floorcast/testing/trace-collector.ts'
import { wholeServer } from '@floorcast/testing/whole-server.ts'
import { afterAll, expect, it } from 'vitest'
import { archiveDays } from './jobs/archiving.ts'
import { runMaintenance } from './jobs/maintenance.ts'
import { requireOwnBucket } from './platform/storage/s3-checks.ts'
import { Environment, readSettings } from './platform/settings/settings.ts'

const example = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8')
const documented = [...example.matchAll(/^#?([A-Z][A-Z0-9_]+)=/gm)].map(match => match[1] ?? '')

const folder = mkdtempSync(join(tmpdir(), 'floorcast-settings-'))
afterAll(() => rmSync(folder, { recursive: true }))

const person = { fullName: 'Olga Owner', email: 'olga@example.com', password: 'a long password', terms: true }
const applicant = { fullName: 'Olga Owner', email: 'olga@example.com', terms: true }

/** A server with one setting changed, and what it answers. */
async function serverWith(environment: Record<string, string> = {}) {
  const server = await wholeServer(environment)
  const inject = (url: string, headers: Record<string, string> = {}) =>
    server.http.app.inject({ url, headers })
  return {
    ...server,
    inject,
    code: async (endpoint: typeof listDevices | typeof register, body?: object) =>
      (await server.ask(endpoint, body ? { body } : {})).json<{ code: string }>().code,
    config: async () => (await inject('/config.json')).json<Record<string, unknown>>(),
    securityPolicy: async () => String((await inject('/config.json')).headers['content-security-policy']),
  }
}
const bare = await serverWith()

/** Two programs, started once: one with what it must have, one with every setting of a process changed. */
async function startPrograms() {
  const [plainDatabase, otherDatabase] = [await testDatabase(), await testDatabase()]
  const port = await freePort()
  const dataDir = join(folder, 'elsewhere')
  const collector = await startTraceCollector()
  const plain = startServerProgram({ DATABASE_URL: plainDatabase.url })
  const other = startServerProgram({
    DATABASE_URL: otherDatabase.url,
    PORT: String(port),
    DATA_DIR: dataDir,
    LOG_LEVEL: 'error',
    BACKUP_TARGET: join(folder, 'backups'),
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-api-key=a%20key',
  })
  const [, plainPort] = await plain.until(/^Floorcast is at http:\/\/localhost:(\d+)$/)
  await other.until(/^Floorcast is at/)
  const signUp = (at: string, email: string) =>
    fetch(`http://127.0.0.1:${at}${register.path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...person, email }),
    }).then(answer => answer.status)
  expect(await signUp(plainPort ?? '', 'plain@example.com')).toBe(200)
  expect(await signUp(String(port), 'other@example.com')).toBe(200)
  return { plain, other, collector, plainDatabase, otherDatabase, port, plainPort, dataDir }
}
let programs: ReturnType<typeof startPrograms> | undefined
const bothPrograms = () => (programs ??= startPrograms())

/** `/config.json` has the first value without the setting, and the second one with it. */
async function expectTold(field: string, told: readonly unknown[], environment: Record<string, string>) {
  const other = await serverWith(environment)
  expect([(await bare.config())[field], (await other.config())[field]]).toEqual(told)
}

let stores: ReturnType<typeof startS3rver> | undefined
const store = () => (stores ??= startS3rver())

/** A bucket is refused with one of its settings changed. */
async function expectRefused(wrong: Record<string, string>, words: RegExp) {
  const s3 = await store()
  const { s3: settings } = readSettings({ ...settingsOf(s3, 'any-bucket'), ...wrong })
  if (settings === null) throw new Error('There is no bucket')
  await expect(requireOwnBucket(settings, 'this one')).rejects.toThrow(words)
}

/** For each setting: what differs for those who use the server, once it is changed. */
const proofs: Record<string, () => Promise<void> | void> = {
  async PORT() {
    const { port, plainPort } = await bothPrograms()
    expect((await fetch(`http://127.0.0.1:${port}/health/live`)).status).toBe(200)
    expect(plainPort).not.toBe(String(port))
  },
  async HOST() {
    const { plain } = await bothPrograms()
    expect(plain.said.join('\n')).toContain('Only this machine reaches it (HOST=127.0.0.1)')
    // An address of documentation (RFC 5737), which no machine has.
    const { url } = await testDatabase()
    const elsewhere = startServerProgram({ DATABASE_URL: url, HOST: '203.0.113.7' })
    expect(await elsewhere.ended).toBe(1)
    expect(elsewhere.said.join('\n')).toMatch(/could not start: .*203\.0\.113\.7/)
  },
  async ROLE() {
    const stream = await serverWith({ ROLE: 'stream' })
    expect([await bare.code(listDevices), await stream.code(listDevices)]).toEqual([
      'session-expired',
      'no-such-call',
    ])
  },
  async TRUST_PROXY() {
    // Closed, so that nobody's password is hashed; the limit by address counts all the same.
    const REGISTRATION = 'closed'
    expect(await lastSignUp(person, await serverWith({ REGISTRATION }))).toBe(429)
    expect(await lastSignUp(person, await serverWith({ REGISTRATION, TRUST_PROXY: '127.0.0.1' }))).toBe(403)
    expect(await lastSignUp(person, await serverWith({ REGISTRATION, TRUST_PROXY: '1' }))).toBe(403)
    expect(await lastSignUp(person, await serverWith({ REGISTRATION, TRUST_PROXY: '10.0.0.0/8' }))).toBe(429)
  },
  async WEBHOOKS_TO_PRIVATE() {
    const add = async (environment: Record<string, string>) => {
      const { ask, newClient } = await serverWith(environment)
      const { token } = await newClient()
      const body = { name: 'Tickets', url: 'http://10.0.0.1/events' }
      return (await ask(addWebhook, { token, body })).statusCode
    }
    expect(await add({})).toBe(422)
    expect(await add({ WEBHOOKS_TO_PRIVATE: 'true' })).toBe(200)
  },
  async DRAIN_SECONDS() {
    const stopped = async (environment: Record<string, string>) => {
      const { url } = await testDatabase()
      const program = startServerProgram({ DATABASE_URL: url, ...environment })
      const [, at] = await program.until(/^Floorcast is at http:\/\/localhost:(\d+)$/)
      program.child.kill('SIGTERM')
      await program.until(/"msg":"stopping"/)
      return { ...program, origin: `http://127.0.0.1:${at}` }
    }
    const [atOnce, later] = [await stopped({ DRAIN_SECONDS: '0' }), await stopped({ DRAIN_SECONDS: '600' })]
    expect(await atOnce.ended).toBe(0)
    const ready = await fetch(`${later.origin}/health/ready`)
    expect([ready.status, ready.headers.get('x-unready-reason')]).toEqual([503, 'stopping'])
    later.child.kill('SIGTERM')
    expect(await later.ended).toBe(0)
  },
  async MAX_CONNECTIONS() {
    const left = async (environment: Record<string, string>) => {
      const { http } = await serverWith(environment)
      const origin = await http.app.listen({ host: '127.0.0.1', port: 0 })
      const sockets = Array.from({ length: 15 }, () => connect(Number(new URL(origin).port), '127.0.0.1'))
      await Promise.all(sockets.map(socket => once(socket, 'connect')))
      for (const socket of sockets) socket.on('error', () => undefined)
      expect((await fetch(`${origin}/health/live`)).status).toBe(200)
      const open = http.app.connections.size
      for (const socket of sockets) socket.destroy()
      return open
    }
    expect(await left({})).toBe(16)
    expect(await left({ MAX_CONNECTIONS: '10' })).toBe(10)
  },
  async API_DOCS() {
    const status = async (server: typeof bare) =>
      Promise.all(['/docs/', '/openapi.json'].map(async url => (await server.inject(url)).statusCode))
    expect(await status(bare)).toEqual([200, 200])
    expect(await status(await serverWith({ API_DOCS: 'closed' }))).toEqual([404, 404])
  },
  async METRICS_TOKEN() {
    const METRICS_TOKEN = 'a-token-of-monitors'
    const server = await serverWith({ METRICS_TOKEN })
    const status = async (at: typeof bare, token: string) =>
      (await at.inject('/metrics', { authorization: `Bearer ${token}` })).statusCode
    expect(
      await Promise.all([
        status(bare, METRICS_TOKEN),
        status(server, 'another'),
        status(server, METRICS_TOKEN),
      ]),
    ).toEqual([404, 401, 200])
  },
  async DATA_DIR() {
    const { dataDir } = await bothPrograms()
    expect(existsSync(join(dataDir, 'media'))).toBe(true)
  },
  SECRET_KEY_FILE() {
    expect(readSettings({ DATA_DIR: '/shop' }).secretKeyFile).toBe('/shop/secret.key')
    expect(readSettings({ SECRET_KEY_FILE: '/run/secrets/key' }).secretKeyFile).toBe('/run/secrets/key')
  },
  async MIN_FREE_DISK() {
    // The clock of such a server stands still.
    const ready = async (server: typeof bare) =>
      (await server.inject('/health/ready?allow=clock-off')).json<Record<string, unknown>>()
    expect(await ready(bare)).toMatchObject({ status: 'ready' })
    expect(await ready(await serverWith({ MIN_FREE_DISK: '100%' }))).toEqual({
      status: 'unready',
      reason: 'disk-full',
    })
  },
  async S3_BUCKET() {
    const s3 = await store()
    const server = await serverWith(settingsOf(s3, await makeBucket(s3, 'a-bucket')))
    const { token, scope } = await server.newClient()
    const song = { bytes: makeSong({ notes: [1], seconds: 2 }), name: 'One.mp3' }
    await uploader(server).upload(token, 'melodies', song)
    const found: string[] = []
    for await (const { key } of server.context.files.list()) found.push(key.clientUid)
    expect(found).toEqual([scope.clientId])
    expect(uploader(server).storedFiles()).toEqual([])
  },
  S3_ENDPOINT: () => expectRefused({ S3_ENDPOINT: 'http://127.0.0.1:1' }, /away: .*ECONNREFUSED/),
  // That callers are redirected, and to this address, is seen in s3-redirects.test.ts.
  S3_REDIRECT() {
    const bucket = { S3_BUCKET: 'files', S3_ENDPOINT: 'http://s3.example' }
    expect(readSettings(bucket).s3?.redirectTo).toBeUndefined()
    expect(readSettings({ ...bucket, S3_REDIRECT: 'yes' }).s3?.redirectTo).toEqual({
      endpoint: 'http://s3.example',
    })
  },
  S3_PUBLIC_ENDPOINT() {
    const bucket = { S3_BUCKET: 'files', S3_ENDPOINT: 'http://s3.example', S3_REDIRECT: 'yes' }
    const s3 = readSettings({ ...bucket, S3_PUBLIC_ENDPOINT: 'https://files.example' }).s3
    expect([s3?.endpoint, s3?.redirectTo?.endpoint]).toEqual(['http://s3.example', 'https://files.example'])
  },
  // That a store refuses another region or secret is seen in platform/storage/swift-store.slow.ts: s3rver takes any.
  S3_REGION() {
    expect(readSettings({ S3_BUCKET: 'files' }).s3?.region).toBe('us-east-1')
    expect(readSettings({ S3_BUCKET: 'files', S3_REGION: 'shop-1' }).s3?.region).toBe('shop-1')
  },
  S3_ACCESS_KEY_ID: () => expectRefused({ S3_ACCESS_KEY_ID: 'nobody' }, /S3_ACCESS_KEY_ID nobody/),
  S3_SECRET_ACCESS_KEY() {
    const key = { S3_ACCESS_KEY_ID: 'one', S3_SECRET_ACCESS_KEY: 'hush' }
    expect(readSettings({ S3_BUCKET: 'files', ...key }).s3?.key).toEqual({ id: 'one', secret: 'hush' })
  },
  async AUDIT_DAYS() {
    const entriesAfter = async (days: number, server: typeof bare) => {
      const { scope } = await server.newClient()
      const now = () => new Date(server.clock.now.getTime() + days * 86_400_000)
      await runMaintenance({ ...server.context, now })
      return (await scope.reads.selectFrom('auditEntries').select('uid').execute()).length
    }
    expect(await entriesAfter(40, await serverWith())).toBeGreaterThan(0)
    expect(await entriesAfter(40, await serverWith({ AUDIT_DAYS: '30' }))).toBe(0)
  },
  async HOT_DAYS() {
    const filesAfter = async (hotDays: string) => {
      const server = await serverWith(hotDays === '' ? {} : { HOT_DAYS: hotDays })
      const { scope } = await server.newClient()
      const player = await openPlayer(server, (await makeDevice(scope)).licenseKey)
      await sendPlays(server, player, [makePlay(1)])
      const now = () => new Date(Date.parse(makePlay(1).startedAt) + 20 * 86_400_000)
      const run = { signal: new AbortController().signal, rest: () => Promise.resolve() }
      return (await archiveDays({ ...server.context, now }, run))?.files
    }
    expect([await filesAfter('10'), await filesAfter('30'), await filesAfter('')]).toEqual([1, 0, undefined])
  },
  async DATABASE_URL() {
    const { plainDatabase, otherDatabase } = await bothPrograms()
    const isIn = async ({ database }: typeof plainDatabase, email: string) =>
      (await database.auth.userByEmail(email)) !== null
    expect([
      await isIn(plainDatabase, 'plain@example.com'),
      await isIn(plainDatabase, 'other@example.com'),
      await isIn(otherDatabase, 'plain@example.com'),
      await isIn(otherDatabase, 'other@example.com'),
    ]).toEqual([true, false, false, true])
  },
  async PUBLIC_URL() {
    const links = async (server: typeof bare) => {
      const { token } = await server.newClient()
      const params = { contentType: 'audio' }
      const { uid } = await server.call(addDevice, { token, params, body: { name: 'Till' } })
      const { installLine } = await server.call(readDevice, { token, params: { id: uid } })
      const body = { email: `mona.${token.slice(0, 8).toLowerCase()}@example.com`, role: 'manager' }
      const { link } = await server.call(inviteUser, { token, body })
      return [installLine?.split(' ')[2], link?.split('#')[0], installLine?.endsWith('--insecure')]
    }
    expect(await links(bare)).toEqual([
      'https://shop.example/agent/install.sh',
      'https://shop.example/login',
      false,
    ])
    expect(await links(await serverWith({ PUBLIC_URL: 'http://floor.example' }))).toEqual([
      'http://floor.example/agent/install.sh',
      'http://floor.example/login',
      true,
    ])
  },
  async STREAM_URL() {
    const other = await serverWith({ STREAM_URL: 'https://stream.example' })
    expect((await bare.inject('/agent/install.sh')).body).toContain("SERVER='https://shop.example'")
    expect((await other.inject('/agent/install.sh')).body).toContain("SERVER='https://stream.example'")
    const byClient = await serverWith({ STREAM_URL: 'https://{client}.stream.example' })
    const { token, scope } = await byClient.newClient()
    const { uid } = await byClient.call(addDevice, {
      token,
      params: { contentType: 'audio' },
      body: { name: 'Till' },
    })
    const { installLine } = await byClient.call(readDevice, { token, params: { id: uid } })
    expect(installLine).toContain(` --server https://${scope.clientId}.stream.example`)
  },
  async OTHER_STREAM_URL() {
    const OTHER_STREAM_URL = 'https://new.example'
    const other = await serverWith({ OTHER_STREAM_URL })
    const ask = (server: typeof bare) =>
      askForProof(server, OTHER_STREAM_URL).then(answer => answer.json<{ code?: string }>().code)
    expect([await ask(bare), await ask(other)]).toEqual(['other-address', undefined])
    const byClient = await serverWith({ OTHER_STREAM_URL: 'https://{client}.new.example' })
    expect(await ask(byClient)).toBe('other-address')
  },
  API_URL: () => expectCalled(bare, 'apiBase', { API_URL: 'https://api.example/floor' }),
  // That the console goes there is seen in e2e/src/console-api-base.slow.ts and console-settings.slow.ts, as with the next three.
  LOGS_URL: () => expectCalled(bare, 'logsBase', { LOGS_URL: 'https://logs.example' }),
  async CONSOLE_ORIGINS() {
    const origin = 'https://console.example'
    const other = await serverWith({ CONSOLE_ORIGINS: origin })
    expect([await originTaken(bare, origin), await originTaken(other, origin)]).toEqual([undefined, origin])
  },
  MANUAL_URL: () =>
    expectTold('manualBase', ['', 'https://docs.example'], { MANUAL_URL: 'https://docs.example/' }),
  TERMS_URL: () =>
    expectTold('termsUrl', [null, 'https://floor.example/t?of=use'], {
      TERMS_URL: 'https://floor.example/t?of=use',
    }),
  SUPPORT_EMAIL: () =>
    expectTold('supportEmail', [null, 'help@floor.example'], { SUPPORT_EMAIL: 'help@floor.example' }),
  SUPPORT_BOT: () =>
    expectTold('supportBot', [null, 'https://t.me/floor_bot'], { SUPPORT_BOT: 'https://t.me/floor_bot' }),
  async REGISTRATION() {
    const closed = await serverWith({ REGISTRATION: 'closed' })
    expect((await bare.ask(register, { body: person })).statusCode).toBe(200)
    expect(await closed.code(register, person)).toBe('registration-closed')
  },
  async DEMO_LANGUAGE() {
    const { context } = await serverWith({ DEMO_LANGUAGE: 'de' })
    // That a demonstration is made in it is seen in apps/demo/src/demo.slow.ts.
    expect([bare.context, context].map(each => each.settings.demoLanguage)).toEqual(['en', 'de'])
  },
  async SMTP_URL() {
    const mailServer = await startMailServer()
    trustMailServer()
    const server = await serverWith({ SMTP_URL: mailServer.url, MAIL_FROM: 'floor@shop.example' })
    await server.call(requestAccount, { body: applicant })
    expect((await mailServer.mailTo(person.email)).envelope.from).toBe('floor@shop.example')
    expect([(await bare.config())['sendsMail'], (await server.config())['sendsMail']]).toEqual([false, true])
  },
  async MAIL_FROM() {
    const mailServer = await startMailServer()
    trustMailServer()
    const server = await serverWith({ SMTP_URL: mailServer.url, MAIL_FROM: 'The Floor <f@shop.example>' })
    await server.call(requestAccount, { body: applicant })
    expect((await mailServer.mailTo(person.email)).headers.get('from')).toBe('The Floor <f@shop.example>')
  },
  async BACKUP_TARGET() {
    await bothPrograms()
    await eventually(() =>
      expect(readdirSync(join(folder, 'backups'))).toContainEqual(expect.stringMatching(/^20.*Z$/)),
    )
  },
  // When a backup is due, and how many stay, is seen in jobs/backups.test.ts and platform/backup/backup.test.ts.
  BACKUP_AT() {
    expect(readSettings({ BACKUP_TARGET: '/backup' }).backup?.at).toBe('02:30')
    expect(readSettings({ BACKUP_TARGET: '/backup', BACKUP_AT: '23:15' }).backup?.at).toBe('23:15')
  },
  BACKUP_KEEP() {
    expect(readSettings({ BACKUP_TARGET: '/backup' }).backup?.keep).toBe(14)
    expect(readSettings({ BACKUP_TARGET: '/backup', BACKUP_KEEP: '3' }).backup?.keep).toBe(3)
  },
  // What is read of a standby, and when, is seen in platform/database/standby.slow.ts.
  DATABASE_READ_URL() {
    expect(readSettings({}).readStandby).toBeNull()
    expect(() => readSettings({ DATABASE_READ_URL: 'postgres://b/f' })).toThrow(
      'DATABASE_READ_URL: is a standby of',
    )
    const both = { DATABASE_URL: 'postgres://a/f', DATABASE_READ_URL: 'postgres://b/f' }
    expect(readSettings(both).readStandby).toEqual({ url: 'postgres://b/f', maxAgeSeconds: 30 })
  },
  READ_MAX_AGE() {
    const both = { DATABASE_URL: 'postgres://a/f', DATABASE_READ_URL: 'postgres://b/f' }
    expect(readSettings({ ...both, READ_MAX_AGE: '5' }).readStandby?.maxAgeSeconds).toBe(5)
    expect(() => readSettings({ ...both, READ_MAX_AGE: '1' })).toThrow('READ_MAX_AGE: must be at least 2')
  },
  async ALLOW_SUPERUSER() {
    const { superuserUrl } = await testDatabase()
    const refused = startServerProgram({ DATABASE_URL: superuserUrl })
    expect(await refused.ended).toBe(1)
    const allowed = startServerProgram({ DATABASE_URL: superuserUrl, ALLOW_SUPERUSER: 'yes' })
    await allowed.until(/^Floorcast is at/)
  },
  async OTEL_EXPORTER_OTLP_ENDPOINT() {
    const { collector } = await bothPrograms()
    await eventually(() => expect(collector.spans.map(({ name }) => name)).toContain('job samples'))
  },
  async OTEL_EXPORTER_OTLP_HEADERS() {
    const { collector } = await bothPrograms()
    await eventually(() => expect(collector.headers[0]).toMatchObject({ 'x-api-key': 'a key' }))
  },
  // That a share of 0 sends nothing is seen in watch/traces.slow.ts.
  OTEL_TRACES_SAMPLER_ARG() {
    const shareOf = (environment: Record<string, string>) =>
      readSettings({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://traces.example', ...environment }).traces?.share
    expect([shareOf({}), shareOf({ OTEL_TRACES_SAMPLER_ARG: '0.05' })]).toEqual([1, 0.05])
  },
  async LOG_LEVEL() {
    const { plain, other } = await bothPrograms()
    await plain.until(/"msg":"starting"/)
    expect(other.said.filter(line => line.startsWith('{'))).toEqual([])
  },
}

it.each(documented)('.env.example %s: changing it changes something', async name => {
  const prove = proofs[name]
  if (!prove) throw new Error(`.env.example names ${name}, and nothing here proves that it does something`)
  await prove()
})

it('.env.example names every setting that the server reads, once, and no other', () => {
  expect(documented.toSorted()).toEqual(Object.keys(Environment.shape).toSorted())
  expect(Object.keys(proofs).toSorted()).toEqual(documented.toSorted())
})

it('.env.example holds values that the server takes', () => {
  const given = parseEnv(example.replaceAll(/^#(?=[A-Z][A-Z0-9_]+=)/gm, ''))
  expect(Object.keys(given).toSorted()).toEqual(documented.toSorted())
  expect(readSettings(given)).toMatchObject({ port: 8080, publicUrl: 'https://floorcast.example' })
})

it('.env.example is the whole environment: nothing else of the server reads a variable', () => {
  const files = globSync('**/*.ts', { cwd: import.meta.dirname }).filter(
    file => !/\.(test|slow|long|attack)\.ts$/.test(file),
  )
  const reads = files.flatMap(file => {
    const source = readFileSync(join(import.meta.dirname, file), 'utf8')
    return [...source.matchAll(/.*process\.env.*/g)].map(([line]) => line.trim())
  })
  expect(reads.length).toBeGreaterThan(0)
  // Commands take the settings of a file before, and paths of where npm was called.
  const known = /readSettings\((\{ \.\.\.parseEnv\(text\), \.\.\.)?process\.env|process\.env\['INIT_CWD'\]/
  expect(reads.filter(line => !known.test(line))).toEqual([])
})
