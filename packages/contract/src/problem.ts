import { z } from 'zod'
import { Instant } from './fields.ts'

/** The password was right; a further call completes the sign-in. */
export const SecondStep = z.object({
  /** For `/api/v2/session/second-step`, or `/api/v2/session/enroll` if the user must set up a second factor first. */
  ticket: z.string(),
  expiresAt: Instant,
  /** The user has no second factor, and has to set one up. */
  mustEnroll: z.boolean(),
  /** Calls of passkeys sign in too, without the ticket. */
  hasPasskey: z.boolean(),
})
export type SecondStep = z.infer<typeof SecondStep>

export const FieldError = z.object({
  /** The place of the field: names and indexes from 0, with dots, such as `rows.3.group`. */
  path: z.string(),
  /** A key of `fields.json`; `unknown` for a field that the call does not have. */
  message: z.string(),
  /** The same as a sentence in English. */
  detail: z.string().optional(),
  /** With an unknown field or value: what was probably meant. */
  didYouMean: z.string().optional(),
  /** The values that are allowed; this is not one of them. */
  oneOf: z.array(z.string()).optional(),
})
export type FieldError = z.infer<typeof FieldError>

/** An HTTP error's body: RFC 9457 `application/problem+json`. */
export const Problem = z.object({
  /** The address of a page about it, relative to the server's. */
  type: z.string(),
  /** The name of the HTTP status, in English. */
  title: z.string(),
  /** The HTTP status. */
  status: z.int(),
  /** What happened, as a sentence in English. */
  detail: z.string().optional(),
  /** A stable code of the cause, with texts in every language (`problems.json`). */
  code: z.string().optional(),
  /** 422: the wrong fields of body, path and query. */
  errors: z.array(FieldError).optional(),
  /** 403 `second-factor`. */
  secondStep: SecondStep.optional(),
  /** `id` as a URN. */
  instance: z.string().optional(),
  /** Every answer of the server has it, and its header `x-request-id`; not those of a proxy. */
  id: z.string().optional().describe("The request's id, which its lines in the log have as requestId."),
})
export type Problem = z.infer<typeof Problem>
