import { execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, globSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { makeBackupSource } from '@floorcast/testing/backup-source.ts'
import { mountDisk, mountFailingDisk } from '@floorcast/testing/small-disk.ts'
import { asSuperuser, emptyDatabase } from '@floorcast/testing/test-database.ts'
import { beforeAll, expect, test, vi } from 'vitest'
import { listBackups, Pace } from './backup-format.ts'
import { findBackup, restoreRows } from './restore-backup.ts'
import { checkFiles, restoreFiles } from './restore-files.ts'

/* What disks and kills do to a backup, its check and its restore. */

const say = () => undefined
const MB = 1_048_576

/** The bytes of a file cannot be compressed, and rows hardly. */
const bytesOf = (size: number, seed: string) => {
  const blocks = Array.from({ length: size / 32 }, (_, nr) =>
    createHash('sha256').update(`${seed} ${nr}`).digest(),
  )
  return Buffer.concat(blocks)
}
const source = await makeBackupSource(bytesOf(8 * MB, 'song'))
const { scratch, dataDir, backUp, openPlace } = source

beforeAll(async () => {
  await source.seed()
  // Some megabytes of rows.
  await asSuperuser(source.superuserUrl, superuser =>
    superuser.query(
      "insert into server_samples select gen_random_uuid()::text, now() + n * interval '1 s', n, n, n, n, n from generate_series(1, 60000) n",
    ),
  )
})

/** Does something once so many bytes were read. */
class At extends Pace {
  #left: number
  readonly #act: () => void
  constructor(bytes: number, act: () => void) {
    super(Number.POSITIVE_INFINITY)
    this.#left = bytes
    this.#act = act
  }
  override take(bytes: number) {
    const before = this.#left
    this.#left -= bytes
    if (before > 0 && this.#left <= 0) this.#act()
    return Promise.resolve()
  }
}

const partialsIn = (target: string) => globSync('**/*.partial', { cwd: target })
const isWhole = async (target: string) => {
  const backup = await findBackup(target)
  await checkFiles(backup, say)
  const { url } = await emptyDatabase()
  await restoreRows(url, backup, { say, isTrial: true })
}

test(
  'a target that is full, or becomes so while rows or files are copied, leaves the earlier backup whole, and the next one continues',
  { timeout: 120_000 },
  async ({ skip }) => {
    const small = mountDisk(24 * MB) ?? skip()
    const target = join(small.folder, 'target')
    // The rows have room and the file has none.
    small.fill('other', 6 * MB)
    await expect(backUp(target)).rejects.toThrow(`${target} is full. Nothing of this backup's rows was kept`)
    expect([await listBackups(target), partialsIn(target)]).toEqual([[], []])
    small.free('other')
    const { folder } = await backUp(target)
    const full = () => small.fill('other', 0)
    await expect(backUp(target, { pace: new At(MB, full) })).rejects.toThrow(`${target} is full`)
    await expect(backUp(target)).rejects.toThrow(`${target} is full`)
    expect(await listBackups(target)).toEqual([folder.split('/').at(-1)])
    small.free('other')
    expect(partialsIn(target)).toEqual([])
    await isWhole(target)
    await backUp(target)
    expect(await listBackups(target)).toHaveLength(2)
  },
)

test(
  'an older backup that cannot be removed is named, and the new one is whole',
  { timeout: 120_000 },
  async ({ skip }) => {
    const failing = mountFailingDisk(64 * MB) ?? skip()
    const target = join(failing.folder, 'held')
    const { folder } = await backUp(target)
    execFileSync('chattr', ['+i', join(folder, 'manifest.json')])
    await expect(backUp(target, { keep: 1 })).rejects.toThrow(
      /held\/20\S+Z is whole\. Older backups could not be removed \(\w+: .*manifest\.json/,
    )
    expect(await listBackups(target)).toHaveLength(1)
    await isWhole(target)
    execFileSync('chattr', ['-i', ...globSync(join(target, '*.partial/manifest.json'))])
  },
)

test(
  'a disk that fails while it is written to leaves the earlier backup whole, and is used again when it is mended',
  { timeout: 120_000 },
  async ({ skip }) => {
    const failing = mountFailingDisk(64 * MB) ?? skip()
    const target = join(failing.folder, 'target')
    await backUp(target)
    await expect(backUp(target, { pace: new At(MB, () => failing.fail()) })).rejects.toThrow(
      /target cannot be written \((EROFS|EIO)\)/,
    )
    await expect(backUp(target)).rejects.toThrow(/cannot be written \(EROFS\)/)
    await failing.mend()
    await isWhole(target)
    await backUp(target)
    expect(await listBackups(target)).toHaveLength(2)
    expect(partialsIn(target)).toEqual([])
  },
)

test('a target that is gone halfway is named, and is no target of later backups until it is there again', async () => {
  const target = join(scratch, 'gone')
  const gone = () => renameSync(target, `${target} elsewhere`)
  await expect(backUp(target, { pace: new At(MB, gone) })).rejects.toThrow(
    `${target} cannot be written (ENOENT)`,
  )
  await expect(backUp(target)).rejects.toThrow(`${target} has held backups, and holds none now`)
  renameSync(`${target} elsewhere`, target)
  await backUp(target)
  expect(partialsIn(target)).toEqual([])
  expect(await listBackups(target)).toHaveLength(1)
})

test('a restore to a disk without room for the files says so, and continues when there is some', async ({
  skip,
}) => {
  const small = mountDisk(24 * MB) ?? skip()
  const target = join(scratch, 'source')
  await backUp(target)
  small.fill('other', 2 * MB)
  const media = join(small.folder, 'media')
  await expect(restoreFiles(await findBackup(target), await openPlace(media), say)).rejects.toThrow(
    /The disk of .*media.* is full\. The files that were restored stay/,
  )
  small.free('other')
  expect(await restoreFiles(await findBackup(target), await openPlace(media), say)).toBe(0)
})

/** Starts a command of an operator. */
function begin(command: 'backup' | 'restore', args: string[], environment: Record<string, string> = {}) {
  const path = fileURLToPath(new URL(`../../${command}.ts`, import.meta.url))
  const env = { PATH: process.env['PATH'], DATA_DIR: dataDir, DATABASE_URL: source.url, ...environment }
  return spawn(process.execPath, [path, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] })
}

async function endOf(child: ReturnType<typeof begin>) {
  const closed = once(child, 'close') as Promise<[number | null]>
  const [said, complained, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed])
  return { code, said, complained }
}

async function killedOnce(child: ReturnType<typeof begin>, isInMiddle: () => void | Promise<void>) {
  const ended = endOf(child)
  await vi.waitFor(isInMiddle, { timeout: 60_000, interval: 10 })
  child.kill('SIGKILL')
  await ended
}

test('two backups at once: the second one leaves, with its own exit code', { timeout: 120_000 }, async () => {
  const target = join(scratch, 'at once')
  const first = begin('backup', [target, '--rate', '2'])
  const ended = endOf(first)
  await vi.waitFor(() => expect(globSync('*.partial/tables/*', { cwd: target }).length).toBeGreaterThan(3), {
    timeout: 60_000,
  })
  expect(await endOf(begin('backup', [target]))).toMatchObject({
    code: 3,
    complained: expect.stringContaining('Another backup of this installation runs') as string,
  })
  expect(await ended).toMatchObject({ code: 0 })
  expect(await listBackups(target)).toHaveLength(1)
})

test(
  'SIGKILL in the middle of a backup, of its check and of its restore: each is whole when it is called again',
  { timeout: 240_000 },
  async () => {
    const target = join(scratch, 'killed')
    await killedOnce(begin('backup', [target, '--rate', '1']), () =>
      expect(globSync('*.partial/tables/*', { cwd: target }).length).toBeGreaterThan(10),
    )
    expect(await listBackups(target)).toEqual([])
    expect(await endOf(begin('backup', [target]))).toMatchObject({ code: 0, complained: '' })
    expect(partialsIn(target)).toEqual([])

    const temporary = join(scratch, 'temporary')
    mkdirSync(temporary)
    const postmaster = () => globSync('*/postgres/postmaster.pid', { cwd: temporary })[0] ?? ''
    const verify = () => begin('backup', ['--verify', target], { TMPDIR: temporary })
    let pid = 0
    await killedOnce(verify(), () => {
      pid = Number(readFileSync(join(temporary, postmaster()), 'utf8').split('\n')[0])
      expect(pid).toBeGreaterThan(0)
    })
    // Its PostgreSQL does not stay behind.
    await vi.waitFor(() => expect(existsSync(`/proc/${pid}`)).toBe(false), { timeout: 60_000 })
    rmSync(temporary, { recursive: true })
    mkdirSync(temporary)
    expect(await endOf(verify())).toMatchObject({ code: 0, complained: '' })
    expect(readdirSync(temporary)).toEqual([])

    const { url, superuserUrl } = await emptyDatabase()
    const elsewhere = { DATABASE_URL: url, DATA_DIR: join(scratch, 'elsewhere') }
    const sessions = async (condition: string) => {
      const { rowCount } = await asSuperuser(superuserUrl, superuser =>
        superuser.query(
          `select from pg_stat_activity where application_name = 'floorcast_restore' and ${condition}`,
        ),
      )
      return rowCount
    }
    const restore = () => begin('restore', [target, '--without-key'], elsewhere)
    await killedOnce(restore(), async () => expect(await sessions('xact_start is not null')).toBe(1))
    await vi.waitFor(async () => expect(await sessions('true')).toBe(0), { timeout: 60_000 })
    expect(await endOf(restore())).toMatchObject({ code: 0, complained: '' })
    expect(await endOf(restore())).toMatchObject({
      code: 1,
      complained: expect.stringContaining('a restore needs an empty one') as string,
    })
  },
)
