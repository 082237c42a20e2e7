import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { tmpdir } from 'node:os'
import { pipeline } from 'node:stream/promises'
import { startEmbeddedPostgres } from '@floorcast/embedded-postgres/embedded-postgres.ts'
import { Client } from 'pg'
import { BackupError, drain, Meter } from './backup-format.ts'
import { type FoundBackup, restoreRows } from './restore-backup.ts'
import { checkFiles } from './restore-files.ts'
import { copyOut, readAsBackup } from './tables.ts'

/**
 * Restores a backup into a PostgreSQL of its own and compares: the count and hash of each table's rows, policies, owners and rights, and
 * the bytes of each file. What it made is removed again. @throws BackupError that names what differs
 */
export async function verifyBackup(backup: FoundBackup, say: (line: string) => void): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'floorcast-verify-'))
  try {
    const postgres = await startEmbeddedPostgres({ dataDir: scratch, parameters: { fsync: 'off' } })
    try {
      await restoreRows(postgres.url, backup, { say, isTrial: true })
      await compareRows(postgres.url, backup)
    } finally {
      await postgres.stop()
    }
    await checkFiles(backup, say)
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

async function compareRows(url: string, { manifest }: FoundBackup): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await readAsBackup(client)
    for (const table of manifest.tables) {
      const meter = new Meter()
      const rows = copyOut(client, table)
      await pipeline(rows, meter.through, drain)
      if ((await rows.rowCount) !== table.rows || meter.sha256() !== table.rowsSha256)
        throw new BackupError(`Restored, table ${table.name} has other rows than were backed up`)
    }
  } finally {
    await client.end()
  }
}
