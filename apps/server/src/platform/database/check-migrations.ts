import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@floorcast/embedded-postgres/embedded-postgres.ts'
import { Client } from 'pg'
import { findBreakingChanges, readState } from './breaking-changes.ts'
import { makeSchema, readSchema } from './migrations.ts'
import { ensureRoles } from './roles.ts'

/*
 * `npm run check:migrations`: checks the migrations after the baseline, which is the schema of the former release, one after another on a new
 * database.
 */

/** @returns a line for each fault */
async function findFaults(owner: Client): Promise<string[]> {
  const { baseline, through, migrations } = readSchema()
  await owner.query('begin')
  await ensureRoles(owner)
  await makeSchema(owner, { baseline, through, migrations: [] })
  const lines: string[] = []
  const known = new Set<string>()
  const former = await readState(owner)
  for (const migration of migrations.filter(({ name }) => name > through)) {
    const faults = await findBreakingChanges(owner, migration, { former, known })
    lines.push(...faults.map(fault => `${migration.name}: ${fault}`))
  }
  return lines
}

const dataDir = mkdtempSync(join(tmpdir(), 'floorcast-migrations-'))
try {
  const postgres = await startEmbeddedPostgres({ dataDir, parameters: { fsync: 'off' } })
  const owner = new Client({ connectionString: postgres.url })
  try {
    await owner.connect()
    const lines = await findFaults(owner)
    if (lines.length > 0) {
      console.error(
        [
          ...lines,
          'A server of the former release runs on this schema: docs/architecture.md, recipe "migration".',
        ].join('\n'),
      )
      process.exitCode = 1
    }
  } finally {
    await owner.end()
    await postgres.stop()
  }
} finally {
  rmSync(dataDir, { recursive: true, force: true })
}
