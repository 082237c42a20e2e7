import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildPath } from '@floorcast/contract/client.ts'
import type { LocaleCode } from '@floorcast/contract/locales.ts'
import { beginPasskey } from '@floorcast/contract/passkeys.ts'
import { release } from '@floorcast/contract/release.ts'
import { reportCalls, type ReportFormat } from '@floorcast/contract/report-calls.ts'
import { type ReportDefinition, reportNames, reports } from '@floorcast/contract/reports.ts'
import { beginEnrollment } from '@floorcast/contract/second-factor.ts'
import { startEmbeddedPostgres } from '@floorcast/embedded-postgres/embedded-postgres.ts'
import cn from '@floorcast/locales/catalogues/cn/reports.json' with { type: 'json' }
import en from '@floorcast/locales/catalogues/en/reports.json' with { type: 'json' }
import { freePort } from '@floorcast/testing/free-port.ts'
import { pdfText } from '@floorcast/testing/pdf.ts'
import { asSuperuser } from '@floorcast/testing/test-database.ts'
import { startTraceCollector } from '@floorcast/testing/trace-collector.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { packServer } from '../../tools/pack-server.ts'
import { ownRoot } from '../../tools/source-files.ts'
import {
  newEmail,
  owner,
  registerOwner,
  type SignedInClient,
  signInOwner,
  signInUser,
  uploadFile,
} from './client-fixture.ts'
import { waitUntil } from './processes.ts'
import { makeMachine } from './service-machine.ts'

/*
 * What docs/operate says of installing, upgrading, keys, security and sizes, block by block, under a real systemd in a container made from
 * this machine. Needs root and the Debian packages systemd-container and postgresql-client; console and agent have to be built.
 */

const NEWER = '2.999.0'
const ARCHIVES = '/root/archives'
/** What install.md promises, with the embedded PostgreSQL. Where a package is too large, unread-files.mjs may name more of it. */
const MAX_MEGABYTES = 250
/** Of most disks; the small disk of the test has other ones. */
const BLOCK = 4096
const scratch = mkdtempSync(join(tmpdir(), 'floorcast-archives-'))
afterAll(() => {
  rmSync(scratch, { recursive: true, force: true })
})

/** Null where it cannot be made, and the tests are skipped. */
let made: ReturnType<typeof makeMachine> = null
let port: number
let url: string

/** The archive of this checkout, and one of the same that says another version. */
function packBoth(): string[] {
  const own = join(scratch, `floorcast-server-${release.version}.tar.gz`)
  packServer(ownRoot, own)
  execFileSync('tar', ['--extract', '--file', own, '--directory', scratch])
  const [from, to] = [release.version, NEWER].map(version => join(scratch, `floorcast-server-${version}`))
  renameSync(from ?? '', to ?? '')
  const file = join(to ?? '', 'packages/contract/src/release.ts')
  writeFileSync(file, readFileSync(file, 'utf8').replace(`'${release.version}'`, `'${NEWER}'`))
  const newer = `${to}.tar.gz`
  execFileSync('tar', [
    '--create',
    '--gzip',
    '--file',
    newer,
    '--directory',
    scratch,
    `floorcast-server-${NEWER}`,
  ])
  return [own, newer]
}

/** The shell blocks of a page, with the versions of the test. */
function blocksOf(page: string): string[] {
  const text = readFileSync(join(ownRoot, 'docs/operate', page), 'utf8')
  return [...text.matchAll(/```sh\n([^]*?)```/g)].map(([, block = '']) =>
    block.replaceAll('2.776.0', release.version).replaceAll('2.777.0', NEWER),
  )
}

/** Runs a block as a person at the machine does. @returns what it printed */
function runBlock(block: string | undefined): string {
  if (!made || block === undefined) throw new Error('There is no such block')
  // Where the registry has a certificate of an authority of this machine.
  const authorities = process.env['NODE_EXTRA_CA_CERTS']
  const own = authorities === undefined ? '' : `export NODE_EXTRA_CA_CERTS=${authorities};`
  try {
    return made.run(`exec 2>&1; set -e; export HOME=/root; ${own} cd ${ARCHIVES}; ${block}`)
  } catch (error) {
    throw new Error(`${block}\n${String((error as { stdout?: string }).stdout)}`, { cause: error })
  }
}

async function versionOf(): Promise<string> {
  const answer = await fetch(`${url}/config.json`)
  return ((await answer.json()) as { version: string }).version
}
const waitForVersion = (version: string) =>
  waitUntil(`version ${version} answers`, async () => (await versionOf().catch(() => '')) === version)

beforeAll(async () => {
  made = makeMachine(4 * 1024 ** 3)
  if (!made) return
  const machine = made
  port = await freePort()
  url = `http://localhost:${port}`
  const archives = packBoth()
  await machine.start()
  machine.run(`mkdir ${ARCHIVES}`)
  for (const archive of archives) execFileSync('cp', [archive, machine.pathOf(`${ARCHIVES}/`)])
  console.log(`archive: ${(statSync(archives[0] ?? '').size / 1e6).toFixed(0)} MB`)
}, 240_000)

test('a server is installed from an archive as install.md says, in a sandbox', async ({ skip }) => {
  const machine = made ?? skip()
  const [unpack, , service, look, check, , unit] = blocksOf('install.md')
  runBlock(unpack)
  const sizes = runBlock("find /opt/floorcast/ -printf '%i %s\\n' | sort --unique")
  const blocks = sizes.split('\n').map(line => Math.ceil(Number(line.split(' ')[1] ?? 0) / BLOCK))
  const megabytes = (blocks.reduce((sum, count) => sum + count, 0) * BLOCK) / 1024 ** 2
  console.log(`installed: ${megabytes.toFixed(1)} MB`)
  expect(megabytes).toBeGreaterThan(200)
  expect(megabytes).toBeLessThan(MAX_MEGABYTES)
  runBlock(service?.replace('systemctl daemon', `echo PORT=${port} >> /etc/floorcast.env\nsystemctl daemon`))
  await waitForVersion(release.version)
  await registerOwner(url)
  await signInOwner(url)
  expect((await fetch(`${url}/agent/floorcast-agent.mjs`)).status).toBe(200)
  expect(await (await fetch(`${url}/login`)).text()).toContain('<div id="root">')

  expect(runBlock(look)).toContain('active (running)')
  const said = runBlock(check)
  expect(said).toContain(`version     ${release.version} (`)
  expect(said).not.toContain('WRONG')
  expect(machine.run('systemctl show floorcast --value --property User').trim()).toBe('floorcast-server')
  // It fails above an exposure of 2.0, of ten at most.
  machine.run('systemd-analyze security --threshold=20 floorcast')
  machine.run('systemd-analyze verify /etc/systemd/system/floorcast.service')

  runBlock(unit)
  await waitForVersion(release.version)
  const limits = machine.run('systemctl show floorcast --property MemoryMax --property ReadWritePaths')
  expect(limits).toContain(`MemoryMax=${4 * 1024 ** 3}\n`)
  expect(limits).toContain('ReadWritePaths=/var/lib/floorcast -/backup/floorcast\n')
}, 300_000)

/** Each report in languages that read from either side and need each font, of a period without plays. */
async function checkReports({ token }: SignedInClient, track: string): Promise<void> {
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const headers = { authorization: `Bearer ${token}` }
  for (const name of reportNames) {
    const { filters }: ReportDefinition = reports[name]
    const picked = filters.map(({ key, isRequired }): [string, string] => [key, isRequired ? track : 'all'])
    const params = { ...Object.fromEntries(picked), from: yesterday, to: yesterday, zone: 'UTC' }
    const download = async (format: ReportFormat, lang: LocaleCode) => {
      const answer = await fetch(
        `${url}${buildPath(reportCalls[name].download.path, params, { format, lang })}`,
        { headers },
      )
      return Buffer.from(await answer.arrayBuffer())
    }
    for (const [lang, { names }] of [['en', en] as const, ['cn', cn] as const]) {
      expect(pdfText(await download('pdf', lang)).replaceAll(/\s+/g, ' ')).toContain(names[name])
      expect((await download('xlsx', lang)).subarray(0, 2).toString()).toBe('PK')
    }
    // Poppler reads the letters of ligatures in the wrong order.
    expect(pdfText(await download('pdf', 'ar'))).toMatch(/\p{Script=Arabic}{3}/u)
  }
}

test('what is left of its packages reads uploads, makes every report, checks second factors, documents calls and sends traces', async ({
  skip,
}) => {
  const machine = made ?? skip()
  const collector = await startTraceCollector()
  machine.run(`echo OTEL_EXPORTER_OTLP_ENDPOINT=${collector.endpoint} >> /etc/floorcast.env`)
  machine.run('systemctl restart floorcast')
  await waitForVersion(release.version)
  const client = await signInOwner(url)
  const sample = (name: string) => join(ownRoot, 'packages/sample-media/files', name)
  const track = await uploadFile(client, 'melodies', sample('Market day.mp3'))
  await uploadFile(client, 'videos', sample('Sale of the week.mp4'))

  await checkReports(client, track)
  const { password } = owner
  expect((await client.call(beginEnrollment, { body: { password } })).uri).toMatch(/^otpauth:/)
  const { options } = await client.call(beginPasskey, { body: { password } })
  expect(options).toMatchObject({ user: { name: owner.email } })
  const docs = await (await fetch(`${url}/docs/`)).text()
  const scripts = [...docs.matchAll(/(?:src|href)="\.?\/?([^"]+)"/g)].map(([, file = '']) => file)
  expect(scripts.filter(file => file.includes('swagger-ui')).length).toBeGreaterThan(2)
  for (const file of scripts) expect((await fetch(new URL(file, `${url}/docs/`))).status, file).toBe(200)
  await waitUntil('a trace has come', () => Promise.resolve(collector.spans.length > 0))
  machine.run('sed --in-place /^OTEL_/d /etc/floorcast.env; systemctl restart floorcast')
  await waitForVersion(release.version)
}, 300_000)

test('it is upgraded, and goes the way back, as upgrade.md says', async ({ skip }) => {
  if (!made) skip()
  const [unpack, backup, change, back] = blocksOf('upgrade.md')
  runBlock(unpack)
  expect(await versionOf()).toBe(release.version)
  runBlock(backup)
  expect(runBlock(change)).toContain('migration')
  await waitForVersion(NEWER)
  await signInOwner(url)
  const later = { ...owner, email: newEmail('later') }
  await registerOwner(url, later)

  runBlock(back)
  await waitForVersion(release.version)
  await signInOwner(url)
  await expect(signInUser(url, later)).rejects.toMatchObject({ problem: { code: 'wrong-login' } })
}, 300_000)

test('it is backed up by its own schedule, loses its folder, and comes back, as backup.md says', async ({
  skip,
}) => {
  const machine = made ?? skip()
  const [, settings, , move, restore] = blocksOf('backup.md')
  runBlock(blocksOf('keys.md')[0])
  // The target is empty, so that a backup is due.
  machine.run('rm -r /backup/floorcast/*')
  runBlock(`cat >> /etc/floorcast.env <<ENV\n${settings}ENV\nsystemctl restart floorcast`)
  await waitUntil('the scheduled backup is made', () =>
    Promise.resolve(machine.run('journalctl --unit floorcast').includes('"msg":"backup made"')),
  )
  await waitForVersion(release.version)
  machine.run('rm -r /var/lib/floorcast/media')
  // As on a new machine: the server has begun an installation.
  runBlock(move)
  expect(runBlock(restore)).toContain('The installation goes back to ')
  await waitForVersion(release.version)
  await signInOwner(url)
}, 180_000)

test('its key is copied, its token changed, and what it exposes and takes is seen, as keys.md, security.md and sizes.md say', async ({
  skip,
}) => {
  const machine = made ?? skip()
  const [apart, , token] = blocksOf('keys.md')
  runBlock(apart)
  expect(machine.run('stat --format %a /root/floorcast-secret.key').trim()).toBe('600')
  const readMetrics = async () => {
    const said = machine.run("sed --quiet 's/^METRICS_TOKEN=//p' /etc/floorcast.env").trim()
    return (await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${said}` } })).status
  }
  expect(await readMetrics()).toBe(404)
  runBlock(token)
  await waitForVersion(release.version)
  expect(await readMetrics()).toBe(200)

  const [listening, headers, rating, sums] = blocksOf('security.md')
  const listens = runBlock(listening)
  expect(listens).toContain(` 127.0.0.1:${port} `)
  expect(listens).not.toContain(`0.0.0.0:${port}`)
  const said = runBlock(headers?.replace('https://floorcast.example', url)).toLowerCase()
  expect(said).toMatch(/^content-security-policy: .*script-src 'self';.*frame-ancestors 'none'/m)
  expect(said).toMatch(/^x-content-type-options: nosniff\r$/m)
  expect(said).toMatch(/^referrer-policy: no-referrer\r$/m)
  expect(runBlock(rating)).toContain('Overall exposure level for floorcast.service')
  machine.run(`cd ${ARCHIVES} && sha256sum *.tar.gz > SHA256SUMS`)
  expect(runBlock(sums)).toContain(`floorcast-server-${release.version}.tar.gz: OK`)

  expect(runBlock(blocksOf('operator.md')[0])).toMatch(/^http\S+\/operator\S*#invite=\S+$/m)

  const taken = runBlock(blocksOf('sizes.md')[0])
  expect(taken).toContain('/var/lib/floorcast/media')
  expect(taken).toMatch(/^database +PostgreSQL .* MB/m)
}, 120_000)

test('with a PostgreSQL of its own it needs no embedded one, and changes the password as keys.md says', async ({
  skip,
}) => {
  const machine = made ?? skip()
  const postgres = await startEmbeddedPostgres({ dataDir: join(scratch, 'postgres') })
  try {
    const [, remove] = blocksOf('install.md')
    runBlock(remove)
    runBlock(`echo DATABASE_URL=${postgres.url} >> /etc/floorcast.env; systemctl restart floorcast`)
    await waitForVersion(release.version)
    await registerOwner(url)

    const [, password] = blocksOf('keys.md')
    runBlock(`export ADMIN_URL=${postgres.superuserUrl}; ${password}`)
    const changed = machine.run("sed --quiet 's/^DATABASE_URL=//p' /etc/floorcast.env").trim()
    expect(new URL(changed).password).toMatch(/^[0-9a-f]{48}$/)
    await expect(asSuperuser(postgres.url, client => client.query('select'))).rejects.toThrow(/password/)
    await waitForVersion(release.version)
    await signInOwner(url)
    runBlock('systemctl stop floorcast')
  } finally {
    await postgres.stop()
  }
}, 120_000)
