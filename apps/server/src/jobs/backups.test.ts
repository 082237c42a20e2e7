import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from '@floorcast/testing/eventually.ts'
import { asSuperuser, cloneDatabase } from '@floorcast/testing/test-database.ts'
import { afterAll, expect, it, onTestFinished, vi } from 'vitest'
import { BACKUP_LOCK } from '../platform/backup/backup-format.ts'
import { openBus } from '../platform/bus/bus.ts'
import { openDatabase } from '../platform/database/database.ts'
import { makeLog } from '../platform/log/log.ts'
import { Metrics } from '../platform/metrics/metrics.ts'
import { lastMoment, startBackups } from './backups.ts'
import { openJobs } from './jobs.ts'

const scratch = mkdtempSync(join(tmpdir(), 'floorcast-backups-'))
afterAll(() => {
  rmSync(scratch, { recursive: true, force: true })
})

it.each([
  ['2026-11-30T02:30:00Z', '2026-11-30T02:30:00Z'],
  ['2026-11-30T02:29:59Z', '2026-11-29T02:30:00Z'],
  ['2026-03-01T00:00:00Z', '2026-02-28T02:30:00Z'],
])('at %s the last backup was due at %s', (now, due) => {
  expect(lastMoment(new Date(now), '02:30')).toEqual(new Date(due))
})

const { url, superuserUrl } = await cloneDatabase()
const database = openDatabase({ url, lost: () => undefined })
const bus = await openBus({ url, lost: () => undefined })
afterAll(async () => {
  await bus.close()
  await database.close()
})

function start(target: string, now: () => Date) {
  vi.stubEnv('DATABASE_URL', url)
  vi.stubEnv('DATA_DIR', join(scratch, 'data'))
  const lines: { level: number; msg: string; says: string }[] = []
  const log = makeLog('info', {
    write: (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]),
  })
  const jobs = openJobs({ database, bus, log, metrics: new Metrics(), now }, 'server one')
  const stop = startBackups(
    { settings: { backup: { target, at: '02:30', keep: 2 }, dataDir: join(scratch, 'data') }, log, now },
    jobs,
    20,
  )
  onTestFinished(async () => {
    await stop()
    vi.unstubAllEnvs()
  })
  return lines
}

/** A clock, and a wait until it was looked at so many times more. */
function watchedClock() {
  const clock = { now: new Date() }
  const look = vi.fn<() => Date>(() => clock.now)
  const looks = (more: number) => {
    const before = look.mock.calls.length
    return eventually(() => expect(look.mock.calls.length).toBeGreaterThan(before + more))
  }
  return { clock, look, looks }
}

it('backs up once a day, and makes up for a day on which the server was off', async () => {
  const target = join(scratch, 'target')
  const { clock, look, looks } = watchedClock()
  const lines = start(target, look)
  await eventually(() => expect(lines.map(({ msg }) => msg)).toEqual(['backup made']))
  const made = () => readdirSync(target).filter(name => name.endsWith('Z'))
  expect(made()).toHaveLength(1)
  await looks(3)
  expect(lines).toHaveLength(1)
  clock.now = new Date(clock.now.getTime() + 86_400_000)
  await eventually(() => expect(made().length).toBeGreaterThan(1))
})

it('says why a backup failed', async () => {
  const target = join(scratch, 'a file')
  writeFileSync(target, 'x')
  const lines = start(target, () => new Date())
  await eventually(() => expect(lines).toHaveLength(1))
  expect(lines[0]).toMatchObject({ level: 50, says: expect.stringContaining('cannot be written') as string })
  expect(lines[0]?.says).toContain(target)
})

it('refuses a target whose disk is not mounted, and writes nothing below it', async () => {
  const target = join(scratch, 'disk')
  const { clock, look } = watchedClock()
  const lines = start(target, look)
  await eventually(() => expect(lines.map(({ msg }) => msg)).toEqual(['backup made']))
  renameSync(target, `${target} elsewhere`)
  mkdirSync(target)
  clock.now = new Date(clock.now.getTime() + 86_400_000)
  await eventually(() => expect(lines).toHaveLength(2))
  expect(lines[1]).toMatchObject({
    level: 50,
    says: expect.stringContaining(
      `${target} has held backups, and holds none now: is its disk mounted?`,
    ) as string,
  })
  expect(readdirSync(target)).toEqual([])
})

it('a backup that another command is at is skipped, and says nothing', async () => {
  await asSuperuser(superuserUrl, async superuser => {
    await superuser.query(`select pg_advisory_lock(${BACKUP_LOCK})`)
    const lines = start(join(scratch, 'another'), () => new Date())
    await eventually(async () => {
      const { rows } = await superuser.query<{ outcome: string }>('select outcome from job_runs')
      expect(rows).toEqual([{ outcome: 'skipped' }])
    })
    expect(lines).toEqual([])
  })
})
