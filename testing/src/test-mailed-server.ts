import { confirmAccount, forgotPassword, requestAccount } from '@floorcast/contract/mailed-links.ts'
import { registerMailedLinks } from '@floorcast/server/features/auth/mailed-links-routes.ts'
import { expect } from 'vitest'
import { eventually } from './eventually.ts'
import { makeClient } from './factories.ts'
import { asSuperuser } from './test-database.ts'
import { linkOf, startMailServer, trustMailServer } from './test-mail-server.ts'
import { type TestServer, testServer, type TestServerOptions } from './test-server.ts'
import { signedInUser } from './test-users.ts'

/** A mail that a server sends is due again after this time. */
const LEASE_MS = 180_000

/** The password of the users of `mailedServer`. */
export const PASSWORD = 'seven green lamps'

/** The mails to a recipient in the queue of a server. */
function readQueue(server: TestServer) {
  /** The newest row of the queue for a recipient. */
  const rowOf = (email: string) =>
    asSuperuser(server.superuserUrl, async superuser => {
      const { rows } = await superuser.query<{
        outcome: string | null
        attempts: number
        dueAt: Date | null
      }>(
        'select outcome, attempts, due_at as "dueAt" from mails where recipient = $1 order by created_at desc, uid desc limit 1',
        [email],
      )
      return rows[0]
    })

  const untilOutcome = (email: string, outcome: string) =>
    eventually(async () => expect((await rowOf(email))?.outcome).toBe(outcome))

  /**
   * Waits until the queue has asked the mail server, which is away, and has put the mail off. Before that, it would put it off by a
   * clock that the test has moved.
   */
  const untilPutOff = (email: string) =>
    eventually(async () => {
      const { attempts = 0, dueAt = null } = (await rowOf(email)) ?? {}
      expect(attempts).toBeGreaterThan(0)
      expect(Number(dueAt) - Number(server.clock.now)).not.toBe(LEASE_MS)
    })

  return { rowOf, untilOutcome, untilPutOff }
}

/** A server without a port that sends its mails to a mail server of the test. */
export async function mailedServer({
  features = [],
  environment: more = {},
}: Partial<TestServerOptions> = {}) {
  trustMailServer()
  const mailServer = await startMailServer()
  const environment = { SMTP_URL: mailServer.url, MAIL_FROM: 'Floorcast <floor@shop.example>', ...more }
  const server = await testServer({ features: [registerMailedLinks, ...features], environment })
  let people = 0
  let callers = 0
  const newEmail = () => `person${++people}@guests.example`
  /** Callers come from many networks: most tests are not about the limits by address. */
  const newAddress = () => `198.51.100.${(callers = (callers + 1) % 250)}`

  const ask = (email: string, more: object = {}, headers: Record<string, string> = {}) =>
    server.ask(requestAccount, {
      address: newAddress(),
      headers,
      body: { fullName: 'Ana María Ruiz', email, terms: true, ...more },
    })

  const forget = (email: string, address = newAddress()) =>
    server.ask(forgotPassword, { address, body: { email } })

  const newAdmin = async () => {
    const { scope } = await makeClient(server.database)
    return { scope, ...(await signedInUser(scope, { role: 'admin', password: PASSWORD })) }
  }

  /** A user with a password, by way of the mails. */
  const newUser = async () => {
    const email = newEmail()
    await ask(email)
    const { token } = linkOf(await mailServer.mailTo(email))
    return server.call(confirmAccount, { body: { token, password: PASSWORD } })
  }

  /** Moves the clock and lets the queue look. */
  const wait = async (seconds: number) => {
    server.clock.now = new Date(server.clock.now.getTime() + seconds * 1000)
    await asSuperuser(server.superuserUrl, superuser => superuser.query('notify floorcast_mail'))
  }

  return {
    server,
    mailServer,
    newEmail,
    ask,
    forget,
    newAdmin,
    newUser,
    ...readQueue(server),
    wait,
  }
}
