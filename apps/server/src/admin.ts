import { join } from 'node:path'
import { Client } from 'pg'
import { z } from 'zod'
import { checkInstallation, showFindings } from './check/check.ts'
import { runCommandLine, say } from './command-line.ts'
import { openSecretBox } from './platform/auth/secret-box.ts'
import { type Database, openDatabase } from './platform/database/database.ts'
import { requireMigrated } from './platform/database/migrations.ts'
import { describeRestoration, noteRestored } from './platform/database/restorations.ts'
import { readAddressCommand, runAddressCommand } from './features/updates/updates.ts'
import { readOperatorCommand, runOperatorCommand } from './features/operators/operator-commands.ts'
import { type AdminContext, ADMIN_HELP, readCommand, runCommand } from './features/tenants/admin-commands.ts'
import {
  type OpenInstallation,
  openInstallation,
  readServiceSettings,
  refuseRoot,
  type ServiceSettings,
  takeEnvOption,
} from './installation.ts'
import { describeMoved, DESTINATIONS, type Destination, moveFiles } from './move-files.ts'
import { makeLog } from './platform/log/log.ts'
import type { Settings } from './platform/settings/settings.ts'
import type { FileStore } from './platform/storage/file-store.ts'
import { openIncomingFiles } from './platform/storage/incoming-files.ts'
import { openFileStore } from './platform/storage/open-file-store.ts'
import { readStatus, showStatus } from './status.ts'
import { describeSwept, sweepFiles } from './sweep-files.ts'

/** Runs work on the installation of the service, beside its servers. It makes and migrates none. */
async function onInstallation(
  env: string | null,
  work: (service: ServiceSettings, installation: OpenInstallation) => Promise<string>,
): Promise<string> {
  const service = readServiceSettings(env)
  const installation = await openInstallation(service)
  try {
    return await work(service, installation)
  } finally {
    await installation.close()
  }
}

/** Runs work on the database of the service, which is of this version. @param env the file with the settings; null: SERVICE_ENV, if it is there */
const onDatabase = (
  env: string | null,
  work: (database: Database, service: ServiceSettings) => Promise<string>,
) =>
  onInstallation(env, async (service, { url, name }) => {
    process.stderr.write(`Works on ${name}\n`)
    await requireThisVersion(url)
    const database = openDatabase({ url, lost: () => undefined })
    try {
      return await work(database, service)
    } finally {
      await database.close()
    }
  })

/** The store of files, to be read. */
async function openFiles(settings: Settings): Promise<FileStore> {
  const { dataDir, minFreeDisk } = settings
  return openFileStore(settings, await openIncomingFiles(join(dataDir, 'media'), minFreeDisk))
}

/** Runs a command on the database. */
const run = (
  command: (context: AdminContext & { streamUrl: string }) => Promise<string>,
  env: string | null,
) =>
  onDatabase(env, (database, { settings }) =>
    command({
      database,
      openFiles: () => openFiles(settings),
      log: makeLog(settings.logLevel),
      publicUrl: settings.publicUrl,
      streamUrl: settings.streamUrl,
      now: new Date(),
    }),
  )

/** The exit code is 1 if something is wrong. */
const tellStatus = (env: string | null) =>
  onInstallation(env, async (service, installation) => {
    const status = await readStatus(installation, service, new Date())
    if (status.faults.length > 0) process.exitCode = 1
    return showStatus(status)
  })

/** The exit code is 1 if something is wrong. */
const check = (env: string | null, mailTo: string | null) =>
  onInstallation(env, async (service, installation) => {
    process.stderr.write(`Works on ${installation.name}\n`)
    const findings = await checkInstallation(installation, service, { mailTo, now: () => new Date() })
    if (findings.some(({ isWrong }) => isWrong)) process.exitCode = 1
    return showFindings(findings)
  })

/** The exit code is 1 if files are missing. */
const move = (env: string | null, destination: Destination) =>
  onDatabase(env, async (database, service) => {
    refuseRoot(service, 'admin')
    const moved = await moveFiles(service.settings, { database, destination, say })
    if (moved.missing.length > 0) process.exitCode = 1
    return describeMoved(moved, destination)
  })

/** The exit code is 1 if the store has files of clients that the database does not have. */
const sweep = (env: string | null, deletes: boolean) =>
  onDatabase(env, async (database, service) => {
    refuseRoot(service, 'admin')
    const swept = await sweepFiles(service.settings, { database, deletes, say, now: new Date() })
    if (swept.ofStrangers > 0) process.exitCode = 1
    return describeSwept(swept)
  })

/** After a restore by other means than `npm run restore`: the newest sample of a server says what the database went back to. */
const tellDevices = (env: string | null) =>
  onInstallation(env, async (_, { url, name }) => {
    await requireThisVersion(url)
    const client = new Client({ connectionString: url })
    await client.connect()
    try {
      const restoration = await noteRestored(client, null)
      const since = restoration.restoredTo.toISOString()
      return [
        `Works on ${name}`,
        ...describeRestoration(restoration),
        `Devices deliver again what they have sent since ${since}. Restart the servers.`,
      ].join('\n')
    } finally {
      await client.end()
    }
  })

async function requireThisVersion(url: string): Promise<void> {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    await requireMigrated(client)
  } finally {
    await client.end()
  }
}

/** For a key that is lost: what it has sealed stays closed. */
const acceptKey = (env: string | null) =>
  onDatabase(env, async (database, service) => {
    refuseRoot(service, 'admin')
    const { secretKeyFile } = service.settings
    await database.jobs.acceptKey((await openSecretBox(secretKeyFile)).fingerprint)
    return `${secretKeyFile} is the key of the installation now. Give it to all of its servers, and restart them. Second factors that the former key has sealed are removed by remove-second-factor and reset-operator; an admin of each client makes a new key for proofs.`
  })

/** The commands that look beyond the database. They take no arguments. */
const WITHOUT_ARGUMENTS = new Map([
  ['accept-key', acceptKey],
  ['status', tellStatus],
  ['restored', tellDevices],
])

function readMailOption(args: string[]): string | null {
  if (args.length === 0) return null
  const [option, address] = args
  const parsed = z.email().safeParse(address)
  if (option !== '--mail' || args.length > 2 || !parsed.success)
    throw new Error('check takes --mail ADDRESS, and nothing else.')
  return parsed.data
}

/** The command of these arguments. @throws Error if there is none */
function readNamed(args: string[]): () => Promise<string> {
  const { env, rest } = takeEnvOption(args)
  const [name = '', ...more] = rest
  if (name === 'check') {
    const mailTo = readMailOption(more)
    return () => check(env, mailTo)
  }
  if (name === 'move-files') {
    const destination = DESTINATIONS.find(known => known === more[0])
    if (destination === undefined || more.length > 1)
      throw new Error(`move-files takes ${DESTINATIONS.join(' or ')}, and nothing else.`)
    return () => move(env, destination)
  }
  if (name === 'sweep-files') {
    if (more.length > 1 || (more[0] ?? '--delete') !== '--delete')
      throw new Error('sweep-files takes --delete, and nothing else.')
    return () => sweep(env, more.length === 1)
  }
  const alone = WITHOUT_ARGUMENTS.get(name)
  if (!alone) {
    const ofAddresses = readAddressCommand(rest)
    if (ofAddresses) return () => run(context => runAddressCommand(context, ofAddresses), env)
    const ofOperators = readOperatorCommand(rest)
    if (ofOperators) return () => run(context => runOperatorCommand(context, ofOperators), env)
    const command = readCommand(rest)
    return () => run(context => runCommand(context, command), env)
  }
  if (more.length > 0) throw new Error(`There is nothing after ${name}.`)
  return () => alone(env)
}

await runCommandLine(ADMIN_HELP, readNamed, async runNamed => {
  say(await runNamed())
})
