import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '@floorcast/embedded-postgres/embedded-postgres.ts'
import { migrateDatabase } from './migrations.ts'
import { schemaText } from './schema-text.ts'
import { readColumns, tableTypes } from './table-types.ts'

/*
 * `npm run schema` writes database/schema.sql and database/tables.ts from a new database with every migration;
 * `npm run schema -- --check` fails when a file differs.
 */

async function describeMigratedDatabase(): Promise<Record<string, string>> {
  const dataDir = mkdtempSync(join(tmpdir(), 'floorcast-schema-'))
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, parameters: { fsync: 'off' } })
    try {
      await migrateDatabase(postgres.url)
      return {
        'schema.sql': await schemaText(postgres.url),
        'tables.ts': tableTypes(await readColumns(postgres.url)),
      }
    } finally {
      await postgres.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

for (const [name, text] of Object.entries(await describeMigratedDatabase())) {
  const file = new URL(`../../../database/${name}`, import.meta.url)
  if (!process.argv.includes('--check')) {
    writeFileSync(file, text)
  } else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    console.error(`apps/server/database/${name} is not what the migrations make: npm run schema`)
    process.exitCode = 1
  }
}
