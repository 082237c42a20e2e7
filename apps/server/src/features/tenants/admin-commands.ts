import { z } from 'zod'
import { newLink } from './users.ts'
import { rebuildStatistics } from '../statistics/statistics.ts'
import type { Database } from '../../platform/database/database.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'
import type { Log } from '../../platform/log/log.ts'
import type { FileStore } from '../../platform/storage/file-store.ts'

export const ADMIN_HELP = `npm run admin -- [--env FILE] COMMAND
npm run admin -- status
npm run admin -- check [--mail ADDRESS]
npm run admin -- restored
npm run admin -- move-files to-bucket | to-folder
npm run admin -- accept-key
npm run admin -- sweep-files [--delete]
npm run admin -- subscription EMAIL PLAN UNTIL
npm run admin -- requests
npm run admin -- reset-password EMAIL
npm run admin -- remove-second-factor EMAIL
npm run admin -- rebuild-statistics [--client UID]
npm run admin -- addresses
npm run admin -- publish-address LINE
npm run admin -- operators
npm run admin -- add-operator EMAIL (also reset-operator, lock-operator, unlock-operator, remove-operator)

  --env            the file with the settings of the service; /etc/floorcast.env if it is there. A command works on the database that they
                   name; it makes and migrates none
  status           says how the installation is, on one page: version, database, disk, devices, jobs, mails, backup. Its last lines say what is
                   wrong; the exit code is 1 then
  check            calls the running server by PUBLIC_URL, API_URL and STREAM_URL, as browsers and devices do, and says in a line each what is
                   right and wrong with proxy, TLS, TRUST_PROXY, open files, clocks, stored files, secret.key, password and mail server. It
                   sends a mail to ADDRESS only. The exit code is 1 if something is wrong
  restored         after a restore by PostgreSQL's own tools or of a copy: devices deliver again what they have sent since, and alerts that
                   are open are ended. npm run restore does both
  move-files       copies the stored files from DATA_DIR/media to the bucket of S3_BUCKET, or back, while servers run. What is there is not copied
                   again, so that it may be ended and called again; the originals stay
  accept-key       when secret.key is lost: takes the file of DATA_DIR or SECRET_KEY_FILE, which is made if it is not there, as the
                   installation's key, without which its servers do not start. What the former key has sealed stays closed
  sweep-files      says how many stored files no row names, a day old and more, and deletes them with --delete, while servers run. Not on a
                   database that was restored to a former state, or on a copy: what it lacks would go
  subscription     gives the client of this user a plan (trial, basic, medium, professional) until the end of a day,
                   UNTIL, as YYYY-MM-DD in UTC. It closes the client's request for a plan
  requests         lists the plans that clients have requested, the oldest request first
  reset-password   prints a one-time link (72 hours) by which this user sets a new password. The old one works until
                   then; a former link no more
  remove-second-factor
                   for a user who has lost the authenticator app and the recovery codes: the next sign-in needs the
                   password alone
  rebuild-statistics
                   compares the sums of plays by day and hour with the single plays, of one client or of all, and
                   corrects them, while devices report. Days whose single plays were deleted keep their sums
  addresses        lists the clients with the address to which their devices connect, and the signed one to which they go when that does not
                   answer: how many of the devices keep it, are there, and refuse an address
  publish-address  tells the devices of a client a signed address; LINE is what npm run sign-update -- --address prints, where the private
                   key is: docs/operate/move.md
  operators        lists the operators of this installation, who sign in at /operator
  add-operator     makes an operator, and prints a one-time link (72 hours) that sets the password. The first sign-in sets up an
                   authenticator app
  reset-operator   ends the password, the authenticator app and the sessions of an operator, and prints such a link
  lock-operator, unlock-operator
                   ends the sessions of an operator, who does not sign in until unlocked
  remove-operator  removes an operator. What the operator did stays in the audit
`

export type AdminCommand =
  | { name: 'subscription'; email: string; planKey: string; until: Date }
  | { name: 'requests' }
  | { name: 'reset-password'; email: string }
  | { name: 'remove-second-factor'; email: string }
  | { name: 'rebuild-statistics'; clientId: string | null }

const Subscription = z.tuple([z.literal('subscription'), z.email(), z.string().min(1), z.iso.date()])
const Rebuild = z.union([
  z.tuple([z.literal('rebuild-statistics')]),
  z.tuple([z.literal('rebuild-statistics'), z.literal('--client'), z.uuid().toLowerCase()]),
])
const OfUser = z.tuple([z.enum(['reset-password', 'remove-second-factor']), z.email()])

/** Parses the command line. @throws Error that says what is wrong */
export function readCommand(args: readonly string[]): AdminCommand {
  const [name] = args
  if (name === 'subscription') {
    const parsed = Subscription.safeParse(args)
    if (!parsed.success) throw new Error('EMAIL must be an address, UNTIL a day such as 2027-12-31.')
    const [, email, planKey, day] = parsed.data
    return { name, email, planKey, until: new Date(`${day}T23:59:59.999Z`) }
  }
  if (name === 'reset-password' || name === 'remove-second-factor') {
    const parsed = OfUser.safeParse(args)
    if (!parsed.success) throw new Error('EMAIL must be one address.')
    return { name, email: parsed.data[1] }
  }
  if (name === 'requests') {
    if (args.length > 1) throw new Error('There is nothing after requests.')
    return { name }
  }
  if (name === 'rebuild-statistics') {
    const parsed = Rebuild.safeParse(args)
    if (!parsed.success) throw new Error('After --client comes the uid of one client.')
    return { name, clientId: parsed.data[2] ?? null }
  }
  throw new Error(name ? `There is no command '${name}'.` : 'A command is missing.')
}

/** The services of the commands; `publicUrl` is the address of the console. */
export interface AdminContext {
  database: Database
  /** Opens the store of files, for what reads the archive. */
  openFiles: () => Promise<FileStore>
  log: Log
  publicUrl: string
  now: Date
}

type Of<Name extends AdminCommand['name']> = Extract<AdminCommand, { name: Name }>
const nobody = (email: string) => new Error(`Nobody signs in as ${email}.`)

async function setSubscription({ database, now }: AdminContext, command: Of<'subscription'>) {
  const { email, planKey, until } = command
  const isSet = await database.jobs.setSubscription(email, planKey, until, now).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === '23503')
      throw new Error(`There is no plan '${planKey}'.`, { cause: error })
    throw error
  })
  if (!isSet) throw nobody(email)
  return `The client of ${email} has the plan ${planKey} until ${until.toISOString()}.`
}

async function listRequests({ database }: AdminContext) {
  const requests = await database.jobs.planRequests()
  if (requests.length === 0) return 'No client has requested a plan.'
  const columns = ['requested', 'email', 'wants', 'has', 'until', 'devices', 'client']
  const lines = requests.map(request => [
    request.requestedAt.slice(0, 10),
    request.email ?? '-',
    request.planKey,
    request.currentKey,
    request.subscriptionExpiresAt.slice(0, 10),
    String(request.devices),
    request.clientName,
  ])
  return [columns, ...lines].map(cells => cells.join('\t')).join('\n')
}

async function resetPassword({ database, publicUrl, now }: AdminContext, { email }: Of<'reset-password'>) {
  const { link, tokenHash, expiresAt } = newLink(publicUrl, now)
  const entryUid = uuidV7()
  if (!(await database.jobs.makeLink({ email, tokenHash, entryUid, at: now, expiresAt }))) throw nobody(email)
  return `${email} sets a new password by this link, once and until ${expiresAt.toISOString()}:\n${link}`
}

async function removeSecondFactor({ database, now }: AdminContext, { email }: Of<'remove-second-factor'>) {
  if (!(await database.jobs.removeSecondFactor(email, uuidV7(), now))) throw nobody(email)
  return `${email} has no second factor now.`
}

async function rebuild({ database, openFiles, log }: AdminContext, { clientId }: Of<'rebuild-statistics'>) {
  const { clients, days, wrong } = await rebuildStatistics(
    { database, log, files: await openFiles() },
    clientId,
  )
  return `Compared the statistics of ${days} days of ${clients} clients with their plays; corrected ${wrong} sums.`
}

/** Runs the command. @returns the message for the operator @throws Error for an unknown user or plan */
export function runCommand(context: AdminContext, command: AdminCommand): Promise<string> {
  if (command.name === 'subscription') return setSubscription(context, command)
  if (command.name === 'requests') return listRequests(context)
  if (command.name === 'rebuild-statistics') return rebuild(context, command)
  return command.name === 'reset-password'
    ? resetPassword(context, command)
    : removeSecondFactor(context, command)
}
