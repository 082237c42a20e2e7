import { authenticate, type SignedIn } from '@floorcast/contract/auth.ts'
import type { Problem } from '@floorcast/contract/problem.ts'
import * as contract from '@floorcast/contract/second-factor.ts'
import { acceptLink, inviteUser } from '@floorcast/contract/users.ts'
import { Secret, TOTP } from 'otpauth'
import type { z } from 'zod'
import type { TestServer } from './test-server.ts'

export const STEP_MS = 30_000
const password = 'a long password'
type Answer = Awaited<ReturnType<TestServer['ask']>>
export const problemOf = (answer: Answer) => answer.json<Problem>()
export const ticketOf = (answer: Answer) => problemOf(answer).secondStep?.ticket ?? ''
export const userIn = (answer: Answer) => answer.json<{ data: z.output<typeof SignedIn> }>().data

export const codeAt = (secret: string, at: Date) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at.getTime() })

let networks = 0
/** Another network address: the limits count by them. */
export const newAddress = () => `10.1.${Math.floor(networks / 250)}.${(networks++ % 250) + 1}`

/** Authenticator apps and sign-ins in two steps on a server. */
export function secondFactorOn(server: TestServer) {
  const wait = (milliseconds: number) => {
    server.clock.now = new Date(server.clock.now.getTime() + milliseconds)
  }
  const signIn = (email: string, address = newAddress()) =>
    server.ask(authenticate, { address, body: { email, password } })
  const complete = (ticket: string, code: string, address = newAddress()) =>
    server.ask(contract.completeSignIn, { address, body: { ticket, code } })
  /** A code that is wrong at every step near now. */
  const wrongFor = (secret: string) => {
    const near = [-1, 0, 1].map(step => codeAt(secret, new Date(server.clock.now.getTime() + step * STEP_MS)))
    return ['000000', '111111', '222222', '333333'].find(code => !near.includes(code)) ?? ''
  }

  /** Sets up an app for a user whose password is 'a long password'. */
  const enroll = async (token: string) => {
    const begun = await server.call(contract.beginEnrollment, { token, body: { password } })
    const { secret = '', uri = '' } = begun
    const code = codeAt(secret, server.clock.now)
    const { recoveryCodes = [] } = await server.call(contract.confirmEnrollment, { token, body: { code } })
    // The code of the confirmation is used up.
    wait(2 * STEP_MS)
    return { secret, uri, recoveryCodes, confirmedBy: code, now: () => codeAt(secret, server.clock.now) }
  }

  /** A user of a new client who has an authenticator app. */
  const enrolled = async () => {
    const client = await server.newClient()
    const open = async () => ticketOf(await signIn(client.email))
    return { ...client, ...(await enroll(client.token)), open }
  }

  let people = 0
  /** Another user of a client, who has accepted an invitation and has no factor. */
  const join = async (adminToken: string, role: 'admin' | 'manager' = 'manager') => {
    const email = `colleague${++people}@shop.example`
    const { link = '' } = await server.call(inviteUser, {
      token: adminToken,
      body: { email, role, password },
    })
    const body = { token: link.split('#invite=')[1], password }
    const answer = await server.ask(acceptLink, { address: newAddress(), body })
    return { ...userIn(answer), email }
  }
  return { wait, signIn, complete, wrongFor, enroll, enrolled, join }
}
