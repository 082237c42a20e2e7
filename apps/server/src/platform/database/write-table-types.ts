import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEmbeddedPostgres } from '@floorcast/embedded-postgres/embedded-postgres.ts'
import { Client } from 'pg'
import { migrateDatabase } from './migrations.ts'
import { readRights, RIGHTS_FILE } from './rights.ts'
import { readColumns, tableTypes } from './table-types.ts'

/*
 * `npm run schema` writes database/tables.ts and database/rights.txt from a new database; `npm run schema -- --check` fails when a file
 * differs.
 */

const TYPES_FILE = new URL('../../../database/tables.ts', import.meta.url)

/** The files and what they say of a new database. */
async function describeNewDatabase(): Promise<[URL, string][]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'floorcast-schema-'))
  try {
    const postgres = await startEmbeddedPostgres({ dataDir, parameters: { fsync: 'off' } })
    const client = new Client({ connectionString: postgres.url })
    try {
      await migrateDatabase(postgres.url)
      await client.connect()
      return [
        [TYPES_FILE, tableTypes(await readColumns(postgres.url))],
        [RIGHTS_FILE, `${(await readRights(client)).join('\n')}\n`],
      ]
    } finally {
      await client.end()
      await postgres.stop()
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}

for (const [file, text] of await describeNewDatabase())
  if (!process.argv.includes('--check')) writeFileSync(file, text)
  else if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
    console.error(`${fileURLToPath(file)} is not what the migrations make: npm run schema`)
    process.exitCode = 1
  }
