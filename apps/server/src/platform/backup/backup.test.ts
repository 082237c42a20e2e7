import { randomUUID } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { makeBackupSource } from '@floorcast/testing/backup-source.ts'
import { readCatalog } from '@floorcast/testing/catalog.ts'
import { makeClient } from '@floorcast/testing/factories.ts'
import { watchTables } from '@floorcast/testing/table-checksums.ts'
import { asSuperuser, emptyDatabase, testDatabase } from '@floorcast/testing/test-database.ts'
import { Client } from 'pg'
import { beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { BACKUP_LOCK, listBackups, Pace, pathOfFile, pathOfTable } from './backup-format.ts'
import { findBackup, finishRestore, requireKnown, restoreRows } from './restore-backup.ts'
import { checkFiles, restoreFiles, restoreKey } from './restore-files.ts'

const song = Buffer.from('a song '.repeat(50_000))
const source = await makeBackupSource(song)
const { scratch, dataDir, sha256, backUp, openPlace } = source
const say = () => undefined
const keyFile = join(dataDir, 'secret.key')
let clientId = ''
let target = ''
let folders = 0
const newFolder = () => join(scratch, `folder ${(folders += 1)}`)

beforeAll(async () => {
  clientId = await source.seed()
  await asSuperuser(source.superuserUrl, async superuser => {
    const operatorUid = randomUUID()
    await superuser.query(`
      insert into maintenance_runs values (now(), now(), 0);
      insert into condition_looks values (true, now(), now());
      insert into server_samples values ('server 0123', now(), 1, 1, 1, 1, 1);
      insert into servers values ('server 0123', '1.2.3', 'all', now(), now());
      insert into limit_counts values (sha256('key'), 3, now());
      insert into job_runs values ('backup', 'server 0123', now(), now(), now(), 'done', now());
      insert into operators (uid, email, password_hash, created_at) values ('${operatorUid}', 'o@b.example', 'none', now());
      insert into operator_audit values (gen_random_uuid(), now(), 'o@b.example', 'sign-in', '', null, null);
      insert into operator_links values ('${operatorUid}', sha256('link'), now());
      insert into operator_sessions values (gen_random_uuid(), '${operatorUid}', sha256('session'), now(), now(), now(), now());
      insert into operator_steps values (sha256('step'), '${operatorUid}', 0, now());
      update installation_state set notice_uid = gen_random_uuid(), notice_text = 'At night', notice_level = 'info', notice_until = now();
      insert into registrations values (gen_random_uuid(), 'a@b.example', 'A', 'B', E'tab\\t "é" 店\\nline', null, now(), now())`)
    await superuser.query("select setval('device_outbox_position_seq', 4711)")
  })
  writeFileSync(keyFile, Buffer.alloc(32, 7))
})
beforeEach(() => {
  target = newFolder()
})

async function isEmpty(superuserUrl: string) {
  const rows = await asSuperuser(superuserUrl, superuser =>
    superuser.query("select from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'"),
  )
  return rows.rowCount === 0
}

it('restores every row, sequence, right and file of every table into an empty database', async () => {
  const { folder, manifest } = await backUp(target)
  expect(manifest).toMatchObject({ version: '1.2.3', files: { count: 1, bytes: song.length, missing: [] } })
  const restored = await emptyDatabase()
  const backup = await findBackup(folder)
  const said: string[] = []
  await restoreRows(restored.url, backup, { say: line => said.push(line) })
  await finishRestore(restored.url, backup, line => said.push(line))

  const [had, has] = [await watchTables(source.superuserUrl), await watchTables(restored.superuserUrl)]
  const of = await has()
  const {
    restorations,
    redeliveries,
    alerts,
    audit_entries: entries,
    event_positions: positions,
    ...others
  } = of
  expect({ ...(await had()), ...others }).toEqual(await had())
  // This restore is noted, with its one device, and has ended the one alert; events go on where no reader has been.
  expect(alerts).not.toBe((await had()).alerts)
  expect(positions).not.toBe((await had())['event_positions'])
  expect(said.filter(line => line.includes('alert'))).toEqual([
    expect.stringMatching(/^1 alerts were open at that moment and are ended now/) as string,
    expect.stringMatching(/^ {2}alert air of /) as string,
  ])
  expect([restorations, redeliveries, entries]).toEqual([
    expect.stringMatching(/^2 /) as string,
    expect.stringMatching(/^2 /) as string,
    expect.stringMatching(/^2 /) as string,
  ])
  // Each table has a row, so none can be left out without a difference.
  expect(
    Object.entries(await had())
      .filter(([, sum]) => sum.startsWith('0 '))
      .map(([name]) => name),
  ).toEqual(['update_files', 'update_package_files'])
  const isOfPartition = (line: string) => /_(20\d{4}|20\d{6})\b/.test(line)
  const catalogOf = async (url: string) => (await readCatalog(url)).filter(line => !isOfPartition(line))
  expect(await catalogOf(restored.superuserUrl)).toEqual(await catalogOf(source.superuserUrl))
  const { rows } = await asSuperuser(restored.superuserUrl, superuser =>
    superuser.query('select last_value::int as last from device_outbox_position_seq'),
  )
  expect(rows).toEqual([{ last: 4711 }])

  const media = newFolder()
  expect(await restoreFiles(await findBackup(target), await openPlace(media), say)).toBe(0)
  expect(readFileSync(join(media, clientId, sha256.slice(0, 2), sha256)).equals(song)).toBe(true)
})

/** Adds a client while the first table is read. */
class AddClient extends Pace {
  #added: Promise<unknown> | null = null
  override async take() {
    this.#added ??= makeClient(source.database, { name: 'Late' })
    await this.#added
  }
}

it('takes the rows of one moment, whatever changes meanwhile', async () => {
  const { manifest } = await backUp(target, { pace: new AddClient(1) })
  const clients = await asSuperuser(source.superuserUrl, superuser => superuser.query('select from clients'))
  expect(clients.rowCount).toBe(2)
  expect(manifest.tables.find(({ name }) => name === 'clients')?.rows).toBe(1)
})

describe('a database that holds tables', () => {
  it('is not restored into', async () => {
    const backup = await findBackup((await backUp(target)).folder)
    await expect(restoreRows(source.url, backup, { say })).rejects.toThrow(/a restore needs an empty one/)
  })
})

describe('a backup that is not what was written', () => {
  const change = (path: string) => {
    const bytes = readFileSync(path)
    bytes[bytes.length - 6] = (bytes[bytes.length - 6] ?? 0) ^ 1
    writeFileSync(path, bytes)
  }

  it.each([
    [
      'has a changed byte in its rows',
      (folder: string) => change(pathOfTable(folder, 'devices')),
      /devices\.copy\.zst/,
    ],
    [
      'has rows that still unpack, and that PostgreSQL refuses',
      (folder: string) => {
        const path = pathOfTable(folder, 'devices')
        const rows = zstdDecompressSync(readFileSync(path)).toString()
        writeFileSync(path, zstdCompressSync(rows.replace(/[\da-f]{8}-/, 'no uuid-')))
      },
      /devices\.copy\.zst is damaged/,
    ],
    [
      'lacks the end of its rows',
      (folder: string) => truncateSync(pathOfTable(folder, 'devices'), 40),
      /devices\.copy\.zst/,
    ],
    ['lacks a table', (folder: string) => rmSync(pathOfTable(folder, 'devices')), /devices\.copy\.zst/],
    [
      'has a changed byte in its schema',
      (folder: string) => change(join(folder, 'schema.json.zst')),
      /schema\.json/,
    ],
  ])('%s leaves the database empty', async (_, damage, named) => {
    const { folder } = await backUp(target)
    damage(folder)
    const { url, superuserUrl } = await emptyDatabase()
    await expect(restoreRows(url, await findBackup(folder), { say })).rejects.toThrow(named)
    expect(await isEmpty(superuserUrl)).toBe(true)
  })

  it('has a file with a changed byte, or lacks one: the check and the restore name it', async () => {
    const { folder } = await backUp(target)
    const path = pathOfFile(target, [clientId, sha256])
    change(path)
    const backup = await findBackup(folder)
    await expect(checkFiles(backup, say)).rejects.toThrow(`${path} is damaged`)
    await expect(restoreFiles(backup, await openPlace(newFolder()), say)).rejects.toThrow(
      `${path} is damaged`,
    )
    await rename(path, `${path}.away`)
    await expect(checkFiles(backup, say)).rejects.toThrow(`${path} cannot be read`)
    await expect(restoreFiles(backup, await openPlace(newFolder()), say)).rejects.toThrow(
      `${path} is missing`,
    )
  })

  it('without a manifest, with a damaged one, of another format or of a newer version is refused with a reason', async () => {
    const { folder } = await backUp(target)
    const path = join(folder, 'manifest.json')
    const text = readFileSync(path, 'utf8')
    writeFileSync(path, text.replace('"format": 1', '"format": 2'))
    await expect(findBackup(folder)).rejects.toThrow(
      /start the version of Floorcast that made it, or a newer one/,
    )
    writeFileSync(path, text.slice(0, 500))
    await expect(findBackup(folder)).rejects.toThrow(/manifest\.json is damaged/)
    writeFileSync(path, text.replace('"name": "devices"', '"name": "devices; drop table users"'))
    await expect(findBackup(folder)).rejects.toThrow(/manifest\.json is damaged/)
    writeFileSync(path, text.replace('"0184-backup-role"', '"0184-backup-role", "9999-later"'))
    const newer = await findBackup(folder)
    expect(() => requireKnown(newer)).toThrow(/made by Floorcast 1\.2\.3, which is newer/)
    rmSync(path)
    await expect(findBackup(folder)).rejects.toThrow(/holds no complete backup/)
    await expect(findBackup(newFolder())).rejects.toThrow(/holds no complete backup/)
  })
})

describe('a target', () => {
  it('with other files, or with backups of another installation, is refused and stays as it is', async () => {
    await backUp(target)
    const before = readdirSync(target).length
    await asSuperuser(source.superuserUrl, superuser =>
      superuser.query("update migrations set applied_at = applied_at - interval '1 day'"),
    )
    await expect(backUp(target)).rejects.toThrow(/holds backups of another installation/)
    await asSuperuser(source.superuserUrl, superuser =>
      superuser.query("update migrations set applied_at = applied_at + interval '1 day'"),
    )
    expect(readdirSync(target)).toHaveLength(before)
    await expect(backUp(scratch)).rejects.toThrow(/holds other files, such as /)
    await expect(backUp(join(keyFile, 'x'))).rejects.toThrow(/cannot be written \(ENOTDIR\)/)
  })

  it('keeps as many backups as wanted, and the files that they name', async () => {
    const first = await backUp(target, { keep: 1 })
    expect(first.removed).toEqual([])
    await asSuperuser(source.superuserUrl, superuser =>
      superuser.query(`delete from play_archives; update media_files set sha256 = '${'0'.repeat(64)}'`),
    )
    const second = await backUp(target, { keep: 1 })
    await asSuperuser(source.superuserUrl, superuser =>
      superuser.query('update media_files set sha256 = $1', [sha256]),
    )
    expect(second.manifest.files.missing).toEqual([`${clientId}/${'0'.repeat(64)}`])
    expect(await listBackups(target)).toEqual([second.folder.split('/').at(-1)])
    expect(
      readdirSync(join(target, 'files'), { recursive: true, withFileTypes: true }).filter(one =>
        one.isFile(),
      ),
    ).toEqual([])
    // What the store did not have when the backup was made is no fault of the backup.
    await checkFiles(await findBackup(target), say)
    expect(await restoreFiles(await findBackup(target), await openPlace(newFolder()), say)).toBe(1)
  })

  it('keeps as many backups as wanted of an installation without files', async () => {
    const { url } = await testDatabase()
    const first = await backUp(target, { url, keep: 1 })
    const second = await backUp(target, { url, keep: 1 })
    expect(second.removed).toEqual([first.folder.split('/').at(-1)])
    expect(second.manifest.files.count).toBe(0)
    expect(await listBackups(target)).toEqual([second.folder.split('/').at(-1)])
  })

  it('is as before when a backup is ended in the middle of a table, and the next one continues', async () => {
    await backUp(target)
    const stop = new AbortController()
    class EndedPace extends Pace {
      override take() {
        stop.abort(new Error('Ended by SIGINT'))
        return super.take(0)
      }
    }
    const before = readdirSync(target)
    await expect(backUp(target, { signal: stop.signal, pace: new EndedPace(1) })).rejects.toThrow(
      'Ended by SIGINT',
    )
    expect(readdirSync(target)).toEqual(before)
    await backUp(target)
    expect(await listBackups(target)).toHaveLength(2)
  })
})

it('restores all but rights that somebody has given by hand, and names them', async () => {
  await asSuperuser(source.superuserUrl, superuser =>
    superuser.query('grant select on mails to floorcast_app'),
  )
  const backup = await findBackup((await backUp(target)).folder)
  await asSuperuser(source.superuserUrl, superuser =>
    superuser.query('revoke select on mails from floorcast_app'),
  )
  const { url } = await emptyDatabase()
  expect(await restoreRows(url, backup, { say })).toEqual(['grant select on mails to floorcast_app'])
})

it('puts a file again that is there with other bytes', async () => {
  const backup = await findBackup((await backUp(target)).folder)
  const media = newFolder()
  await restoreFiles(backup, await openPlace(media), say)
  const path = join(media, clientId, sha256.slice(0, 2), sha256)
  writeFileSync(path, 'half of')
  await restoreFiles(backup, await openPlace(media), say)
  expect(readFileSync(path).equals(song)).toBe(true)
})

it('runs once at a time for an installation', async () => {
  const other = new Client({ connectionString: source.url })
  await other.connect()
  await other.query(`select pg_advisory_lock(${BACKUP_LOCK})`)
  await expect(backUp(target)).rejects.toThrow(/Another backup of this installation runs/)
  await other.end()
  await backUp(target)
})

it('finds a table that is not let out to backups', async () => {
  await asSuperuser(source.superuserUrl, superuser => superuser.query('create table forgotten (a int)'))
  await expect(backUp(target)).rejects.toThrow(/does not read forgotten/)
  await asSuperuser(source.superuserUrl, superuser => superuser.query('drop table forgotten'))
})

it('asks for the key of the installation that was backed up, and for no other', async () => {
  const backup = await findBackup((await backUp(target)).folder)
  const folder = newFolder()
  mkdirSync(folder)
  const place = join(folder, 'secret.key')
  const [wrong, right] = [join(scratch, 'wrong.key'), join(scratch, 'right.key')]
  writeFileSync(wrong, Buffer.alloc(32, 8))
  writeFileSync(right, Buffer.alloc(32, 7))
  await expect(restoreKey(backup, place, null)).rejects.toThrow(/name your copy with --key FILE/)
  await expect(restoreKey(backup, place, { file: wrong })).rejects.toThrow(
    /is not the key of the installation/,
  )
  await restoreKey(backup, place, 'none')
  await restoreKey(backup, place, { file: right })
  await restoreKey(backup, place, null)
  expect(readFileSync(place)).toEqual(Buffer.alloc(32, 7))
  writeFileSync(place, Buffer.alloc(32, 9))
  await expect(restoreKey(backup, place, { file: right })).rejects.toThrow(/is another key than/)
})

it('refuses a target that has held backups and has no mark, unless another disk is there on purpose', async () => {
  await backUp(target)
  const disk = `${target} unmounted`
  await rename(target, disk)
  const missing = /has held backups, and holds none now: is its disk mounted\? .* --new-target$/
  await expect(backUp(target)).rejects.toThrow(missing)
  expect(existsSync(target)).toBe(false)
  mkdirSync(target)
  await expect(backUp(target)).rejects.toThrow(missing)
  expect(readdirSync(target)).toEqual([])
  await backUp(target, { isNewTarget: true })
  await backUp(target)
  expect(await listBackups(target)).toHaveLength(2)
  rmSync(target, { recursive: true })
  await rename(disk, target)
  await backUp(target)
  expect(await listBackups(target)).toHaveLength(2)
})

it('backs up where the target cannot be noted, and says so', async () => {
  const said: string[] = []
  // In the way of the file that is written.
  const data = newFolder()
  mkdirSync(join(data, 'backup-targets.json.partial'), { recursive: true })
  await backUp(target, { dataDir: data, say: line => said.push(line) })
  expect(await listBackups(target)).toHaveLength(1)
  expect(said).toContainEqual(
    expect.stringContaining(`${target} is not noted in ${join(data, 'backup-targets.json')}`),
  )
})

it('holds chunks of a fast backup to its rate without a timer for each', async () => {
  vi.useFakeTimers()
  const timer = vi.fn<typeof setTimeout>(globalThis.setTimeout)
  vi.stubGlobal('setTimeout', timer)
  onTestFinished(() => {
    // A spy is restored once more after the test, which put the false timer back for all files after this one.
    vi.unstubAllGlobals()
    vi.useRealTimers()
  })
  const pace = new Pace(200e6)
  const from = performance.now()
  const taken = (async () => {
    for (let bytes = 0; bytes < 400e6; bytes += 64_000) await pace.take(64_000)
  })()
  await vi.runAllTimersAsync()
  await taken
  expect(performance.now() - from).toBeCloseTo(2000, -2)
  expect(timer.mock.calls.length).toBeLessThanOrEqual(2000 / 20)
})
