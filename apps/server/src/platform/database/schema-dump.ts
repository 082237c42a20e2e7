import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.ts'
import { migrateDatabase } from './migrations.ts'
import { schemaText } from './schema-text.ts'

/*
 * `npm run schema` writes database/schema.sql from a new database with every migration; `npm run schema -- --check` fails
 * when the file differs.
 */

const FILE = new URL('../../../database/schema.sql', import.meta.url)

async function migratedSchema(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'floorcast-schema-'))
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, parameters: { fsync: 'off' } })
    try {
      await migrateDatabase(postgres.url)
      return await schemaText(postgres.url)
    } finally {
      await postgres.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const text = await migratedSchema()
if (!process.argv.includes('--check')) {
  writeFileSync(FILE, text)
} else if (!existsSync(FILE) || readFileSync(FILE, 'utf8') !== text) {
  console.error('apps/server/database/schema.sql is not what the migrations make: npm run schema')
  process.exitCode = 1
}
