import { z } from 'zod'
import type { Database } from './platform/database/database.ts'

export const ADMIN_HELP = `npm run admin -- subscription EMAIL PLAN UNTIL

  subscription   gives the client of this user a plan (trial, basic, medium, professional) until the end of a day,
                 UNTIL, as YYYY-MM-DD in UTC
`

export interface AdminCommand {
  name: 'subscription'
  email: string
  planKey: string
  until: Date
}

const Subscription = z.tuple([z.literal('subscription'), z.email(), z.string().min(1), z.iso.date()])

/** Reads the command line. @throws Error that says what is wrong with it. */
export function readCommand(args: readonly string[]): AdminCommand {
  const [name] = args
  if (name !== 'subscription')
    throw new Error(name ? `There is no command '${name}'.` : 'A command is missing.')
  const parsed = Subscription.safeParse(args)
  if (!parsed.success) throw new Error('EMAIL must be an address, UNTIL a day such as 2027-12-31.')
  const [, email, planKey, day] = parsed.data
  return { name, email, planKey, until: new Date(`${day}T23:59:59.999Z`) }
}

/** Carries the command out; resolves to what to say. @throws Error when there is no such user or plan. */
export async function runCommand(database: Database, command: AdminCommand, now: Date): Promise<string> {
  const { email, planKey, until } = command
  const isSet = await database.jobs.setSubscription(email, planKey, until, now).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === '23503')
      throw new Error(`There is no plan '${planKey}'.`, { cause: error })
    throw error
  })
  if (!isSet) throw new Error(`Nobody signs in as ${email}.`)
  return `The client of ${email} has the plan ${planKey} until ${until.toISOString()}.`
}
