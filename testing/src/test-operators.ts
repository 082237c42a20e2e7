import {
  acceptOperatorLink,
  authenticateOperator,
  beginOperatorEnrollment,
  completeOperatorSignIn,
  confirmOperatorEnrollment,
} from '@floorcast/contract/operator-sign-in.ts'
import {
  readOperatorCommand,
  runOperatorCommand,
} from '@floorcast/server/features/operators/operator-commands.ts'
import { codeAt, newAddress, STEP_MS } from './test-second-factor.ts'
import type { TestServer } from './test-server.ts'

const password = 'an operator of shops'
let operators = 0

/** `npm run admin -- …` about operators. */
export async function runOperators(server: Pick<TestServer, 'context' | 'clock'>, ...args: string[]) {
  const { database, settings } = server.context
  const command = readOperatorCommand(args)
  if (!command) throw new Error(`${args[0]} is no command about operators`)
  return runOperatorCommand({ database, publicUrl: settings.publicUrl, now: server.clock.now }, command)
}

/** The token in a link that a command has printed. */
export const linkIn = (says: string) => /\/operator\/login#invite=([\w-]{43})$/.exec(says)?.[1] ?? ''

type Server = Pick<TestServer, 'context' | 'clock' | 'call' | 'ask'>

/** An operator who has used the link and set up an app: signed in, with what a sign-in needs. */
export async function newOperator(server: Server) {
  const email = `operator${++operators}@operations.example`
  const address = newAddress()
  const token = linkIn(await runOperators(server, 'add-operator', email))
  const { ticket } = await server.call(acceptOperatorLink, { address, body: { token, password } })
  const { secret } = await server.call(beginOperatorEnrollment, { address, body: { ticket } })
  const code = codeAt(secret, server.clock.now)
  const operator = await server.call(confirmOperatorEnrollment, { address, body: { ticket, code } })
  /** Half a minute later: a code works once. */
  const signIn = async () => {
    server.clock.now = new Date(server.clock.now.getTime() + 2 * STEP_MS)
    const step = await server.call(authenticateOperator, { address, body: { email, password } })
    const body = { ticket: step.ticket, code: codeAt(secret, server.clock.now) }
    return server.call(completeOperatorSignIn, { address, body })
  }
  return { ...operator, address, password, secret, confirmedBy: code, signIn }
}
