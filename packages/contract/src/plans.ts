import { z } from 'zod'
import { type Access, adminEditors, anyUser, endpoint } from './endpoint.ts'
import { Instant } from './fields.ts'
import { Outcome } from './outcomes.ts'

export const Plan = z.object({
  /** Its name in calls, such as `basic`. */
  key: z.string(),
  /** Storage for files; a gigabyte is 10^9 bytes. */
  mediaGigabytes: z.number(),
  /** Storage for plays, device logs and heartbeats. */
  statisticsGigabytes: z.number(),
  /** How many devices a client may have. */
  deviceLimit: z.int(),
  /** In whole US dollars. */
  priceUsdPerMonth: z.int(),
  /** Support round the clock is part of it. */
  hasSupport: z.boolean(),
  /** Extended support is part of it. */
  hasExtendedSupport: z.boolean(),
  /** The client's own. */
  isCurrent: z.boolean(),
  /** When the client requested it; null unless the request is open. */
  requestedAt: Instant.nullable(),
})
export type Plan = z.infer<typeof Plan>

export const listPlans = endpoint({
  path: '/api/v2/plans',
  summary: 'The subscription plans, smallest first.',
  access: anyUser,
  answer: z.array(Plan),
})

/** Who asks for a plan: also when the former one has ended. */
const requesters: Access = { ...adminEditors, evenExpired: true }

export const requestPlan = endpoint({
  path: '/api/v2/plan/request',
  summary:
    "Request a plan of the operator, who is told by mail where SUPPORT_EMAIL and a mail server are set. A client has one open request: one for another plan replaces it, the same one changes nothing. A change of the client's plan closes it.",
  access: requesters,
  body: z.object({
    /** The `key` of the plan. */
    planKey: z.string().min(1, 'empty').max(50, 'too-long'),
  }),
  answer: Outcome.extend({ requestedAt: Instant.optional() }),
  outcomes: ['done'],
})

export const withdrawPlanRequest = endpoint({
  method: 'POST',
  path: '/api/v2/plan/withdraw',
  summary: "Withdraw the client's open request for a plan, if there is one.",
  access: requesters,
  worksOnFullDisk: true,
  answer: Outcome,
  outcomes: ['done'],
})
