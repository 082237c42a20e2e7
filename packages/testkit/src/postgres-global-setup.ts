import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@floorcast/server/platform/embedded-postgres/embedded-postgres.ts'
import { migrateDatabase } from '@floorcast/server/platform/database/migrations.ts'
import { Client } from 'pg'
import type { TestProject } from 'vitest/node'

declare module 'vitest' {
  interface ProvidedContext {
    /** The superuser's address of the PostgreSQL that all test files share. */
    postgresUrl: string
  }
}

/** Nothing of a test database is worth keeping, so it need not reach the disk. */
const FORGETFUL = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '400' }

/** Starts one PostgreSQL for all test files, with a migrated template that each file clones (`testDatabase`). */
export default async function startSharedPostgres(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'floorcast-test-'))
  const postgres = await startEmbeddedPostgres({ dataDir, parameters: FORGETFUL })
  await migrateDatabase(postgres.url)
  const superuser = new Client({ connectionString: postgres.superuserUrl })
  await superuser.connect()
  await superuser.query('alter database floorcast with is_template true allow_connections false')
  await superuser.end()
  project.provide('postgresUrl', postgres.superuserUrl)
  return async () => {
    await postgres.stop()
    rmSync(dataDir, { recursive: true, force: true })
  }
}
