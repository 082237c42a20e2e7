import { endpoint, openToAll } from './endpoint.ts'
import { Email } from './fields.ts'
import { Registration, SignedIn } from './auth.ts'
import { Outcome } from './outcomes.ts'
import { acceptLink } from './users.ts'
import { z } from 'zod'

/*
 * Links by mail, where the installation has a mail server (`sendsMail` of /config.json). The language of a mail is the first
 * of the call's `Accept-Language` that Floorcast has. A network causes at most 3 mails of a kind to an address in an hour and 10
 * in a day: HTTP 429 'mail-limit'. Without a mail server the calls end with HTTP 403 'no-mail-server', but `readLink` works: admins hand out links too.
 */

const sameForAll = 'The answer does not depend on whether a user has the email'

export const requestAccount = endpoint({
  path: '/users/register/request',
  summary: `Ask for a client on the Trial plan. A mail with a link (24 h, once) goes to the email; its owner then sets the password. ${sameForAll}; a user who has it gets a mail that says so.`,
  access: openToAll,
  worksOnFullDisk: false,
  body: Registration.pick({ fullName: true, email: true, terms: true }),
  answer: Outcome,
  outcomes: ['done'],
})

export const confirmAccount = endpoint({
  path: '/users/register/confirm',
  summary:
    "Create the client of a mailed link with its first user, an admin, and sign the user in. HTTP 400 'link-expired'; 422 'email-taken' if a user has the email meanwhile.",
  access: openToAll,
  worksOnFullDisk: false,
  body: acceptLink.body,
  answer: SignedIn,
})

export const forgotPassword = endpoint({
  path: '/users/forgot',
  summary: `Ask for a link (1 h, once) to set a new password, by mail; the old one works until then. ${sameForAll}.`,
  access: openToAll,
  body: z.object({
    /** What the user signs in with. */
    email: Email,
  }),
  answer: Outcome,
  outcomes: ['done'],
})

export const readLink = endpoint({
  path: '/api/v2/users/link',
  summary:
    "Say for which email a link that sets a password is: of an invitation, a reset or a new account. The link stays as it is. HTTP 400 'link-expired'.",
  access: openToAll,
  worksOnFullDisk: true,
  body: acceptLink.body.pick({ token: true }),
  answer: z.object({
    /** What the link's owner will sign in with. */
    email: Email,
  }),
})
