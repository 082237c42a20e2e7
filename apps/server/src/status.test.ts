import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { seedEveryTable } from '@floorcast/testing/seed-every-table.ts'
import { asSuperuser, testDatabase } from '@floorcast/testing/test-database.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readSettings } from './platform/settings/settings.ts'
import { findOldPostgres, readStatus, showStatus } from './status.ts'

const scratch = mkdtempSync(join(tmpdir(), 'floorcast-status-'))
afterAll(() => {
  rmSync(scratch, { recursive: true, force: true })
})
const { database, url, superuserUrl } = await testDatabase()
const target = join(scratch, 'backups')
const sql = (text: string) => asSuperuser(superuserUrl, superuser => superuser.query(text))

const mail = { SMTP_URL: 'smtp://localhost:1', MAIL_FROM: 'floor@shop.example' }

const read = (environment: Record<string, string> = {}, now = new Date()) => {
  const settings = readSettings({ ...mail, DATA_DIR: scratch, MIN_FREE_DISK: '1MB', ...environment })
  return readStatus({ url, name: 'the database shop' }, { settings }, now)
}
const textOf = async (name: string, environment: Record<string, string> = {}) =>
  (await read(environment)).lines.find(([line]) => line === name)?.[1]

beforeAll(async () => {
  await seedEveryTable(database, superuserUrl)
  // The mail of the seed.
  await sql("update mails set due_at = null, outcome = 'sent'")
})

it('shows an installation with nothing wrong on one page', async () => {
  await sql(`
    insert into server_samples values ('server 0123', now(), 1, 1, 1, 1, 1);
    insert into maintenance_runs values (now() - interval '3 hours', now() - interval '3 hours', 0);
    update device_states set last_contact_at = now(), overdue_at = now() + interval '1 minute'`)
  mkdirSync(
    join(target, `${new Date(Date.now() - 7_200_000).toISOString().slice(0, 19).replaceAll(':', '-')}Z`),
    {
      recursive: true,
    },
  )
  const status = await read({ BACKUP_TARGET: target })
  expect(status.faults).toEqual([])
  expect(Object.fromEntries(status.lines)).toMatchObject({
    'works on': 'the database shop',
    clients: '1',
    devices: '1: 1 online, 0 away, 0 never connected',
    servers: '1 running, the last sample 0 min ago',
    maintenance: '3 h ago',
    mails: '0 waiting',
    backup: `2 h ago, 1 in ${target}`,
  })
  expect(showStatus(status)).toMatch(/^version {5}\d+\.\d+\.\d+ \(\w{8}\), Node v24/)
})

it.each([
  ['no server runs', "update server_samples set at = at - interval '1 hour'", /^No server has run since/],
  [
    'the maintenance does not run',
    "update maintenance_runs set ended_at = ended_at - interval '3 days'",
    /^The daily maintenance has not run since/,
  ],
  [
    'the maintenance fails',
    'update maintenance_runs set failures = 2',
    /^The last maintenance failed for 2 clients/,
  ],
  [
    'a mail waits',
    "update mails set due_at = now(), outcome = null, created_at = now() - interval '1 hour'",
    /^A mail waits since/,
  ],
  ['a policy is gone', 'drop policy one_client on tags', /^The database lacks 1 of the \d+ policies/],
])('says what is wrong when %s', async (_, change, fault) => {
  const before = (await read()).faults.length
  await sql(change)
  const { faults } = await read()
  expect(faults).toHaveLength(before + 1)
  expect(faults).toContainEqual(expect.stringMatching(fault))
})

it('says what is wrong with backups and the disk, and what is not set', async () => {
  expect(await textOf('mails', { SMTP_URL: '', MAIL_FROM: '' })).toBe('no mail server is set')
  expect(await textOf('backup')).toBe('BACKUP_TARGET is not set')
  const other = join(scratch, 'other')
  expect((await read({ BACKUP_TARGET: other })).faults).toContainEqual(`There is no backup in ${other} yet`)
  const missing = join(scratch, 'not mounted')
  writeFileSync(join(scratch, 'backup-targets.json'), JSON.stringify([missing]))
  expect((await read({ BACKUP_TARGET: missing })).faults).toContainEqual(
    `${missing} has held backups, and holds none now: is its disk mounted?`,
  )
  const late = await read({ BACKUP_TARGET: target }, new Date(Date.now() + 3 * 86_400_000))
  expect(late.faults).toContainEqual(expect.stringMatching(/^The newest backup is of/))
  expect((await read({ MIN_FREE_DISK: '100%' })).faults).toContainEqual(
    expect.stringMatching(/is full: uploads/),
  )
})

it('says when an older PostgreSQL runs than the one that is installed', () => {
  expect(findOldPostgres('18.4', '18.10')).toEqual([
    'The embedded PostgreSQL 18.4 runs, and 18.10 is installed: restart the server',
  ])
  expect(findOldPostgres('18.4 (Debian 18.4-1)', '18.4')).toEqual([])
  expect(findOldPostgres('18.10', '18.4')).toEqual([])
})
