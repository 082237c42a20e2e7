import { openDatabase } from './platform/database/database.ts'
import { migrateDatabase } from './platform/database/migrations.ts'
import { startEmbeddedPostgres } from '@floorcast/embedded-postgres/embedded-postgres.ts'
import { readSettings } from './platform/settings/settings.ts'
import { type AdminCommand, ADMIN_HELP, readCommand, runCommand } from './features/tenants/admin-commands.ts'

/** Runs a command of an operator. It needs no running server and does not disturb one. */
async function run(command: AdminCommand): Promise<string> {
  const { databaseUrl, dataDir, publicUrl } = readSettings(process.env)
  const postgres = databaseUrl ? null : await startEmbeddedPostgres({ dataDir })
  try {
    const url = databaseUrl ?? postgres?.url ?? ''
    await migrateDatabase(url)
    const database = openDatabase({ url, lost: () => undefined })
    try {
      return await runCommand({ database, publicUrl, now: new Date() }, command)
    } finally {
      await database.close()
    }
  } finally {
    await postgres?.stop()
  }
}

const args = process.argv.slice(2)
try {
  process.stdout.write(args[0] === '--help' ? ADMIN_HELP : `${await run(readCommand(args))}\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${ADMIN_HELP}`)
  process.exitCode = 1
}
