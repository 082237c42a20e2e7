import { setPriority } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { release } from '@floorcast/contract/release.ts'
import { pathOf, runCommandLine, say } from './command-line.ts'
import { nameInstallation, openInstallation, readServiceSettings, refuseRoot } from './installation.ts'
import { Pace } from './platform/backup/backup-format.ts'
import { makeBackup } from './platform/backup/make-backup.ts'
import { showBytes } from './platform/backup/progress.ts'
import { findBackup, momentOf, requireKnown } from './platform/backup/restore-backup.ts'
import { verifyBackup } from './platform/backup/verify-backup.ts'
import { openIncomingFiles } from './platform/storage/incoming-files.ts'
import { openFileStore } from './platform/storage/open-file-store.ts'

/** By measurement: docs/scaling.md. */
const RATE_MB = 200

const HELP = `npm run backup -- TARGET [--keep N] [--rate MB] [--new-target] [--env FILE]
npm run backup -- --verify SOURCE

  Backs up the database and the files of an installation while its servers run. Each backup has a folder of its own in TARGET, which
  is empty at first; files that another backup there has are not copied again. The file secret.key is not in it: keep a copy apart.

  --keep     how many backups stay in TARGET; the oldest are removed once the new one is whole
  --rate     how many megabytes a second are read at most; ${RATE_MB} without it, which users of the console hardly notice
  --new-target  TARGET has held backups before, and another disk is there now: begin again. Without it a target that has lost its
             backups is refused, since its disk may not be mounted
  --env      the file with the settings of the service; /etc/floorcast.env if it is there
  --verify   restores a backup into a database of its own, compares every row, right and file with the backup, and removes the database.
             SOURCE is a backup, or a TARGET, whose newest one is taken
`

/** The servers of this machine come first. */
const NICENESS = 10

function readCommand(args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      keep: { type: 'string' },
      rate: { type: 'string' },
      'new-target': { type: 'boolean', default: false },
      env: { type: 'string' },
      verify: { type: 'boolean', default: false },
    },
  })
  const [place, ...others] = positionals
  if (place === undefined || others.length > 0) throw new Error('One TARGET is needed.')
  const [keep, rate] = [countOf('--keep', values.keep), countOf('--rate', values.rate)]
  const isNewTarget = values['new-target']
  if (values.verify && (isNewTarget || (keep ?? rate ?? values.env ?? null) !== null))
    throw new Error('--verify goes with SOURCE alone.')
  return {
    place: pathOf(place),
    keep,
    rate,
    isNewTarget,
    env: values.env === undefined ? null : pathOf(values.env),
    isVerify: values.verify,
  }
}

function countOf(name: string, text: string | undefined): number | null {
  if (text === undefined) return null
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error(`${name} takes a whole number from 1.`)
  return Number(text)
}

type Command = ReturnType<typeof readCommand>

async function backUp({ place, keep, rate, isNewTarget, env }: Command, signal: AbortSignal): Promise<void> {
  const service = readServiceSettings(env)
  refuseRoot(service, 'backup')
  const { dataDir, secretKeyFile, minFreeDisk } = service.settings
  const begun = performance.now()
  const installation = await openInstallation(service)
  try {
    say(`Backing up ${nameInstallation(service)}`)
    const incoming = await openIncomingFiles(join(dataDir, 'media'), minFreeDisk)
    const files = await openFileStore(service.settings, incoming)
    const pace = new Pace((rate ?? RATE_MB) * 1e6)
    const job = {
      url: installation.url,
      dataDir,
      secretKeyFile,
      files,
      target: place,
      isNewTarget,
      keep,
      pace,
      version: release.version,
      say,
      signal,
    }
    const { folder, manifest, removed } = await makeBackup(job)
    const rows = manifest.tables.reduce((sum, table) => sum + table.rows, 0)
    const bytes = manifest.tables.reduce((sum, { part }) => sum + part.bytes, 0)
    const seconds = ((performance.now() - begun) / 1000).toFixed(1)
    say(
      `${folder}: ${rows} rows of ${manifest.tables.length} tables (${showBytes(bytes)}), ${manifest.files.count} files (${showBytes(manifest.files.bytes)}), in ${seconds} s`,
    )
    if (removed.length > 0) say(`Removed: ${removed.join(', ')}`)
    if (manifest.files.missing.length > 0)
      say(
        `Missing: ${manifest.files.missing.length} files that rows name are not in the store, or have other bytes, such as ${manifest.files.missing[0]}`,
      )
    if (manifest.secretKeySha256 !== null)
      say(`Keep apart: ${secretKeyFile} is not in the backup, and a restore asks for it`)
  } finally {
    await installation.close()
  }
}

async function verify({ place }: Command): Promise<void> {
  const backup = await findBackup(place)
  requireKnown(backup)
  say(`Verifying ${backup.folder}, of ${momentOf(backup)}`)
  await verifyBackup(backup, say)
  const { tables, rights, files } = backup.manifest
  say(
    `It can be restored: ${tables.length} tables, ${rights.length} rights and policies and ${files.count} files are as they were backed up`,
  )
}

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => stopping.abort(new Error(`Ended by ${signal}: nothing of this backup was kept`)))

await runCommandLine(HELP, readCommand, command => {
  setPriority(NICENESS)
  return command.isVerify ? verify(command) : backUp(command, stopping.signal)
})
