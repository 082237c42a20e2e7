import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { pathOf, runCommandLine, say } from './command-line.ts'
import { nameInstallation, openInstallation, readServiceSettings, refuseRoot } from './installation.ts'
import {
  findBackup,
  finishRestore,
  forgetKey,
  momentOf,
  requireEmpty,
  requireKnown,
  restoreRows,
} from './platform/backup/restore-backup.ts'
import { restoreFiles, restoreKey } from './platform/backup/restore-files.ts'
import { openIncomingFiles } from './platform/storage/incoming-files.ts'
import { openFileStore } from './platform/storage/open-file-store.ts'
import { FOLDER_MODE } from './platform/storage/private-folder.ts'

const HELP = `npm run restore -- SOURCE [--key FILE | --without-key] [--env FILE]

  Restores a backup into an empty installation: roles, tables, rows and files. SOURCE is a backup, or the TARGET of backups, whose
  newest one is taken. DATA_DIR and DATABASE_URL are those of the installation to be filled. Nothing is kept of a restore that ends early but files;
  call it again.

  --key          the copy of secret.key that was kept apart; without it the one in DATA_DIR or of SECRET_KEY_FILE
  --without-key  the key is lost: users set up their second factors again, and admins make new keys for proofs
  --env          the file with the settings of the service; /etc/floorcast.env if it is there
`

function readCommand(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      key: { type: 'string' },
      'without-key': { type: 'boolean', default: false },
      env: { type: 'string' },
    },
  })
  const [source, ...others] = positionals
  if (source === undefined || others.length > 0) throw new Error('One SOURCE is needed.')
  if (values.key !== undefined && values['without-key'])
    throw new Error('--key and --without-key exclude each other.')
  const file = values.key === undefined ? null : { file: pathOf(values.key) }
  return {
    source: pathOf(source),
    key: values['without-key'] ? ('none' as const) : file,
    env: values.env === undefined ? null : pathOf(values.env),
  }
}

async function restore({ source, key, env }: ReturnType<typeof readCommand>): Promise<void> {
  const service = readServiceSettings(env)
  refuseRoot(service, 'restore')
  const { dataDir, secretKeyFile, minFreeDisk } = service.settings
  const backup = await findBackup(source)
  requireKnown(backup)
  say(`Restoring ${backup.folder}, of ${momentOf(backup)}, into ${nameInstallation(service)}`)
  await mkdir(dataDir, { recursive: true, mode: FOLDER_MODE })
  const { url, close } = await openInstallation(service, { isNew: true })
  try {
    await requireEmpty(url)
    await restoreKey(backup, secretKeyFile, key)
    const incoming = await openIncomingFiles(join(dataDir, 'media'), minFreeDisk)
    const files = await openFileStore(service.settings, incoming)
    const missing = await restoreFiles(backup, { files, incoming }, say)
    const lost = await restoreRows(url, backup, { say })
    const applied = await finishRestore(url, backup, say)
    if (key === 'none') await forgetKey(url)
    const rows = backup.manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    say(
      `Restored ${rows} rows and ${backup.manifest.files.count} files. The installation goes back to ${momentOf(backup)}`,
    )
    if (applied.length > 0) say(`Brought to this version by ${applied.length} migrations`)
    if (missing > 0) say(`${missing} files that rows name were missing when the backup was made`)
    if (lost.length > 0)
      say(`${lost.length} rights were given by hand and are not restored, such as: ${lost[0]}`)
    say('Start the server.')
  } finally {
    await close()
  }
}

await runCommandLine(HELP, readCommand, restore)
