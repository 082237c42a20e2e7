import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@floorcast/embedded-postgres/embedded-postgres.ts'
import { migrateDatabase } from './migrations.ts'
import { readColumns, tableTypes } from './table-types.ts'

/*
 * `npm run schema` writes database/tables.ts from a new database; `npm run schema -- --check` fails when the file differs.
 */

const FILE = new URL('../../../database/tables.ts', import.meta.url)

async function typesOfNewDatabase(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'floorcast-schema-'))
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, parameters: { fsync: 'off' } })
    try {
      await migrateDatabase(postgres.url)
      return tableTypes(await readColumns(postgres.url))
    } finally {
      await postgres.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const types = await typesOfNewDatabase()
if (!process.argv.includes('--check')) {
  writeFileSync(FILE, types)
} else if (readFileSync(FILE, 'utf8') !== types) {
  console.error('apps/server/database/tables.ts is not what the migrations make: npm run schema')
  process.exitCode = 1
}
