import { z } from 'zod'
import { Credentials } from './auth.ts'
import { byOperator, endpoint, openToAll } from './endpoint.ts'
import { Instant, NewPassword, Uid } from './fields.ts'
import { Outcome } from './outcomes.ts'
import { SecondStep } from './problem.ts'
import { TotpCode, TotpDraft } from './second-factor.ts'
import { SignInTicket } from './sign-in-ticket.ts'

/*
 * How operators of the installation sign in: by a password and a code of an authenticator app, always both. `npm run admin` makes
 * operators. Their tokens open the calls of operators alone, and no call of users.
 */

/** The ticket of an operator's second step. */
const OperatorStep = SecondStep.omit({ hasPasskey: true })
export type OperatorStep = z.infer<typeof OperatorStep>

export const Operator = z.object({
  uid: Uid,
  /** What the operator signs in with. */
  email: z.string(),
  /** The end of the session, however often it is used. */
  expiresAt: Instant,
})
export type Operator = z.infer<typeof Operator>

export const SignedInOperator = Operator.extend({
  /** Goes in the header of further calls: `Authorization: Bearer TOKEN`. */
  token: z.string(),
})

export const authenticateOperator = endpoint({
  path: '/api/v2/operator/authenticate',
  summary:
    "The first step of an operator's sign-in. The answer's ticket is for the second step, or for the set-up of an authenticator app if the operator has none (`mustEnroll`): 5 minutes, 5 codes. HTTP 400 'wrong-login'.",
  access: openToAll,
  body: Credentials,
  answer: OperatorStep,
})

export const acceptOperatorLink = endpoint({
  path: '/api/v2/operator/accept',
  summary:
    "Set an operator's password by the link of `npm run admin`, once. The answer is that of the first step of a sign-in. HTTP 400 'link-expired'.",
  access: openToAll,
  worksOnFullDisk: true,
  body: z.object({
    /** The secret of the link. */
    token: z.string().min(1, 'empty').max(200, 'too-long'),
    password: NewPassword,
  }),
  answer: OperatorStep,
})

export const completeOperatorSignIn = endpoint({
  path: '/api/v2/operator/second-step',
  summary:
    "Complete an operator's sign-in by a code of the authenticator app (HTTP 422 at `code`). HTTP 400 'step-expired'.",
  access: openToAll,
  body: z.object({
    /** The `ticket` of the first step. */
    ticket: SignInTicket,
    code: TotpCode,
  }),
  answer: SignedInOperator,
})

export const beginOperatorEnrollment = endpoint({
  path: '/api/v2/operator/enroll',
  summary:
    "Begin to set up the authenticator app of an operator who has none. HTTP 400 'step-expired' for others.",
  access: openToAll,
  body: z.object({
    /** The `ticket` of the first step. */
    ticket: SignInTicket,
  }),
  answer: TotpDraft,
})

export const confirmOperatorEnrollment = endpoint({
  path: '/api/v2/operator/enroll/confirm',
  summary:
    'Confirm the authenticator app by a code of it (HTTP 422 at `code`), and sign the operator in. Who loses the app asks for a new link: `npm run admin -- reset-operator`.',
  access: openToAll,
  body: z.object({
    /** The `ticket` of the first step. */
    ticket: SignInTicket,
    code: TotpCode,
  }),
  answer: SignedInOperator,
})

export const readOperator = endpoint({
  path: '/api/v2/operator/session',
  summary:
    'The operator of the session. It ends after an hour without a call, and 12 hours after its beginning.',
  access: byOperator,
  answer: Operator,
})

export const endOperatorSession = endpoint({
  method: 'POST',
  path: '/api/v2/operator/session/end',
  summary: 'Sign the operator out.',
  access: byOperator,
  answer: Outcome,
  outcomes: ['done'],
})
