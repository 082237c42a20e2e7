import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  ensureOwnerAndDatabase,
  startEmbeddedPostgres,
} from '@floorcast/embedded-postgres/embedded-postgres.ts'
import { migrateDatabase } from '@floorcast/server/platform/database/migrations.ts'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'

/**
 * A test database need not reach the disk, and starts no process that a test does not ask for: on a virtual machine a process
 * of PostgreSQL costs 40 ms of processor time.
 */
const PARAMETERS = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '8GB',
  checkpoint_timeout: '1h',
  bgwriter_lru_maxpages: '0',
  autovacuum: 'off',
  jit: 'off',
  io_method: 'sync',
  max_parallel_workers_per_gather: '0',
  max_connections: '400',
}

/** For glibc: keep freed memory, as asking the kernel for it again is slow. */
const KEPT_MEMORY = {
  MALLOC_TOP_PAD_: '4194304',
  MALLOC_TRIM_THRESHOLD_: '67108864',
  MALLOC_MMAP_THRESHOLD_: '33554432',
}

interface Shared {
  superuserUrl: string
  url: string
  stop: () => Promise<void>
}

async function startOwn(): Promise<Shared> {
  const dataDir = mkdtempSync(join(tmpdir(), 'floorcast-test-'))
  // PostgreSQL and the workers, which start after it, inherit them.
  Object.assign(process.env, KEPT_MEMORY)
  const { superuserUrl, ...postgres } = await startEmbeddedPostgres({ dataDir, parameters: PARAMETERS })
  return {
    superuserUrl,
    // One password for both: tests know the superuser's address.
    url: await ensureOwnerAndDatabase(superuserUrl, passwordOf(superuserUrl)),
    stop: async () => {
      await postgres.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const passwordOf = (superuserUrl: string) => decodeURIComponent(new URL(superuserUrl).password)

/** Prepares an existing cluster, to test another version: TEST_POSTGRES_URL is its superuser's address. The cluster is kept. */
async function prepareGiven(superuserUrl: string): Promise<Shared> {
  const url = await ensureOwnerAndDatabase(superuserUrl, passwordOf(superuserUrl))
  const superuser = new Client({ connectionString: superuserUrl })
  await superuser.connect()
  // A run before this one made it a template.
  await superuser.query('alter database floorcast with allow_connections true')
  await superuser.end()
  return { superuserUrl, url, stop: async () => undefined }
}

async function startMigrated(): Promise<Shared> {
  const given = process.env['TEST_POSTGRES_URL']
  const postgres = given ? await prepareGiven(given) : await startOwn()
  await migrateDatabase(postgres.url)
  const superuser = new Client({ connectionString: postgres.superuserUrl })
  await superuser.connect()
  await superuser.query('alter database floorcast with is_template true allow_connections false')
  await superuser.end()
  return postgres
}

/** Vitest loads this file once for each project of its configuration, all in one process: one PostgreSQL serves them all. */
const held = globalThis as { floorcastTestPostgres?: { users: number; started: Promise<Shared> } }

/** Starts one PostgreSQL for all test files, with a migrated template that each file clones (`testDatabase`). */
export default async function startSharedPostgres(project: TestProject): Promise<() => Promise<void>> {
  const shared = (held.floorcastTestPostgres ??= { users: 0, started: startMigrated() })
  shared.users += 1
  const postgres = await shared.started
  project.provide('postgresUrl', postgres.superuserUrl)
  return async () => {
    shared.users -= 1
    if (shared.users > 0) return
    delete held.floorcastTestPostgres
    await postgres.stop()
  }
}
