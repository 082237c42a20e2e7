import { LINK_HOURS } from '@floorcast/contract/users.ts'
import { z } from 'zod'
import { hashToken, makeToken } from '../../platform/auth/token.ts'
import type { OperatorAccounts } from '../../platform/database/jobs-queries.ts'
import type { OperatorAct } from '../../platform/database/operator-queries.ts'
import { uuidV7 } from '../../platform/lib/uuid-v7.ts'

/* `npm run admin -- …-operator`: only who reaches the server's machine makes operators. */

const NAMES = [
  'add-operator',
  'reset-operator',
  'lock-operator',
  'unlock-operator',
  'remove-operator',
] as const

export type OperatorCommand = { name: 'operators' } | { name: (typeof NAMES)[number]; email: string }

const OfOperator = z.tuple([z.enum(NAMES), z.email()])

/** Parses the command line. @returns null for another command @throws Error that says what is wrong */
export function readOperatorCommand(args: readonly string[]): OperatorCommand | null {
  const [name] = args
  if (name === 'operators') {
    if (args.length > 1) throw new Error('There is nothing after operators.')
    return { name }
  }
  if (!NAMES.some(known => known === name)) return null
  const parsed = OfOperator.safeParse(args)
  if (!parsed.success) throw new Error('EMAIL must be one address.')
  return { name: parsed.data[0], email: parsed.data[1].toLowerCase() }
}

interface CommandContext {
  database: { jobs: { operators: OperatorAccounts } }
  publicUrl: string
  now: Date
}

/** A one-time link, of which only the hash is stored. The token is after the #, so that no server logs it. */
function newLink({ publicUrl, now }: CommandContext) {
  const token = makeToken()
  const expiresAt = new Date(now.getTime() + LINK_HOURS * 3_600_000)
  return { link: `${publicUrl}/operator/login#invite=${token}`, tokenHash: hashToken(token), expiresAt }
}

async function listOperators({ database }: CommandContext): Promise<string> {
  const operators = await database.jobs.operators.list()
  if (operators.length === 0) return 'There are no operators: npm run admin -- add-operator EMAIL'
  const lines = operators.map(one => [
    one.email,
    one.isLocked ? 'locked' : one.isEnrolled ? 'active' : 'not signed in yet',
    one.createdAt.slice(0, 10),
    one.lastSignInAt ?? '-',
  ])
  return [['email', 'state', 'since', 'last sign-in'], ...lines].map(cells => cells.join('\t')).join('\n')
}

/** Runs the command. @returns the message for the operator @throws Error for an unknown or known email */
export async function runOperatorCommand(context: CommandContext, command: OperatorCommand): Promise<string> {
  if (command.name === 'operators') return listOperators(context)
  const { operators } = context.database.jobs
  const { name, email } = command
  const act: OperatorAct = { uid: uuidV7(), at: context.now, email: null, action: name, subject: email }
  const refuseUnknown = (isDone: boolean) => {
    if (!isDone) throw new Error(`There is no operator ${email}.`)
  }
  if (name === 'lock-operator' || name === 'unlock-operator') {
    refuseUnknown(await operators.lock(email, name === 'lock-operator', act))
    return name === 'lock-operator' ? `${email} does not sign in any more.` : `${email} signs in again.`
  }
  if (name === 'remove-operator') {
    refuseUnknown(await operators.remove(email, act))
    return `${email} is no operator any more.`
  }
  const link = newLink(context)
  if (name === 'reset-operator') refuseUnknown(await operators.reset(email, link, act))
  else if (!(await operators.add({ uid: uuidV7(), email, link }, act)))
    throw new Error(`${email} is an operator already: npm run admin -- reset-operator makes a new link.`)
  return `${email} sets a password and an authenticator app by this link, once and until ${link.expiresAt.toISOString()}:\n${link.link}`
}
